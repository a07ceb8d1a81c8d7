//! The readings of quotients, types and scales.

use values::dtype::DType::{Float8E4M3Fn, Float16, Float32, Int8, Int32, Uint8};
use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::operator::{AttributeValue, Attributes, Specification};

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap()
}

fn call(opset: i64, inputs: &[Tensor], list: &[(&str, i64)]) -> Result<(Call, DType), Invalid> {
    let attributes = list.iter().map(|&(name, it)| (name.to_owned(), AttributeValue::Int(it)));
    let (version, inputs) =
        (QUANTIZELINEAR.version(opset).unwrap(), inputs.iter().cloned().map(Some));
    let specification = Specification::Onnx;
    let attributes = attributes.collect::<Attributes>();
    let (call, types) =
        Call::new(&QUANTIZELINEAR, version, specification, attributes, inputs.collect())?;
    Ok((call, types[0].dtype))
}

fn quantized(opset: i64, inputs: &[Tensor], list: &[(&str, i64)]) -> Vec<Conforming> {
    let (call, dtype) = call(opset, inputs, list).unwrap();
    let shape = inputs[0].shape().to_vec();
    let count = inputs[0].elements();
    let types = [TensorType { dtype, shape }];
    let allowed = QUANTIZELINEAR.reference.allowed(&call, &types);
    (0..count).map(|at| allowed[0].at(at)).collect()
}

#[test]
fn quotients_are_rounded_to_even_and_saturate() {
    let x = f32s(&[4], &[1.0, 3.0, -1000.0, f32::NAN]);
    let zero = tensor(Int8, &[], &[10]).unwrap();
    let all = quantized(25, &[x, f32s(&[], &[2.0]), zero], &[]);
    assert_eq!(all[..3], [10, 12, 0x80].map(Conforming::One));
    assert!(!all[3].is_decided());
}

#[test]
fn the_type_of_the_division_is_open_before_version_23() {
    // 1.5 * 2^24 + 1 is no float32 after a division by 3 * 2^24, and lies above a tie.
    let (x, by) = (tensor(Int32, &[1], &[25_165_825]).unwrap(), f32s(&[], &[50_331_648.0]));
    let result = |opset| quantized(opset, &[x.clone(), by.clone()], &[]).remove(0);
    assert!(result(13).accepts(0) && result(13).accepts(1));
    assert_eq!(result(23), Conforming::One(0));
    let half = tensor(Float16, &[], &[0x3c00]).unwrap();
    let x = f32s(&[1], &[2051.0]);
    let to = |list: &[(&str, i64)]| {
        let list = [&[("output_dtype", 5)], list].concat();
        quantized(23, &[x.clone(), half.clone()], &list).remove(0)
    };
    assert_eq!(to(&[]), Conforming::One(2052));
    assert_eq!(to(&[("precision", 1)]), Conforming::One(2051));
    assert!(!to(&[("precision", 6)]).is_decided());
}

#[test]
fn what_the_document_leaves_open_is_not_decided() {
    let (x, one) = (f32s(&[1], &[1.0]), f32s(&[], &[1.0]));
    let is_decided = |inputs: &[Tensor]| quantized(25, inputs, &[])[0].is_decided();
    assert!(is_decided(&[x.clone(), one.clone()]));
    assert!(!is_decided(&[x.clone(), f32s(&[], &[0.0])]));
    assert!(!is_decided(&[x.clone(), f32s(&[1], &[1.0])]));
    let zero = |bits| tensor(Float8E4M3Fn, &[1], &[bits]).unwrap();
    assert!(is_decided(&[x.clone(), one.clone(), zero(0)]));
    assert!(!is_decided(&[x, one, zero(1)]));
}

#[test]
fn shapes_and_types_that_do_not_go_together_are_refused() {
    let (x, list) = (f32s(&[2, 3], &[1.0; 6]), f32s(&[3], &[1.0; 3]));
    let zero = |shape: &[usize]| tensor(Uint8, shape, &vec![0; shape.iter().product()]).unwrap();
    assert!(call(13, &[x.clone(), list.clone(), zero(&[3])], &[]).is_ok());
    assert!(call(13, &[x.clone(), list.clone(), zero(&[1])], &[]).is_err());
    assert!(call(10, &[x.clone(), list.clone()], &[]).is_err());
    for axis in [0, 2, -3, i64::MIN, i64::MAX] {
        assert!(call(25, &[x.clone(), list.clone()], &[("axis", axis)]).is_err(), "{axis}");
    }
    let blocks = f32s(&[2, 2], &[1.0; 4]);
    assert!(call(25, &[x.clone(), blocks.clone()], &[("block_size", 2)]).is_ok());
    for size in [-1, 0, 1, 3, i64::MAX] {
        assert!(call(25, &[x.clone(), blocks.clone()], &[("block_size", size)]).is_err(), "{size}");
    }
    let to = |code| call(25, &[x.clone(), list.clone(), zero(&[3])], &[("output_dtype", code)]);
    assert!(to(2).is_ok() && to(3).is_err() && to(1).is_err() && to(i64::MIN).is_err());
}

#[test]
fn a_single_block_that_is_longer_than_the_data_is_open() {
    for (size, is_decided) in [(3, true), (4, false), (i64::MAX, false)] {
        let inputs = [f32s(&[1, 3], &[1.0, 2.0, 3.0]), f32s(&[1, 1], &[1.0])];
        let all = quantized(25, &inputs, &[("block_size", size)]);
        assert!(all.iter().all(|one| one.is_decided() == is_decided), "{size}");
    }
    // Of several blocks the last may be shorter.
    let inputs = [f32s(&[1, 3], &[1.0, 2.0, 3.0]), f32s(&[1, 2], &[1.0, 1.0])];
    assert!(quantized(25, &inputs, &[("block_size", 2)]).iter().all(Conforming::is_decided));
}
