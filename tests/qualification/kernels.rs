//! Right arithmetic on elements, written apart from the library's, of which a defect changes a part;
//! and the backend made of it.

use onnx_conformance::backend::{Outcome, Refusal, RefusalKind, Stage};
use onnx_conformance::dtype::{DType, Kind, integer};
use onnx_conformance::float::{Class, FloatFormat};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::request::Request;
use crate::round::{Mode, round};

/// Arithmetic on elements as bits. `None` refuses.
#[derive(Clone, Copy)]
pub(crate) struct Elements {
    /// Division; of integers truncated.
    pub(crate) div: fn(DType, u64, u64) -> Option<u64>,
    /// Division of integers rounded down, which OpenVINO asks for.
    pub(crate) floor: fn(DType, u64, u64) -> Option<u64>,
    pub(crate) sqrt: fn(DType, u64) -> u64,
}

/// Right arithmetic.
pub(crate) const RIGHT: Elements = Elements { div, floor, sqrt };

impl Elements {
    /// Computes the elements of what the library's kernels do not refuse: types and shapes are theirs
    /// to judge.
    pub(crate) fn answer(&self, request: &Request<'_>, right: Outcome) -> Outcome {
        match right {
            Outcome::Outputs(_) => self.compute(request).map_or_else(
                || {
                    let (stage, kind) = (Stage::Run, RefusalKind::Error);
                    Outcome::Refused(Refusal { stage, kind, message: "no quotient".to_owned() })
                },
                |tensor| Outcome::Outputs(vec![tensor.into()]),
            ),
            other => other,
        }
    }

    fn compute(&self, request: &Request<'_>) -> Option<Tensor> {
        let operands = &request.operands;
        let dtype = operands.first()?.dtype();
        let shapes: Vec<_> = operands.iter().map(Tensor::shape).collect();
        let plan = request.operator.broadcast(&request.attributes, &shapes).ok()?;
        let div = if is_floored(request) { self.floor } else { self.div };
        let element = |input: usize, k| {
            operands[input].element(plan.operand_index(input, k)?).map(|bits| bits as u64)
        };
        let width = dtype.bits()? as usize / 8;
        let mut bytes = Vec::with_capacity(plan.elements() * width);
        for k in 0..plan.elements() {
            let result = match operands.len() {
                1 => (self.sqrt)(dtype, element(0, k)?),
                _ => div(dtype, element(0, k)?, element(1, k)?)?,
            };
            bytes.extend_from_slice(&result.to_le_bytes()[..width]);
        }
        Tensor::from_bits(dtype, plan.shape().to_vec(), bytes.into()).ok()
    }
}

/// Whether quotients are rounded down: OpenVINO's, unless it is asked for truncation.
fn is_floored(request: &Request<'_>) -> bool {
    let truncated = Attribute::Text("false".to_owned());
    request.operator.name() == "Divide" && request.attributes.get("m_pythondiv") != Some(&truncated)
}

/// The format of a float type.
pub(crate) fn format(dtype: DType) -> &'static FloatFormat {
    match dtype.kind() {
        Kind::Float(format) => format,
        _ => panic!("{dtype} is no float type"),
    }
}

/// The value of a float element, exactly.
pub(crate) fn value(dtype: DType, bits: u64) -> f64 {
    format(dtype).to_f64(bits)
}

/// The float element nearest to a value.
pub(crate) fn nearest(dtype: DType, value: f64) -> u64 {
    round(format(dtype), value, Mode::TiesToEven)
}

/// The class of a float element.
pub(crate) fn class(dtype: DType, bits: u64) -> Class {
    format(dtype).class(bits)
}

pub(crate) fn is_float(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Float(_))
}

/// The integer with these bits.
pub(crate) fn int(dtype: DType, bits: u64) -> i128 {
    let Kind::Int { signed, bits: width } = dtype.kind() else { panic!("{dtype} is no int") };
    integer(bits.into(), signed, width)
}

/// The quotient of floats in binary64, which rounds to the narrower types as the exact one does
/// (Figueroa, *When is double rounding innocuous?*, 1995).
pub(crate) fn quotient(dtype: DType, a: u64, b: u64) -> f64 {
    value(dtype, a) / value(dtype, b)
}

pub(crate) fn div(dtype: DType, a: u64, b: u64) -> Option<u64> {
    if is_float(dtype) {
        return Some(nearest(dtype, quotient(dtype, a, b)));
    }
    int(dtype, a).checked_div(int(dtype, b)).map(|quotient| quotient as u64)
}

pub(crate) fn floor(dtype: DType, a: u64, b: u64) -> Option<u64> {
    if is_float(dtype) {
        return div(dtype, a, b);
    }
    let (a, b) = (int(dtype, a), int(dtype, b));
    let quotient = a.checked_div(b)?;
    let is_above = quotient * b != a && (a < 0) != (b < 0);
    Some((quotient - i128::from(is_above)) as u64)
}

/// Square roots, likewise through binary64.
pub(crate) fn sqrt(dtype: DType, x: u64) -> u64 {
    nearest(dtype, value(dtype, x).sqrt())
}
