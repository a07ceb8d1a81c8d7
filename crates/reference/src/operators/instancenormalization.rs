//! InstanceNormalization: each channel of each instance by its own mean and variance, then scaled and shifted.
//!
//! `normalizing.rs` has the orders of evaluation. Sources: ONNX's schemas of InstanceNormalization-1, 6 and 22, and the
//! paper that they refer to, by which the variance is that of the population.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::exact::composed::Arithmetic;
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::{Lines, PerLine};
use crate::families::normalizing::{Normalization, Statistics};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// InstanceNormalization in ONNX's default domain.
pub static INSTANCENORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-instancenormalization",
        catalogue: include_str!("instancenormalization/onnx-instancenormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("instancenormalization/cases.toml")];
        case_table::cases(of, &INSTANCENORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("InstanceNormalization", OperatorKind::Composed, &VERSIONS, &Instance)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];
const NAMES: [&str; 3] = ["input", "scale", "B"];

const VERSIONS: [Version; 3] = [
    const { Ports::new(NAMES, "output", TYPES.split_at(3).0) }.since(1, &FIRST),
    const { Ports::new(NAMES, "output", TYPES.split_at(3).0) }.since(6, FIRST.split_at(1).0),
    const { Ports::new(NAMES, "output", &TYPES) }.since(22, FIRST.split_at(1).0),
];

const FIRST: [Attribute; 2] = [
    Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
    Attribute::new("consumed_inputs", AttributeType::Ints),
];

/// 10^-5, rounded to float32.
pub(crate) const EPSILON: u32 = 0x3727_c5ac;

struct Instance;

impl Reference for Instance {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let input = call.input(0)?;
        let shape = input.shape();
        let is_image = shape.len() == 4;
        if shape.len() < 3 || call.version.since < 6 && !is_image {
            return Err(call.invalid(&format!("takes no input of {} dimensions", shape.len())));
        }
        for at in [1, 2] {
            if call.input(at)?.shape() != [shape[1]] {
                let problem = format!("takes one element per channel of {shape:?}");
                return Err(call.invalid(&problem));
            }
        }
        Ok(vec![TensorType::of(input)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(x), Ok(scale), Ok(shift)) = (call.input(0), call.input(1), call.input(2)) else {
            return Vec::new();
        };
        let Some(format) = format_of(x.dtype()) else { return Vec::new() };
        let epsilon = call.float("epsilon").unwrap_or(EPSILON);
        let channels = x.shape().get(1).copied().unwrap_or(1).max(1);
        let lines = Lines::from(x.shape(), 2);
        let known = PerLine::new(x.elements() / lines.length.max(1), move |line, bits| {
            let arithmetic = Arithmetic::of(format, bits);
            let statistics = Statistics::of(&arithmetic, &lines.values(x, line, bits));
            let deviation = statistics.deviation(&arithmetic, &attribute(epsilon, bits));
            let own = [scale, shift].map(|tensor| value(tensor, line % channels, bits));
            Normalization::of(&arithmetic, statistics.mean, deviation, own)
        });
        let compute = move |index: usize, bits: u32| {
            let line = known.of(lines.of(index).0, bits);
            line.normalized(&Arithmetic::of(format, bits), &value(x, index, bits))
        };
        let operands = move |index: usize| {
            let line = lines.of(index).0;
            let own = [(x, index), (scale, line % channels), (shift, line % channels)];
            let own = own.into_iter().filter_map(|(tensor, place)| Element::of(tensor, place));
            own.chain(lines.places(line).filter_map(|place| Element::of(x, place))).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
