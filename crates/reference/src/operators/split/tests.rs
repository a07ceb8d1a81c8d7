//! Lists of sizes, equal parts, and what is neither.

use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::operator::{AttributeValue, Attributes, Specification};

/// The shape of a part, and its elements.
type Part = (Vec<usize>, Vec<u128>);

/// So many parts of float32 numbers from 0 on.
fn split(
    opset: i64,
    outputs: usize,
    shape: &[usize],
    list: Option<Tensor>,
    attributes: &[(&str, AttributeValue)],
) -> Result<Vec<Part>, Invalid> {
    let count: u32 = shape.iter().product::<usize>() as u32;
    let data = Tensor::from_values(Float32, shape.to_vec(), (0..count).collect::<Vec<u32>>());
    let mut inputs = vec![data.ok()];
    inputs.extend(list.map(Some));
    let attributes: Attributes =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let (version, onnx) = (SPLIT.version(opset).unwrap(), Specification::Onnx);
    let (call, types) = Call::for_outputs(outputs, &SPLIT, version, onnx, attributes, inputs)?;
    let allowed = SPLIT.reference.allowed(&call, &types);
    assert_eq!((allowed.len(), types.len()), (outputs, outputs));
    let part = |(output, allowed): (&TensorType, Box<dyn Allowed + '_>)| {
        let count = output.shape.iter().product();
        let elements = (0..count).map(|index| allowed.at(index).example().unwrap());
        (output.shape.clone(), elements.collect())
    };
    Ok(types.iter().zip(allowed).map(part).collect())
}

/// Sizes along the only dimension of so many elements.
fn sizes_of(
    opset: i64,
    outputs: usize,
    count: usize,
    list: Option<&[i64]>,
    number: Option<i64>,
) -> Option<Vec<usize>> {
    let number = number.map(|number| ("num_outputs", AttributeValue::Int(number)));
    let mut attributes = Vec::from_iter(number);
    let list = list.and_then(|list| {
        if opset < 13 {
            attributes.push(("split", AttributeValue::Ints(list.to_vec())));
            return None;
        }
        Tensor::from_values(Int64, vec![list.len()], list.to_vec()).ok()
    });
    let parts = split(opset, outputs, &[count], list, &attributes).ok()?;
    Some(parts.into_iter().map(|(shape, _)| shape[0]).collect())
}

#[test]
fn parts_hold_what_follows_along_the_dimension() {
    let axis = |axis| ("axis", AttributeValue::Int(axis));
    let number = ("num_outputs", AttributeValue::Int(2));
    let parts = split(18, 2, &[2, 3], None, &[axis(-1), number]).unwrap();
    assert_eq!(parts[0], (vec![2, 2], vec![0, 1, 3, 4]));
    assert_eq!(parts[1], (vec![2, 1], vec![2, 5]));
    let list = Tensor::from_values(Int64, vec![3], vec![2_i64, 0, 1]).ok();
    let parts = split(13, 3, &[3, 2], list, &[]).unwrap();
    assert_eq!(parts[0], (vec![2, 2], vec![0, 1, 2, 3]));
    assert_eq!(parts[1], (vec![0, 2], vec![]));
    assert_eq!(parts[2], (vec![1, 2], vec![4, 5]));
    for wrong in [2, -3, i64::MAX, i64::MIN] {
        assert!(split(13, 1, &[3, 2], None, &[axis(wrong)]).is_err());
    }
    assert!(split(2, 1, &[3, 2], None, &[axis(-1)]).is_err());
    assert!(split(1, 1, &[3, 2], None, &[]).is_err());
    assert!(split(13, 1, &[], None, &[]).is_err());
}

#[test]
fn sizes_are_listed_or_equal() {
    for opset in [2, 11, 13, 18] {
        assert_eq!(sizes_of(opset, 2, 6, Some(&[2, 4]), None), Some(vec![2, 4]));
        for list in [&[2, 3][..], &[6], &[1, 2, 3], &[-1, 7], &[i64::MAX, i64::MAX], &[]] {
            assert_eq!(sizes_of(opset, 2, 6, Some(list), None), None, "{list:?}");
        }
    }
    for opset in [2, 11, 13] {
        assert_eq!(sizes_of(opset, 3, 6, None, None), Some(vec![2; 3]));
        assert_eq!(sizes_of(opset, 3, 0, None, None), Some(vec![0; 3]));
        assert_eq!(sizes_of(opset, 4, 6, None, None), None);
    }
    assert_eq!(sizes_of(18, 4, 7, None, Some(4)), Some(vec![2, 2, 2, 1]));
    assert_eq!(sizes_of(18, 4, 5, None, Some(4)), None);
    assert_eq!(sizes_of(18, 2, 6, None, Some(3)), None);
    assert_eq!(sizes_of(18, 2, 6, None, Some(-2)), None);
    assert_eq!(sizes_of(18, 2, 6, None, None), None);
    assert_eq!(sizes_of(18, 2, 6, Some(&[3, 3]), Some(2)), None);
    // More parts than a tensor has dimensions.
    assert_eq!(sizes_of(13, 200, 200, Some(&[1; 200]), None), Some(vec![1; 200]));
    assert_eq!(sizes_of(13, 0, 0, None, None), None);
}

#[test]
fn the_first_version_takes_whole_floats_or_integers() {
    let axis = ("axis", AttributeValue::Int(0));
    let floats = |dtype, bits: &[u64]| tensor(dtype, &[bits.len()], bits).ok();
    let of = |list| split(1, 2, &[3], list, std::slice::from_ref(&axis)).ok();
    let parts = of(floats(Float32, &[0x3f80_0000, 0x4000_0000])).unwrap();
    assert_eq!(parts, [(vec![1], vec![0]), (vec![2], vec![1, 2])]);
    // 1.5 and 1.5, an infinity, a NaN, and another type than the data.
    assert!(of(floats(Float32, &[0x3fc0_0000; 2])).is_none());
    assert!(of(floats(Float32, &[0x7f80_0000, 0x3f80_0000])).is_none());
    assert!(of(floats(Float32, &[0x7fc0_0000, 0x3f80_0000])).is_none());
    assert!(of(floats(Float16, &[0x3c00, 0x4000])).is_none());
    assert!(of(tensor(Float32, &[], &[0x4040_0000]).ok()).is_none());
    let both = [axis.clone(), ("split", AttributeValue::Ints(vec![1, 2]))];
    assert!(split(1, 2, &[3], None, &both).is_ok());
    assert!(split(1, 2, &[3], floats(Float32, &[0x3f80_0000, 0x4000_0000]), &both).is_err());
}
