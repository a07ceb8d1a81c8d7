//! RNN: a layer of units each of which sees the input and the state of all.
//!
//! `H = f(X W^T + H R^T + Wb + Rb)`; `recurrent.rs` has the steps and what may come out of them.
//! Source: ONNX's schemas of RNN-1, 7, 14 and 22.

use values::dtype::DType;

use crate::families::recurrent::network::{Moment, Recurrent, State};
use crate::families::recurrent::operands::Form;
use crate::families::recurrent::{
    self, ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE, LAYOUT, OUTPUT_SEQUENCE,
};
use crate::operator::{Attribute, Document, Operator, OperatorKind, Otherwise, Port, Version};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// RNN in ONNX's default domain.
pub static RNN: Operator = Operator {
    documents: &[Document { key: "onnx-rnn", catalogue: include_str!("rnn/onnx-rnn.toml") }],
    cases: Some(|of| recurrent::cases(of, &RNN, include_str!("rnn/cases.toml"))),
    ..Operator::onnx("RNN", OperatorKind::Composed, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 4] = [
    const { Ports::new(IEEE_FLOATS) }.since(1, ATTRIBUTES.split_at(7).0),
    const { Ports::new(IEEE_FLOATS) }.since(7, ATTRIBUTES.split_at(6).0),
    const { Ports::new(IEEE_FLOATS) }.since(14, &ATTRIBUTES_14),
    const { Ports::new(FLOATS) }.since(22, &ATTRIBUTES_14),
];

/// The ports of a version.
struct Ports {
    inputs: [Port; 8],
    outputs: [Port; 3],
}

impl Ports {
    const fn new(types: &'static [DType]) -> Self {
        Self { inputs: recurrent::inputs(types), outputs: recurrent::outputs(types) }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        let (inputs, outputs) = (self.inputs.split_at(6).0, self.outputs.split_at(2).0);
        Version { since, inputs, outputs, attributes }
    }
}

const ATTRIBUTES: [Attribute; 7] = [
    ALPHA,
    BETA,
    ACTIVATIONS.otherwise(Otherwise::Texts(&["Tanh", "Tanh"])),
    CLIP,
    DIRECTION,
    HIDDEN_SIZE,
    OUTPUT_SEQUENCE,
];
const ATTRIBUTES_14: [Attribute; 7] = {
    let mut all = ATTRIBUTES;
    all[6] = LAYOUT;
    all
};

static REFERENCE: Recurrent = Recurrent {
    form: Form { gates: 1, functions: &["Tanh"], has_cell: false },
    check: |_, _| Ok(()),
    step,
};

fn step(moment: &Moment<'_>, state: &State) -> State {
    let unit = |unit: usize| {
        let sum = moment.by.sum(&moment.gate(0, unit, &state.hidden));
        moment.activated(0, &sum)
    };
    State { hidden: (0..moment.plan.hidden).map(unit).collect(), cell: Vec::new() }
}

#[cfg(test)]
mod tests;
