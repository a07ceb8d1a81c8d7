//! Elements of every mode worked out by hand.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float32, Int8, Int64};
use values::tensor::Tensor;

fn text(value: &str) -> Attribute {
    Attribute::Text(value.to_owned())
}

/// The row that is made of one by a scale, or by a size.
fn resized(
    x: &Tensor,
    scale: Option<f32>,
    size: Option<i64>,
    attributes: &[(&str, Attribute)],
) -> Result<Tensor, KernelError> {
    let owned = |(name, value): &(&str, Attribute)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let scale = scale.map(|scale| tensor(Float32, &[1], &[scale]));
    let size = size.map(|size| tensor(Int64, &[1], &[size]));
    let inputs = [Some(x), None, scale.as_ref(), size.as_ref()];
    find("Resize", 19).unwrap().run(&inputs, &attributes).map(|mut all| all.remove(0))
}

#[test]
fn the_nearest_element_is_the_one_that_the_modes_say() {
    let x = tensor(Int8, &[4], &[1_i8, 2, 3, 4]);
    let of = |scale, coordinates: &str, nearest: &str| -> Vec<i8> {
        let attributes = [
            ("coordinate_transformation_mode", text(coordinates)),
            ("nearest_mode", text(nearest)),
        ];
        read(&resized(&x, Some(scale), None, &attributes).unwrap())
    };
    assert_eq!(of(0.5, "half_pixel", "round_prefer_floor"), [1, 3]);
    assert_eq!(of(0.5, "half_pixel", "round_prefer_ceil"), [2, 4]);
    assert_eq!(of(1.5, "asymmetric", "floor"), [1, 1, 2, 3, 3, 4]);
    assert_eq!(of(1.5, "asymmetric", "ceil"), [1, 2, 3, 3, 4, 4]);
    assert_eq!(of(1.5, "align_corners", "floor"), [1, 1, 2, 2, 3, 4]);
}

#[test]
fn means_are_weighted_by_lines_and_cubics() {
    let x = tensor(Float32, &[4], &[0_f32, 8.0, 0.0, 16.0]);
    let of = |size, attributes: &[(&str, Attribute)]| -> Vec<f32> {
        read(&resized(&x, None, Some(size), attributes).unwrap())
    };
    let linear = ("mode", text("linear"));
    assert_eq!(of(2, std::slice::from_ref(&linear)), [4.0, 8.0]);
    assert_eq!(of(8, std::slice::from_ref(&linear)), [0.0, 2.0, 6.0, 6.0, 2.0, 4.0, 12.0, 16.0]);
    // Weights of 1/8, 3/8, 3/8 and 1/8 around the middle of two elements.
    let stretched = [linear, ("antialias", Attribute::Int(1))];
    assert_eq!(of(2, &stretched), [3.0, 9.0]);
    // -3/32, 19/32, 19/32 and -3/32.
    let cubic = [("mode", text("cubic"))];
    assert_eq!(of(2, &cubic), [4.75, 7.25]);
    let excluded = [("mode", text("cubic")), ("exclude_outside", Attribute::Int(1))];
    let all = of(2, &excluded);
    assert!((all[0] - 4.75 * 32.0 / 35.0).abs() < 1e-6, "{all:?}");
}

#[test]
fn integers_are_rounded_and_saturated() {
    let x = tensor(Int8, &[4], &[127_i8, 127, -128, -128]);
    let cubic = [("mode", text("cubic"))];
    let all: Vec<i8> = read(&resized(&x, Some(2.0), None, &cubic).unwrap());
    assert_eq!((all[2], all[5]), (127, -128));
}

#[test]
fn places_outside_of_a_region_have_the_value_that_is_given() {
    let x = tensor(Float32, &[3], &[1_f32, 2.0, 3.0]);
    let roi = tensor(Float32, &[2], &[-0.5_f32, 0.5]);
    let size = tensor(Int64, &[1], &[3_i64]);
    let attributes: Attributes = [
        ("coordinate_transformation_mode", text("tf_crop_and_resize")),
        ("extrapolation_value", Attribute::Float(9.0)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let inputs = [Some(&x), Some(&roi), None, Some(&size)];
    let outputs = find("Resize", 19).unwrap().run(&inputs, &attributes).unwrap();
    assert_eq!(read::<f32>(&outputs[0]), [9.0, 1.0, 2.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = tensor(Float32, &[3], &[1_f32, 2.0, 3.0]);
    for (scale, size) in [
        (None, None),
        (Some(2.0), Some(6)),
        (Some(0.0), None),
        (Some(f32::NAN), None),
        (Some(3e38), None),
        (None, Some(-1)),
        (None, Some(i64::MAX)),
    ] {
        assert!(resized(&x, scale, size, &[]).is_err(), "{scale:?} {size:?}");
    }
}

#[test]
fn a_kept_ratio_stretches_symmetrically_by_the_length_that_it_makes() {
    // 3 rows become 4.5, which are 5, around the same middle: places -1/3, 1/3, 1, 5/3 and 7/3.
    let x: Vec<f32> = [0.0, 6.0, 12.0].into_iter().flat_map(|row| [row; 4]).collect();
    let (x, sizes) = (tensor(Float32, &[3, 4], &x), tensor(Int64, &[2], &[10_i64, 6]));
    let attributes = [
        ("coordinate_transformation_mode", text("half_pixel_symmetric")),
        ("keep_aspect_ratio_policy", text("not_larger")),
        ("mode", text("linear")),
    ];
    let attributes: Attributes =
        attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let inputs = [Some(&x), None, None, Some(&sizes)];
    let all = find("Resize", 19).unwrap().run(&inputs, &attributes).unwrap();
    let rows: Vec<f32> = read(&all[0]).into_iter().step_by(6).map(f32::round).collect();
    assert_eq!((all[0].shape(), rows), (&[5, 6][..], vec![0.0, 2.0, 6.0, 10.0, 12.0]));
}
