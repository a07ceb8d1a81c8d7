//! Speed of the oracle: one check of a result, and one measurement of its error.
//!
//! `cargo bench --package benches --bench oracle`; the items are elements, on one core.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::oracle::{self, Conforming, Division};

fn main() {
    divan::main();
}

/// Elements of one sample: they fit the first-level cache.
const ELEMENTS: usize = 1024;

const TYPES: [DType; 6] =
    [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64, DType::Int32, DType::Int64];

const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// Operands with any significand and sign, and exponents around 1 so that few results are special.
fn operands(dtype: DType) -> Vec<[u64; 2]> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let random = state.rotate_left(32);
        match dtype.kind() {
            Kind::Float(format) => {
                let field = format.significand_bits;
                let sign = (random >> 63) << (format.width() - 1);
                let exponent = format.bias as u64 - 4 + (random >> 60 & 7);
                sign | exponent << field | random & ((1 << field) - 1)
            }
            Kind::Int { bits, .. } => (random >> (64 - bits)) >> (state % u64::from(bits - 1)),
            Kind::Bool | Kind::Complex(_) | Kind::String => 0,
        }
    };
    (0..ELEMENTS).map(|_| [next(), next() | 1]).collect()
}

/// The result that conforms.
fn conforming(result: Option<&Conforming>) -> u64 {
    match result {
        Some(&(Conforming::One(bits) | Conforming::RefusalOr(bits))) => bits,
        Some(_) | None => 0,
    }
}

#[divan::bench(args = TYPES)]
fn check_div(bencher: Bencher<'_, '_>, dtype: DType) {
    let cases: Vec<[u64; 3]> = operands(dtype)
        .into_iter()
        .map(|[a, b]| [a, b, conforming(oracle::div(Division::Div, dtype, a, b).as_ref())])
        .collect();
    bencher.counter(ItemsCount::new(ELEMENTS)).bench_local(|| {
        let accepts = |&[a, b, actual]: &[u64; 3]| {
            oracle::div(Division::Div, dtype, a, b).is_some_and(|set| set.accepts(actual))
        };
        black_box(&cases).iter().filter(|case| accepts(case)).count()
    });
}

#[divan::bench(args = FLOATS)]
fn check_sqrt(bencher: Bencher<'_, '_>, dtype: DType) {
    let sign = dtype.bits().map_or(0, |bits| 1_u64 << (bits - 1));
    let cases: Vec<[u64; 2]> = operands(dtype)
        .into_iter()
        .map(|[x, _]| x & !sign)
        .map(|x| [x, conforming(oracle::sqrt(dtype, x).as_ref())])
        .collect();
    bencher.counter(ItemsCount::new(ELEMENTS)).bench_local(|| {
        let accepts =
            |&[x, actual]: &[u64; 2]| oracle::sqrt(dtype, x).is_some_and(|set| set.accepts(actual));
        black_box(&cases).iter().filter(|case| accepts(case)).count()
    });
}

#[divan::bench(args = TYPES)]
fn measure_div(bencher: Bencher<'_, '_>, dtype: DType) {
    let cases: Vec<[u64; 3]> = operands(dtype)
        .into_iter()
        .map(|[a, b]| [a, b, conforming(oracle::div(Division::Div, dtype, a, b).as_ref())])
        .collect();
    bencher.counter(ItemsCount::new(ELEMENTS)).bench_local(|| {
        black_box(&cases).iter().map(|&[a, b, c]| oracle::div_error(dtype, a, b, c)).max()
    });
}

#[divan::bench(args = FLOATS)]
fn measure_sqrt(bencher: Bencher<'_, '_>, dtype: DType) {
    let cases: Vec<[u64; 2]> = operands(dtype)
        .into_iter()
        .map(|[x, _]| [x, conforming(oracle::sqrt(dtype, x).as_ref())])
        .collect();
    bencher.counter(ItemsCount::new(ELEMENTS)).bench_local(|| {
        black_box(&cases).iter().map(|&[x, y]| oracle::sqrt_error(dtype, x, y)).max()
    });
}
