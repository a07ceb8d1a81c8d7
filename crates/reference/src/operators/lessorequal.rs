//! LessOrEqual: whether the first of two numbers is less than or equal to the second, as `comparison` has it.
//!
//! Sources: ONNX's schemas of LessOrEqual-12 and 16; IEEE 754-2019, 5.11.

use crate::case_table;
use crate::families::comparison::{self, Comparison};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// LessOrEqual in ONNX's default domain.
pub static LESSOREQUAL: Operator = Operator {
    documents: &[Document {
        key: "onnx-lessorequal",
        catalogue: include_str!("lessorequal/onnx-lessorequal.toml"),
    }],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("lessorequal/cases.toml")];
        case_table::cases(of, &LESSOREQUAL, &tables, comparison::OWN)
    }),
    hard_inputs: Some(comparison::hard_inputs),
    ..Operator::onnx("LessOrEqual", OperatorKind::Exact, &comparison::OR_EQUAL_VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Comparison> = comparison::reference(|_, _| Comparison::LessOrEqual);
