//! Unsqueeze: dimensions of size 1 are put in where the output has the listed ones.
//!
//! That no dimension is listed twice is said since version 11; before, it is left open, and no shape follows
//! from it. Sources: ONNX's schemas of Unsqueeze-1, 11, 13, 21, 23, 24 and 25; SONNX's Unsqueeze.

use values::dtype::DType::{Bool, String as Text};

use crate::case_table::{self, Own};
use crate::families::reshaping::{Lists, Reshaping, dimension, list, moved, restrict_data};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Version,
};

/// Unsqueeze in ONNX's default domain.
pub static UNSQUEEZE: Operator = Operator {
    documents: &[
        Document {
            key: "sonnx-unsqueeze",
            catalogue: include_str!("unsqueeze/sonnx-unsqueeze.toml"),
        },
        Document {
            key: "onnx-unsqueeze",
            catalogue: include_str!("unsqueeze/onnx-unsqueeze.toml"),
        },
    ],
    cases: Some(|of| {
        case_table::cases(of, &UNSQUEEZE, &[include_str!("unsqueeze/cases.toml")], Own::NONE)
    }),
    readings: Some(include_str!("unsqueeze/readings.toml")),
    ..Operator::onnx("Unsqueeze", OperatorKind::Exact, &VERSIONS, &Reshaping(shape))
};

const VERSIONS: [Version; 7] = [
    const { Lists::none("data", "expanded", moved(15)) }.since(1, &[AXES]),
    const { Lists::none("data", "expanded", moved(15)) }.since(11, &[AXES]),
    const { ports(16) }.since(13, &[]),
    const { ports(22) }.since(21, &[]),
    const { ports(23) }.since(23, &[]),
    const { ports(24) }.since(24, &[]),
    const { ports(26) }.since(25, &[]),
];

const AXES: Attribute = Attribute::new("axes", AttributeType::Ints).otherwise(Otherwise::Invalid);

const fn ports(types: usize) -> Lists<2> {
    Lists::one(["data", "axes"], "expanded", moved(types))
}

fn shape(call: &Call) -> Result<Vec<usize>, Invalid> {
    let data = call.input(0)?;
    restrict_data(call, &[Bool, Text])?;
    let axes = list(call, "axes")?.ok_or_else(|| call.invalid("is not given its axes"))?;
    let mut is_new = vec![false; data.shape().len() + axes.len()];
    for &axis in &axes {
        let place = dimension(call, 11, axis, is_new.len())?;
        if std::mem::replace(&mut is_new[place], true) {
            return Err(call.invalid(&format!("is told twice of dimension {axis}")));
        }
    }
    let mut sizes = data.shape().iter().copied();
    Ok(is_new.iter().filter_map(|&new| if new { Some(1) } else { sizes.next() }).collect())
}
