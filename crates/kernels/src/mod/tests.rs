//! Remainders of every pair of 8-bit integers, of many others, and of floats.

use half::{bf16, f16};

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn remainders(fmod: i64, a: &Tensor, b: &Tensor) -> Result<Tensor, KernelError> {
    let attributes: Attributes = [("fmod".to_owned(), Attribute::Int(fmod))].into();
    run(find("Mod", 13).unwrap(), &[a, b], &attributes)
}

#[test]
fn every_pair_of_8_bit_integers_has_both_remainders() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    let signed: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    for divisor in (0..=u8::MAX).filter(|divisor| *divisor != 0) {
        let (a, b) = (tensor(Uint8, &[256], &all), tensor(Uint8, &[], &[divisor]));
        let expected: Vec<u8> = all.iter().map(|a| a - divisor * (a / divisor)).collect();
        for fmod in [0, 1] {
            assert_eq!(read::<u8>(&remainders(fmod, &a, &b).unwrap()), expected);
        }
        let divisor = divisor.cast_signed();
        let (a, b) = (tensor(Int8, &[256], &signed), tensor(Int8, &[], &[divisor]));
        let floored: Vec<i8> = read(&remainders(0, &a, &b).unwrap());
        let truncated: Vec<i8> = read(&remainders(1, &a, &b).unwrap());
        for ((a, floored), truncated) in signed.iter().zip(floored).zip(truncated) {
            let [a, b] = [i32::from(*a), i32::from(divisor)];
            assert_eq!(i32::from(truncated), a - b * (a / b), "{a} {b}");
            let quotient = (f64::from(a) / f64::from(b)).floor() as i32;
            assert_eq!(i32::from(floored), a - b * quotient, "{a} {b}");
        }
    }
}

#[test]
fn no_integer_has_a_remainder_by_zero() {
    let (a, b) = (tensor(Int32, &[2], &[7, 7]), tensor(Int32, &[2], &[2, 0]));
    let error = remainders(0, &a, &b).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Domain);
    assert!(matches!(error, KernelError::DivisionByZero { dividend: 7, .. }), "{error}");
    let least = tensor(Int64, &[1], &[i64::MIN]);
    let minus_one = tensor(Int64, &[1], &[-1_i64]);
    assert_eq!(read::<i64>(&remainders(0, &least, &minus_one).unwrap()), [0]);
}

#[test]
fn floats_have_the_remainder_of_their_values_and_need_the_attribute() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    for divisor in [3.0_f32, -0.1, f32::INFINITY, 0.0, f32::NAN, 6e-8] {
        let b = tensor(Float16, &[], &[f16::from_f32(divisor)]);
        let results: Vec<f16> =
            read(&remainders(1, &tensor(Float16, &[1 << 16], &all), &b).unwrap());
        for (bits, result) in all.iter().zip(results) {
            let [x, y] = [f16::from_bits(*bits), f16::from_f32(divisor)].map(f64::from);
            let (expected, result) = (x % y, f64::from(result));
            let same = expected.to_bits() == result.to_bits();
            assert!(same || expected.is_nan() && result.is_nan(), "{x} % {y}");
        }
    }
    let (a, b) = (tensor(Bfloat16, &[1], &[bf16::MAX]), tensor(Bfloat16, &[1], &[bf16::ONE]));
    assert_eq!(read::<bf16>(&remainders(1, &a, &b).unwrap()), [bf16::ZERO]);
    let error = remainders(0, &a, &b).unwrap_err();
    assert_eq!(error.to_string(), "attribute `fmod` of Mod-13 must be 1 for floats");
}
