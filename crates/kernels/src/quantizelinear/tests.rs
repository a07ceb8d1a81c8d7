//! Quotients of every form of scales and zero points, and their ends.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn quantized(inputs: &[&Tensor], list: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    let attributes = list.iter().map(|&(name, value)| (name.to_owned(), Attribute::Int(value)));
    run(find("QuantizeLinear", 28).unwrap(), inputs, &attributes.collect::<Attributes>())
}

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    tensor(Float32, shape, values)
}

#[test]
fn ties_go_to_even_and_ends_stay() {
    let x = f32s(&[7], &[1.0, 3.0, -1.0, -3.0, 1e9, -1e9, f32::INFINITY]);
    let two = f32s(&[], &[2.0]);
    let bytes: Vec<u8> = read(&quantized(&[&x, &two], &[]).unwrap());
    assert_eq!(bytes, [0, 2, 0, 0, 255, 0, 255]);
    let zero = tensor(Int8, &[], &[1_i8]);
    let bytes: Vec<i8> = read(&quantized(&[&x, &two, &zero], &[]).unwrap());
    assert_eq!(bytes, [1, 3, 1, -1, 127, -128, 127]);
    let nibbles: Vec<u8> = read(&quantized(&[&x, &two], &[("output_dtype", 22)]).unwrap());
    assert_eq!(nibbles, [0x20, 0xe0, 0x87, 0x07]);
}

#[test]
fn scales_are_of_places_or_blocks() {
    let x = f32s(&[2, 3], &[10.0; 6]);
    let list = f32s(&[3], &[1.0, 2.0, 5.0]);
    let bytes: Vec<u8> = read(&quantized(&[&x, &list], &[]).unwrap());
    assert_eq!(bytes, [10, 5, 2, 10, 5, 2]);
    let blocks = f32s(&[2, 2], &[1.0, 2.0, 5.0, 10.0]);
    let bytes: Vec<u8> = read(&quantized(&[&x, &blocks], &[("block_size", 2)]).unwrap());
    assert_eq!(bytes, [10, 10, 5, 2, 2, 1]);
    for (scale, attributes) in [
        (&list, &[("axis", 0)][..]),
        (&list, &[("axis", i64::MIN)]),
        (&blocks, &[]),
        (&blocks, &[("block_size", 3)]),
        (&blocks, &[("block_size", i64::MAX)]),
        (&blocks, &[("block_size", 2), ("axis", 0)]),
    ] {
        assert!(matches!(quantized(&[&x, scale], attributes), Err(KernelError::Shapes { .. })));
    }
    let huge = Tensor::from_bits(Float32, vec![0, usize::MAX, 2], Vec::new().into()).unwrap();
    let none = quantized(&[&huge, &huge], &[("block_size", 1)]).unwrap();
    assert_eq!(none.shape(), [0, usize::MAX, 2]);
}

#[test]
fn narrow_floats_are_the_nearest_and_saturate_or_not() {
    let x = f32s(&[6], &[1.0, -0.3, 500.0, -1e9, f32::INFINITY, f32::NAN]);
    let one = f32s(&[], &[1.0]);
    let to = |code, saturate| -> Vec<u8> {
        read(&quantized(&[&x, &one], &[("output_dtype", code), ("saturate", saturate)]).unwrap())
    };
    assert_eq!(to(17, 1), [0x38, 0xaa, 0x7e, 0xfe, 0x7e, 0x7f]);
    assert_eq!(to(17, 0), [0x38, 0xaa, 0x7f, 0x7f, 0x7f, 0x7f]);
    assert_eq!(to(18, 0), [0x40, 0xb2, 0x80, 0x80, 0x80, 0x80]);
    assert_eq!(to(19, 1), [0x3c, 0xb5, 0x60, 0xfb, 0x7b, 0x7f]);
    assert_eq!(to(19, 0), [0x3c, 0xb5, 0x60, 0xfc, 0x7c, 0x7f]);
    assert_eq!(to(23, 1), [0x92, 0xf7, 0x87]);
    // 0x08, 0x22, 0x1f, 0x3f, 0x1f and 0x20; 0x0c, 0x25 and the same.
    assert_eq!(to(27, 1), to(27, 0));
    assert_eq!(to(27, 1), [0x88, 0xf8, 0xfd, 0x1f, 0x08]);
    assert_eq!(to(28, 0), [0x4c, 0xf9, 0xfd, 0x1f, 0x08]);
}

#[test]
fn types_that_do_not_go_together_are_refused() {
    let (x, one, zero) = (f32s(&[], &[1.0]), f32s(&[], &[1.0]), tensor(Uint8, &[], &[0_u8]));
    let error = quantized(&[&x, &one, &zero], &[("output_dtype", 3)]).unwrap_err();
    assert!(matches!(error, KernelError::TypesDiffer { .. }), "{error}");
    for (name, code) in [("output_dtype", 1), ("output_dtype", i64::MIN), ("precision", 6)] {
        let error = quantized(&[&x, &one], &[(name, code)]).unwrap_err();
        assert!(matches!(error, KernelError::BadAttribute { .. }), "{error}");
    }
    let half = tensor(Float16, &[], &[0x3c00_u16]);
    let inputs = [&x, &half];
    let error = run(find("QuantizeLinear", 19).unwrap(), &inputs, &Attributes::new()).unwrap_err();
    assert!(matches!(error, KernelError::TypesDiffer { .. }), "{error}");
    assert!(quantized(&inputs, &[]).is_ok());
}
