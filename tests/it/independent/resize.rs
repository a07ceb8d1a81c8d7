//! Resize against ONNX's evaluator, which computes coordinates, weights and means in float64. It takes -0.5 for the coordinate of a
//! single element with `pytorch_half_pixel`, where the text has 0: no output here has a single element.

use onnx_conformance::dtype::DType::{Float32, Float64, Int64};
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Attributes, Domain};
use onnx_conformance::reference::operators;
use onnx_conformance::tensor::Tensor;

use super::check::Check;
use super::recurrent::{compared, numbers};
use crate::support;

/// Every mode with every way to compute coordinates, for lengths that are more, fewer and fractions of an element.
fn checks() -> Vec<Check> {
    let resize = operators::find(Domain::Onnx, "Resize").unwrap();
    let mut random = Random::new(72);
    let mut checks = Vec::new();
    for coordinates in [
        "half_pixel",
        "half_pixel_symmetric",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_crop_and_resize",
    ] {
        for (mode, antialias, exclude) in [
            ("nearest", 0, 0),
            ("linear", 0, 0),
            ("linear", 0, 1),
            ("linear", 1, 0),
            ("linear", 1, 1),
            ("cubic", 0, 0),
            ("cubic", 0, 1),
            ("cubic", 1, 0),
            ("cubic", 1, 1),
        ] {
            for scales in [[2.6_f32, 0.6], [0.5, 3.0]] {
                let text = |text: &str| AttributeValue::Text(text.to_owned());
                let mut attributes: Attributes = [
                    ("coordinate_transformation_mode", text(coordinates)),
                    ("mode", text(mode)),
                    ("antialias", AttributeValue::Int(antialias)),
                    ("exclude_outside", AttributeValue::Int(exclude)),
                    ("extrapolation_value", AttributeValue::Float(7.5_f32.to_bits())),
                ]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
                if mode == "nearest" {
                    let words = ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"];
                    let word = words[random.below(4) as usize];
                    attributes.insert("nearest_mode".to_owned(), text(word));
                }
                let x = numbers(&mut random, &[4, 5]);
                // With a region the evaluator takes the length of the output for that of the scale.
                let is_cropped = coordinates == "tf_crop_and_resize";
                let roi = [0.125, -0.25, 0.75, 1.0_f64];
                let roi = Tensor::from_values(Float64, vec![4], roi.to_vec()).ok();
                let sizes = scales.map(|scale| (scale * 4.0) as i64 + 1);
                let sizes = Tensor::from_values(Int64, vec![2], sizes.to_vec()).ok();
                let scales = Tensor::from_values(Float32, vec![2], scales.to_vec()).ok();
                let inputs = match is_cropped {
                    true => vec![x, roi, None, sizes],
                    false => vec![x, None, scales, None],
                };
                checks.push(Check::new(resize, Float64, attributes, inputs));
            }
        }
    }
    checks
}

#[test]
fn tensors_are_resized_as_the_evaluator_has_them() {
    let Some(python) = support::python("onnx and numpy") else { return };
    let checks = checks();
    let count = compared(&python, &checks);
    eprintln!("Resize: {count} elements of {} calls", checks.len());
    assert!(count > 2_500, "{count}");
}
