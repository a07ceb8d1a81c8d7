//! Whether a box overlaps one that was chosen by more than a threshold: exactly, and as floats compute it.
//!
//! Corners, sizes, areas and their quotient are [computed](crate::exact::composed) in float32 or a wider format: sizes of boxes that are given
//! by their centres as differences of corners, or as they are given. Rounding is monotonic, and formats hold the threshold: so a quotient
//! that is at most the threshold is rounded to none above it. Besides the quotient, the intersection may be compared with the product
//! of the threshold and the union.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::families::along::order_at;
use crate::families::computation::value;

/// Bits that hold sums of products of differences of float32s.
const BITS: u32 = 640;

const NOT_FINITE: &str = "the area of boxes with NaN or infinities is not stated";
const NEGATIVE: &str = "boxes of a negative size are not stated";
const NO_AREA: &str = "the overlap of boxes that have no area is not stated";
const RANGE: &str = "areas may be beyond the range of float32";
const CLOSE: &str = "rounding decides whether the overlap is above the threshold";

/// What becomes of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Suppressed,
    Kept,
    /// Either, because no text decides or rounding does.
    Either,
}

/// The boxes of a batch, by what they overlap.
pub(super) struct Overlaps<'a> {
    boxes: &'a Tensor,
    /// How many boxes there are in batches before this one.
    before: usize,
    is_centered: bool,
    threshold: Interval,
    arithmetic: Arithmetic,
    decided: RefCell<BTreeMap<[usize; 2], Decision>>,
    reason: Cell<Option<&'static str>>,
}

/// A box along a dimension.
struct Side {
    ends: [Computed; 2],
    size: Computed,
}

impl<'a> Overlaps<'a> {
    /// Those of the boxes after so many others, by the bits of a threshold that is a number.
    pub(super) fn new(boxes: &'a Tensor, before: usize, is_centered: bool, threshold: u64) -> Self {
        let threshold = Interval::of_element(&FloatFormat::FLOAT32, threshold, BITS);
        Self {
            boxes,
            before,
            is_centered,
            threshold: threshold.unwrap_or_else(|| Interval::integer(0, BITS)),
            arithmetic: Arithmetic::of(&FloatFormat::FLOAT32, BITS),
            decided: RefCell::default(),
            reason: Cell::default(),
        }
    }

    /// What becomes of a box after some were selected.
    pub(super) fn decision(&self, at: usize, selected: &[usize]) -> Decision {
        let mut decision = Decision::Kept;
        for &other in selected {
            match self.of_two([at.min(other), at.max(other)]) {
                Decision::Suppressed => return Decision::Suppressed,
                Decision::Either => decision = Decision::Either,
                Decision::Kept => {}
            }
        }
        decision
    }

    /// Why either was found of some boxes, if so.
    pub(super) fn reason(&self) -> Option<&'static str> {
        self.reason.get()
    }

    fn of_two(&self, boxes: [usize; 2]) -> Decision {
        if let Some(decision) = self.decided.borrow().get(&boxes) {
            return *decision;
        }
        let decision = self.compared(boxes).unwrap_or_else(|reason| {
            self.reason.set(Some(reason));
            Decision::Either
        });
        self.decided.borrow_mut().insert(boxes, decision);
        decision
    }

    fn place(&self, at: usize, part: usize) -> usize {
        (self.before + at) * 4 + part
    }

    /// A box along a dimension, whose first number has this place in the box and whose second one comes two after it.
    fn side(&self, at: usize, part: usize) -> Result<Side, &'static str> {
        let a = &self.arithmetic;
        let places = [part, part + 2].map(|part| self.place(at, part));
        let [first, second] = places.map(|place| value(self.boxes, place, a.bits()));
        if [&first, &second].iter().any(|it| it.numbers.is_none()) {
            return Err(NOT_FINITE);
        }
        if !self.is_centered {
            let [one, other] = places.map(|place| order_at(self.boxes, place));
            let ends = if one <= other { [first, second] } else { [second, first] };
            return Ok(Side { size: a.sub(&ends[1], &ends[0]), ends });
        }
        if second.numbers.as_ref().is_some_and(Interval::is_negative) {
            return Err(NEGATIVE);
        }
        let half = a.mul(&second, &Computed::number(Interval::power_of_two(-1, a.bits())));
        let ends = [a.sub(&first, &half), a.add(&first, &half)];
        Ok(Side { size: second.or(&a.sub(&ends[1], &ends[0])), ends })
    }

    fn compared(&self, boxes: [usize; 2]) -> Result<Decision, &'static str> {
        let a = &self.arithmetic;
        let mut common: Vec<Computed> = Vec::new();
        let mut areas = [a.integer(1), a.integer(1)];
        let mut are_apart = false;
        for part in 0..2 {
            let [one, other] = boxes.map(|at| self.side(at, part));
            let (one, other) = (one?, other?);
            let low = greater(&one.ends[0], &other.ends[0]);
            let high = less(&one.ends[1], &other.ends[1]);
            are_apart |= low
                .numbers
                .as_ref()
                .zip(high.numbers.as_ref())
                .is_some_and(|(low, high)| is_above(low, high));
            common.push(not_negative(a.sub(&high, &low)));
            areas = [a.mul(&areas[0], &one.size), a.mul(&areas[1], &other.size)];
        }
        // Boxes without a common point do not overlap, whatever their areas are.
        if are_apart {
            return Ok(Decision::Kept);
        }
        let intersection = a.mul(&common[0], &common[1]);
        let [first, second] = areas;
        let union = a.sum(&[first, second, -intersection.clone()]);
        if [&intersection, &union].iter().any(|it| it.nan || it.infinities != [false; 2]) {
            return Err(RANGE);
        }
        let (Some(part), Some(whole)) = (&intersection.numbers, &union.numbers) else {
            return Err(NOT_FINITE);
        };
        let quotient = part.divided_by(whole).filter(|_| whole.is_positive()).ok_or(NO_AREA)?;
        if !is_above(&quotient.upper(), &self.threshold) {
            return Ok(Decision::Kept);
        }
        let product = a.mul(&Computed::number(self.threshold.clone()), &union);
        let (rounded, product) = (a.div(&intersection, &union).numbers, product.numbers);
        let is_above_both = rounded.is_some_and(|it| is_above(&it, &self.threshold))
            && product.is_some_and(|it| is_above(part, &it));
        if is_above_both { Ok(Decision::Suppressed) } else { Err(CLOSE) }
    }
}

/// Whether all numbers of an interval are above those of another.
fn is_above(a: &Interval, b: &Interval) -> bool {
    a.compare(b) == Some(Ordering::Greater)
}

/// The lesser of two numbers.
fn less(a: &Computed, b: &Computed) -> Computed {
    let numbers = a.numbers.as_ref().zip(b.numbers.as_ref()).map(|(a, b)| a.at_most(b));
    let exact = match (a.exact_number(), b.exact_number()) {
        (Some(a), Some(b)) => Exact::Number(a.at_most(b)),
        _ => Exact::Undefined,
    };
    let either = |of: fn(&Computed) -> [bool; 2]| [0, 1].map(|at| of(a)[at] || of(b)[at]);
    Computed {
        exact,
        numbers,
        infinities: either(|it| it.infinities),
        nan: a.nan || b.nan,
        signs: [true; 2],
        open: a.open.or(b.open),
    }
}

/// The greater of two numbers.
fn greater(a: &Computed, b: &Computed) -> Computed {
    -less(&-a.clone(), &-b.clone())
}

/// The same where numbers below 0 become 0.
fn not_negative(value: Computed) -> Computed {
    let exact = match value.exact {
        Exact::Number(number) => Exact::Number(number.not_negative()),
        other => other,
    };
    let numbers = value.numbers.map(|numbers| numbers.not_negative());
    let infinities = [value.infinities[0], false];
    Computed { exact, numbers, infinities, signs: [true; 2], ..value }
}
