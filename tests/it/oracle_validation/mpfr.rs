//! Division, square root and their errors against MPFR, by the crate `rug`.

use std::cmp::Ordering;

use onnx_conformance::dtype::DType;
use onnx_conformance::float::FloatFormat;
use onnx_conformance::oracle::{self, Deviation, Division, Ulps};
use rayon::prelude::*;
use rug::Float;
use rug::float::Round;
use rug::ops::CompleteRound;

use super::cases::{
    Random, format_of, near_overflow, near_quotients, near_roots, specials, subnormal_ties,
};
use crate::support::extent::size;

const TYPES: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

fn read(format: &FloatFormat, bits: u64) -> Float {
    Float::with_val(53, format.to_f64(bits))
}

/// The pattern of what MPFR rounded to the format's precision, with its range applied.
fn pattern(format: &FloatFormat, (mut number, ternary): (Float, Ordering)) -> u64 {
    number.subnormalize_round(2 - format.bias, ternary, Round::Nearest);
    let sign = u64::from(number.is_sign_negative()) << (format.width() - 1);
    let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
    let magnitude = if number.is_nan() {
        infinity | 1
    } else if number.is_zero() {
        0
    } else if number.get_exp().is_none_or(|exponent| exponent > format.bias + 1) {
        infinity
    } else {
        // Every number of these formats is one of binary64.
        let bits = number.to_f64().abs().to_bits();
        let (biased, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        format.encode(significand, biased.max(1) - 1075).unwrap()
    };
    sign | magnitude
}

#[track_caller]
fn quotients_agree(dtype: DType, [a, b]: [u64; 2]) {
    let format = format_of(dtype);
    let precision = format.significand_bits + 1;
    let [x, y] = [a, b].map(|bits| read(format, bits));
    let theirs = pattern(format, (&x / &y).complete_round(precision, Round::Nearest));
    let oracle = oracle::div(Division::Div, dtype, a, b).unwrap();
    assert!(oracle.accepts(theirs), "{dtype} {a:#x} / {b:#x}: {theirs:#x}, oracle {oracle:x?}");
}

#[track_caller]
fn roots_agree(dtype: DType, x: u64) {
    let format = format_of(dtype);
    let precision = format.significand_bits + 1;
    let root = read(format, x).sqrt_ref().complete_round(precision, Round::Nearest);
    let theirs = pattern(format, root);
    let oracle = oracle::sqrt(dtype, x).unwrap();
    assert!(oracle.accepts(theirs), "{dtype} sqrt {x:#x}: {theirs:#x}, oracle {oracle:x?}");
}

/// An error is MPFR's of 500 bits rounded up to a step; to another one where the result is tiny
/// beside the real one.
#[track_caller]
fn errors_agree(dtype: DType, real: &Float, actual: u64, deviation: Deviation) {
    let Deviation::Ulps(ulps) = deviation else { return };
    let format = format_of(dtype);
    let field = format.significand_bits as i32;
    let spacing = real.get_exp().map_or(i32::MIN, |exponent| exponent - 1 - field);
    let steps = spacing.max(1 - format.bias - field) - Ulps::FRACTION_BITS as i32;
    let actual = read(format, actual);
    let tiny = Float::with_val(53, &actual << 18).cmp_abs(real) == Some(Ordering::Less);
    let distance = Float::with_val(500, real - &actual).abs() >> steps;
    let more = Float::with_val(500, ulps.steps()) - distance;
    let below = if tiny { 2.0 } else { 1.0 };
    assert!(more > -1e-30 && more < below + 1e-30, "{dtype} {actual} for {real}: {ulps}, {more}");
}

fn agree_at_random(dtype: DType, seed: u64, count: usize) {
    let (format, mut random) = (format_of(dtype), Random::new(seed));
    for _ in 0..count {
        let [a, b] = random.pair(format);
        quotients_agree(dtype, [a, b]);
        roots_agree(dtype, random.radicand(format));
        if let Some(&oracle::Conforming::One(near)) =
            oracle::div(Division::Div, dtype, a, b).as_ref()
        {
            let actual = near.saturating_add_signed(random.below(9) as i64 - 4);
            let error = oracle::div_error(dtype, a, b, actual).unwrap();
            if format.to_f64(actual).is_finite() {
                let real = Float::with_val(500, &read(format, a) / &read(format, b));
                errors_agree(dtype, &real, actual, error);
            }
        }
    }
}

fn agree_where_directed(dtype: DType, seed: u64, count: usize) {
    let (format, mut random) = (format_of(dtype), Random::new(seed));
    let mut pairs = near_quotients(format, &mut random, count);
    pairs.extend(subnormal_ties(format, &mut random, count));
    pairs.extend(near_overflow(format));
    pairs.into_iter().for_each(|pair| quotients_agree(dtype, pair));
    near_roots(format, &mut random, count).into_iter().for_each(|x| roots_agree(dtype, x));
}

#[test]
fn special_values_agree() {
    for dtype in TYPES {
        let specials = specials(format_of(dtype));
        for a in &specials {
            roots_agree(dtype, *a);
            specials.iter().for_each(|b| quotients_agree(dtype, [*a, *b]));
        }
    }
}

#[test]
fn random_and_hardest_quotients_and_roots_agree() {
    for dtype in TYPES {
        let (chunks, random, directed) = size((1, 2_000, 1_000), (100, 50_000, 10_000));
        (0..chunks).into_par_iter().for_each(|chunk| {
            agree_at_random(dtype, 0x3bf4_0000 + chunk, random);
            agree_where_directed(dtype, 0x3bf4_0000 + chunk, directed);
        });
    }
}
