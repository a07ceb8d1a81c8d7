//! Windows of every kind, the largest element of each, and its place.

use crate::tests::{ones, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int8, Int64};
use values::tensor::Tensor;

fn ints(list: &[i64]) -> Attribute {
    Attribute::Ints(list.to_vec())
}

fn pool(
    opset: i64,
    data: &Tensor,
    attributes: &[(&str, Attribute)],
) -> Result<(Tensor, Tensor), KernelError> {
    let owned = |(name, value): &(&str, Attribute)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let outputs = find("MaxPool", opset).unwrap().run_for(2, &[Some(data)], &attributes)?;
    let [values, places] = outputs.try_into().unwrap();
    Ok((values, places))
}

/// The results and indices of a row of so many elements, each larger than the one before.
fn row(opset: i64, count: usize, attributes: &[(&str, Attribute)]) -> (Vec<f32>, Vec<i64>) {
    let values: Vec<f32> = (0..count).map(|at| at as f32).collect();
    let (values, places) =
        pool(opset, &tensor(Float32, &[1, 1, count], &values), attributes).unwrap();
    (crate::tests::read(&values), crate::tests::read(&places))
}

fn with<'a>(kernel: i64, others: &[(&'a str, Attribute)]) -> Vec<(&'a str, Attribute)> {
    [&[("kernel_shape", ints(&[kernel]))], others].concat()
}

#[test]
fn windows_lie_where_the_attributes_say() {
    let places = |opset, count, kernel, others: &[(&str, Attribute)]| {
        row(opset, count, &with(kernel, others)).1
    };
    let text = |text: &str| ("auto_pad", Attribute::Text(text.to_owned()));
    let (stride, ceil) = (("strides", ints(&[2])), ("ceil_mode", Attribute::Int(1)));
    assert_eq!(places(22, 5, 2, &[]), [1, 2, 3, 4]);
    assert_eq!(places(22, 6, 3, std::slice::from_ref(&stride)), [2, 4]);
    assert_eq!(places(22, 6, 3, &[stride.clone(), ceil.clone()]), [2, 4, 5]);
    assert_eq!(places(22, 6, 3, &[("dilations", ints(&[2]))]), [4, 5]);
    assert_eq!(places(22, 4, 3, &[("pads", ints(&[1, 2]))]), [1, 2, 3, 3, 3]);
    assert_eq!(places(22, 4, 2, &[text("SAME_UPPER")]), [1, 2, 3, 3]);
    assert_eq!(places(22, 4, 2, &[text("SAME_LOWER")]), [0, 1, 2, 3]);
    assert_eq!(places(22, 5, 2, &[text("VALID"), stride.clone(), ceil.clone()]), [1, 3]);
    assert_eq!(places(22, 5, 1, &[text("SAME_UPPER"), ("strides", ints(&[4]))]), [0, 4]);
    let beyond = [stride, ceil, ("pads", ints(&[0, 1]))];
    assert_eq!(places(22, 4, 1, &beyond), [0, 2]);
    assert_eq!(places(12, 4, 1, &beyond), [0, 2, -1]);
    let in_padding = row(22, 2, &with(1, &[("pads", ints(&[1, 0]))]));
    assert_eq!(in_padding, (vec![f32::NEG_INFINITY, 0.0, 1.0], vec![-1, 0, 1]));
    let far = with(2, &[("dilations", ints(&[i64::MAX])), ("pads", ints(&[i64::MAX, 0]))]);
    assert_eq!(row(22, 1, &far).1, [0]);
}

#[test]
fn indices_count_rows_or_columns_of_each_channel() {
    let values: Vec<i8> = (0..12).collect();
    let data = tensor(Int8, &[2, 1, 2, 3], &values);
    let kernel = ("kernel_shape", ints(&[1, 2]));
    let (largest, places) = pool(22, &data, std::slice::from_ref(&kernel)).unwrap();
    assert_eq!(largest, tensor(Int8, &[2, 1, 2, 2], &[1_i8, 2, 4, 5, 7, 8, 10, 11]));
    assert_eq!(places, tensor(Int64, &[2, 1, 2, 2], &[1, 2, 4, 5, 7, 8, 10, 11].map(i64::from)));
    let (_, places) = pool(22, &data, &[kernel, ("storage_order", Attribute::Int(1))]).unwrap();
    assert_eq!(places, tensor(Int64, &[2, 1, 2, 2], &[2, 4, 3, 5, 8, 10, 9, 11].map(i64::from)));
}

#[test]
fn what_has_no_windows_is_refused() {
    let data = ones(Float32, &[1, 1, 3]);
    let refused = |others: &[(&str, Attribute)]| pool(22, &data, others).unwrap_err().kind();
    let text = ("auto_pad", Attribute::Text("VALID".to_owned()));
    assert_eq!(refused(&[]), ErrorKind::Invalid);
    for kernel in [&[][..], &[0], &[4], &[-1], &[i64::MAX], &[1, 1]] {
        assert_eq!(refused(&[("kernel_shape", ints(kernel))]), ErrorKind::Invalid, "{kernel:?}");
    }
    for (name, list) in [
        ("strides", &[0][..]),
        ("strides", &[-1]),
        ("strides", &[1, 1]),
        ("dilations", &[0]),
        ("dilations", &[i64::MAX]),
        ("pads", &[0]),
        ("pads", &[0, -1]),
    ] {
        assert_eq!(refused(&with(2, &[(name, ints(list))])), ErrorKind::Invalid, "{name} {list:?}");
    }
    assert_eq!(refused(&with(2, &[("pads", ints(&[0, 0])), text])), ErrorKind::Invalid);
    let huge = with(1, &[("pads", ints(&[1 << 62, 0]))]);
    assert_eq!(refused(&huge), ErrorKind::Unsupported);
    for shape in [&[][..], &[1], &[1, 1]] {
        assert!(pool(22, &ones(Float32, shape), &with(1, &[])).is_err());
    }
    let empty = ones(Float32, &[0, 2, 3]);
    assert_eq!(pool(22, &empty, &with(2, &[])).unwrap().1.shape(), [0, 2, 2]);
}
