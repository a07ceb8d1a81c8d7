//! Round: the integer nearest to the element, of two the even one.
//!
//! Sources: ONNX's schemas of Round-11 and 22; IEEE 754-2019, 5.9 and 6.3.

use crate::case_table;
use crate::families::exact_unary::{self, Exactly};
use crate::families::integral::{self, Rounding};
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// Round in ONNX's default domain.
pub static ROUND: Operator = Operator {
    documents: &[Document { key: "onnx-round", catalogue: include_str!("round/onnx-round.toml") }],
    hard_inputs: Some(|dtype| integral::hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [exact_unary::CASES, integral::CASES, include_str!("round/cases.toml")];
        case_table::cases(of, &ROUND, &tables, integral::OWN)
    }),
    coverage: include_str!("round/coverage.txt"),
    ..Operator::onnx("Round", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(11, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

const FUNCTION: Exactly<Rounding> = Exactly(Rounding::TiesToEven);

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Rounding>> = integral::reference(|_, _| FUNCTION, &FUNCTION);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats};

    #[test]
    fn floats_are_rounded_to_nearest_and_halves_to_even() {
        check_floats(&FUNCTION, |x| match x {
            _ if x.is_nan() => Expected::AnyNan,
            _ => Expected::Number(x.round_ties_even()),
        });
    }
}
