//! Sign: 1 for a number above zero, -1 for one below it, and 0 for zero.
//!
//! The text writes 0 without a sign, as it does 1 and -1: of +0 it is +0. What it calls 0 of -0 may be that zero itself
//! as well, which is equal to 0, so that either one conforms. Of a NaN, which is neither above zero nor below nor
//! equal to it, the text says nothing. Sources: ONNX's schemas of Sign-9 and 13.

use values::float::FloatFormat;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::Conforming;
use crate::exact::number::{Int, Value, signed};
use crate::families::exact_unary::{self, ExactFunction, Exactly, Results};
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{NUMERIC, NUMERIC_SONNX};

/// Sign in ONNX's default domain.
pub static SIGN: Operator = Operator {
    documents: &[Document { key: "onnx-sign", catalogue: include_str!("sign/onnx-sign.toml") }],
    hard_inputs: Some(|dtype| exact_unary::hard_inputs(&Exactly(Signum), dtype)),
    cases: Some(|of| {
        let tables = [exact_unary::CASES, include_str!("sign/cases.toml")];
        case_table::cases(of, &SIGN, &tables, Own::NONE)
    }),
    coverage: include_str!("sign/coverage.txt"),
    ..Operator::onnx("Sign", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", NUMERIC_SONNX) }.since(9, &[]),
    const { Ports::new(["input"], "output", &NUMERIC) }.since(13, &[]),
];

/// The sign as a number.
#[derive(Clone, Copy, Debug)]
struct Signum;

impl ExactFunction for Signum {
    const RESULTS: Results = Results::Signs;

    fn is_odd(self) -> bool {
        true
    }

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        let negative = format.is_negative(x);
        match Value::of(format, x) {
            Value::Nan => Conforming::Unspecified("the sign of NaN is not stated"),
            Value::Zero if negative => Conforming::either_zero(format),
            Value::Zero => Conforming::One(x),
            Value::Finite(_) | Value::Infinite => {
                let one = format.bias.unsigned_abs();
                Conforming::One(signed(format, negative, u64::from(one) << format.significand_bits))
            }
        }
    }

    fn of_int(self, int: Int, x: i128) -> Conforming {
        Conforming::One(int.wrap(x.signum()))
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Signum>> = Pointwise {
    function: |_, _| Exactly(Signum),
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: Some(&Exactly(Signum)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats, check_ints};
    use crate::signature::INTEGERS;

    #[test]
    fn floats_are_one_of_their_sign_but_for_zeros_and_nan() {
        check_floats(&Exactly(Signum), |x| match x {
            _ if x.is_nan() => Expected::Open,
            _ if x != 0.0 => Expected::Number(if x < 0.0 { -1.0 } else { 1.0 }),
            _ if x.is_sign_negative() => Expected::EitherZero,
            _ => Expected::Number(0.0),
        });
    }

    #[test]
    fn integers_are_one_of_their_sign_or_zero() {
        check_ints(&Exactly(Signum), INTEGERS, |x, _| {
            Expected::Number(i128::from(x > 0) - i128::from(x < 0))
        });
    }
}
