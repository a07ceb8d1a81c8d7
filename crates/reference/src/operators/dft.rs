//! DFT: the discrete Fourier transform along one dimension, forward and inverse, of all values or of one half of them.
//!
//! `families/fourier.rs` has the sums and what may come of them, `dft/plan.rs` the operands of a call.
//!
//! Of a one-sided spectrum the values that are not given follow from the conjugate symmetry, by which the first one is real, and of an even length the
//! middle one. Where such a value has an imaginary part no sentence says what comes of it, and all elements that are computed from it are open.
//! Source: ONNX's schemas of DFT-17 and 20, after the text of onnx 1.22.

mod plan;

use std::rc::Rc;

use values::dtype::DType::{self, Int64};

use self::plan::Plan;
use crate::case_table::{self, Own};
use crate::exact::composed::BITS;
use crate::families::computation::{Elements, format_of};
use crate::families::fourier::Transform;
use crate::families::lines::PerLine;
use crate::families::picking::{INDICES, bounded};
use crate::families::summing::elements_at;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::FLOATS;

/// DFT in ONNX's default domain.
pub static DFT: Operator = Operator {
    documents: &[Document { key: "onnx-dft", catalogue: include_str!("dft/onnx-dft.toml") }],
    cases: Some(|of| {
        let tables = [include_str!("dft/cases.toml")];
        case_table::cases(of, &DFT, &tables, Own::NONE)
    }),
    ..Operator::onnx("DFT", OperatorKind::Composed, &VERSIONS, &Fourier)
};

const INPUT: Port = Port::new("input", FLOATS, "T1");
const LENGTH: Port = Port::new("dft_length", INDICES, "T2").optional();
const OUTPUT: &[Port] = &[Port::new("output", FLOATS, "T1")];
const AXIS: &[DType] = &[Int64];

const fn flag(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(0))
}

const VERSIONS: [Version; 2] = [
    Version {
        since: 17,
        inputs: &[INPUT, LENGTH],
        outputs: OUTPUT,
        attributes: &[
            Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(1)),
            flag("inverse"),
            flag("onesided"),
        ],
    },
    Version {
        since: 20,
        inputs: &[INPUT, LENGTH, Port::new("axis", AXIS, "tensor(int64)").optional()],
        outputs: OUTPUT,
        attributes: &[flag("inverse"), flag("onesided")],
    },
];

struct Fourier;

impl Reference for Fourier {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let plan = Plan::of(call)?;
        Ok(vec![bounded(call, plan.input.dtype(), plan.shape())?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call).map(Rc::new) else { return Vec::new() };
        let Some(format) = format_of(plan.input.dtype()) else { return Vec::new() };
        let transform = Transform::new(plan.length, plan.is_inverse, format);
        let (own, other) = (Rc::clone(&plan), Rc::clone(&plan));
        let signals = PerLine::new(plan.count(), move |line, _| own.signal(line));
        let compute = move |index: usize, bits: u32| {
            let (line, at, part) = plan.place(index);
            transform.computed(&signals.of(line, BITS), at, part == 1, bits)
        };
        let operands = move |index: usize| {
            let (line, ..) = other.place(index);
            elements_at(other.input, other.places(line).flatten())
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
