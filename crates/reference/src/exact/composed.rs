//! What is composed of several operations: the exact result, and all that may come out of a computation that rounds.
//!
//! No specification says in which order the operations of a formula are carried out, how wide the numbers between them
//! are, or how well a function such as e^x is approximated inside. A [`Computed`] value is therefore two things: the
//! exact value, enclosed as closely as asked, and all values that some order of evaluation in the format of the elements or in
//! wider ones can give. [`Arithmetic`] has the operations: each adds to the latter what its rounding may err by (N.
//! Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002, sections 2.2, 3.1 and 4.2).
//! What conforms are all numbers of the format between the two ends, rounded. `docs/numerics.md` has the proof.
//!
//! A computation is a function from a number of bits to a [`Computed`] value. What is allowed is found with [`BITS`];
//! where these do not tell which element is nearest to the exact value, it is computed again with twice of them, up to
//! `MOST_BITS`. A number that then still has an element's boundary in its enclosure is taken to be its end that
//! is farther from zero: both elements around it conform.

mod arithmetic;

use super::conforming::Accumulated;
use super::enclosed::Bounds;
use super::interval::Interval;
use super::number::{infinity, largest, zero};
use super::truncated::Exact as Truncated;
use super::{Conforming, Deviation, Share, each_once};
use crate::real::Real;
use values::float::{FloatFormat, Specials};

pub use arithmetic::{Arithmetic, Divisor};

/// Bits with which a computation begins.
pub const BITS: u32 = 128;

/// Bits with which it ends.
const MOST_BITS: u32 = 3072;

/// The exact value, without any rounding.
#[derive(Clone, Debug)]
pub enum Exact {
    /// A number.
    Number(Interval),
    /// An infinity.
    Infinite {
        /// Whether it is -infinity.
        negative: bool,
    },
    /// No number at all.
    Undefined,
}

/// A value of a computation: exactly, and all that a correct implementation may hold in its place.
#[derive(Clone, Debug)]
pub struct Computed {
    /// The exact value.
    pub exact: Exact,
    /// The numbers that it may be; `None` where it is none.
    pub numbers: Option<Interval>,
    /// Whether it may be +infinity, and whether it may be -infinity.
    pub infinities: [bool; 2],
    /// Whether it may be a NaN.
    pub nan: bool,
    /// Whether it may be positive or +0, and whether it may be negative or -0.
    pub signs: [bool; 2],
    /// Why nothing is known of it, where that is so.
    pub open: Option<&'static str>,
}

impl Computed {
    /// A number that is there without any error.
    pub fn number(number: Interval) -> Self {
        let signs = if number.is_zero() { [true, false] } else { signs_of(&number) };
        Self {
            exact: Exact::Number(number.clone()),
            numbers: Some(number),
            infinities: [false; 2],
            nan: false,
            signs,
            open: None,
        }
    }

    /// The value of an element.
    pub fn element(format: &FloatFormat, bits: u64, precision: u32) -> Self {
        let negative = format.is_negative(bits);
        let signs = [!negative, negative];
        if let Some(number) = Interval::of_element(format, bits, precision) {
            return Self { signs, ..Self::number(number) };
        }
        let is_nan = matches!(super::number::Value::of(format, bits), super::number::Value::Nan);
        if is_nan { Self::nan() } else { Self::infinite(negative) }
    }

    /// Whether it is neither a NaN nor an infinity, whatever is rounded.
    pub fn is_finite(&self) -> bool {
        self.infinities == [false; 2] && !self.nan
    }

    /// An infinity.
    pub const fn infinite(negative: bool) -> Self {
        Self {
            exact: Exact::Infinite { negative },
            numbers: None,
            infinities: [!negative, negative],
            nan: false,
            signs: [!negative, negative],
            open: None,
        }
    }

    /// A NaN.
    pub const fn nan() -> Self {
        Self {
            exact: Exact::Undefined,
            numbers: None,
            infinities: [false; 2],
            nan: true,
            signs: [true; 2],
            open: None,
        }
    }

    /// A value of which nothing is known.
    pub const fn open(exact: Exact, why: &'static str) -> Self {
        Self {
            exact,
            numbers: None,
            infinities: [false; 2],
            nan: false,
            signs: [true; 2],
            open: Some(why),
        }
    }

    /// What this evaluation of a formula gives, or another one of the same formula.
    pub fn or(self, other: &Self) -> Self {
        let numbers = match (self.numbers, &other.numbers) {
            (Some(own), Some(others)) => Some(own.hull(others)),
            (own, others) => own.or_else(|| others.clone()),
        };
        let either = |own: [bool; 2], others: [bool; 2]| [0, 1].map(|at| own[at] || others[at]);
        Self {
            numbers,
            infinities: either(self.infinities, other.infinities),
            nan: self.nan || other.nan,
            signs: either(self.signs, other.signs),
            open: self.open.or(other.open),
            ..self
        }
    }

    /// A zero of either sign.
    pub fn zero(precision: u32) -> Self {
        Self { signs: [true; 2], ..Self::number(Interval::integer(0, precision)) }
    }

    /// The magnitude of the value, exactly.
    pub fn magnitude(&self) -> Self {
        let exact = match &self.exact {
            Exact::Number(number) => Exact::Number(number.abs()),
            Exact::Infinite { .. } => Exact::Infinite { negative: false },
            Exact::Undefined => Exact::Undefined,
        };
        Self {
            exact,
            numbers: self.numbers.as_ref().map(Interval::abs),
            infinities: [self.infinities != [false; 2], false],
            signs: [true, false],
            ..*self
        }
    }

    /// The same where it cannot be more than 1, nor infinite.
    pub fn at_most_one(self) -> Self {
        let numbers = self.numbers.map(|it| it.at_most(&Interval::integer(1, it.precision())));
        Self { numbers, infinities: [false; 2], ..self }
    }

    /// The same where it is held in a wide enough range, if it is a number at all.
    pub fn without_overflow(self) -> Self {
        match self.exact {
            Exact::Number(_) => Self { infinities: [false; 2], nan: false, ..self },
            Exact::Infinite { .. } | Exact::Undefined => self,
        }
    }

    /// The exact value as a number.
    pub const fn exact_number(&self) -> Option<&Interval> {
        match &self.exact {
            Exact::Number(number) => Some(number),
            Exact::Infinite { .. } | Exact::Undefined => None,
        }
    }
}

/// The signs that numbers have, where zeros may have either.
pub(super) fn signs_of(numbers: &Interval) -> [bool; 2] {
    [!numbers.is_negative(), !numbers.is_positive()]
}

/// What conforms as an element of a format.
pub fn conforming(format: &'static FloatFormat, compute: impl Fn(u32) -> Computed) -> Conforming {
    judged(format, compute, [0; 2]).0
}

/// The same, and how far each of two elements is from the exact value.
pub fn judged(
    format: &'static FloatFormat,
    compute: impl Fn(u32) -> Computed,
    actual: [u64; 2],
) -> (Conforming, [Deviation; 2]) {
    judged_from(format, &compute(BITS), compute, actual)
}

/// The same, of a value that is computed with [`BITS`] already.
pub(crate) fn judged_from(
    format: &'static FloatFormat,
    first: &Computed,
    compute: impl Fn(u32) -> Computed,
    actual: [u64; 2],
) -> (Conforming, [Deviation; 2]) {
    let value = Decided::of(&first.exact, compute);
    let deviations = each_once(actual, |actual| value.deviation(format, actual));
    if let Some(why) = first.open {
        return (Conforming::Unspecified(why), deviations);
    }
    (around(format, first, value.nearest(format)), deviations)
}

/// What conforms of a computed value, of which this element is nearest to the exact one.
fn around(format: &'static FloatFormat, first: &Computed, nearest: u64) -> Conforming {
    let accumulated = accumulated(format, first);
    match accumulated {
        Accumulated { numbers: None, infinities: [false, false], .. } => Conforming::AnyNan(format),
        Accumulated { numbers: None, nan: false, infinities: [plus, minus], .. }
            if plus != minus =>
        {
            infinity(format, minus)
        }
        Accumulated { numbers: Some([0, 0]), infinities: [false, false], nan: false, .. } => {
            match first.signs {
                [true, true] => Conforming::either_zero(format),
                [_, minus] => zero(format, minus),
            }
        }
        Accumulated {
            numbers: Some([least, most]),
            infinities: [false, false],
            nan: false,
            ..
        } if least == most => Conforming::One(bits(format, least)),
        _ => {
            let all = [Some(nearest), accumulated.bits().map(|[least, _]| least)];
            let nearest = all.into_iter().flatten().find(|bits| accumulated.accepts(*bits));
            let special = || match (accumulated.nan, accumulated.infinities) {
                (false, [false, true]) => infinity(format, true),
                (false, _) => infinity(format, false),
                (true, _) => Conforming::AnyNan(format),
            };
            let nearest = nearest.unwrap_or_else(|| special().example().unwrap_or_default() as u64);
            Conforming::Within { accumulated, nearest }
        }
    }
}

/// The elements between the ends of a value, rounded.
fn accumulated(format: &'static FloatFormat, computed: &Computed) -> Accumulated {
    let mut all = Accumulated {
        format,
        numbers: None,
        negative_zero: computed.signs[1],
        infinities: computed.infinities,
        nan: computed.nan,
        may_overflow: computed.infinities,
    };
    if let Some(numbers) = &computed.numbers {
        let end = largest(format).cast_signed();
        let [least, most] =
            [numbers.lower(), numbers.upper()].map(|number| ordinal(format, &number));
        let numbers = [least.max(-end), most.min(end)];
        all.numbers = (numbers[0] <= numbers[1]).then_some(numbers);
        all.infinities[0] |= most > end;
        all.infinities[1] |= least < -end;
    }
    if !matches!(format.specials, Specials::Ieee) {
        all.nan |= all.infinities != [false; 2];
        all.infinities = [false; 2];
    }
    all
}

/// The place of the element nearest to a single number; that of an overflow is one above the largest.
fn ordinal(format: &'static FloatFormat, number: &Interval) -> i64 {
    let Some((negative, exact)) = number.truncated() else { return 0 };
    let ordinal = match exact.nearest(format, false) {
        Conforming::One(bits) => bits.cast_signed(),
        _ => largest(format).cast_signed() + 1,
    };
    let ordinal = ordinal.min(largest(format).cast_signed() + 1);
    if negative { -ordinal } else { ordinal }
}

/// The bits of the element at a place.
fn bits(format: &FloatFormat, ordinal: i64) -> u64 {
    let magnitude = ordinal.unsigned_abs();
    if ordinal < 0 { format.negated(magnitude) } else { magnitude }
}

/// The exact value with as many bits as decide results and their errors.
enum Decided {
    Number { negative: bool, exact: Truncated },
    Infinite { negative: bool },
    Undefined,
}

impl Decided {
    fn of(first: &Exact, compute: impl Fn(u32) -> Computed) -> Self {
        match first {
            Exact::Number(number) => {
                let (negative, exact) = known(number.clone(), compute);
                Self::Number { negative, exact }
            }
            Exact::Infinite { negative } => Self::Infinite { negative: *negative },
            Exact::Undefined => Self::Undefined,
        }
    }

    /// The element nearest to it.
    fn nearest(&self, format: &'static FloatFormat) -> u64 {
        let nearest = match self {
            Self::Number { negative, exact } => exact.nearest(format, *negative),
            Self::Infinite { negative } => infinity(format, *negative),
            Self::Undefined => Conforming::AnyNan(format),
        };
        nearest.example().unwrap_or_default() as u64
    }

    /// How far the element `actual` is from it.
    fn deviation(&self, format: &'static FloatFormat, actual: u64) -> Deviation {
        match self {
            Self::Number { negative, exact } => exact.deviation(format, *negative, actual),
            Self::Infinite { .. } | Self::Undefined => Deviation::NoRealResult,
        }
    }
}

/// The binade below which all numbers are alike to every format.
const TINY: i64 = -4300;

/// The sign and the leading bits of the exact value, which is a number.
fn known(first: Interval, compute: impl Fn(u32) -> Computed) -> (bool, Truncated) {
    let (mut number, mut bits) = (first, BITS);
    loop {
        if let Some(known) = number.truncated() {
            return known;
        }
        bits = bits.saturating_mul(2);
        if bits > MOST_BITS || number.binade().is_some_and(|binade| binade < TINY) {
            break;
        }
        if let Exact::Number(closer) = compute(bits).exact {
            number = closer;
        }
    }
    let [lower, upper] = [number.lower(), number.upper()];
    let end = if lower.abs().compare(&upper.abs()).is_some_and(std::cmp::Ordering::is_gt) {
        lower
    } else {
        upper
    };
    end.truncated().unwrap_or((false, Truncated::ZERO))
}

/// How far the element `actual` is from the exact value.
pub fn deviation(
    format: &'static FloatFormat,
    compute: impl Fn(u32) -> Computed,
    actual: u64,
) -> Deviation {
    Decided::of(&compute(BITS).exact, compute).deviation(format, actual)
}

/// The share of its bound that the element `actual` takes; `None` where no bound decides.
pub fn share(
    format: &'static FloatFormat,
    compute: impl Fn(u32) -> Computed,
    actual: u64,
) -> Option<Share> {
    let computed = compute(BITS);
    let numbers = computed.numbers.as_ref()?;
    let ends = [&numbers.lower(), &numbers.upper()];
    Share::enclosed(format, computed.exact_number()?, ends, actual)
}

/// The exact value known to so many bits, with what conforms around it; `None` where it is no number.
pub fn real(compute: impl Fn(u32) -> Computed, bits: u32) -> Option<Real> {
    let computed = compute(bits.saturating_add(64).max(BITS));
    let enclosure = computed.exact_number()?.enclosure();
    let composed = computed.numbers.map(|numbers| numbers.enclosure());
    Some(Real { composed, ..enclosure.into() })
}

#[cfg(test)]
mod tests;
