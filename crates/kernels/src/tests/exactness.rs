//! Floating-point results against exact integer arithmetic, rounded once.

use half::{bf16, f16};
use rayon::prelude::*;

use crate::{
    Add, Divide, Multiply, Reciprocal, SquareRoot, Subtract, add, divide, multiply, reciprocal,
    square_root, subtract,
};
use values::float::{Class, FloatFormat};

/// The format's number nearest to `significand * 2^exponent`, ties to even; `inexact` says that the
/// number is a little larger than that.
fn rounded(format: &FloatFormat, significand: u128, exponent: i32, inexact: bool) -> u64 {
    let fraction = format.significand_bits as i32;
    let smallest = 1 - format.bias - fraction;
    let length = (u128::BITS - significand.leading_zeros()) as i32;
    let unit = (exponent + length - fraction - 1).max(smallest);
    let dropped = unit - exponent;
    assert!(dropped > 1, "a tie must show");
    if dropped > length {
        return 0;
    }
    let kept = (significand >> dropped) as u64;
    let rest = significand & ((1 << dropped) - 1);
    let half = 1 << (dropped - 1);
    let up = rest > half || rest == half && (inexact || kept & 1 == 1);
    let bits = (((unit - smallest) as u64) << fraction) + kept + u64::from(up);
    bits.min(infinity(format))
}

fn infinity(format: &FloatFormat) -> u64 {
    ((1 << format.exponent_bits) - 1) << format.significand_bits
}

/// Magnitude of a number that is finite and not zero: a significand of the format's full precision,
/// and its exponent.
fn parts(format: &FloatFormat, bits: u64) -> (u64, i32) {
    let magnitude = format.magnitude(bits);
    let (field, fraction) = (magnitude >> format.significand_bits, format.significand_bits);
    let hidden = u64::from(field != 0) << fraction;
    let significand = magnitude & ((1 << fraction) - 1) | hidden;
    let shift = significand.leading_zeros() - (63 - fraction);
    let exponent = field.max(1) as i32 - format.bias - fraction as i32;
    (significand << shift, exponent - shift as i32)
}

/// The quotient's bits, exactly rounded; `None` for NaN.
fn exact_quotient(format: &FloatFormat, a: u64, b: u64) -> Option<u64> {
    use Class::{Infinite, Nan, Zero};
    let sign = u64::from(format.is_negative(a) != format.is_negative(b)) << (format.width() - 1);
    let magnitude = match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) | (Zero, Zero) | (Infinite, Infinite) => return None,
        (Infinite, _) | (_, Zero) => infinity(format),
        (Zero, _) | (_, Infinite) => 0,
        _ => {
            let ((a, i), (b, j)) = (parts(format, a), parts(format, b));
            // More bits than the precision by two at least; fewer where 64-bit arithmetic will do.
            let shift = if format.width() == 16 { 40 } else { 63 };
            let (dividend, divisor) = (u128::from(a) << shift, u128::from(b));
            let (quotient, rest) = match u64::try_from(dividend) {
                Ok(dividend) => (u128::from(dividend / b), u128::from(dividend % b)),
                Err(_) => (dividend / divisor, dividend % divisor),
            };
            rounded(format, quotient, i - j - shift, rest != 0)
        }
    };
    Some(sign | magnitude)
}

/// The product's bits, exactly rounded; `None` for NaN.
fn exact_product(format: &FloatFormat, a: u64, b: u64) -> Option<u64> {
    use Class::{Infinite, Nan, Zero};
    let sign = u64::from(format.is_negative(a) != format.is_negative(b)) << (format.width() - 1);
    let magnitude = match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) | (Zero, Infinite) | (Infinite, Zero) => return None,
        (Infinite, _) | (_, Infinite) => infinity(format),
        (Zero, _) | (_, Zero) => 0,
        _ => {
            let ((a, i), (b, j)) = (parts(format, a), parts(format, b));
            rounded(format, u128::from(a) * u128::from(b), i + j, false)
        }
    };
    Some(sign | magnitude)
}

/// The sum's bits, exactly rounded; `None` for NaN.
fn exact_sum(format: &FloatFormat, a: u64, b: u64) -> Option<u64> {
    use Class::{Infinite, Nan, Zero};
    let is_like = format.is_negative(a) == format.is_negative(b);
    match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) => return None,
        (Infinite, Infinite) if !is_like => return None,
        (Zero, Zero) => return Some(a & b),
        (Infinite, _) | (_, Zero) => return Some(a),
        (_, Infinite) | (Zero, _) => return Some(b),
        _ => {}
    }
    let (a, b) = if format.magnitude(a) < format.magnitude(b) { (b, a) } else { (a, b) };
    let ((larger, i), (smaller, j)) = (parts(format, a), parts(format, b));
    // Of a number below every bit that decides, it counts that it is there.
    let smaller = match i - j {
        apart @ ..=64 => (u128::from(smaller) << 64) >> apart,
        _ => 1,
    };
    let larger = u128::from(larger) << 64;
    let sum = if is_like { larger + smaller } else { larger - smaller };
    let sign = a & 1 << (format.width() - 1);
    Some(if sum == 0 { 0 } else { sign | rounded(format, sum, i - 64, false) })
}

/// The square root's bits, exactly rounded; `None` for NaN.
fn exact_root(format: &FloatFormat, x: u64) -> Option<u64> {
    match (format.class(x), format.is_negative(x)) {
        (Class::Zero, _) => Some(x),
        (Class::Nan, _) | (_, true) => None,
        (Class::Infinite, _) => Some(x),
        _ => {
            let (significand, exponent) = parts(format, x);
            let shift = 60 + (exponent & 1);
            let square = u128::from(significand) << shift;
            let root = square.isqrt();
            Some(rounded(format, root, (exponent - shift) / 2, root * root != square))
        }
    }
}

/// A float type by its bits.
trait Float: Add + Divide + Multiply + Reciprocal + SquareRoot + Subtract + Send + Sync {
    const FORMAT: FloatFormat;

    fn from_bits(bits: u64) -> Self;

    fn bits(self) -> u64;
}

macro_rules! float {
    ($($type:ty, $bits:ty, $format:ident;)*) => {$(
        impl Float for $type {
            const FORMAT: FloatFormat = FloatFormat::$format;

            fn from_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }

            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

float! {
    f16, u16, FLOAT16;
    bf16, u16, BFLOAT16;
    f32, u32, FLOAT32;
    f64, u64, FLOAT64;
}

fn is<T: Float>(actual: T, expected: Option<u64>) -> bool {
    match expected {
        None => T::FORMAT.class(actual.bits()) == Class::Nan,
        Some(bits) => actual.bits() == bits,
    }
}

/// Divides all the pairs and checks every quotient.
fn check_quotients<T: Float>(pairs: impl Iterator<Item = (u64, u64)>) {
    let (a, b): (Vec<T>, Vec<T>) = pairs.map(|(a, b)| (T::from_bits(a), T::from_bits(b))).unzip();
    let mut quotients = a.clone();
    divide(&a, &b, &mut quotients).unwrap();
    for ((a, b), quotient) in a.into_iter().zip(b).zip(quotients) {
        let (a, b) = (a.bits(), b.bits());
        let expected = exact_quotient(&T::FORMAT, a, b);
        let bits = quotient.bits();
        assert!(is(quotient, expected), "{a:#x} / {b:#x} = {expected:x?}, not {bits:#x}");
    }
}

/// Multiplies all the pairs and checks every product.
fn check_products<T: Float>(pairs: impl Iterator<Item = (u64, u64)>) {
    let (a, b): (Vec<T>, Vec<T>) = pairs.map(|(a, b)| (T::from_bits(a), T::from_bits(b))).unzip();
    let mut products = a.clone();
    multiply(&a, &b, &mut products);
    for ((a, b), product) in a.into_iter().zip(b).zip(products) {
        let (a, b) = (a.bits(), b.bits());
        let expected = exact_product(&T::FORMAT, a, b);
        let bits = product.bits();
        assert!(is(product, expected), "{a:#x} * {b:#x} = {expected:x?}, not {bits:#x}");
    }
}

/// Adds all the pairs, and subtracts the second ones negated, and checks every result.
fn check_sums<T: Float>(pairs: impl Iterator<Item = (u64, u64)>) {
    let (a, b): (Vec<T>, Vec<T>) = pairs.map(|(a, b)| (T::from_bits(a), T::from_bits(b))).unzip();
    let (mut sums, mut differences) = (a.clone(), a.clone());
    add(&a, &b, &mut sums);
    let negated: Vec<T> = b.iter().map(|b| T::from_bits(T::FORMAT.negated(b.bits()))).collect();
    subtract(&a, &negated, &mut differences);
    for (((a, b), sum), difference) in a.into_iter().zip(b).zip(sums).zip(differences) {
        let (a, b) = (a.bits(), b.bits());
        let expected = exact_sum(&T::FORMAT, a, b);
        for result in [sum, difference] {
            let bits = result.bits();
            assert!(is(result, expected), "{a:#x} + {b:#x} = {expected:x?}, not {bits:#x}");
        }
    }
}

fn check_roots<T: Float>(operands: impl Iterator<Item = u64>) {
    let operands: Vec<T> = operands.map(T::from_bits).collect();
    let mut roots = operands.clone();
    square_root(&operands, &mut roots);
    for (x, root) in operands.into_iter().zip(roots) {
        let (x, bits) = (x.bits(), root.bits());
        let expected = exact_root(&T::FORMAT, x);
        assert!(is(root, expected), "sqrt({x:#x}) = {expected:x?}, not {bits:#x}");
    }
}

/// Takes the reciprocals of all numbers and checks that they are quotients of 1.
fn check_reciprocals<T: Float>(operands: impl Iterator<Item = u64>) {
    let operands: Vec<T> = operands.map(T::from_bits).collect();
    let mut reciprocals = operands.clone();
    reciprocal(&operands, &mut reciprocals);
    let one = (T::FORMAT.bias as u64) << T::FORMAT.significand_bits;
    for (x, reciprocal) in operands.into_iter().zip(reciprocals) {
        let (x, bits) = (x.bits(), reciprocal.bits());
        let expected = exact_quotient(&T::FORMAT, one, x);
        assert!(is(reciprocal, expected), "1 / {x:#x} = {expected:x?}, not {bits:#x}");
    }
}

/// The edges of every class with their neighbours, both signs; and ones with few or many digits.
fn directed(format: &FloatFormat) -> Vec<u64> {
    let (one, top) = (1_u64 << format.significand_bits, infinity(format));
    let edges = [0, 1, 2, one - 1, one, one + 1, top / 2, top - one, top - 1, top, top + 1];
    let unit = (format.bias as u64) << format.significand_bits;
    let digits =
        (0..format.significand_bits).flat_map(|bit| [unit | 1 << bit, unit + one - (1 << bit)]);
    let small =
        (0..format.significand_bits).flat_map(|bit| [1 << bit, (1 << bit) + 1, one - (1 << bit)]);
    let all = edges.into_iter().chain(digits).chain(small);
    all.flat_map(|bits| [bits, bits | 1 << (format.width() - 1)]).collect()
}

/// Bits of no pattern.
fn scattered(seed: u64) -> impl Iterator<Item = u64> + Clone {
    // Steele, Lea and Flood's SplitMix64.
    (0..).map(move |i: u64| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

fn check_sample<T: Float>() {
    let edges = directed(&T::FORMAT);
    check_quotients::<T>(edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))));
    check_quotients::<T>(scattered(1).zip(scattered(2)).take(200_000));
    // Quotients about the smallest numbers, and about the largest.
    let fraction = T::FORMAT.significand_bits;
    let about = |bits: u64, field: u64| bits & ((1 << fraction) - 1) | field << fraction;
    let bias = T::FORMAT.bias as u64;
    for down in 0..u64::from(fraction) + 3 {
        let pairs = scattered(3 + down).zip(scattered(99 + down)).take(4_000);
        check_quotients::<T>(pairs.clone().map(|(a, b)| (about(a, 2), about(b, bias + down))));
        check_quotients::<T>(pairs.clone().map(|(a, b)| (a >> down & 1023, about(b, bias))));
        check_quotients::<T>(
            pairs.map(|(a, b)| (about(a, 2 * bias), about(b, bias - 2 + down % 4))),
        );
    }
    check_products::<T>(edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))));
    check_products::<T>(scattered(1).zip(scattered(2)).take(200_000));
    // Products about the smallest numbers and below them, and about the largest.
    for down in 0..2 * u64::from(fraction) + 3 {
        let pairs = scattered(3 + down).zip(scattered(99 + down)).take(4_000);
        let small = bias.saturating_sub(down);
        check_products::<T>(pairs.clone().map(|(a, b)| (about(a, 1), about(b, small))));
        check_products::<T>(pairs.clone().map(|(a, b)| (a >> (down % 53) & 1023, about(b, bias))));
        let large = (bias + 1).saturating_sub(down % 4);
        check_products::<T>(pairs.map(|(a, b)| (about(a, 2 * bias), about(b, large))));
    }
    check_sums::<T>(edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))));
    check_sums::<T>(scattered(1).zip(scattered(2)).take(100_000));
    // Numbers that are so far apart, of both signs, of which some cancel.
    for apart in 0..2 * u64::from(fraction) + 6 {
        let pairs = scattered(7 + apart).zip(scattered(77 + apart)).take(4_000);
        let beside = move |a: u64, b: u64| {
            let difference = b & 1 << (T::FORMAT.width() - 1) | b & ((1 << fraction) - 1);
            (a ^ difference).wrapping_sub(apart << fraction)
        };
        check_sums::<T>(pairs.clone().map(|(a, b)| (a, beside(a, b))));
        check_sums::<T>(pairs.map(|(a, b)| (beside(a, b & 1 << (T::FORMAT.width() - 1)), a)));
    }
    check_roots::<T>(edges.iter().copied());
    check_roots::<T>(scattered(5).take(100_000));
    check_reciprocals::<T>(edges.iter().copied());
    check_reciprocals::<T>(scattered(6).take(100_000));
}

#[test]
fn float32_and_float64_round_once() {
    check_sample::<f32>();
    check_sample::<f64>();
}

#[test]
fn float16_and_bfloat16_quotients_products_and_sums_round_as_if_once() {
    check_sample::<f16>();
    check_sample::<bf16>();
}

#[test]
fn every_float16_and_bfloat16_reciprocal_is_correctly_rounded() {
    check_reciprocals::<f16>(0..1 << 16);
    check_reciprocals::<bf16>(0..1 << 16);
}

#[test]
fn every_float16_and_bfloat16_square_root_is_correctly_rounded() {
    check_roots::<f16>(0..1 << 16);
    check_roots::<bf16>(0..1 << 16);
}

#[test]
fn every_float16_and_bfloat16_has_correct_quotients_by_directed_divisors() {
    for divisor in [0x0001_u64, 0x03ff, 0x0401, 0x3c01, 0x3fff, 0x4200, 0x7bff, 0x8000, 0xfc00] {
        check_quotients::<f16>((0..1 << 16).map(|a| (a, divisor)));
        check_quotients::<bf16>((0..1 << 16).map(|a| (a, divisor)));
    }
}

#[test]
fn every_float16_and_bfloat16_has_correct_products_by_directed_factors() {
    // 0x3bff and 0x3f7f are the numbers below 1, 0x1fff and 0x2000 about the bfloat16 2^-63.
    for factor in [
        0x0001_u64, 0x007f, 0x0080, 0x03ff, 0x0401, 0x1fff, 0x2000, 0x3bff, 0x3c01, 0x3f7f, 0x3fff,
        0x4200, 0x7bff, 0x7f7f, 0x8000, 0xfc00, 0xff80,
    ] {
        check_products::<f16>((0..1 << 16).map(|a| (a, factor)));
        check_products::<bf16>((0..1 << 16).map(|a| (a, factor)));
    }
}

#[test]
fn every_float16_and_bfloat16_has_correct_sums_with_directed_numbers() {
    for addend in [0x0001_u64, 0x0080, 0x03ff, 0x0401, 0x3c01, 0x3f80, 0x7bff, 0x8000, 0xc501] {
        check_sums::<f16>((0..1 << 16).map(|a| (a, addend)));
        check_sums::<bf16>((0..1 << 16).map(|a| (a, addend)));
    }
}

#[test]
#[ignore = "two times 2^32 quotients take minutes, and only in a release build"]
fn every_float16_and_bfloat16_quotient_is_correctly_rounded() {
    (0..1_u64 << 16).into_par_iter().for_each(|divisor| {
        check_quotients::<f16>((0..1 << 16).map(|a| (a, divisor)));
        check_quotients::<bf16>((0..1 << 16).map(|a| (a, divisor)));
    });
}

#[test]
#[ignore = "two times 2^32 products take minutes, and only in a release build"]
fn every_float16_and_bfloat16_product_is_correctly_rounded() {
    (0..1_u64 << 16).into_par_iter().for_each(|factor| {
        check_products::<f16>((0..1 << 16).map(|a| (a, factor)));
        check_products::<bf16>((0..1 << 16).map(|a| (a, factor)));
    });
}

#[test]
#[ignore = "two times 2^32 sums take minutes, and only in a release build"]
fn every_float16_and_bfloat16_sum_is_correctly_rounded() {
    (0..1_u64 << 16).into_par_iter().for_each(|addend| {
        check_sums::<f16>((0..1 << 16).map(|a| (a, addend)));
        check_sums::<bf16>((0..1 << 16).map(|a| (a, addend)));
    });
}
