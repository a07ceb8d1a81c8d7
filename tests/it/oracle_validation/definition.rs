//! Results and errors against their definitions, spelled out in rational numbers.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use onnx_conformance::dtype::DType;
use onnx_conformance::oracle::real::{self, Rational};
use onnx_conformance::oracle::{self, Conforming, Deviation, Division, Ulps};

use super::cases::{FLOATS, Random, format_of, near_roots};

/// Finite values of a small format in the order of their bits, in units of 2^-17, those of each
/// sign apart; every value of the 8-bit formats is a multiple of that.
fn finite(dtype: DType) -> Vec<(u64, i128)> {
    let unit = real::power_of_two(17);
    (0..256)
        .filter_map(|bits| {
            let value = real::value(dtype, bits)? * &unit;
            Some((bits, i128::try_from(value.to_integer()).unwrap()))
        })
        .collect()
}

#[test]
fn a_float8_quotient_is_nearer_than_its_neighbours_or_as_near_and_even() {
    for dtype in &FLOATS[..4] {
        let format = format_of(*dtype);
        let values = finite(*dtype);
        let threshold = real::overflow_threshold(format);
        for &(a_bits, a) in &values {
            for &(b_bits, b) in values.iter().filter(|(_, b)| *b != 0) {
                // Distance to the quotient times |b|, in units of 2^-34.
                let distance = |value: i128| ((a << 17) - value * b).abs();
                let result = oracle::div(Division::Div, *dtype, a_bits, b_bits).unwrap();
                let Conforming::One(bits) = result else {
                    let quotient = Rational::new(BigInt::from(a), BigInt::from(b));
                    assert!(quotient.abs() > threshold, "{dtype} {a_bits:#x} / {b_bits:#x}");
                    continue;
                };
                let Some(&(_, value)) = values.iter().find(|(value, _)| *value == bits) else {
                    let quotient = Rational::new(BigInt::from(a), BigInt::from(b));
                    assert!(quotient.abs() >= threshold, "{dtype} {a_bits:#x} / {b_bits:#x}");
                    continue;
                };
                assert!(value == 0 || (value < 0) == ((a < 0) != (b < 0)));
                for &(other_bits, other) in &values {
                    let (here, there) = (distance(value), distance(other));
                    let nearer = here < there || other == value;
                    let even = here == there && bits & 1 == 0 && other_bits & 1 == 1;
                    assert!(nearer || even, "{dtype} {a_bits:#x} / {b_bits:#x}: {bits:#x}");
                }
            }
        }
    }
}

/// The largest power of two that is at most this number, by definition.
fn binade(number: &Rational) -> Rational {
    let mut power = real::power_of_two(
        i32::try_from(number.numer().bits()).unwrap()
            - i32::try_from(number.denom().bits()).unwrap(),
    );
    while &power > number {
        power /= BigInt::from(2);
    }
    power
}

/// Spacing of the format at a real number.
fn ulp(dtype: DType, number: &Rational) -> Rational {
    let format = format_of(dtype);
    let field = format.significand_bits as i32;
    let smallest = real::power_of_two(1 - format.bias - field);
    if number.is_zero() {
        smallest
    } else {
        (binade(number) * real::power_of_two(-field)).max(smallest)
    }
}

fn steps_of(error: &Rational) -> (u128, bool) {
    let steps = error * real::power_of_two(Ulps::FRACTION_BITS as i32);
    match u128::try_from(steps.ceil().to_integer()) {
        Ok(held) => (held, steps.is_integer()),
        Err(_) => (Ulps::MAX.steps(), Ulps::MAX.is_exact()),
    }
}

#[test]
fn errors_of_quotients_are_distances_in_units_of_the_spacing_rounded_up() {
    for dtype in FLOATS {
        let (format, mut random) = (format_of(dtype), Random::new(0xdef1));
        let mut measured = 0;
        while measured < 300 {
            let [a, b] = random.pair(format);
            let (Some(x), Some(y)) = (real::value(dtype, a), real::value(dtype, b)) else {
                continue;
            };
            let Some(quotient) = real::div(&x, &y) else { continue };
            let Some(Conforming::One(near)) = oracle::div(Division::Div, dtype, a, b) else {
                continue;
            };
            for actual in [
                near,
                near + random.below(9),
                near ^ random.pattern(format) >> 6,
                random.pattern(format),
            ] {
                let Some(value) = real::value(dtype, actual) else { continue };
                let error = (&quotient - &value).abs() / ulp(dtype, &quotient.abs());
                let Some(Deviation::Ulps(ulps)) = oracle::div_error(dtype, a, b, actual) else {
                    panic!("{dtype} {a:#x} / {b:#x}, {actual:#x} has no error");
                };
                let (steps, exact) = steps_of(&error);
                let held = ulps.steps();
                let pair = format!("{dtype} {a:#x} / {b:#x}, {actual:#x}: {error}");
                if value.abs() * BigInt::from(1 << 18) < quotient.abs() {
                    assert!(held == steps || held == steps + 1, "{pair}, not {held}");
                } else {
                    assert_eq!((held, ulps.is_exact()), (steps, exact), "{pair}");
                }
                measured += 1;
            }
        }
    }
}

#[test]
fn errors_of_roots_are_distances_in_units_of_the_spacing_rounded_up() {
    for dtype in FLOATS {
        let (format, mut random) = (format_of(dtype), Random::new(0xdef2));
        let mut radicands: Vec<u64> = (0..100).map(|_| random.radicand(format)).collect();
        if format.width() > 8 {
            radicands.extend(near_roots(format, &mut random, 100));
        }
        for x in radicands {
            let Some(root) = real::value(dtype, x).and_then(|x| real::sqrt(&x, 200)) else {
                continue;
            };
            let Some(Conforming::One(near)) = oracle::sqrt(dtype, x) else { panic!("{x:#x}") };
            for actual in [near, near.saturating_sub(random.below(9)), random.pattern(format)] {
                let Some(value) = real::value(dtype, actual) else { continue };
                let Some(Deviation::Ulps(ulps)) = oracle::sqrt_error(dtype, x, actual) else {
                    panic!("{dtype} sqrt {x:#x}, {actual:#x} has no error");
                };
                // 200 bits enclose the error more closely than its steps do.
                let ulp = ulp(dtype, &root.lower);
                let errors = [&root.lower, &root.upper].map(|root| (root - &value).abs() / &ulp);
                let [(low, exact), (high, _)] = errors.each_ref().map(steps_of);
                let held = ulps.steps();
                let tiny = value.abs() * BigInt::from(1 << 18) < root.lower;
                let range = low.min(high)..=low.max(high) + u128::from(tiny);
                assert!(
                    range.contains(&held),
                    "{dtype} sqrt {x:#x}, {actual:#x}: {held} not in {range:?}"
                );
                let exact = exact && (root.exact().is_some() || ulps == Ulps::MAX);
                assert_eq!(ulps.is_exact(), exact, "{dtype} sqrt {x:#x}, {actual:#x}");
            }
        }
    }
}

#[test]
fn a_quotient_rounds_to_an_infinity_from_the_threshold_on() {
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let format = format_of(dtype);
        let mut overflowing = 0;
        let pairs = super::cases::near_overflow(format);
        for &[a, b] in &pairs {
            let [x, y] = [a, b].map(|bits| real::value(dtype, bits).unwrap());
            let overflows = x / y >= real::overflow_threshold(format);
            let result = oracle::div(Division::Div, dtype, a, b).unwrap();
            let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
            assert_eq!(result == Conforming::One(infinity), overflows, "{dtype} {a:#x} / {b:#x}");
            overflowing += usize::from(overflows);
        }
        assert!(overflowing > 10 && pairs.len() - overflowing > 10);
    }
}
