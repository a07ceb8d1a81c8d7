//! Every element of 8 and 16 bits, and the ends of the NaNs of the others.

use half::{bf16, f16};

use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::{self, *};

/// Which elements of a type are NaN.
fn are_nan<T: bytemuck::Pod + Send + Sync>(dtype: DType, elements: &[T]) -> Vec<bool> {
    let x = tensor(dtype, &[elements.len()], elements);
    let y = run(find("IsNaN", 20).unwrap(), &[&x], &Attributes::new()).unwrap();
    read::<u8>(&y).into_iter().map(|truth| truth == 1).collect()
}

#[test]
fn of_8_bits_these_alone_are_nan() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for (dtype, expected) in [
        (Float8E4M3Fn, &[0x7f, 0xff][..]),
        (Float8E5M2, &[0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]),
        (Float8E4M3Fnuz, &[0x80]),
        (Float8E5M2Fnuz, &[0x80]),
    ] {
        let truth = are_nan(dtype, &all).into_iter().zip(&all);
        let nans: Vec<u8> = truth.filter(|(is_nan, _)| *is_nan).map(|(_, x)| *x).collect();
        assert_eq!(nans, expected, "{dtype}");
    }
}

#[test]
fn of_16_bits_those_are_nan_that_are_beyond_the_infinities() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    for (dtype, infinity) in [(Float16, f16::INFINITY), (Bfloat16, f16::from_bits(0x7f80))] {
        let infinity = infinity.to_bits();
        for (x, is_nan) in all.iter().zip(are_nan(dtype, &all)) {
            assert_eq!(is_nan, x & 0x7fff > infinity, "{dtype} {x:#x}");
        }
    }
    assert_eq!(bf16::INFINITY.to_bits(), 0x7f80);
}

#[test]
fn wider_floats_are_nan_from_the_least_payload_on() {
    let singles =
        [0x7f80_0000_u32, 0x7f80_0001, 0x7fc0_0000, 0xff80_0000, 0xff80_0001, u32::MAX, 0];
    let expected = [false, true, true, false, true, true, false];
    assert_eq!(are_nan(Float32, &singles), expected);
    let infinity = f64::INFINITY.to_bits();
    let minus = f64::NEG_INFINITY.to_bits();
    let doubles = [infinity, infinity + 1, f64::NAN.to_bits(), minus, minus + 1, u64::MAX, 0];
    assert_eq!(are_nan(Float64, &doubles), expected);
}
