//! LpNormalization: elements divided by the norm of their line.
//!
//! The norm is the sum of the magnitudes or the root of the sum of the squares, in any order; a line of zeros gives zeros,
//! whose sign the document leaves open. A norm whose squares may all underflow, or overflow, leaves the elements open.
//! Source: ONNX's schemas of LpNormalization-1 and 22.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::families::computation::{Elements, format_of};
use crate::families::lines::{Lines, PerLine};
use crate::families::reduce_function;
use crate::families::reshaping::dimension;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// LpNormalization in ONNX's default domain.
pub static LPNORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-lpnormalization",
        catalogue: include_str!("lpnormalization/onnx-lpnormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("lpnormalization/cases.toml")];
        case_table::cases(of, &LPNORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("LpNormalization", OperatorKind::Composed, &VERSIONS, &LpNormalization)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", TYPES.split_at(3).0) }.since(1, &ATTRIBUTES),
    const { Ports::new(["input"], "output", &TYPES) }.since(22, &ATTRIBUTES),
];

const ATTRIBUTES: [Attribute; 2] = [
    Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1)),
    Attribute::new("p", AttributeType::Int).otherwise(Otherwise::Int(2)),
];

struct LpNormalization;

/// The lines of a call's input, and whether the norm is that of the squares.
fn lines(call: &Call) -> Result<(Lines, bool), Invalid> {
    let shape = call.input(0)?.shape();
    let axis = dimension(call, 1, call.int("axis").unwrap_or(-1), shape.len())?;
    match call.int("p").unwrap_or(2) {
        1 => Ok((Lines::along(shape, axis), false)),
        2 => Ok((Lines::along(shape, axis), true)),
        other => Err(call.invalid(&format!("takes no norm of order {other}"))),
    }
}

/// The norm of a line.
fn norm(arithmetic: &Arithmetic, elements: &[Computed], has_squares: bool) -> Computed {
    if has_squares {
        return reduce_function::norm(arithmetic, elements);
    }
    let magnitudes: Vec<Computed> = elements.iter().map(Computed::magnitude).collect();
    arithmetic.sum(&magnitudes)
}

impl Reference for LpNormalization {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        lines(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok((lines, has_squares)), Ok(input)) = (lines(call), call.input(0)) else {
            return Vec::new();
        };
        let Some(format) = format_of(input.dtype()) else { return Vec::new() };
        let count = input.elements() / lines.length.max(1);
        let norms = PerLine::new(count, move |line, bits| {
            let arithmetic = Arithmetic::of(format, bits);
            arithmetic.divisor(norm(&arithmetic, &lines.values(input, line, bits), has_squares))
        });
        let compute = move |index: usize, bits: u32| {
            let norm = norms.of(lines.of(index).0, bits);
            if norm.value().exact_number().is_some_and(Interval::is_zero) {
                return Computed::zero(bits);
            }
            let element = crate::families::computation::value(input, index, bits);
            Arithmetic::of(format, bits).quotient(&element, &norm)
        };
        let operands = move |index: usize| {
            let places = std::iter::once(index).chain(lines.places(lines.of(index).0));
            places.filter_map(|place| Element::of(input, place)).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
