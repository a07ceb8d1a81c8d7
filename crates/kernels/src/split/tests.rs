//! Split of every type, by lists and into equal parts, and what cannot be split.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

/// The parts of numbered floats, by a list that is an input and by attributes.
fn parts(
    opset: i64,
    outputs: usize,
    shape: &[usize],
    list: Option<&Tensor>,
    attributes: &[(&str, Attribute)],
) -> Result<Vec<Tensor>, KernelError> {
    let count = shape.iter().product::<usize>();
    let data = tensor(Float32, shape, &(0..count).map(|at| at as f32).collect::<Vec<_>>());
    let attributes: Attributes =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let inputs = [Some(&data), list];
    let inputs = if list.is_some() { &inputs[..] } else { &inputs[..1] };
    find("Split", opset).unwrap().run_for(outputs, inputs, &attributes)
}

/// The sizes of the parts along the only dimension.
fn sizes(
    opset: i64,
    outputs: usize,
    count: usize,
    list: Option<&[i64]>,
    number: Option<i64>,
) -> Result<Vec<usize>, KernelError> {
    let number = number.map(|number| ("num_outputs", Attribute::Int(number)));
    let mut attributes = Vec::from_iter(number);
    let mut input = None;
    if let Some(list) = list {
        match opset {
            ..13 => attributes.push(("split", Attribute::Ints(list.to_vec()))),
            _ => input = Some(tensor(Int64, &[list.len()], list)),
        }
    }
    let parts = parts(opset, outputs, &[count], input.as_ref(), &attributes)?;
    let all: Vec<f32> = parts.iter().flat_map(read::<f32>).collect();
    assert!(all.into_iter().eq((0..count).map(|at| at as f32)));
    Ok(parts.iter().map(|part| part.shape()[0]).collect())
}

#[test]
fn each_part_has_its_rows() {
    let axis = |axis| ("axis", Attribute::Int(axis));
    for (opset, at) in [(2, 1), (11, -1), (13, 1)] {
        let split = parts(opset, 2, &[2, 4], None, &[axis(at)]).unwrap();
        assert_eq!(split[0], tensor(Float32, &[2, 2], &[0_f32, 1.0, 4.0, 5.0]));
        assert_eq!(split[1], tensor(Float32, &[2, 2], &[2_f32, 3.0, 6.0, 7.0]));
    }
    let list = tensor(Int64, &[3], &[1_i64, 0, 2]);
    let split = parts(13, 3, &[2, 3, 2], Some(&list), &[axis(1)]).unwrap();
    assert_eq!(split[0], tensor(Float32, &[2, 1, 2], &[0_f32, 1.0, 6.0, 7.0]));
    assert_eq!(split[1], tensor::<f32>(Float32, &[2, 0, 2], &[]));
    assert_eq!(read::<f32>(&split[2]), [2.0, 3.0, 4.0, 5.0, 8.0, 9.0, 10.0, 11.0]);
    for (opset, at) in [(13, 2), (13, -3), (13, i64::MIN), (2, -1), (2, 2)] {
        let error = parts(opset, 1, &[2, 4], None, &[axis(at)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    assert!(parts(1, 1, &[2, 4], None, &[]).is_err());
}

#[test]
fn sizes_are_listed_or_equal() {
    for opset in [2, 11, 13, 18] {
        assert_eq!(sizes(opset, 3, 6, Some(&[2, 0, 4]), None).unwrap(), [2, 0, 4]);
        for list in [&[2, 3][..], &[6], &[1, 2, 3], &[-1, 7], &[i64::MAX, i64::MAX], &[]] {
            let error = sizes(opset, 2, 6, Some(list), None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{opset} {list:?}");
        }
    }
    for opset in [2, 11, 13] {
        assert_eq!(sizes(opset, 3, 6, None, None).unwrap(), [2, 2, 2]);
        assert_eq!(sizes(opset, 2, 0, None, None).unwrap(), [0, 0]);
        assert!(sizes(opset, 4, 6, None, None).is_err());
    }
    assert_eq!(sizes(18, 3, 6, None, Some(3)).unwrap(), [2, 2, 2]);
    assert_eq!(sizes(18, 4, 7, None, Some(4)).unwrap(), [2, 2, 2, 1]);
    assert_eq!(sizes(18, 12, 35, None, Some(12)).unwrap()[10..], [3, 2]);
    for (outputs, list, number) in [
        (4, None, Some(4)),
        (2, None, Some(3)),
        (2, None, None),
        (2, Some(&[2, 3][..]), Some(2)),
        (0, Some(&[]), None),
    ] {
        let error = sizes(18, outputs, 5, list, number).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{outputs} {list:?} {number:?}");
    }
    assert!(sizes(18, 2, 6, Some(&[3, 3]), Some(2)).is_err());
    let matrix = tensor(Int64, &[1, 2], &[1_i64, 1]);
    assert!(parts(13, 2, &[2], Some(&matrix), &[]).is_err());
}

#[test]
fn the_first_version_takes_whole_floats() {
    let axis = ("axis", Attribute::Int(0));
    let floats = |floats: &[f32]| tensor(Float32, &[floats.len()], floats);
    let of = |list: &Tensor| parts(1, 2, &[3], Some(list), std::slice::from_ref(&axis));
    let split = of(&floats(&[1.0, 2.0])).unwrap();
    assert_eq!(split, [floats(&[0.0]), floats(&[1.0, 2.0])]);
    for wrong in [[1.5, 1.5], [f32::INFINITY, 1.0], [f32::NAN, 1.0], [-1.0, 4.0], [1.0, 1.0]] {
        assert!(of(&floats(&wrong)).is_err(), "{wrong:?}");
    }
    assert!(of(&tensor(Float16, &[2], &[half::f16::ONE, half::f16::ONE])).is_err());
    assert!(of(&tensor(Float32, &[], &[3_f32])).is_err());
    let both = [axis.clone(), ("split", Attribute::Ints(vec![1, 2]))];
    assert!(parts(1, 2, &[3], None, &both).is_ok());
    assert!(parts(1, 2, &[3], Some(&floats(&[1.0, 2.0])), &both).is_err());
}
