//! Bits that stay, and widths that differ.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::{Float32, Int4, Uint4, Uint32};
use values::tensor::Tensor;

fn to(code: i64) -> Attributes {
    Attributes::from([("to".to_owned(), Attribute::Int(code))])
}

#[test]
fn bits_stay() {
    let operator = find("BitCast", 26).unwrap();
    let words = [0x7fa0_0001_u32, 1 << 31, 0x3f80_0000];
    let floats = run(operator, &[&tensor(Uint32, &[3, 1], &words)], &to(1)).unwrap();
    assert_eq!((floats.dtype(), floats.shape()), (Float32, &[3, 1][..]));
    let bits: Vec<u32> = read::<f32>(&floats).into_iter().map(f32::to_bits).collect();
    assert_eq!(bits, words);
    let packed = Tensor::from_bits(Int4, vec![3], vec![0x2f, 0x08].into()).unwrap();
    let cast = run(operator, &[&packed], &to(21)).unwrap();
    assert_eq!((cast.dtype(), cast.bits()), (Uint4, packed.bits()));
}

#[test]
fn other_widths_are_refused() {
    let words = tensor(Uint32, &[1], &[1_u32]);
    for code in [0, 2, 8, 11, 16, -1, 99, i64::MAX] {
        let error = run(find("BitCast", 26).unwrap(), &[&words], &to(code)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{code}");
    }
}
