//! Division and square root against the machine's own binary32 and binary64, and the narrow formats
//! against binary32 rounded once more.
//!
//! Rounding twice is harmless for quotients and roots where the wider precision is at least 2p + 2
//! (Figueroa: *When is Double Rounding Innocuous?*, 1995): 24 for float16's p = 11.

use half::{bf16, f16};
use onnx_conformance::dtype::DType;
use onnx_conformance::oracle::{self, Deviation, Division, Ulps};
use rayon::prelude::*;

use super::cases::{
    Random, format_of, near_overflow, near_quotients, near_roots, specials, subnormal_ties,
};
use crate::support::extent::size;

struct Machine {
    dtype: DType,
    div: fn(u64, u64) -> u64,
    sqrt: fn(u64) -> u64,
}

const FLOAT32: Machine = Machine {
    dtype: DType::Float32,
    div: |a, b| u64::from((f32::from_bits(a as u32) / f32::from_bits(b as u32)).to_bits()),
    sqrt: |x| u64::from(f32::from_bits(x as u32).sqrt().to_bits()),
};

const FLOAT64: Machine = Machine {
    dtype: DType::Float64,
    div: |a, b| (f64::from_bits(a) / f64::from_bits(b)).to_bits(),
    sqrt: |x| f64::from_bits(x).sqrt().to_bits(),
};

const FLOAT16: Machine = Machine {
    dtype: DType::Float16,
    div: |a, b| {
        let [a, b] = [a, b].map(|bits| f16::from_bits(bits as u16).to_f32());
        u64::from(f16::from_f32(a / b).to_bits())
    },
    sqrt: |x| u64::from(f16::from_f32(f16::from_bits(x as u16).to_f32().sqrt()).to_bits()),
};

const BFLOAT16: Machine = Machine {
    dtype: DType::Bfloat16,
    // In binary64: binary32 has bfloat16's exponents, so that its subnormal quotients round twice.
    div: |a, b| {
        let [a, b] = [a, b].map(|bits| bf16::from_bits(bits as u16).to_f64());
        u64::from(bf16::from_f64(a / b).to_bits())
    },
    sqrt: |x| u64::from(bf16::from_f32(bf16::from_bits(x as u16).to_f32().sqrt()).to_bits()),
};

impl Machine {
    #[track_caller]
    fn agrees_on_quotient(&self, [a, b]: [u64; 2]) {
        let (dtype, theirs) = (self.dtype, (self.div)(a, b));
        let oracle = oracle::div(Division::Div, dtype, a, b).unwrap();
        assert!(oracle.accepts(theirs), "{dtype} {a:#x} / {b:#x}: {theirs:#x}, oracle {oracle:x?}");
    }

    #[track_caller]
    fn agrees_on_root(&self, x: u64) {
        let (dtype, theirs) = (self.dtype, (self.sqrt)(x));
        let oracle = oracle::sqrt(dtype, x).unwrap();
        assert!(oracle.accepts(theirs), "{dtype} sqrt {x:#x}: {theirs:#x}, oracle {oracle:x?}");
    }

    /// A correctly rounded result errs by half an ULP at most, and its neighbours by as much at
    /// least.
    #[track_caller]
    fn errs_by_half_an_ulp(&self, [a, b]: [u64; 2]) {
        let check = |operands: &[u64], result: u64, error: &dyn Fn(u64) -> Option<Deviation>| {
            let dtype = self.dtype;
            match error(result).unwrap() {
                Deviation::NoRealResult => {}
                here => {
                    assert!(here <= Deviation::Ulps(Ulps::HALF), "{dtype} {operands:x?}: {here:?}");
                    for neighbour in [result.wrapping_add(1), result.wrapping_sub(1)] {
                        let there = error(neighbour).unwrap();
                        let half = Deviation::Ulps(Ulps::HALF);
                        assert!(there >= half, "{dtype} {operands:x?}, {neighbour:x}: {there:?}");
                    }
                }
            }
        };
        check(&[a, b], (self.div)(a, b), &|actual| oracle::div_error(self.dtype, a, b, actual));
        check(&[a], (self.sqrt)(a), &|actual| oracle::sqrt_error(self.dtype, a, actual));
    }

    fn agrees_at_random(&self, seed: u64, count: usize) {
        let (format, mut random) = (format_of(self.dtype), Random::new(seed));
        for _ in 0..count {
            self.agrees_on_quotient(random.pair(format));
            self.agrees_on_root(random.radicand(format));
        }
    }

    fn agrees_where_directed(&self, seed: u64, count: usize) {
        let (format, mut random) = (format_of(self.dtype), Random::new(seed));
        for pair in near_quotients(format, &mut random, count)
            .into_iter()
            .chain(subnormal_ties(format, &mut random, count))
            .chain(near_overflow(format))
        {
            self.agrees_on_quotient(pair);
        }
        for x in near_roots(format, &mut random, count) {
            self.agrees_on_root(x);
        }
    }
}

#[test]
fn special_values_agree() {
    for machine in [FLOAT16, BFLOAT16, FLOAT32, FLOAT64] {
        let specials = specials(format_of(machine.dtype));
        for a in &specials {
            machine.agrees_on_root(*a);
            for b in &specials {
                machine.agrees_on_quotient([*a, *b]);
            }
        }
    }
}

#[test]
fn float16_and_bfloat16_roots_agree_for_every_value() {
    for machine in [FLOAT16, BFLOAT16] {
        for x in 0..1 << 16 {
            machine.agrees_on_root(x);
        }
    }
}

#[test]
fn random_quotients_and_roots_agree() {
    for machine in [FLOAT16, BFLOAT16, FLOAT32, FLOAT64] {
        let (chunks, pairs) = match machine.dtype {
            DType::Float32 | DType::Float64 => size((1, 20_000), (1_000, 100_000)),
            _ => (1, 20_000),
        };
        let agrees = |chunk: u64| machine.agrees_at_random(0x3ac4_0000 + chunk, pairs);
        (0..chunks).into_par_iter().for_each(agrees);
    }
}

#[test]
fn hardest_quotients_and_roots_agree() {
    for machine in [FLOAT16, BFLOAT16, FLOAT32, FLOAT64] {
        let (chunks, pairs) = match machine.dtype {
            DType::Float32 | DType::Float64 => size((1, 2_000), (40, 50_000)),
            _ => (1, 2_000),
        };
        let agrees = |chunk: u64| machine.agrees_where_directed(0x3ac4_0000 + chunk, pairs);
        (0..chunks).into_par_iter().for_each(agrees);
    }
}

#[test]
fn correctly_rounded_results_err_by_half_an_ulp_at_most_and_others_by_more() {
    for machine in [FLOAT16, BFLOAT16, FLOAT32, FLOAT64] {
        let (chunks, pairs) = size((1, 5_000), (100, 50_000));
        (0..chunks).into_par_iter().for_each(|chunk| {
            let (format, mut random) = (format_of(machine.dtype), Random::new(0x3ac4_0000 + chunk));
            for _ in 0..pairs {
                machine.errs_by_half_an_ulp(random.pair(format));
            }
        });
    }
}

#[test]
#[ignore = "takes a minute: cargo xtask ci --full"]
fn float16_quotients_agree_for_every_pair() {
    (0..1 << 16).into_par_iter().for_each(|a| {
        for b in 0..1 << 16 {
            FLOAT16.agrees_on_quotient([a, b]);
        }
    });
}
