//! Products of every form of scales and zero points.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{self, *};
use values::tensor::Tensor;

fn dequantized(inputs: &[&Tensor], list: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    let attributes = list.iter().map(|&(name, value)| (name.to_owned(), Attribute::Int(value)));
    run(find("DequantizeLinear", 28).unwrap(), inputs, &attributes.collect::<Attributes>())
}

fn bits(dtype: DType, count: usize, bytes: &[u8]) -> Tensor {
    Tensor::from_bits(dtype, vec![count], bytes.to_vec().into()).unwrap()
}

#[test]
fn differences_do_not_wrap_and_types_are_read_as_they_are() {
    let half = tensor(Float32, &[], &[0.5_f32]);
    let x = tensor(Uint8, &[3], &[0_u8, 255, 128]);
    let zero = tensor(Uint8, &[], &[255_u8]);
    let y: Vec<f32> = read(&dequantized(&[&x, &half, &zero], &[]).unwrap());
    assert_eq!(y, [-127.5, 0.0, -63.5]);
    for (dtype, count, bytes, numbers) in [
        (Int4, 2, &[0x7f][..], &[-0.5_f32, 3.5][..]),
        (Uint2, 4, &[0b1110_0100], &[0.0, 0.5, 1.0, 1.5]),
        (Float4E2M1, 2, &[0xf1], &[0.25, -3.0]),
        (Float6E2M3, 3, &[0xff, 0x01, 0x01], &[-3.75, 0.4375, 1.0]),
        (Float8E5M2, 2, &[0x7c, 0x3c], &[f32::INFINITY, 0.5]),
    ] {
        let y: Vec<f32> = read(&dequantized(&[&bits(dtype, count, bytes), &half], &[]).unwrap());
        assert_eq!(y, numbers, "{dtype}");
    }
}

#[test]
fn the_output_has_the_type_of_the_scale_or_that_which_is_named() {
    let x = tensor(Int16, &[1], &[-3_i16]);
    let half = tensor(Bfloat16, &[], &[0x3f00_u16]);
    let y = dequantized(&[&x, &half], &[]).unwrap();
    assert_eq!((y.dtype(), read::<u16>(&y)), (Bfloat16, vec![0xbfc0]));
    let y = dequantized(&[&x, &half], &[("output_dtype", 10)]).unwrap();
    assert_eq!((y.dtype(), read::<u16>(&y)), (Float16, vec![0xbe00]));
    let power = Tensor::from_bits(Float8E8M0, vec![], vec![126].into()).unwrap();
    let y = dequantized(&[&x, &power], &[("output_dtype", 1)]).unwrap();
    assert_eq!(read::<f32>(&y), [-1.5]);
    for list in [&[][..], &[("output_dtype", 11)], &[("output_dtype", i64::MAX)]] {
        let error = dequantized(&[&x, &power], list).unwrap_err();
        assert!(matches!(error, KernelError::BadAttribute { .. }), "{error}");
    }
}
