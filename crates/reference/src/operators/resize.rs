//! Resize: every element of the output is an element of the input, or a weighted mean of some.
//!
//! Along each dimension the place of an element of the output is transformed (`coordinate`) to a coordinate of the
//! input, which is a rational number. With the mode `nearest` the element there is moved; with `linear` and `cubic`
//! the elements around it are weighted (`weights`), and the products summed up (`blend`) in any order.
//!
//! Implementations compute coordinates in float32 or float64. Where these choose another element than the exact
//! coordinate, either conforms; where they weight, the weights of all coordinates between them do. ONNX leaves more
//! than that open, and each reading conforms: `scale` is the number given or, as the text defines it, the quotient
//! of the lengths; the length of `align_corners` is that of the output or, as in ONNX's own cases, what the scale
//! makes of the input's; nothing says how an integer is made of a mean, so that both integers next to it conform.
//! Sources: ONNX's schemas of Resize-10, 11, 13, 18 and 19. Version 10 states no coordinates: those of any transformation that
//! version 11 has conform, and the pixel next to them on either side.

mod blend;
mod coordinate;
mod latest;
mod plan;
mod weights;

use std::rc::Rc;

use values::dtype::DType;
use values::element::Element;
use values::tensor::{Tensor, coordinates, row_major};

use self::blend::Blend;
use self::latest::{Latest, Places};
use self::plan::{Mode, Pixels, Plan};
use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation, distance_of};
use crate::families::reshaping::moved;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::real::Real;
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
        Ok(vec![Plan::of(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (Plan::of(call), call.input(0)) {
            (Ok(plan), Ok(data)) => match plan.mode {
                Mode::Nearest(_) => vec![Box::new(Nearest::new(data, plan))],
                Mode::Linear | Mode::Cubic(_) => {
                    let lists = call.inputs.iter().skip(1).flatten().collect();
                    vec![Box::new(Blend::new(data, lists, plan))]
                }
            },
            _ => Vec::new(),
        }
    }

    /// The regions and the scales, which may have the type of the data.
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at > 0
    }
}

/// What is allowed of elements that are moved.
struct Nearest<'a> {
    data: &'a Tensor,
    plan: Plan,
    /// By dimension and reading.
    pixels: Vec<Vec<Rc<Found>>>,
}

/// The elements of a dimension that may be the nearest, by place.
type Found = Places<usize, Option<Pixels>>;

thread_local! {
    static LATEST: Latest<Mode, usize, Option<Pixels>> = Latest::default();
}

/// The most elements of the input of which each may be the nearest.
const MOST_NEAREST: usize = 64;

impl<'a> Nearest<'a> {
    fn new(data: &'a Tensor, plan: Plan) -> Self {
        let pixels = LATEST.with(|latest| latest.of_all(&plan.mode, &plan.axes));
        Self { data, plan, pixels }
    }

    /// The elements of a dimension that may be the nearest of a place.
    fn pixels(&self, reading: usize, axis: usize, place: usize) -> Rc<Option<Pixels>> {
        match self.pixels.get(axis).and_then(|axis| axis.get(reading)) {
            Some(pixels) => pixels.at(place, |map| Pixels::of(map, place, self.plan.mode)),
            None => Rc::default(),
        }
    }

    /// What the element at an index may be by each reading.
    fn conforming(&self, index: usize) -> Conforming {
        let places = coordinates(index, &self.plan.output.shape);
        let mut all = Vec::new();
        for reading in 0..self.plan.readings {
            let mut sources: Vec<Vec<usize>> = vec![Vec::new()];
            for (axis, &place) in places.iter().enumerate() {
                let pixels = self.pixels(reading, axis, place);
                let Some(pixels) = pixels.as_ref() else { return self.plan.extrapolated() };
                let further = |source: &Vec<usize>| -> Vec<Vec<usize>> {
                    let each = pixels.inside.iter();
                    each.map(|pixel| [source.as_slice(), &[*pixel]].concat()).collect()
                };
                sources = sources.iter().flat_map(further).collect();
                if pixels.may_be_outside {
                    all.push(self.plan.extrapolated());
                }
                if sources.len() > MOST_NEAREST {
                    return Conforming::Unspecified("too many elements may be the nearest");
                }
            }
            let element = |source: &Vec<usize>| {
                Element::of(self.data, row_major(source, self.data.shape())?).map(Conforming::Same)
            };
            all.extend(sources.iter().filter_map(element));
        }
        Conforming::one_of(all).unwrap_or(Conforming::Unspecified("there is no such element"))
    }

    /// The element that is the example.
    fn element(&self, index: usize) -> Option<Element> {
        match self.conforming(index) {
            Conforming::Same(element) => Some(element),
            Conforming::One(bits) => Some(Element::Bits(self.data.dtype(), bits.into())),
            Conforming::OneOf(all) => all.into_iter().find_map(|one| match one {
                Conforming::Same(element) => Some(element),
                _ => None,
            }),
            _ => None,
        }
    }
}

impl Allowed for Nearest<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.conforming(index)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.element(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of(self.element(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.element(index).into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
