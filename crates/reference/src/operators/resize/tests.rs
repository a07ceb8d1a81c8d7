//! Coordinates, readings, weights and what is left open.

use values::dtype::DType::{Float32, Float64, Int8, Int64};
use values::element::Element;
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// The output's shape and what conforms of each element, for X, scales or sizes, and texts.
fn resized(
    x: &Tensor,
    scales: Option<&[f32]>,
    sizes: Option<&[i64]>,
    attributes: &[(&str, AttributeValue)],
) -> Result<(Vec<usize>, Vec<Conforming>), Invalid> {
    let list = |dtype, tensor: Option<Tensor>| tensor.filter(|it| it.dtype() == dtype);
    let scales =
        scales.map(|all| Tensor::from_values(Float32, vec![all.len()], all.to_vec()).unwrap());
    let sizes = sizes.map(|all| Tensor::from_values(Int64, vec![all.len()], all.to_vec()).unwrap());
    let inputs = vec![Some(x.clone()), None, list(Float32, scales), list(Int64, sizes)];
    let owned = |(name, value): &(&str, AttributeValue)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let version = RESIZE.newest();
    let (call, types) = Call::new(&RESIZE, version, Specification::Onnx, attributes, inputs)?;
    let allowed = RESIZE.reference.allowed(&call, &types);
    let shape = types[0].shape.clone();
    let count: usize = shape.iter().product();
    Ok((shape, (0..count).map(|index| allowed[0].at(index)).collect()))
}

fn text(name: &'static str, value: &str) -> (&'static str, AttributeValue) {
    (name, AttributeValue::Text(value.to_owned()))
}

fn bytes(values: &[i8]) -> Tensor {
    Tensor::from_values(Int8, vec![values.len()], values.to_vec()).unwrap()
}

fn floats(values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, vec![values.len()], values.to_vec()).unwrap()
}

/// The examples as numbers of int8.
fn examples(all: &[Conforming]) -> Vec<i8> {
    all.iter().map(|one| one.example().unwrap() as u8 as i8).collect()
}

/// The examples as numbers of float32.
fn numbers(all: &[Conforming]) -> Vec<f32> {
    all.iter().map(|one| f32::from_bits(one.example().unwrap() as u32)).collect()
}

#[test]
fn a_coordinate_in_the_middle_of_two_elements_has_the_one_that_the_mode_says() {
    let x = bytes(&[1, 2, 3, 4, 5, 6]);
    for (mode, expected) in [
        ("round_prefer_floor", [1, 3, 5]),
        ("round_prefer_ceil", [2, 4, 6]),
        ("floor", [1, 3, 5]),
        ("ceil", [2, 4, 6]),
    ] {
        let (shape, all) = resized(&x, Some(&[0.5]), None, &[text("nearest_mode", mode)]).unwrap();
        assert_eq!((shape, examples(&all)), (vec![3], expected.to_vec()), "{mode}");
        assert!(all.iter().all(|one| matches!(one, Conforming::Same(_))), "{mode}");
    }
}

#[test]
fn either_pixel_conforms_where_the_scale_and_the_quotient_of_the_lengths_differ() {
    let x = bytes(&[1, 2, 3, 4]);
    let (_, all) = resized(
        &x,
        Some(&[2.6]),
        None,
        &[text("nearest_mode", "floor"), text("coordinate_transformation_mode", "asymmetric")],
    )
    .unwrap();
    // 5 / 2.6 is 1.92, and 5 / 2.5 is 2.
    let element = |value: i8| Conforming::Same(Element::Bits(Int8, u128::from(value as u8)));
    assert_eq!(all[5], Conforming::OneOf(vec![element(2), element(3)]));
    assert_eq!(all[4], element(2));
}

#[test]
fn linear_means_are_exact_where_the_coordinates_are() {
    let x = floats(&[1.0, 2.0, 4.0]);
    let (_, all) = resized(&x, Some(&[2.0]), None, &[text("mode", "linear")]).unwrap();
    assert_eq!(numbers(&all), [1.0, 1.25, 1.75, 2.5, 3.5, 4.0]);
    assert!(all[1].accepts(1.25_f32.to_bits().into()));
    assert!(!all[1].accepts(1.2500002_f32.to_bits().into()));
}

#[test]
fn the_weights_of_a_cubic_are_those_of_its_coefficient() {
    let x = floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let at_half = |a: Option<f32>| {
        let mut attributes =
            vec![text("mode", "cubic"), text("coordinate_transformation_mode", "asymmetric")];
        attributes.extend(a.map(|a| ("cubic_coeff_a", AttributeValue::Float(a.to_bits()))));
        numbers(&resized(&x, Some(&[2.0]), None, &attributes).unwrap().1)
    };
    // At 0.5, 1.5, 2.5 and 3.5 from the places 0, 1, 2 and 3.
    let default = at_half(None);
    assert_eq!([1, 3, 5, 7].map(|at| default[at]), [-0.09375, 0.59375, 0.59375, -0.09375]);
    let other = at_half(Some(-0.5));
    assert_eq!([1, 3, 5, 7].map(|at| other[at]), [-0.0625, 0.5625, 0.5625, -0.0625]);
}

#[test]
fn a_stretched_filter_weights_more_elements() {
    let x = floats(&[8.0, 0.0, 0.0, 0.0]);
    let attributes = [text("mode", "linear"), ("antialias", AttributeValue::Int(1))];
    let (_, all) = resized(&x, None, Some(&[2]), &attributes).unwrap();
    // Around 0.5 with the half width 2: 3/8 at 0 and 1/8 before it, which is the first element again.
    assert_eq!(numbers(&all), [4.0, 0.0]);
    let excluded = [&attributes[..], &[("exclude_outside", AttributeValue::Int(1))]].concat();
    let (_, all) = resized(&x, None, Some(&[2]), &excluded).unwrap();
    // 3/8 of the 7/8 that are left.
    assert_eq!(numbers(&all), [24.0_f32 / 7.0, 0.0]);
}

#[test]
fn products_of_one_element_at_the_border_are_rounded_each() {
    let x = floats(&[1.0 / 3.0, 5.0]);
    let (_, all) = resized(&x, Some(&[2.0]), None, &[text("mode", "linear")]).unwrap();
    // A quarter and three quarters of the first one.
    let third = (1.0_f32 / 3.0).to_bits();
    assert!([third - 1, third, third + 1].into_iter().all(|bits| all[0].accepts(bits.into())));
    assert!([third - 2, third + 2].into_iter().all(|bits| !all[0].accepts(bits.into())));
}

#[test]
fn integers_next_to_a_mean_conform_and_no_others_do() {
    let x = bytes(&[1, 4]);
    let (_, all) = resized(&x, Some(&[2.0]), None, &[text("mode", "linear")]).unwrap();
    // 1.75: 1 by cutting off, 2 by rounding.
    assert!([1, 2].into_iter().all(|bits| all[1].accepts(bits)));
    assert!([0, 3].into_iter().all(|bits| !all[1].accepts(bits)));
    assert_eq!(all[1].example(), Some(2));
}

#[test]
fn ratios_are_kept_and_halves_rounded_up() {
    let x = Tensor::from_values(Int8, vec![3, 2], vec![1_i8; 6]).unwrap();
    let shape = |policy, sizes: &[i64]| {
        let policy = text("keep_aspect_ratio_policy", policy);
        resized(&x, None, Some(sizes), &[policy]).map(|(shape, _)| shape)
    };
    assert_eq!(shape("stretch", &[9, 5]), Ok(vec![9, 5]));
    assert_eq!(shape("not_larger", &[9, 5]), Ok(vec![8, 5]));
    assert_eq!(shape("not_smaller", &[9, 5]), Ok(vec![9, 6]));
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_overflows() {
    let x = floats(&[1.0, 2.0]);
    let none: &[(&str, AttributeValue)] = &[];
    for (scales, sizes) in [
        (None, None),
        (Some(&[2.0][..]), Some(&[4][..])),
        (Some(&[0.0]), None),
        (Some(&[f32::NAN]), None),
        (Some(&[f32::INFINITY]), None),
        (Some(&[3e38]), None),
        (Some(&[1.0, 1.0]), None),
        (None, Some(&[-1])),
        (None, Some(&[i64::MAX])),
    ] {
        assert!(resized(&x, scales, sizes, none).is_err(), "{scales:?} {sizes:?}");
    }
    let axes = |axes: &[i64]| ("axes", AttributeValue::Ints(axes.to_vec()));
    for list in [&[1][..], &[-2], &[0, 0], &[i64::MIN]] {
        let count = vec![2.0; list.len()];
        assert!(resized(&x, Some(&count), None, &[axes(list)]).is_err(), "{list:?}");
    }
    let empty = Tensor::from_values::<f64>(Float64, vec![0], vec![]).unwrap();
    assert!(resized(&empty, None, Some(&[2]), none).is_err());
    assert_eq!(resized(&empty, Some(&[2.0]), None, none), Ok((vec![0], vec![])));
    // A filter of billions of elements is not summed up.
    let attributes = [text("mode", "linear"), ("antialias", AttributeValue::Int(1))];
    let (_, all) = resized(&floats(&[0.0; 6000]), None, Some(&[1]), &attributes).unwrap();
    assert!(!all[0].is_decided());
}

#[test]
fn infinities_take_part_by_the_sign_of_their_weight() {
    let x = floats(&[f32::INFINITY, 1.0, f32::NAN, 2.0]);
    let (_, all) = resized(&x, Some(&[2.0]), None, &[text("mode", "linear")]).unwrap();
    let infinity = u64::from(f32::INFINITY.to_bits());
    assert!(all[1].accepts(infinity) && !all[1].accepts(0));
    assert!(all[4].accepts(f32::NAN.to_bits().into()) && !all[4].accepts(infinity));
}

#[test]
fn version_10_has_the_coordinates_of_any_transformation() {
    let scales = Tensor::from_values(Float32, vec![2], vec![1_f32, 2.0]).unwrap();
    let x = Tensor::from_values(Float32, vec![2, 2], vec![1_f32, 2.0, 5.0, 6.0]).unwrap();
    let of = |version: i64, mode: &str| {
        let attributes: Attributes =
            [text("mode", mode)].map(|(name, value)| (name.to_owned(), value)).into();
        let inputs = match version {
            10 => vec![Some(x.clone()), Some(scales.clone())],
            _ => vec![Some(x.clone()), None, Some(scales.clone())],
        };
        let version = RESIZE.version(version).unwrap();
        let (call, types) =
            Call::new(&RESIZE, version, Specification::Onnx, attributes, inputs).unwrap();
        let allowed = RESIZE.reference.allowed(&call, &types);
        (0..8).map(|index| allowed[0].at(index)).collect::<Vec<_>>()
    };
    let accepts = |all: &[Conforming], values: [f32; 4]| {
        let bits = values.map(|value| u64::from(value.to_bits()));
        all.iter().zip(bits).all(|(one, bits)| one.accepts(bits))
    };
    let first = of(10, "linear");
    // As `asymmetric`, `half_pixel` and `align_corners` have it.
    for values in [[1.0, 1.5, 2.0, 2.0], [1.0, 1.25, 1.75, 2.0], [1.0, 4.0 / 3.0, 5.0 / 3.0, 2.0]] {
        assert!(accepts(&first, values), "{first:?}");
    }
    assert!(!accepts(&first, [1.0, 1.9, 2.0, 2.0]) && first[1].is_decided());
    assert!(!accepts(&of(19, "linear"), [1.0, 1.5, 2.0, 2.0]));
    // A dimension that keeps its size is not moved along.
    let first = of(10, "nearest");
    assert!(accepts(&first, [1.0, 1.0, 1.0, 2.0]) && accepts(&first, [1.0, 2.0, 2.0, 2.0]));
    assert!(!accepts(&first, [5.0; 4]) && !accepts(&first[4..], [1.0; 4]));
}

#[test]
fn the_pixel_of_the_exact_coordinate_is_the_example_where_floats_find_another() {
    // (4 + 0.5) * 20 / 6 - 0.5 is 14.5, and less in float32.
    let x = bytes(&std::array::from_fn::<i8, 20, _>(|at| 2 * at as i8 + 1));
    let attributes = [text("nearest_mode", "round_prefer_ceil")];
    let (_, all) = resized(&x, None, Some(&[6]), &attributes).unwrap();
    assert_eq!(examples(&all), [3, 11, 17, 23, 31, 37]);
    assert!(all[4].accepts(29) && !all[4].accepts(33), "{:?}", all[4]);
}
