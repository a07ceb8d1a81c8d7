//! Ceil: the least integer that is not below the element.
//!
//! Sources: ONNX's schemas of Ceil-1, 6 and 13; IEEE 754-2019, 5.9 and 6.3.

use crate::case_table;
use crate::families::exact_unary::{self, Exactly};
use crate::families::integral::{self, Rounding};
use crate::families::unary::FLOAT_VERSIONS;
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Ceil in ONNX's default domain.
pub static CEIL: Operator = Operator {
    documents: &[Document { key: "onnx-ceil", catalogue: include_str!("ceil/onnx-ceil.toml") }],
    hard_inputs: Some(|dtype| integral::hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [exact_unary::CASES, integral::CASES, include_str!("ceil/cases.toml")];
        case_table::cases(of, &CEIL, &tables, integral::OWN)
    }),
    coverage: include_str!("ceil/coverage.txt"),
    ..Operator::onnx("Ceil", OperatorKind::Exact, &FLOAT_VERSIONS, &REFERENCE)
};

const FUNCTION: Exactly<Rounding> = Exactly(Rounding::Up);

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Rounding>> = integral::reference(|_, _| FUNCTION, &FUNCTION);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats};

    #[test]
    fn floats_are_rounded_up_and_zeros_have_the_sign_of_the_operand() {
        check_floats(&FUNCTION, |x| match x {
            _ if x.is_nan() => Expected::AnyNan,
            _ => Expected::Number(x.ceil()),
        });
    }
}
