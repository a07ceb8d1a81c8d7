//! Squeeze: dimensions of size 1 are left out, those that are listed or all.
//!
//! That a dimension is listed twice, the documents do not speak of. Source: ONNX's schemas of Squeeze-1, 11, 13, 21,
//! 23, 24 and 25.

use crate::case_table::{self, Own};
use crate::families::reshaping::{Lists, Reshaping, dimension, list, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Version,
};

/// Squeeze in ONNX's default domain.
pub static SQUEEZE: Operator = Operator {
    documents: &[Document {
        key: "onnx-squeeze",
        catalogue: include_str!("squeeze/onnx-squeeze.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &SQUEEZE, &[include_str!("squeeze/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Squeeze", OperatorKind::Exact, &VERSIONS, &Reshaping(shape))
};

const VERSIONS: [Version; 7] = [
    const { Lists::none("data", "squeezed", moved(15)) }.since(1, &[AXES]),
    const { Lists::none("data", "squeezed", moved(15)) }.since(11, &[AXES]),
    const { ports(16) }.since(13, &[]),
    const { ports(22) }.since(21, &[]),
    const { ports(23) }.since(23, &[]),
    const { ports(24) }.since(24, &[]),
    const { ports(26) }.since(25, &[]),
];

const AXES: Attribute = Attribute::new("axes", AttributeType::Ints);

const fn ports(types: usize) -> Lists<2> {
    Lists::one(["data", "axes"], "squeezed", moved(types)).optional()
}

fn shape(call: &Call) -> Result<Vec<usize>, Invalid> {
    let sizes = call.input(0)?.shape();
    let Some(axes) = list(call, "axes")? else {
        return Ok(sizes.iter().copied().filter(|&size| size != 1).collect());
    };
    let mut is_kept = vec![true; sizes.len()];
    for axis in axes {
        let place = dimension(call, 11, axis, sizes.len())?;
        if sizes[place] != 1 {
            let told = format!("cannot leave out dimension {axis} of {sizes:?}");
            return Err(call.invalid(&told));
        }
        is_kept[place] = false;
    }
    Ok(sizes.iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(size, _)| *size).collect())
}
