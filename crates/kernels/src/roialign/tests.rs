//! Bins of every mode, samples outside of the image, and what is refused.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};

/// One region of an image of 3 rows and 4 columns, numbered from 1, in two batches.
fn aligned(
    since: i64,
    roi: &[f32],
    batch: i64,
    attributes: &[(&str, Attribute)],
) -> Result<Vec<f32>, KernelError> {
    let values: Vec<f32> = (1..=24).map(|at| at as f32).collect();
    let (x, rois) = (tensor(Float32, &[2, 1, 3, 4], &values), tensor(Float32, &[1, 4], roi));
    let batches = tensor(Int64, &[1], &[batch]);
    let of = |(name, value): &(&str, Attribute)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(of).collect();
    let inputs = [Some(&x), Some(&rois), Some(&batches)];
    Ok(read(&find("RoiAlign", since).unwrap().run(&inputs, &attributes)?.remove(0)))
}

fn ratio(samples: i64) -> (&'static str, Attribute) {
    ("sampling_ratio", Attribute::Int(samples))
}

fn text(name: &'static str, text: &str) -> (&'static str, Attribute) {
    (name, Attribute::Text(text.to_owned()))
}

#[test]
fn bins_are_means_of_samples_between_pixels() {
    let two = || [("output_height", Attribute::Int(1)), ("output_width", Attribute::Int(2))];
    let unshifted = || text("coordinate_transformation_mode", "output_half_pixel");
    // Shifted, the pixels are the middles of the parts.
    assert_eq!(aligned(22, &[0.0, 0.0, 2.0, 1.0], 0, &two()).unwrap(), [1.0, 2.0]);
    assert_eq!(aligned(10, &[0.0, 0.0, 2.0, 1.0], 0, &two()).unwrap(), [3.5, 4.5]);
    assert_eq!(aligned(16, &[0.0, 0.0, 2.0, 1.0], 1, &[unshifted()]).unwrap(), [16.0]);
    let scale = ("spatial_scale", Attribute::Float(0.5));
    assert_eq!(aligned(22, &[2.0, 2.0, 4.0, 4.0], 0, &[scale]).unwrap(), [6.0]);
    assert_eq!(aligned(22, &[0.0, 0.0, 3.0, 1.0], 0, &[]).unwrap(), [2.0]);
    assert_eq!(aligned(22, &[0.0, 0.0, 4.0, 3.0], 0, &[ratio(2)]).unwrap(), [6.5]);
}

#[test]
fn samples_outside_are_those_at_the_border_or_zeros() {
    assert_eq!(aligned(22, &[0.0, 0.0, 0.5, 0.5], 0, &[ratio(1)]).unwrap(), [1.0]);
    assert_eq!(aligned(22, &[-3.0, 0.0, -1.0, 1.0], 0, &[ratio(1)]).unwrap(), [0.0]);
    assert_eq!(aligned(22, &[4.0, 2.0, 4.5, 3.0], 0, &[ratio(1)]).unwrap(), [12.0]);
    // Half of the samples are outside.
    assert_eq!(aligned(22, &[-2.0, 0.0, 2.0, 1.0], 0, &[ratio(2)]).unwrap(), [1.0]);
}

#[test]
fn the_largest_is_that_of_the_products() {
    let max = || text("mode", "max");
    assert_eq!(aligned(22, &[0.0, 0.0, 4.0, 3.0], 0, &[max(), ratio(1)]).unwrap(), [3.5]);
    assert_eq!(aligned(22, &[0.0, 0.0, 2.0, 1.0], 0, &[max()]).unwrap(), [2.0]);
    // A region narrower than a pixel is widened without the shift alone.
    let narrow = [1.0, 1.0, 1.0, 1.0];
    assert_eq!(aligned(10, &narrow, 0, &[]).unwrap(), [8.5]);
    assert_eq!(aligned(22, &narrow, 0, &[ratio(1)]).unwrap(), [3.5]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let roi = [0.0, 0.0, 1.0, 1.0];
    for (batch, attributes) in [
        (2, vec![]),
        (-1, vec![]),
        (0, vec![("output_height", Attribute::Int(-1))]),
        (0, vec![ratio(1 << 30)]),
        (0, vec![text("mode", "sum")]),
    ] {
        let error = aligned(22, &roi, batch, &attributes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{batch} {attributes:?}");
    }
    let far = [0.0, 0.0, f32::MAX, f32::INFINITY];
    assert!(aligned(22, &far, 0, &[]).is_err());
    assert!(aligned(22, &[f32::NAN; 4], 0, &[]).is_ok());
    assert!(aligned(10, &roi, 0, &[text("coordinate_transformation_mode", "half_pixel")]).is_err());
}
