//! Functions of one element on every element of 8 and 16 bits, and on directed and drawn ones of more, against
//! functions of binary64 numbers and of integers.

use values::dtype::{DType, Kind, integer};
use values::float::{Class, FloatFormat};
use values::random::Random;

use crate::slices;

/// Elements that are drawn of a type of 32 or 64 bits.
const DRAWN: u64 = 100_000;

/// The results of a kernel on elements of a type, all as bits.
pub(crate) fn mapped(name: &str, dtype: DType, elements: &[u64]) -> Vec<u64> {
    let slices = slices(name).unwrap();
    let run = |operands: &[u8], results: &mut [u8]| {
        assert_eq!(slices(dtype, &[operands], results), Some(Ok(())));
    };
    macro_rules! run_on {
        ($cell:ty) => {{
            let operands: Vec<$cell> = elements.iter().map(|&bits| bits as $cell).collect();
            let mut results: Vec<$cell> = vec![0x55; operands.len()];
            run(bytemuck::cast_slice(&operands), bytemuck::cast_slice_mut(&mut results));
            results.into_iter().map(u64::from).collect()
        }};
    }
    match dtype.bits().unwrap() {
        8 => run_on!(u8),
        16 => run_on!(u16),
        32 => run_on!(u32),
        64 => run_on!(u64),
        bits => panic!("{dtype} has {bits} bits"),
    }
}

/// All elements of up to 16 bits; of more, drawn ones, small ones, and about every power of two of the bits.
fn elements(width: u32) -> Vec<u64> {
    if width <= 16 {
        return (0..1 << width).collect();
    }
    let mask = u64::MAX >> (64 - width);
    let drawn = (0..DRAWN).map(|index| Random::at(0x6b65_726e, index).bits() >> (64 - width));
    let small = 0..2000;
    let powers = (0..width).map(|bit| 1_u64 << bit);
    let about = powers.flat_map(|power| [power.wrapping_sub(1), power, power + 1]);
    let both = small.chain(about).flat_map(|bits| [bits, bits.wrapping_neg(), !bits]);
    let signed = both.flat_map(|bits| [bits, bits ^ 1 << (width - 1)]);
    signed.map(|bits| bits & mask).chain(drawn).collect()
}

/// Numbers of every exponent with short significands, and those about small integers and halves.
fn numbers(format: &FloatFormat) -> Vec<u64> {
    if format.width() == 16 {
        return Vec::new();
    }
    let field = format.significand_bits;
    let exponents = 0..1_u64 << format.exponent_bits;
    let fields = [0, 1, (1 << field) - 1, 1 << (field - 1), 3 << (field - 2)];
    let wide = exponents.flat_map(|exponent| fields.map(|bits| exponent << field | bits));
    let halves = (1..2000).chain((1..=field).flat_map(|bit| [(1 << bit) - 1, (1 << bit) + 1]));
    let halves = halves.filter_map(|halves| format.encode(halves, -1));
    let near = halves.flat_map(|bits| [bits - 1, bits, bits + 1]);
    wide.chain(near).flat_map(|bits| [bits, format.negated(bits)]).collect()
}

/// Checks a kernel on floats of every type against a function of binary64 numbers, whose result for a number of a
/// type is one of it; what is NaN is to be any NaN.
pub(crate) fn check_floats(name: &str, expected: fn(f64) -> f64) {
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        let all = [elements(format.width()), numbers(format)].concat();
        for (x, y) in all.iter().zip(mapped(name, dtype, &all)) {
            let (number, result) = (format.to_f64(*x), format.to_f64(y));
            let expected = expected(number);
            let agree = match expected.is_nan() {
                true => format.class(y) == Class::Nan,
                false => result.to_bits() == expected.to_bits(),
            };
            assert!(agree, "{name} of {dtype} {number} ({x:#x}): {result}, not {expected}");
        }
    }
}

/// Checks a kernel on integers of types.
pub(crate) fn check_ints(name: &str, types: &[DType], expected: fn(i128) -> i128) {
    for &dtype in types {
        let Kind::Int { signed, bits } = dtype.kind() else { panic!("{dtype}") };
        let all = elements(bits);
        for (x, y) in all.iter().zip(mapped(name, dtype, &all)) {
            let value = |bits_of: u64| integer(bits_of.into(), signed, bits);
            // The least integer alone has a magnitude that wraps.
            let wrapped = expected(value(*x)) as u64 & u64::MAX >> (64 - bits);
            assert_eq!(y, wrapped, "{name} of {dtype} {}", value(*x));
        }
    }
}

/// An integer next to a number, by integers: given the integer without the fraction, and whether the fraction is
/// less than a half (-1), a half or more (1). Zeros have the sign of the number.
pub(crate) fn integral(x: f64, up: fn(bool, i64, i32) -> bool) -> f64 {
    // From 2^52 on every number is an integer.
    if x.is_nan() || x.abs() >= 4_503_599_627_370_496.0 {
        return x;
    }
    let (negative, magnitude) = (x.is_sign_negative(), x.abs());
    let whole = magnitude as i64;
    let fraction = magnitude - whole as f64;
    let half = if fraction < 0.5 { -1 } else { i32::from(fraction > 0.5) };
    let rounded = whole + i64::from(fraction > 0.0 && up(negative, whole, half));
    (rounded as f64).copysign(x)
}

/// Checks that a kernel gives the same for every length as for the whole.
pub(crate) fn check_lengths(name: &str, dtype: DType) {
    let all: Vec<u64> = (0..1100).map(|at| Random::at(1, at).bits() & 0x7bff).collect();
    let results = mapped(name, dtype, &all);
    for len in (0..70).chain([1023, 1024, 1025]) {
        assert_eq!(mapped(name, dtype, &all[..len]), results[..len], "{len}");
    }
}
