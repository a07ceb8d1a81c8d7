//! Windows of regions, corners near which rounding decides, and what the text leaves open.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::Float32;

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

fn made(x: Tensor, rois: Tensor, pooled: &[i64], scale: f32) -> Result<Vec<Conforming>, Invalid> {
    let attributes: Attributes = [
        ("pooled_shape".to_owned(), AttributeValue::Ints(pooled.to_vec())),
        ("spatial_scale".to_owned(), AttributeValue::Float(scale.to_bits())),
    ]
    .into();
    let inputs = vec![Some(x), Some(rois)];
    let version = MAXROIPOOL.newest();
    let (call, types) = Call::new(&MAXROIPOOL, version, Specification::Onnx, attributes, inputs)?;
    let allowed = MAXROIPOOL.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Ok((0..count).map(|at| allowed[0].at(at)).collect())
}

/// The windows of one region of an image of two batches, 3 rows and 8 columns, numbered from 1.
fn windows(roi: [f32; 5], pooled: &[i64], scale: f32) -> Vec<Conforming> {
    let all: Vec<f32> = (1..=48).map(|at| at as f32).collect();
    made(floats(&[2, 1, 3, 8], &all), floats(&[1, 5], &roi), pooled, scale).unwrap()
}

/// Which of the elements conform.
fn taken(one: &Conforming) -> Vec<f32> {
    assert!(one.is_decided(), "{one:?}");
    (1..=48).map(|at| at as f32).filter(|at| one.accepts(at.to_bits().into())).collect()
}

#[test]
fn the_largest_element_of_each_window_is_taken() {
    let of = |roi, pooled: &[i64], scale| -> Vec<Vec<f32>> {
        windows(roi, pooled, scale).iter().map(taken).collect()
    };
    assert_eq!(of([0.0, 0.0, 0.0, 7.0, 2.0], &[1, 1], 1.0), [[24.0]]);
    assert_eq!(of([1.0, 2.0, 0.0, 5.0, 1.0], &[2, 2], 1.0), [[28.0], [30.0], [36.0], [38.0]]);
    // Five columns in two windows share the one in the middle.
    assert_eq!(of([0.0, 0.0, 0.0, 4.0, 0.0], &[1, 2], 1.0), [[3.0], [5.0]]);
    assert_eq!(of([0.0, 1.3, 0.4, 2.8, 1.4], &[1, 1], 1.0), [[12.0]]);
    assert_eq!(of([0.0, 2.0, 2.0, 4.0, 4.0], &[1, 1], 0.5), [[19.0]]);
    // As far as the image has elements.
    assert_eq!(of([0.0, -5.0, -5.0, 1.0, 0.0], &[1, 1], 1.0), [[2.0]]);
}

#[test]
fn a_corner_halfway_between_elements_is_either() {
    let either =
        |end: f32, scale: f32| taken(&windows([0.0, 0.0, 0.0, end, 0.0], &[1, 1], scale)[0]);
    assert_eq!(either(2.5, 1.0), [3.0, 4.0]);
    assert_eq!(either(2.500_001, 1.0), [4.0]);
    // 25 times a tenth that is rounded up is halfway as float32 rounds it.
    assert_eq!(either(25.0, 0.1), [3.0, 4.0]);
    assert_eq!(either(24.0, 0.1), [3.0]);
}

#[test]
fn a_window_may_have_an_element_more_by_rounding() {
    // Three times a third of seven may be rounded to more than seven, beside what is exact of four in two windows.
    let all = windows([0.0, 0.0, 0.0, 6.0, 0.0], &[1, 3], 1.0);
    assert_eq!(taken(&all[0]), [3.0]);
    assert_eq!(taken(&all[2]), [7.0, 8.0]);
    let all = windows([0.0, 0.0, 0.0, 3.0, 0.0], &[1, 2], 1.0);
    assert_eq!(taken(&all[1]), [4.0]);
}

#[test]
fn what_the_text_does_not_say_is_open() {
    for roi in [
        [2.0, 0.0, 0.0, 1.0, 1.0],
        [-1.0, 0.0, 0.0, 1.0, 1.0],
        [0.5, 0.0, 0.0, 1.0, 1.0],
        [f32::NAN, 0.0, 0.0, 1.0, 1.0],
        [0.0, 3.0, 0.0, 1.0, 1.0],
        [0.0, f32::NAN, 0.0, 1.0, 1.0],
        [0.0, 0.0, 0.0, f32::INFINITY, 1.0],
        [0.0, 0.0, 0.0, f32::MAX, 1.0],
        [0.0, 9.0, 0.0, 12.0, 1.0],
        [0.0, 0.0, -9.0, 1.0, -5.0],
    ] {
        assert!(!windows(roi, &[1, 1], 1.0)[0].is_decided(), "{roi:?}");
    }
    assert!(!windows([0.0, 0.0, 0.0, 1.0, 1.0], &[1, 1], f32::NAN)[0].is_decided());
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let (x, roi) = (|| floats(&[1, 1, 1, 1], &[1.0]), || floats(&[1, 5], &[0.0; 5]));
    for pooled in [&[1][..], &[1, 1, 1], &[-1, 1], &[i64::MAX, 2]] {
        assert!(made(x(), roi(), pooled, 1.0).is_err(), "{pooled:?}");
    }
    assert!(made(floats(&[1, 1, 1], &[1.0]), roi(), &[1, 1], 1.0).is_err());
    assert!(made(x(), floats(&[1, 4], &[0.0; 4]), &[1, 1], 1.0).is_err());
    assert_eq!(made(x(), roi(), &[0, 1], 1.0), Ok(vec![]));
}
