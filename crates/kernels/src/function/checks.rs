//! The functions of one number against each other's formulas, which share nothing, and digits that mpmath computed.

use half::{bf16, f16};
use rayon::prelude::*;

use super::{Float, Formulas, to_odd};
use crate::slices;
use values::dtype::DType;
use values::float::{Class, FloatFormat};

/// Operands and results of float64, correctly rounded.
const RESULTS: &str = include_str!("results.txt");

/// The number of a format that is nearest to one of float64, ties to even.
pub(crate) fn rounded(format: &FloatFormat, number: f64) -> u64 {
    let sign = u64::from(number.is_sign_negative()) << (format.width() - 1);
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    if number.is_nan() {
        return infinity | 1;
    }
    if number.is_infinite() {
        return sign | infinity;
    }
    let bits = number.to_bits() & (u64::MAX >> 1);
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (significand, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let leading = exponent + 63 - significand.leading_zeros() as i32;
    let smallest = 1 - format.bias - format.significand_bits as i32;
    let unit = (leading - format.significand_bits as i32).max(smallest);
    let kept = match unit - exponent {
        by @ ..=0 => significand << -by,
        by @ 1..=63 => {
            let (kept, rest) = (significand >> by, significand & ((1 << by) - 1));
            let half = 1 << (by - 1);
            kept + u64::from(rest > half || rest == half && kept & 1 == 1)
        }
        _ => 0,
    };
    let magnitude = (((unit - smallest) as u64) << format.significand_bits) + kept;
    sign | magnitude.min(infinity)
}

fn agree(format: &FloatFormat, name: &str, x: u64, actual: u64, expected: u64) {
    let both_nan = [actual, expected].map(|bits| format.class(bits) == Class::Nan) == [true; 2];
    assert!(actual == expected || both_nan, "{name} {x:#x}: {actual:#x}, not {expected:#x}");
}

/// Numbers of all sizes, of which most are ordinary.
pub(crate) fn numbers() -> impl ParallelIterator<Item = f64> {
    (0..40_000_u32).into_par_iter().flat_map_iter(|i| {
        let share = f64::from(i) / 40_000.0;
        let size = (share * 300.0 - 150.0).exp();
        [
            share * 24.0 - 12.0,
            share * 1500.0 - 750.0,
            size,
            -size,
            1.0 + size.min(1e3),
            share * 2.0 - 1.0,
        ]
    })
}

/// Formulas by their names.
#[derive(Clone, Copy)]
struct Pair {
    narrow: fn(f64) -> f64,
    wide: fn(f64) -> f64,
}

impl Formulas for Pair {
    fn narrow(self, x: f64) -> f64 {
        (self.narrow)(x)
    }

    fn wide(self, x: f64) -> f64 {
        (self.wide)(x)
    }
}

/// Checks that 16-bit floats are correctly rounded, and wider ones are within 1 ULP, by two formulas.
#[track_caller]
pub(crate) fn check(name: &str, narrow: fn(f64) -> f64, wide: fn(f64) -> f64) {
    check_formulas(name, narrow, wide);
    check_digits(name, wide);
}

/// The same, without digits.
#[track_caller]
pub(crate) fn check_formulas(name: &str, narrow: fn(f64) -> f64, wide: fn(f64) -> f64) {
    (0..=u16::MAX).into_par_iter().for_each(|bits| {
        let x = f16::from_bits(bits);
        let actual = x.through(Pair { narrow, wide }).to_bits();
        agree(
            &FloatFormat::FLOAT16,
            name,
            bits.into(),
            actual.into(),
            rounded(&FloatFormat::FLOAT16, wide(x.to_f64())),
        );
        let x = bf16::from_bits(bits);
        let actual = x.through(Pair { narrow, wide }).to_bits();
        agree(
            &FloatFormat::BFLOAT16,
            name,
            bits.into(),
            actual.into(),
            rounded(&FloatFormat::BFLOAT16, wide(x.to_f64())),
        );
    });
    numbers().for_each(|x| {
        let single = x as f32;
        let (actual, exact) = (single.through(Pair { narrow, wide }), wide(single.into()));
        let unit = f64::from((exact.abs() as f32).next_up()) - f64::from(exact.abs() as f32);
        let is_close = (f64::from(actual) - exact).abs() <= 0.501 * unit
            || f64::from(exact as f32) == f64::from(actual);
        assert!(
            is_close || exact.is_nan() && actual.is_nan(),
            "{name} {single}: {actual}, not {exact}"
        );
        // The formula for narrower types is no more than a few units off where float32 has numbers that large, or small, and shows it.
        let theirs = narrow(single.into());
        let is_close = (exact - theirs).abs() <= exact.abs() * 1e-14 || exact == theirs;
        let is_beyond = exact.abs() < 1e-46 || exact.abs() > f32::MAX.into();
        let is_same = exact as f32 == theirs as f32;
        assert!(
            is_close || is_beyond || is_same || exact.is_nan(),
            "{name} {single:e}: {theirs:e}"
        );
    });
}

/// Checks that results of float64 are within 1 ULP of those that mpmath computed.
#[track_caller]
pub(crate) fn check_digits(name: &str, function: fn(f64) -> f64) {
    let mut seen = 0;
    for line in RESULTS.lines().filter(|line| line.split(' ').next() == Some(name)) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [x, y] = [fields[2], fields[3]].map(|bits| u64::from_str_radix(bits, 16).unwrap());
        let actual = f64::from_bits(x).through(Pair { narrow: function, wide: function }).to_bits();
        assert!(
            actual.abs_diff(y) <= 1,
            "{name} {:e}: {:e}",
            f64::from_bits(x),
            f64::from_bits(actual)
        );
        seen += 1;
    }
    assert_eq!(seen, 48, "{name}");
}

/// Checks results that are exact in every type; a NaN stands for any.
#[track_caller]
pub(crate) fn check_special(name: &str, all: &[(f64, f64)]) {
    let slices = slices(name).unwrap();
    for &(x, expected) in all {
        for (dtype, format) in [
            (DType::Float16, &FloatFormat::FLOAT16),
            (DType::Bfloat16, &FloatFormat::BFLOAT16),
            (DType::Float32, &FloatFormat::FLOAT32),
            (DType::Float64, &FloatFormat::FLOAT64),
        ] {
            let width = format.width() as usize / 8;
            let operand = [rounded(format, x)];
            let mut result = [0_u64];
            let operand = &bytemuck::cast_slice(&operand)[..width];
            let done =
                slices(dtype, &[operand], &mut bytemuck::cast_slice_mut(&mut result)[..width]);
            assert_eq!(done, Some(Ok(())));
            agree(format, name, rounded(format, x), result[0], rounded(format, expected));
        }
    }
}

#[test]
fn rounding_to_odd_is_towards_zero_for_both_signs() {
    for sign in [1.0, -1.0] {
        assert_eq!(to_odd(sign * (1.0 + f64::EPSILON)), (sign as f32) * (1.0 + f32::EPSILON));
        assert_eq!(to_odd(sign * (1.0 - f64::EPSILON)), (sign as f32) * 1.0_f32.next_down());
        assert_eq!(to_odd(sign * 1.5), (sign as f32) * 1.5);
        assert_eq!(to_odd(sign * 1e-300).to_bits() << 1, 2);
        assert_eq!(to_odd(sign * f64::INFINITY), (sign as f32) * f32::INFINITY);
    }
    assert!(to_odd(f64::NAN).is_nan());
}
