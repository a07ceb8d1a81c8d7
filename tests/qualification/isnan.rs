//! NaNs told wrongly.

use onnx_conformance::documents::qualification::document::Class::{SpecialValues, TypeHandling};
use onnx_conformance::dtype::DType::{
    Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32, Float64,
};
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format};
use crate::request::elementwise;
use crate::types::FLOATS;

const ISNAN: &[&str] = &["IsNaN"];

/// Another test of an element of a type.
macro_rules! test {
    (|$dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let $dtype = request.dtype();
            elementwise(request, right, |_, operands, $right| {
                let $x = operands[0];
                u64::from($result)
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "quiet-nans-alone",
        class: SpecialValues,
        says: "Signalling NaNs are none.",
        operators: ISNAN,
        types: FLOATS,
        caught_by: "onnx",
        wrong: test!(|t, x, right| {
            let is_quiet = || x >> (format(t).significand_bits - 1) & 1 == 1;
            right == 1 && (!FLOATS.contains(&t) || is_quiet())
        }),
    },
    Defect {
        id: "infinities-are-nan",
        class: SpecialValues,
        says: "Whatever has the highest exponent is a NaN, infinities as well.",
        operators: ISNAN,
        types: &[Bfloat16, Float16, Float32, Float64, Float8E5M2],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: test!(|t, x, right| right == 1 || class(t, x) == Class::Infinite),
    },
    Defect {
        id: "negative-nans-missed",
        class: SpecialValues,
        says: "A NaN with the sign of negative numbers is none.",
        operators: ISNAN,
        types: &[
            Bfloat16,
            Float16,
            Float32,
            Float64,
            Float8E4M3Fn,
            Float8E4M3Fnuz,
            Float8E5M2,
            Float8E5M2Fnuz,
        ],
        caught_by: "onnx",
        wrong: test!(|t, x, right| right == 1 && !format(t).is_negative(x)),
    },
    Defect {
        id: "every-float8-as-e4m3fn",
        class: TypeHandling,
        says: "Every 8-bit float is a NaN where all bits but the sign are set.",
        operators: ISNAN,
        types: &[Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz],
        caught_by: "onnx",
        wrong: test!(|t, x, right| {
            if t.bits() == Some(8) { x & 0x7f == 0x7f } else { right == 1 }
        }),
    },
];
