//! Attention: values weighted by the softmax of scaled, capped and masked products of queries and keys.
//!
//! `attention/plan.rs` has the operands of a call and which keys a query sees, `attention/row.rs` what is computed of a query. What may be
//! computed in another order than the pattern of the document states: the scale may multiply the products, and the values may be summed
//! before they are divided by the sum of the powers. Keys that are not seen have a weight of exactly 0.
//!
//! The text is that of onnx 1.23, which corrected versions 23 and 24 in place (pull request onnx/onnx#8068, under *Errata*): the causal
//! frontier follows `nonpad_kv_seqlen`, and a query that sees no key has zeros, where the function of onnx 1.22 gives NaN and the upper left
//! corner. Of a mask that is added the text of version 24 says both that it disables nothing and what a row without any key is, so that zeros and
//! NaN conform where -infinity is added to all keys. Of float64 the function takes the root of the scale in float32: either root conforms.
//! Sources: ONNX's schemas and functions of Attention-23, 24 and 25.

mod plan;
mod row;

use std::rc::Rc;

use values::dtype::DType::{self, Bool, Int64};
use values::element::Element;

use self::plan::Plan;
use self::row::{Row, Scale};
use crate::case_table::{self, Own};
use crate::families::computation::{Elements, format_of};
use crate::families::lines::PerLine;
use crate::families::picking::bounded;
use crate::families::readings::Readings;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::signature::{FLOATS, NUMERIC};

/// Attention in ONNX's default domain.
pub static ATTENTION: Operator = Operator {
    documents: &[Document {
        key: "onnx-attention",
        catalogue: include_str!("attention/onnx-attention.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("attention/cases.toml")];
        case_table::cases(of, &ATTENTION, &tables, Own::NONE)
    }),
    ..Operator::onnx("Attention", OperatorKind::Composed, &VERSIONS, &Attends)
};

/// Numbers and truth values.
const MASKS: [DType; 13] = {
    let mut all = [Bool; 13];
    let mut at = 0;
    while at < NUMERIC.len() {
        all[at] = NUMERIC[at];
        at += 1;
    }
    all
};

const INPUTS: [Port; 7] = [
    Port::new("Q", FLOATS, "T1"),
    Port::new("K", FLOATS, "T1"),
    Port::new("V", FLOATS, "T2"),
    Port::new("attn_mask", &MASKS, "U").optional(),
    Port::new("past_key", FLOATS, "T1").optional(),
    Port::new("past_value", FLOATS, "T2").optional(),
    Port::new("nonpad_kv_seqlen", &[Int64], "tensor(int64)").optional(),
];

const OUTPUTS: [Port; 4] = [
    Port::new("Y", FLOATS, "T1"),
    Port::new("present_key", FLOATS, "T1").optional(),
    Port::new("present_value", FLOATS, "T2").optional(),
    Port::new("qk_matmul_output", FLOATS, "T1").optional(),
];

const fn integer(name: &'static str, otherwise: i64) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(otherwise))
}

const ATTRIBUTES: [Attribute; 9] = [
    integer("is_causal", 0),
    Attribute::new("kv_num_heads", AttributeType::Int),
    Attribute::new("q_num_heads", AttributeType::Int),
    integer("qk_matmul_output_mode", 0),
    Attribute::new("scale", AttributeType::Float),
    Attribute::new("softcap", AttributeType::Float).otherwise(Otherwise::Float(0)),
    Attribute::new("softmax_precision", AttributeType::Int),
    integer("left_window_size", -1),
    integer("right_window_size", -1),
];

const VERSIONS: [Version; 3] = [
    Version {
        since: 23,
        inputs: INPUTS.split_at(6).0,
        outputs: &OUTPUTS,
        attributes: ATTRIBUTES.split_at(7).0,
    },
    Version { since: 24, inputs: &INPUTS, outputs: &OUTPUTS, attributes: ATTRIBUTES.split_at(7).0 },
    Version { since: 25, inputs: &INPUTS, outputs: &OUTPUTS, attributes: &ATTRIBUTES },
];

struct Attends;

impl Reference for Attends {
    /// ONNX's inference of version 25 refuses numbers of heads beside tensors of four dimensions, which have them; the text does not.
    fn is_disputed(&self, call: &Call) -> bool {
        let has_heads = call.int("q_num_heads").is_some() || call.int("kv_num_heads").is_some();
        let is_split = call.input(0).is_ok_and(|query| query.shape().len() == 4);
        call.version.since >= 25 && has_heads && is_split
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let plan = Plan::of(call)?;
        let [key, value] = [plan.k.dtype(), plan.v.dtype()];
        let [output, keys, values, scores] = plan.shapes();
        [(key, output), (key, keys), (value, values), (key, scores)]
            .into_iter()
            .map(|(dtype, shape)| bounded(call, dtype, shape))
            .collect()
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call).map(Rc::new) else { return Vec::new() };
        let Some(format) = format_of(plan.q.dtype()) else { return Vec::new() };
        let readings =
            if format.width() == 64 { &[Scale::Own, Scale::Single][..] } else { &[Scale::Own] };
        let rows = readings.iter().map(|&scale| {
            let own = Rc::clone(&plan);
            Rc::new(PerLine::new(plan.rows(), move |row, bits| Row::of(&own, scale, row, bits)))
        });
        let rows: Vec<_> = rows.collect();
        let computed = |is_output: bool| -> Box<dyn Allowed + 'a> {
            let by = |rows: &Rc<PerLine<Row, _>>| {
                let (rows, own, other) = (Rc::clone(rows), Rc::clone(&plan), Rc::clone(&plan));
                let compute = move |index: usize, bits: u32| {
                    let (row, place) = own.place(is_output, index);
                    let of = rows.of(row, bits);
                    if is_output { of.output(&own, row, place, bits) } else { of.score(place) }
                };
                let operands = move |index: usize| other.operands(is_output, index);
                Elements::new(format, compute, operands)
            };
            Box::new(Readings(rows.iter().map(by).collect()))
        };
        let present = |past: Option<&'a _>, new: &'a _, size: usize| -> Box<dyn Allowed + 'a> {
            let plan = Rc::clone(&plan);
            Box::new(Moved(move |index| {
                let (tensor, place) = plan.present(past, new, size, index);
                Element::of(tensor, place)
            }))
        };
        let all = (0..4).filter(|at| call.asks_for(*at));
        all.map(|at| match at {
            1 => present(plan.past.map(|past| past[0]), plan.k, plan.size),
            2 => present(plan.past.map(|past| past[1]), plan.v, plan.value_size),
            _ => computed(at == 0),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
