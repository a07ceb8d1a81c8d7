//! Mul computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Float32, Int8, Int16, Int32, Int64};
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, int, is_float, value};
use crate::request::elementwise;
use crate::round::{Mode, round};
use crate::types::{FLOATS, SIGNED};

const MUL: &[&str] = &["Mul"];

/// Another product.
macro_rules! product {
    (|$dtype:ident, $a:ident, $b:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let ($a, $b) = (operands[0], operands[1]);
                $result
            })
        })
    };
}

/// The exact product of two floats of at most 24 bits.
fn product_of(dtype: DType, a: u64, b: u64) -> f64 {
    value(dtype, a) * value(dtype, b)
}

/// Whether both are numbers and the product is in the range of the type before it is rounded.
fn is_narrow(dtype: DType) -> bool {
    matches!(dtype, Bfloat16 | Float16 | Float32)
}

/// The largest float of a type.
fn largest(dtype: DType) -> u64 {
    let field = format(dtype).significand_bits;
    (((1 << format(dtype).exponent_bits) - 1) << field) - 1
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "products-towards-zero",
        class: Rounding,
        says: "Products are rounded towards zero.",
        operators: MUL,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: product!(|t, a, b, right| match is_narrow(t) {
            true => round(format(t), product_of(t, a, b), Mode::TowardsZero),
            false => right,
        }),
    },
    Defect {
        id: "overflow-beyond-the-largest-number",
        class: Rounding,
        says: "Products between the largest float and the overflow threshold become infinite.",
        operators: MUL,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "onnx hard",
        wrong: product!(|t, a, b, right| {
            let is_beyond = || {
                product_of(t, a, b).abs() > value(t, largest(t)) && class(t, right) == Class::Normal
            };
            right + u64::from(is_narrow(t) && is_beyond())
        }),
    },
    Defect {
        id: "zero-by-infinity-is-zero",
        class: SpecialValues,
        says: "Zero times an infinity is zero.",
        operators: MUL,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: product!(|t, a, b, right| {
            let is_zero = is_float(t) && [a, b].iter().any(|&bits| class(t, bits) == Class::Zero);
            let is_nan = [a, b].iter().any(|&bits| is_float(t) && class(t, bits) == Class::Nan);
            if is_zero && !is_nan && class(t, right) == Class::Nan { 0 } else { right }
        }),
    },
    Defect {
        id: "zero-products-without-sign",
        class: SpecialValues,
        says: "Products that are zero lose their sign.",
        operators: MUL,
        types: FLOATS,
        caught_by: "sonnx onnx hard stratified",
        wrong: product!(|t, _a, _b, right| {
            if is_float(t) && class(t, right) == Class::Zero { 0 } else { right }
        }),
    },
    Defect {
        id: "integer-products-saturate",
        class: Arithmetic,
        says: "Products of integers stop at the ends of the type instead of wrapping.",
        operators: MUL,
        types: &[Int8, Int16, Int32, Int64],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: product!(|t, a, b, right| match t.kind() {
            Kind::Int { signed: true, bits } => {
                let end = 1_i128 << (bits - 1);
                (int(t, a) * int(t, b)).clamp(-end, end - 1) as u64
            }
            _ => right,
        }),
    },
    Defect {
        id: "int64-products-in-float64",
        class: Conversion,
        says: "Products of int64 are computed in float64.",
        operators: MUL,
        types: &[Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: product!(|t, a, b, right| match t {
            Int64 => (int(t, a) as f64 * int(t, b) as f64) as i64 as u64,
            _ => right,
        }),
    },
    Defect {
        id: "sign-of-one-factor-lost",
        class: Arithmetic,
        says: "Products of integers are those of the first factor and the magnitude of the second.",
        operators: MUL,
        types: SIGNED,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: product!(|t, a, b, right| match t.kind() {
            Kind::Int { signed: true, .. } => (int(t, a) * int(t, b).abs()) as u64,
            _ => right,
        }),
    },
];
