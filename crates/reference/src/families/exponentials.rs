//! What Softmax, LogSoftmax and SoftmaxCrossEntropyLoss have in common: powers of e, shared out among the elements of a line.
//!
//! The largest element is subtracted first, as the function that ONNX gives of both operators and SONNX's formula for
//! floats have it: without it, powers overflow that cancel out of the formula over the reals. Each power is within
//! the limit of [`published`](Arithmetic::published), sums are in any order, and quotients may be products with a reciprocal. What a
//! version before 13 calls a line are all dimensions from the axis on.
//!
//! What the documents leave open: of a line with +infinity ONNX's formula gives 0 for the other elements, and its
//! function NaN; of a line of -infinity alone SONNX's case analysis gives 0, and the formula NaN. Sources: ONNX's
//! schemas and functions of these operators' versions 1, 11 and 13; SONNX's Softmax.

use std::cell::OnceCell;

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::float::{Class, FloatFormat};
use values::tensor::Tensor;

use super::along::order;
use super::computation::{Elements, format_of};
use super::lines::{Lines, PerLine};
use super::reshaping::dimension;
use crate::exact::composed::{Arithmetic, Computed, Divisor};
use crate::exact::interval::Interval;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Port, Reference, TensorType,
    Version,
};
use values::element::Element;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("exponentials/cases.toml");

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];

const EARLY: [Port; 1] = [Port::new("input", TYPES.split_at(3).0, "T")];
const EARLY_OUT: [Port; 1] = [Port::new("output", TYPES.split_at(3).0, "T")];
const ALL: [Port; 1] = [Port::new("input", &TYPES, "T")];
const ALL_OUT: [Port; 1] = [Port::new("output", &TYPES, "T")];

const FIRST: [Attribute; 1] =
    [Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(1))];
const LAST: [Attribute; 1] =
    [Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1))];

/// Every version.
pub(crate) const VERSIONS: [Version; 3] = [
    Version { since: 1, inputs: &EARLY, outputs: &EARLY_OUT, attributes: &FIRST },
    Version { since: 11, inputs: &EARLY, outputs: &EARLY_OUT, attributes: &FIRST },
    Version { since: 13, inputs: &ALL, outputs: &ALL_OUT, attributes: &LAST },
];

/// The shares of the powers, or their logarithms.
pub(crate) struct Shares {
    pub(crate) are_logarithms: bool,
}

/// The lines of a call's input.
pub(crate) fn lines(call: &Call) -> Result<Lines, Invalid> {
    let shape = call.input(0)?.shape();
    let axis = call.int("axis").unwrap_or(-1);
    if call.specification.is_restricted() {
        call.restrict_types(TYPES.split_at(3).0)?;
        if !call.attributes.contains_key("axis") {
            return Err(call.invalid("of SONNX needs `axis`"));
        }
        if axis < 0 {
            return Err(call.invalid(&format!("of SONNX takes no negative `axis` {axis}")));
        }
    }
    let axis = dimension(call, 11, axis, shape.len())?;
    Ok(if call.version.since < 13 { Lines::from(shape, axis) } else { Lines::along(shape, axis) })
}

impl Reference for Shares {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        lines(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(lines), Ok(input)) = (lines(call), call.input(0)) else { return Vec::new() };
        let Some(format) = format_of(input.dtype()) else { return Vec::new() };
        let count = input.elements() / lines.length.max(1);
        let is_restricted = call.specification.is_restricted();
        let powers =
            PerLine::new(count, move |line, bits| Powers::of(input, format, &lines, line, bits));
        let are_logarithms = self.are_logarithms;
        let compute = move |index: usize, bits: u32| {
            let (line, place) = lines.of(index);
            let arithmetic = Arithmetic::of(format, bits);
            let powers = powers.of(line, bits);
            if are_logarithms {
                powers.logarithm(&arithmetic, place)
            } else {
                powers.share(&arithmetic, place, is_restricted)
            }
        };
        // Its own element first, then all of its line.
        let operands = move |index: usize| {
            let (line, _) = lines.of(index);
            let places = std::iter::once(index).chain(lines.places(line));
            places.filter_map(|place| Element::of(input, place)).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

/// What a line's elements make.
pub(crate) enum Powers {
    /// There is a NaN.
    Nan,
    /// There is +infinity, at these places.
    Infinite(Vec<bool>),
    /// All elements are -infinity.
    None,
    /// Numbers: their distances from the largest, the powers of these, and the sum of the powers.
    Numbers { distances: Vec<Computed>, powers: Vec<Computed>, sum: Box<Sum> },
}

/// The sum of a line's powers.
pub(crate) struct Sum {
    divisor: Divisor,
    /// Its logarithm, where that is asked for.
    logarithm: OnceCell<Computed>,
}

impl Powers {
    /// Those of a line of a tensor of floats, computed to so many bits.
    pub(crate) fn of(
        input: &Tensor,
        format: &'static FloatFormat,
        lines: &Lines,
        line: usize,
        bits: u32,
    ) -> Self {
        let pattern = |place| input.element(place).unwrap_or_default() as u64;
        let patterns: Vec<u64> = lines.places(line).map(pattern).collect();
        let is_infinite = |bits: u64, negative: bool| {
            format.class(bits) == Class::Infinite && format.is_negative(bits) == negative
        };
        if patterns.iter().any(|&bits| format.class(bits) == Class::Nan) {
            return Self::Nan;
        }
        if patterns.iter().any(|&bits| is_infinite(bits, false)) {
            return Self::Infinite(patterns.iter().map(|&bits| is_infinite(bits, false)).collect());
        }
        let largest = patterns.iter().copied().max_by_key(|&bits| order(input.dtype(), bits));
        let Some(largest) = largest.filter(|&bits| !is_infinite(bits, true)) else {
            return Self::None;
        };
        let arithmetic = Arithmetic::of(format, bits);
        let largest = arithmetic.element(format, largest);
        let distances: Vec<Computed> = patterns
            .iter()
            .map(|&bits| arithmetic.sub(&arithmetic.element(format, bits), &largest))
            .collect();
        let limit = arithmetic.published();
        let powers: Vec<Computed> =
            distances.iter().map(|distance| arithmetic.exp(distance, limit)).collect();
        let divisor = arithmetic.divisor(arithmetic.sum(&powers));
        let sum = Box::new(Sum { divisor, logarithm: OnceCell::new() });
        Self::Numbers { distances, powers, sum }
    }

    /// The share of an element.
    fn share(&self, arithmetic: &Arithmetic, place: usize, is_restricted: bool) -> Computed {
        let zero = arithmetic.integer(0);
        match self {
            Self::Nan => Computed::nan(),
            Self::Infinite(places) if is_restricted || places.get(place) != Some(&false) => {
                Computed::nan()
            }
            Self::Infinite(_) => Computed::nan().or(&zero),
            Self::None if is_restricted => zero.or(&Computed::nan()),
            Self::None => Computed::nan(),
            // Every power is at most the sum, in whatever order that is rounded.
            Self::Numbers { powers, sum, .. } => match powers.get(place) {
                Some(power) => arithmetic.quotient(power, &sum.divisor).at_most_one(),
                None => Computed::nan(),
            },
        }
    }

    /// The logarithm of the share of an element: the distance less the logarithm of the sum, or, as far as the share is a
    /// normal number, its logarithm.
    pub(crate) fn logarithm(&self, arithmetic: &Arithmetic, place: usize) -> Computed {
        let limit = arithmetic.published();
        match self {
            Self::Nan | Self::None => Computed::nan(),
            Self::Infinite(places) if places.get(place) != Some(&false) => Computed::nan(),
            Self::Infinite(_) => Computed::nan().or(&Computed::infinite(true)),
            Self::Numbers { distances, sum, .. } => {
                let Some(distance) = distances.get(place) else { return Computed::nan() };
                let of_sum = || arithmetic.ln(sum.divisor.value(), limit);
                let stated = arithmetic.sub(distance, sum.logarithm.get_or_init(of_sum));
                let share = self.share(arithmetic, place, false);
                let is_normal = |share: &Interval| {
                    let least = arithmetic.smallest_normal();
                    share.compare(&least).is_some_and(std::cmp::Ordering::is_gt)
                };
                match share.numbers.as_ref().is_some_and(is_normal) {
                    true => stated.or(&arithmetic.ln(&share, limit)),
                    false => stated,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
