//! Real numbers known by enclosures that can be refined: rounded, measured and compared exactly.
//!
//! A real number is a function from a number of bits b to an [`Enclosure`] that contains it: a point,
//! or two bounds of one sign that are less than 2^-b of the number apart. Whatever is asked is decided
//! as soon as both bounds give the same answer, and asked again with twice the bits until they do
//! (A. Ziv, *Fast Evaluation of Elementary Mathematical Functions with Correctly Rounded Last Bit*,
//! ACM Transactions on Mathematical Software 17, 1991).
//!
//! That ends if the number is irrational, because every boundary between answers is rational, and if
//! it is enclosed by a point from some b on. So **a rational number has to become a point**: a
//! quotient is one at once, a root that is rational at once too, e^x for x = 0. A function that breaks
//! this rule is asked without end. `docs/numerics.md` has the proofs.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_traits::{Signed, Zero};

use super::real::{Enclosure, Rational};
use super::truncated::Exact;
use super::{Conforming, Deviation};
use values::float::FloatFormat;

/// Bits that are asked for first.
pub(crate) const FIRST_BITS: u32 = 128;

/// Bits of the significand that decides rounding and distances, in every format: the unit in the last
/// place of binary64 and 20 more, and some to spare.
pub(super) const SIGNIFICAND_BITS: u32 = 80;

/// Exponents of such a significand. Beyond them all numbers are alike to every format: above twice
/// what is largest in binary64 by far, or below half of what is smallest.
const EXPONENTS: [i64; 2] = [-4200, 2800];

/// What contains a real number, and is asked what it decides of it.
pub trait Bounds {
    /// Whether the number is negative, and its magnitude cut to as many bits as rounding and distances need; `None`
    /// where not all numbers within the bounds are alike in this.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "nothing outside this crate decides")]
    fn truncated(&self) -> Option<(bool, Exact)>;

    /// The order of the number and a rational one, where it is the same for all numbers within the bounds.
    fn compare(&self, number: &Rational) -> Option<Ordering>;
}

/// The number of the format that is nearest to the real one, ties to even: `roundTiesToEven` of IEEE
/// 754-2019, 4.3.1. Overflow is an infinity, and a NaN in formats without infinities; a result that
/// rounds to zero has the real number's sign, and a real zero the sign that is given.
pub fn nearest<B: Bounds>(
    format: &'static FloatFormat,
    real: impl Fn(u32) -> B,
    zero_is_negative: bool,
) -> Conforming {
    let (negative, exact) = known(real);
    let is_zero = exact.significand == 0;
    exact.nearest(format, if is_zero { zero_is_negative } else { negative })
}

/// How far the element `actual` is from the real number.
pub fn deviation<B: Bounds>(
    format: &'static FloatFormat,
    real: impl Fn(u32) -> B,
    actual: u64,
) -> Deviation {
    let (negative, exact) = known(real);
    exact.deviation(format, negative, actual)
}

/// The order of the real number and a rational one.
pub fn compare<B: Bounds>(real: impl Fn(u32) -> B, number: &Rational) -> Ordering {
    refined(real, |bounds| bounds.compare(number))
}

/// Whether the real number is negative, and its magnitude.
pub(crate) fn known<B: Bounds>(real: impl Fn(u32) -> B) -> (bool, Exact) {
    refined(real, B::truncated)
}

/// As [`known`], of a number that may be rational without becoming a point; `None` where no bounds of up to so many bits
/// tell.
pub(crate) fn known_within<B: Bounds>(most: u32, real: impl Fn(u32) -> B) -> Option<(bool, Exact)> {
    precisions().take_while(|bits| *bits <= most).find_map(|bits| real(bits).truncated())
}

/// As [`compare`], of such a number.
pub(crate) fn compare_within<B: Bounds>(
    most: u32,
    real: impl Fn(u32) -> B,
    number: &Rational,
) -> Option<Ordering> {
    precisions().take_while(|bits| *bits <= most).find_map(|bits| real(bits).compare(number))
}

/// The bits that are asked for, one after the other.
fn precisions() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(FIRST_BITS), |bits| Some(bits.saturating_mul(2)))
}

/// What is decided from bounds that are close enough.
fn refined<B, T>(real: impl Fn(u32) -> B, decide: impl Fn(&B) -> Option<T>) -> T {
    let mut bits = FIRST_BITS;
    loop {
        if let Some(decided) = decide(&real(bits)) {
            return decided;
        }
        bits = bits.saturating_mul(2);
    }
}

#[expect(private_interfaces, reason = "nothing outside this crate decides")]
impl Bounds for Enclosure {
    fn truncated(&self) -> Option<(bool, Exact)> {
        let Self { lower, upper } = self;
        same_magnitude([lower, upper].map(Signed::is_negative), lower == upper, || {
            [lower, upper].map(cut)
        })
    }

    fn compare(&self, number: &Rational) -> Option<Ordering> {
        match (self.lower.cmp(number), self.upper.cmp(number)) {
            (Ordering::Greater, _) => Some(Ordering::Greater),
            (_, Ordering::Less) => Some(Ordering::Less),
            (Ordering::Equal, Ordering::Equal) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// The sign and magnitude that all numbers between two have when cut to a significand of
/// [`SIGNIFICAND_BITS`]; `None` where they differ, or where some but not all are exactly that.
pub(super) fn same_magnitude(
    [lower_is_negative, negative]: [bool; 2],
    is_point: bool,
    magnitudes: impl FnOnce() -> [Exact; 2],
) -> Option<(bool, Exact)> {
    if !is_point && lower_is_negative != negative {
        return None;
    }
    let [lower, upper] = magnitudes();
    if is_point {
        return Some((negative, lower));
    }
    let below = if negative { upper } else { lower };
    let same = (lower.significand, lower.exponent) == (upper.significand, upper.exponent);
    (same && below.inexact).then_some((negative, below))
}

/// The magnitude of a number, cut to a significand of [`SIGNIFICAND_BITS`].
pub(super) fn cut(number: &Rational) -> Exact {
    ratio(number.numer().magnitude(), number.denom().magnitude(), 0)
}

/// `numerator / denominator * 2^exponent`, cut to a significand of [`SIGNIFICAND_BITS`].
pub(crate) fn ratio(numerator: &BigUint, denominator: &BigUint, exponent: i64) -> Exact {
    if numerator.is_zero() {
        return Exact::ZERO;
    }
    // By a power of two nothing is divided.
    let zeros = denominator.trailing_zeros().unwrap_or(0);
    if zeros + 1 == denominator.bits() {
        return whole(numerator, exponent - zeros as i64);
    }
    // A quotient of integers with m and n bits is between 2^(m - n - 1) and 2^(m - n + 1).
    let excess = numerator.bits() as i64 - denominator.bits() as i64;
    let shift = i64::from(SIGNIFICAND_BITS) + 1 - excess;
    let by = shift.unsigned_abs();
    let (dividend, divisor) = if shift.is_negative() {
        (numerator.clone(), denominator << by)
    } else {
        (numerator << by, denominator.clone())
    };
    let quotient = &dividend / &divisor;
    let surplus = quotient.bits() - u64::from(SIGNIFICAND_BITS);
    let significand = &quotient >> surplus;
    let inexact = (&significand << surplus) * divisor != dividend;
    Exact {
        significand: words(&significand),
        exponent: within_exponents(exponent - shift + surplus as i64),
        inexact,
    }
}

/// `number * 2^exponent`, likewise; the number is not zero.
fn whole(number: &BigUint, exponent: i64) -> Exact {
    let surplus = number.bits() as i64 - i64::from(SIGNIFICAND_BITS);
    let by = surplus.unsigned_abs();
    let significand = if surplus < 0 { number << by } else { number >> by };
    let inexact = surplus > 0 && number.trailing_zeros().is_some_and(|zeros| zeros < by);
    let significand = words(&significand);
    Exact { significand, exponent: within_exponents(exponent + surplus), inexact }
}

/// A number of 128 bits at most.
fn words(number: &BigUint) -> u128 {
    let mut digits = number.iter_u64_digits().map(u128::from);
    let [low, high] = [(); 2].map(|()| digits.next().unwrap_or(0));
    high << u64::BITS | low
}

/// The exponent, or one of the same effect.
pub(crate) fn within_exponents(exponent: i64) -> i32 {
    let [lowest, highest] = EXPONENTS;
    exponent.clamp(lowest, highest) as i32
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use num_bigint::BigInt;
    use num_traits::One;
    use proptest::prelude::*;

    use super::*;
    use crate::exact::Ulps;
    use crate::exact::real::{self, power_of_two};
    use crate::operators::div::{Division, div, div_error};
    use crate::operators::sqrt::{sqrt, sqrt_error};
    use values::dtype::{DType, Kind};

    const FLOATS: [DType; 8] = [
        DType::Float8E4M3Fn,
        DType::Float8E4M3Fnuz,
        DType::Float8E5M2,
        DType::Float8E5M2Fnuz,
        DType::Float16,
        DType::Bfloat16,
        DType::Float32,
        DType::Float64,
    ];

    fn format(dtype: DType) -> &'static FloatFormat {
        match dtype.kind() {
            Kind::Float(format) => format,
            _ => panic!("{dtype} is no floating-point type"),
        }
    }

    fn point(number: Rational) -> impl Fn(u32) -> Enclosure {
        move |_| Enclosure::point(number.clone())
    }

    /// The number with bounds that come no closer than asked, and never are the number.
    fn around(number: Rational) -> impl Fn(u32) -> Enclosure {
        move |bits| {
            let margin = number.abs() * power_of_two(-(bits as i32) - 2);
            Enclosure { lower: &number - &margin, upper: &number + &margin / BigInt::from(3) }
        }
    }

    fn elements() -> impl Strategy<Value = (DType, u64, u64, u64)> {
        (prop::sample::select(FLOATS.to_vec()), any::<[u64; 3]>()).prop_map(|(dtype, elements)| {
            let [a, b, c] = elements.map(|bits| bits >> (u64::BITS - format(dtype).width()));
            (dtype, a, b, c)
        })
    }

    /// The conforming result itself, its neighbours, or anything.
    fn judged(conforming: &Conforming, any: u64) -> u64 {
        match *conforming {
            Conforming::One(bits) => {
                [bits, bits ^ 1, bits.saturating_sub(1), any][any as usize % 4]
            }
            _ => any,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_power_of_two_divides_as_any_number_does(
            words in prop::collection::vec(any::<u32>(), 1..9),
            [up, down] in [0_u32..200, 0_u32..400],
        ) {
            let number = BigUint::new(words) << up;
            prop_assume!(!number.is_zero());
            let divisor = BigUint::one() << down;
            let by_power = ratio(&number, &divisor, 7);
            // The same quotient, by numbers that have another factor.
            let other = ratio(&(&number * 3_u32), &(divisor * 3_u32), 7);
            prop_assert_eq!(by_power.significand, other.significand);
            prop_assert_eq!(by_power.exponent, other.exponent);
            prop_assert_eq!(by_power.inexact, other.inexact);
        }

        #[test]
        fn quotients_given_as_points_round_and_deviate_as_division_has_it(
            (dtype, a, b, c) in elements(),
        ) {
            let (Some(x), Some(y)) = (real::value(dtype, a), real::value(dtype, b)) else {
                return Ok(());
            };
            prop_assume!(!y.is_zero());
            let negative = format(dtype).is_negative(a) != format(dtype).is_negative(b);
            let quotient = div(Division::Div, dtype, a, b).unwrap();
            prop_assert_eq!(nearest(format(dtype), point(&x / &y), negative), quotient);
            let actual = judged(&div(Division::Div, dtype, a, b).unwrap(), c);
            let error = div_error(dtype, a, b, actual).unwrap();
            prop_assert_eq!(deviation(format(dtype), point(&x / &y), actual), error);
        }

        #[test]
        fn roots_given_as_enclosures_round_and_deviate_as_the_square_root_has_it(
            (dtype, a, _, c) in elements(),
        ) {
            let Some(x) = real::value(dtype, a).filter(|x| !x.is_negative()) else {
                return Ok(());
            };
            let root = |bits| real::sqrt(&x, bits).unwrap();
            let conforming = sqrt(dtype, a).unwrap();
            prop_assert_eq!(nearest(format(dtype), root, format(dtype).is_negative(a)), conforming);
            let actual = judged(&sqrt(dtype, a).unwrap(), c);
            let error = sqrt_error(dtype, a, actual).unwrap();
            prop_assert_eq!(deviation(format(dtype), root, actual), error);
        }

        #[test]
        fn bounds_that_never_meet_decide_as_the_number_between_them(
            (dtype, a, b, c) in elements(),
            third in prop::sample::select(vec![3_u8, 7, 11]),
        ) {
            let (Some(x), Some(y)) = (real::value(dtype, a), real::value(dtype, b)) else {
                return Ok(());
            };
            // Never a multiple of a power of two, which the bounds around it could not decide.
            let number = (x + y) / BigInt::from(third);
            let is_dyadic = number.denom().magnitude().count_ones() == 1;
            prop_assume!(!is_dyadic);
            let format = format(dtype);
            prop_assert_eq!(
                nearest(format, around(number.clone()), false),
                nearest(format, point(number.clone()), false)
            );
            prop_assert_eq!(
                deviation(format, around(number.clone()), c),
                deviation(format, point(number.clone()), c)
            );
        }
    }

    #[test]
    fn a_real_number_is_asked_again_until_its_bounds_round_alike() {
        let tie = Rational::one() + power_of_two(-11);
        for (offset, expected, asked) in [(-300, 0x3c01, 512), (-100, 0x3c01, 128)] {
            let number = &tie + power_of_two(offset) / BigInt::from(3);
            let most = Cell::new(0);
            let real = |bits| {
                most.set(bits);
                around(number.clone())(bits)
            };
            let rounded = nearest(&FloatFormat::FLOAT16, real, false);
            assert_eq!(rounded, Conforming::One(expected));
            assert_eq!(most.get(), asked, "2^{offset}");
        }
        assert_eq!(nearest(&FloatFormat::FLOAT16, point(tie), false), Conforming::One(0x3c00));
    }

    #[test]
    fn a_bound_that_is_a_tie_does_not_make_the_number_one() {
        let tie = Rational::one() + power_of_two(-11);
        let number = &tie + power_of_two(-300);
        let real = |bits| match bits {
            0..1000 => Enclosure { lower: tie.clone(), upper: &tie + power_of_two(-200) },
            _ => Enclosure::point(number.clone()),
        };
        assert_eq!(nearest(&FloatFormat::FLOAT16, real, false), Conforming::One(0x3c01));
    }

    #[test]
    fn numbers_beyond_a_format_overflow_or_round_to_a_zero_of_their_sign() {
        let beyond = [40_000, 3000, 1025].map(|exponent| power_of_two(exponent) * BigInt::from(5));
        for dtype in FLOATS {
            let format = format(dtype);
            for (number, negative) in beyond.iter().flat_map(|n| [(n, false), (n, true)]) {
                let signed = if negative { -number } else { number.clone() };
                let small = signed.recip() * power_of_two(-100);
                let rounds_to = |number: Rational, conforming| {
                    assert_eq!(nearest(format, point(number.clone()), !negative), conforming);
                    let other = number / BigInt::from(3);
                    assert_eq!(nearest(format, around(other), !negative), conforming);
                };
                rounds_to(signed, crate::exact::number::infinity(format, negative));
                rounds_to(small, crate::exact::number::zero(format, negative));
            }
        }
        // A tie with the even number 448 is no overflow, but what lies above it is.
        let (e4m3, above) = (&FloatFormat::FLOAT8E4M3FN, power_of_two(-100));
        let threshold = real::overflow_threshold(e4m3);
        assert_eq!(nearest(e4m3, point(threshold.clone()), false), Conforming::One(0x7e));
        assert_eq!(nearest(e4m3, point(threshold + above), false), Conforming::AnyNan(e4m3));
    }

    #[test]
    fn a_real_zero_has_the_sign_that_is_given() {
        let zero = || point(Rational::zero());
        assert_eq!(nearest(&FloatFormat::FLOAT32, zero(), false), Conforming::One(0));
        assert_eq!(nearest(&FloatFormat::FLOAT32, zero(), true), Conforming::One(1 << 31));
        let none = Deviation::Ulps(Ulps::ZERO);
        assert_eq!(deviation(&FloatFormat::FLOAT32, zero(), 1 << 31), none);
    }

    #[test]
    fn a_real_number_is_less_than_equal_to_or_greater_than_a_rational_one() {
        let two = Rational::from(BigInt::from(2));
        let root = |bits| real::sqrt(&two, bits).unwrap();
        let close = |bits| real::sqrt(&two, bits).unwrap();
        assert_eq!(compare(root, &close(900).lower), Ordering::Greater);
        assert_eq!(compare(root, &close(900).upper), Ordering::Less);
        let four = &two * &two;
        assert_eq!(compare(|bits| real::sqrt(&four, bits).unwrap(), &two), Ordering::Equal);
        assert_eq!(compare(point(-&two), &-two), Ordering::Equal);
    }
}
