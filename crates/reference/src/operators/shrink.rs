//! Shrink: the element moved by `bias` towards 0 where it is farther from 0 than `lambd`, and 0 elsewhere.
//!
//! An element x is x + `bias` where it is below -`lambd`, x - `bias` where it is above `lambd`, and 0 otherwise, NaN too, which is
//! neither. Both attributes are of type float32. Their values may not be those of the elements' type: no document says whether they
//! are rounded to that first, so that both conform; ONNX's function rounds them. A sum is rounded once, of integers it is
//! taken modulo 2^n.
//!
//! What stays open: of integers, a `bias` that is no integer, and a negative `lambd` that is none, or any of types without a sign. Source:
//! ONNX's schema and function of Shrink-9.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use values::dtype::DType;
use values::float::FloatFormat;

use super::elu::float;
use super::thresholdedrelu::{is_above, readings};
use crate::case_table::{self, Own};
use crate::elementwise::FOREIGN;
use crate::exact::Conforming;
use crate::exact::number::{Int, Value, infinity};
use crate::exact::real::{Rational, value};
use crate::exact::truncated::Exact;
use crate::families::exact_unary::{ExactFunction, Exactly, Results, hard_inputs};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, Attributes, Document, Operator, OperatorKind, Otherwise, Ports,
    Version,
};
use crate::pointwise::Pointwise;
use crate::signature::NUMERIC_SONNX;

/// Shrink in ONNX's default domain.
pub static SHRINK: Operator = Operator {
    documents: &[Document {
        key: "onnx-shrink",
        catalogue: include_str!("shrink/onnx-shrink.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&BY_DEFAULT, dtype)),
    cases: Some(|of| {
        case_table::cases(of, &SHRINK, &[include_str!("shrink/cases.toml")], Own::NONE)
    }),
    coverage: include_str!("shrink/coverage.txt"),
    ..Operator::onnx("Shrink", OperatorKind::Rounded, &VERSIONS, &REFERENCE)
};

/// The bits of 0.5 in float32.
const HALF: u32 = 0x3f00_0000;

const VERSIONS: [Version; 1] = [const { Ports::new(["input"], "output", NUMERIC_SONNX) }.since(
    9,
    &[
        Attribute::new("bias", AttributeType::Float).otherwise(Otherwise::Float(0)),
        Attribute::new("lambd", AttributeType::Float).otherwise(Otherwise::Float(HALF)),
    ],
)];

const FRACTION: &str = "the document does not say what a fraction makes of integers";

/// The function with values of its attributes.
#[derive(Clone, Copy, Debug)]
pub struct Shrinking {
    lambd: u32,
    bias: u32,
}

impl Shrinking {
    fn of(attributes: &Attributes) -> Self {
        Self { lambd: float(attributes, "lambd", HALF), bias: float(attributes, "bias", 0) }
    }
}

impl ExactFunction for Shrinking {
    const RESULTS: Results = Results::ZeroOrBeyond { halves: 1, negative: true };

    fn is_odd(self) -> bool {
        !FloatFormat::FLOAT32.is_negative(self.lambd.into())
    }

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        let (lambds, biases) = (readings(format, self.lambd), readings(format, self.bias));
        let results = lambds.into_iter().flat_map(|(of, lambd)| {
            biases.map(|bias| {
                if is_above((of, of.negated(lambd)), (format, x)) {
                    sum((format, x), bias)
                } else if is_above((format, x), (of, lambd)) {
                    let (of, bias) = bias;
                    sum((format, x), (of, of.negated(bias)))
                } else {
                    Conforming::One(0)
                }
            })
        });
        Conforming::one_of(results).unwrap_or(FOREIGN)
    }

    fn of_int(self, int: Int, x: i128) -> Conforming {
        let integer = |number: Rational| {
            number.is_integer().then(|| number.to_integer()).as_ref().and_then(BigInt::to_i128)
        };
        let number = |bits: u32| value(DType::Float32, bits.into());
        let (Some(lambd), Some(bias)) = (number(self.lambd), number(self.bias).and_then(integer))
        else {
            return Conforming::Unspecified(FRACTION);
        };
        if lambd.is_negative() && !(int.signed && lambd.is_integer()) {
            return Conforming::Unspecified(FRACTION);
        }
        let number = Rational::from_integer(x.into());
        Conforming::One(if number < -&lambd {
            int.wrap(x + bias)
        } else if number > lambd {
            int.wrap(x - bias)
        } else {
            0
        })
    }
}

/// The sum of a number that is not 0 or NaN and another one, rounded to the format of the first.
fn sum(
    (format, x): (&'static FloatFormat, u64),
    (of, y): (&'static FloatFormat, u64),
) -> Conforming {
    let (negative, by_negative) = (format.is_negative(x), of.is_negative(y));
    match (Value::of(format, x), Value::of(of, y)) {
        (Value::Nan, _) | (_, Value::Nan) => Conforming::AnyNan(format),
        (Value::Infinite, Value::Infinite) if negative != by_negative => Conforming::AnyNan(format),
        (Value::Infinite, _) | (Value::Zero | Value::Finite(_), Value::Zero) => Conforming::One(x),
        (_, Value::Infinite) => infinity(format, by_negative),
        (Value::Zero, Value::Finite(y)) => Exact::of(y).nearest(format, by_negative),
        (Value::Finite(x), Value::Finite(y)) => match Exact::sum((negative, x), (by_negative, y)) {
            Some((negative, sum)) => sum.nearest(format, negative),
            None => Conforming::One(0),
        },
    }
}

const BY_DEFAULT: Exactly<Shrinking> = Exactly(Shrinking { lambd: HALF, bias: 0 });

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Shrinking>> = Pointwise {
    function: |_, attributes| Exactly(Shrinking::of(attributes)),
    broadcast: unary::broadcast,
    boundaries: Some(&BY_DEFAULT),
};
