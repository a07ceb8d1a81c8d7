//! A location along a dimension of an image, exactly and as floats compute it, and what is there.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use values::float::FloatFormat;

use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::number::smallest_exponent;
use crate::exact::real::{Enclosure, Rational, power_of_two};

/// Why nothing is decided.
pub(crate) type Reason = &'static str;

pub(crate) const NOT_FINITE: Reason = "no text says what is at a location that is no number";
const RANGE: Reason = "the location may be beyond the range of the format";
const TOO_WIDE: Reason = "the format does not hold locations closely enough";

/// Bits that hold a coordinate of any format, times the size of a dimension, in full.
pub(crate) const BITS: u32 = 2300;

/// The most elements along a dimension of which each may be next to a location.
const MOST: usize = 64;

/// What is outside of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Padding {
    Zeros,
    Border,
    Reflection,
}

/// A location, or one of several that are computed.
#[derive(Clone, Debug)]
pub(super) struct Location {
    /// The exact one, if it is among these.
    pub(super) exact: Option<Rational>,
    pub(super) between: Enclosure,
}

/// A dimension of the image with the location of an element of the output.
pub(crate) struct Dimension {
    pub(crate) size: usize,
    padding: Padding,
    is_by_corners: bool,
    format: &'static FloatFormat,
    exact: Rational,
    between: Enclosure,
}

fn whole(number: usize) -> Rational {
    Rational::from(BigInt::from(number))
}

fn half() -> Rational {
    power_of_two(-1)
}

impl Dimension {
    /// The dimension of a size with this location, as a format computes it at least.
    pub(crate) fn at(
        location: &Computed,
        size: usize,
        format: &'static FloatFormat,
        (padding, is_by_corners): (Padding, bool),
    ) -> Result<Self, Reason> {
        if location.infinities != [false; 2] || location.open.is_some() {
            return Err(RANGE);
        }
        let (Some(exact), Some(numbers)) = (location.exact_number(), &location.numbers) else {
            return Err(NOT_FINITE);
        };
        let exact = exact.enclosure().lower;
        Ok(Self { size, padding, is_by_corners, format, exact, between: numbers.enclosure() })
    }

    /// Where the image begins and ends.
    fn ends(&self) -> [Rational; 2] {
        match self.is_by_corners {
            true => [Rational::zero(), whole(self.size) - Rational::one()],
            false => [-half(), whole(self.size) - half()],
        }
    }

    /// Whether the location may be outside of the image.
    fn may_be_outside(&self) -> bool {
        let [begin, end] = self.ends();
        self.between.lower < begin || self.between.upper > end
    }

    /// Whether the border may stand for all elements around the location, whose weights are then any.
    pub(crate) fn may_be_at_border(&self) -> bool {
        self.padding == Padding::Border && self.may_be_outside()
    }

    /// The element at an index, which may be outside; none where nothing is there.
    pub(super) fn pixel(&self, index: &BigInt) -> Option<usize> {
        let last = BigInt::from(self.size) - 1;
        let inside = match self.padding {
            Padding::Zeros if index.is_negative() || *index > last => return None,
            Padding::Zeros => index.clone(),
            Padding::Border => index.clone().clamp(BigInt::zero(), last),
            Padding::Reflection => {
                let period: BigInt = if self.is_by_corners { &last * 2 } else { &last * 2 + 2 };
                if period.is_zero() {
                    return Some(0);
                }
                let at = ((index % &period) + &period) % &period;
                let back = if self.is_by_corners { &period - &at } else { &period - 1 - &at };
                if at > last { back } else { at }
            }
        };
        usize::try_from(inside).ok()
    }

    /// The elements that may be nearest, that of the exact location first.
    pub(crate) fn nearest(&self, is_even: bool) -> Result<Vec<Option<usize>>, Reason> {
        let Enclosure { lower, upper } = &self.between;
        let first = (lower - half()).ceil().to_integer();
        let last = (upper + half()).floor().to_integer();
        if &last - &first > BigInt::from(MOST) {
            return Err(TOO_WIDE);
        }
        let exact = {
            let floor = (&self.exact + half()).floor().to_integer();
            let is_tie = (&self.exact + half()).is_integer();
            let is_odd = floor.bit(0);
            if is_tie && is_odd { floor - 1 } else { floor }
        };
        let is_reflected = self.padding == Padding::Reflection && self.may_be_outside();
        let mut all = vec![self.pixel(&exact)];
        if lower == upper && is_even && !is_reflected {
            return Ok(all);
        }
        let mut index = first;
        while index <= last {
            all.push(self.pixel(&index));
            index += 1;
        }
        all.sort_unstable();
        all.dedup();
        // That of the exact location is the example.
        let exact = self.pixel(&exact);
        all.sort_by_key(|own| *own != exact);
        Ok(all)
    }

    /// The locations that elements are weighted by; with `border` those outside of the image as they are, where the elements
    /// around are to be at the border instead.
    pub(super) fn padded(&self, keeps_outside: bool) -> Vec<Location> {
        let own = Location { exact: Some(self.exact.clone()), between: self.between.clone() };
        match self.padding {
            Padding::Reflection => vec![self.reflected()],
            Padding::Border if !keeps_outside => self.at_border(),
            Padding::Border | Padding::Zeros => vec![self.limited(own)],
        }
    }

    /// The same as far as elements are told from each other: far away there is nothing but the padding.
    fn limited(&self, location: Location) -> Location {
        let [least, most] = [Rational::from(BigInt::from(-4)), whole(self.size) + whole(3)];
        let clamped = |number: Rational| number.clamp(least.clone(), most.clone());
        let Enclosure { lower, upper } = location.between;
        let between = Enclosure { lower: clamped(lower), upper: clamped(upper) };
        Location { exact: location.exact.map(clamped), between }
    }

    /// A location within the image, and those at its border that a location outside becomes.
    fn at_border(&self) -> Vec<Location> {
        let [begin, end] = self.ends();
        let last = whole(self.size) - Rational::one();
        let Enclosure { lower, upper } = &self.between;
        let at = |number: &Rational, is_exact: bool| Location {
            exact: is_exact.then(|| number.clone()),
            between: Enclosure::point(number.clone()),
        };
        let mut all = Vec::new();
        if *lower < begin {
            all.push(at(&Rational::zero(), self.exact < begin));
        }
        if *upper > end {
            all.push(at(&last, self.exact > end));
        }
        let (lower, upper) = (lower.max(&begin).clone(), upper.min(&end).clone());
        if lower <= upper {
            let is_within = begin <= self.exact && self.exact <= end;
            let exact = is_within.then(|| self.exact.clone());
            all.push(Location { exact, between: Enclosure { lower, upper } });
        }
        all
    }

    /// A location as it is reflected by the ends until it is within them.
    fn reflected(&self) -> Location {
        let [begin, end] = self.ends();
        let length = &end - &begin;
        if length.is_zero() {
            return Location {
                exact: Some(Rational::zero()),
                between: Enclosure::point(Rational::zero()),
            };
        }
        // How often a number is reflected, and where it is then.
        let turns = |number: &Rational| ((number - &begin) / &length).floor().to_integer();
        let wave = |number: &Rational| {
            let turns = turns(number);
            let rest = number - &begin - &length * Rational::from(turns.clone());
            if turns.bit(0) { &end - rest } else { &begin + rest }
        };
        let Enclosure { lower, upper } = &self.between;
        let exact = wave(&self.exact);
        let [first, last] = [wave(lower), wave(upper)];
        let is_held = |number: &Rational| {
            let number = Interval::rational(number, BITS);
            number.is_held(self.format.precision(), smallest_exponent(self.format).into())
        };
        if lower == upper && is_held(&(lower - &begin)) && is_held(&first) {
            return Location { exact: Some(exact), between: Enclosure::point(first) };
        }
        let count = turns(upper) - turns(lower);
        let turned = turns(upper).bit(0);
        // Between two ends that it turns at is everything.
        let is_all = count > BigInt::one();
        let reaches_begin = is_all || count.is_one() && !turned;
        let reaches_end = is_all || count.is_one() && turned;
        let mut least = first.clone().min(last.clone());
        let mut most = first.max(last);
        if reaches_begin {
            least = begin.clone();
        }
        if reaches_end {
            most = end.clone();
        }
        // A difference, a remainder and two sums are rounded at most.
        let size = lower.abs().max(upper.abs()) + whole(self.size) + Rational::one();
        let margin = size * power_of_two(3 - self.format.precision() as i32);
        let between =
            Enclosure { lower: (least - &margin).max(begin), upper: (most + &margin).min(end) };
        Location { exact: Some(exact), between }
    }
}
