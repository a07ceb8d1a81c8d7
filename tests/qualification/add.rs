//! Add computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{self, Bfloat16, Float16, Float32, Int64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, int, is_float, nearest, value};
use crate::request::elementwise;
use crate::round::{Mode, round};
use crate::types::{FLOATS, INTS};

const ADD: &[&str] = &["Add"];

/// Another sum.
macro_rules! sum {
    (|$dtype:ident, $a:ident, $b:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let ($a, $b) = (operands[0], operands[1]);
                $result
            })
        })
    };
}

/// Whether binary64 holds sums of a type's numbers, unless they are far apart.
fn is_narrow(dtype: DType) -> bool {
    matches!(dtype, Bfloat16 | Float16 | Float32)
}

/// What is left of the smaller number where all bits below two places after the larger one's last are
/// dropped.
fn without_sticky_bits(dtype: DType, larger: f64, smaller: f64) -> f64 {
    let exponent = larger.abs().log2().floor() as i32;
    let unit = 2_f64.powi(exponent - format(dtype).significand_bits as i32 - 2);
    (smaller / unit).trunc() * unit
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "sums-towards-zero",
        class: Rounding,
        says: "Sums are rounded towards zero.",
        operators: ADD,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: sum!(|t, a, b, right| match is_narrow(t) && class(t, right) != Class::Zero {
            true => round(format(t), value(t, a) + value(t, b), Mode::TowardsZero),
            false => right,
        }),
    },
    Defect {
        id: "sums-without-sticky-bit",
        class: Rounding,
        says: "Of the smaller number the bits more than two places below the larger one's last are dropped \
               before both are added.",
        operators: ADD,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: sum!(|t, a, b, right| {
            let is_of = |bits| is_narrow(t) && class(t, bits) == Class::Normal;
            if !is_of(a) || !is_of(b) || !is_of(right) {
                return right;
            }
            let (a, b) = (value(t, a), value(t, b));
            let (larger, smaller) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
            nearest(t, larger + without_sticky_bits(t, larger, smaller))
        }),
    },
    Defect {
        id: "cancelled-sums-are-negative-zeros",
        class: SpecialValues,
        says: "Numbers that cancel give negative zero.",
        operators: ADD,
        types: FLOATS,
        caught_by: "sonnx onnx hard stratified",
        wrong: sum!(|t, a, _b, right| {
            let is_cancelled =
                is_float(t) && class(t, right) == Class::Zero && class(t, a) != Class::Zero;
            if is_cancelled { nearest(t, -0.0) } else { right }
        }),
    },
    Defect {
        id: "negative-zeros-add-up-to-zero",
        class: SpecialValues,
        says: "Negative zero plus negative zero is positive zero.",
        operators: ADD,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: sum!(|t, _a, _b, right| {
            if is_float(t) && class(t, right) == Class::Zero { 0 } else { right }
        }),
    },
    Defect {
        id: "opposite-infinities-add-up-to-zero",
        class: SpecialValues,
        says: "Infinities of opposite signs add up to zero.",
        operators: ADD,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: sum!(|t, a, b, right| {
            let is_infinite = |bits| is_float(t) && class(t, bits) == Class::Infinite;
            let is_opposite = is_infinite(a) && is_infinite(b) && a != b;
            if is_opposite { 0 } else { right }
        }),
    },
    Defect {
        id: "subnormal-addends-flushed",
        class: SpecialValues,
        says: "Subnormal operands count as zeros.",
        operators: ADD,
        types: FLOATS,
        caught_by: "sonnx onnx hard stratified",
        wrong: sum!(|t, a, b, right| {
            if !is_float(t) || [a, b].iter().all(|&bits| class(t, bits) != Class::Subnormal) {
                return right;
            }
            let [a, b] = [a, b].map(|bits| match class(t, bits) {
                Class::Subnormal => 0_f64.copysign(value(t, bits)),
                _ => value(t, bits),
            });
            nearest(t, a + b)
        }),
    },
    Defect {
        id: "added-integers-saturate",
        class: Arithmetic,
        says: "Sums of integers stop at the ends of the type instead of wrapping.",
        operators: ADD,
        types: INTS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: sum!(|t, a, b, right| match t.kind() {
            Kind::Int { signed, bits } => {
                let (min, max) = match signed {
                    true => (-(1_i128 << (bits - 1)), (1 << (bits - 1)) - 1),
                    false => (0, (1 << bits) - 1),
                };
                (int(t, a) + int(t, b)).clamp(min, max) as u64
            }
            _ => right,
        }),
    },
    Defect {
        id: "int64-sums-in-float64",
        class: Conversion,
        says: "Sums of int64 are computed in float64.",
        operators: ADD,
        types: &[Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: sum!(|t, a, b, right| match t {
            Int64 => (int(t, a) as f64 + int(t, b) as f64) as i64 as u64,
            _ => right,
        }),
    },
];
