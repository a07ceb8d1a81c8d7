//! Floor: the greatest integer that is not above the element.
//!
//! Sources: ONNX's schemas of Floor-1, 6 and 13; IEEE 754-2019, 5.9 and 6.3.

use crate::case_table;
use crate::families::exact_unary::{self, Exactly};
use crate::families::integral::{self, Rounding};
use crate::families::unary::FLOAT_VERSIONS;
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Floor in ONNX's default domain.
pub static FLOOR: Operator = Operator {
    documents: &[Document { key: "onnx-floor", catalogue: include_str!("floor/onnx-floor.toml") }],
    hard_inputs: Some(|dtype| integral::hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [exact_unary::CASES, integral::CASES, include_str!("floor/cases.toml")];
        case_table::cases(of, &FLOOR, &tables, integral::OWN)
    }),
    coverage: include_str!("floor/coverage.txt"),
    ..Operator::onnx("Floor", OperatorKind::Exact, &FLOAT_VERSIONS, &REFERENCE)
};

const FUNCTION: Exactly<Rounding> = Exactly(Rounding::Down);

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Rounding>> = integral::reference(|_, _| FUNCTION, &FUNCTION);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats};

    #[test]
    fn floats_are_rounded_down_and_zeros_keep_their_sign() {
        check_floats(&FUNCTION, |x| match x {
            _ if x.is_nan() => Expected::AnyNan,
            _ => Expected::Number(x.floor()),
        });
    }
}
