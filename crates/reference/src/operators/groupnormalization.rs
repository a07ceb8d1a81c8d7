//! GroupNormalization: elements by the mean and the variance of their instance's group of channels, then scaled and shifted.
//!
//! Scale and bias have an element for each group in version 18, and for each channel from version 21 on. Version 18 states one formula,
//! whose order of evaluation is free; version 21 has two stages as LayerNormalization has, the first one in the format that `stash_type` names
//! or in a wider one. The variance is that of the text or, as the schemas' functions have it, the mean of the squares less the
//! square of the mean: either conforms, and where the latter cancels out nothing is decided. Sources: ONNX's schemas and functions of
//! GroupNormalization-18 and 21.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;
use values::float::FloatFormat;

use super::instancenormalization::EPSILON;
use super::layernormalization::first_stage;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed};
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::{Lines, PerLine};
use crate::families::normalizing::{Normalization, Statistics};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// GroupNormalization in ONNX's default domain.
pub static GROUPNORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-groupnormalization",
        catalogue: include_str!("groupnormalization/onnx-groupnormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("groupnormalization/cases.toml")];
        case_table::cases(of, &GROUPNORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("GroupNormalization", OperatorKind::Composed, &VERSIONS, &Group)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];
const PORTS: Ports<3> = Ports::new(["X", "scale", "bias"], "Y", &TYPES);
const ATTRIBUTES: [Attribute; 3] = [
    Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
    Attribute::new("num_groups", AttributeType::Int).otherwise(Otherwise::Invalid),
    Attribute::new("stash_type", AttributeType::Int).otherwise(Otherwise::Int(1)),
];
const VERSIONS: [Version; 2] =
    [const { PORTS }.since(18, ATTRIBUTES.split_at(2).0), const { PORTS }.since(21, &ATTRIBUTES)];

struct Group;

/// How a call is grouped.
#[derive(Clone, Copy)]
struct Groups {
    /// The elements of each group of each instance.
    lines: Lines,
    groups: usize,
    channels: usize,
    /// Elements of a channel.
    size: usize,
    /// The format of the first stage, where there are two.
    stash: Option<&'static FloatFormat>,
}

impl Groups {
    fn of(call: &Call) -> Result<Self, Invalid> {
        let shape = call.input(0)?.shape();
        let &[_, channels, ref features @ ..] = shape else {
            return Err(call.invalid("takes an X with a dimension of channels"));
        };
        let groups = call.int("num_groups").and_then(|number| usize::try_from(number).ok());
        let groups = groups.filter(|groups| *groups > 0 && channels.is_multiple_of(*groups));
        let groups = groups
            .ok_or_else(|| call.invalid("takes a divisor of the channels for `num_groups`"))?;
        let is_staged = call.version.since >= 21;
        let stash = call.int("stash_type").unwrap_or(1);
        let dtype = i32::try_from(stash).ok().and_then(DType::from_onnx);
        let stash = match dtype.filter(|dtype| TYPES.contains(dtype)).and_then(format_of) {
            Some(format) => is_staged.then_some(format),
            None => return Err(call.invalid(&format!("takes no `stash_type` of {stash}"))),
        };
        let count = if is_staged { channels } else { groups };
        for at in [1, 2] {
            if call.input(at)?.shape() != [count] {
                let each = if is_staged { "channel" } else { "group" };
                return Err(call.invalid(&format!("takes one element per {each} of {shape:?}")));
            }
        }
        // Only a tensor without elements has sizes whose product is too large, and it is never read.
        let size = features.iter().fold(1_usize, |all, size| all.saturating_mul(*size));
        let lines = Lines::from(&[channels / groups, size], 0);
        Ok(Self { lines, groups, channels, size, stash })
    }

    /// The place of an element's scale and bias.
    fn place(&self, index: usize) -> usize {
        match self.stash {
            Some(_) => index / self.size.max(1) % self.channels.max(1),
            None => self.lines.of(index).0 % self.groups,
        }
    }
}

impl Reference for Group {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Groups::of(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(groups), Ok(x), Ok(scale), Ok(shift)) =
            (Groups::of(call), call.input(0), call.input(1), call.input(2))
        else {
            return Vec::new();
        };
        let Some(format) = format_of(x.dtype()) else { return Vec::new() };
        let epsilon = call.float("epsilon").unwrap_or(EPSILON);
        let lines = groups.lines;
        let count = x.elements().checked_div(lines.length).unwrap_or(0);
        let operands = move |index: usize| {
            let (line, place) = (lines.of(index).0, groups.place(index));
            let own = [(x, index), (scale, place), (shift, place)];
            let own = own.into_iter().filter_map(|(tensor, place)| Element::of(tensor, place));
            own.chain(lines.places(line).filter_map(|place| Element::of(x, place))).collect()
        };
        let own = move |index: usize, bits: u32| {
            let place = groups.place(index);
            [scale, shift].map(|tensor| value(tensor, place, bits))
        };
        match groups.stash {
            Some(stash) => {
                let known = PerLine::new(count, move |line, bits| {
                    first_stage(stash, x, &lines, line, epsilon, bits)
                });
                let compute = move |index: usize, bits: u32| {
                    let (first, second) =
                        (Arithmetic::of(stash, bits), Arithmetic::of(format, bits));
                    let x = first.converted(&value(x, index, bits));
                    let normal = known.of(lines.of(index).0, bits).normal(&first, &x);
                    let [scale, shift] = own(index, bits);
                    second.add(&second.mul(&second.converted(&normal), &scale), &shift)
                };
                vec![Box::new(Elements::new(format, compute, operands))]
            }
            None => {
                let known = PerLine::new(count, move |line, bits| {
                    let arithmetic = Arithmetic::of(format, bits);
                    let elements: Vec<Computed> = lines.values(x, line, bits);
                    let statistics = Statistics::of(&arithmetic, &elements);
                    let statistics = statistics.or_by_squares(&arithmetic, &elements);
                    let deviation = statistics.deviation(&arithmetic, &attribute(epsilon, bits));
                    let own = own(line * lines.length, bits);
                    Normalization::of(&arithmetic, statistics.mean, deviation, own)
                });
                let compute = move |index: usize, bits: u32| {
                    let line = known.of(lines.of(index).0, bits);
                    line.normalized(&Arithmetic::of(format, bits), &value(x, index, bits))
                };
                vec![Box::new(Elements::new(format, compute, operands))]
            }
        }
    }
}

#[cfg(test)]
mod tests;
