//! PRelu: the element, or where it is negative the slope at its index times it.
//!
//! Products are those of Mul: of floats correctly rounded, of integers modulo 2^n. An element that is -0 is not
//! negative, and of a NaN both branches give a NaN. Since version 7 the slope is broadcast to X; before, it is one
//! value, or, as the text implies where it says that a single one is shared, one for each channel, which are along
//! X's second dimension. Sources: ONNX's schemas of PRelu-1, 6, 7, 9 and 16.

mod boundaries;
pub(super) mod fast_check;

use values::dtype::DType;
use values::element::Element;
use values::float::Class;

use super::mul::{self, Multiplication};
use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::families::binary::CONSUMED_INPUTS;
use crate::inputs::patterns::at_boundaries;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::IEEE_FLOATS;

use DType::{Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64};

/// PRelu in ONNX's default domain.
pub static PRELU: Operator = Operator {
    documents: &[Document { key: "onnx-prelu", catalogue: include_str!("prelu/onnx-prelu.toml") }],
    hard_inputs: Some(|dtype| {
        let mut parts = mul::hard_inputs::parts(dtype)?;
        parts.push(("thresholds of elements", at_boundaries(&boundaries::Leaks, dtype)));
        Some(parts)
    }),
    cases: Some(|of| case_table::cases(of, &PRELU, &[include_str!("prelu/cases.toml")], Own::NONE)),
    fast_checks: Some(&fast_check::FastLeaks),
    coverage: include_str!("prelu/coverage.txt"),
    ..Operator::onnx("PRelu", OperatorKind::Rounded, &VERSIONS, &REFERENCE)
};

const SINCE_9: &[DType] = SINCE_16.split_at(1).1;
const SINCE_16: &[DType] = &[Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64];

const VERSIONS: [Version; 5] = [
    const { ports(IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { ports(IEEE_FLOATS) }.since(6, &[]),
    const { ports(IEEE_FLOATS) }.since(7, &[]),
    const { ports(SINCE_9) }.since(9, &[]),
    const { ports(SINCE_16) }.since(16, &[]),
];

const fn ports(types: &'static [DType]) -> Ports<2> {
    Ports::new(["X", "slope"], "Y", types)
}

/// The product where the element is negative.
#[derive(Clone, Copy, Debug)]
pub struct Parametric;

/// What becomes of an element.
enum Branch {
    /// It is multiplied.
    Product,
    /// It stays.
    Element(u64),
    /// It is NaN.
    Nan(Conforming),
}

impl Branch {
    fn of(dtype: DType, operands: &[Element]) -> Option<Self> {
        let [x, _] = bits_of(dtype, operands)?;
        let is_negative = match Number::of(dtype)? {
            Number::Int(int) => int.value(x) < 0,
            Number::Float(format) => match format.class(x) {
                Class::Nan => return Some(Self::Nan(Conforming::AnyNan(format))),
                Class::Zero => false,
                Class::Infinite | Class::Subnormal | Class::Normal => format.is_negative(x),
            },
        };
        Some(if is_negative { Self::Product } else { Self::Element(x) })
    }
}

impl Elementwise for Parametric {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match Branch::of(dtype, operands) {
            Some(Branch::Product) => Multiplication.conforming(dtype, operands),
            Some(Branch::Element(x)) => Conforming::One(x),
            Some(Branch::Nan(nan)) => nan,
            None => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        match Branch::of(dtype, operands)? {
            Branch::Product => Multiplication.real(dtype, operands, bits),
            Branch::Element(x) => Real::of_element(dtype, x),
            Branch::Nan(_) => None,
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match Branch::of(dtype, operands) {
            Some(Branch::Product) => Multiplication.deviation(dtype, operands, actual),
            Some(Branch::Element(x)) => distance(dtype, x, actual),
            Some(Branch::Nan(_)) | None => Deviation::NoRealResult,
        }
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Parametric> =
    Pointwise { function: |_, _| Parametric, broadcast, boundaries: Some(&boundaries::Leaks) };

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    let [x, slope] = [call.input(0)?.shape(), call.input(1)?.shape()];
    let refused = || {
        call.invalid(&format!("cannot bring a slope of shape {slope:?} to elements of shape {x:?}"))
    };
    let plan = match (call.version.since, slope, x) {
        (7.., ..) => Broadcast::multidirectional(&[x, slope]),
        _ if slope.iter().all(|size| *size == 1) => Broadcast::limited(x, &[], None),
        (_, [_], [_, _, ..]) => Broadcast::limited(x, slope, Some(1)),
        _ => Err(refused()),
    };
    plan.ok().filter(|plan| plan.shape() == x).ok_or_else(refused)
}

#[cfg(test)]
mod tests;
