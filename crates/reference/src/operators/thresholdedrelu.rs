//! ThresholdedRelu: the element where it is above `alpha`, and 0 elsewhere.
//!
//! `alpha` is an attribute of type float32, and 1 by default. Its value may not be one of the elements' type: no document says whether it
//! is rounded to that before elements are compared with it, so that both conform; ONNX's function rounds it. A NaN is not above
//! anything, and gives 0. Sources: ONNX's schemas and function of ThresholdedRelu-10 and 22.

use super::clip::converted;
use super::elu::float;
use crate::case_table::{self, Own};
use crate::elementwise::FOREIGN;
use crate::exact::{Conforming, real};
use crate::families::exact_unary::{ExactFunction, Exactly, Results, hard_inputs};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, Document, Operator, OperatorKind, Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use values::float::{Class, FloatFormat};

/// ThresholdedRelu in ONNX's default domain.
pub static THRESHOLDEDRELU: Operator = Operator {
    documents: &[Document {
        key: "onnx-thresholdedrelu",
        catalogue: include_str!("thresholdedrelu/onnx-thresholdedrelu.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&BY_DEFAULT, dtype)),
    cases: Some(|of| {
        let tables = [include_str!("thresholdedrelu/cases.toml")];
        case_table::cases(of, &THRESHOLDEDRELU, &tables, Own::NONE)
    }),
    coverage: include_str!("thresholdedrelu/coverage.txt"),
    ..Operator::onnx("ThresholdedRelu", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

/// The bits of 1 in float32.
const ONE: u32 = 0x3f80_0000;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE));

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(10, &[ALPHA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[ALPHA]),
];

/// The function with a value of `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct Thresholded {
    alpha: u32,
}

/// Whether a number of one format is above one of another: where either is a NaN it is not.
pub(super) fn is_above(
    (format, x): (&'static FloatFormat, u64),
    (other, y): (&'static FloatFormat, u64),
) -> bool {
    let infinite = |format: &FloatFormat, bits| match format.class(bits) {
        Class::Nan => None,
        Class::Infinite => Some(if format.is_negative(bits) { -1 } else { 1 }),
        _ => Some(0),
    };
    match (infinite(format, x), infinite(other, y)) {
        (Some(0), Some(0)) => real::of_float(format, x) > real::of_float(other, y),
        (Some(x), Some(y)) => x > y,
        _ => false,
    }
}

/// A float32 as it is, and as the nearest number of a format.
pub(super) fn readings(
    format: &'static FloatFormat,
    attribute: u32,
) -> [(&'static FloatFormat, u64); 2] {
    [(&FloatFormat::FLOAT32, attribute.into()), (format, converted(format, attribute))]
}

impl ExactFunction for Thresholded {
    const RESULTS: Results = Results::ZeroOrBeyond { halves: 2, negative: false };

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        let results = readings(format, self.alpha)
            .map(|alpha| Conforming::One(if is_above((format, x), alpha) { x } else { 0 }));
        Conforming::one_of(results).unwrap_or(FOREIGN)
    }
}

const BY_DEFAULT: Exactly<Thresholded> = Exactly(Thresholded { alpha: ONE });

/// What is allowed of its results.
const REFERENCE: Pointwise<Exactly<Thresholded>> = Pointwise {
    function: |_, attributes| Exactly(Thresholded { alpha: float(attributes, "alpha", ONE) }),
    broadcast: unary::broadcast,
    boundaries: Some(&BY_DEFAULT),
};
