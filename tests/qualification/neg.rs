//! Neg computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::{int, is_float, nearest, value};
use crate::request::{changed, elementwise};
use crate::types::{FLOATS, SIGNED};

const NEG: &[&str] = &["Neg"];

/// Another negation.
macro_rules! negation {
    (|$dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let $x = operands[0];
                $result
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "zero-minus-the-element",
        class: SpecialValues,
        says: "Floats are taken from zero, which makes no zero negative.",
        operators: NEG,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: negation!(|t, x, right| match is_float(t) {
            true => nearest(t, 0.0 - value(t, x)),
            false => right,
        }),
    },
    Defect {
        id: "half-floats-negated-as-integers",
        class: Conversion,
        says: "Floats of 16 bits are negated as integers of as many.",
        operators: NEG,
        types: &[Bfloat16, Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: negation!(|t, x, right| match t {
            Bfloat16 | Float16 => x.wrapping_neg(),
            _ => right,
        }),
    },
    Defect {
        id: "complement-without-one",
        class: Arithmetic,
        says: "The bits of integers are inverted, and nothing is added.",
        operators: NEG,
        types: SIGNED,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: negation!(|t, x, right| if is_float(t) { right } else { !x }),
    },
    Defect {
        id: "negations-saturate-one-early",
        class: Arithmetic,
        says: "The negation of the least integer but one is the largest but one.",
        operators: NEG,
        types: SIGNED,
        caught_by: "onnx exhaustive hard",
        wrong: negation!(|t, x, right| match t.kind() {
            Kind::Int { signed: true, bits } => {
                (-int(t, x)).min((1_i128 << (bits - 1)) - 2) as u64
            }
            _ => right,
        }),
    },
    Defect {
        id: "int64-negated-in-float64",
        class: Conversion,
        says: "Negations of int64 are computed in float64.",
        operators: NEG,
        types: &[Int64],
        caught_by: "onnx hard stratified",
        wrong: negation!(|t, x, right| match t {
            Int64 => -(int(t, x) as f64) as i64 as u64,
            _ => right,
        }),
    },
    Defect {
        id: "int64-keeps-its-upper-half",
        class: Arithmetic,
        says: "Of int64 the lower half alone is negated.",
        operators: NEG,
        types: &[Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: negation!(|t, x, right| match t {
            Int64 => x & !0xffff_ffff | x.wrapping_neg() & 0xffff_ffff,
            _ => right,
        }),
    },
    Defect {
        id: "magnitudes-with-a-minus",
        class: Arithmetic,
        says: "Every number comes out negative: the magnitude's sign is set instead of flipped.",
        operators: NEG,
        types: &[Bfloat16, Float16, Int8, Int16, Int32, Int64],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: negation!(|t, x, right| match t.kind() {
            Kind::Int { .. } => (-int(t, x).abs()) as u64,
            _ => match t {
                Bfloat16 | Float16 => right | 0x8000,
                _ => right,
            },
        }),
    },
    Defect {
        id: "negated-in-one-block",
        class: Indexing,
        says: "Elements beyond the first 1024 come out as they were.",
        operators: NEG,
        types: &[Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64],
        caught_by: "sonnx onnx exhaustive",
        wrong: Wrong::Tensors(|request, right| {
            changed(right, |tensor| {
                let (dtype, shape) = (tensor.dtype(), tensor.shape());
                let block = 1024 * dtype.bits().unwrap() as usize / 8;
                let mut bytes = tensor.bits().unwrap().to_vec();
                if bytes.len() > block {
                    let operand = request.operands[0].bits().unwrap();
                    bytes[block..].copy_from_slice(&operand[block..]);
                }
                Tensor::from_bits(dtype, shape.to_vec(), bytes.into()).unwrap()
            })
        }),
    },
];
