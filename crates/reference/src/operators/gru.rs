//! GRU: a layer of units, each of which keeps a share of its state, and sees what is reset of the states of all.
//!
//! ```text
//! z = f(X Wz^T + H Rz^T + Wbz + Rbz)
//! r = f(X Wr^T + H Rr^T + Wbr + Rbr)
//! h = g(X Wh^T + (r (.) H) Rh^T + Rbh + Wbh), or with linear_before_reset
//!     g(X Wh^T + r (.) (H Rh^T + Rbh) + Wbh)
//! H = (1 - z) (.) h + z (.) H
//! ```
//!
//! `recurrent.rs` has the steps and what may come out of them. The last line may be computed as `h + z (.) (H - h)` as well.
//! Sources: ONNX's schemas of GRU-1, 3, 7, 14 and 22.

use values::dtype::DType;

use crate::exact::composed::Computed;
use crate::families::recurrent::network::{Moment, Recurrent, State};
use crate::families::recurrent::operands::Form;
use crate::families::recurrent::{
    self, ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE, LAYOUT, OUTPUT_SEQUENCE, switch,
};
use crate::operator::{
    Attribute, AttributeType, Document, Operator, OperatorKind, Otherwise, Port, Presence, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// GRU in ONNX's default domain.
pub static GRU: Operator = Operator {
    documents: &[Document { key: "onnx-gru", catalogue: include_str!("gru/onnx-gru.toml") }],
    cases: Some(|of| recurrent::cases(of, &GRU, include_str!("gru/cases.toml"))),
    ..Operator::onnx("GRU", OperatorKind::Composed, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 5] = [
    const { Ports::new(IEEE_FLOATS, Presence::Required) }.since(1, &ATTRIBUTES_1),
    const { Ports::new(IEEE_FLOATS, Presence::Optional) }.since(3, &ATTRIBUTES_3),
    const { Ports::new(IEEE_FLOATS, Presence::Optional) }.since(7, ATTRIBUTES_3.split_at(7).0),
    const { Ports::new(IEEE_FLOATS, Presence::Optional) }.since(14, &ATTRIBUTES_14),
    const { Ports::new(FLOATS, Presence::Optional) }.since(22, &ATTRIBUTES_14),
];

/// The ports of a version.
struct Ports {
    inputs: [Port; 8],
    outputs: [Port; 3],
}

impl Ports {
    const fn new(types: &'static [DType], last: Presence) -> Self {
        let mut outputs = recurrent::outputs(types);
        outputs[1].presence = last;
        Self { inputs: recurrent::inputs(types), outputs }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        let (inputs, outputs) = (self.inputs.split_at(6).0, self.outputs.split_at(2).0);
        Version { since, inputs, outputs, attributes }
    }
}

const ATTRIBUTES_3: [Attribute; 8] = [
    ALPHA,
    BETA,
    ACTIVATIONS,
    CLIP,
    DIRECTION,
    HIDDEN_SIZE,
    switch("linear_before_reset"),
    OUTPUT_SEQUENCE,
];
/// The schema's default of `direction` is a word that is none of the directions, and is taken to mean forward.
const ATTRIBUTES_1: [Attribute; 7] = [
    ALPHA,
    BETA,
    ACTIVATIONS,
    CLIP,
    Attribute::new("direction", AttributeType::Text(&["forward", "reverse", "bidirectional"]))
        .otherwise(Otherwise::Text("foward")),
    HIDDEN_SIZE,
    OUTPUT_SEQUENCE,
];
const ATTRIBUTES_14: [Attribute; 8] = {
    let mut all = ATTRIBUTES_3;
    all[7] = LAYOUT;
    all
};

static REFERENCE: Recurrent = Recurrent {
    form: Form { gates: 3, functions: &["Sigmoid", "Tanh"], has_cell: false },
    check: |_, _| Ok(()),
    step,
};

fn step(moment: &Moment<'_>, state: &State) -> State {
    let (by, before) = (&moment.by, &state.hidden);
    let units = 0..moment.plan.hidden;
    let gate =
        |gate: usize, unit: usize| moment.activated(0, &by.sum(&moment.gate(gate, unit, before)));
    let reset: Vec<Computed> = units.clone().map(|unit| gate(1, unit)).collect();
    let is_linear = moment.call.int("linear_before_reset").unwrap_or(0) != 0;
    let kept: Vec<Computed> = reset.iter().zip(before).map(|(r, h)| by.mul(r, h)).collect();
    let hidden = |((unit, reset), before_own): ((usize, &Computed), &Computed)| {
        let mut terms = moment.inputs(2, unit);
        terms.extend(moment.bias(2, unit, false));
        if is_linear {
            let mut linear = moment.recurrent(2, unit, before);
            linear.extend(moment.bias(2, unit, true));
            terms.push(by.mul(reset, &by.sum(&linear)));
        } else {
            terms.extend(moment.recurrent(2, unit, &kept));
            terms.extend(moment.bias(2, unit, true));
        }
        let new = moment.activated(1, &by.sum(&terms));
        moment.mixed(&gate(0, unit), before_own, &new)
    };
    let all = units.zip(&reset).zip(before).map(hidden).collect();
    State { hidden: all, cell: Vec::new() }
}

#[cfg(test)]
mod tests;
