//! DeformConv: a convolution whose weights meet the data at places that are moved by offsets, and are multiplied by a mask.
//!
//! `integer_products/convolution.rs` has the shapes, and where a weight is before its offset. The sum of both is a location, which the format
//! of the elements rounds, counted from the data's beginning or from that of their padding. Around it the elements are
//! weighted linearly along every dimension (`families/sampling`); outside of the data they are 0. Every product of weights, an element, its mask
//! and its weight, and their sum with the bias, is rounded in any order, which may add up elements before they are
//! multiplied by what all of them are multiplied by: with M products of F factors each, none of them 1, K = M - 1 + F - 1 roundings
//! make gamma(K) of it at most, and underflows what `docs/numerics.md` has.
//!
//! What the text leaves open: a location outside of the padded data gives zero, which near the border is the mean with zeros beyond,
//! as the libraries and ONNX's cases have it, or nothing at all, as the words do. Nothing is said of locations that are no numbers, nor
//! whether a zero is multiplied by weights that are none. Of a mask beside three spatial dimensions or more the text has two
//! shapes: nothing is decided there. The order in which the channels of offsets and masks are counted is that in which the
//! text multiplies their sizes. Sources: ONNX's schemas of DeformConv-19 and 22, and the papers that they refer to.

mod plan;
mod sum;

use std::rc::Rc;

use self::plan::{Plan, Reading};
use crate::case_table::{self, Own};
use crate::families::computation::Elements;
use crate::families::picked_or_open::Open;
use crate::families::readings::Readings;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};
use values::dtype::DType;

/// DeformConv in ONNX's default domain.
pub static DEFORMCONV: Operator = Operator {
    documents: &[Document {
        key: "onnx-deformconv",
        catalogue: include_str!("deformconv/onnx-deformconv.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &DEFORMCONV, &[include_str!("deformconv/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("DeformConv", OperatorKind::Composed, &VERSIONS, &DeformConv)
};

const VERSIONS: [Version; 2] =
    [const { Deformed::new(IEEE_FLOATS) }.since(19), const { Deformed::new(FLOATS) }.since(22)];

/// The ports of a version.
struct Deformed([Port; 5], [Port; 1]);

impl Deformed {
    const fn new(types: &'static [DType]) -> Self {
        Self(
            [
                Port::new("X", types, "T"),
                Port::new("W", types, "T"),
                Port::new("offset", types, "T"),
                Port::new("B", types, "T").optional(),
                Port::new("mask", types, "T").optional(),
            ],
            [Port::new("Y", types, "T")],
        )
    }

    const fn since(&'static self, since: i64) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes: &ATTRIBUTES }
    }
}

const ATTRIBUTES: [Attribute; 6] = {
    const fn groups(name: &'static str) -> Attribute {
        Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(1))
    }
    [
        Attribute::new("dilations", AttributeType::Ints),
        groups("group"),
        Attribute::new("kernel_shape", AttributeType::Ints),
        groups("offset_group"),
        Attribute::new("pads", AttributeType::Ints),
        Attribute::new("strides", AttributeType::Ints),
    ]
};

struct DeformConv;

impl Reference for DeformConv {
    /// The text has two shapes of a mask beside more than two spatial dimensions.
    fn is_disputed(&self, call: &Call) -> bool {
        Plan::of(call).is_ok_and(|plan| plan.open.is_some())
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![Plan::of(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        if let Some(why) = plan.open {
            return vec![Box::new(Open(why))];
        }
        let plan = Rc::new(plan);
        let readings: &[Reading] = match plan.is_beside() {
            true => &[Reading::Interpolated, Reading::Cut],
            false => &[Reading::Interpolated],
        };
        let readings = readings.iter().map(|&reading| {
            let (own, operands) = (Rc::clone(&plan), Rc::clone(&plan));
            let compute = move |index, bits| own.element(index, bits, reading);
            Elements::new(plan.format, compute, move |index| operands.operands(index))
        });
        vec![Box::new(Readings(readings.collect()))]
    }

    /// The offsets, which have the type of the data.
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 2
    }
}

#[cfg(test)]
mod tests;
