//! Regions of channels, and sizes that are none.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::Float32;

#[test]
fn elements_are_divided_by_the_squares_around_them() {
    let x = tensor(Float32, &[1, 4, 1], &[1_f32, 2.0, 4.0, 8.0]);
    let of = |size: i64| {
        let floats = [("alpha", size as f32), ("beta", 1.0), ("bias", 0.0)];
        let floats = floats.map(|(name, value)| (name.to_owned(), Attribute::Float(value)));
        let size = ("size".to_owned(), Attribute::Int(size));
        let attributes = floats.into_iter().chain([size]).collect();
        read::<f32>(&run(find("LRN", 13).unwrap(), &[&x], &attributes).unwrap())
    };
    assert_eq!(of(1), [1.0, 0.5, 0.25, 0.125]);
    assert_eq!(of(2), [1.0 / 5.0, 2.0 / 20.0, 4.0 / 80.0, 8.0 / 64.0]);
    assert_eq!(of(3), [1.0 / 5.0, 2.0 / 21.0, 4.0 / 84.0, 8.0 / 80.0]);
    assert_eq!(of(9), [1.0 / 85.0, 2.0 / 85.0, 4.0 / 85.0, 8.0 / 85.0]);
}

#[test]
fn a_size_that_is_none_is_refused_and_so_is_an_input_without_channels() {
    let operator = find("LRN", 13).unwrap();
    let with = |size: Option<i64>| -> Attributes {
        size.map(|size| ("size".to_owned(), Attribute::Int(size))).into_iter().collect()
    };
    for (shape, size) in [(&[1, 2][..], None), (&[1, 2], Some(0)), (&[2], Some(1))] {
        let x = tensor(Float32, shape, &[1_f32; 2]);
        let error = operator.run(&[Some(&x)], &with(size)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{shape:?} {size:?}");
    }
    let x = tensor::<f32>(Float32, &[0, 2], &[]);
    assert_eq!(run(operator, &[&x], &with(Some(i64::MAX))).unwrap().shape(), [0, 2]);
}
