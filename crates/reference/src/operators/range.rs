//! Range: a sequence of numbers from a start, by steps of a delta, up to a limit that is not reached.
//!
//! There are as many as the exact quotient (limit - start) / delta, rounded up, says. Integers are exact. A float conforms
//! where it is what start + i delta may give, the product and the sum rounded once each in the type's format or in a wider
//! one; of ONNX also where it is the sum of start and i times delta, added one after the other, as the function that ONNX gives of
//! the operator has it. Since version 27 the narrow types are computed in the format that `stash_type` names.
//! A delta of 0, and a count that is no number, are refused. Sources: ONNX's schemas and functions of Range-11 and 27; SONNX's
//! Range.

use std::cell::RefCell;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64, Int16, Int32, Int64};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::composed::{self, Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::exact::number::Value;
use crate::exact::{Conforming, Deviation, Number, Share, distance, enclosed, real};
use crate::families::computation::{format_of, value};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};
use crate::real::Real;

/// Range in ONNX's default domain.
pub static RANGE: Operator = Operator {
    documents: &[
        Document { key: "sonnx-range", catalogue: include_str!("range/sonnx-range.toml") },
        Document { key: "onnx-range", catalogue: include_str!("range/onnx-range.toml") },
    ],
    cases: Some(|of| case_table::cases(of, &RANGE, &[include_str!("range/cases.toml")], Own::NONE)),
    ..Operator::onnx("Range", OperatorKind::Composed, &VERSIONS, &Range)
};

const TYPES: [DType; 7] = [Float32, Float64, Int16, Int32, Int64, Float16, Bfloat16];
const NAMES: [&str; 3] = ["start", "limit", "delta"];

const VERSIONS: [Version; 2] = [
    const { Ports::new(NAMES, "output", TYPES.split_at(5).0) }.since(11, &[]),
    const { Ports::new(NAMES, "output", &TYPES) }.since(
        27,
        &[Attribute::new("stash_type", AttributeType::Int).otherwise(Otherwise::Int(1))],
    ),
];

struct Range;

/// The three scalars.
fn scalars(call: &Call) -> Result<[&Tensor; 3], Invalid> {
    let inputs = [call.input(0)?, call.input(1)?, call.input(2)?];
    match inputs.iter().find(|input| !input.shape().is_empty()) {
        Some(other) => Err(call.invalid(&format!("takes no shape {:?}", other.shape()))),
        None => Ok(inputs),
    }
}

/// The format in which floats of a type are computed.
fn stage(call: &Call, dtype: DType) -> Result<DType, Invalid> {
    let is_narrow = matches!(dtype, Float16 | Bfloat16);
    match call.int("stash_type").filter(|_| is_narrow) {
        Some(1) => Ok(Float32),
        Some(stash) => {
            let named = i32::try_from(stash).ok().and_then(DType::from_onnx);
            named
                .filter(|named| *named == dtype || *named == Float64)
                .ok_or_else(|| call.invalid(&format!("takes no `stash_type` of {stash}")))
        }
        None => Ok(dtype),
    }
}

fn pattern(tensor: &Tensor) -> u64 {
    tensor.element(0).and_then(|bits| u64::try_from(bits).ok()).unwrap_or_default()
}

/// What a scalar is.
enum Scalar {
    Number(real::Rational),
    Infinite { negative: bool },
    Nan,
}

fn scalar(tensor: &Tensor) -> Scalar {
    let bits = pattern(tensor);
    match (real::value(tensor.dtype(), bits), format_of(tensor.dtype())) {
        (Some(number), _) => Scalar::Number(number),
        (None, Some(format)) if matches!(Value::of(format, bits), Value::Infinite) => {
            Scalar::Infinite { negative: format.is_negative(bits) }
        }
        _ => Scalar::Nan,
    }
}

/// How many elements there are.
fn count(call: &Call) -> Result<usize, Invalid> {
    let [start, limit, delta] = scalars(call)?.map(scalar);
    let none = || call.invalid("gives no number of elements for these inputs");
    let is_rising = match &delta {
        Scalar::Number(delta) if delta.is_zero() => {
            return Err(call.invalid("takes no delta of 0"));
        }
        Scalar::Number(delta) => delta.is_positive(),
        Scalar::Infinite { negative } => !negative,
        Scalar::Nan => return Err(none()),
    };
    let is_finite = matches!(delta, Scalar::Number(_));
    let (start, limit) = match (start, limit) {
        (Scalar::Number(start), Scalar::Number(limit)) => (start, limit),
        (Scalar::Number(_), Scalar::Infinite { negative })
            if negative == is_rising && is_finite =>
        {
            return Ok(0);
        }
        (Scalar::Infinite { negative }, Scalar::Number(_))
            if negative != is_rising && is_finite =>
        {
            return Ok(0);
        }
        (Scalar::Infinite { negative: from }, Scalar::Infinite { negative: to })
            if from != to && from != is_rising && is_finite =>
        {
            return Ok(0);
        }
        _ => return Err(none()),
    };
    let Scalar::Number(delta) = delta else { return Ok(0) };
    let steps = ((limit - start) / delta).ceil().to_integer();
    if steps <= BigInt::ZERO {
        return Ok(0);
    }
    steps.to_usize().ok_or_else(|| call.invalid("gives more elements than memory can address"))
}

impl Reference for Range {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let dtype = call.input(0)?.dtype();
        stage(call, dtype)?;
        if call.specification.is_restricted() {
            call.restrict_types(TYPES.split_at(5).0)?;
            if call.int("stash_type").is_some() && !call.attributes.contains_key("stash_type") {
                return Err(call.invalid("of SONNX needs `stash_type`"));
            }
        }
        Ok(vec![TensorType::new(dtype, vec![count(call)?])?])
    }

    /// Each of them says how many elements there are.
    fn is_control(&self, _: &Version, _: usize) -> bool {
        true
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(inputs), [output]) = (scalars(call), outputs) else { return Vec::new() };
        let stage = stage(call, output.dtype).ok().and_then(format_of);
        match (stage, format_of(output.dtype)) {
            (Some(stage), Some(format)) => vec![Box::new(Floats {
                inputs,
                format,
                stage,
                is_added_up: !call.specification.is_restricted(),
                sums: RefCell::default(),
            })],
            _ => vec![Box::new(Integers { inputs, dtype: output.dtype })],
        }
    }
}

fn operands(inputs: &[&Tensor; 3]) -> Vec<Element> {
    inputs.iter().filter_map(|input| Element::of(input, 0)).collect()
}

/// start + i delta in an integer type, which never leaves it.
struct Integers<'a> {
    inputs: [&'a Tensor; 3],
    dtype: DType,
}

impl Integers<'_> {
    fn bits(&self, index: usize) -> Option<u64> {
        let Number::Int(int) = Number::of(self.dtype)? else { return None };
        let [start, _, delta] = self.inputs.map(|input| int.value(pattern(input)));
        let steps = i128::try_from(index).ok()?;
        int.element(start.checked_add(delta.checked_mul(steps)?)?)
    }
}

impl Allowed for Integers<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.bits(index).map_or(Conforming::Unspecified(FOREIGN), Conforming::One)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.dtype, self.bits(index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.bits(index)
            .map_or(Deviation::NoRealResult, |exact| distance(self.dtype, exact, actual))
    }

    fn operands(&self, _: usize) -> Vec<Element> {
        operands(&self.inputs)
    }
}

const FOREIGN: &str = "the inputs are not those of the operator";

/// Bits that hold the sum of any two numbers of a format.
const WIDE: u32 = 2200;

/// start + i delta in a float type.
struct Floats<'a> {
    inputs: [&'a Tensor; 3],
    format: &'static FloatFormat,
    /// What it is computed in.
    stage: &'static FloatFormat,
    is_added_up: bool,
    /// What comes of adding delta again and again, each time rounded, as far as that was asked.
    sums: RefCell<Vec<u64>>,
}

impl Floats<'_> {
    fn computed(&self, index: usize, bits: u32) -> Computed {
        let arithmetic = Arithmetic::of(self.stage, bits);
        let [start, _, delta] = self.inputs.map(|input| value(input, 0, bits));
        let steps = i64::try_from(index).unwrap_or(i64::MAX);
        let steps = arithmetic.converted(&arithmetic.integer(steps));
        arithmetic.add(&start, &arithmetic.mul(&steps, &delta))
    }

    /// The sum of start and so many deltas, rounded each time; `None` where it is no number.
    fn added_up(&self, index: usize) -> Option<Conforming> {
        let number = |bits: u64| Interval::of_element(self.stage, bits, WIDE);
        let [start, _, delta] = self.inputs.map(|input| {
            let format = format_of(input.dtype())?;
            Interval::of_element(format, pattern(input), WIDE)
        });
        let (start, delta) = (start?, delta?);
        let mut sums = self.sums.borrow_mut();
        while sums.len() <= index {
            let next = match sums.last() {
                None => start.clone(),
                Some(last) => number(*last)? + &delta,
            };
            match enclosed::nearest(self.stage, |_| next.clone(), false) {
                Conforming::One(bits) => sums.push(bits),
                _ => return None,
            }
        }
        let sum = number(*sums.get(index)?)?;
        Some(enclosed::nearest(self.format, |_| sum.clone(), false))
    }
}

impl Allowed for Floats<'_> {
    fn at(&self, index: usize) -> Conforming {
        let stated = composed::conforming(self.format, |bits| self.computed(index, bits));
        let added_up = self.is_added_up.then(|| self.added_up(index)).flatten();
        let other = added_up.filter(|sum| match sum {
            Conforming::One(bits) => !stated.accepts(*bits),
            _ => false,
        });
        let open = Conforming::Unspecified(FOREIGN);
        Conforming::one_of(std::iter::once(stated).chain(other)).unwrap_or(open)
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        composed::real(|bits| self.computed(index, bits), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        composed::deviation(self.format, |bits| self.computed(index, bits), actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        composed::share(self.format, |bits| self.computed(index, bits), actual)
    }

    fn operands(&self, _: usize) -> Vec<Element> {
        operands(&self.inputs)
    }
}

#[cfg(test)]
mod tests;
