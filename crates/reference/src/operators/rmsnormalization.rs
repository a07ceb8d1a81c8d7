//! RMSNormalization: elements by the root of the mean of the squares of the last dimensions, then scaled.
//!
//! The first stage is computed in the format that `stash_type` names, or in a wider one, and rounded to the type of X. Scale may have
//! another type, which is that of Y: no sentence says in which of the two types the product is computed, so that either conforms.
//! Squares that overflow in the format of the first stage leave their line undecided, as the text states the steps one by one.
//! Source: ONNX's schema and function of RMSNormalization-23.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::instancenormalization::EPSILON;
use super::layernormalization::broadcast;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Divisor};
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::{Lines, PerLine};
use crate::families::reshaping::dimension;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};

/// RMSNormalization in ONNX's default domain.
pub static RMSNORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-rmsnormalization",
        catalogue: include_str!("rmsnormalization/onnx-rmsnormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("rmsnormalization/cases.toml")];
        case_table::cases(of, &RMSNORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("RMSNormalization", OperatorKind::Composed, &VERSIONS, &RootMeanSquare)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];

const VERSIONS: [Version; 1] = [Version {
    since: 23,
    inputs: &[Port::new("X", &TYPES, "T"), Port::new("scale", &TYPES, "V")],
    outputs: &[Port::new("Y", &TYPES, "V")],
    attributes: &[
        Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1)),
        Attribute::new("epsilon", AttributeType::Float).otherwise(Otherwise::Float(EPSILON)),
        Attribute::new("stash_type", AttributeType::Int).otherwise(Otherwise::Int(1)),
    ],
}];

struct RootMeanSquare;

/// The first dimension that is normalized, and the format that the first stage is computed in.
fn stage(call: &Call) -> Result<(usize, &'static FloatFormat), Invalid> {
    let rank = call.input(0)?.shape().len();
    let axis = dimension(call, 23, call.int("axis").unwrap_or(-1), rank)?;
    let stash = call.int("stash_type").unwrap_or(1);
    let dtype = i32::try_from(stash).ok().and_then(DType::from_onnx);
    match dtype.filter(|dtype| TYPES.contains(dtype)).and_then(format_of) {
        Some(format) => Ok((axis, format)),
        None => Err(call.invalid(&format!("takes no `stash_type` of {stash}"))),
    }
}

impl Reference for RootMeanSquare {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        stage(call)?;
        let (x, scale) = (call.input(0)?, call.input(1)?);
        broadcast(call, scale)?;
        Ok(vec![TensorType::new(scale.dtype(), x.shape().to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok((axis, stash)), Ok(x), Ok(scale)) = (stage(call), call.input(0), call.input(1))
        else {
            return Vec::new();
        };
        let (Some(own), Some(format), Ok(places)) =
            (format_of(x.dtype()), format_of(scale.dtype()), broadcast(call, scale))
        else {
            return Vec::new();
        };
        let lines = Lines::from(x.shape(), axis);
        let epsilon = call.float("epsilon").unwrap_or(EPSILON);
        let count = x.elements().checked_div(lines.length).unwrap_or(0);
        let known =
            PerLine::new(count, move |line, bits| root(stash, x, &lines, line, epsilon, bits));
        let at = {
            let places = places.clone();
            move |index: usize| places.source(1, index)
        };
        let compute = move |index: usize, bits: u32| {
            let first = Arithmetic::of(stash, bits);
            let root = known.of(lines.of(index).0, bits);
            let normal = first.quotient(&first.converted(&value(x, index, bits)), &root);
            let [own, last] = [own, format].map(|format| Arithmetic::of(format, bits));
            let normal = own.converted(&normal);
            let factor = value(scale, at(index), bits);
            let of_scale = last.mul(&last.converted(&normal), &factor);
            match x.dtype() == scale.dtype() {
                true => of_scale,
                false => of_scale.or(&last.converted(&own.mul(&normal, &own.converted(&factor)))),
            }
        };
        let operands = move |index: usize| {
            let own = [(x, index), (scale, places.source(1, index))];
            let own = own.into_iter().filter_map(|(tensor, place)| Element::of(tensor, place));
            let line = lines.places(lines.of(index).0);
            own.chain(line.filter_map(|place| Element::of(x, place))).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

/// The root of the mean of the squares of a line and of epsilon.
fn root(
    stash: &'static FloatFormat,
    x: &Tensor,
    lines: &Lines,
    line: usize,
    epsilon: u32,
    bits: u32,
) -> Divisor {
    let arithmetic = Arithmetic::of(stash, bits);
    let square = |element: &Computed| arithmetic.square(&arithmetic.converted(element));
    let squares: Vec<Computed> = lines.values(x, line, bits).iter().map(square).collect();
    let count = arithmetic.divisor(arithmetic.converted(&arithmetic.integer(squares.len() as i64)));
    let mean = arithmetic.quotient(&arithmetic.sum(&squares), &count);
    let epsilon = arithmetic.converted(&attribute(epsilon, bits));
    arithmetic.divisor(arithmetic.sqrt(&arithmetic.add(&mean, &epsilon)))
}

#[cfg(test)]
mod tests;
