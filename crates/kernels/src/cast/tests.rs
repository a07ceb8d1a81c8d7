//! Conversions by examples. The tests of the whole compare every narrow element with the reference.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

/// A zero of a type; of those without one the smallest number.
pub(crate) fn zero(dtype: DType) -> Tensor {
    match dtype.packed_len(1) {
        Some(bytes) => Tensor::from_bits(dtype, vec![1, 1], vec![0; bytes].into()).unwrap(),
        None => Tensor::from_strings(vec![1, 1], vec!["0".into()]).unwrap(),
    }
}

/// Every type that is converted, so many of them.
pub(crate) fn converted(count: usize) -> Vec<DType> {
    let all = [
        Bool,
        Float16,
        Float32,
        Float64,
        Int8,
        Int16,
        Int32,
        Int64,
        Uint8,
        Uint16,
        Uint32,
        Uint64,
        String,
        Bfloat16,
        Float8E4M3Fn,
        Float8E4M3Fnuz,
        Float8E5M2,
        Float8E5M2Fnuz,
        Int4,
        Uint4,
        Float4E2M1,
        Float8E8M0,
        Int2,
        Uint2,
        Float6E2M3,
        Float6E3M2,
    ];
    all[..count].to_vec()
}

fn cast(opset: i64, x: &Tensor, to: DType) -> Result<Tensor, crate::KernelError> {
    let attributes = Attributes::from([("to".to_owned(), Attribute::Int(to.onnx_code().into()))]);
    run(find("Cast", opset).unwrap(), &[x], &attributes)
}

#[test]
fn numbers_are_rounded_cut_off_and_wrapped() {
    let singles = tensor(Float32, &[5], &[-1.9_f32, 2.5, 300.0, -0.0, f32::NAN]);
    assert_eq!(read::<i32>(&cast(13, &singles, Int32).unwrap())[..4], [-1, 2, 300, 0]);
    assert_eq!(read::<u8>(&cast(13, &singles, Bool).unwrap()), [1, 1, 1, 0, 1]);
    assert_eq!(
        read::<u8>(&cast(25, &singles, Float8E4M3Fn).unwrap())[..4],
        [0xbf, 0x42, 0x79, 0x80]
    );
    let longs = tensor(Int64, &[3], &[(1_i64 << 62) + (1 << 54) + 1, 1 << 53, i64::MIN]);
    let halves = read::<u16>(&cast(13, &longs, Bfloat16).unwrap());
    assert_eq!(halves, [0x5e81, 0x5a00, 0xdf00]);
    let words = tensor(Int16, &[3], &[200_i16, -129, 7]);
    assert_eq!(read::<i8>(&cast(13, &words, Int8).unwrap()), [-56, 127, 7]);
    assert_eq!(cast(25, &words, Int2).unwrap().bits().unwrap()[..], [0b11_11_00]);
}

#[test]
fn floats_of_six_bits_are_rounded_to_even_and_saturate() {
    let values = [0.0625_f32, 0.1875, -0.5625, 7.5, 7.75, -1e9, f32::INFINITY, -0.0];
    let singles = tensor(Float32, &[8], &values);
    let elements = |to: DType| {
        let results = cast(28, &singles, to).unwrap();
        (0..8).map(|at| results.element(at).unwrap()).collect::<Vec<_>>()
    };
    // In eighths 0.5, 1.5, -4.5, 60 and 62; in sixteenths 1, 3, -9, 120 and 124.
    assert_eq!(elements(Float6E2M3), [0, 2, 0x24, 31, 31, 63, 31, 32]);
    assert_eq!(elements(Float6E3M2), [1, 3, 0x28, 0x18, 0x18, 63, 31, 32]);
    let all = Tensor::from_elements(Float6E3M2, vec![64], 0..64).unwrap();
    let wide = cast(28, &all, Float64).unwrap();
    assert_eq!(read::<f64>(&wide)[..6], [0.0, 0.0625, 0.125, 0.1875, 0.25, 0.3125]);
    assert_eq!(cast(28, &wide, Float6E3M2).unwrap(), all);
    let other = cast(28, &all, Float6E2M3).unwrap();
    assert_eq!(
        (other.element(31), other.element(32), other.element(5)),
        (Some(31), Some(32), Some(2))
    );
}

#[test]
fn texts_are_read_and_written_and_what_is_no_number_is_refused() {
    let texts = |texts: &[&'static str]| {
        let strings = texts.iter().map(|text| (*text).into()).collect();
        Tensor::from_strings(vec![texts.len()], strings).unwrap()
    };
    let read_back = cast(9, &texts(&["1e-5", "+INF", "-7"]), Float32).unwrap();
    assert_eq!(read::<f32>(&read_back), [1e-5, f32::INFINITY, -7.0]);
    let written = cast(9, &tensor(Int16, &[2], &[-12_i16, 0]), String).unwrap();
    assert_eq!(written, texts(&["-12", "0"]));
    let error = cast(9, &texts(&["1", "Hello"]), Int8).unwrap_err();
    assert_eq!(error.to_string(), "Cast-9: the text of element 1 is no number for int8");
    assert_eq!(error.kind(), ErrorKind::Domain);
}

#[test]
fn a_type_that_the_version_does_not_have_is_refused_and_so_is_none() {
    let x = zero(Float32);
    for (opset, to) in [(6, String), (13, Complex64), (19, Int4), (24, Uint2), (25, Float6E2M3)] {
        assert_eq!(cast(opset, &x, to).unwrap_err().kind(), ErrorKind::Invalid, "{to}");
    }
    for attributes in [
        Attributes::new(),
        Attributes::from([("to".to_owned(), Attribute::Int(i64::MAX))]),
        Attributes::from([("to".to_owned(), Attribute::Int(0))]),
    ] {
        assert!(run(find("Cast", 25).unwrap(), &[&x], &attributes).is_err());
    }
    for name in ["float", "FLOAT64", "STRING", ""] {
        let to = Attributes::from([("to".to_owned(), Attribute::Text(name.to_owned()))]);
        assert!(run(find("Cast", 1).unwrap(), &[&x], &to).is_err(), "{name}");
    }
}
