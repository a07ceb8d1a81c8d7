//! BitShift: the bits of integers moved to the left or to the right, as `bits` has it.
//!
//! Version 11 takes unsigned integers and does not say what a shift by as many bits as the type has, or more, gives. Version 28 takes
//! integers with a sign, which a shift to the right extends, and says what is left of those shifted beyond the type or by a negative
//! number of bits: the sign's extension alone. Sources: ONNX's schemas of BitShift-11 and 28.

use crate::case_table::{self, Own};
use crate::families::bits::{self, Bits};
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Version,
};
use crate::pointwise::{ByVersion, Pointwise};
use crate::signature::{INTEGERS, UNSIGNED};
use values::dtype::DType;

/// BitShift in ONNX's default domain.
pub static BITSHIFT: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitshift",
        catalogue: include_str!("bitshift/onnx-bitshift.toml"),
    }],
    hard_inputs: Some(bits::hard_inputs),
    cases: Some(|of| {
        case_table::cases(of, &BITSHIFT, &[include_str!("bitshift/cases.toml")], Own::NONE)
    }),
    coverage: include_str!("bitshift/coverage.txt"),
    ..Operator::onnx("BitShift", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const DIRECTION: Attribute = Attribute::new("direction", AttributeType::Text(&["LEFT", "RIGHT"]))
    .otherwise(Otherwise::Invalid);

const VERSIONS: [Version; 2] = [
    const { ports(UNSIGNED) }.since(11, &[DIRECTION]),
    const { ports(INTEGERS) }.since(28, &[DIRECTION]),
];

const fn ports(types: &'static [DType]) -> Ports<2> {
    Ports::new(["X", "Y"], "Z", types)
}

fn is_left(attributes: &Attributes) -> bool {
    matches!(attributes.get("direction"), Some(AttributeValue::Text(direction)) if direction == "LEFT")
}

/// What is allowed of the results of a version.
const REFERENCE: ByVersion<Bits> = ByVersion(|since| if since < 28 { &EARLY } else { &NEWEST });

const EARLY: Pointwise<Bits> = bits::reference(
    |_, attributes| Bits::Shift { left: is_left(attributes), is_total: false },
    &Bits::Shift { left: false, is_total: false },
);

const NEWEST: Pointwise<Bits> = bits::reference(
    |_, attributes| Bits::Shift { left: is_left(attributes), is_total: true },
    &Bits::Shift { left: false, is_total: true },
);
