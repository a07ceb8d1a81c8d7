//! Reciprocal computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{self, Bfloat16, Float16, Float32};
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, nearest, value};
use crate::request::elementwise;
use crate::round::{Mode, round};
use crate::types::FLOATS;

const RECIPROCAL: &[&str] = &["Reciprocal"];

/// Another reciprocal.
macro_rules! reciprocal {
    (|$dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let $x = operands[0];
                $result
            })
        })
    };
}

/// An approximation of 8 bits and a step of Newton's iteration in float32, as vector instructions invite to.
fn approximated(x: f64) -> f64 {
    let single = |value: f64| value_of_float32(value);
    let first = f64::from_bits((1.0 / x).to_bits() >> 44 << 44);
    single(first * single(2.0 - single(x * first)))
}

fn value_of_float32(number: f64) -> f64 {
    value(Float32, nearest(Float32, number))
}

fn is_number(dtype: DType, bits: u64) -> bool {
    matches!(class(dtype, bits), Class::Normal | Class::Subnormal)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reciprocals-towards-zero",
        class: Rounding,
        says: "Reciprocals are rounded towards zero.",
        operators: RECIPROCAL,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: reciprocal!(|t, x, right| match t {
            Bfloat16 | Float16 | Float32 if is_number(t, x) => {
                round(format(t), 1.0 / value(t, x), Mode::TowardsZero)
            }
            _ => right,
        }),
    },
    Defect {
        id: "reciprocals-by-an-approximation",
        class: Arithmetic,
        says: "Reciprocals of float32 are an approximation with one step of Newton's iteration.",
        operators: RECIPROCAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact hard stratified",
        wrong: reciprocal!(|t, x, right| match t {
            Float32 if is_number(t, right) => nearest(t, approximated(value(t, x))),
            _ => right,
        }),
    },
    Defect {
        id: "reciprocals-of-zeros-are-positive",
        class: SpecialValues,
        says: "The reciprocal of negative zero is positive infinity.",
        operators: RECIPROCAL,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: reciprocal!(|t, x, right| match class(t, x) {
            Class::Zero => nearest(t, f64::INFINITY),
            _ => right,
        }),
    },
    Defect {
        id: "reciprocals-of-subnormal-numbers-are-infinite",
        class: SpecialValues,
        says: "The reciprocal of a subnormal number is that of a zero of its sign.",
        operators: RECIPROCAL,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: reciprocal!(|t, x, right| match class(t, x) {
            Class::Subnormal => nearest(t, f64::INFINITY.copysign(value(t, x))),
            _ => right,
        }),
    },
];
