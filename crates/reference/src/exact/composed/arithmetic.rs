//! The operations of a format, and of wider ones.
//!
//! An operation whose exact result is z gives z (1 + d) + f with |d| <= u and |f| <= eta / 2, where f is 0 unless a product
//! or a quotient underflows (Higham, section 2.2). A format holds some numbers exactly, and so do all wider
//! ones: rounding is monotonic, so nothing that lies above such a number is rounded to below it.

mod waves;

use std::cmp::Ordering;
use std::ops::Neg;

use super::super::interval::Interval;
use super::super::number::{Magnitude, greatest, smallest_exponent};
use super::{Computed, Exact, signs_of};
use values::float::FloatFormat;

const DIVISOR: &str = "the divisor may be rounded to 0, so that every result can come out";
const OVERFLOW: &str = "the divisor may overflow, so that every smaller result can come out";
const TERMS: &str = "so many terms may lose every bit in the format of the elements";
const FUNCTIONS: &str = "the operand is outside of where the function has a value";

/// A value that others are divided by.
#[derive(Clone, Debug)]
pub struct Divisor {
    value: Computed,
    /// What they may be multiplied by instead.
    reciprocal: Computed,
}

impl Divisor {
    /// The value.
    pub const fn value(&self) -> &Computed {
        &self.value
    }

    /// 1 divided by the value.
    pub const fn reciprocal(&self) -> &Computed {
        &self.reciprocal
    }
}

/// Operations in a format or in any wider one.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    /// Bits of a significand.
    precision: u32,
    /// Exponent of the smallest number.
    smallest: i64,
    /// The largest number, which half a unit more makes overflow.
    largest: Magnitude,
    /// Bits that are computed with.
    bits: u32,
}

impl Arithmetic {
    /// Operations of at least the precision and the range of this format, computed to so many bits.
    pub fn of(format: &FloatFormat, bits: u32) -> Self {
        Self {
            precision: format.precision(),
            smallest: smallest_exponent(format).into(),
            largest: greatest(format),
            bits,
        }
    }

    /// Operations of which each is one of either format, or of a wider one than that.
    pub(crate) fn of_either(formats: [&FloatFormat; 2], bits: u32) -> Self {
        let [a, b] = formats.map(|format| Self::of(format, bits));
        let size = |it: Magnitude| {
            (i64::from(it.exponent) + i64::from(it.len()), it.significand << (u64::BITS - it.len()))
        };
        Self {
            precision: a.precision.min(b.precision),
            smallest: a.smallest.max(b.smallest),
            largest: if size(a.largest) < size(b.largest) { a.largest } else { b.largest },
            bits,
        }
    }

    /// Whether sums of multiples of `2^lowest`, whose magnitudes are no more than this together, are added without rounding, in whatever order.
    pub(crate) fn are_added_exactly(&self, magnitude: &Interval, lowest: i64) -> bool {
        let has_room = |binade: i64| binade.saturating_sub(lowest) < i64::from(self.precision);
        lowest >= self.smallest && magnitude.binade().is_none_or(has_room)
    }

    /// The bits that are computed with.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// How far a function is from its exact value at most, in ULP, where no document states it: as far as OpenCL C 3.0
    /// permits exp and log (*Relative Error as ULPs*, full profile, single precision, and half precision for
    /// significands of up to 11 bits), which is the limit of the profiles' kind `approximated` too.
    pub const fn published(&self) -> u32 {
        if self.precision <= 11 { 2 } else { 3 }
    }

    /// The value of an element, of whatever format.
    pub fn element(&self, format: &FloatFormat, bits: u64) -> Computed {
        Computed::element(format, bits, self.bits)
    }

    /// An integer, exactly.
    pub fn integer(&self, number: i64) -> Computed {
        Computed::number(Interval::integer(number, self.bits))
    }

    /// A value that is rounded to the format, unless it stays in a wider one.
    pub fn converted(&self, value: &Computed) -> Computed {
        let (numbers, overflows) = self.rounding(value.numbers.clone(), true);
        Computed { numbers, ..value.clone() }.with_overflow(overflows)
    }

    /// u, half the distance between 1 and the next number, and a thousandth of it more: a result that is first
    /// rounded to a wider format, of 10 bits more at least, is rounded twice.
    fn unit(&self) -> Interval {
        let (share, by) = self.unit_in_steps();
        Interval::new(share, -(by as i64), self.bits)
    }

    /// The same as an integer and the power of two that it is divided by.
    fn unit_in_steps(&self) -> (u64, u64) {
        ((1 << 10) + 1, u64::from(self.precision) + 10)
    }

    /// Half of the smallest number.
    pub fn half_smallest(&self) -> Interval {
        Interval::power_of_two(self.smallest - 1, self.bits)
    }

    /// The smallest normal number.
    pub fn smallest_normal(&self) -> Interval {
        Interval::power_of_two(self.smallest + i64::from(self.precision) - 1, self.bits)
    }

    /// Whether numbers may be beyond the range: above it, and below it.
    fn overflows(&self, numbers: &Interval) -> [bool; 2] {
        let Magnitude { significand, exponent } = self.largest;
        let end = 2 * u128::from(significand) + 1;
        let binade = i64::from(exponent) - 1 + i64::from(u128::BITS - 1 - end.leading_zeros());
        if numbers.binade().is_none_or(|own| own < binade) {
            return [false; 2];
        }
        let end = Interval::new(end, i64::from(exponent) - 1, self.bits);
        let reaches =
            |number: &Interval| number.compare(&end).is_some_and(|order| order != Ordering::Less);
        [reaches(&numbers.upper()), reaches(&-numbers.lower())]
    }

    /// What operations with these exact results may give, and where they may overflow.
    fn rounding(
        &self,
        numbers: Option<Interval>,
        underflows: bool,
    ) -> (Option<Interval>, [bool; 2]) {
        let Some(numbers) = numbers else { return (None, [false; 2]) };
        let overflows = self.overflows(&numbers);
        let ends = numbers.are_held(self.precision, self.smallest).map(|is_held| !is_held);
        let half_smallest = underflows.then_some(self.smallest - 1);
        let held = (self.precision, self.smallest);
        (Some(numbers.loosened(ends, self.unit_in_steps(), half_smallest, held)), overflows)
    }

    /// The value of an operation: its exact value, the numbers that it has without its own rounding, and the signs of them.
    fn operation(
        &self,
        exact: Exact,
        numbers: Option<Interval>,
        underflows: bool,
        signs: [bool; 2],
    ) -> Computed {
        let (numbers, overflows) = self.rounding(numbers, underflows);
        Computed { signs, ..Computed::within(exact, numbers) }.with_overflow(overflows)
    }

    /// The sum of two values.
    pub fn add(&self, a: &Computed, b: &Computed) -> Computed {
        self.added(&[a.clone(), b.clone()])
    }

    /// The difference of two values.
    pub fn sub(&self, a: &Computed, b: &Computed) -> Computed {
        self.added(&[a.clone(), -b.clone()])
    }

    /// The sum of any number of values, in any order.
    pub fn sum(&self, terms: &[Computed]) -> Computed {
        let mut sum = self.added(terms);
        // It may begin with +0.
        sum.signs[0] |= sum.numbers.as_ref().is_some_and(Interval::has_zero);
        sum
    }

    fn added(&self, terms: &[Computed]) -> Computed {
        let sum = self.in_any_order(terms);
        // Infinities of both signs, in operands or of partial sums, may meet.
        let nan = sum.nan || sum.infinities == [true; 2];
        // One infinity that is there for certain leaves no other.
        let is_certain = |sign: usize| {
            let is_only =
                |term: &Computed| term.numbers.is_none() && !term.nan && !term.infinities[1 - sign];
            terms.iter().any(is_only)
        };
        let infinities = [0, 1].map(|sign| sum.infinities[sign] && !is_certain(1 - sign));
        Computed { nan, infinities, ..sum }
    }

    fn in_any_order(&self, terms: &[Computed]) -> Computed {
        let none = || Interval::integer(0, self.bits);
        let mut exact = Exact::Number(none());
        // The sum of those that are numbers: the exact one as long as all are that; and the sums of the positive numbers and of
        // the negative ones, as far from zero as they may be, once not all are positive.
        let (mut numbers, mut are_certain, mut are_numbers) = (none(), true, true);
        let mut by_sign: Option<[Interval; 2]> = None;
        let (mut several, mut lowest) = (0_u32, Some(i64::MAX));
        let (mut infinities, mut nan, mut signs) = ([false; 2], false, [terms.is_empty(), false]);
        for term in terms {
            if let Some(why) = term.open {
                return Computed::open(Exact::Undefined, why);
            }
            exact = exact.plus(&term.exact);
            nan |= term.nan;
            for sign in [0, 1] {
                infinities[sign] |= term.infinities[sign];
                signs[sign] |= term.signs[sign];
            }
            are_certain &= term.certain().is_some();
            are_numbers &= term.numbers.is_some();
            let Some(own) = term.numbers.as_ref().filter(|own| !own.is_zero()) else { continue };
            several = several.saturating_add(1);
            lowest = lowest.zip(own.lowest_bit()).map(|(lowest, bit)| lowest.min(bit));
            if by_sign.is_some() || !own.is_positive() {
                let [positive, negative] = by_sign.get_or_insert_with(|| [numbers.clone(), none()]);
                if !own.is_negative() {
                    *positive = &*positive + &own.not_negative();
                }
                if !own.is_positive() {
                    *negative = &*negative + &(-own).not_negative();
                }
            }
            numbers = match (are_certain, &exact) {
                (true, Exact::Number(exact)) => exact.clone(),
                _ => numbers + own,
            };
        }
        let [positive, negative] = by_sign.unwrap_or_else(|| [numbers.clone(), none()]);
        let numbers = are_numbers.then_some(numbers);
        let sum = Computed { exact, numbers, infinities, nan, signs, open: None };
        let magnitude = (&positive + &negative).upper();
        // Multiples of one power of two whose sums never need more bits are added exactly, in whatever order.
        let is_exact = lowest.is_some_and(|lowest| self.are_added_exactly(&magnitude, lowest));
        if several <= 1 || is_exact {
            let overflows = [&positive, &negative].map(|it| self.overflows(it)[0]);
            return sum.with_overflow(overflows);
        }
        if several == 2 {
            let (numbers, overflows) = self.rounding(sum.numbers.clone(), false);
            return Computed { numbers, ..sum }.with_overflow(overflows);
        }
        let Some(gamma) = self.gamma(several - 1) else {
            return Computed::open(sum.exact, TERMS);
        };
        let margin = magnitude * &gamma;
        // Whatever is added first: all terms of one sign, and as much more as these may err by.
        let overflows = [&positive, &negative].map(|it| self.overflows(&(it.upper() + &margin))[0]);
        let numbers = sum.numbers.clone().map(|numbers| numbers.widened(&margin));
        Computed { numbers, ..sum }.with_overflow(overflows)
    }

    /// gamma(n) = n u / (1 - n u), which bounds what n roundings make of a factor; `None` where n u is 1 or more.
    pub fn gamma(&self, roundings: u32) -> Option<Interval> {
        let share = self.unit() * Interval::integer(roundings.into(), self.bits);
        let rest = Interval::integer(1, self.bits) - &share;
        rest.is_positive().then(|| share.divided_by(&rest)).flatten().map(|it| it.upper())
    }

    /// The product of two values.
    pub fn mul(&self, a: &Computed, b: &Computed) -> Computed {
        if let Some(why) = a.open.or(b.open) {
            return Computed::open(Exact::Undefined, why);
        }
        let exact = a.exact.times(&b.exact);
        let numbers = match (a.certain().and(b.certain()), &exact) {
            (Some(_), Exact::Number(product)) => Some(product.clone()),
            _ => a.numbers.as_ref().zip(b.numbers.as_ref()).map(|(a, b)| a * b),
        };
        let mut product = if [a, b].iter().any(|it| it.is_one()) {
            Computed::within(exact, numbers)
        } else {
            self.operation(exact, numbers, true, [true; 2])
        };
        product.signs = product_signs(a.signs, b.signs);
        for (x, y) in [(a, b), (b, a)] {
            if x.infinities != [false; 2] {
                let signs = product_signs(x.infinities, y.signs);
                let is_number = y.numbers.as_ref().is_some_and(|numbers| !numbers.is_zero());
                let has_zero = y.numbers.as_ref().is_some_and(Interval::has_zero);
                if is_number || y.infinities != [false; 2] {
                    product.infinities = [0, 1].map(|at| product.infinities[at] || signs[at]);
                }
                product.nan |= has_zero;
            }
            product.nan |= x.nan;
        }
        product
    }

    /// The product of a value with itself.
    pub fn square(&self, a: &Computed) -> Computed {
        let product = self.mul(a, a);
        let exact = match &a.exact {
            Exact::Number(number) => Exact::Number(number.square()),
            Exact::Infinite { .. } => Exact::Infinite { negative: false },
            Exact::Undefined => Exact::Undefined,
        };
        let numbers = a.numbers.as_ref().map(Interval::square);
        let square = self.operation(exact, numbers, true, [true, false]);
        let infinities = [square.infinities[0] || a.infinities != [false; 2], false];
        Computed { infinities, nan: a.nan, open: product.open, ..square }
    }

    /// The quotient of two values.
    pub fn div(&self, a: &Computed, b: &Computed) -> Computed {
        if let Some(why) = a.open.or(b.open) {
            return Computed::open(Exact::Undefined, why);
        }
        let signs = product_signs(a.signs, b.signs);
        let exact = a.exact.over(&b.exact, b.signs);
        let is_zero = b.numbers.as_ref().is_some_and(Interval::is_zero);
        let mut quotient = match (&a.numbers, &b.numbers) {
            (Some(_), Some(divisor)) if divisor.has_zero() && !is_zero => {
                return Computed::open(exact, DIVISOR);
            }
            (Some(dividend), Some(divisor)) if !is_zero => {
                let numbers = dividend.divided_by(divisor);
                if b.is_one() {
                    Computed::within(exact, numbers)
                } else {
                    self.operation(exact, numbers, true, signs)
                }
            }
            _ => Computed::within(exact, None),
        };
        quotient.signs = signs;
        quotient.nan |= a.nan || b.nan;
        let is_infinite = |value: &Computed| value.infinities != [false; 2];
        quotient.nan |= is_infinite(a) && is_infinite(b);
        if let Some(dividend) = a.numbers.as_ref().filter(|_| is_zero) {
            quotient.nan |= dividend.has_zero();
            if !dividend.is_zero() {
                quotient.infinities = [0, 1].map(|at| quotient.infinities[at] || signs[at]);
            }
        }
        if is_infinite(a) && b.numbers.is_some() {
            let signs = product_signs(a.infinities, b.signs);
            quotient.infinities = [0, 1].map(|at| quotient.infinities[at] || signs[at]);
        }
        if is_infinite(b) && a.numbers.is_some() {
            if let Exact::Number(_) = b.exact {
                return Computed::open(quotient.exact, OVERFLOW);
            }
            let zero = Interval::integer(0, self.bits);
            quotient.numbers = Some(quotient.numbers.map_or(zero.clone(), |it| it.hull(&zero)));
        }
        quotient
    }

    /// The mean of the squares of the differences of elements from a value that is near their mean, in any order; nothing
    /// of this is bounded more closely than step by step if they are no single numbers.
    ///
    /// The sum of (x - m')^2 is that of (x - m)^2 with n (m' - m)^2 more, m being the mean. Each difference is rounded
    /// once and its square once, and the sum as any: so it errs by gamma(n + 2) of itself at most, and underflows add half
    /// of the smallest number each.
    pub fn variance(&self, elements: &[Computed], count: &Divisor, mean: &Computed) -> Computed {
        let squares: Vec<Computed> =
            elements.iter().map(|element| self.square(&self.sub(element, mean))).collect();
        let mut sum = self.sum(&squares);
        if let Some(closer) = self.sum_of_squares(elements, mean) {
            sum.numbers = sum.numbers.map(|numbers| numbers.common(&closer).unwrap_or(closer));
            sum.open = None;
        }
        self.quotient(&sum, count)
    }

    fn sum_of_squares(&self, elements: &[Computed], mean: &Computed) -> Option<Interval> {
        let (exact, held) = (mean.exact_number()?, mean.numbers.as_ref()?);
        let mut sum = Interval::integer(0, self.bits);
        for element in elements {
            let number = element.numbers.as_ref().filter(|number| number.is_point())?;
            sum = sum + (number - exact).square();
        }
        let count = u32::try_from(elements.len()).ok()?;
        let number = |count: u32| Interval::integer(count.into(), self.bits);
        let more = (held - exact).square() * number(count);
        let gamma = self.gamma(count.checked_add(2)?)?;
        let one = number(1);
        let [less, most] = [&one - &gamma, &one + &gamma];
        let sum = (&sum * &less).lower().hull(&((sum + more) * &most).upper());
        Some(sum.widened(&(self.half_smallest() * number(count) * most)).not_negative())
    }

    /// A value as one that others are divided by.
    pub fn divisor(&self, value: Computed) -> Divisor {
        Divisor { reciprocal: self.div(&self.integer(1), &value), value }
    }

    /// The quotient of two values, or the product of one with the other's reciprocal.
    pub fn quotient(&self, a: &Computed, b: &Divisor) -> Computed {
        self.div(a, &b.value).or(&self.mul(a, &b.reciprocal))
    }

    /// The square root of a value.
    pub fn sqrt(&self, a: &Computed) -> Computed {
        if let Some(why) = a.open {
            return Computed::open(Exact::Undefined, why);
        }
        let root = |number: &Interval| number.sqrt();
        let exact = match &a.exact {
            Exact::Number(number) => root(number).map_or(Exact::Undefined, Exact::Number),
            Exact::Infinite { negative: false } => a.exact.clone(),
            Exact::Infinite { negative: true } | Exact::Undefined => Exact::Undefined,
        };
        let numbers = a.numbers.as_ref().and_then(root);
        let value = self.operation(exact, numbers, false, a.signs);
        let may_be_negative =
            a.numbers.as_ref().is_some_and(|it| it.lower().is_negative()) || a.infinities[1];
        Computed {
            nan: a.nan || may_be_negative,
            infinities: [value.infinities[0] || a.infinities[0], false],
            ..value
        }
    }

    /// e to the power of a value, to within so many ULP.
    pub fn exp(&self, a: &Computed, ulps: u32) -> Computed {
        let limits = [self.integer(0), Computed::infinite(false)];
        self.function(a, ulps, limits, Interval::exp)
    }

    /// The natural logarithm of a value that is positive, to within so many ULP.
    pub fn ln(&self, a: &Computed, ulps: u32) -> Computed {
        let limits = [Computed::nan(), Computed::infinite(false)];
        self.function(a, ulps, limits, Interval::ln)
    }

    /// A value that is not negative to a power that is above 0, to within so many ULP; exactly where the power is 1.
    pub fn power(&self, a: &Computed, exponent: &Computed, ulps: u32) -> Computed {
        if exponent.is_one() {
            return a.clone();
        }
        let (Some(exact), Some(numbers)) = (exponent.exact_number(), &exponent.numbers) else {
            return Computed::open(Exact::Undefined, exponent.open.unwrap_or(FUNCTIONS));
        };
        let of = |exponent: &Interval| {
            let limits = [Computed::open(Exact::Undefined, FUNCTIONS), Computed::infinite(false)];
            self.function(a, ulps, limits, |number| number.raised(exponent))
        };
        let all = of(numbers);
        match exact.is_same(numbers) {
            true => all,
            false => Computed { exact: of(exact).exact, ..all },
        }
    }

    /// The root of a value that is not negative, of a degree above 0, as its power by the degree's reciprocal. Where the exact
    /// root is a number of few bits, no enclosure of the reciprocal shows it, however narrow.
    pub fn root(&self, a: &Computed, degree: &Computed, ulps: u32) -> Computed {
        let root = self.power(a, &self.div(&self.integer(1), degree), ulps);
        let exact = || {
            let (number, degree) = (a.exact_number()?, degree.exact_number()?.factors()?);
            number.exact_root(degree, root.exact_number()?)
        };
        let exact = exact().map(Exact::Number);
        Computed { exact: exact.unwrap_or_else(|| root.exact.clone()), ..root }
    }

    /// The value of a rising function, to within so many ULP of the format, and exactly where it is a number that the
    /// format holds; `limits` are its values at -infinity and +infinity. The function is `None` where nothing is known.
    pub fn function(
        &self,
        a: &Computed,
        ulps: u32,
        limits: [Computed; 2],
        function: impl Fn(&Interval) -> Option<Interval>,
    ) -> Computed {
        if let Some(why) = a.open {
            return Computed::open(Exact::Undefined, why);
        }
        let [low, high] = limits;
        // The function of both ends, which is closer than that of all that is between them.
        let function = |numbers: &Interval| match numbers.is_point() {
            true => function(numbers),
            false => {
                let [least, most] = [function(&numbers.lower())?, function(&numbers.upper())?];
                Some(least.lower().hull(&most.upper()))
            }
        };
        let exact = match &a.exact {
            Exact::Number(number) => function(number).map_or(Exact::Undefined, Exact::Number),
            Exact::Infinite { negative: true } => low.exact.clone(),
            Exact::Infinite { negative: false } => high.exact.clone(),
            Exact::Undefined => Exact::Undefined,
        };
        let mut value = Computed::within(exact, None);
        (value.nan, value.signs) = (a.nan, [false; 2]);
        if let Some(numbers) = &a.numbers {
            let exactly = match (a.certain(), &value.exact) {
                (Some(_), Exact::Number(exactly)) => Some(exactly.clone()),
                _ => function(numbers),
            };
            let Some(exactly) = exactly else {
                return Computed::open(value.exact, FUNCTIONS);
            };
            // A function does not turn the sign of its values.
            let is_negative = exactly.lower().is_negative();
            let near = self.approximated(&exactly, ulps);
            let near = if is_negative { near } else { near.not_negative() };
            value.infinities = self.overflows(&near);
            value.signs = if is_negative { signs_of(&near) } else { [true, false] };
            value.numbers = Some(near);
        }
        for (limit, is_reached) in [low, high].iter().zip([a.infinities[1], a.infinities[0]]) {
            if is_reached {
                value = value.or(limit);
            }
        }
        value
    }

    /// Numbers within so many ULP of these, or these alone where it is one that the format holds.
    fn approximated(&self, numbers: &Interval, ulps: u32) -> Interval {
        if numbers.is_held(self.precision, self.smallest) {
            return numbers.clone();
        }
        let binade = numbers.binade().unwrap_or(self.smallest);
        let ulp = (binade + 1 - i64::from(self.precision)).max(self.smallest);
        numbers.widened(&Interval::new(ulps, ulp, self.bits))
    }
}

impl Exact {
    fn plus(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(&a + b),
            (Self::Infinite { negative: a }, Self::Infinite { negative: b }) if a == *b => {
                Self::Infinite { negative: a }
            }
            (infinite @ Self::Infinite { .. }, Self::Number(_)) => infinite,
            (Self::Number(_), Self::Infinite { negative }) => {
                Self::Infinite { negative: *negative }
            }
            _ => Self::Undefined,
        }
    }

    fn times(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(a * b),
            (Self::Infinite { negative: a }, Self::Infinite { negative: b }) => {
                Self::Infinite { negative: a != b }
            }
            (Self::Infinite { negative }, Self::Number(number))
            | (Self::Number(number), Self::Infinite { negative })
                if !number.has_zero() =>
            {
                Self::Infinite { negative: *negative != number.is_negative() }
            }
            _ => Self::Undefined,
        }
    }

    /// The quotient by a divisor that has one of these signs, should it be 0.
    fn over(&self, other: &Self, signs: [bool; 2]) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => match a.divided_by(b) {
                Some(quotient) => Self::Number(quotient),
                None if b.is_zero() && !a.has_zero() && signs != [true; 2] => {
                    Self::Infinite { negative: a.is_negative() != signs[1] }
                }
                None => Self::Undefined,
            },
            (Self::Infinite { negative }, Self::Number(number)) if !number.has_zero() => {
                Self::Infinite { negative: *negative != number.is_negative() }
            }
            (Self::Number(number), Self::Infinite { .. }) => {
                Self::Number(Interval::integer(0, number.precision()))
            }
            _ => Self::Undefined,
        }
    }
}

impl Computed {
    /// A value that is one of these numbers, or none at all.
    fn within(exact: Exact, numbers: Option<Interval>) -> Self {
        Self { exact, numbers, infinities: [false; 2], nan: false, signs: [true; 2], open: None }
    }

    /// The number that it is, without any error.
    fn certain(&self) -> Option<&Interval> {
        let number = self.exact_number().filter(|number| number.is_point())?;
        self.numbers.as_ref().filter(|numbers| numbers.is_alike(number))
    }

    fn is_one(&self) -> bool {
        let is_one = |numbers: &Interval| numbers.is_positive() && numbers.as_power() == Some(0);
        self.numbers.as_ref().is_some_and(is_one) && !self.nan && self.infinities == [false; 2]
    }

    /// The same where partial results may overflow to +infinity, or to -infinity.
    fn with_overflow(mut self, overflows: [bool; 2]) -> Self {
        self.infinities = [0, 1].map(|at| self.infinities[at] || overflows[at]);
        self
    }
}

impl Neg for Computed {
    type Output = Self;

    fn neg(self) -> Self {
        let exact = match self.exact {
            Exact::Number(number) => Exact::Number(-number),
            Exact::Infinite { negative } => Exact::Infinite { negative: !negative },
            Exact::Undefined => Exact::Undefined,
        };
        let turned = |[plus, minus]: [bool; 2]| [minus, plus];
        Self {
            exact,
            numbers: self.numbers.map(|numbers| -numbers),
            infinities: turned(self.infinities),
            signs: turned(self.signs),
            ..self
        }
    }
}

/// The signs that products have.
fn product_signs(a: [bool; 2], b: [bool; 2]) -> [bool; 2] {
    [a[0] && b[0] || a[1] && b[1], a[0] && b[1] || a[1] && b[0]]
}
