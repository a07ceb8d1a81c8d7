//! What ReduceL2, ReduceLogSum and ReduceLogSumExp have in common: a function of a sum along some dimensions, step by step.
//!
//! ```text
//! ReduceL2         sqrt(x1^2 + x2^2 + ...)
//! ReduceLogSum     ln(x1 + x2 + ...)
//! ReduceLogSumExp  ln(e^x1 + e^x2 + ...)
//! ```
//!
//! Of no elements, the sum is 0: the norm is 0, and the logarithm -infinity, as that of elements of -infinity alone is. A
//! negative sum has no logarithm. Sums are in any order. What the documents leave open:
//!
//! - Squares may overflow or underflow although the norm does not, as the function has them in the elements' type: the norm
//!   conforms as well as what comes of such squares. Versions with a function take the root in float32, of float64 too, which
//!   the text does not speak of: that root conforms beside the norm, and nothing is decided where float32 does not hold the
//!   sum.
//! - Powers may be those of the distances from the largest element, to whose sum's logarithm that is added, or of the
//!   elements. The latter overflow and underflow in the elements' type where no function is stated; functions
//!   have them in float64, in which they still do.
//! - How a result becomes an integer no text says; functions cut off its fraction. Without one, either integer next
//!   to what float32 or a wider type can give conforms. Where the sum leaves the type, or the result is no number, nothing
//!   is decided.
//!
//! Source: ONNX's schemas and functions of these operators' versions 1, 11, 13, 18 and 28.

use std::cmp::Ordering;

use num_bigint::BigInt;
use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::along::Along;
use super::computation::{format_of, value};
use super::reduce_extremum::{AXES, KEEPDIMS, NOOP, axes, one_of_each_group};
use super::reshaping::Lists;
use super::summing::{bits_at, elements_at};
use crate::exact::composed::{self, Arithmetic, BITS, Computed};
use crate::exact::enclosed::Bounds;
use crate::exact::interval::Interval;
use crate::exact::number::Int;
use crate::exact::{Conforming, Deviation, Number, Share};
use crate::operator::{Allowed, Call, Invalid, Reference, TensorType, Version, judged_by_number};
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("reduce_function/cases.toml");

const TYPES: [DType; 8] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64, Bfloat16];

/// The versions of the logarithms.
pub(crate) const VERSIONS: &[Version] = &[
    const { Lists::none("data", "reduced", TYPES.split_at(7).0) }.since(1, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", TYPES.split_at(7).0) }.since(11, &[AXES, KEEPDIMS]),
    const { Lists::none("data", "reduced", &TYPES) }.since(13, &[AXES, KEEPDIMS]),
    const { Lists::one(["data", "axes"], "reduced", &TYPES).optional() }
        .since(18, &[KEEPDIMS, NOOP]),
    const { Lists::one(["data", "axes"], "reduced", crate::signature::FLOATS).optional() }
        .since(28, &[KEEPDIMS, NOOP]),
];

/// The versions of ReduceL2, which lacks the last one.
pub(crate) const NORM_VERSIONS: &[Version] = VERSIONS.split_at(4).0;

/// What is made of the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReduceFunction {
    /// The root of the sum of the squares.
    Norm,
    /// The logarithm of the sum.
    LogSum,
    /// The logarithm of the sum of the powers of e.
    LogSumExp,
}

impl Reference for ReduceFunction {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        one_of_each_group(call)
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((is_along, _))) = (call.input(0), axes(call)) else { return Vec::new() };
        let along = Along::new(data.shape(), &is_along);
        // Log takes no integers, so that the function of ReduceLogSum is none of these.
        let is_float = format_of(data.dtype()).is_some();
        let has_body = call.version.since >= 18 && (is_float || *self != Self::LogSum);
        let group = Groups { data, along, function: *self, has_body };
        match format_of(data.dtype()) {
            Some(format) => vec![Box::new(Floats { group, format })],
            None => vec![Box::new(Integers(group))],
        }
    }
}

/// The root of the sum of squares.
pub(crate) fn norm(arithmetic: &Arithmetic, elements: &[Computed]) -> Computed {
    arithmetic.sqrt(&sum_of_squares(arithmetic, elements))
}

fn sum_of_squares(arithmetic: &Arithmetic, elements: &[Computed]) -> Computed {
    let squares: Vec<_> = elements.iter().map(|element| arithmetic.square(element)).collect();
    sum(arithmetic, &squares)
}

/// The sum of terms that are not negative, which is not either.
fn sum(arithmetic: &Arithmetic, terms: &[Computed]) -> Computed {
    let sum = arithmetic.sum(terms);
    Computed { numbers: sum.numbers.as_ref().map(Interval::not_negative), ..sum }
}

/// The logarithm of a sum, which may be 0.
fn logarithm(arithmetic: &Arithmetic, sum: &Computed) -> Computed {
    let limit = arithmetic.published();
    let Some(numbers) = &sum.numbers else { return arithmetic.ln(sum, limit) };
    let specials = || arithmetic.ln(&Computed { numbers: None, ..sum.clone() }, limit);
    if numbers.is_zero() {
        return Computed::infinite(true).or(&specials());
    }
    if numbers.is_negative() {
        return Computed::nan().or(&specials());
    }
    if numbers.has_zero() && !numbers.lower().is_negative() {
        // It is 0, or no smaller than the smallest number.
        let smallest = arithmetic.half_smallest().scaled(1);
        let others = Some(smallest.hull(&numbers.upper()));
        let others = arithmetic.ln(&Computed { numbers: others, ..sum.clone() }, limit);
        return others.or(&Computed::infinite(true));
    }
    arithmetic.ln(sum, limit)
}

/// The sum of the powers of e.
fn sum_of_powers(arithmetic: &Arithmetic, exponents: &[Computed]) -> Computed {
    // Beyond this, powers overflow in every type.
    let end = Interval::power_of_two(14, arithmetic.bits());
    let power = |exponent: &Computed| {
        let number = exponent.numbers.as_ref();
        match number.is_some_and(|number| number.compare(&end).is_some_and(Ordering::is_ge)) {
            true => Computed::infinite(false),
            false => arithmetic.exp(exponent, arithmetic.published()),
        }
    };
    sum(arithmetic, &exponents.iter().map(power).collect::<Vec<_>>())
}

fn log_sum_exp(arithmetic: &Arithmetic, elements: &[Computed], has_body: bool) -> Computed {
    if elements.iter().any(|element| element.infinities[0]) {
        return Computed::infinite(false);
    }
    // The power of -infinity is 0.
    let finite: Vec<Computed> =
        elements.iter().filter(|element| element.numbers.is_some()).cloned().collect();
    let larger = |a: Computed, b: &Computed| {
        let order = a.exact_number().zip(b.exact_number()).and_then(|(a, b)| a.compare(b));
        if order.is_some_and(Ordering::is_lt) { b.clone() } else { a }
    };
    let Some(largest) = finite.first().map(|first| finite.iter().fold(first.clone(), larger))
    else {
        return Computed::infinite(true);
    };
    let distances: Vec<_> = finite.iter().map(|it| arithmetic.sub(it, &largest)).collect();
    let of_distances = logarithm(arithmetic, &sum_of_powers(arithmetic, &distances));
    let shifted = arithmetic.add(&of_distances, &largest);
    let plain = sum_of_powers(arithmetic, &finite);
    let is_normal = plain.infinities == [false; 2]
        && plain.numbers.as_ref().is_some_and(|numbers| {
            numbers.compare(&arithmetic.smallest_normal()).is_some_and(Ordering::is_gt)
        });
    if !has_body {
        return shifted.or(&logarithm(arithmetic, &plain));
    }
    let double = Arithmetic::of(&FloatFormat::FLOAT64, arithmetic.bits());
    let as_stated = shifted.or(&logarithm(&double, &sum_of_powers(&double, &finite)));
    if is_normal { as_stated.or(&logarithm(arithmetic, &plain)) } else { as_stated }
}

/// The elements of each result, and what is made of them.
struct Groups<'a> {
    data: &'a Tensor,
    along: Along,
    function: ReduceFunction,
    /// Whether the version states a function.
    has_body: bool,
}

impl Groups<'_> {
    fn operands(&self, index: usize) -> Vec<Element> {
        elements_at(self.data, self.along.places(index))
    }
}

/// Results of a float type.
struct Floats<'a> {
    group: Groups<'a>,
    format: &'static FloatFormat,
}

impl Floats<'_> {
    fn elements(&self, index: usize, bits: u32) -> Vec<Computed> {
        let Groups { data, along, .. } = &self.group;
        along.places(index).map(|place| value(data, place, bits)).collect()
    }

    fn compute(&self, index: usize, bits: u32) -> Computed {
        let arithmetic = Arithmetic::of(self.format, bits);
        let elements = self.elements(index, bits);
        if elements.iter().any(|element| element.nan) {
            return Computed::nan();
        }
        match self.group.function {
            ReduceFunction::Norm => norm(&arithmetic, &elements),
            ReduceFunction::LogSum => logarithm(&arithmetic, &arithmetic.sum(&elements)),
            ReduceFunction::LogSumExp => log_sum_exp(&arithmetic, &elements, self.group.has_body),
        }
    }

    /// The norm of float64 elements as the function has it, the root in float32.
    fn in_float32(&self, index: usize) -> Option<Conforming> {
        let Groups { data, function, has_body, .. } = &self.group;
        if *function != ReduceFunction::Norm || data.dtype() != Float64 || !has_body {
            return None;
        }
        let sum = sum_of_squares(&Arithmetic::of(self.format, BITS), &self.elements(index, BITS));
        let arithmetic = Arithmetic::of(&FloatFormat::FLOAT32, BITS);
        let (numbers, least) = (sum.numbers.as_ref()?, arithmetic.smallest_normal());
        if !numbers.is_zero() && numbers.compare(&least).is_none_or(Ordering::is_lt) {
            return Some(Conforming::Unspecified("float32, of the function's root, lacks the sum"));
        }
        let root = arithmetic.sqrt(&arithmetic.converted(&sum));
        let root = composed::conforming(&FloatFormat::FLOAT32, |_| root.clone());
        // The roots lie next to each other.
        let nearest = u64::try_from(root.example()?).ok()?;
        let all = (nearest.saturating_sub(4)..=nearest + 4).chain([INFINITY]);
        let widened = |bits| match Interval::of_element(&FloatFormat::FLOAT32, bits, BITS) {
            Some(number) => Some(number.truncated()?.1.nearest(self.format, false)),
            None => Some(crate::exact::number::infinity(self.format, false)),
        };
        let is_infinity_or_number = |bits: &u64| *bits <= INFINITY && root.accepts(*bits);
        Conforming::one_of(all.filter(is_infinity_or_number).filter_map(widened))
    }
}

/// The infinity of float32.
const INFINITY: u64 = 0x7f80_0000;

impl Allowed for Floats<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.judged(index, [0; 2]).0
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        composed::real(|bits| self.compute(index, bits), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        composed::deviation(self.format, |bits| self.compute(index, bits), actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let compute = |bits| self.compute(index, bits);
        let (conforming, deviations) = composed::judged(self.format, compute, actual);
        let readings = std::iter::once(conforming).chain(self.in_float32(index));
        let none = Conforming::Unspecified("there is no such element");
        (Conforming::one_of(readings).unwrap_or(none), deviations)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        composed::share(self.format, |bits| self.compute(index, bits), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.group.operands(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.operands(index).len()])
    }
}

/// Results of an integer type.
struct Integers<'a>(Groups<'a>);

/// More integers than float32 leaves open of any result.
const MANY: i128 = 1 << 12;

impl Integers<'_> {
    /// The result before it becomes an integer; `None` where a sum leaves the type.
    fn compute(&self, int: Int, index: usize) -> Option<Computed> {
        let Groups { data, along, function, has_body } = &self.0;
        let elements =
            along.places(index).filter_map(|place| Some(int.value(bits_at(data, place)?)));
        let is_double = *has_body && *function == ReduceFunction::LogSumExp;
        let format = if is_double { &FloatFormat::FLOAT64 } else { &FloatFormat::FLOAT32 };
        let arithmetic = Arithmetic::of(format, BITS);
        let number = |x: i128| arithmetic.converted(&Computed::number(Interval::new(x, 0, BITS)));
        if *function == ReduceFunction::LogSumExp {
            let elements: Vec<_> = elements.map(number).collect();
            return Some(log_sum_exp(&arithmetic, &elements, *has_body));
        }
        let is_norm = *function == ReduceFunction::Norm;
        let sum = elements.into_iter().try_fold(0_i128, |sum, x| {
            sum.checked_add(if is_norm { x.checked_mul(x)? } else { x })
        });
        let sum = number(sum.filter(|sum| int.holds(*sum))?);
        Some(if is_norm { arithmetic.sqrt(&sum) } else { logarithm(&arithmetic, &sum) })
    }

    /// The integers that conform, as few as there are, and first the one that the exact result makes.
    fn near(&self, int: Int, value: &Computed) -> Option<Conforming> {
        let is_number = value.is_finite() && value.open.is_none();
        let numbers = value.numbers.as_ref().filter(|_| is_number)?;
        let integers =
            |number: &Interval| number.integers().map(|it: BigInt| i128::try_from(it).ok());
        let cut = |number: Interval| {
            let [below, above] = integers(&number);
            if number.is_negative() { above } else { below }
        };
        let exact = cut(value.exact_number()?.lower())?;
        let ends = match self.0.has_body {
            true => [cut(numbers.lower()), cut(numbers.upper())],
            false => integers(numbers),
        };
        let [Some(least), Some(most)] = ends else { return None };
        let all = std::iter::once(exact).chain(least..=most.min(least.saturating_add(MANY)));
        Conforming::one_of(all.filter_map(|it| int.element(it)).map(Conforming::One))
    }
}

impl Allowed for Integers<'_> {
    fn at(&self, index: usize) -> Conforming {
        let Some(Number::Int(int)) = Number::of(self.0.data.dtype()) else {
            return Conforming::Unspecified("the type has no exact arithmetic");
        };
        let Some(value) = self.compute(int, index) else {
            let why = "the sum leaves the type, and how it is kept is not said";
            return Conforming::Unspecified(why);
        };
        let why = "the result is no number, for which no integer is stated";
        self.near(int, &value).unwrap_or(Conforming::Unspecified(why))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.0.data.dtype(), self.at(index).number()?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.judged(index, [actual; 2]).1[0]
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        judged_by_number(self.0.data.dtype(), self.at(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.operands(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.operands(index).len()])
    }
}

#[cfg(test)]
mod tests;
