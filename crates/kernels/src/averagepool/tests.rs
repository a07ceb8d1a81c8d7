//! Means of windows of every kind.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, find};
use values::dtype::DType::Float32;

fn ints(list: &[i64]) -> Attribute {
    Attribute::Ints(list.to_vec())
}

/// The means of windows of a row 1, 2, 3 and so on.
fn row(count: usize, kernel: i64, others: &[(&str, Attribute)]) -> Vec<f32> {
    let values: Vec<f32> = (1..=count).map(|at| at as f32).collect();
    let all = [&[("kernel_shape", ints(&[kernel]))], others].concat();
    let attributes: Attributes =
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let data = tensor(Float32, &[1, 1, count], &values);
    read(&run(find("AveragePool", 22).unwrap(), &[&data], &attributes).unwrap())
}

#[test]
fn padding_counts_where_it_is_asked_to_and_what_is_beyond_it_never_does() {
    let counted = ("count_include_pad", Attribute::Int(1));
    let (pads, stride) = (("pads", ints(&[1, 2])), ("strides", ints(&[3])));
    let ceil = ("ceil_mode", Attribute::Int(1));
    assert_eq!(row(4, 2, &[]), [1.5, 2.5, 3.5]);
    assert_eq!(row(2, 3, std::slice::from_ref(&pads)), [1.5, 1.5, 2.0]);
    assert_eq!(row(2, 3, &[pads.clone(), counted.clone()]), [1.0, 1.0, 2.0 / 3.0]);
    assert_eq!(row(5, 3, &[stride.clone(), ceil.clone(), counted.clone()]), [2.0, 4.5]);
    let last = [("pads", ints(&[0, 1])), stride, ceil, counted.clone()];
    assert_eq!(row(4, 3, &last), [2.0, 2.0]);
    let spread = ("dilations", ints(&[2]));
    assert_eq!(row(4, 2, std::slice::from_ref(&spread)), [2.0, 3.0]);
    let lower = ("auto_pad", Attribute::Text("SAME_LOWER".to_owned()));
    assert_eq!(row(3, 2, &[lower.clone(), counted.clone()]), [0.5, 1.5, 2.5]);
    let upper = ("auto_pad", Attribute::Text("SAME_UPPER".to_owned()));
    assert_eq!(row(3, 2, &[upper, counted.clone()]), [1.5, 2.5, 1.5]);
    assert!(row(2, 1, std::slice::from_ref(&pads))[0].is_nan());
    assert_eq!(row(2, 1, &[pads, counted]), [0.0, 1.0, 2.0, 0.0, 0.0]);
}
