//! Transpose: the dimensions in another order. Elements of every type are moved, not computed.
//!
//! Source: ONNX's schemas of Transpose-1, 13, 21, 23, 24 and 25.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Ports,
    Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::signature::MOVED;

/// Transpose in ONNX's default domain.
pub static TRANSPOSE: Operator = Operator {
    documents: &[Document {
        key: "onnx-transpose",
        catalogue: include_str!("transpose/onnx-transpose.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &TRANSPOSE, &[include_str!("transpose/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Transpose", OperatorKind::Exact, &VERSIONS, &Transpose)
};

const VERSIONS: [Version; 6] = [
    const { ports(MOVED.split_at(15).0) }.since(1, &[PERM]),
    const { ports(MOVED.split_at(16).0) }.since(13, &[PERM]),
    const { ports(MOVED.split_at(22).0) }.since(21, &[PERM]),
    const { ports(MOVED.split_at(23).0) }.since(23, &[PERM]),
    const { ports(MOVED.split_at(24).0) }.since(24, &[PERM]),
    const { ports(&MOVED) }.since(25, &[PERM]),
];

const PERM: Attribute = Attribute::new("perm", AttributeType::Ints);

const fn ports(types: &'static [DType]) -> Ports<1> {
    Ports::new(["data"], "transposed", types)
}

/// The dimension of the input that each dimension of the output is: reversed where nothing is said.
fn permutation(call: &Call, rank: usize) -> Result<Vec<usize>, Invalid> {
    let Some(perm) = call.ints("perm") else { return Ok((0..rank).rev().collect()) };
    let places: Vec<usize> = perm.iter().filter_map(|&at| usize::try_from(at).ok()).collect();
    let is_permutation =
        perm.len() == rank && (0..rank).all(|dimension| places.contains(&dimension));
    if is_permutation {
        Ok(places)
    } else {
        Err(call.invalid(&format!("takes no `perm` {perm:?} for {rank} dimensions")))
    }
}

struct Transpose;

impl Reference for Transpose {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let data = call.input(0)?;
        let places = permutation(call, data.shape().len())?;
        let shape = places.iter().map(|&place| data.shape()[place]).collect();
        Ok(vec![TensorType::new(data.dtype(), shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), [output]) = (call.input(0), outputs) else { return Vec::new() };
        let Ok(places) = permutation(call, data.shape().len()) else { return Vec::new() };
        let shape = output.shape.clone();
        vec![Box::new(Moved(move |index| {
            let mut from = vec![0; places.len()];
            for (&place, at) in places.iter().zip(coordinates(index, &shape)) {
                from[place] = at;
            }
            Element::of(data, row_major(&from, data.shape())?)
        }))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::tensor::Tensor;

    fn transposed(
        shape: &[usize],
        perm: Option<&[i64]>,
    ) -> Result<(Vec<usize>, Vec<u128>), Invalid> {
        let count: usize = shape.iter().product();
        let data =
            Tensor::from_values(DType::Uint8, shape.to_vec(), (0..count as u8).collect()).unwrap();
        let perm = perm.map(|perm| ("perm".to_owned(), AttributeValue::Ints(perm.to_vec())));
        let attributes = Attributes::from_iter(perm);
        let version = TRANSPOSE.newest();
        let (call, types) =
            Call::new(&TRANSPOSE, version, Specification::Onnx, attributes, vec![Some(data)])?;
        let allowed = TRANSPOSE.reference.allowed(&call, &types);
        let elements = (0..count).map(|index| allowed[0].at(index).example().unwrap()).collect();
        Ok((types[0].shape.clone(), elements))
    }

    #[test]
    fn dimensions_are_reversed_or_as_the_attribute_says() {
        assert_eq!(transposed(&[2, 3], None), Ok((vec![3, 2], vec![0, 3, 1, 4, 2, 5])));
        let (shape, elements) = transposed(&[2, 3, 2], Some(&[1, 0, 2])).unwrap();
        assert_eq!(shape, [3, 2, 2]);
        assert_eq!(elements, [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
        assert_eq!(transposed(&[], None), Ok((vec![], vec![0])));
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        for perm in [&[0_i64, 0][..], &[0], &[0, 2], &[-1, 0], &[0, 1, 2]] {
            assert!(transposed(&[2, 3], Some(perm)).is_err(), "{perm:?}");
        }
    }
}
