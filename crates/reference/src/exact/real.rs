//! Div and Sqrt over the real numbers.
//!
//! Elements are rational numbers: every element of every type is one, and so are the examples of the
//! documents. Quotients are exact. A root is in general no rational number; it is enclosed between
//! two of them, as closely as asked.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Number;
use super::number::{Magnitude, Value, greatest};
use values::dtype::DType;
use values::float::FloatFormat;

/// An exact rational number of any size.
pub use num_rational::BigRational as Rational;

/// Two rational numbers with a real number between them, or equal to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// At most the real number.
    pub lower: Rational,
    /// At least the real number.
    pub upper: Rational,
}

impl Enclosure {
    /// A number that is known exactly.
    pub fn point(number: Rational) -> Self {
        Self { lower: number.clone(), upper: number }
    }

    /// The number, where it is known exactly.
    pub fn exact(&self) -> Option<&Rational> {
        (self.lower == self.upper).then_some(&self.lower)
    }

    /// Whether the number lies between the bounds or on one.
    pub fn contains(&self, number: &Rational) -> bool {
        (&self.lower..=&self.upper).contains(&number)
    }
}

/// `significand * 2^exponent`.
pub(crate) fn scaled(significand: BigInt, exponent: impl Into<i64>) -> Rational {
    let exponent = exponent.into();
    let zeros = significand.trailing_zeros().unwrap_or(0);
    let by = exponent.unsigned_abs();
    // The denominator is a power of two, so that no other factor is to be divided by.
    match (exponent.is_negative(), by.checked_sub(zeros)) {
        _ if significand.is_zero() => Rational::zero(),
        (false, _) => Rational::from(significand << by),
        (true, None | Some(0)) => Rational::from(significand >> by),
        (true, Some(left)) => Rational::new_raw(significand >> zeros, BigInt::one() << left),
    }
}

/// The fraction of a numerator and a denominator above 0, in lowest terms.
pub(crate) fn fraction(numerator: BigInt, denominator: BigInt) -> Rational {
    let zeros = |number: &BigInt| number.trailing_zeros().unwrap_or(u64::MAX);
    let common = zeros(&numerator).min(zeros(&denominator));
    let (numerator, denominator) = (numerator >> common, denominator >> common);
    // What is left of a power of two has no divisor with the other in common.
    if denominator.magnitude().count_ones() == 1 && !numerator.is_zero() {
        return Rational::new_raw(numerator, denominator);
    }
    // They are not both even, so no divisor that they have in common is.
    let odd = |number: &BigInt| number.magnitude() >> number.trailing_zeros().unwrap_or(0);
    let short = |number: &BigInt| u128::try_from(odd(number)).ok();
    // Of a number that is long its rest tells the same.
    let rest = |number: &BigInt, divisor: u128| (number.magnitude() % divisor).to_u128();
    let divisor = match [short(&numerator), short(&denominator)] {
        _ if numerator.is_zero() => None,
        [Some(a), Some(b)] => Some(greatest_divisor(a, b)),
        [None, Some(b)] => rest(&numerator, b).map(|a| greatest_divisor(a, b)),
        [Some(a), None] => rest(&denominator, a).map(|b| greatest_divisor(b, a)),
        [None, None] => None,
    };
    match divisor {
        Some(1) => Rational::new_raw(numerator, denominator),
        Some(divisor) => Rational::new_raw(numerator / divisor, denominator / divisor),
        None => Rational::new(numerator, denominator),
    }
}

/// The greatest divisor that a number has in common with another, which is odd.
fn greatest_divisor(mut a: u128, mut b: u128) -> u128 {
    while a != 0 {
        a >>= a.trailing_zeros();
        (a, b) = (a.abs_diff(b), a.min(b));
    }
    b
}

/// The sum of two numbers.
pub(crate) fn sum(a: &Rational, b: &Rational) -> Rational {
    if a.denom() == b.denom() {
        return fraction(a.numer() + b.numer(), a.denom().clone());
    }
    fraction(a.numer() * b.denom() + b.numer() * a.denom(), a.denom() * b.denom())
}

/// The first number less the second.
pub(crate) fn difference(a: &Rational, b: &Rational) -> Rational {
    if a.denom() == b.denom() {
        return fraction(a.numer() - b.numer(), a.denom().clone());
    }
    fraction(a.numer() * b.denom() - b.numer() * a.denom(), a.denom() * b.denom())
}

/// Their product.
pub(crate) fn product(a: &Rational, b: &Rational) -> Rational {
    fraction(a.numer() * b.numer(), a.denom() * b.denom())
}

/// `2^exponent`.
pub fn power_of_two(exponent: i32) -> Rational {
    scaled(BigInt::one(), exponent)
}

/// The real number half a unit in the last place above the largest number of a format: results
/// below it round to numbers of the format, results above it overflow. On it IEEE 754's formats
/// overflow too.
pub fn overflow_threshold(format: &FloatFormat) -> Rational {
    let Magnitude { significand, exponent } = greatest(format);
    scaled(BigInt::from(2 * significand + 1), exponent - 1)
}

/// The real number that an element is; `None` for NaNs and infinities, and for types that the
/// oracle does not know.
pub fn value(dtype: DType, bits: u64) -> Option<Rational> {
    match Number::of(dtype)? {
        Number::Int(int) => Some(Rational::from(BigInt::from(int.value(bits)))),
        Number::Float(format) => of_float(format, bits),
    }
}

/// The number that an element of a format is; `None` for NaNs and infinities.
pub(crate) fn of_float(format: &FloatFormat, bits: u64) -> Option<Rational> {
    match Value::of(format, bits) {
        Value::Nan | Value::Infinite => None,
        Value::Zero => Some(Rational::zero()),
        Value::Finite(magnitude) => {
            let value = scaled(magnitude.significand.into(), magnitude.exponent);
            Some(if format.is_negative(bits) { -value } else { value })
        }
    }
}

/// `a / b`; `None` (undefined) where `b` is 0.
pub fn div(a: &Rational, b: &Rational) -> Option<Rational> {
    (!b.is_zero()).then(|| a / b)
}

/// The non-negative y with y * y = `x`; `None` (undefined) where `x` is negative.
///
/// The bounds are equal where y is rational. Elsewhere they are less than `2^-bits` of y apart. Time
/// and memory grow with `bits`.
pub fn sqrt(x: &Rational, bits: u32) -> Option<Enclosure> {
    if x.is_negative() {
        return None;
    }
    if x.is_zero() {
        return Some(Enclosure::point(Rational::zero()));
    }
    // With x = n / d in lowest terms y is sqrt(n d) / d, rational only if n d is a square. The root
    // r of n d 4^k, rounded down, has more than `bits` bits, and y is between r and r + 1 divided
    // by d 2^k.
    let radicand = x.numer() * x.denom();
    let shift = (u64::from(bits) + 1).saturating_sub(radicand.bits() / 2);
    let radicand = radicand << (2 * shift);
    let root = radicand.sqrt();
    let divisor = x.denom() << shift;
    let is_square = &root * &root == radicand;
    let above = if is_square { root.clone() } else { &root + 1 };
    Some(Enclosure {
        lower: Rational::new(root, divisor.clone()),
        upper: Rational::new(above, divisor),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A decimal number, exactly.
    fn decimal(text: &str) -> Rational {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
        Rational::new(digits, BigInt::from(10).pow(fraction.len() as u32))
    }

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    /// Numbers with many divisors, of up to some 180 bits.
    fn divisible() -> impl Strategy<Value = BigInt> {
        let factors =
            prop::collection::vec(prop_oneof![Just(2_u64), 1..40_u64, any::<u64>()], 0..6);
        factors.prop_map(|factors| factors.into_iter().map(BigInt::from).product())
    }

    proptest! {
        #[test]
        fn fractions_sums_and_products_are_in_lowest_terms(
            [a, b, c, d] in [divisible(), divisible(), divisible(), divisible()],
            is_negative in any::<bool>(),
        ) {
            let [a, b, c, d] = [if is_negative { -a } else { a }, b + 1, c - 1, d + 1];
            let [x, y] = [(&a, &b), (&c, &d)].map(|(a, b)| Rational::new(a.clone(), b.clone()));
            let of = |number: &Rational| (number.numer().clone(), number.denom().clone());
            prop_assert_eq!(of(&fraction(a, b)), of(&x));
            prop_assert_eq!(of(&sum(&x, &y)), of(&(&x + &y)));
            prop_assert_eq!(of(&difference(&x, &y)), of(&(&x - &y)));
            prop_assert_eq!(of(&product(&x, &y)), of(&(&x * &y)));
        }
    }

    #[test]
    fn the_real_examples_of_sonnx_div_have_these_quotients() {
        for (a, b, numerator, denominator) in [
            ("6.1", "3", 61, 30),
            ("9.5", "3.3", 95, 33),
            ("35.7", "5.1", 7, 1),
            ("3.7", "3", 37, 30),
            ("4.4", "2.2", 2, 1),
            ("16.2", "4.1", 162, 41),
            ("0.5", "1", 1, 2),
            ("25.3", "5.2", 253, 52),
            ("24.8", "4", 31, 5),
        ] {
            let quotient = div(&decimal(a), &decimal(b));
            assert_eq!(quotient, Some(ratio(numerator, denominator)), "{a} / {b}");
        }
    }

    #[test]
    fn a_real_quotient_by_zero_is_undefined() {
        assert_eq!(div(&ratio(1, 1), &ratio(0, 1)), None);
        assert_eq!(div(&ratio(0, 1), &ratio(0, 1)), None);
    }

    #[test]
    fn the_real_examples_of_sonnx_sqrt_have_these_roots() {
        for (x, root) in [("1", "1"), ("4", "2"), ("0.25", "0.5"), ("2.25", "1.5"), ("0.0", "0")] {
            assert_eq!(sqrt(&decimal(x), 0).unwrap().exact(), Some(&decimal(root)), "{x}");
        }
        // The document prints the others as binary32 has them: to 24 bits, half of the last unknown.
        for (x, printed) in [
            ("2", "1.41421354"),
            ("0.1", "0.31622776"),
            ("10", "3.16227770"),
            ("1000", "31.62277603"),
        ] {
            let root = sqrt(&decimal(x), 100).unwrap();
            assert_eq!(root.exact(), None);
            let error = (root.lower / decimal(printed) - Rational::one()).abs();
            assert!(error < power_of_two(-24), "{x}: {error}");
        }
    }

    #[test]
    fn a_root_is_known_no_more_closely_than_asked_but_for_what_the_radicand_gives() {
        let long = power_of_two(201) + Rational::one();
        let width = |bits| sqrt(&long, bits).map(|root| root.upper - root.lower);
        assert_eq!(
            [0, 100, 101].map(width),
            [(1, 1), (1, 1), (1, 2)].map(|(n, d)| Some(ratio(n, d)))
        );
    }

    #[test]
    fn an_enclosure_contains_its_bounds_and_what_is_between() {
        let root = sqrt(&decimal("2"), 0).unwrap();
        for (number, is_contained) in [("0.9", false), ("1", true), ("1.5", true), ("2.1", false)] {
            assert_eq!(root.contains(&decimal(number)), is_contained, "{number}");
        }
        assert!(root.contains(&root.upper) && Enclosure::point(ratio(1, 3)).contains(&ratio(1, 3)));
    }

    #[test]
    fn the_root_of_a_negative_number_is_undefined() {
        assert_eq!(sqrt(&decimal("-0.0001"), 10), None);
    }

    #[test]
    fn elements_are_the_numbers_their_bits_say() {
        assert_eq!(value(DType::Float16, 0x3c00), Some(ratio(1, 1)));
        assert_eq!(value(DType::Float16, 0x8001), Some(ratio(-1, 1 << 24)));
        assert_eq!(value(DType::Float16, 0x8000), Some(ratio(0, 1)));
        assert_eq!(value(DType::Float16, 0x7c00), None);
        assert_eq!(value(DType::Float64, 0.1_f64.to_bits()), Rational::from_float(0.1));
        assert_eq!(value(DType::Float64, f64::MAX.to_bits()), Rational::from_float(f64::MAX));
        assert_eq!(value(DType::Float8E4M3Fnuz, 0x80), None);
        assert_eq!(value(DType::Int8, 0x80), Some(ratio(-128, 1)));
        assert_eq!(value(DType::Uint8, 0x80), Some(ratio(128, 1)));
        assert_eq!(value(DType::Bool, 1), None);
    }

    #[test]
    fn formats_overflow_half_a_unit_above_their_largest_number() {
        assert_eq!(overflow_threshold(&FloatFormat::FLOAT16), ratio(65520, 1));
        assert_eq!(overflow_threshold(&FloatFormat::FLOAT8E4M3FN), ratio(464, 1));
        assert_eq!(overflow_threshold(&FloatFormat::FLOAT8E5M2), ratio(61440, 1));
    }

    proptest! {
        #[test]
        fn a_scaled_integer_is_its_product_with_the_power_in_lowest_terms(
            significand: i64,
            [zeros, exponent] in [0..40, -120..120],
        ) {
            let significand: BigInt = BigInt::from(significand) << zeros;
            let product = Rational::from(significand.clone()) * power_of_two(exponent);
            let scaled = scaled(significand, exponent);
            prop_assert_eq!(scaled.numer(), product.numer());
            prop_assert_eq!(scaled.denom(), product.denom());
        }

        #[test]
        fn the_square_of_a_root_is_the_radicand_within_the_precision(
            numerator in 0_i64..,
            denominator in 1_i64..,
            bits in 0_u32..300,
        ) {
            let x = ratio(numerator, denominator);
            let root = sqrt(&x, bits).unwrap();
            prop_assert!(!root.lower.is_negative());
            prop_assert!(&root.lower * &root.lower <= x);
            prop_assert!(&root.upper * &root.upper >= x);
            let width = &root.upper - &root.lower;
            prop_assert!(width.is_zero() || width < root.lower * power_of_two(-(bits as i32)));
        }

        #[test]
        fn the_root_of_a_square_is_exact(numerator in any::<i32>(), denominator in 1..i32::MAX) {
            let root = ratio(numerator.into(), denominator.into()).abs();
            let found = sqrt(&(&root * &root), 0).unwrap();
            prop_assert_eq!(found.exact(), Some(&root));
        }

        #[test]
        fn a_quotient_times_the_divisor_is_the_dividend(a: i64, b: i64, c in 1_i64..) {
            prop_assume!(b != 0);
            let (a, b) = (ratio(a, c), ratio(c, b));
            prop_assert_eq!(div(&a, &b).unwrap() * b, a);
        }
    }
}
