//! Clip: the element, or the end of an interval beyond which it is.
//!
//! Elements are compared, and one of at most three comes back, so that nothing is rounded but the bounds that
//! versions 1 and 6 have as attributes of type float32. What the texts leave open:
//!
//! - A bound that is left out is "numeric_limits" of no stated type: the largest numbers of the elements' type, in
//!   versions 1 and 6 also those of float32; and ONNX's own function body of the later versions does
//!   without. So infinities, and float64's numbers above float32's, may come back or be clipped.
//! - Before version 13 nothing is said of a minimum above the maximum. Since then all elements become the
//!   maximum, and the operator is "equivalent to Min(max, Max(input, min))".
//! - The order of numbers does not tell zeros apart: either conforms where both are among element and bounds.
//! - Of a bound that is NaN nothing is said before version 13, whose body and whose formula have results for it. An
//!   element that is NaN is neither below nor above anything.
//!
//! SONNX's document decides these: bounds are given, one that is NaN bounds nothing, zeros are equal, and where the
//! minimum is above the maximum this is the result whatever the element. Sources: ONNX's schemas of Clip-1, 6, 11,
//! 12 and 13; SONNX's Clip.

use std::cmp::Ordering;

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};

use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, Inputs, WithScalars, bits_of};
use crate::exact::number::{Value, infinity, largest, signed, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Number, distance_of_reading};
use crate::families::binary::CONSUMED_INPUTS;
use crate::inputs::patterns::{corners, specials, triple};
use crate::inputs::{Indexed, Parts, bounded, bounds_of};
use crate::operator::{
    Allowed, Attribute, AttributeType, Attributes, Call, Document, Invalid, Operator, OperatorKind,
    Otherwise, Port, Ports, Reference, Specification, TensorType, Version,
};
use crate::real::Real;
use crate::signature::{IEEE_FLOATS, NUMERIC, NUMERIC_SONNX};

/// Clip in ONNX's default domain.
pub static CLIP: Operator = Operator {
    documents: &[
        Document { key: "sonnx-clip", catalogue: include_str!("clip/sonnx-clip.toml") },
        Document { key: "onnx-clip", catalogue: include_str!("clip/onnx-clip.toml") },
    ],
    readings: Some(include_str!("clip/readings.toml")),
    cases: Some(|of| case_table::cases(of, &CLIP, &[include_str!("clip/cases.toml")], Own::NONE)),
    ..Operator::onnx("Clip", OperatorKind::Exact, &VERSIONS, &Clip)
};

/// The largest float32, and its negation.
const FLOAT32_MAX: u32 = 0x7f7f_ffff;
const FLOAT32_LOWEST: u32 = 0xff7f_ffff;

const MIN: Attribute = Attribute::new("min", AttributeType::Float);
const MAX: Attribute = Attribute::new("max", AttributeType::Float);
const SINCE_1: [Attribute; 3] = [CONSUMED_INPUTS, MIN, MAX];
const SINCE_6: [Attribute; 2] =
    [MIN.otherwise(Otherwise::Float(FLOAT32_LOWEST)), MAX.otherwise(Otherwise::Float(FLOAT32_MAX))];

const VERSIONS: [Version; 5] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(1, &SINCE_1),
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(6, &SINCE_6),
    const { ports(IEEE_FLOATS) }.since(11, &[]),
    const { ports(NUMERIC_SONNX) }.since(12, &[]),
    const { ports(&NUMERIC) }.since(13, &[]),
];

const fn ports(types: &'static [DType]) -> Ports<3> {
    let mut ports = Ports::new(["input", "min", "max"], "output", types);
    ports.inputs[1] = Port::new("min", types, "T").optional();
    ports.inputs[2] = Port::new("max", types, "T").optional();
    ports
}

const NAN_BOUND: &str = "the document does not say what a bound that is NaN does";
const EMPTY: &str =
    "the document does not say what becomes of elements where the minimum is above the maximum";
const FOREIGN: &str = "the operands are not those of the operator";

struct Clip;

impl Reference for Clip {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let input = call.input(0)?;
        if call.specification == Specification::Sonnx {
            call.restrict_types(NUMERIC_SONNX)?;
            if call.inputs.iter().any(Option::is_none) {
                return Err(call.invalid("of this specification has no default for a bound"));
            }
        }
        let mut bounds = call.inputs[1..].iter().flatten();
        if bounds.any(|bound| !bound.shape().is_empty()) {
            return Err(call.invalid("takes bounds that are scalars"));
        }
        Ok(vec![TensorType::of(input)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(input) = call.input(0) else { return Vec::new() };
        let clipping = Clipping {
            dtype: input.dtype(),
            is_sonnx: call.specification == Specification::Sonnx,
            since: call.version.since,
            min: bounds(call, 1, input.dtype()),
            max: bounds(call, 2, input.dtype()),
        };
        vec![Box::new(Clipped { call, clipping })]
    }

    fn with_scalars(
        &self,
        specification: Specification,
        dtype: DType,
        _: &Attributes,
    ) -> Option<WithScalars> {
        Some(WithScalars {
            operands: vec![dtype; 3],
            function: Box::new(Between { is_sonnx: specification == Specification::Sonnx }),
            inputs: Inputs {
                hard: |types, _| hard_inputs(*types.first()?),
                stratified: |types, _, count, seed| {
                    Some(Box::new(bounded(*types.first()?, count, seed)?))
                },
            },
        })
    }
}

/// What the newest version gives for an element and both bounds.
struct Between {
    is_sonnx: bool,
}

impl Between {
    fn of(&self, dtype: DType, operands: &[Element]) -> Option<(u64, Clipping)> {
        let [x, min, max] = bits_of::<3>(dtype, operands)?;
        let (is_sonnx, since) = (self.is_sonnx, CLIP.newest().since);
        let [min, max] = [min, max].map(|bound| vec![Some(bound)]);
        Some((x, Clipping { dtype, is_sonnx, since, min, max }))
    }
}

impl Elementwise for Between {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let given = self.of(dtype, operands);
        given.map_or(Conforming::Unspecified(FOREIGN), |(x, clipping)| clipping.conforming(x))
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        self.of(dtype, operands).and_then(|(x, clipping)| clipping.real(x))
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let given = self.of(dtype, operands);
        given.map_or(Deviation::NoRealResult, |(x, clipping)| clipping.deviation(x, actual))
    }
}

/// Elements and bounds against each other: special values of floats, ends and boundaries of integers.
fn hard_inputs(dtype: DType) -> Option<Parts> {
    let [minima, maxima] = bounds_of(dtype)?;
    let elements = match Number::of(dtype)? {
        Number::Float(format) => specials(format),
        Number::Int(int) => corners(int).into_iter().map(|value| int.wrap(value)).collect(),
    };
    let len = (elements.len() * minima.len() * maxima.len()) as u64;
    let space = Indexed::new(len, move |index| triple([&elements, &minima, &maxima], index));
    Some(vec![("special values", Box::new(space))])
}

/// What the minimum of a call may be (`which` is 1), or its maximum (2): the bound that is given, or each that may
/// hold where none is.
fn bounds(call: &Call, which: usize, dtype: DType) -> Vec<Option<u64>> {
    let is_max = which == 2;
    if call.version.since >= 11 {
        let given = call.inputs.get(which).cloned().flatten();
        if let Some(given) = given {
            return vec![given.element(0).map(|bits| bits as u64)];
        }
        return std::iter::once(None).chain(limit(dtype, is_max).map(Some)).collect();
    }
    let name = if is_max { "max" } else { "min" };
    let Some(Number::Float(format)) = Number::of(dtype) else { return vec![None] };
    let is_given = call.attributes.contains_key(name);
    let own = limit(dtype, is_max).filter(|_| !is_given).map(Some);
    let of_float32 = if is_max { FLOAT32_MAX } else { FLOAT32_LOWEST };
    let attribute = call.float(name).unwrap_or(of_float32);
    std::iter::once(Some(converted(format, attribute))).chain(own).collect()
}

/// The largest number of a float type, or its negation; the ends of integers bound nothing.
fn limit(dtype: DType, is_max: bool) -> Option<u64> {
    match Number::of(dtype)? {
        Number::Float(format) => Some(signed(format, !is_max, largest(format))),
        Number::Int(_) => None,
    }
}

/// The number of a format nearest to a float32.
pub(super) fn converted(format: &'static FloatFormat, bits: u32) -> u64 {
    let of = &FloatFormat::FLOAT32;
    let negative = of.is_negative(bits.into());
    let nearest = match Value::of(of, bits.into()) {
        Value::Nan => Conforming::AnyNan(format),
        Value::Infinite => infinity(format, negative),
        Value::Zero => zero(format, negative),
        Value::Finite(magnitude) => Exact::of(magnitude).nearest(format, negative),
    };
    nearest.example().unwrap_or_default() as u64
}

/// What is asked of every element of a call.
#[derive(Clone, Debug)]
struct Clipping {
    dtype: DType,
    is_sonnx: bool,
    since: i64,
    /// What the bounds may be; `None` bounds nothing.
    min: Vec<Option<u64>>,
    max: Vec<Option<u64>>,
}

impl Clipping {
    /// The number that comes of an element, where one does.
    fn real(&self, x: u64) -> Option<Real> {
        Real::of_element(self.dtype, self.conforming(x).number()?)
    }

    fn deviation(&self, x: u64, actual: u64) -> Deviation {
        distance_of_reading(self.dtype, &self.conforming(x), actual)
    }

    fn conforming(&self, x: u64) -> Conforming {
        let readings = self.min.iter().flat_map(|min| self.max.iter().map(move |max| [*min, *max]));
        let all = readings.map(|[min, max]| self.of(x, min, max));
        Conforming::one_of(all).unwrap_or(Conforming::Unspecified(FOREIGN))
    }

    /// The result where these are the bounds.
    fn of(&self, x: u64, min: Option<u64>, max: Option<u64>) -> Conforming {
        let is_nan = |bits: u64| order(self.dtype, bits, bits).is_none();
        let unless_nan = |bound: Option<u64>| bound.filter(|bound| !is_nan(*bound));
        let bounds = [min, max];
        let [min, max] = bounds.map(unless_nan);
        if !self.is_sonnx && bounds != [min, max] {
            return self.of_nan_bounds(x, [min, max]);
        }
        let is_less = |a, b| order(self.dtype, a, b) == Some(Ordering::Less);
        let nan = match Number::of(self.dtype) {
            Some(Number::Float(format)) if is_nan(x) => Some(Conforming::AnyNan(format)),
            _ => None,
        };
        let result = match (min, max) {
            (Some(min), Some(max)) if is_less(max, min) => {
                return match (self.since, nan) {
                    (..13, _) => Conforming::Unspecified(EMPTY),
                    // By Min and Max a NaN may stay one.
                    (_, Some(nan)) if !self.is_sonnx => {
                        Conforming::one_of([Conforming::One(max), nan])
                            .unwrap_or(Conforming::Unspecified(EMPTY))
                    }
                    _ => self.either_zero(max, [x, min, max]),
                };
            }
            _ if nan.is_some() => return nan.unwrap_or(Conforming::Unspecified(FOREIGN)),
            (Some(min), _) if is_less(x, min) => min,
            (_, Some(max)) if is_less(max, x) => max,
            _ => x,
        };
        self.either_zero(result, [x, min.unwrap_or(result), max.unwrap_or(result)])
    }

    /// The result where a bound is NaN, of which these are the numbers: by the body of version 13 it bounds nothing, and
    /// in its Min(max, Max(input, min)) it may make a NaN, or leave the maximum.
    fn of_nan_bounds(&self, x: u64, [min, max]: [Option<u64>; 2]) -> Conforming {
        let Some(Number::Float(format)) = Number::of(self.dtype).filter(|_| self.since >= 13)
        else {
            return Conforming::Unspecified(NAN_BOUND);
        };
        let maximum = max.filter(|_| min.is_none()).map(Conforming::One);
        let readings = [self.of(x, min, max), Conforming::AnyNan(format)].into_iter();
        Conforming::one_of(readings.chain(maximum)).unwrap_or(Conforming::Unspecified(NAN_BOUND))
    }

    /// A result, or the other zero where that is among the operands as well, unless zeros are told apart.
    fn either_zero(&self, result: u64, among: [u64; 3]) -> Conforming {
        let is_zero = |bits: &u64| match Number::of(self.dtype) {
            Some(Number::Float(format)) => format.class(*bits) == Class::Zero,
            _ => false,
        };
        let other = among.into_iter().find(|bits| is_zero(bits) && *bits != result);
        let other = other.filter(|_| is_zero(&result) && !self.is_sonnx);
        let all = std::iter::once(result).chain(other).map(Conforming::One);
        Conforming::one_of(all).unwrap_or(Conforming::One(result))
    }
}

/// The order of two elements by value, in which zeros are equal; `None` where one is NaN.
fn order(dtype: DType, a: u64, b: u64) -> Option<Ordering> {
    match Number::of(dtype)? {
        Number::Int(int) => Some(int.value(a).cmp(&int.value(b))),
        Number::Float(format) => {
            let ordinal = |bits: u64| {
                let magnitude = i128::from(format.magnitude(bits));
                let value = if format.is_negative(bits) { -magnitude } else { magnitude };
                (format.class(bits) != Class::Nan).then_some(value)
            };
            Some(ordinal(a)?.cmp(&ordinal(b)?))
        }
    }
}

/// What is allowed of the output.
struct Clipped<'a> {
    call: &'a Call,
    clipping: Clipping,
}

impl Clipped<'_> {
    fn x(&self, index: usize) -> Option<u64> {
        self.call.input(0).ok()?.element(index).map(|bits| bits as u64)
    }
}

impl Allowed for Clipped<'_> {
    fn at(&self, index: usize) -> Conforming {
        let open = Conforming::Unspecified(FOREIGN);
        self.x(index).map_or(open, |x| self.clipping.conforming(x))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.clipping.real(self.x(index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let none = Deviation::NoRealResult;
        self.x(index).map_or(none, |x| self.clipping.deviation(x, actual))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let x = self.call.input(0).ok().and_then(|input| Element::of(input, index));
        let bounds = self.call.inputs[1..].iter().flatten();
        x.into_iter().chain(bounds.filter_map(|bound| Element::of(bound, 0))).collect()
    }
}

#[cfg(test)]
mod tests;
