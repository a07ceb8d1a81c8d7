//! Lengths, coordinates and weights, and what is refused or open.

use values::dtype::DType::{Float32, Int8};
use values::element::Element;
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// The output's shape and what conforms of each element, in a version that has this number.
fn upsampled(
    since: i64,
    x: &Tensor,
    scales: &[f32],
    mode: &str,
) -> Result<(Vec<usize>, Vec<Conforming>), Invalid> {
    let mut attributes: Attributes =
        [("mode".to_owned(), AttributeValue::Text(mode.to_owned()))].into();
    let mut inputs = vec![Some(x.clone())];
    let bits: Vec<u32> = scales.iter().map(|scale| scale.to_bits()).collect();
    match since {
        1 => {
            for (name, bits) in ["height_scale", "width_scale"].iter().zip(bits) {
                attributes.insert((*name).to_owned(), AttributeValue::Float(bits));
            }
        }
        7 => {
            attributes.insert("scales".to_owned(), AttributeValue::Floats(bits));
        }
        _ => inputs.push(Tensor::from_values(Float32, vec![scales.len()], scales.to_vec()).ok()),
    }
    let version = UPSAMPLE.version(since).unwrap();
    let (call, types) = Call::new(&UPSAMPLE, version, Specification::Onnx, attributes, inputs)?;
    let allowed = UPSAMPLE.reference.allowed(&call, &types);
    let shape = types[0].shape.clone();
    let count: usize = shape.iter().product();
    Ok((shape, (0..count).map(|index| allowed[0].at(index)).collect()))
}

fn bytes(count: i8) -> Tensor {
    let all: Vec<i8> = (1..=count).collect();
    Tensor::from_values(Int8, vec![all.len()], all).unwrap()
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap()
}

fn element(value: i8) -> Conforming {
    Conforming::Same(Element::Bits(Int8, u128::from(value as u8)))
}

#[test]
fn the_nearest_element_is_the_one_before_the_coordinate() {
    for since in [7, 9, 10] {
        let (shape, all) = upsampled(since, &bytes(3), &[2.5], "nearest").unwrap();
        assert_eq!(shape, [7]);
        assert_eq!(all, [1, 1, 1, 2, 2, 3, 3].map(element), "version {since}");
    }
    let x = floats(&[1, 1, 2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let (shape, all) = upsampled(1, &x, &[1.0, 2.0], "nearest").unwrap();
    assert_eq!(shape, [1, 1, 2, 4]);
    let numbers = [1.0_f32, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0];
    assert!(all.iter().zip(numbers).all(|(one, number)| one.accepts(number.to_bits().into())));
}

#[test]
fn either_element_conforms_where_float32_finds_another_than_exact_arithmetic() {
    // 41 times the float32 next to 1/41 is less than 1.
    let (_, all) = upsampled(9, &bytes(2), &[41.0], "nearest").unwrap();
    assert_eq!(all[40], element(1));
    assert_eq!(all[41], Conforming::OneOf(vec![element(2), element(1)]));
    assert_eq!(all[42], element(2));
}

#[test]
fn linear_means_are_of_the_elements_on_either_side() {
    let x = floats(&[1, 1, 1, 3], &[1.0, 2.0, 4.0]);
    for (since, mode, scales) in
        [(1, "bilinear", &[1.0, 2.0][..]), (10, "linear", &[1.0, 1.0, 1.0, 2.0])]
    {
        let (_, all) = upsampled(since, &x, scales, mode).unwrap();
        let numbers = [1.0_f32, 1.5, 2.0, 3.0, 4.0, 4.0];
        for (one, number) in all.iter().zip(numbers) {
            assert!(one.accepts(number.to_bits().into()), "{number} {one:?}");
            assert!(!one.accepts((number.to_bits() + 16).into()), "{number} {one:?}");
        }
    }
}

#[test]
fn an_infinity_without_a_weight_makes_a_nan_or_nothing() {
    let x = floats(&[3], &[f32::INFINITY, 1.0, 2.0]);
    let (_, all) = upsampled(9, &x, &[2.0], "linear").unwrap();
    let bits = |number: f32| u64::from(number.to_bits());
    assert!(all[2].accepts(bits(1.0)) && all[2].accepts(bits(f32::NAN)), "{all:?}");
    assert_eq!(all[2].example(), Some(bits(1.0).into()));
    assert!(all[1].accepts(bits(f32::INFINITY)) && !all[1].accepts(bits(1.0)), "{all:?}");
}

#[test]
fn lengths_are_rounded_down_and_open_where_float32_rounds_them_up() {
    let shape = |count: i8, scale: f32| upsampled(9, &bytes(count), &[scale], "nearest");
    assert_eq!(shape(3, 1.5).unwrap().0, [4]);
    assert_eq!(shape(10, 1.1).unwrap().0, [11]);
    // The float32 next to 1.3 is less than it: its tenfold is next to 13 in float32.
    let (length, all) = shape(10, 1.3).unwrap();
    assert_eq!(length, [13]);
    assert!(all.iter().all(|one| !one.is_decided()));
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_overflows() {
    let x = bytes(2);
    for scales in [
        &[0.5_f32][..],
        &[0.0],
        &[-2.0],
        &[f32::NAN],
        &[f32::INFINITY],
        &[3e38],
        &[1e10],
        &[],
        &[1.0, 2.0],
    ] {
        for since in [7, 9, 10] {
            assert!(upsampled(since, &x, scales, "nearest").is_err(), "{since} {scales:?}");
        }
    }
    let plane = floats(&[2, 2, 1], &[1.0; 4]);
    assert!(upsampled(1, &plane, &[2.0, 2.0], "nearest").is_err());
    let plane = floats(&[1, 1, 2, 2], &[1.0; 4]);
    for scales in [&[0.99, 1.0][..], &[2.0], &[1.0, f32::NAN]] {
        assert!(upsampled(1, &plane, scales, "nearest").is_err(), "{scales:?}");
    }
    for (since, mode) in [(1, "linear"), (7, "bilinear"), (9, "cubic")] {
        let scales = if since == 1 { &[1.0, 1.0][..] } else { &[1.0; 4] };
        assert!(upsampled(since, &plane, scales, mode).is_err(), "{since} {mode}");
    }
    let nothing = floats(&[0, 2], &[]);
    assert_eq!(upsampled(9, &nothing, &[2.0, 3.0], "linear").unwrap().0, [0, 6]);
}
