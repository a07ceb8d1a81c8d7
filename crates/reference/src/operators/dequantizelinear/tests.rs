//! The readings of products, types and scales.

use values::dtype::DType::{Bfloat16, Float8E5M2, Float16, Float32, Int8, Int32, Uint16};
use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::operator::{AttributeValue, Attributes, Specification};

fn of(inputs: &[Tensor], list: &[(&str, i64)]) -> Result<(DType, Vec<Conforming>), Invalid> {
    let attributes = list.iter().map(|&(name, it)| (name.to_owned(), AttributeValue::Int(it)));
    let operands = inputs.iter().cloned().map(Some).collect();
    let (version, specification) = (DEQUANTIZELINEAR.newest(), Specification::Onnx);
    let attributes = attributes.collect::<Attributes>();
    let (call, types) = Call::new(&DEQUANTIZELINEAR, version, specification, attributes, operands)?;
    let allowed = DEQUANTIZELINEAR.reference.allowed(&call, &types);
    let count = inputs[0].elements();
    Ok((types[0].dtype, (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn scalar(dtype: DType, bits: u64) -> Tensor {
    tensor(dtype, &[], &[bits]).unwrap()
}

const HALF: u64 = 0x3f00_0000;

#[test]
fn differences_are_exact_and_products_are_rounded() {
    let x = tensor(Int8, &[2], &[0x80, 0x7f]).unwrap();
    let results = of(&[x, scalar(Float32, HALF), scalar(Int8, 0x7f)], &[]).unwrap();
    let number = |number: f32| Conforming::One(number.to_bits().into());
    assert_eq!(results, (Float32, vec![number(-127.5), number(0.0)]));
    let x = tensor(Float8E5M2, &[2], &[0x7c, 0x80]).unwrap();
    let zero = of(&[x, scalar(Float32, 0)], &[]).unwrap().1;
    assert!(matches!(zero[0], Conforming::AnyNan(_)));
    assert_eq!(zero[1], number(-0.0));
}

#[test]
fn what_is_open_has_readings_or_no_result() {
    let x = tensor(Int32, &[1], &[1]).unwrap();
    let decided = |zero| {
        let inputs = [x.clone(), scalar(Float32, HALF), scalar(Int32, zero)];
        of(&inputs, &[]).unwrap().1[0].is_decided()
    };
    assert!(decided(0) && !decided(1));
    // 65535 is no float16, but half of it is.
    let x = tensor(Uint16, &[1], &[65535]).unwrap();
    let result = of(&[x, scalar(Float16, 0x3800)], &[]).unwrap().1.remove(0);
    assert!(result.accepts(0x7800) && result.accepts(0x7c00) && !result.accepts(0x7801));
}

#[test]
fn the_output_has_the_type_of_the_scale_unless_one_is_named() {
    let x = tensor(Int8, &[1], &[3]).unwrap();
    let to = |scale, list: &[(&str, i64)]| {
        of(&[x.clone(), scalar(scale, 1)], list).map(|(dtype, _)| dtype)
    };
    assert_eq!(to(Float16, &[]), Ok(Float16));
    assert_eq!(to(Float16, &[("output_dtype", 16)]), Ok(Bfloat16));
    assert_eq!(to(DType::Float8E8M0, &[("output_dtype", 1)]), Ok(Float32));
    assert!(to(DType::Float8E8M0, &[]).is_err());
    assert!(to(Float32, &[("output_dtype", 11)]).is_err());
}
