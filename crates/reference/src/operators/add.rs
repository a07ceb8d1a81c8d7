//! Add: the sum of two elements.
//!
//! Floats are added as IEEE 754 has it, integers modulo 2^n. Sources: ONNX's schemas of Add-1, 6, 7, 13 and
//! 14; SONNX's Add; IEEE 754-2019, 5.4.1 (addition), 6.1 to 6.3.

use crate::case_table;
use crate::families::binary;
use crate::families::sum::{self, Addition, boundaries::Sums, fast_check::FastSums};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Add in ONNX's default domain.
pub static ADD: Operator = Operator {
    documents: &[
        Document { key: "sonnx-add", catalogue: include_str!("add/sonnx-add.toml") },
        Document { key: "onnx-add", catalogue: include_str!("add/onnx-add.toml") },
    ],
    hard_inputs: Some(|dtype| sum::hard_inputs::parts(Addition::Sum, dtype)),
    fast_checks: Some(&FastSums(Addition::Sum)),
    readings: Some(include_str!("add/readings.toml")),
    cases: Some(|of| {
        let tables = [binary::CASES, sum::CASES, include_str!("add/cases.toml")];
        case_table::cases(of, &ADD, &tables, sum::cases::OF_SUMS)
    }),
    coverage: include_str!("add/coverage.txt"),
    ..Operator::onnx("Add", OperatorKind::Rounded, &binary::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Addition> = Pointwise {
    function: |_, _| Addition::Sum,
    broadcast: binary::broadcast,
    boundaries: Some(&Sums(Addition::Sum)),
};
