//! Sums and dot products whose condition number and exact value are known, in orders that defeat one way of adding
//! them up or another.
//!
//! The condition number of a sum is the sum of its terms' magnitudes over the magnitude of the sum: how many times
//! as large an error relative to the sum may be as one relative to its terms. The terms are made as T. Ogita, S. Rump
//! and S. Oishi do (*Accurate Sum and Dot Product*, SIAM J. Sci. Comput. 26, 2005, algorithm 6.1): the exponents of
//! the first half are drawn; each term of the second half takes away what the exact sum is beyond a number whose
//! exponent falls evenly down to the least. Both the sum and its condition number are computed from the terms as they
//! are then, as integers.

use std::collections::VecDeque;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;
use values::float::{Class, FloatFormat};
use values::random::Random;

use crate::exact::Conforming;
use crate::exact::dot::DotProduct;
use crate::exact::enclosed;
use crate::exact::number::{Magnitude, Value, smallest_exponent};
use crate::exact::sum::Terms;

/// A term: the product of two elements, of which the second is 1 in a sum of elements.
pub type Term = [u64; 2];

/// Exponents that terms without cancellation differ by.
const SPREAD: i32 = 2;

/// Terms with a condition number of about 2^`condition`, shuffled; with 0 all of them are positive, and it is 1. Their sum is not 0. Where
/// the format has too few exponents for so many terms, or these are too few, the condition number is less.
pub fn drawn(
    format: &'static FloatFormat,
    kind: Terms,
    length: usize,
    condition: u32,
    random: &mut Random,
) -> Vec<Term> {
    let mut terms = if condition == 0 {
        positive(format, kind, length, random)
    } else {
        cancelling(format, kind, length, condition, random)
    };
    // Fisher and Yates: each order is as likely.
    for last in (1..terms.len()).rev() {
        terms.swap(last, random.below(last as u64 + 1) as usize);
    }
    terms
}

/// The exponents of the least and the largest terms: as far apart as asked, if so many terms can then neither overflow nor
/// be subnormal.
fn exponents(format: &FloatFormat, length: usize, apart: i32) -> [i32; 2] {
    let doublings = length.next_power_of_two().trailing_zeros() as i32;
    let most = (apart / 2).min(format.bias - 2 - doublings);
    let least = (most - apart).max(1 - format.bias);
    [least.min(most), most]
}

fn positive(
    format: &'static FloatFormat,
    kind: Terms,
    length: usize,
    random: &mut Random,
) -> Vec<Term> {
    let [least, most] = exponents(format, length, SPREAD);
    let element = |random: &mut Random| {
        let exponent = random.between(least.into(), most.into()) as i32;
        significant(format, exponent, random)
    };
    let one = one(format);
    let term = |_| match kind {
        Terms::Elements => [element(random), one],
        // One factor takes the exponent, the other is between 1 and 2.
        Terms::Products => [element(random), significant(format, 0, random)],
    };
    (0..length).map(term).collect()
}

fn cancelling(
    format: &'static FloatFormat,
    kind: Terms,
    length: usize,
    condition: u32,
    random: &mut Random,
) -> Vec<Term> {
    let [least, most] = exponents(format, length, condition as i32);
    let (unit, one) = (2 * smallest_exponent(format), one(format));
    let (half, apart) = (length.div_ceil(2), most - least);
    let mut terms: Vec<Term> = Vec::with_capacity(length);
    let mut sum = BigInt::ZERO;
    let signed = |element: u64, random: &mut Random| match random.below(2) {
        0 => element,
        _ => format.negated(element),
    };
    // A factor with half of an exponent, and a factor with the rest of it.
    let factor = |exponent: i32, random: &mut Random| {
        let element = significant(format, exponent.div_euclid(2), random);
        signed(element, random)
    };
    for at in 0..length {
        let is_first = at < half;
        let exponent = match at {
            0 => most,
            _ if at + 1 == half || at + 1 == length => least,
            _ if is_first => random.between(least.into(), most.into()) as i32,
            _ => {
                let (done, steps) = ((at - half) as i64, (length - half - 1) as i64);
                most - (i64::from(apart) * done / steps) as i32
            }
        };
        let term = match (kind, is_first) {
            (Terms::Elements, true) => {
                let element = significant(format, exponent, random);
                [signed(element, random), one]
            }
            (Terms::Products, true) => {
                let rest = exponent - exponent.div_euclid(2);
                let other = significant(format, rest, random);
                [factor(exponent, random), signed(other, random)]
            }
            (_, false) => {
                let target = signed(significant(format, exponent, random), random);
                let rest = contribution(format, [target, one], unit) - &sum;
                match kind {
                    Terms::Elements => [quotient(format, &rest, unit, one), one],
                    Terms::Products => {
                        let factor = factor(exponent, random);
                        [factor, quotient(format, &rest, unit, factor)]
                    }
                }
            }
        };
        sum += contribution(format, term, unit);
        terms.push(term);
    }
    if sum.is_zero()
        && let Some([a, b]) = terms.last_mut()
    {
        // Its neighbour makes another sum.
        let changed = if kind == Terms::Elements { a } else { b };
        *changed += 1;
    }
    terms
}

/// The bits of 1.
const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

/// A positive element with an exponent, whose other bits are drawn.
fn significant(format: &FloatFormat, exponent: i32, random: &mut Random) -> u64 {
    let biased = (exponent + format.bias).clamp(1, 2 * format.bias) as u64;
    biased << format.significand_bits | random.below(1 << format.significand_bits)
}

/// A term in steps of `2^unit`, of which it is a multiple.
fn contribution(format: &FloatFormat, [a, b]: Term, unit: i32) -> BigInt {
    let (Value::Finite(x), Value::Finite(y)) = (Value::of(format, a), Value::of(format, b)) else {
        return BigInt::ZERO;
    };
    let product = BigUint::from(u128::from(x.significand) * u128::from(y.significand));
    let steps = product << (x.exponent + y.exponent - unit).unsigned_abs();
    let is_negative = format.is_negative(a) != format.is_negative(b);
    BigInt::from_biguint(if is_negative { Sign::Minus } else { Sign::Plus }, steps)
}

/// The element nearest to so many steps of `2^unit` over another element; 0 where none is finite.
fn quotient(format: &'static FloatFormat, steps: &BigInt, unit: i32, divisor: u64) -> u64 {
    let Value::Finite(Magnitude { significand, exponent }) = Value::of(format, divisor) else {
        return 0;
    };
    let is_negative = steps.sign() == Sign::Minus;
    let exact = enclosed::ratio(steps.magnitude(), &significand.into(), i64::from(unit - exponent));
    match exact.nearest(format, is_negative != format.is_negative(divisor)) {
        Conforming::One(bits) if format.class(bits) != Class::Infinite => bits,
        _ => 0,
    }
}

/// The logarithm of the condition number to base 2, rounded down; `None` where the sum is 0, or no number.
pub fn condition(format: &'static FloatFormat, terms: &[Term]) -> Option<u32> {
    let mut dot = DotProduct::new(format, format).ok()?;
    dot.extend(terms.iter().map(|&[a, b]| (a, b)));
    let (sum, magnitudes) = (dot.sum()?, dot.magnitudes()?);
    if sum.is_zero() {
        return None;
    }
    let condition = (magnitudes / sum).to_integer().magnitude().bits();
    u32::try_from(condition.checked_sub(1)?).ok()
}

/// An order of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// As they were shuffled.
    Drawn,
    /// The smallest magnitude first.
    Ascending,
    /// The largest magnitude first.
    Descending,
    /// The largest magnitude first, and the largest of the other sign last: whatever is added one by one is added to it.
    Apart,
    /// All that are positive before all that are negative: each half of a pairwise sum is large.
    Halves,
    /// Four positive ones and four negative ones in turn: each of 8 lanes is large.
    Lanes8,
    /// Eight and eight: each of 16 lanes is.
    Lanes16,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Drawn,
        Self::Ascending,
        Self::Descending,
        Self::Apart,
        Self::Halves,
        Self::Lanes8,
        Self::Lanes16,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drawn => "drawn",
            Self::Ascending => "ascending",
            Self::Descending => "descending",
            Self::Apart => "apart",
            Self::Halves => "halves",
            Self::Lanes8 => "lanes8",
            Self::Lanes16 => "lanes16",
        }
    }

    /// Terms in this order.
    pub fn of(self, format: &FloatFormat, terms: &[Term]) -> Vec<Term> {
        let mut ordered = terms.to_vec();
        let is_negative = |[a, b]: Term| format.is_negative(a) != format.is_negative(b);
        match self {
            Self::Drawn => {}
            Self::Ascending => ordered.sort_by_cached_key(|term| size(format, *term)),
            Self::Descending => {
                ordered.sort_by_cached_key(|term| std::cmp::Reverse(size(format, *term)));
            }
            Self::Apart => {
                let largest = |of: &dyn Fn(&Term) -> bool, terms: &[Term]| {
                    let all = terms.iter().enumerate().filter(|(_, term)| of(term));
                    all.max_by_key(|(_, term)| size(format, **term)).map(|(at, _)| at)
                };
                let Some(first) = largest(&|_| true, &ordered) else { return ordered };
                let first = ordered.remove(first);
                let sign = is_negative(first);
                if let Some(last) = largest(&|term| is_negative(*term) != sign, &ordered) {
                    let last = ordered.remove(last);
                    ordered.push(last);
                }
                ordered.insert(0, first);
            }
            Self::Halves => ordered.sort_by_key(|term| is_negative(*term)),
            Self::Lanes8 => ordered = in_turn(ordered, 4, is_negative),
            Self::Lanes16 => ordered = in_turn(ordered, 8, is_negative),
        }
        ordered
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// So many positive terms and as many negative ones in turn, and in the end what is left.
fn in_turn(terms: Vec<Term>, count: usize, is_negative: impl Fn(Term) -> bool) -> Vec<Term> {
    let (negative, positive): (VecDeque<Term>, VecDeque<Term>) =
        terms.into_iter().partition(|term| is_negative(*term));
    let mut sides = [positive, negative];
    let mut ordered = Vec::new();
    while sides.iter().any(|side| !side.is_empty()) {
        for side in &mut sides {
            ordered.extend(side.drain(..count.min(side.len())));
        }
    }
    ordered
}

/// What magnitudes are in order by: the exponent of the leading bit, and the bits from there on.
fn size(format: &FloatFormat, [a, b]: Term) -> (i32, u128) {
    let (Value::Finite(a), Value::Finite(b)) = (Value::of(format, a), Value::of(format, b)) else {
        return (i32::MIN, 0);
    };
    let product = u128::from(a.significand) * u128::from(b.significand);
    let zeros = product.leading_zeros();
    (a.exponent + b.exponent - zeros as i32, product << zeros)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use num_traits::Signed;
    use values::dtype::DType;

    use super::*;
    use crate::exact::real::{self, Rational};

    const TYPES: [(DType, &FloatFormat); 4] = [
        (DType::Float16, &FloatFormat::FLOAT16),
        (DType::Bfloat16, &FloatFormat::BFLOAT16),
        (DType::Float32, &FloatFormat::FLOAT32),
        (DType::Float64, &FloatFormat::FLOAT64),
    ];

    const KINDS: [Terms; 2] = [Terms::Elements, Terms::Products];

    fn terms(
        format: &'static FloatFormat,
        kind: Terms,
        length: usize,
        condition: u32,
    ) -> Vec<Term> {
        drawn(format, kind, length, condition, &mut Random::for_case("conditioned"))
    }

    /// What each term is, as a rational number.
    fn numbers(dtype: DType, terms: &[Term]) -> Vec<Rational> {
        let number = |bits| real::value(dtype, bits).unwrap();
        terms.iter().map(|&[a, b]| number(a) * number(b)).collect()
    }

    #[test]
    fn terms_are_as_many_as_asked_and_the_same_whenever_they_are_drawn() {
        for (dtype, format) in TYPES {
            for kind in KINDS {
                for length in [2, 3, 4, 31, 256] {
                    for condition in [0, 8, 24, 60] {
                        let drawn = terms(format, kind, length, condition);
                        assert_eq!(drawn.len(), length);
                        assert_eq!(drawn, terms(format, kind, length, condition));
                        let one = one(format);
                        let is_plain = drawn.iter().all(|&[_, b]| b == one);
                        assert_eq!(is_plain, kind == Terms::Elements, "{dtype} {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_condition_number_is_that_of_the_rational_numbers_and_about_what_was_asked() {
        for (dtype, format) in TYPES {
            let precision = format.precision();
            for kind in KINDS {
                for asked in [0, precision / 2, precision, 2 * precision] {
                    let terms = terms(format, kind, 64, asked);
                    let numbers = numbers(dtype, &terms);
                    let sum: Rational = numbers.iter().sum();
                    let magnitudes: Rational = numbers.iter().map(Signed::abs).sum();
                    let ratio = magnitudes / sum.abs();
                    let condition = condition(format, &terms).unwrap();
                    let floor = real::power_of_two(condition as i32);
                    assert!(floor <= ratio && ratio < floor * Rational::from(BigInt::from(2)));
                    // float16 has no exponents for more with so many terms.
                    let reached = if dtype == DType::Float16 { asked.min(16) } else { asked };
                    let about = reached.saturating_sub(4)..=reached + 8;
                    assert!(about.contains(&condition), "{dtype} {kind:?} {asked}: {condition}");
                    assert_eq!(asked == 0, condition == 0);
                }
            }
        }
    }

    #[test]
    fn no_sum_is_zero_and_no_partial_sum_overflows() {
        for (dtype, format) in TYPES {
            let limit = real::overflow_threshold(format);
            for kind in KINDS {
                for length in [2, 3, 5, 1000] {
                    for condition in [0, 1, 11, 24, 48, 106] {
                        let numbers = numbers(dtype, &terms(format, kind, length, condition));
                        let sum: Rational = numbers.iter().sum();
                        assert!(!sum.is_zero(), "{dtype} {kind:?} {length} {condition}");
                        let magnitudes: Rational = numbers.iter().map(Signed::abs).sum();
                        assert!(magnitudes < limit, "{dtype} {kind:?} {length} {condition}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_order_has_the_same_terms_and_is_what_its_name_says() {
        let format = &FloatFormat::FLOAT32;
        for kind in KINDS {
            let terms = terms(format, kind, 100, 48);
            let count = |terms: &[Term]| {
                let mut count = BTreeMap::new();
                terms.iter().for_each(|term| *count.entry(*term).or_insert(0) += 1);
                count
            };
            let in_order = |order: Order| {
                let ordered = order.of(format, &terms);
                assert_eq!(count(&ordered), count(&terms), "{order}");
                numbers(DType::Float32, &ordered)
            };
            assert_eq!(Order::Drawn.of(format, &terms), terms);
            let ascending = in_order(Order::Ascending);
            assert!(ascending.is_sorted_by_key(Signed::abs));
            let mut descending = in_order(Order::Descending);
            descending.reverse();
            assert!(descending.is_sorted_by_key(Signed::abs));

            let apart = in_order(Order::Apart);
            let largest = ascending.last().unwrap();
            assert_eq!(&apart[0], largest);
            let other = ascending.iter().rfind(|one| one.signum() != largest.signum()).unwrap();
            assert_eq!(apart.last().unwrap(), other);

            let halves = in_order(Order::Halves);
            assert!(halves.is_sorted_by_key(Signed::is_negative));
            assert!(halves[0].is_positive() && halves[99].is_negative());
            for (order, width) in [(Order::Lanes8, 8), (Order::Lanes16, 16)] {
                let lanes = in_order(order);
                for (at, number) in lanes.iter().take(64).enumerate() {
                    assert_eq!(number.is_negative(), at % width >= width / 2, "{order} {at}");
                }
            }
        }
    }

    #[test]
    fn orders_defeat_the_summations_that_they_are_made_for() {
        let format = &FloatFormat::FLOAT32;
        let terms = terms(format, Terms::Elements, 1000, 24);
        let exact: Rational = numbers(DType::Float32, &terms).iter().sum();
        let one_by_one = |order: Order| {
            let ordered = order.of(format, &terms).into_iter();
            let sum = ordered.fold(0.0_f32, |sum, [a, _]| sum + f32::from_bits(a as u32));
            (real::value(DType::Float32, sum.to_bits().into()).unwrap() - &exact).abs()
        };
        // What is added one by one loses most of it beside a large number.
        assert!(one_by_one(Order::Halves) > one_by_one(Order::Ascending));
        assert!(one_by_one(Order::Apart) > real::power_of_two(-4) * exact.abs());
    }
}
