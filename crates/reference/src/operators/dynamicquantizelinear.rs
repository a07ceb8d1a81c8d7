//! DynamicQuantizeLinear: float32 as uint8, with the scale and the zero point that fit the data.
//!
//! The steps are those of the function that ONNX gives of the operator, each rounded to float32: the range of the
//! data with 0, a 255th of it as scale, the least element by that as zero point, and QuantizeLinear, which has the
//! readings of its division here too. By the document's formulas, which round nothing before the results, the scale is the quotient
//! rounded once: the range is no infinity where float32 does not hold it. Either conforms. What the document leaves open: data without elements, or with a NaN, and
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
        let scales = range.scales();
        let of = |output| -> Box<dyn Allowed> {
            Box::new(Given { x, output, range: range.clone(), scales: scales.clone() })
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

    /// The scale and its zero points, each step rounded and then once; none without a range.
    fn scales(&self) -> Vec<Scale> {
        let Some([least, greatest]) = &self.0 else { return Vec::new() };
        let range = match (least.finite(), greatest.finite()) {
            (Some(least), Some(greatest)) => Extended::Finite(greatest - least, false),
            _ => Extended::Infinite(false),
        };
        let part = |range: &Extended| range.quotient(&Extended::integer(255)).within(FLOAT32);
        let mut values = vec![part(&range.within(FLOAT32)), part(&range)];
        values.dedup();
        let scale = |value: Extended| {
            let zero =
                |quotient: &Extended| Extended::integer(-1).product(quotient).clamped(0, BYTE);
            let quotient = least.quotient(&value);
            let mut zeros = vec![zero(&quotient.within(FLOAT32)), zero(&quotient)];
            zeros.dedup();
            Scale { value, zeros }
        };
        values.into_iter().map(scale).collect()
    }
}

/// A scale by a reading, and the zero points by it; a NaN gives none.
#[derive(Clone, Debug)]
struct Scale {
    value: Extended,
    zeros: Vec<Option<u64>>,
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
    scales: Vec<Scale>,
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

    /// What conforms by a scale.
    fn by(&self, Scale { value, zeros }: &Scale, index: usize) -> Conforming {
        let open = Conforming::Unspecified(FOREIGN);
        if self.output == Output::Scale {
            if !value.is_zero() {
                return value.rounded(FLOAT32);
            }
            let is_zero = |range: &[Extended; 2]| range.iter().all(Extended::is_zero);
            let of_one = Extended::integer(1).quotient(&Extended::integer(255)).rounded(FLOAT32);
            let of_zeros = self.range.0.as_ref().is_some_and(is_zero).then_some(of_one);
            let readings = std::iter::once(Conforming::either_zero(FLOAT32)).chain(of_zeros);
            return Conforming::one_of(readings).unwrap_or(open);
        }
        if value.is_zero() {
            return Conforming::Unspecified(ZERO_SCALE);
        }
        let by_zero = |zero: &Option<u64>| {
            let Some(zero) = *zero else { return Conforming::Unspecified(NAN_INTEGER) };
            match (self.output, self.element(index)) {
                (Output::Data, Some(x)) => {
                    to_integer(&Division::open([Float32; 2]), [&x, value], zero.into(), BYTE)
                }
                (Output::Data, None) => Conforming::Unspecified(FOREIGN),
                _ => Conforming::One(zero),
            }
        };
        Conforming::one_of(zeros.iter().map(by_zero)).unwrap_or(open)
    }
}

impl Allowed for Given<'_> {
    fn at(&self, index: usize) -> Conforming {
        let readings = self.scales.iter().map(|scale| self.by(scale, index));
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(NO_RANGE))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        let Scale { value, zeros } = self.scales.first()?;
        let zero = || Some(Rational::from(num_bigint::BigInt::from((*zeros.first()?)?)));
        let real = match self.output {
            Output::Scale => value.finite()?.clone(),
            Output::ZeroPoint => zero()?,
            Output::Data => self.element(index)?.quotient(value).finite()?.clone() + zero()?,
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
