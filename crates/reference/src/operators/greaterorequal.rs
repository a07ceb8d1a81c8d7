//! GreaterOrEqual: whether the first of two numbers is greater than or equal to the second, as `comparison` has it.
//!
//! Sources: ONNX's schemas of GreaterOrEqual-12 and 16; IEEE 754-2019, 5.11.

use crate::case_table;
use crate::families::comparison::{self, Comparison};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// GreaterOrEqual in ONNX's default domain.
pub static GREATEROREQUAL: Operator = Operator {
    documents: &[Document {
        key: "onnx-greaterorequal",
        catalogue: include_str!("greaterorequal/onnx-greaterorequal.toml"),
    }],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("greaterorequal/cases.toml")];
        case_table::cases(of, &GREATEROREQUAL, &tables, comparison::OWN)
    }),
    hard_inputs: Some(comparison::hard_inputs),
    ..Operator::onnx(
        "GreaterOrEqual",
        OperatorKind::Exact,
        &comparison::OR_EQUAL_VERSIONS,
        &REFERENCE,
    )
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Comparison> = comparison::reference(|_, _| Comparison::GreaterOrEqual);
