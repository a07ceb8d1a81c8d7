//! Exp computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{self, Float16, Float32};
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, nearest, value};
use crate::request::elementwise;
use crate::round::{Mode, round};
use crate::types::FLOATS;

const EXP: &[&str] = &["Exp"];

/// Another power of e.
macro_rules! power {
    (|$dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let $x = operands[0];
                $result
            })
        })
    };
}

/// The power of e in binary64.
fn power_of(dtype: DType, x: u64) -> f64 {
    libm::exp(value(dtype, x))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "exp-clamped-at-88",
        class: SpecialValues,
        says: "Arguments of float32 are limited to 88, below which e^x does not overflow yet.",
        operators: EXP,
        types: &[Float32],
        caught_by: "sonnx onnx hard stratified",
        wrong: power!(|t, x, right| match t {
            Float32 if value(t, x) > 88.0 => nearest(t, libm::exp(88.0)),
            _ => right,
        }),
    },
    Defect {
        id: "exp-of-minus-infinity-is-nan",
        class: SpecialValues,
        says: "e^x of negative infinity is a NaN: it was multiplied by a zero.",
        operators: EXP,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: power!(|t, x, right| match value(t, x) {
            f64::NEG_INFINITY => nearest(t, f64::NAN),
            _ => right,
        }),
    },
    Defect {
        id: "powers-saturate",
        class: SpecialValues,
        says: "Powers of e too large for the type become its largest number.",
        operators: EXP,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: power!(|t, x, right| match class(t, right) {
            Class::Infinite if value(t, x) != f64::INFINITY => right - 1,
            _ => right,
        }),
    },
    Defect {
        id: "exp2-of-a-product",
        class: Arithmetic,
        says: "e^x is 2^(x log2 e) in float32, whose product loses what a large argument needs.",
        operators: EXP,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard",
        wrong: power!(|t, x, right| match t {
            Float32 => {
                let product = value(t, x) as f32 * std::f32::consts::LOG2_E;
                nearest(t, libm::exp2(f64::from(product)))
            }
            _ => right,
        }),
    },
    Defect {
        id: "powers-of-float16-off-by-two",
        class: Rounding,
        says: "e^x of float16 above 1 is truncated and then one ULP lower.",
        operators: EXP,
        types: &[Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: power!(|t, x, right| match t {
            Float16 if class(t, x) != Class::Nan && class(t, right) == Class::Normal => {
                let truncated = round(format(t), power_of(t, x), Mode::TowardsZero);
                if value(t, truncated) > 1.0 { truncated - 2 } else { right }
            }
            _ => right,
        }),
    },
];
