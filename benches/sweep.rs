//! Speed of the check of sweeps: alone, and together with the kernel it checks.
//!
//! `cargo bench --package benches --bench sweep`; the items are elements, on one core. One tally takes all samples, as
//! in a sweep.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark may panic")]

use bytemuck::Pod;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use half::{bf16, f16};
use onnx_conformance::check::Check;
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{Divide, SquareRoot, divide, square_root};
use onnx_conformance::oracle::Conforming;
use onnx_conformance::reference::operator::{AttributeValue, Operator};
use onnx_conformance::reference::operators::{
    add::ADD, cast::CAST, div::DIV, mul::MUL, prelu::PRELU, reciprocal::RECIPROCAL, sqrt::SQRT,
    sub::SUB,
};
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

trait Number: Divide + Pod {
    const DTYPE: DType;

    /// The number with the low bits of these.
    fn from_bits(bits: u32) -> Self;

    /// Its bits.
    fn bits(self) -> u64;
}

macro_rules! numbers {
    ($($type:ty: $dtype:ident, |$bits:ident| $number:expr;)*) => {$(
        impl Number for $type {
            const DTYPE: DType = DType::$dtype;

            fn from_bits($bits: u32) -> Self {
                $number
            }

            fn bits(self) -> u64 {
                self.to_le_bytes().iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
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

/// The bits of a result that conforms.
fn right(check: &Check, operands: &[u64]) -> u64 {
    match (check.conforming(operands), check.dtype()) {
        (Conforming::One(bits) | Conforming::RefusalOr(bits), _) => bits,
        // Every bit set is a NaN of each float type.
        _ => u64::MAX,
    }
}

#[divan::bench(args = [
    DType::Float16, DType::Bfloat16, DType::Float8E4M3Fn, DType::Float32, DType::Float64, DType::Float8E8M0,
    DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::Bool,
])]
fn check_cast_of_float32(bencher: Bencher<'_, '_>, to: DType) {
    check_cast::<f32>(bencher, to);
}

#[divan::bench(args = [
    DType::Float16, DType::Float32, DType::Float64, DType::Int8, DType::Int16, DType::Int64, DType::Bool,
])]
fn check_cast_of_int32(bencher: Bencher<'_, '_>, to: DType) {
    check_cast::<i32>(bencher, to);
}

/// Checks conversions that conform.
fn check_cast<T: Number>(bencher: Bencher<'_, '_>, to: DType) {
    let attribute = AttributeValue::Int(to.onnx_code().into());
    let attributes = [("to".to_owned(), attribute)].into();
    let check = Check::of(&CAST, T::DTYPE, attributes).expect("Cast has these types");
    let width = to.bits().map_or(1, |bits| bits as usize / 8);
    let with_results = |x: Vec<T>| {
        let bits = |x: &T| check.conforming(&[x.bits()]).example().unwrap_or_default();
        let results = x.iter().flat_map(|x| bits(x).to_le_bytes()[..width].to_vec());
        [bytemuck::cast_slice(&x).to_vec(), results.collect()]
    };
    let rows: Vec<[Vec<u8>; 2]> = rows::<T>().into_iter().map(|[x, _]| with_results(x)).collect();
    let mut tally = Tally::default();
    // A sweep comes to a tie, the largest error that there is, soon.
    let ties = (0..ELEMENTS as u32).map(|step| T::from_bits(0x3f80_0000 + (step << 11)));
    let [x, results] = with_results(ties.collect());
    check.run(&[&x], &results, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for [x, results] in black_box(&rows) {
            check.run(&[x], results, &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}

/// Checks results that conform.
fn check_alone<T: Number>(bencher: Bencher<'_, '_>, path: Path, operator: &'static Operator) {
    let check = check(path, operator, T::DTYPE);
    let rows: Vec<[Vec<T>; 3]> = rows::<T>()
        .into_iter()
        .map(|[a, b]| {
            let pairs = a.iter().zip(&b).map(|(a, b)| [a.bits(), b.bits()]);
            let result = |pair: [u64; 2]| right(&check, &pair[..check.operands().len()]);
            let results = pairs.map(|pair| T::from_bits(result(pair) as u32)).collect();
            [a, b, results]
        })
        .collect();
    let mut tally = Tally::default();
    bencher.counter(ItemsCount::new(ROWS * ELEMENTS)).bench_local(|| {
        for row in black_box(&rows) {
            let columns = row.each_ref().map(|column| bytemuck::cast_slice(column));
            let operands = &columns[..check.operands().len()];
            check.run(operands, columns[2], &mut tally, &mut |mismatch| panic!("{mismatch:?}"));
        }
    });
}

macro_rules! checks {
    ($($name:ident: $operator:ident;)*) => {$(
        #[divan::bench(types = [f16, bf16, i16, u16, i32, f32], args = PATHS)]
        fn $name<T: Number>(bencher: Bencher<'_, '_>, path: Path) {
            check_alone::<T>(bencher, path, &$operator);
        }
    )*};
}

macro_rules! checks_of_floats {
    ($($name:ident: $operator:ident;)*) => {$(
        #[divan::bench(types = [f16, bf16, f32], args = PATHS)]
        fn $name<T: Number>(bencher: Bencher<'_, '_>, path: Path) {
            check_alone::<T>(bencher, path, &$operator);
        }
    )*};
}

checks! {
    check_add: ADD;
    check_sub: SUB;
    check_mul: MUL;
    check_div: DIV;
}

checks_of_floats! {
    check_prelu: PRELU;
    check_sqrt: SQRT;
    check_reciprocal: RECIPROCAL;
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
