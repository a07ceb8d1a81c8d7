//! Reshape: the same elements, in their order, with the dimensions that a list says.
//!
//! An entry of 0 is the input's own dimension at its place, unless `allowzero` is set, and one of -1 whatever
//! the number of elements leaves. Where it leaves anything, as among no elements, the documents do not say what
//! -1 is; NumPy and SONNX refuse it. Sources: ONNX's schemas of Reshape-1, 5, 13, 14, 19, 21, 23, 24 and 25;
//! SONNX's Reshape.

use values::dtype::DType::{Bool, Int2, Int4, String as Text, Uint2, Uint4};
use values::tensor::element_count;

use crate::case_table::{self, Own};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::reshaping::{Lists, Reshaping, list, moved, restrict_data};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Version,
};
use crate::signature::IEEE_FLOATS;

/// Reshape in ONNX's default domain.
pub static RESHAPE: Operator = Operator {
    documents: &[
        Document { key: "sonnx-reshape", catalogue: include_str!("reshape/sonnx-reshape.toml") },
        Document { key: "onnx-reshape", catalogue: include_str!("reshape/onnx-reshape.toml") },
    ],
    cases: Some(|of| {
        case_table::cases(of, &RESHAPE, &[include_str!("reshape/cases.toml")], Own::NONE)
    }),
    readings: Some(include_str!("reshape/readings.toml")),
    ..Operator::onnx("Reshape", OperatorKind::Exact, &VERSIONS, &Reshaping(shape))
};

const VERSIONS: [Version; 9] = [
    const { Lists::none("data", "reshaped", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS, SHAPE]),
    const { ports(15) }.since(5, &[]),
    const { ports(16) }.since(13, &[]),
    const { ports(16) }.since(14, &[ALLOW_ZERO]),
    const { ports(20) }.since(19, &[ALLOW_ZERO]),
    const { ports(22) }.since(21, &[ALLOW_ZERO]),
    const { ports(23) }.since(23, &[ALLOW_ZERO]),
    const { ports(24) }.since(24, &[ALLOW_ZERO]),
    const { ports(26) }.since(25, &[ALLOW_ZERO]),
];

const SHAPE: Attribute = Attribute::new("shape", AttributeType::Ints);
const ALLOW_ZERO: Attribute =
    Attribute::new("allowzero", AttributeType::Int).otherwise(Otherwise::Int(0));

const fn ports(types: usize) -> Lists<2> {
    Lists::one(["data", "shape"], "reshaped", moved(types))
}

fn shape(call: &Call) -> Result<Vec<usize>, Invalid> {
    let data = call.input(0)?;
    restrict_data(call, &[Bool, Int2, Int4, Text, Uint2, Uint4])?;
    let list = list(call, "shape")?.ok_or_else(|| call.invalid("is not given a shape"))?;
    let refused = || call.invalid(&format!("cannot give {:?} the shape {list:?}", data.shape()));
    let keeps_zeros = match call.int("allowzero") {
        None | Some(0) => false,
        Some(1) => true,
        Some(_) => return Err(call.invalid("takes 0 or 1 for `allowzero`")),
    };
    let mut open = None;
    let mut shape = Vec::new();
    for (at, &size) in list.iter().enumerate() {
        shape.push(match size {
            -1 if open.is_none() => {
                open = Some(at);
                1
            }
            0 if !keeps_zeros => *data.shape().get(at).ok_or_else(refused)?,
            size => usize::try_from(size).map_err(|_| refused())?,
        });
    }
    if let Some(open) = open {
        let others = element_count(&shape).map_err(|_| refused())?;
        let rest = data.elements().checked_rem(others).ok_or_else(refused)?;
        if rest != 0 {
            return Err(refused());
        }
        shape[open] = data.elements() / others;
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType;
    use values::tensor::Tensor;

    fn reshaped(from: &[usize], to: &[i64], allow_zero: i64) -> Option<Vec<usize>> {
        let data =
            Tensor::from_values(DType::Uint8, from.to_vec(), vec![0_u8; from.iter().product()]);
        let list = Tensor::from_values(DType::Int64, vec![to.len()], to.to_vec());
        let inputs = vec![data.ok(), list.ok()];
        let allow_zero = ("allowzero".to_owned(), AttributeValue::Int(allow_zero));
        let attributes = Attributes::from([allow_zero]);
        let version = RESHAPE.newest();
        let call = Call::new(&RESHAPE, version, Specification::Onnx, attributes, inputs);
        call.ok().map(|(_, types)| types[0].shape.clone())
    }

    #[test]
    fn zeros_are_the_inputs_own_sizes_and_one_size_may_be_open() {
        assert_eq!(reshaped(&[2, 5], &[5, 2], 0), Some(vec![5, 2]));
        assert_eq!(reshaped(&[2, 3, 4], &[0, 6, -1], 0), Some(vec![2, 6, 2]));
        assert_eq!(reshaped(&[2, 3], &[0, 0, 1], 0), Some(vec![2, 3, 1]));
        assert_eq!(reshaped(&[2, 3], &[2, 3, 0], 0), None);
        assert_eq!(reshaped(&[1], &[], 0), Some(vec![]));
        assert_eq!(reshaped(&[0, 3], &[0, 3], 0), Some(vec![0, 3]));
        assert_eq!(reshaped(&[0, 3, 8], &[1, 2, 0], 1), Some(vec![1, 2, 0]));
    }

    #[test]
    fn what_has_not_as_many_elements_or_is_not_determined_is_refused() {
        for to in [&[7][..], &[-1, -1], &[-2, -3], &[4, -1], &[0, -1, 0], &[i64::MAX, 2]] {
            assert_eq!(reshaped(&[2, 3], to, 0), None, "{to:?}");
        }
        assert_eq!(reshaped(&[2, 5], &[0, -1], 1), None);
        assert_eq!(reshaped(&[0, 3], &[0, -1], 0), None);
        assert_eq!(reshaped(&[2, 3], &[3, 2], 2), None);
    }
}
