//! ConstantOfShape: a tensor of the shape that a list says, every element of which is one value.
//!
//! The element that is given may be a NaN with a payload, or a negative zero; its type is the output's. Source: ONNX's schemas of ConstantOfShape-9, 20, 21, 23, 24 and 25.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64, Uint2, Uint4,
    Uint8, Uint16, Uint32, Uint64,
};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source, bounded, sizes};
use crate::families::reshaping::list;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Call, Document, Invalid, Operator, OperatorKind,
    Port, TensorType, Version,
};

/// ConstantOfShape in ONNX's default domain.
pub static CONSTANTOFSHAPE: Operator = Operator {
    documents: &[Document {
        key: "onnx-constantofshape",
        catalogue: include_str!("constantofshape/onnx-constantofshape.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("constantofshape/cases.toml");
        case_table::cases(of, &CONSTANTOFSHAPE, &[table], Own::NONE)
    }),
    ..Operator::onnx("ConstantOfShape", OperatorKind::Exact, &VERSIONS, &Picking(filled))
};

const VERSIONS: [Version; 6] = [
    version(9, &const { output(12) }),
    version(20, &const { output(17) }),
    version(21, &const { output(19) }),
    version(23, &const { output(20) }),
    version(24, &const { output(21) }),
    version(25, &const { output(23) }),
];

/// The types of values, in the order in which versions brought them.
#[rustfmt::skip]
const TYPES: &[DType] = &[
    Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Bool,
    Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Uint4, Int4,
    Float4E2M1, Float8E8M0, Uint2, Int2,
];

const VALUE: Attribute = Attribute::new("value", AttributeType::Tensor);

const fn version(since: i64, outputs: &'static [Port; 1]) -> Version {
    const INPUTS: &[Port] = &[Port::new("input", &[Int64], "T1")];
    Version { since, inputs: INPUTS, outputs, attributes: &[VALUE] }
}

const fn output(types: usize) -> [Port; 1] {
    [Port::new("output", TYPES.split_at(types).0, "T2")]
}

fn filled(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let list = list(call, "input")?.unwrap_or_default();
    let shape = sizes(call, "input", &list)?;
    let value = match call.attributes.get("value") {
        Some(AttributeValue::Tensor(value)) if value.elements() == 1 => Element::of(value, 0),
        Some(_) => return Err(call.invalid("takes a single element for `value`")),
        None => Some(Element::Bits(Float32, 0)),
    };
    let value = value.ok_or_else(|| call.invalid("lacks an element in `value`"))?;
    let dtype = value.dtype();
    if call.version.output(0).is_none_or(|output| !output.types.contains(&dtype)) {
        return Err(call.invalid(&format!("takes no `value` of {dtype}")));
    }
    Ok((bounded(call, dtype, shape)?, Box::new(move |_| Some(value.clone()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Conforming;
    use crate::operator::{Attributes, Specification};
    use values::tensor::Tensor;

    fn made(
        since: i64,
        list: &[i64],
        value: Option<Tensor>,
    ) -> Result<(TensorType, Conforming), Invalid> {
        let list = Tensor::from_values(Int64, vec![list.len()], list.to_vec()).ok();
        let value = value.map(|value| ("value".to_owned(), AttributeValue::Tensor(value)));
        let version = CONSTANTOFSHAPE.version(since).unwrap();
        let (call, types) = Call::new(
            &CONSTANTOFSHAPE,
            version,
            Specification::Onnx,
            Attributes::from_iter(value),
            vec![list],
        )?;
        let element = CONSTANTOFSHAPE.reference.allowed(&call, &types)[0].at(0);
        Ok((types[0].clone(), element))
    }

    fn bytes(dtype: DType, count: usize) -> Option<Tensor> {
        let bytes = vec![1; dtype.packed_len(count).unwrap()];
        Tensor::from_bits(dtype, vec![count], bytes.into()).ok()
    }

    #[test]
    fn zeros_of_float32_are_made_or_what_is_given() {
        let shape = |dtype, shape: &[usize]| TensorType { dtype, shape: shape.to_vec() };
        let zeros = (shape(Float32, &[2, 3]), Conforming::Same(Element::Bits(Float32, 0)));
        assert_eq!(made(9, &[2, 3], None), Ok(zeros));
        let one = (shape(Uint8, &[]), Conforming::Same(Element::Bits(Uint8, 1)));
        assert_eq!(made(9, &[], bytes(Uint8, 1)), Ok(one));
    }

    #[test]
    fn what_is_no_shape_or_no_single_element_is_refused() {
        for list in [&[-1][..], &[2, i64::MIN], &[1 << 62], &[1 << 40, 1 << 40], &[1; 65]] {
            assert!(made(25, list, None).is_err(), "{list:?}");
        }
        assert!(made(25, &[1 << 31], bytes(Int8, 1)).is_ok());
        assert!(made(25, &[(1 << 31) + 1], bytes(Int8, 1)).is_err());
        assert!(made(25, &[0, i64::MAX, i64::MAX], None).is_ok());
        assert!(made(25, &[2], bytes(Uint8, 0)).is_err());
        assert!(made(25, &[2], bytes(Uint8, 2)).is_err());
        assert!(made(9, &[2], bytes(Bfloat16, 1)).is_err());
        assert!(made(25, &[2], bytes(DType::Complex64, 1)).is_err());
    }
}
