//! Intervals against rational arithmetic.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::super::enclosed::{self, Bounds};
use super::super::real::{self, Enclosure, Rational, power_of_two};
use super::*;
use crate::exact::Conforming;
use values::dtype::DType;

/// A point as an interval, and as a rational number.
fn number() -> impl Strategy<Value = (Interval, Rational)> {
    (any::<i64>(), 0_u32..64, -300_i32..300).prop_map(|(significand, shift, exponent)| {
        let significand = significand >> shift;
        let rational = Rational::from(BigInt::from(significand)) * power_of_two(exponent);
        (Interval::new(significand, exponent.into(), 64), rational)
    })
}

/// An interval of several numbers, and its ends.
fn several() -> impl Strategy<Value = (Interval, [Rational; 2])> {
    (number(), number()).prop_map(|((a, x), (b, y))| {
        let hull = a.with_precision(2000).hull(&b.with_precision(2000)).with_precision(64);
        let ends = if x <= y { [x, y] } else { [y, x] };
        (hull, ends)
    })
}

/// Whether the interval holds the numbers between the ends, and is no wider than they are by more than 2^-60 of the end
/// that is farther from zero.
fn encloses_closely(interval: &Interval, ends: [Rational; 2]) {
    let Enclosure { lower, upper } = interval.enclosure();
    let [least, most] = ends;
    assert!(lower <= least && most <= upper, "{lower}..{upper} does not hold {least}..{most}");
    let margin = least.abs().max(most.abs()) * power_of_two(-60);
    assert!(&least - lower <= margin && upper - &most <= margin, "too wide");
}

fn products(a: &[Rational; 2], b: &[Rational; 2]) -> [Rational; 2] {
    let mut all: Vec<Rational> = a.iter().flat_map(|a| b.iter().map(move |b| a * b)).collect();
    all.sort();
    [all[0].clone(), all[3].clone()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sums_differences_and_products_hold_those_of_their_numbers(
        (a, [a0, a1]) in several(), (b, [b0, b1]) in several(),
    ) {
        encloses_closely(&(&a + &b), [&a0 + &b0, &a1 + &b1]);
        encloses_closely(&(&a - &b), [&a0 - &b1, &a1 - &b0]);
        encloses_closely(&(&a * &b), products(&[a0, a1], &[b0, b1]));
    }

    #[test]
    fn a_sum_of_numbers_far_apart_is_as_short_as_others(exponent in 200_i64..1_000_000, sign in any::<bool>()) {
        let one = Interval::integer(if sign { 1 } else { -1 }, 64);
        let sum = &one + &Interval::power_of_two(-exponent, 64);
        prop_assert!(sum.lower.bits() <= 64 && sum.contains(&one.upper()));
        let far = Interval::new(1, exponent, 64);
        prop_assert!((&one + &far).upper.bits() <= 64);
    }

    #[test]
    fn quotients_hold_those_of_their_numbers((a, [a0, a1]) in several(), (b, [b0, b1]) in several()) {
        if b0 <= Rational::zero() && Rational::zero() <= b1 {
            prop_assert!(a.divided_by(&b).is_none());
        } else {
            let reciprocals = [b1.recip(), b0.recip()];
            encloses_closely(&a.divided_by(&b).unwrap(), products(&[a0, a1], &reciprocals));
        }
    }

    #[test]
    fn roots_and_squares_undo_each_other((a, [a0, a1]) in several()) {
        let magnitude = a.abs();
        let most = a0.abs().max(a1.abs());
        let least = if a0.is_positive() || a1.is_negative() { a0.abs().min(a1.abs()) } else { Rational::zero() };
        encloses_closely(&magnitude, [least.clone(), most.clone()]);
        encloses_closely(&a.square(), [&least * &least, &most * &most]);
        let root = magnitude.sqrt().unwrap();
        prop_assert!(root.square().contains(&magnitude.lower()));
        prop_assert!(root.square().contains(&magnitude.upper()));
        let Enclosure { lower, upper } = root.enclosure();
        prop_assert!(&lower * &lower <= least && most <= &upper * &upper);
        let narrower = &upper * (Rational::one() - power_of_two(-60));
        prop_assert!(most.is_zero() || &narrower * &narrower < most);
    }

    #[test]
    fn intervals_are_in_the_order_that_all_their_numbers_are((a, [a0, a1]) in several(), (b, [b0, b1]) in several()) {
        let expected = if a1 < b0 { Some(Ordering::Less) } else if b1 < a0 { Some(Ordering::Greater) }
            else if a0 == a1 && b0 == b1 { Some(Ordering::Equal) } else { None };
        // Ends that touch without being all of both are not in one order.
        prop_assert_eq!(a.clone().with_precision(4000).compare(&b.clone().with_precision(4000)), expected);
        prop_assert_eq!(Bounds::compare(&a, &b0), a.enclosure().compare(&b0));
    }

    #[test]
    fn an_interval_is_loosened_by_a_share_of_each_end_that_is_named_and_by_a_power_of_two(
        (a, [a0, a1]) in several(),
        (share, by) in (1_u64..1 << 20, 20_u64..80),
        power in proptest::option::of(-400_i64..400),
        ends in any::<[bool; 2]>(),
    ) {
        let more = power.map_or_else(Rational::zero, |power| power_of_two(power as i32));
        let margin = |end: &Rational, is_named: bool| match is_named {
            true => end.abs() * Rational::from(BigInt::from(share)) * power_of_two(-(by as i32)) + &more,
            false => Rational::zero(),
        };
        let loosened = [&a0 - margin(&a0, ends[0]), &a1 + margin(&a1, ends[1])];
        encloses_closely(&a.loosened(ends, (share, by), power, ANYWHERE), loosened);
    }

    #[test]
    fn integers_are_those_around_the_numbers((a, [a0, a1]) in several()) {
        prop_assert_eq!(a.integers(), [a0.floor().to_integer(), a1.ceil().to_integer()]);
    }

    #[test]
    fn elements_round_to_themselves_and_roots_as_the_square_root_has_it(bits in any::<u32>()) {
        let (format, dtype) = (&FloatFormat::FLOAT32, DType::Float32);
        let Some(x) = Interval::of_element(format, bits.into(), 64) else { return Ok(()) };
        let nearest = enclosed::nearest(format, |_| x.clone(), format.is_negative(bits.into()));
        prop_assert_eq!(nearest, Conforming::One(bits.into()));
        if !x.is_negative() && !x.is_point() || x.is_positive() {
            let root = |bits| x.clone().with_precision(bits).sqrt().unwrap();
            let known = real::value(dtype, bits.into()).unwrap();
            let rational = |bits| real::sqrt(&known, bits).unwrap();
            prop_assert_eq!(enclosed::nearest(format, root, false), enclosed::nearest(format, rational, false));
        }
    }
}

#[test]
fn a_rational_number_that_is_no_binary_fraction_is_enclosed() {
    let third = Rational::new(BigInt::from(-1), BigInt::from(3));
    let interval = Interval::rational(&third, 100);
    assert!(!interval.is_point());
    encloses_closely(&interval, [third.clone(), third]);
    assert!(Interval::rational(&Rational::from(BigInt::from(-3)), 100).is_point());
}

/// So many bits that every number is held.
const ANYWHERE: (u32, i64) = (u32::MAX, i64::MIN);

#[test]
fn an_end_is_loosened_by_no_more_than_a_number_that_is_held_is_away() {
    let near = |number: i64, exponent: i64, held| {
        let number = Interval::new(number, exponent, 128);
        let loose = number.clone().loosened([true, true], (1, 24), Some(-150), held).enclosure();
        let off = loose.upper - number.enclosure().upper;
        assert_eq!(off, number.enclosure().lower - loose.lower);
        off
    };
    let steps = |count: i64, exponent: i64| Interval::new(count, exponent, 128).enclosure().lower;
    // 1 + 2^-40 is 2^-40 above 1, and as much below it; halfway to the next number it is as far as before.
    let single = (24, -149);
    assert_eq!(near((1 << 40) + 1, -40, single), steps(257, -48));
    assert_eq!(near((1 << 40) - 1, -40, single), steps(257, -48));
    assert!(near((1 << 24) + 1, -24, single) > steps(1, -24));
    assert!(near((1 << 24) + 1, -24, single) < steps(1025, -34));
    // Of 2^-149 a 1024th is as far from 0.
    assert_eq!(near(1, -159, single), steps(257, -167));
}

#[test]
fn zero_is_loosened_by_the_power_of_two_alone_however_small_it_is() {
    for power in [-1000, -65, -64, 0, 63, 64, 1000] {
        let zero = Interval::integer(0, 64).loosened([false, true], (1, 20), Some(power), ANYWHERE);
        assert!(
            zero.is_alike(&Interval { lower: Integer::ZERO, ..Interval::power_of_two(power, 64) })
        );
    }
}

#[test]
fn an_interval_widens_by_a_margin_of_either_sign() {
    let wide = Interval::integer(3, 64).widened(&Interval::integer(-2, 64));
    assert!(wide.contains(&Interval::integer(1, 64)) && wide.contains(&Interval::integer(5, 64)));
    assert!(!wide.contains(&Interval::new(11, -1, 64)));
    assert_eq!(wide.binade(), Some(2));
}
