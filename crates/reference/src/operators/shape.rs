//! Shape: the sizes of the dimensions, or of those from `start` to before `end`.
//!
//! Both count from the end where they are negative, and what lies outside is the nearest place. Sources: ONNX's
//! schemas of Shape-1, 13, 15, 19, 21, 23, 24 and 25; SONNX's Shape.

use values::dtype::DType::{Bfloat16, Bool, Int2, Int4, String as Text, Uint2, Uint4};

use crate::case_table::{self, Own};
use crate::families::reshaping::restrict_data;
use crate::families::sizes::{Measured, Sizes, Told};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Version,
};

/// Shape in ONNX's default domain.
pub static SHAPE: Operator = Operator {
    documents: &[
        Document { key: "sonnx-shape", catalogue: include_str!("shape/sonnx-shape.toml") },
        Document { key: "onnx-shape", catalogue: include_str!("shape/onnx-shape.toml") },
    ],
    cases: Some(|of| case_table::cases(of, &SHAPE, &[include_str!("shape/cases.toml")], Own::NONE)),
    readings: Some(include_str!("shape/readings.toml")),
    ..Operator::onnx("Shape", OperatorKind::Exact, &VERSIONS, &Sizes(sizes))
};

const VERSIONS: [Version; 8] = [
    const { Measured::new("shape", 15) }.since(1, &[]),
    const { Measured::new("shape", 16) }.since(13, &[]),
    const { Measured::new("shape", 16) }.since(15, &ENDS),
    const { Measured::new("shape", 20) }.since(19, &ENDS),
    const { Measured::new("shape", 22) }.since(21, &ENDS),
    const { Measured::new("shape", 23) }.since(23, &ENDS),
    const { Measured::new("shape", 24) }.since(24, &ENDS),
    const { Measured::new("shape", 26) }.since(25, &ENDS),
];

const ENDS: [Attribute; 2] = [
    Attribute::new("end", AttributeType::Int),
    Attribute::new("start", AttributeType::Int).otherwise(Otherwise::Int(0)),
];

fn sizes(call: &Call) -> Result<Told, Invalid> {
    let data = call.input(0)?;
    restrict_data(call, &[Bfloat16, Bool, Int2, Int4, Text, Uint2, Uint4])?;
    let rank = data.shape().len() as i64;
    let place = |at: i64| (if at < 0 { at.saturating_add(rank) } else { at }).clamp(0, rank);
    let (start, end) = (call.int("start").map_or(0, place), call.int("end").map_or(rank, place));
    let all = data.shape().iter().map(|&size| size as i64);
    let told: Vec<i64> = all.take(end as usize).skip(start as usize).collect();
    Ok((vec![told.len()], told))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType;
    use values::tensor::Tensor;

    fn shape_of(attributes: &[(&str, i64)]) -> Vec<i64> {
        let data = Tensor::from_values(DType::Uint8, vec![2, 3, 4], vec![0_u8; 24]).ok();
        let int = |&(name, value): &(&str, i64)| (name.to_owned(), AttributeValue::Int(value));
        let attributes: Attributes = attributes.iter().map(int).collect();
        let (version, onnx) = (SHAPE.newest(), Specification::Onnx);
        let (call, types) = Call::new(&SHAPE, version, onnx, attributes, vec![data]).unwrap();
        let allowed = &SHAPE.reference.allowed(&call, &types)[0];
        (0..types[0].shape[0]).map(|at| allowed.at(at).example().unwrap() as i64).collect()
    }

    #[test]
    fn what_lies_outside_is_the_nearest_place() {
        assert_eq!(shape_of(&[]), [2, 3, 4]);
        assert_eq!(shape_of(&[("start", 1), ("end", 2)]), [3]);
        assert_eq!(shape_of(&[("start", -1)]), [4]);
        assert_eq!(shape_of(&[("end", -1)]), [2, 3]);
        assert_eq!(shape_of(&[("start", -500), ("end", 2)]), [2, 3]);
        assert_eq!(shape_of(&[("start", i64::MIN), ("end", i64::MAX)]), [2, 3, 4]);
        assert_eq!(shape_of(&[("start", 2), ("end", 2)]), [0_i64; 0]);
        assert_eq!(shape_of(&[("start", 2), ("end", 1)]), [0_i64; 0]);
    }
}
