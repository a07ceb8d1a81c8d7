//! DynamicQuantizeLinear: float32 as uint8, with the scale and the zero point that fit the data.
//!
//! The steps are those of the function that ONNX gives of the operator, each rounded to float32: the range of the
//! data with 0, a 255th of it as scale, the least element by that as zero point, and QuantizeLinear, which has the
//! readings of its division here too. What the document leaves open: data without elements, or with a NaN, and
//! all but the scale of data whose scale is zero. That of zeros alone is 0 by the formula, and the 255th part of 1 by
//! ONNX's evaluator.
//!
//! Source: ONNX's schema and function of DynamicQuantizeLinear-11.

use values::dtype::DType::{self, Float32, Uint8};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::quantizelinear::{Division, to_integer};
use crate::case_table::{self, Own};
use crate::exact::extended::Extended;
use crate::exact::number::Int;
use crate::exact::real::Rational;
use crate::exact::{Conforming, Deviation, distance};
use crate::families::quantization::bits;
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
    judged_by_number,
};
use crate::real::Real;

/// DynamicQuantizeLinear in ONNX's default domain.
pub static DYNAMICQUANTIZELINEAR: Operator = Operator {
    documents: &[Document {
        key: "onnx-dynamicquantizelinear",
        catalogue: include_str!("dynamicquantizelinear/onnx-dynamicquantizelinear.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("dynamicquantizelinear/cases.toml")];
        case_table::cases(of, &DYNAMICQUANTIZELINEAR, &tables, Own::NONE)
    }),
    ..Operator::onnx("DynamicQuantizeLinear", OperatorKind::Rounded, &VERSIONS, &DynamicQuantize)
};

const VERSIONS: [Version; 1] = [Version {
    since: 11,
    inputs: &[Port::new("x", &[Float32], "T1")],
    outputs: &[
        Port::new("y", &[Uint8], "T2"),
        Port::new("y_scale", &[Float32], "tensor(float)"),
        Port::new("y_zero_point", &[Uint8], "T2"),
    ],
    attributes: &[],
}];

const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;
const BYTE: Int = Int { signed: false, bits: 8 };

const NO_RANGE: &str = "the document does not say what the range of no numbers, or of a NaN, is";
const ZERO_SCALE: &str = "the document does not say what becomes of a scale of zero";
const NAN_INTEGER: &str = "the document does not say which integer a NaN becomes";
const FOREIGN: &str = "the operands are not those of the operator";

struct DynamicQuantize;

impl Reference for DynamicQuantize {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = call.input(0)?.shape().to_vec();
        let scalar = |dtype| TensorType::new(dtype, Vec::new());
        Ok(vec![TensorType::new(Uint8, shape)?, scalar(Float32)?, scalar(Uint8)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(x) = call.input(0) else { return Vec::new() };
        let range = Range::of(x);
        let scale = range.scale();
        let zero = scale.as_ref().and_then(|scale| range.zero_point(scale));
        let of = |output| -> Box<dyn Allowed> {
            Box::new(Given { x, output, range: range.clone(), scale: scale.clone(), zero })
        };
        vec![of(Output::Data), of(Output::Scale), of(Output::ZeroPoint)]
    }
}

/// The least and the greatest of the data and 0; `None` where there are no data, or a NaN is among them.
#[derive(Clone, Debug)]
struct Range(Option<[Extended; 2]>);

impl Range {
    fn of(x: &Tensor) -> Self {
        let key = |bits: u64| {
            let ordinal = FLOAT32.ordinal(bits)?;
            Some((ordinal, bits))
        };
        let elements = (0..x.elements()).map(|at| key(bits(x, at)?));
        let all: Option<Vec<(i64, u64)>> = elements.collect();
        let number = |bits| Extended::of(Float32, bits);
        let ends = all.and_then(|all| {
            let (least, greatest) = (all.iter().min()?, all.iter().max()?);
            let zero = || Some(Extended::integer(0));
            let least = if least.0 < 0 { number(least.1) } else { zero() };
            let greatest = if greatest.0 > 0 { number(greatest.1) } else { zero() };
            Some([least?, greatest?])
        });
        Self(ends)
    }

    /// The scale, rounded after each step; `None` without a range.
    fn scale(&self) -> Option<Extended> {
        let [least, greatest] = self.0.as_ref()?;
        let range = match (least.finite(), greatest.finite()) {
            (Some(least), Some(greatest)) => Extended::Finite(greatest - least, false),
            _ => Extended::Infinite(false),
        };
        Some(range.within(FLOAT32).quotient(&Extended::integer(255)).within(FLOAT32))
    }

    /// The zero point; a NaN gives none.
    fn zero_point(&self, scale: &Extended) -> Option<u64> {
        let [least, _] = self.0.as_ref()?;
        let quotient = least.quotient(scale).within(FLOAT32);
        Extended::integer(-1).product(&quotient).clamped(0, BYTE)
    }
}

/// What an output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Data,
    Scale,
    ZeroPoint,
}

/// What is allowed of an output.
struct Given<'a> {
    x: &'a Tensor,
    output: Output,
    range: Range,
    /// What follows from the range for all elements.
    scale: Option<Extended>,
    zero: Option<u64>,
}

impl Given<'_> {
    const fn dtype(&self) -> DType {
        match self.output {
            Output::Scale => Float32,
            Output::Data | Output::ZeroPoint => Uint8,
        }
    }

    fn element(&self, index: usize) -> Option<Extended> {
        Extended::of(Float32, bits(self.x, index)?)
    }
}

impl Allowed for Given<'_> {
    fn at(&self, index: usize) -> Conforming {
        let Some(scale) = &self.scale else { return Conforming::Unspecified(NO_RANGE) };
        if self.output == Output::Scale {
            if !scale.is_zero() {
                return scale.rounded(FLOAT32);
            }
            let is_zero = |range: &[Extended; 2]| range.iter().all(Extended::is_zero);
            let of_one = Extended::integer(1).quotient(&Extended::integer(255)).rounded(FLOAT32);
            let of_zeros = self.range.0.as_ref().is_some_and(is_zero).then_some(of_one);
            let readings = std::iter::once(Conforming::either_zero(FLOAT32)).chain(of_zeros);
            return Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(FOREIGN));
        }
        if scale.is_zero() {
            return Conforming::Unspecified(ZERO_SCALE);
        }
        let Some(zero) = self.zero else { return Conforming::Unspecified(NAN_INTEGER) };
        match (self.output, self.element(index)) {
            (Output::Data, Some(x)) => {
                let divisions = Division::open([Float32; 2]);
                to_integer(&divisions, [&x, scale], zero.into(), BYTE)
            }
            (Output::Data, None) => Conforming::Unspecified(FOREIGN),
            _ => Conforming::One(zero),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        let scale = self.scale.as_ref()?;
        let zero = || Some(Rational::from(num_bigint::BigInt::from(self.zero?)));
        let real = match self.output {
            Output::Scale => scale.finite()?.clone(),
            Output::ZeroPoint => zero()?,
            Output::Data => self.element(index)?.quotient(scale).finite()?.clone() + zero()?,
        };
        Some(Real::exactly(real))
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let number = self.at(index).number();
        number.map_or(Deviation::NoRealResult, |exact| distance(self.dtype(), exact, actual))
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        judged_by_number(self.dtype(), self.at(index), actual)
    }

    /// The element, and for scale and zero point all of them.
    fn operands(&self, index: usize) -> Vec<Element> {
        match self.output {
            Output::Data => Element::of(self.x, index).into_iter().collect(),
            Output::Scale | Output::ZeroPoint => {
                (0..self.x.elements()).filter_map(|at| Element::of(self.x, at)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests;
