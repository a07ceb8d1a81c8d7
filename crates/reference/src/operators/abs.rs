//! Abs: the element without its sign.
//!
//! Nothing is rounded: the magnitude of a number is a number of the type, but for the least integer, which SONNX
//! excludes and ONNX does not speak of. The abs of IEEE 754-2019, 5.5.1, clears the sign of a NaN as well; both
//! documents speak of numbers, or of NaN without a sign, and 6.3 gives a NaN's sign no meaning, so that any NaN
//! conforms. SONNX names bfloat16 in its contents, but not where it defines floats; it is taken. Sources: ONNX's
//! schemas of Abs-1, 6 and 13; SONNX's Abs.

use values::float::FloatFormat;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::Conforming;
use crate::exact::number::{Int, Value};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::{self, ExactFunction, Exactly, Results};
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{IEEE_FLOATS, NUMERIC, NUMERIC_SONNX};

/// Abs in ONNX's default domain.
pub static ABS: Operator = Operator {
    documents: &[
        Document { key: "sonnx-abs", catalogue: include_str!("abs/sonnx-abs.toml") },
        Document { key: "onnx-abs", catalogue: include_str!("abs/onnx-abs.toml") },
    ],
    hard_inputs: Some(|dtype| exact_unary::hard_inputs(&Exactly(Magnitude), dtype)),
    readings: Some(include_str!("abs/readings.toml")),
    cases: Some(|of| {
        let own = include_str!("abs/cases.toml");
        let tables = [exact_unary::CASES, exact_unary::SONNX_CASES, own];
        case_table::cases(of, &ABS, &tables, Own::NONE)
    }),
    coverage: include_str!("abs/coverage.txt"),
    ..Operator::onnx("Abs", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["X"], "Y", NUMERIC_SONNX) }.since(6, &[]),
    const { Ports::new(["X"], "Y", &NUMERIC) }.since(13, &[]),
];

/// The magnitude.
#[derive(Clone, Copy, Debug)]
struct Magnitude;

impl ExactFunction for Magnitude {
    const RESULTS: Results = Results::Magnitudes;

    fn is_even(self) -> bool {
        true
    }

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        match Value::of(format, x) {
            Value::Nan => Conforming::AnyNan(format),
            Value::Zero | Value::Finite(_) | Value::Infinite => {
                Conforming::One(format.magnitude(x))
            }
        }
    }

    fn of_int(self, int: Int, x: i128) -> Conforming {
        int.element(x.abs()).map_or(
            Conforming::Unspecified("the type does not hold the magnitude of this integer"),
            Conforming::One,
        )
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Magnitude>> = Pointwise {
    function: |_, _| Exactly(Magnitude),
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: Some(&Exactly(Magnitude)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats, check_ints};
    use crate::signature::INTEGERS;

    #[test]
    fn floats_lose_their_sign_and_any_nan_stays_one() {
        check_floats(&Exactly(Magnitude), |x| match x {
            _ if x.is_nan() => Expected::AnyNan,
            _ => Expected::Number(x.abs()),
        });
    }

    #[test]
    fn of_integers_the_least_signed_one_alone_is_open() {
        check_ints(&Exactly(Magnitude), INTEGERS, |x, int| match x {
            _ if x < 0 && x == int.min() => Expected::Open,
            _ => Expected::Number(if x < 0 { -x } else { x }),
        });
    }
}
