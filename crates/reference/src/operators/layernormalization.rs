//! LayerNormalization: elements by the mean and the variance of the last dimensions, then scaled and shifted.
//!
//! The first stage is computed in the format that `stash_type` names, or in a wider one, and rounded to the type of X; the second
//! stage in that type, or a wider one. Values of a wider type may be converted to the stage's. The text's equations have the variance
//! as the mean of squared differences, the schema's function as the mean of the squares less the square of the mean: either conforms, and
//! where the latter cancels out nothing is decided. Source: ONNX's schema and function of LayerNormalization-17.

use std::rc::Rc;

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;
use values::tensor::Tensor;

use super::instancenormalization::EPSILON;
use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Divisor};
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::{Lines, PerLine};
use crate::families::normalizing::Statistics;
use crate::families::reshaping::dimension;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use values::float::FloatFormat;

/// LayerNormalization in ONNX's default domain.
pub static LAYERNORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-layernormalization",
        catalogue: include_str!("layernormalization/onnx-layernormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("layernormalization/cases.toml")];
        case_table::cases(of, &LAYERNORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("LayerNormalization", OperatorKind::Composed, &VERSIONS, &Layer)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];
const STASHES: [DType; 2] = [Float32, Bfloat16];

const VERSIONS: [Version; 1] = [Version {
    since: 17,
    inputs: &[
        Port::new("X", &TYPES, "T"),
        Port::new("Scale", &TYPES, "T"),
        Port::new("B", &TYPES, "T").optional(),
    ],
    outputs: &[
        Port::new("Y", &TYPES, "T"),
        Port::new("Mean", &STASHES, "U").optional(),
        Port::new("InvStdDev", &STASHES, "U").optional(),
    ],
    attributes: &[
        Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1)),
        Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
        Attribute::new("stash_type", AttributeType::Int).otherwise(Otherwise::Int(1)),
    ],
}];

struct Layer;

/// The first dimension that is normalized, and the type that the first stage is computed in.
pub(crate) fn stage(call: &Call) -> Result<(usize, DType), Invalid> {
    let rank = call.input(0)?.shape().len();
    let axis = dimension(call, 17, call.int("axis").unwrap_or(-1), rank)?;
    let stash = call.int("stash_type").unwrap_or(1);
    let dtype = i32::try_from(stash).ok().and_then(DType::from_onnx);
    match dtype.filter(|dtype| STASHES.contains(dtype)) {
        Some(dtype) => Ok((axis, dtype)),
        None => Err(call.invalid(&format!("takes no `stash_type` of {stash}"))),
    }
}

/// Where the elements of an input are found that is broadcast to X.
pub(crate) fn broadcast(call: &Call, of: &Tensor) -> Result<Broadcast, Invalid> {
    let shape = call.input(0)?.shape();
    let broadcast = Broadcast::multidirectional(&[shape, of.shape()])?;
    if broadcast.shape() != shape {
        let problem = format!("cannot broadcast {:?} to {shape:?}", of.shape());
        return Err(call.invalid(&problem));
    }
    Ok(broadcast)
}

/// What the first stage makes of a line.
pub(super) struct Line {
    mean: Computed,
    deviation: Divisor,
}

impl Line {
    /// What it makes of one of its elements.
    pub(super) fn normal(&self, arithmetic: &Arithmetic, x: &Computed) -> Computed {
        arithmetic.quotient(&arithmetic.sub(x, &self.mean), &self.deviation)
    }
}

impl Reference for Layer {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let (axis, stash) = stage(call)?;
        let x = call.input(0)?;
        for input in call.inputs.iter().skip(1).flatten() {
            broadcast(call, input)?;
        }
        let reduced = |(at, &size): (usize, &usize)| if at < axis { size } else { 1 };
        let kept: Vec<usize> = x.shape().iter().enumerate().map(reduced).collect();
        let saved = TensorType::new(stash, kept)?;
        Ok(vec![TensorType::of(x), saved.clone(), saved])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok((axis, stash)), Ok(x), Ok(scale)) = (stage(call), call.input(0), call.input(1))
        else {
            return Vec::new();
        };
        let shift = call.inputs.get(2).and_then(Option::as_ref);
        let (Some(format), Some(stash)) = (format_of(x.dtype()), format_of(stash)) else {
            return Vec::new();
        };
        let of = |tensor: &'a Tensor| Some((tensor, broadcast(call, tensor).ok()?));
        let (Some(scale), shift) = (of(scale), shift.and_then(of)) else { return Vec::new() };
        let lines = Lines::from(x.shape(), axis);
        let epsilon = call.float("epsilon").unwrap_or(EPSILON);
        let line = move |line: usize, bits: u32| first_stage(stash, x, &lines, line, epsilon, bits);
        let count = x.elements().checked_div(lines.length).unwrap_or(0);
        let known = Rc::new(PerLine::new(count, line));
        let of_all = Rc::clone(&known);
        let compute = move |index: usize, bits: u32| {
            let line = of_all.of(lines.of(index).0, bits);
            let (first, second) = (Arithmetic::of(stash, bits), Arithmetic::of(format, bits));
            let x = first.converted(&value(x, index, bits));
            let normal = line.normal(&first, &x);
            let normal = second.converted(&normal);
            let factor = value(scale.0, scale.1.source(1, index), bits);
            let scaled = second.mul(&normal, &factor);
            match &shift {
                Some((shift, places)) => {
                    second.add(&scaled, &value(shift, places.source(1, index), bits))
                }
                None => scaled,
            }
        };
        let elements = move |index: usize| {
            let inputs = call.inputs.iter().flatten();
            let own = inputs.filter_map(move |input| {
                Element::of(input, broadcast(call, input).ok()?.source(1, index))
            });
            own.chain(operands(x, &lines, lines.of(index).0)).collect()
        };
        let of_means = Rc::clone(&known);
        let mean = move |at: usize, bits: u32| of_means.of(at, bits).mean.clone();
        let inverse = move |at: usize, bits: u32| known.of(at, bits).deviation.reciprocal().clone();
        let of_line = move |at: usize| operands(x, &lines, at);
        let all: [Box<dyn Allowed + 'a>; 3] = [
            Box::new(Elements::new(format, compute, elements)),
            Box::new(Elements::new(stash, mean, of_line)),
            Box::new(Elements::new(stash, inverse, of_line)),
        ];
        all.into_iter().take(outputs.len()).collect()
    }
}

/// The elements of a line.
fn operands(x: &Tensor, lines: &Lines, line: usize) -> Vec<Element> {
    lines.places(line).filter_map(|place| Element::of(x, place)).collect()
}

/// The mean of a line, and the square root of its variance and epsilon.
pub(super) fn first_stage(
    stash: &'static FloatFormat,
    x: &Tensor,
    lines: &Lines,
    line: usize,
    epsilon: u32,
    bits: u32,
) -> Line {
    let arithmetic = Arithmetic::of(stash, bits);
    let elements: Vec<Computed> =
        lines.values(x, line, bits).iter().map(|element| arithmetic.converted(element)).collect();
    let statistics = Statistics::of(&arithmetic, &elements);
    let statistics = match elements.is_empty() {
        true => statistics,
        false => statistics.or_by_squares(&arithmetic, &elements),
    };
    let deviation = statistics.deviation(&arithmetic, &attribute(epsilon, bits));
    Line { mean: statistics.mean, deviation }
}

#[cfg(test)]
mod tests;
