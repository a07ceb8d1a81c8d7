//! Flatten: the dimensions before an axis as one, and those from it on as the other.
//!
//! Sources: ONNX's schemas of Flatten-1, 9, 11, 13, 21, 23, 24 and 25; SONNX's Flatten.

use crate::case_table::{self, Own};
use crate::families::reshaping::{Lists, Reshaping, dimension, moved, restrict_data};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Version,
};
use crate::signature::IEEE_FLOATS;

/// Flatten in ONNX's default domain.
pub static FLATTEN: Operator = Operator {
    documents: &[
        Document { key: "sonnx-flatten", catalogue: include_str!("flatten/sonnx-flatten.toml") },
        Document { key: "onnx-flatten", catalogue: include_str!("flatten/onnx-flatten.toml") },
    ],
    cases: Some(|of| {
        case_table::cases(of, &FLATTEN, &[include_str!("flatten/cases.toml")], Own::NONE)
    }),
    readings: Some(include_str!("flatten/readings.toml")),
    ..Operator::onnx("Flatten", OperatorKind::Exact, &VERSIONS, &Reshaping(shape))
};

const VERSIONS: [Version; 8] = [
    const { Lists::none("input", "output", IEEE_FLOATS) }.since(1, &[AXIS]),
    const { ports(15) }.since(9, &[AXIS]),
    const { ports(15) }.since(11, &[AXIS]),
    const { ports(16) }.since(13, &[AXIS]),
    const { ports(22) }.since(21, &[AXIS]),
    const { ports(23) }.since(23, &[AXIS]),
    const { ports(24) }.since(24, &[AXIS]),
    const { ports(26) }.since(25, &[AXIS]),
];

const AXIS: Attribute = Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(1));

const fn ports(types: usize) -> Lists<1> {
    Lists::none("input", "output", moved(types))
}

fn shape(call: &Call) -> Result<Vec<usize>, Invalid> {
    restrict_data(call, &[])?;
    let sizes = call.input(0)?.shape();
    let (rank, axis) = (sizes.len(), call.int("axis").unwrap_or(1));
    // Behind the last dimension is an axis as well, but counted from the end it is the first one.
    let axis = if axis == rank as i64 { rank } else { dimension(call, 11, axis, rank)? };
    let (outer, inner) = sizes.split_at(axis);
    Ok(vec![outer.iter().product(), inner.iter().product()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType;
    use values::tensor::Tensor;

    fn flattened(since: i64, shape: &[usize], axis: Option<i64>) -> Option<Vec<usize>> {
        let count = shape.iter().product();
        let data = Tensor::from_values(DType::Float32, shape.to_vec(), vec![0_f32; count]);
        let axis = axis.map(|axis| ("axis".to_owned(), AttributeValue::Int(axis)));
        let (attributes, version) = (Attributes::from_iter(axis), FLATTEN.version(since).unwrap());
        let inputs = vec![data.ok()];
        let call = Call::new(&FLATTEN, version, Specification::Onnx, attributes, inputs);
        call.ok().map(|(_, types)| types[0].shape.clone())
    }

    #[test]
    fn the_axis_parts_the_dimensions_and_is_1_where_none_is_said() {
        assert_eq!(flattened(25, &[2, 3, 4], None), Some(vec![2, 12]));
        assert_eq!(flattened(25, &[2, 3, 4], Some(0)), Some(vec![1, 24]));
        assert_eq!(flattened(25, &[2, 3, 4], Some(3)), Some(vec![24, 1]));
        assert_eq!(flattened(25, &[2, 3, 4], Some(-1)), Some(vec![6, 4]));
        assert_eq!(flattened(25, &[2, 3, 4], Some(-3)), Some(vec![1, 24]));
        assert_eq!(flattened(25, &[], Some(0)), Some(vec![1, 1]));
    }

    #[test]
    fn an_axis_that_is_none_is_refused_and_a_negative_one_before_version_11() {
        for axis in [4, -4, i64::MIN, i64::MAX] {
            assert_eq!(flattened(25, &[2, 3, 4], Some(axis)), None);
        }
        assert_eq!(flattened(25, &[], None), None);
        assert_eq!(flattened(9, &[2, 3, 4], Some(-1)), None);
        assert_eq!(flattened(1, &[2, 3, 4], Some(3)), Some(vec![24, 1]));
    }
}
