//! LSTM: a layer of units, each of which has a cell that it forgets a share of and adds to.
//!
//! ```text
//! i = f(X Wi^T + H Ri^T + Pi (.) C + Wbi + Rbi)
//! f = f(X Wf^T + H Rf^T + Pf (.) C + Wbf + Rbf), or with input_forget 1 - i
//! c = g(X Wc^T + H Rc^T + Wbc + Rbc)
//! C = f (.) C + i (.) c
//! o = f(X Wo^T + H Ro^T + Po (.) C + Wbo + Rbo), with the new C
//! H = o (.) h(C)
//! ```
//!
//! The weights are in the order input, output, forget, cell; those of peepholes input, output, forget. `recurrent.rs`
//! has the steps and what may come out of them. `clip` bounds the argument of every activation function, that of h too.
//! SONNX wants every operand and attribute that may be left out, and of activation functions takes
//! two lists alone. Sources: ONNX's schemas of LSTM-1, 7, 14 and 22; SONNX's LSTM.

use values::dtype::DType;

use crate::exact::composed::Computed;
use crate::families::recurrent::network::{Moment, Recurrent, State};
use crate::families::recurrent::operands::{Form, Plan};
use crate::families::recurrent::{
    self, ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE, LAYOUT, OUTPUT_SEQUENCE, switch,
};
use crate::operator::{Attribute, Call, Document, Invalid, Operator, OperatorKind, Port, Version};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// LSTM in ONNX's default domain.
pub static LSTM: Operator = Operator {
    documents: &[
        Document { key: "sonnx-lstm", catalogue: include_str!("lstm/sonnx-lstm.toml") },
        Document { key: "onnx-lstm", catalogue: include_str!("lstm/onnx-lstm.toml") },
    ],
    cases: Some(|of| recurrent::cases(of, &LSTM, include_str!("lstm/cases.toml"))),
    ..Operator::onnx("LSTM", OperatorKind::Composed, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 4] = [
    const { Ports::new(IEEE_FLOATS) }.since(1, &ATTRIBUTES),
    const { Ports::new(IEEE_FLOATS) }.since(7, ATTRIBUTES.split_at(7).0),
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
        Version { since, inputs: &self.inputs, outputs: &self.outputs, attributes }
    }
}

const ATTRIBUTES: [Attribute; 8] = [
    ALPHA,
    BETA,
    ACTIVATIONS,
    CLIP,
    DIRECTION,
    HIDDEN_SIZE,
    switch("input_forget"),
    OUTPUT_SEQUENCE,
];
const ATTRIBUTES_14: [Attribute; 8] = {
    let mut all = ATTRIBUTES;
    all[7] = LAYOUT;
    all
};

static REFERENCE: Recurrent = Recurrent {
    form: Form { gates: 4, functions: &["Sigmoid", "Tanh", "Tanh"], has_cell: true },
    check: restrictions,
    step,
};

/// SONNX's restrictions.
fn restrictions(call: &Call, plan: &Plan) -> Result<(), Invalid> {
    if !call.specification.is_restricted() {
        return Ok(());
    }
    if let Some(at) = (0..8).find(|at| call.inputs.get(*at).is_none_or(Option::is_none)) {
        let name = call.version.input(at).map_or("", |port| port.name);
        return Err(call.invalid(&format!("of SONNX needs its input {name}")));
    }
    for name in ["input_forget", "layout"] {
        if !call.attributes.contains_key(name) {
            return Err(call.invalid(&format!("of SONNX needs `{name}`")));
        }
    }
    let names = call.texts("activations").unwrap_or_else(|| {
        let functions = plan.form.functions;
        functions.repeat(plan.directions.len())
    });
    let is_taken = |own: &[&str]| matches!(own, ["Sigmoid" | "Relu", "Tanh", "Tanh"]);
    match names.chunks(3).all(is_taken) {
        true => Ok(()),
        false => Err(call.invalid("of SONNX takes Sigmoid or Relu, Tanh and Tanh as activations")),
    }
}

/// The places of the gates in W, R and B, and those of the peepholes in P.
const INPUT: usize = 0;
const OUTPUT: usize = 1;
const FORGET: usize = 2;
const CELL: usize = 3;

fn step(moment: &Moment<'_>, state: &State) -> State {
    let by = &moment.by;
    let is_coupled = moment.call.int("input_forget").unwrap_or(0) != 0;
    let (mut hidden, mut cell) = (Vec::new(), Vec::new());
    for (unit, before) in state.cell.iter().enumerate() {
        let gate = |gate: usize, seen: &Computed| {
            let mut terms = moment.gate(gate, unit, &state.hidden);
            terms.extend(moment.peephole(gate, unit, seen));
            moment.activated(0, &by.sum(&terms))
        };
        let input = gate(INPUT, before);
        let new = moment.activated(1, &by.sum(&moment.gate(CELL, unit, &state.hidden)));
        let after = if is_coupled {
            moment.mixed(&input, &new, before)
        } else {
            by.sum(&[by.mul(&gate(FORGET, before), before), by.mul(&input, &new)])
        };
        let output = gate(OUTPUT, &after);
        hidden.push(by.mul(&output, &moment.activated(2, &after)));
        cell.push(after);
    }
    State { hidden, cell }
}

#[cfg(test)]
mod tests;
