//! CumProd: of each element the product of those from the beginning of a dimension to it.
//!
//! The element itself is left out with `exclusive`, and the products begin at the end with `reverse`. Each is a product of its
//! own, in any order; of no elements it is 1. Integers are multiplied modulo 2^n. Source: ONNX's schema of CumProd-26, whose sentence on
//! `exclusive` counts from 1.

use values::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64,
};

use super::cumsum::Plan;
use crate::case_table::{self, Own};
use crate::families::reduce_sum::{Places, Products};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};

/// CumProd in ONNX's default domain.
pub static CUMPROD: Operator = Operator {
    documents: &[Document {
        key: "onnx-cumprod",
        catalogue: include_str!("cumprod/onnx-cumprod.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &CUMPROD, &[include_str!("cumprod/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("CumProd", OperatorKind::Accumulated, &VERSIONS, &CumProd)
};

const TYPES: [DType; 8] = [Uint32, Uint64, Int32, Int64, Float16, Float32, Float64, Bfloat16];
const VERSIONS: [Version; 1] = [Version {
    since: 26,
    inputs: &[Port::new("x", &TYPES, "T"), Port::new("axis", &[Int32, Int64], "T2")],
    outputs: &[Port::new("y", &TYPES, "T")],
    attributes: &[
        Attribute::new("exclusive", AttributeType::Int).otherwise(Otherwise::Int(0)),
        Attribute::new("reverse", AttributeType::Int).otherwise(Otherwise::Int(0)),
    ],
}];

struct CumProd;

impl Reference for CumProd {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::of(Plan::of(call)?.data)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        let data = plan.data;
        let places: Places<'a> = Box::new(move |index| plan.places(index).collect());
        vec![Box::new(Products { data, places })]
    }
}

#[cfg(test)]
mod tests {
    use values::tensor::Tensor;

    use super::*;
    use crate::exact::Conforming;
    use crate::operator::{AttributeValue, Attributes, Specification};

    fn products(data: Tensor, flags: [i64; 2]) -> Vec<Conforming> {
        let names = ["exclusive", "reverse"].map(str::to_owned);
        let attributes: Attributes =
            names.into_iter().zip(flags.map(AttributeValue::Int)).collect();
        let axis = Tensor::from_values(Int64, vec![], vec![-1_i64]).unwrap();
        let (count, version) = (data.elements(), CUMPROD.newest());
        let inputs = vec![Some(data), Some(axis)];
        let (call, types) =
            Call::new(&CUMPROD, version, Specification::Onnx, attributes, inputs).unwrap();
        let allowed = CUMPROD.reference.allowed(&call, &types);
        (0..count).map(|index| allowed[0].at(index)).collect()
    }

    fn int32(all: [i32; 3]) -> Tensor {
        Tensor::from_values(Int32, vec![1, 3], all.to_vec()).unwrap()
    }

    #[test]
    fn products_go_from_either_end_with_the_element_or_without() {
        let of = |flags| products(int32([2, 3, -5]), flags);
        let expected = |all: [i32; 3]| all.map(|it| Conforming::One((it as u32).into()));
        assert_eq!(of([0, 0]), expected([2, 6, -30]));
        assert_eq!(of([1, 0]), expected([1, 2, 6]));
        assert_eq!(of([0, 1]), expected([-30, -15, -5]));
        assert_eq!(of([1, 1]), expected([-15, -5, 1]));
        let wrapped = products(int32([1 << 20, 1 << 11, 3]), [0, 0]);
        assert_eq!(wrapped, expected([1 << 20, i32::MIN, i32::MIN]));
    }

    #[test]
    fn floats_are_multiplied_in_any_order_and_nothing_is_one() {
        let x = [0.1_f32, 0.3, 0.7];
        let data = Tensor::from_values(Float32, vec![3], x.to_vec()).unwrap();
        let all = products(data, [1, 0]);
        let bits = |x: f32| u64::from(x.to_bits());
        for (one, x) in all.iter().zip([1.0, 0.1]) {
            assert!(one.accepts(bits(x)) && !one.accepts(bits(x) + 1), "{one:?}");
        }
        assert!(all[2].accepts(bits(0.1 * 0.3)) && !all[2].accepts(bits(0.1 * 0.3) + 4));
    }
}
