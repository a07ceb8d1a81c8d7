//! Elements that come several times, and means between them.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int8};
use values::tensor::Tensor;

/// The output of a version, by whichever way it takes the scales.
fn upsampled(version: i64, x: &Tensor, scales: &[f32], mode: &str) -> Result<Tensor, KernelError> {
    let mut attributes: Attributes = [("mode".to_owned(), Attribute::Text(mode.to_owned()))].into();
    let list = tensor(Float32, &[scales.len()], scales);
    let mut inputs = vec![Some(x)];
    match version {
        1 => {
            for (name, scale) in ["height_scale", "width_scale"].iter().zip(scales) {
                attributes.insert((*name).to_owned(), Attribute::Float(*scale));
            }
        }
        7 => {
            attributes.insert("scales".to_owned(), Attribute::Floats(scales.to_vec()));
        }
        _ => inputs.push(Some(&list)),
    }
    Ok(find("Upsample", version).unwrap().run(&inputs, &attributes)?.remove(0))
}

#[test]
fn elements_come_as_often_as_their_scale_says() {
    let x = tensor(Int8, &[3], &[1_i8, 2, 3]);
    for version in [7, 9, 10] {
        let y = upsampled(version, &x, &[2.5], "nearest").unwrap();
        assert_eq!(read::<i8>(&y), [1, 1, 1, 2, 2, 3, 3], "version {version}");
    }
    let x = tensor(Float32, &[1, 1, 2, 2], &[1_f32, 2.0, 3.0, 4.0]);
    let y = upsampled(1, &x, &[2.0, 1.0], "nearest").unwrap();
    assert_eq!((y.shape(), read(&y)), (&[1, 1, 4, 2][..], vec![1_f32, 2., 1., 2., 3., 4., 3., 4.]));
}

#[test]
fn means_are_of_the_elements_on_either_side() {
    let x = tensor(Float32, &[1, 1, 1, 3], &[1_f32, 2.0, 4.0]);
    let expected = [1_f32, 1.5, 2.0, 3.0, 4.0, 4.0];
    assert_eq!(read::<f32>(&upsampled(1, &x, &[1.0, 2.0], "bilinear").unwrap()), expected);
    assert_eq!(read::<f32>(&upsampled(9, &x, &[1., 1., 1., 2.], "linear").unwrap()), expected);
}

#[test]
fn scales_below_one_and_of_other_numbers_are_refused() {
    let x = tensor(Float32, &[1, 1, 2, 2], &[1_f32; 4]);
    for (version, scales) in [
        (1, &[0.5_f32, 1.0][..]),
        (1, &[2.0]),
        (7, &[1.0, 1.0, 0.99, 1.0]),
        (7, &[2.0, 2.0]),
        (9, &[1.0, 1.0, 1.0, f32::NAN]),
        (10, &[1.0, 1.0, 1.0, f32::INFINITY]),
        (10, &[1.0, 1.0, 1.0, 3e38]),
    ] {
        let error = upsampled(version, &x, scales, "nearest").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid), "{version} {scales:?} {error}");
    }
    let attributes = Attributes::new();
    assert!(find("Upsample", 7).unwrap().run(&[Some(&x)], &attributes).is_err());
    let line = tensor(Float32, &[2], &[1_f32; 2]);
    assert!(upsampled(1, &line, &[1.0, 1.0], "nearest").is_err());
}
