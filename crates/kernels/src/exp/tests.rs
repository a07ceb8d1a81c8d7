//! Exponentials against a series in fixed point, which is written here and used nowhere else.

use rayon::prelude::*;

use super::*;
use values::float::{Class, FloatFormat};

/// Digits after the binary point of a number in fixed point; three are left for the sign and 4.
const POINT: u32 = 124;

/// Relative error that the series may have: in fact it is below 2^-105.
const SLACK: u128 = 1 << 24;

/// The product in fixed point, rounded down: that of both operands' halves, summed.
fn product(a: u128, b: u128) -> u128 {
    let (ah, al, bh, bl) = (a >> 64, a & u128::from(u64::MAX), b >> 64, b & u128::from(u64::MAX));
    let middle = [ah * bl, al * bh];
    let carry = ((al * bl) >> 64) + middle.iter().map(|x| x & u128::from(u64::MAX)).sum::<u128>();
    let high = ah * bh + middle.iter().map(|x| x >> 64).sum::<u128>() + (carry >> 64);
    // The product has twice the digits: those of `high`, and the next 64.
    high << (128 - POINT) | carry << 64 >> 64 >> (POINT - 64)
}

/// The natural logarithm of 2 in fixed point: the sum of 1 / (k 2^k).
fn ln_2() -> u128 {
    (1..=POINT).map(|k| (1_u128 << (POINT - k)) / u128::from(k)).sum()
}

/// The exponential of `significand * 2^exponent`, of this sign: a number in [1, 2) in fixed point,
/// within `SLACK` of the exact one, and the power of two that it is to be scaled by.
fn exact(significand: u64, exponent: i32, is_negative: bool) -> (u128, i32) {
    let ln_2 = ln_2();
    // |x| < 2^10 with 110 digits after the point: dropped digits change the result by less than
    // 2^-110. So do those of 1,100 times the logarithm's, by less than 2^-106.
    let shift = exponent + 110;
    let x = match shift {
        0.. => i128::from(significand) << shift,
        -63..0 => i128::from(significand >> -shift),
        _ => 0,
    };
    let x = if is_negative { -x } else { x };
    let scale = x.div_euclid((ln_2 >> (POINT - 110)) as i128);
    let multiple = ((ln_2 as i128 >> 7) * scale) >> (POINT - 110 - 7);
    let rest = ((x - multiple) << (POINT - 110)).max(0) as u128;
    let (mut sum, mut term) = (0, 1_u128 << POINT);
    for k in 1.. {
        sum += term;
        term = product(term, rest) / k;
        if term == 0 {
            break;
        }
    }
    (sum, scale as i32)
}

/// The exact exponential of a number that is finite and not zero.
fn exact_of(format: &FloatFormat, bits: u64) -> (u128, i32) {
    let magnitude = format.magnitude(bits);
    let field = magnitude >> format.significand_bits;
    let significand = magnitude & ((1 << format.significand_bits) - 1)
        | u64::from(field != 0) << format.significand_bits;
    let exponent = field.max(1) as i32 - format.bias - format.significand_bits as i32;
    exact(significand, exponent, format.is_negative(bits))
}

/// The correctly rounded bits of `value * 2^scale`; fails where the series does not tell them.
fn rounded(format: &FloatFormat, value: u128, scale: i32) -> u64 {
    let fraction = format.significand_bits as i32;
    let smallest = 1 - format.bias - fraction;
    // The unit in the last place, counted in digits of the fixed point.
    let unit = (scale - fraction).max(smallest);
    let dropped = unit - scale + POINT as i32;
    if dropped > POINT as i32 + 1 {
        return 0;
    }
    let (low, high) = (value - SLACK, value + SLACK);
    let nearest = |value: u128| (value + (1 << (dropped - 1))) >> dropped;
    assert_eq!(nearest(low), nearest(high), "the series does not decide");
    let bits = (((unit - smallest) as u64) << fraction) + nearest(value) as u64;
    bits.min(((1 << format.exponent_bits) - 1) << fraction)
}

/// What exp is where it is exact; NaN is `None`.
fn special(format: &FloatFormat, bits: u64) -> Option<Option<u64>> {
    let one = (format.bias as u64) << format.significand_bits;
    match (format.class(bits), format.is_negative(bits)) {
        (Class::Nan, _) => Some(None),
        (Class::Zero, _) => Some(Some(one)),
        (Class::Infinite, false) => Some(Some(bits)),
        (Class::Infinite, true) => Some(Some(0)),
        _ => None,
    }
}

#[test]
fn the_series_gives_the_digits_of_e() {
    // e = 2.718281828459045235360287471352662497757..., as a fraction of 2^124 rounded down.
    let (value, scale) = exact(1, 0, false);
    let e = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128;
    assert_eq!(scale, 1);
    // The constant has 124 digits after the point of e itself, `value` of half of it.
    assert!((value * 2).abs_diff(e) < SLACK, "{:x}", value * 2);
}

#[test]
fn every_float16_and_bfloat16_exponential_is_correctly_rounded() {
    fn check(format: &FloatFormat, exponential: fn(u16) -> u16) {
        (0..=u16::MAX).into_par_iter().for_each(|bits| {
            let actual = u64::from(exponential(bits));
            let expected = match special(format, bits.into()) {
                Some(Some(expected)) => expected,
                Some(None) => return assert_eq!(format.class(actual), Class::Nan),
                None if format.to_f64(bits.into()) > 100.0 => {
                    ((1 << format.exponent_bits) - 1) << format.significand_bits
                }
                None if format.to_f64(bits.into()) < -100.0 => 0,
                None => {
                    let (value, scale) = exact_of(format, bits.into());
                    rounded(format, value, scale)
                }
            };
            assert_eq!(actual, expected, "exp({bits:#06x})");
        });
    }
    check(&FloatFormat::FLOAT16, |bits| f16::from_bits(bits).exponential().to_bits());
    check(&FloatFormat::BFLOAT16, |bits| bf16::from_bits(bits).exponential().to_bits());
}

/// The distance in units in the last place of the exact result, in 2^-20 units, rounded down.
fn distance(format: &FloatFormat, bits: u64, actual: u64) -> u128 {
    let (value, scale) = exact_of(format, bits);
    let fraction = format.significand_bits as i32;
    let unit = (scale - fraction).max(1 - format.bias - fraction);
    let field = (actual >> fraction) as i32;
    let significand = actual & ((1 << fraction) - 1) | u64::from(field != 0) << fraction;
    let exponent = field.max(1) - format.bias - fraction;
    assert!(exponent - scale + POINT as i32 >= 0, "exp({bits:#x}) is {actual:#x}");
    let actual = u128::from(significand) << (exponent - scale + POINT as i32);
    actual.abs_diff(value) >> (unit - scale + POINT as i32 - 20)
}

/// The largest distance over these operands, none of which is special or has a special result.
fn largest(format: &FloatFormat, operands: Vec<u64>, exponential: fn(u64) -> u64) -> f64 {
    let distances = operands.into_par_iter().map(|x| distance(format, x, exponential(x)));
    distances.max().unwrap() as f64 / f64::from(1 << 20)
}

#[test]
fn float32_and_float64_exponentials_are_within_one_ulp() {
    let spread = |low: f64, high: f64| {
        (0..40_000_u32).map(move |i| low + (high - low) * f64::from(i) / 40_000.0)
    };
    let tiny = (0..400).flat_map(|i| [1.0, -1.0, 1.7, -1.3].map(|x| x * 0.9_f64.powi(i)));
    let singles = spread(-103.9, 88.7).chain(tiny.clone()).map(|x| (x as f32).to_bits().into());
    let single = largest(&FloatFormat::FLOAT32, singles.collect(), |bits| {
        f32::from_bits(bits as u32).exponential().to_bits().into()
    });
    assert!((0.49..0.5001).contains(&single), "{single}");
    let doubles = spread(-745.0, 709.7).chain(tiny).map(f64::to_bits);
    let double = largest(&FloatFormat::FLOAT64, doubles.collect(), |bits| {
        f64::from_bits(bits).exponential().to_bits()
    });
    assert!((0.49..1.0).contains(&double), "{double}");
}

#[test]
fn special_values_are_exact_and_large_operands_overflow() {
    for (x, expected) in [
        (0.0, 1.0),
        (-0.0, 1.0),
        (f64::INFINITY, f64::INFINITY),
        (f64::NEG_INFINITY, 0.0),
        (f64::MAX, f64::INFINITY),
        (f64::MIN, 0.0),
        (709.79, f64::INFINITY),
        (-745.2, 0.0),
        (f64::from_bits(1), 1.0),
    ] {
        assert_eq!(x.exponential().to_bits(), expected.to_bits(), "float64 {x}");
        let (single, expected) = (x as f32, expected as f32);
        assert_eq!(single.exponential().to_bits(), expected.to_bits(), "float32 {single}");
    }
    // The largest operand whose exponential is finite, in float32 and float64, and the next one.
    let (single, double) = (88.722_84_f32, 709.782_712_893_384_f64);
    assert!(single.next_down().exponential().is_finite() && single.exponential().is_infinite());
    assert!(double.exponential().is_finite() && double.next_up().exponential().is_infinite());
    assert!(f64::NAN.exponential().is_nan() && f32::NAN.exponential().is_nan());
}

#[test]
fn rounding_to_odd_takes_the_neighbour_whose_last_bit_is_set() {
    let ulp = 2_f64.powi(-23);
    let (one, odd) = (1_f32, 1_f32 + f32::EPSILON);
    for (number, expected) in [
        (1.0, one),
        (1.0 + ulp * 0.01, odd),
        (1.0 + ulp * 0.5, odd),
        (1.0 + ulp * 1.5, odd),
        (1.0 + ulp * 1.99, odd),
        (1.0 - ulp * 0.01, 1_f32.next_down()),
        (f64::MAX, f32::MAX),
        (f64::INFINITY, f32::INFINITY),
        (0.0, 0.0),
        (1e-300, f32::from_bits(1)),
    ] {
        assert_eq!(to_odd(number), expected, "{number:e}");
    }
    assert!(to_odd(f64::NAN).is_nan());
}
