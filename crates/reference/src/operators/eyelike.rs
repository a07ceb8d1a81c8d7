//! EyeLike: ones on one diagonal of a matrix of its input's shape, and zeros elsewhere.
//!
//! The elements of the input are of no effect; their type is the output's where no other is named. Source: ONNX's schemas of
//! EyeLike-9 and 22.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16,
    Uint32, Uint64,
};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::elements::whole;
use crate::families::picking::{Picking, Source, bounded, named_type};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// EyeLike in ONNX's default domain.
pub static EYELIKE: Operator = Operator {
    documents: &[Document {
        key: "onnx-eyelike",
        catalogue: include_str!("eyelike/onnx-eyelike.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &EYELIKE, &[include_str!("eyelike/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("EyeLike", OperatorKind::Exact, &VERSIONS, &Picking(diagonal))
};

#[rustfmt::skip]
const TYPES: [DType; 13] = [
    Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Bool,
    Bfloat16,
];

const VERSIONS: [Version; 2] = [
    const { Matrices::new(TYPES.split_at(12).0) }.since(9),
    const { Matrices::new(&TYPES) }.since(22),
];

/// The ports of a version of these types.
struct Matrices([Port; 1], [Port; 1]);

impl Matrices {
    const fn new(types: &'static [DType]) -> Self {
        Self([Port::new("input", types, "T1")], [Port::new("output", types, "T2")])
    }

    const fn since(&'static self, since: i64) -> Version {
        const ATTRIBUTES: &[Attribute] = &[
            Attribute::new("dtype", AttributeType::Int),
            Attribute::new("k", AttributeType::Int).otherwise(Otherwise::Int(0)),
        ];
        Version { since, inputs: &self.0, outputs: &self.1, attributes: ATTRIBUTES }
    }
}

fn diagonal(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let input = call.input(0)?;
    let &[_, columns] = input.shape() else {
        return Err(call.invalid(&format!("takes a matrix, not the shape {:?}", input.shape())));
    };
    let named = call.int("dtype").map(|number| named_type(call, number, "dtype"));
    let dtype = named.unwrap_or_else(|| Ok(input.dtype()))?;
    // True, or the number.
    let one = if dtype == Bool { Ok(1) } else { whole(dtype, 1) };
    let one = one.map_err(|_| call.invalid(&format!("has no one of {dtype}")))?;
    let k = i128::from(call.int("k").unwrap_or(0));
    let source = move |index: usize| {
        let (row, column) = ((index / columns) as i128, (index % columns) as i128);
        Some(Element::Bits(dtype, if column - row == k { one.into() } else { 0 }))
    };
    Ok((bounded(call, dtype, input.shape().to_vec())?, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::blank;
    use crate::operator::{AttributeValue, Attributes, Specification};

    fn made(since: i64, shape: &[usize], attributes: &[(&str, i64)]) -> Option<(DType, Vec<u128>)> {
        let named = |(name, value): &(&str, i64)| ((*name).to_owned(), AttributeValue::Int(*value));
        let attributes: Attributes = attributes.iter().map(named).collect();
        let version = EYELIKE.version(since).unwrap();
        let inputs = vec![blank(Uint8, shape).ok()];
        let (call, types) =
            Call::new(&EYELIKE, version, Specification::Onnx, attributes, inputs).ok()?;
        let allowed = EYELIKE.reference.allowed(&call, &types);
        let count = types[0].shape.iter().product();
        Some((types[0].dtype, (0..count).map(|at| allowed[0].at(at).example().unwrap()).collect()))
    }

    #[test]
    fn the_diagonal_is_one_in_the_type_that_is_named() {
        let made = |attributes: &[_]| made(22, &[2, 3], attributes).unwrap();
        assert_eq!(made(&[]), (Uint8, vec![1, 0, 0, 0, 1, 0]));
        assert_eq!(made(&[("k", 2)]), (Uint8, vec![0, 0, 1, 0, 0, 0]));
        assert_eq!(made(&[("k", -1)]), (Uint8, vec![0, 0, 0, 1, 0, 0]));
        let one = 0x3f80_0000;
        assert_eq!(made(&[("dtype", 1)]), (Float32, vec![one, 0, 0, 0, one, 0]));
        assert_eq!(made(&[("dtype", 9)]), (Bool, vec![1, 0, 0, 0, 1, 0]));
        for k in [i64::MIN, i64::MAX, 3, -2] {
            assert_eq!(made(&[("k", k)]).1, [0; 6]);
        }
    }

    #[test]
    fn what_is_no_matrix_or_no_type_of_the_version_is_refused() {
        for shape in [&[][..], &[2], &[1, 2, 2]] {
            assert_eq!(made(22, shape, &[]), None);
        }
        for dtype in [0, 8, 14, 17, 99, -1, i64::MAX] {
            assert_eq!(made(22, &[1, 1], &[("dtype", dtype)]), None, "{dtype}");
        }
        assert_eq!(made(9, &[1, 1], &[("dtype", 16)]), None);
        assert_eq!(made(22, &[1, 1], &[("dtype", 16)]), Some((Bfloat16, vec![0x3f80])));
    }
}
