//! Powers of e and logarithms against those of rational arithmetic, each other, and digits that others computed.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::*;
use crate::exact::exponential;
use crate::exact::real::{Enclosure, Rational, power_of_two};

/// A number, and as an interval.
fn number() -> impl Strategy<Value = (Interval, Rational)> {
    (any::<i64>(), 0_u32..63, -80_i32..-40, 64_u32..700).prop_map(
        |(significand, shift, exponent, precision)| {
            let significand = significand >> shift;
            let rational = Rational::from(BigInt::from(significand)) * power_of_two(exponent);
            (Interval::new(significand, exponent.into(), precision), rational)
        },
    )
}

/// Asserts that an interval is narrower than its precision by a few bits at most, relatively.
fn is_narrow(interval: &Interval) {
    let Enclosure { lower, upper } = interval.enclosure();
    let least = lower.abs().min(upper.abs());
    let width = least * power_of_two(6 - interval.precision() as i32);
    assert!(upper - lower <= width, "{interval:?}");
}

fn overlap(a: &Interval, b: &Interval) -> bool {
    let (a, b) = (a.enclosure(), b.enclosure());
    a.lower <= b.upper && b.lower <= a.upper
}

/// A decimal, as the interval of what rounds to it.
fn decimal(digits: &str, precision: u32) -> Interval {
    let places = digits.split_once('.').map_or(0, |(_, places)| places.len());
    let whole: BigInt = digits.replace('.', "").parse().unwrap();
    let number = Rational::new(whole, BigInt::from(10).pow(places as u32));
    let last = Rational::new(BigInt::one(), BigInt::from(10).pow(places as u32));
    Interval::rational(&number, precision).widened(&Interval::rational(&last, precision))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn powers_of_e_are_those_of_rational_arithmetic((x, exact) in number()) {
        prop_assume!(exact.abs() < power_of_two(12));
        let power = x.exp().unwrap();
        is_narrow(&power);
        let closer = exponential::enclosure(&exact, x.precision() + 40).unwrap();
        prop_assert!(power.enclosure().lower <= closer.lower && closer.upper <= power.enclosure().upper);
    }

    #[test]
    fn logarithms_undo_powers((x, exact) in number()) {
        prop_assume!(exact.abs() < power_of_two(12) && !exact.is_zero());
        let back = x.exp().unwrap().ln().unwrap();
        prop_assert!(back.contains(&x));
        if exact > -power_of_two(4) {
            let less = x.exp_minus_1().unwrap();
            is_narrow(&less);
            let back = less.ln_1_plus().unwrap();
            prop_assert!(back.contains(&x));
        }
        if exact.is_positive() {
            let logarithm = x.ln().unwrap();
            is_narrow(&logarithm);
            prop_assert!(logarithm.exp().unwrap().contains(&x));
            let more = x.ln_1_plus().unwrap();
            is_narrow(&more);
            prop_assert!(more.exp_minus_1().unwrap().contains(&x));
        }
    }

    #[test]
    fn logarithms_of_products_are_sums((a, x) in number(), (b, y) in number()) {
        prop_assume!(!x.is_zero() && !y.is_zero());
        let (a, b) = (a.abs(), b.abs());
        let sum = a.ln().unwrap() + b.ln().unwrap();
        prop_assert!(overlap(&sum, &(&a * &b).ln().unwrap()));
    }

    #[test]
    fn functions_of_intervals_hold_those_of_their_numbers((a, x) in number(), (b, y) in number()) {
        prop_assume!(x.abs() < power_of_two(12) && y.abs() < power_of_two(12));
        let both = a.hull(&b);
        for end in [&a, &b] {
            let end = end.clone().with_precision(800);
            prop_assert!(both.exp().unwrap().contains(&end.exp().unwrap()));
            prop_assert!(both.exp_minus_1().unwrap().contains(&end.exp_minus_1().unwrap()));
            if both.is_positive() {
                prop_assert!(both.ln().unwrap().contains(&end.ln().unwrap()));
                prop_assert!(both.ln_1_plus().unwrap().contains(&end.ln_1_plus().unwrap()));
            }
        }
    }
}

#[test]
fn digits_are_those_that_others_computed() {
    // OEIS A001113, A002392 and A002162; e^-10 by mpmath.
    let powers = [
        ("1", "2.71828182845904523536028747135266249775724709369995"),
        ("-10", "0.00004539992976248485153559151556055061023791808886656"),
    ];
    for (x, digits) in powers {
        let power = Interval::integer(x.parse().unwrap(), 200).exp().unwrap();
        assert!(decimal(digits, 300).contains(&power), "e^{x}");
    }
    let logarithms = [
        (10, "2.30258509299404568401799145468436420760110148862877"),
        (2, "0.693147180559945309417232121458176568075500134360255"),
    ];
    for (x, digits) in logarithms {
        let logarithm = Interval::integer(x, 200).ln().unwrap();
        assert!(decimal(digits, 300).contains(&logarithm), "ln {x}");
    }
}

#[test]
fn powers_out_of_reach_and_logarithms_of_what_is_not_positive_are_none() {
    let far = Interval::power_of_two(41, 64);
    assert!(far.exp().is_none());
    let tiny = (-&far).exp().unwrap();
    assert!(tiny.has_zero() && tiny.upper().binade().is_some_and(|binade| binade <= -1 << 39));
    assert!(Interval::integer(0, 64).ln().is_none() && Interval::integer(-1, 64).ln().is_none());
    assert!(Interval::integer(1, 64).ln().is_some_and(|zero| zero.binade().is_none()));
    assert!(Interval::integer(-1, 64).ln_1_plus().is_none());
}

#[test]
fn tiny_numbers_are_their_own_logarithms_of_one_more_but_for_little() {
    for exponent in [-1074, -200, -65, -64, -63, -10] {
        for sign in [1, -1] {
            let x = Interval::new(3 * sign, exponent, 64);
            let [less, more] = [x.exp_minus_1().unwrap(), x.ln_1_plus().unwrap()];
            is_narrow(&less);
            is_narrow(&more);
            assert!(less.upper().compare(&x).is_some_and(std::cmp::Ordering::is_ge));
            assert!(more.lower().compare(&x).is_some_and(std::cmp::Ordering::is_le));
        }
    }
}
