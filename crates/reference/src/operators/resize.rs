//! Resize: every element of the output is an element of the input, or a weighted mean of some.
//!
//! Along each dimension the place of an element of the output is transformed to a coordinate of the
//! input, which is a rational number. With the mode `nearest` the element there is moved; with `linear` and `cubic`
//! the elements around it are weighted, and the products summed up in any order: `families/resizing.rs` has all of this, and `plan` what
//! a call asks for.
//!
//! Implementations compute coordinates in float32 or float64. Where these choose another element than the exact
//! coordinate, either conforms; where they weight, the weights of all coordinates between them do. ONNX leaves more
//! than that open, and each reading conforms: `scale` is the number given or, as the text defines it, the quotient
//! of the lengths; the length of `align_corners` is that of the output or, as in ONNX's own cases, what the scale
//! makes of the input's; nothing says how an integer is made of a mean, so that both integers next to it conform.
//! Sources: ONNX's schemas of Resize-10, 11, 13, 18 and 19. Version 10 states no coordinates: those of any transformation that
//! version 11 has conform, and the pixel next to them on either side.

mod plan;

use values::dtype::DType;

use self::plan::plan;
use crate::case_table::{self, Own};
use crate::families::reshaping::moved;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::IEEE_FLOATS;

/// Resize in ONNX's default domain.
pub static RESIZE: Operator = Operator {
    documents: &[Document {
        key: "onnx-resize",
        catalogue: include_str!("resize/onnx-resize.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &RESIZE, &[include_str!("resize/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Resize", OperatorKind::Composed, &VERSIONS, &Resize)
};

const VERSIONS: [Version; 5] = [
    Version {
        since: 10,
        inputs: &[Port::new("X", moved(15), "T"), Port::new("scales", &[DType::Float32], "S")],
        outputs: &[Port::new("Y", moved(15), "T")],
        attributes: &[Attribute::new("mode", AttributeType::Text(MODES.split_at(2).0))
            .otherwise(Otherwise::Text("nearest"))],
    },
    const { Resized::new(15, [false, false]) }.since(11, ATTRIBUTES.split_at(3).1),
    const { Resized::new(16, [true, true]) }.since(13, ATTRIBUTES.split_at(3).1),
    const { Resized::new(16, [true, true]) }.since(18, &ATTRIBUTES),
    const { Resized::new(16, [true, true]) }.since(19, &ATTRIBUTES_19),
];

/// The ports of a version since the regions came.
struct Resized {
    inputs: [Port; 4],
    output: [Port; 1],
}

impl Resized {
    /// The version that takes the first so many types, and regions and scales that may be left out or not.
    const fn new(types: usize, [free_roi, free_scales]: [bool; 2]) -> Self {
        let roi = Port::new("roi", IEEE_FLOATS, "T2");
        let scales = Port::new("scales", &[DType::Float32], "S");
        Self {
            inputs: [
                Port::new("X", moved(types), "T1"),
                if free_roi { roi.optional() } else { roi },
                if free_scales { scales.optional() } else { scales },
                Port::new("sizes", &[DType::Int64], "I").optional(),
            ],
            output: [Port::new("Y", moved(types), "T1")],
        }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

const MODES: &[&str] = &["nearest", "linear", "cubic"];
const TRANSFORMATIONS: &[&str] = &[
    "half_pixel",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
    "half_pixel_symmetric",
];
/// Those before version 19.
const TRANSFORMATIONS_11: &[&str] = &[
    "half_pixel",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
];
const NEAREST: &[&str] = &["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"];
const POLICIES: &[&str] = &["stretch", "not_larger", "not_smaller"];

const fn text(name: &'static str, choices: &'static [&'static str]) -> Attribute {
    Attribute::new(name, AttributeType::Text(choices)).otherwise(Otherwise::Text(choices[0]))
}

const fn int(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(0))
}

const ATTRIBUTES: [Attribute; 9] = [
    Attribute::new("axes", AttributeType::Ints),
    int("antialias"),
    text("keep_aspect_ratio_policy", POLICIES),
    int("exclude_outside"),
    Attribute::new("extrapolation_value", AttributeType::Float).otherwise(Otherwise::Float(0)),
    text("nearest_mode", NEAREST),
    Attribute::new("cubic_coeff_a", AttributeType::Float)
        .otherwise(Otherwise::Float((-0.75_f32).to_bits())),
    text("mode", MODES),
    text("coordinate_transformation_mode", TRANSFORMATIONS_11),
];
const ATTRIBUTES_19: [Attribute; 9] = {
    let mut all = ATTRIBUTES;
    all[8] = text("coordinate_transformation_mode", TRANSFORMATIONS);
    all
};

struct Resize;

impl Reference for Resize {
    /// The document calls the policy not applicable where scales are given, and ONNX's function refuses it there.
    fn is_disputed(&self, call: &Call) -> bool {
        let is_scaled = call.inputs.get(2).is_some_and(Option::is_some);
        is_scaled && !matches!(call.text("keep_aspect_ratio_policy"), None | Some("stretch"))
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![plan(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (plan(call), call.input(0)) {
            (Ok(plan), Ok(data)) => {
                vec![plan.allowed(data, call.inputs.iter().skip(1).flatten().collect())]
            }
            _ => Vec::new(),
        }
    }

    /// The regions and the scales, which may have the type of the data.
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at > 0
    }
}

#[cfg(test)]
mod tests;
