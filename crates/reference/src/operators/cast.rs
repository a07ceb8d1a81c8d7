//! Cast: each element as one of another type, which an attribute names.
//!
//! Source: ONNX's schemas of Cast-1, 6, 9, 13, 19, 21, 23, 24, 25 and 28.

mod fast_check;

pub(super) use fast_check::Conversions;

use values::dtype::DType::{
    self, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
};

use crate::case_table::{self, Own};
use crate::families::casting::{
    Casting, ROUND_MODE, SATURATE, STRINGS, converted, hard_inputs, texts,
};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    Version,
};

/// Cast in ONNX's default domain.
pub static CAST: Operator = Operator {
    documents: &[Document { key: "onnx-cast", catalogue: include_str!("cast/onnx-cast.toml") }],
    cases: Some(|of| {
        let own = Own { inputs: |name, _| Ok(vec![texts(name)?]), ..Own::NONE };
        case_table::cases(of, &CAST, &[include_str!("cast/cases.toml")], own)
    }),
    fast_checks: Some(&Conversions),
    hard_inputs: Some(hard_inputs),
    strings: Some(STRINGS),
    ..Operator::onnx("Cast", OperatorKind::Rounded, &VERSIONS, &Casting::Attribute(target))
};

const VERSIONS: [Version; 10] = [
    const { Ports::new(12) }.since(1, &[TO_NAME]),
    const { Ports::new(12) }.since(6, &[TO]),
    const { Ports::new(13) }.since(9, &[TO]),
    const { Ports::new(14) }.since(13, &[TO]),
    const { Ports::new(18) }.since(19, &[TO, SATURATE]),
    const { Ports::new(20) }.since(21, &[TO, SATURATE]),
    const { Ports::new(21) }.since(23, &[TO, SATURATE]),
    const { Ports::new(22) }.since(24, &[TO, SATURATE, ROUND_MODE]),
    const { Ports::new(24) }.since(25, &[TO, SATURATE, ROUND_MODE]),
    const { Ports::new(26) }.since(28, &[TO, SATURATE, ROUND_MODE]),
];

/// The input and the output, each of any of the first so many types.
struct Ports([Port; 1], [Port; 1]);

impl Ports {
    const fn new(types: usize) -> Self {
        let types = converted(types);
        Self([Port::new("input", types, "T1")], [Port::new("output", types, "T2")])
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes }
    }
}

/// The number of the type in `TensorProto.DataType`, or its name there, which version 1 wants.
const TO: Attribute = Attribute::new("to", AttributeType::Int).otherwise(Otherwise::Invalid);
const TO_NAME: Attribute =
    Attribute::new("to", AttributeType::Text(&NAMES)).otherwise(Otherwise::Invalid);

/// The names of the types that version 1 has.
const NAMES: [&str; 12] = [
    "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "BOOL", "FLOAT16", "DOUBLE",
    "UINT32", "UINT64",
];
const NAMED: [DType; 12] =
    [Float32, Uint8, Int8, Uint16, Int16, Int32, Int64, Bool, Float16, Float64, Uint32, Uint64];

fn target(call: &Call) -> Result<DType, Invalid> {
    let named = || {
        let place = NAMES.iter().position(|name| Some(*name) == call.text("to"));
        place.and_then(|place| NAMED.get(place)).copied()
    };
    let numbered = |number| i32::try_from(number).ok().and_then(DType::from_onnx);
    let target = call.int("to").map_or_else(named, numbered);
    let has = |dtype: &DType| call.version.output(0).is_some_and(|it| it.types.contains(dtype));
    target.filter(has).ok_or_else(|| call.invalid("does not convert to the type that `to` says"))
}
