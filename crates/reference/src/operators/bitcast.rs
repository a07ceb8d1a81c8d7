//! BitCast: the bits of each element as an element of another type, which an attribute names.
//!
//! A bool has the width of the byte that ONNX stores it in. What bool a byte other than 0 and 1 is, no document says. Source: ONNX's schema
//! of BitCast-26.

use values::dtype::DType::{
    self, Bfloat16, Bool, Complex64, Complex128, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz,
    Float8E5M2, Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16,
    Int32, Int64, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::picking::{Picking, Source};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise, Port,
    TensorType, Version,
};

/// BitCast in ONNX's default domain.
pub static BITCAST: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitcast",
        catalogue: include_str!("bitcast/onnx-bitcast.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &BITCAST, &[include_str!("bitcast/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("BitCast", OperatorKind::Exact, &VERSIONS, &Picking(reinterpreted))
};

/// Every type but string.
#[rustfmt::skip]
const TYPES: [DType; 25] = [
    Uint8, Uint16, Uint32, Uint64, Int8, Int16, Int32, Int64, Bfloat16, Float16, Float32, Float64,
    Bool, Complex64, Complex128, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Uint4,
    Int4, Float4E2M1, Float8E8M0, Uint2, Int2,
];

const VERSIONS: [Version; 1] = [Version {
    since: 26,
    inputs: &[Port::new("input", &TYPES, "T1")],
    outputs: &[Port::new("output", &TYPES, "T2")],
    attributes: &[Attribute::new("to", AttributeType::Int).otherwise(Otherwise::Invalid)],
}];

fn reinterpreted(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let input = call.input(0)?;
    let number = call.int("to").and_then(|number| i32::try_from(number).ok());
    let dtype = number.and_then(DType::from_onnx).filter(|dtype| TYPES.contains(dtype));
    let dtype = dtype.ok_or_else(|| call.invalid("takes no type of the number `to`"))?;
    if dtype.bits() != input.dtype().bits() {
        let problem = format!("does not make {} of the bits of {dtype}", input.dtype());
        return Err(call.invalid(&problem));
    }
    let source = move |index: usize| {
        let bits = input.element(index)?;
        (dtype != Bool || bits <= 1).then_some(Element::Bits(dtype, bits))
    };
    Ok((TensorType::new(dtype, input.shape().to_vec())?, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use values::tensor::Tensor;

    use super::*;
    use crate::exact::Conforming;
    use crate::operator::{AttributeValue, Attributes, Specification};

    fn cast(input: Tensor, to: i64) -> Option<(DType, Vec<Conforming>)> {
        let attributes = Attributes::from([("to".to_owned(), AttributeValue::Int(to))]);
        let (count, version) = (input.elements(), BITCAST.newest());
        let inputs = vec![Some(input)];
        let made = Call::new(&BITCAST, version, Specification::Onnx, attributes, inputs);
        let (call, types) = made.ok()?;
        let allowed = BITCAST.reference.allowed(&call, &types);
        Some((types[0].dtype, (0..count).map(|at| allowed[0].at(at)).collect()))
    }

    fn words() -> Tensor {
        Tensor::from_values(Uint32, vec![2], vec![0x7fa0_0001_u32, 1 << 31]).unwrap()
    }

    #[test]
    fn bits_stay_with_payloads_and_signs() {
        let same = |bits| Conforming::Same(Element::Bits(Float32, bits));
        assert_eq!(cast(words(), 1), Some((Float32, vec![same(0x7fa0_0001), same(1 << 31)])));
    }

    #[test]
    fn the_low_half_of_a_number_is_the_real_part() {
        let pair = Tensor::from_values(Uint64, vec![], vec![0x4000_0000_3f80_0000_u64]).unwrap();
        let parts = Tensor::from_bits(Complex64, vec![], pair.bits().unwrap().clone()).unwrap();
        let (dtype, all) = cast(pair, 14).unwrap();
        assert_eq!(
            (dtype, &all[0]),
            (Complex64, &Conforming::Same(Element::of(&parts, 0).unwrap()))
        );
    }

    #[test]
    fn other_widths_strings_and_numbers_of_no_type_are_refused() {
        for to in [2, 4, 8, 9, 11, 13, 15, 0, 99, -1, i64::MAX] {
            assert_eq!(cast(words(), to), None, "{to}");
        }
    }

    #[test]
    fn nothing_says_what_bool_another_byte_than_0_and_1_is() {
        let bytes = Tensor::from_values(Uint8, vec![3], vec![0_u8, 1, 2]).unwrap();
        let (dtype, all) = cast(bytes, 9).unwrap();
        assert_eq!(dtype, Bool);
        assert_eq!(all.iter().map(Conforming::is_decided).collect::<Vec<_>>(), [true, true, false]);
    }
}
