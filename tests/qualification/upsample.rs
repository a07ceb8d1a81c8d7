//! Upsample computed wrongly: mostly as Resize is computed by other attributes.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Indexing, TypeHandling,
};
use onnx_conformance::dtype::DType::{Float32, Float64, Int64};
use onnx_conformance::kernels::{Attribute, Attributes, find};
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::Request;

const UPSAMPLE: &[&str] = &["Upsample"];

/// The scales of a request, in whichever way its version has them.
fn scales(request: &Request<'_>) -> Option<Vec<f32>> {
    let of = |name: &str| match request.attributes.get(name) {
        Some(Attribute::Float(scale)) => Some(*scale),
        _ => None,
    };
    match (request.operator.since_version(), request.attributes.get("scales")) {
        (1, _) => Some(vec![1.0, 1.0, of("height_scale")?, of("width_scale")?]),
        (_, Some(Attribute::Floats(scales))) => Some(scales.clone()),
        _ => {
            let list = request.operands.get(1)?;
            let number = |at| Some(f32::from_bits(list.element(at)? as u32));
            (0..list.elements()).map(number).collect()
        }
    }
}

/// Whether a request asks for means.
fn is_linear(request: &Request<'_>) -> bool {
    match request.attributes.get("mode") {
        Some(Attribute::Text(mode)) => mode.ends_with("linear"),
        _ => false,
    }
}

/// What Resize makes of a request that is not refused, by scales or the sizes that are made of each size and scale.
fn resized(
    request: &Request<'_>,
    right: Outcome,
    size: Option<fn(f32) -> f32>,
    texts: &[(&str, &str)],
) -> Outcome {
    let (Outcome::Outputs(_), Some(scales)) = (&right, scales(request)) else { return right };
    let mode = if is_linear(request) { "linear" } else { "nearest" };
    let text =
        |(name, text): &(&str, &str)| ((*name).to_owned(), Attribute::Text((*text).to_owned()));
    let asymmetric = ("coordinate_transformation_mode", "asymmetric");
    let given = [("mode", mode), asymmetric, ("nearest_mode", "floor")];
    let attributes: Attributes = given.iter().chain(texts).map(text).collect();
    let x = request.operands[0].clone();
    let count = vec![scales.len()];
    let (list, places) = match size {
        None => {
            let list = Tensor::from_values(Float32, count, scales).unwrap();
            (list, vec![Some(0), None, Some(1)])
        }
        Some(size) => {
            let sizes = x.shape().iter().zip(scales);
            let sizes = sizes.map(|(own, scale)| size(*own as f32 * scale) as i64).collect();
            let list = Tensor::from_values::<i64>(Int64, count, sizes).unwrap();
            (list, vec![Some(0), None, None, Some(1)])
        }
    };
    let operator = find("Resize", 13).unwrap();
    let operands = vec![x, list];
    Request { operator, attributes, operands, places, ..request.clone() }.computed()
}

/// The same of requests of nearest elements alone, or of means.
fn of_mode(
    request: &Request<'_>,
    right: Outcome,
    of_means: bool,
    texts: &[(&str, &str)],
) -> Outcome {
    match is_linear(request) == of_means {
        true => resized(request, right, None, texts),
        false => right,
    }
}

/// The request with other scales.
fn with_scales(request: &Request<'_>, scales: Vec<f32>) -> Outcome {
    let mut other = request.clone();
    match (request.operator.since_version(), scales.as_slice()) {
        (1, [_, _, height, width]) => {
            other.attributes.insert("height_scale".to_owned(), Attribute::Float(*height));
            other.attributes.insert("width_scale".to_owned(), Attribute::Float(*width));
        }
        (7, _) => {
            other.attributes.insert("scales".to_owned(), Attribute::Floats(scales));
        }
        _ => other.operands[1] = Tensor::from_values(Float32, vec![scales.len()], scales).unwrap(),
    }
    other.computed()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "upsample-nearest-behind",
        class: Indexing,
        says: "The element behind a coordinate is nearest.",
        operators: UPSAMPLE,
        types: &[Float32, Float64, Int64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            of_mode(request, right, false, &[("nearest_mode", "ceil")])
        }),
    },
    Defect {
        id: "upsample-nearest-rounded",
        class: Indexing,
        says: "Halfway between two elements and beyond it the one behind is nearest.",
        operators: UPSAMPLE,
        types: &[Float32, Float64, Int64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            of_mode(request, right, false, &[("nearest_mode", "round_prefer_ceil")])
        }),
    },
    Defect {
        id: "upsample-nearest-by-centres",
        class: Indexing,
        says: "The element whose centre is nearest to that of a place is taken.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let half_pixel = ("coordinate_transformation_mode", "half_pixel");
            of_mode(request, right, false, &[half_pixel, ("nearest_mode", "round_prefer_floor")])
        }),
    },
    Defect {
        id: "upsample-linear-by-centres",
        class: Arithmetic,
        says: "Means are taken around the centres of places.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            of_mode(request, right, true, &[("coordinate_transformation_mode", "half_pixel")])
        }),
    },
    Defect {
        id: "upsample-linear-by-corners",
        class: Arithmetic,
        says: "Means go from the first element to the last one.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            of_mode(request, right, true, &[("coordinate_transformation_mode", "align_corners")])
        }),
    },
    Defect {
        id: "upsample-always-nearest",
        class: Arithmetic,
        says: "The nearest element is taken, whatever is asked.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match (&right, is_linear(request)) {
            (Outcome::Outputs(_), true) => request.without("mode"),
            _ => right,
        }),
    },
    Defect {
        id: "upsample-length-rounded-up",
        class: Indexing,
        says: "A length that is no integer is rounded up.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| resized(request, right, Some(f32::ceil), &[])),
    },
    Defect {
        id: "upsample-scales-of-integers",
        class: Arithmetic,
        says: "Scales are cut off to integers.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match (&right, scales(request)) {
            (Outcome::Outputs(_), Some(scales)) => {
                with_scales(request, scales.into_iter().map(f32::trunc).collect())
            }
            _ => right,
        }),
    },
    Defect {
        id: "upsample-scales-turned",
        class: Indexing,
        says: "The scales of the last two dimensions are each other's.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match (&right, scales(request)) {
            (Outcome::Outputs(_), Some(mut scales)) if scales.len() > 1 => {
                let last = scales.len() - 1;
                scales.swap(last, last - 1);
                with_scales(request, scales)
            }
            _ => right,
        }),
    },
    Defect {
        id: "upsample-takes-smaller-scales",
        class: TypeHandling,
        says: "Scales below 1 are taken, and make the output smaller.",
        operators: UPSAMPLE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let is_small = |scales: &Vec<f32>| {
                scales.iter().any(|scale| *scale < 1.0) && scales.iter().all(|scale| *scale > 0.0)
            };
            match (&right, scales(request).filter(is_small)) {
                (Outcome::Refused(_), Some(_)) => {
                    let other = with_scales(request, vec![1.0; request.operands[0].shape().len()]);
                    resized(request, other, None, &[])
                }
                _ => right,
            }
        }),
    },
];
