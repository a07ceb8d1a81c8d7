//! Relu: the greater of zero and the element.
//!
//! A number above 0 comes out as it is, one below 0 as +0, the zero that the documents write. Whether the greater of
//! 0 and -0 is the one or the other neither document decides: SONNX's second row takes -0, which is at least 0,
//! as it is, where its Max takes +0 to be the greater one; so either zero conforms. A NaN is NaN for SONNX. For ONNX,
//! whose text and body have max(0, x), it gives what [Max](super::max) of the two may: NaN, or 0, the number.
//! Sources: ONNX's schemas of Relu-1, 6, 13 and 14; SONNX's Relu.

use values::dtype::DType;
use values::float::FloatFormat;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::exact::Conforming;
use crate::exact::number::{Int, Value, zero};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::{self, ExactFunction, Exactly, Results};
use crate::operator::{Document, Operator, OperatorKind, Ports, Specification, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS, NUMERIC};

/// Relu in ONNX's default domain.
pub static RELU: Operator = Operator {
    documents: &[
        Document { key: "sonnx-relu", catalogue: include_str!("relu/sonnx-relu.toml") },
        Document { key: "onnx-relu", catalogue: include_str!("relu/onnx-relu.toml") },
    ],
    hard_inputs: Some(|dtype| exact_unary::hard_inputs(&ONNX, dtype)),
    readings: Some(include_str!("relu/readings.toml")),
    cases: Some(|of| {
        let own = include_str!("relu/cases.toml");
        let tables = [exact_unary::CASES, exact_unary::SONNX_CASES, own];
        case_table::cases(of, &RELU, &tables, Own::NONE)
    }),
    coverage: include_str!("relu/coverage.txt"),
    ..Operator::onnx("Relu", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 4] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(13, &[]),
    const { Ports::new(["X"], "Y", SIGNED_NUMBERS) }.since(14, &[]),
];

/// The floats, bfloat16 first, and the signed integers.
const SIGNED_NUMBERS: &[DType] = NUMERIC.split_at(8).0;

/// Those without bfloat16, which SONNX names.
const SONNX_NUMBERS: &[DType] = SIGNED_NUMBERS.split_at(1).1;

/// The greater of zero and a number, as a specification has it.
#[derive(Clone, Copy, Debug)]
struct Rectifier(Specification);

/// That of ONNX.
const ONNX: Exactly<Rectifier> = Exactly(Rectifier(Specification::Onnx));

impl ExactFunction for Rectifier {
    const RESULTS: Results = Results::Magnitudes;

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        let negative = format.is_negative(x);
        match (Value::of(format, x), self.0) {
            (Value::Nan, Specification::Sonnx) => Conforming::AnyNan(format),
            (Value::Nan, _) => Conforming::nan_or(format, zero(format, false)),
            (Value::Zero, _) if negative => Conforming::either_zero(format),
            (Value::Finite(_) | Value::Infinite, _) if negative => zero(format, false),
            (Value::Zero | Value::Finite(_) | Value::Infinite, _) => Conforming::One(x),
        }
    }

    fn of_int(self, int: Int, x: i128) -> Conforming {
        Conforming::One(int.wrap(x.max(0)))
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Rectifier>> = Pointwise {
    function: |specification, _| Exactly(Rectifier(specification)),
    broadcast: |call| {
        if call.specification == Specification::Sonnx {
            call.restrict_types(SONNX_NUMBERS)?;
        }
        Broadcast::equal(&call.shapes())
    },
    boundaries: Some(&ONNX),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::exact_unary::checks::{Expected, check_floats, check_ints};
    use crate::signature::SIGNED;

    #[test]
    fn floats_below_zero_are_zero_and_the_sign_of_minus_zero_is_open() {
        check_floats(&ONNX, |x| match x {
            _ if x.is_nan() => Expected::NanOrZero,
            _ if x == 0.0 && x.is_sign_negative() => Expected::EitherZero,
            _ => Expected::Number(if x < 0.0 { 0.0 } else { x }),
        });
    }

    #[test]
    fn a_nan_stays_one_under_sonnx() {
        check_floats(&Exactly(Rectifier(Specification::Sonnx)), |x| match x {
            _ if x.is_nan() => Expected::AnyNan,
            _ if x == 0.0 && x.is_sign_negative() => Expected::EitherZero,
            _ => Expected::Number(if x < 0.0 { 0.0 } else { x }),
        });
    }

    #[test]
    fn integers_below_zero_are_zero() {
        check_ints(&ONNX, SIGNED, |x, _| Expected::Number(if x < 0 { 0 } else { x }));
    }
}
