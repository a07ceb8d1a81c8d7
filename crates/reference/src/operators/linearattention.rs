//! LinearAttention: a state for each head of keys, which each token decays and writes to, and which the queries of the token read.
//!
//! `linearattention/plan.rs` has the operands of a call, `linearattention/head.rs` what is computed of a head.
//!
//! The schema states the recurrence token by token, and that chunks of tokens may be computed at once. What conforms is whatever sums and products of
//! the recurrence's terms give in any order, token by token or by chunks, whose roundings and magnitudes are counted term by term. Infinities and NaN are
//! those of the recurrence where it gives a number; where it gives none, any of them conforms if an infinity goes in, as other orders multiply it by other
//! zeros. Overflow conforms only where the recurrence itself may overflow.
//!
//! No sentence says in which type a step is rounded where the state's differs from that of the tokens: either conforms, or a wider one, which the function
//! has. None says of what type present_state is without past_state: it is that of query, as the function and ONNX's inference have it. ONNX's inference
//! refuses a decay or a beta that the update rule does not use; the text does not.
//! Source: ONNX's schema and function of LinearAttention-27.

mod head;
mod plan;

use std::rc::Rc;

use self::head::Head;
use self::plan::Plan;
use crate::case_table::{self, Own};
use crate::families::computation::{Elements, format_of};
use crate::families::lines::PerLine;
use crate::families::picking::bounded;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::operators::causalconvwithstate::SHORT_FLOATS;

/// LinearAttention in ONNX's default domain.
pub static LINEARATTENTION: Operator = Operator {
    documents: &[Document {
        key: "onnx-linearattention",
        catalogue: include_str!("linearattention/onnx-linearattention.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("linearattention/cases.toml")];
        case_table::cases(of, &LINEARATTENTION, &tables, Own::NONE)
    }),
    ..Operator::onnx("LinearAttention", OperatorKind::Composed, &VERSIONS, &Recurrence)
};

const fn port(name: &'static str, variable: &'static str) -> Port {
    Port::new(name, SHORT_FLOATS, variable)
}

const VERSIONS: [Version; 1] = [Version {
    since: 27,
    inputs: &[
        port("query", "T"),
        port("key", "T"),
        port("value", "T"),
        port("past_state", "S").optional(),
        port("decay", "T").optional(),
        port("beta", "T").optional(),
    ],
    outputs: &[port("output", "T"), port("present_state", "S")],
    attributes: &[
        Attribute::new("chunk_size", AttributeType::Int).otherwise(Otherwise::Int(64)),
        Attribute::new("kv_num_heads", AttributeType::Int).otherwise(Otherwise::Invalid),
        Attribute::new("q_num_heads", AttributeType::Int).otherwise(Otherwise::Invalid),
        Attribute::new("scale", AttributeType::Float).otherwise(Otherwise::Float(0)),
        Attribute::new(
            "update_rule",
            AttributeType::Text(&["linear", "gated", "delta", "gated_delta"]),
        )
        .otherwise(Otherwise::Text("gated_delta")),
    ],
}];

struct Recurrence;

impl Reference for Recurrence {
    fn is_disputed(&self, call: &Call) -> bool {
        let is_given = |at: usize| call.inputs.get(at).is_some_and(Option::is_some);
        Plan::of(call).is_ok_and(|plan| {
            is_given(plan::DECAY) && plan.decay.is_none()
                || is_given(plan::BETA) && plan.beta.is_none()
        })
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let plan = Plan::of(call)?;
        let [output, state] = plan.shapes();
        Ok(vec![
            bounded(call, plan.query.dtype(), output)?,
            bounded(call, plan.state_type(), state)?,
        ])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call).map(Rc::new) else { return Vec::new() };
        let own = Rc::clone(&plan);
        let heads = PerLine::new(plan.lines(), move |line, bits| Head::of(&own, line, bits));
        let heads = Rc::new(heads);
        let types = [plan.query.dtype(), plan.state_type()];
        let mut all: Vec<Box<dyn Allowed + 'a>> = Vec::new();
        for at in (0..2).filter(|at| call.asks_for(*at)) {
            let Some(format) = format_of(types[at]) else { return Vec::new() };
            let (heads, own, other) = (Rc::clone(&heads), Rc::clone(&plan), Rc::clone(&plan));
            let compute = move |index: usize, bits: u32| {
                let place = own.place(at == 0, index);
                heads.of(place.line, bits).value(at == 0, own.within(at == 0, &place))
            };
            let operands = move |index: usize| other.operands(&other.place(at == 0, index));
            all.push(Box::new(Elements::new(format, compute, operands)));
        }
        all
    }
}

#[cfg(test)]
mod tests;
