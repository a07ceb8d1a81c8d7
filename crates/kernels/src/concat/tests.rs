//! Concat of every type, along every dimension, and what cannot be joined.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

/// What floats become that are numbered from one input to the next.
fn joined(opset: i64, shapes: &[&[usize]], axis: Option<i64>) -> Result<Tensor, KernelError> {
    let mut next = 0;
    let inputs = shapes.iter().map(|shape| {
        let count = shape.iter().product::<usize>();
        let numbers: Vec<f32> = (next..next + count).map(|number| number as f32).collect();
        next += count;
        tensor(Float32, shape, &numbers)
    });
    let inputs: Vec<Tensor> = inputs.collect();
    let axis = axis.map(|axis| ("axis".to_owned(), Attribute::Int(axis)));
    run(find("Concat", opset).unwrap(), &Vec::from_iter(&inputs), &Attributes::from_iter(axis))
}

#[test]
fn rows_of_each_input_follow_those_of_the_one_before() {
    let rows = joined(13, &[&[1, 2], &[0, 2], &[2, 2]], Some(0)).unwrap();
    assert_eq!(rows, tensor(Float32, &[3, 2], &[0_f32, 1.0, 2.0, 3.0, 4.0, 5.0]));
    let columns = [0_f32, 1.0, 4.0, 2.0, 3.0, 5.0];
    for (opset, axis) in [(4, 1), (11, -1), (13, -1), (13, 1)] {
        let output = joined(opset, &[&[2, 2], &[2, 1]], Some(axis)).unwrap();
        assert_eq!(output, tensor(Float32, &[2, 3], &columns));
    }
    assert_eq!(read::<f32>(&joined(1, &[&[2, 2], &[2, 1]], None).unwrap()), columns);
    let empty = joined(13, &[&[0, 2], &[0, 3]], Some(1)).unwrap();
    assert_eq!((empty.shape(), empty.elements()), (&[0, 5][..], 0));
    let middle = joined(13, &[&[2, 1, 2], &[2, 2, 2]], Some(1)).unwrap();
    let expected = [0, 1, 4, 5, 6, 7, 2, 3, 8, 9, 10, 11].map(|number: u8| f32::from(number));
    assert_eq!(middle, tensor(Float32, &[2, 3, 2], &expected));
}

#[test]
fn strings_are_joined_as_they_are() {
    let words = |words: &[&'static str]| {
        let strings = words.iter().map(|&word| word.into()).collect();
        Tensor::from_strings(vec![2, words.len() / 2], strings).unwrap()
    };
    let (left, right) = (words(&["a", "b", "c", "d"]), words(&["", "e"]));
    let axis = [("axis".to_owned(), Attribute::Int(1))].into();
    let output = run(find("Concat", 13).unwrap(), &[&left, &right], &axis).unwrap();
    assert_eq!(output, words(&["a", "b", "", "c", "d", "e"]));
}

#[test]
fn shapes_that_differ_elsewhere_and_other_axes_are_refused() {
    for (opset, shapes, axis) in [
        (13, &[&[2, 3][..], &[3][..]][..], Some(0)),
        (13, &[&[2, 3], &[1, 3]], Some(1)),
        (13, &[&[2, 3], &[2, 3]], Some(2)),
        (13, &[&[2, 3], &[2, 3]], Some(-3)),
        (13, &[&[2, 3], &[2, 3]], Some(i64::MIN)),
        (13, &[&[], &[]], Some(0)),
        (13, &[&[2, 3]], None),
        (4, &[&[2, 3]], None),
        (4, &[&[2, 3]], Some(-1)),
        (1, &[&[2]], None),
    ] {
        let error = joined(opset, shapes, axis).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{opset} {shapes:?} {axis:?}");
    }
    // More places along the dimension than there are numbers for.
    let huge = tensor::<f32>(Float32, &[0, usize::MAX], &[]);
    let axis = [("axis".to_owned(), Attribute::Int(1))].into();
    let output = run(find("Concat", 13).unwrap(), &[&huge, &huge], &axis);
    assert!(output.is_err());
}
