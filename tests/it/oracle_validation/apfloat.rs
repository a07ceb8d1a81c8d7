//! Division against LLVM's `APFloat`, by the crate `rustc_apfloat`.

use onnx_conformance::dtype::DType;
use onnx_conformance::oracle::{self, Division};
use rayon::prelude::*;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};

use super::cases::{Random, format_of, near_overflow, near_quotients, specials, subnormal_ties};
use crate::support::extent::size;

fn quotient<F: Float>(a: u64, b: u64) -> u64 {
    let [a, b] = [a, b].map(|bits| F::from_bits(u128::from(bits)));
    (a / b).value.to_bits() as u64
}

type Divide = fn(u64, u64) -> u64;

/// The types that `APFloat` knows, with its quotient.
const TYPES: [(DType, Divide); 6] = [
    (DType::Float8E4M3Fn, quotient::<Float8E4M3FN>),
    (DType::Float8E5M2, quotient::<Float8E5M2>),
    (DType::Float16, quotient::<Half>),
    (DType::Bfloat16, quotient::<BFloat>),
    (DType::Float32, quotient::<Single>),
    (DType::Float64, quotient::<Double>),
];

#[track_caller]
fn agree(dtype: DType, divide: Divide, [a, b]: [u64; 2]) {
    let (oracle, theirs) = (oracle::div(Division::Div, dtype, a, b).unwrap(), divide(a, b));
    assert!(oracle.accepts(theirs), "{dtype} {a:#x} / {b:#x}: {theirs:#x}, oracle {oracle:x?}");
}

fn agree_at_random(seed: u64, count: usize) {
    for (dtype, divide) in TYPES {
        let mut random = Random::new(seed);
        for _ in 0..count {
            agree(dtype, divide, random.pair(format_of(dtype)));
        }
    }
}

fn agree_where_directed(seed: u64, count: usize) {
    for (dtype, divide) in &TYPES[2..] {
        let (format, mut random) = (format_of(*dtype), Random::new(seed));
        let mut pairs = near_quotients(format, &mut random, count);
        pairs.extend(subnormal_ties(format, &mut random, count));
        pairs.extend(near_overflow(format));
        for [a, b] in pairs {
            let sign = random.below(2) << (format.width() - 1);
            agree(*dtype, *divide, [a ^ sign, b]);
        }
    }
}

#[test]
fn float8_quotients_agree_for_every_pair() {
    for (dtype, divide) in &TYPES[..2] {
        for pair in 0..1 << 16 {
            agree(*dtype, *divide, [pair >> 8, pair & 0xff]);
        }
    }
}

#[test]
fn quotients_of_special_values_agree() {
    for (dtype, divide) in TYPES {
        let specials = specials(format_of(dtype));
        for a in &specials {
            for b in &specials {
                agree(dtype, divide, [*a, *b]);
            }
        }
    }
}

#[test]
fn random_quotients_agree() {
    let (seeds, pairs) = size((1, 10_000), (40, 100_000));
    (0..seeds).into_par_iter().for_each(|seed| agree_at_random(0x0a9f_0000 + seed, pairs));
}

#[test]
fn hardest_tied_and_overflowing_quotients_agree() {
    let (seeds, pairs) = size((1, 2_000), (40, 20_000));
    (0..seeds).into_par_iter().for_each(|seed| agree_where_directed(0x0a9f_0000 + seed, pairs));
}
