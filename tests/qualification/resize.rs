//! Resize computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing, Rounding};
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32,
    Int64, Uint8, Uint16, Uint32, Uint64,
};
use onnx_conformance::kernels::{Attribute, find};

use crate::defect::{Defect, Wrong};
use crate::request::Request;

const RESIZE: &[&str] = &["Resize"];

const EVERY: &[DType] = &[
    Bfloat16,
    Bool,
    Complex64,
    Complex128,
    Float16,
    Float32,
    Float64,
    Int8,
    Int16,
    Int32,
    Int64,
    DType::String,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
];

fn text(text: &str) -> Attribute {
    Attribute::Text(text.to_owned())
}

/// Whether an attribute is a text, which is the default where it is left out if that is said.
fn is(request: &Request<'_>, name: &str, value: &str, is_default: bool) -> bool {
    match request.attributes.get(name) {
        Some(given) => *given == text(value),
        None => is_default,
    }
}

/// The outcome with another value of an attribute, or none.
fn with(request: &Request<'_>, right: Outcome, name: &str, value: Option<Attribute>) -> Outcome {
    // The first version has none of them.
    if !matches!(right, Outcome::Outputs(_)) || request.operator.since_version() < 11 {
        return right;
    }
    request.with(name, value).computed()
}

const COORDINATES: &str = "coordinate_transformation_mode";

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "resize-halves-up",
        class: Rounding,
        says: "A coordinate in the middle of two elements always has the upper one.",
        operators: RESIZE,
        types: EVERY,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            match is(request, "nearest_mode", "round_prefer_floor", true) {
                true => with(request, right, "nearest_mode", Some(text("round_prefer_ceil"))),
                false => right,
            }
        }),
    },
    Defect {
        id: "resize-half-pixel-not-shifted-back",
        class: Indexing,
        says: "With half_pixel the half of a pixel is not taken off in the end.",
        operators: RESIZE,
        types: EVERY,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            if request.operator.since_version() < 19
                || !is(request, COORDINATES, "half_pixel", true)
            {
                return right;
            }
            let mut older = request.clone();
            older.operator = find("Resize", 18).unwrap();
            with(&older, right, COORDINATES, Some(text("tf_half_pixel_for_nn")))
        }),
    },
    Defect {
        id: "resize-asymmetric-is-half-pixel",
        class: Indexing,
        says: "With asymmetric coordinates are those of half_pixel.",
        operators: RESIZE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            match is(request, COORDINATES, "asymmetric", false) {
                true => with(request, right, COORDINATES, Some(text("half_pixel"))),
                false => right,
            }
        }),
    },
    Defect {
        id: "resize-symmetry-ignored",
        class: Indexing,
        says: "half_pixel_symmetric is half_pixel.",
        operators: RESIZE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            match is(request, COORDINATES, "half_pixel_symmetric", false) {
                true => with(request, right, COORDINATES, Some(text("half_pixel"))),
                false => right,
            }
        }),
    },
    Defect {
        id: "resize-single-corner-in-the-middle",
        class: Indexing,
        says: "With align_corners a single element is that in the middle.",
        operators: RESIZE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let Outcome::Outputs(outputs) = &right else { return right };
            let is_single = outputs[0].tensors()[0].shape() == [1];
            match is_single && is(request, COORDINATES, "align_corners", false) {
                true => with(request, right, COORDINATES, Some(text("half_pixel"))),
                false => right,
            }
        }),
    },
    Defect {
        id: "resize-other-cubic",
        class: Arithmetic,
        says: "The coefficient of the cubic is -0.5 where none is given.",
        operators: RESIZE,
        types: &[Bfloat16, Float16, Float32, Float64, Int8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            match request.attributes.contains_key("cubic_coeff_a") {
                true => right,
                false => with(request, right, "cubic_coeff_a", Some(Attribute::Float(-0.5))),
            }
        }),
    },
    Defect {
        id: "resize-smaller-is-larger",
        class: Indexing,
        says: "The policy not_smaller is that of not_larger.",
        operators: RESIZE,
        types: &[Float32, Int8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            match is(request, "keep_aspect_ratio_policy", "not_smaller", false) {
                true => with(request, right, "keep_aspect_ratio_policy", Some(text("not_larger"))),
                false => right,
            }
        }),
    },
    Defect {
        id: "resize-axes-sorted",
        class: Indexing,
        says: "Scales and sizes are those of the dimensions in their own order.",
        operators: RESIZE,
        types: &[Float32, Int8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match request.attributes.get("axes") {
            Some(Attribute::Ints(axes)) if axes.iter().all(|axis| *axis >= 0) => {
                let mut axes = axes.clone();
                axes.sort_unstable();
                with(request, right, "axes", Some(Attribute::Ints(axes)))
            }
            _ => right,
        }),
    },
];
