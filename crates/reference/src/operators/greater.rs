//! Greater: whether the first of two numbers is greater than the second, as `comparison` has it.
//!
//! Sources: ONNX's schemas of Greater-1, 7, 9 and 13; IEEE 754-2019, 5.11.

use crate::case_table;
use crate::families::comparison::{self, Comparison};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Greater in ONNX's default domain.
pub static GREATER: Operator = Operator {
    documents: &[Document {
        key: "onnx-greater",
        catalogue: include_str!("greater/onnx-greater.toml"),
    }],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("greater/cases.toml")];
        case_table::cases(of, &GREATER, &tables, comparison::OWN)
    }),
    hard_inputs: Some(comparison::hard_inputs),
    ..Operator::onnx("Greater", OperatorKind::Exact, &comparison::ORDER_VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Comparison> = comparison::reference(|_, _| Comparison::Greater);
