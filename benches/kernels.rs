//! Throughput of the operators, beside a plain copy of the same bytes.
//!
//! `slices` computes into memory that is already there, as `copy` does; `tensors` are whole runs of
//! an operator, which allocate their output, as `copy_to_new` does.

#![expect(clippy::expect_used, reason = "a benchmark may panic")]

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use half::{bf16, f16};
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{
    Attributes, Divide, Exponential, Multiply, SquareRoot, divide, exponential, find, multiply,
    square_root,
};
use onnx_conformance::tensor::Tensor;

const SIZES: [usize; 2] = [1 << 16, 1 << 24];

/// Length of the last dimension of every tensor.
const ROW: usize = 256;

fn main() {
    divan::main();
}

trait Element: Divide + Send + Sync {
    const DTYPE: DType;

    /// A float in [1, 2), or an integer of any size.
    fn dividend(bits: u64) -> Self;

    /// A float in [1, 2), or a positive integer of any size.
    fn divisor(bits: u64) -> Self;
}

macro_rules! floats {
    ($($type:ident: $dtype:ident, $convert:expr;)*) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn dividend(bits: u64) -> Self {
                $convert(f64::from_bits(bits >> 12 | 1_f64.to_bits()))
            }

            fn divisor(bits: u64) -> Self {
                Self::dividend(bits)
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ident: $dtype:ident;)*) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn dividend(bits: u64) -> Self {
                bits as Self
            }

            fn divisor(bits: u64) -> Self {
                bits as Self & Self::MAX | 1
            }
        }
    )*};
}

floats! {
    f16: Float16, f16::from_f64;
    bf16: Bfloat16, bf16::from_f64;
    f32: Float32, |x: f64| x as f32;
    f64: Float64, |x: f64| x;
}

integers! {
    i8: Int8;
    i16: Int16;
    i32: Int32;
    i64: Int64;
    u8: Uint8;
    u16: Uint16;
    u32: Uint32;
    u64: Uint64;
}

/// Elements without a pattern (Steele, Lea and Flood's SplitMix64).
fn elements<T>(seed: u64, count: usize, element: fn(u64) -> T) -> Vec<T> {
    let numbers = (0..).map(|i: u64| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    });
    numbers.take(count).map(element).collect()
}

fn tensor<T: Element>(shape: &[usize], seed: u64, element: fn(u64) -> T) -> Tensor {
    let values = elements(seed, shape.iter().product(), element);
    Tensor::from_values(T::DTYPE, shape.to_vec(), values).expect("as many values as the shape has")
}

mod copy {
    use super::*;

    #[divan::bench(types = [u8, u16, u32, u64], args = SIZES)]
    fn copy<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        let from = elements(1, count, T::dividend);
        let mut to = from.clone();
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| black_box(&mut to[..]).copy_from_slice(black_box(&from)));
    }

    #[divan::bench(types = [u8, u16, u32, u64], args = SIZES)]
    fn copy_to_new<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        let from = elements(1, count, T::dividend);
        bencher.counter(ItemsCount::new(count)).bench_local(|| black_box(&from[..]).to_vec());
    }
}

mod slices {
    use super::*;

    #[divan::bench(
        types = [f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64],
        args = SIZES
    )]
    fn div<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_slices(bencher, count, T::dividend, T::divisor);
    }

    /// 64-bit integers as most tensors hold them: of no more than 32 bits.
    #[divan::bench(types = [i64, u64], args = SIZES)]
    fn div_small<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_slices(bencher, count, |x| T::dividend(x >> 32), |x| T::divisor(x >> 32));
    }

    fn divide_slices<T: Element>(
        bencher: Bencher<'_, '_>,
        count: usize,
        dividend: fn(u64) -> T,
        divisor: fn(u64) -> T,
    ) {
        let dividends = elements(1, count, dividend);
        let divisors = elements(2, count, divisor);
        let mut quotients = dividends.clone();
        bencher.counter(ItemsCount::new(count)).bench_local(|| {
            divide(black_box(&dividends), black_box(&divisors), black_box(&mut quotients))
        });
    }

    #[divan::bench(types = [f16, bf16, f32, f64], args = SIZES)]
    fn sqrt<T: Element + SquareRoot>(bencher: Bencher<'_, '_>, count: usize) {
        let operands = elements(1, count, T::dividend);
        let mut roots = operands.clone();
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| square_root(black_box(&operands), black_box(&mut roots)));
    }

    #[divan::bench(types = [f16, bf16, f32, f64, i8, i64], args = SIZES)]
    fn mul<T: Element + Multiply>(bencher: Bencher<'_, '_>, count: usize) {
        let left = elements(1, count, T::dividend);
        let right = elements(2, count, T::divisor);
        let mut products = left.clone();
        bencher.counter(ItemsCount::new(count)).bench_local(|| {
            multiply(black_box(&left), black_box(&right), black_box(&mut products));
        });
    }

    #[divan::bench(types = [f16, bf16, f32, f64], args = SIZES)]
    fn exp<T: Element + Exponential>(bencher: Bencher<'_, '_>, count: usize) {
        let operands = elements(1, count, T::dividend);
        let mut results = operands.clone();
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| exponential(black_box(&operands), black_box(&mut results)));
    }
}

mod matrices {
    use super::*;

    const SIDES: [usize; 2] = [64, 512];

    /// Counts products.
    #[divan::bench(types = [f16, f32, f64, i64], args = SIDES)]
    fn matmul<T: Element>(bencher: Bencher<'_, '_>, side: usize) {
        let (a, b) = (tensor(&[side; 2], 1, T::dividend), tensor(&[side; 2], 2, T::dividend));
        let matmul = find("MatMul", 13).expect("version 13 exists");
        bencher.counter(ItemsCount::new(side.pow(3))).bench_local(|| {
            matmul.run(&[Some(black_box(&a)), Some(black_box(&b))], &Attributes::new())
        });
    }

    #[divan::bench(types = [u8, f32, f64], args = SIZES)]
    fn transpose<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        let data = tensor(&[count / ROW, ROW], 1, T::dividend);
        let transpose = find("Transpose", 13).expect("version 13 exists");
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| transpose.run(&[Some(black_box(&data))], &Attributes::new()));
    }

    #[divan::bench(types = [u8, f32, f64], args = SIZES)]
    fn where_with_a_row<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        let shape = [count / ROW, ROW];
        let (x, y) = (tensor(&shape, 1, T::dividend), tensor(&shape[1..], 2, T::dividend));
        let conditions = elements(3, count, |bits| bits as u8 & 1);
        let condition = Tensor::from_values(DType::Bool, shape.to_vec(), conditions)
            .expect("as many values as the shape has");
        let operator = find("Where", 16).expect("version 16 exists");
        let inputs = [&condition, &x, &y].map(Some);
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| operator.run(black_box(&inputs), &Attributes::new()));
    }
}

mod tensors {
    use super::*;

    #[divan::bench(types = [f16, f32, f64, i32, u8], args = SIZES)]
    fn div_same_shape<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        let shape = [count / ROW, ROW];
        divide_tensors::<T>(bencher, &shape, &shape);
    }

    #[divan::bench(types = [f16, f32, f64, i32, u8], args = SIZES)]
    fn div_by_scalar<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_tensors::<T>(bencher, &[count / ROW, ROW], &[]);
    }

    #[divan::bench(types = [f16, f32, f64, i32, u8], args = SIZES)]
    fn div_scalar_by<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_tensors::<T>(bencher, &[], &[count / ROW, ROW]);
    }

    #[divan::bench(types = [f16, f32, f64, i32, u8], args = SIZES)]
    fn div_by_row<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_tensors::<T>(bencher, &[count / ROW, ROW], &[ROW]);
    }

    #[divan::bench(types = [f16, f32, f64, i32, u8], args = SIZES)]
    fn div_by_column<T: Element>(bencher: Bencher<'_, '_>, count: usize) {
        divide_tensors::<T>(bencher, &[count / ROW, ROW], &[count / ROW, 1]);
    }

    fn divide_tensors<T: Element>(bencher: Bencher<'_, '_>, a: &[usize], b: &[usize]) {
        let (a, b) = (tensor(a, 1, T::dividend), tensor(b, 2, T::divisor));
        let div = find("Div", 14).expect("version 14 exists");
        bencher.counter(ItemsCount::new(a.elements().max(b.elements()))).bench_local(|| {
            div.run(&[Some(black_box(&a)), Some(black_box(&b))], &Attributes::new())
        });
    }
}
