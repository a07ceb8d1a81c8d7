//! Windows of regions, and what is refused.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::Float32;

fn pooled(rois: &[f32], pooled: &[i64], scale: f32) -> Result<Vec<f32>, KernelError> {
    let values: Vec<f32> = (1..=24).map(|at| at as f32).collect();
    let (x, rois) = (tensor(Float32, &[2, 1, 3, 4], &values), tensor(Float32, &[1, 5], rois));
    let attributes: Attributes = [
        ("pooled_shape".to_owned(), Attribute::Ints(pooled.to_vec())),
        ("spatial_scale".to_owned(), Attribute::Float(scale)),
    ]
    .into();
    let outputs = find("MaxRoiPool", 22).unwrap().run(&[Some(&x), Some(&rois)], &attributes);
    Ok(read(&outputs?.remove(0)))
}

#[test]
fn the_largest_element_of_each_window_is_taken() {
    assert_eq!(pooled(&[0.0, 0.0, 0.0, 3.0, 2.0], &[1, 1], 1.0).unwrap(), [12.0]);
    assert_eq!(pooled(&[1.0, 0.0, 0.0, 3.0, 2.0], &[1, 2], 1.0).unwrap(), [22.0, 24.0]);
    // Three rows in two bins share the one in the middle.
    assert_eq!(pooled(&[0.0, 0.0, 0.0, 1.0, 2.0], &[2, 1], 1.0).unwrap(), [6.0, 10.0]);
    assert_eq!(pooled(&[0.0, 2.0, 2.0, 4.0, 4.0], &[1, 1], 0.5).unwrap(), [11.0]);
    // What is outside of the image has no elements.
    assert_eq!(pooled(&[0.0, 9.0, 0.0, 12.0, 2.0], &[1, 1], 1.0).unwrap(), [0.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    for (rois, shape) in [
        (&[2.0, 0.0, 0.0, 1.0, 1.0], &[1, 1][..]),
        (&[-1.0, 0.0, 0.0, 1.0, 1.0], &[1, 1]),
        (&[0.5, 0.0, 0.0, 1.0, 1.0], &[1, 1]),
        (&[f32::NAN, 0.0, 0.0, 1.0, 1.0], &[1, 1]),
        (&[0.0, 0.0, 0.0, 1.0, 1.0], &[1]),
        (&[0.0, 0.0, 0.0, 1.0, 1.0], &[1, -1]),
    ] {
        let error = pooled(rois, shape, 1.0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{rois:?} {shape:?}");
    }
    assert!(pooled(&[0.0, 0.0, 0.0, 1.0, 1.0], &[i64::MAX, i64::MAX], 1.0).is_err());
}
