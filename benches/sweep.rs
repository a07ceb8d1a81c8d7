//! Speed of the check of sweeps: alone, and together with the kernel it checks.
//!
//! `cargo bench --package benches --bench sweep`; the items are elements, on one core. One tally takes all samples, as
//! in a sweep.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark may panic")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use half::{bf16, f16};
use onnx_conformance::check::Check;
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{Divide, SquareRoot, divide, square_root};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{div::DIV, sqrt::SQRT};
use onnx_conformance::sweep::Tally;

fn main() {
    divan::main();
}

/// Elements worked on at a time.
const ELEMENTS: usize = 1 << 12;

/// Rows of one sample: short enough that the scheduler lets most samples pass undisturbed, and of
/// operands of every kind.
const ROWS: usize = 32;

/// How kernel and check choose their instructions.
#[derive(Clone, Copy, Debug)]
enum Path {
    Dispatched,
    Portable,
}

const PATHS: [Path; 2] = [Path::Dispatched, Path::Portable];

trait Number: Divide {
    const DTYPE: DType;

    /// The number with the low bits of these.
    fn from_bits(bits: u32) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $dtype:ident, |$bits:ident| $number:expr;)*) => {$(
        impl Number for $type {
            const DTYPE: DType = DType::$dtype;

            fn from_bits($bits: u32) -> Self {
                $number
            }
        }
    )*};
}

numbers! {
    f16: Float16, |bits| f16::from_bits(bits as u16);
    bf16: Bfloat16, |bits| bf16::from_bits(bits as u16);
    i16: Int16, |bits| bits as i16;
    u16: Uint16, |bits| bits as u16;
    f32: Float32, |bits| f32::from_bits(bits);
    i32: Int32, |bits| bits as i32;
}

fn check(path: Path, operation: &'static Operator, dtype: DType) -> Check {
    let check = Check::new(operation, dtype).expect("there is a check of this type");
    match path {
        Path::Dispatched => check,
        Path::Portable => check.portable(),
    }
}

fn div<T: Number>(path: Path, a: &[T], b: &[T], quotients: &mut [T]) {
    match path {
        Path::Dispatched => drop(divide(a, b, quotients)),
        Path::Portable => {
            for (quotient, (a, b)) in quotients.iter_mut().zip(a.iter().zip(b)) {
                *quotient = a.quotient(*b);
            }
        }
    }
}

fn sqrt(path: Path, x: &[f32], roots: &mut [f32]) {
    match path {
        Path::Dispatched => square_root(x, roots),
        Path::Portable => {
            for (root, x) in roots.iter_mut().zip(x) {
                *root = x.square_root();
            }
        }
    }
}

/// One piece of each of many rows of a sweep: dividends that follow each other, and one divisor.
fn rows<T: Number>() -> Vec<[Vec<T>; 2]> {
    let spread = 1 << (8 * size_of::<T>() - 16);
    let row = |row: u32| {
        let first = row * 5 % 16 * ELEMENTS as u32 * spread;
        let divisor = T::from_bits((row * 0x0800 + 0x0555) * spread);
        let dividends = (0..ELEMENTS as u32).map(|step| T::from_bits(first + step));
        [dividends.collect(), vec![divisor; ELEMENTS]]
    };
    (0..ROWS as u32).map(row).collect()
}

#[divan::bench(types = [f16, bf16, i16, u16, i32, f32], args = PATHS)]
fn check_div<T: Number>(bencher: Bencher<'_, '_>, path: Path) {
    let rows: Vec<[Vec<T>; 3]> = rows()
        .into_iter()
        .map(|[a, b]| {
            let mut quotients = a.clone();
            div(path, &a, &b, &mut quotients);
            [a, b, quotients]
        })
        .collect();
    let check = check(path, &DIV, T::DTYPE);
    let mut tally = Tally::default();
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for row in black_box(&rows) {
            let [a, b, c] = row.each_ref().map(|column| bytemuck::cast_slice(column));
            check.run(&[a, b], c, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}

#[divan::bench(types = [f16, bf16, i16, u16, i32, f32], args = PATHS)]
fn kernel_and_check_div<T: Number>(bencher: Bencher<'_, '_>, path: Path) {
    let rows = rows::<T>();
    let mut quotients = rows[0][0].clone();
    let check = check(path, &DIV, T::DTYPE);
    let mut tally = Tally::default();
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for [a, b] in black_box(&rows) {
            div(path, a, b, &mut quotients);
            let [a, b, c] = [a, b, &quotients].map(|column| bytemuck::cast_slice(column));
            check.run(&[a, b], c, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}

#[divan::bench(args = PATHS)]
fn check_sqrt(bencher: Bencher<'_, '_>, path: Path) {
    let rows: Vec<[Vec<f32>; 2]> = rows()
        .into_iter()
        .map(|[x, _]| {
            let mut roots = x.clone();
            sqrt(path, &x, &mut roots);
            [x, roots]
        })
        .collect();
    let check = check(path, &SQRT, DType::Float32);
    let mut tally = Tally::default();
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for row in black_box(&rows) {
            let [x, roots] = row.each_ref().map(|column| bytemuck::cast_slice(column));
            check.run(&[x], roots, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}

#[divan::bench(args = PATHS)]
fn kernel_and_check_sqrt(bencher: Bencher<'_, '_>, path: Path) {
    let rows = rows::<f32>();
    let mut roots = rows[0][0].clone();
    let check = check(path, &SQRT, DType::Float32);
    let mut tally = Tally::default();
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for [x, _] in black_box(&rows) {
            sqrt(path, x, &mut roots);
            let [x, roots] = [x, &roots].map(|column| bytemuck::cast_slice(column));
            check.run(&[x], roots, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}
