//! Positions by edges and by corners, and sizes that do not fit.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};

fn grid(shape: &[usize], theta: &[f32], size: &[i64], align: i64) -> Result<Vec<f32>, KernelError> {
    let (theta, size) = (tensor(Float32, shape, theta), tensor(Int64, &[size.len()], size));
    let attributes = Attributes::from([("align_corners".to_owned(), Attribute::Int(align))]);
    let inputs = [Some(&theta), Some(&size)];
    Ok(read(&find("AffineGrid", 20).unwrap().run(&inputs, &attributes)?.remove(0)))
}

#[test]
fn positions_are_centres_of_pixels_with_the_last_dimension_first() {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    assert_eq!(grid(&[1, 2, 3], &identity, &[1, 1, 1, 2], 0).unwrap(), [-0.5, 0.0, 0.5, 0.0]);
    let all = grid(&[1, 2, 3], &[2.0, 0.0, 1.0, 0.0, 10.0, 3.0], &[1, 1, 2, 3], 1).unwrap();
    assert_eq!(all, [-1.0, -7.0, 1.0, -7.0, 3.0, -7.0, -1.0, 13.0, 1.0, 13.0, 3.0, 13.0]);
    let deep = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0];
    let all = grid(&[1, 3, 4], &deep, &[1, 9, 2, 1, 1], 0).unwrap();
    assert_eq!(all, [-0.5, 0.0, 7.0, 0.5, 0.0, 7.0]);
}

#[test]
fn matrices_that_do_not_fit_are_refused() {
    for size in [&[1, 1, 2][..], &[2, 1, 2, 2], &[1, 1, 1, 2, 2], &[1, 1, -1, 2]] {
        let error = grid(&[1, 2, 3], &[1.0; 6], size, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{size:?}");
    }
    assert_eq!(grid(&[1, 2, 3], &[1.0; 6], &[1, 1, 0, 2], 0).unwrap(), Vec::<f32>::new());
}
