//! Transposition against coordinates, for every type, rank and permutation.

use bytes::Bytes;

use super::super::tests::{run, tensor};
use super::super::{Attributes, ErrorKind, find};
use super::*;
use values::dtype::DType;
use values::tensor::{coordinates, row_major};

fn transpose(data: &Tensor, perm: Option<&[i64]>) -> Result<Tensor, KernelError> {
    let perm = perm.map(|perm| ("perm".to_owned(), Attribute::Ints(perm.to_vec())));
    run(find("Transpose", 25).unwrap(), &[data], &Attributes::from_iter(perm))
}

/// A tensor whose elements differ, as far as the type has as many values.
fn numbered(dtype: DType, shape: &[usize]) -> Tensor {
    let elements: usize = shape.iter().product();
    if dtype == DType::String {
        let strings = (0..elements).map(|i| Bytes::from(i.to_string()));
        return Tensor::from_strings(shape.to_vec(), strings.collect()).unwrap();
    }
    let limit = if dtype == DType::Bool { 2 } else { 256 };
    let len = dtype.packed_len(elements).unwrap();
    let bytes = (0..len).map(|i| ((i * 37 + i / 256) % limit) as u8);
    Tensor::from_bits(dtype, shape.to_vec(), bytes.collect()).unwrap()
}

/// Every order of so many dimensions.
fn orders(rank: usize) -> Vec<Vec<i64>> {
    let Some(last) = rank.checked_sub(1) else { return vec![vec![]] };
    let insert = |order: Vec<i64>| {
        (0..rank).map(move |at| {
            let mut order = order.clone();
            order.insert(at, last as i64);
            order
        })
    };
    orders(last).into_iter().flat_map(insert).collect()
}

fn check(data: &Tensor, perm: &[i64]) {
    let output = transpose(data, Some(perm)).unwrap();
    let shape: Vec<usize> = perm.iter().map(|&at| data.shape()[at as usize]).collect();
    assert_eq!((output.dtype(), output.shape()), (data.dtype(), &shape[..]));
    for index in 0..output.elements() {
        let mut from = vec![0; shape.len()];
        for (&dimension, coordinate) in perm.iter().zip(coordinates(index, &shape)) {
            from[dimension as usize] = coordinate;
        }
        let from = row_major(&from, data.shape()).unwrap();
        assert_eq!(output.element(index), data.element(from), "{perm:?}: element {index}");
        let text = |tensor: &Tensor, at: usize| tensor.strings().map(|strings| strings[at].clone());
        assert_eq!(text(&output, index), text(data, from), "{perm:?}: element {index}");
    }
}

#[test]
fn every_permutation_of_up_to_six_dimensions_moves_each_element_to_its_place() {
    let shape = [2, 3, 1, 4, 2, 3];
    for rank in 0..=shape.len() {
        let data = numbered(DType::Uint32, &shape[..rank]);
        for perm in orders(rank) {
            check(&data, &perm);
        }
    }
    assert_eq!(orders(6).len(), 720);
}

#[test]
fn dimensions_longer_than_a_tile_are_moved_whole() {
    let data = numbered(DType::Uint32, &[17, 3, 33, 2]);
    for perm in orders(4) {
        check(&data, &perm);
    }
    check(&numbered(DType::Float64, &[16, 48]), &[1, 0]);
}

#[test]
fn every_type_is_moved_packed_ones_and_strings_too() {
    let operator = find("Transpose", 25).unwrap();
    let all = DType::ALL.into_iter().filter(|dtype| dtype.bits() != Some(6));
    assert_eq!(operator.types().len(), all.count());
    for &dtype in operator.types() {
        for shape in [&[][..], &[1], &[3, 5], &[4, 4], &[3, 1, 5], &[3, 5, 7], &[2, 0, 3]] {
            for perm in orders(shape.len()) {
                check(&numbered(dtype, shape), &perm);
            }
        }
    }
}

#[test]
fn without_a_permutation_the_dimensions_are_reversed() {
    for shape in [&[][..], &[4], &[3, 5], &[2, 3, 4, 5], &[0, usize::MAX, 2]] {
        let data = numbered_or_empty(shape);
        let reversed: Vec<i64> = (0..shape.len() as i64).rev().collect();
        assert_eq!(transpose(&data, None), transpose(&data, Some(&reversed)));
    }
    let matrix = tensor(DType::Int8, &[2, 3], &[1_i8, 2, 3, 4, 5, 6]);
    let expected = tensor(DType::Int8, &[3, 2], &[1_i8, 4, 2, 5, 3, 6]);
    assert_eq!(transpose(&matrix, None).unwrap(), expected);
}

fn numbered_or_empty(shape: &[usize]) -> Tensor {
    if shape.contains(&0) {
        return Tensor::from_bits(DType::Int16, shape.to_vec(), Bytes::new()).unwrap();
    }
    numbered(DType::Int16, shape)
}

#[test]
fn what_is_no_permutation_of_the_dimensions_is_refused() {
    let data = numbered(DType::Int8, &[2, 3, 4]);
    for perm in [
        &[][..],
        &[0, 1],
        &[0, 1, 1],
        &[0, 1, 3],
        &[0, 1, -1],
        &[-1, 0, 1, 2],
        &[0, 1, 2, 2],
        &[0, 1, i64::MAX],
        &[0, 1, i64::MIN],
    ] {
        let error = transpose(&data, Some(perm)).unwrap_err();
        let message = "attribute `perm` of Transpose-25 must be every dimension of the input once, \
                       counted from 0";
        assert_eq!((error.to_string().as_str(), error.kind()), (message, ErrorKind::Invalid));
    }
    let scalar = numbered(DType::Int8, &[]);
    assert!(transpose(&scalar, Some(&[0])).is_err());
    assert_eq!(transpose(&scalar, Some(&[])).unwrap(), scalar);
}
