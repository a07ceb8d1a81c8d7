//! Equations, what they sum up, and what they leave open.

use super::*;
use crate::operator::{AttributeValue, Specification};

fn einsum(equation: &str, inputs: Vec<Tensor>) -> Result<(Vec<usize>, Vec<Conforming>), Invalid> {
    let attributes = [(EQUATION.name.to_owned(), AttributeValue::Text(equation.to_owned()))].into();
    let inputs = inputs.into_iter().map(Some).collect();
    let (version, onnx) = (EINSUM.newest(), Specification::Onnx);
    let (call, types) = Call::new(&EINSUM, version, onnx, attributes, inputs)?;
    let allowed = EINSUM.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Ok((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

/// Tensors of int32 that count from 1.
fn counting(shapes: &[&[usize]]) -> Vec<Tensor> {
    let tensor = |shape: &&[usize]| {
        let values: Vec<i32> = (1..=shape.iter().product::<usize>() as i32).collect();
        Tensor::from_values(DType::Int32, shape.to_vec(), values).unwrap()
    };
    shapes.iter().map(tensor).collect()
}

fn numbers(equation: &str, shapes: &[&[usize]]) -> (Vec<usize>, Vec<i32>) {
    let (shape, all) = einsum(equation, counting(shapes)).unwrap();
    let number = |it: &Conforming| it.number().unwrap() as u32 as i32;
    (shape, all.iter().map(number).collect())
}

#[test]
fn indices_that_the_output_lacks_are_summed_over() {
    let matrix = vec![7, 10, 15, 22];
    assert_eq!(numbers("ij,jk->ik", &[&[2, 2], &[2, 2]]), (vec![2, 2], matrix.clone()));
    assert_eq!(numbers(" i j , j k ", &[&[2, 2], &[2, 2]]), (vec![2, 2], matrix));
    assert_eq!(numbers("ii", &[&[3, 3]]), (vec![], vec![15]));
    assert_eq!(numbers("ii->i", &[&[3, 3]]), (vec![3], vec![1, 5, 9]));
    assert_eq!(numbers("ba", &[&[2, 3]]), (vec![3, 2], vec![1, 4, 2, 5, 3, 6]));
    assert_eq!(numbers("aB", &[&[2, 3]]), (vec![3, 2], vec![1, 4, 2, 5, 3, 6]));
    assert_eq!(numbers("i,i", &[&[3], &[3]]), (vec![], vec![14]));
    assert_eq!(numbers("i,j->", &[&[2], &[3]]), (vec![], vec![18]));
    assert_eq!(numbers("i,j,->ji", &[&[2], &[2], &[]]), (vec![2, 2], vec![1, 2, 2, 4]));
    assert_eq!(numbers("->", &[&[]]), (vec![], vec![1]));
    assert_eq!(numbers("ij,jk->ik", &[&[1, 0], &[0, 2]]), (vec![1, 2], vec![0, 0]));
    let batches = (vec![2, 1], vec![1 + 4, 9 + 16]);
    assert_eq!(numbers("...i,...i->...", &[&[2, 1, 2], &[2, 1, 2]]), batches);
    let broadcast = (vec![2, 2], vec![1, 4, 3, 8]);
    assert_eq!(numbers("...i,...i->...i", &[&[2, 2], &[1, 2]]), broadcast);
    assert_eq!(numbers("i...,->...i", &[&[2, 2], &[]]), (vec![2, 2], vec![1, 3, 2, 4]));
}

#[test]
fn what_is_no_equation_of_the_inputs_is_refused() {
    for (equation, shapes) in [
        ("i", &[&[2, 2][..]][..]),
        ("ij", &[&[2]]),
        ("...ij", &[&[2]]),
        ("i,j", &[&[2]]),
        ("i", &[&[2], &[2]]),
        ("ii", &[&[2, 3]]),
        ("i,i", &[&[2], &[3]]),
        ("i,i", &[&[2], &[0]]),
        ("i->j", &[&[2]]),
        ("i->I", &[&[2]]),
        ("i1", &[&[2, 1]]),
        ("i\tj", &[&[2, 1]]),
        ("é", &[&[2]]),
        ("..i", &[&[2]]),
        ("i....", &[&[2]]),
        ("i-j", &[&[2, 2]]),
        ("i->i->i", &[&[2]]),
        ("...i...", &[&[2]]),
        ("...i->...i...", &[&[2]]),
        ("...i,...i", &[&[2, 2], &[2]]),
        ("...i,...i", &[&[2, 2], &[3, 2]]),
    ] {
        assert!(einsum(equation, counting(shapes)).is_err(), "{equation}");
    }
}

#[test]
fn what_the_text_leaves_open_is_not_decided() {
    for (equation, shapes, shape) in [
        ("i->ii", &[&[2][..]][..], &[2, 2][..]),
        ("i,i->i", &[&[2], &[1]], &[2]),
        ("ii->i", &[&[1, 2]], &[2]),
        ("...i->i", &[&[2, 3]], &[3]),
        ("i->...i", &[&[2]], &[2]),
        (" ", &[&[]], &[]),
        ("i - > i", &[&[2]], &[2]),
        (".. .i->i. ..", &[&[2]], &[2]),
    ] {
        let (of, all) = einsum(equation, counting(shapes)).unwrap();
        assert!(all.iter().all(|it| !it.is_decided()), "{equation}");
        assert_eq!(of, shape, "{equation}");
    }
    let empty = einsum("i,j->j", counting(&[&[0], &[2]])).unwrap();
    assert!(empty.1.iter().all(|it| !it.is_decided()));
}

#[test]
fn floats_are_products_or_sums_in_any_order() {
    let floats = |shape: &[usize], values: &[f32]| {
        Tensor::from_values(DType::Float32, shape.to_vec(), values.to_vec()).unwrap()
    };
    let accepts = |all: &Conforming, result: f32| all.accepts(result.to_bits().into());
    let (_, copied) = einsum("ij->ji", vec![floats(&[1, 2], &[-0.0, 1e-45])]).unwrap();
    assert_eq!(copied[0].example(), Some(1 << 31));
    assert!(accepts(&copied[0], 0.0) && !accepts(&copied[0], 1e-45));
    assert!(accepts(&copied[1], 1e-45) && !accepts(&copied[1], 0.0));
    let (a, b) = (floats(&[2], &[0.1, 0.7]), floats(&[2], &[0.3, 1e8]));
    let (_, outer) = einsum("i,j->ij", vec![a.clone(), b.clone()]).unwrap();
    assert!(
        accepts(&outer[0], 0.1 * 0.3) && !accepts(&outer[0], (0.1_f32 * 0.3).next_up().next_up())
    );
    let (_, sums) = einsum("i,j->i", vec![a, b]).unwrap();
    assert!(accepts(&sums[0], 0.1 * (0.3 + 1e8)) && accepts(&sums[0], 0.1 * 0.3 + 0.1 * 1e8));
    assert!(!accepts(&sums[0], 0.1 * 1e8 + 8.0));
}

#[test]
fn nothing_huge_hangs() {
    let empty = Tensor::from_values::<i32>(DType::Int32, vec![1 << 40, 0], vec![]).unwrap();
    assert!(einsum("ij,kj->ik", vec![empty.clone(), empty]).is_err());
    let long = counting(&[&[1 << 13]]).remove(0);
    let (_, all) = einsum("i,j->", vec![long.clone(), long]).unwrap();
    assert_eq!(all, vec![Conforming::Unspecified(LARGE)]);
}
