//! Sub: the difference of two elements.
//!
//! Floats are subtracted as IEEE 754 has it, integers modulo 2^n. Sources: ONNX's schemas of Sub-1, 6, 7, 13
//! and 14; SONNX's Sub; IEEE 754-2019, 5.4.1 (subtraction), 6.1 to 6.3.

use crate::case_table;
use crate::families::binary;
use crate::families::sum::{self, Addition, boundaries::Sums, fast_check::FastSums};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Sub in ONNX's default domain.
pub static SUB: Operator = Operator {
    documents: &[
        Document { key: "sonnx-sub", catalogue: include_str!("sub/sonnx-sub.toml") },
        Document { key: "onnx-sub", catalogue: include_str!("sub/onnx-sub.toml") },
    ],
    hard_inputs: Some(|dtype| sum::hard_inputs::parts(Addition::Difference, dtype)),
    fast_checks: Some(&FastSums(Addition::Difference)),
    readings: Some(include_str!("sub/readings.toml")),
    cases: Some(|of| {
        let tables = [binary::CASES, sum::CASES, include_str!("sub/cases.toml")];
        case_table::cases(of, &SUB, &tables, sum::cases::OF_DIFFERENCES)
    }),
    coverage: include_str!("sub/coverage.txt"),
    ..Operator::onnx("Sub", OperatorKind::Rounded, &binary::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Addition> = Pointwise {
    function: |_, _| Addition::Difference,
    broadcast: binary::broadcast,
    boundaries: Some(&Sums(Addition::Difference)),
};
