//! Clip computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Float32, Float64, Int64, Uint64};
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, int, is_float, value};
use crate::request::elementwise;
use crate::types::{FLOATS, NUMERIC, SIGNED};

const CLIP: &[&str] = &["Clip"];

/// Another result for an element and both bounds that are inputs.
macro_rules! clipped {
    (|$dtype:ident, $x:ident, $min:ident, $max:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| match *operands {
                [$x, $min, $max] => $result,
                _ => $right,
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "minimum-takes-precedence",
        class: Arithmetic,
        says: "Where the minimum is above the maximum, elements become the minimum.",
        operators: CLIP,
        types: NUMERIC,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact stratified",
        wrong: clipped!(|t, _x, min, max, right| {
            let is_empty = match is_float(t) {
                true => value(t, min) > value(t, max),
                false => int(t, min) > int(t, max),
            };
            if is_empty { min } else { right }
        }),
    },
    Defect {
        id: "nan-clipped-to-the-minimum",
        class: SpecialValues,
        says: "An element that is NaN becomes the minimum.",
        operators: CLIP,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: clipped!(|t, x, min, max, right| {
            let is_nan = |bits| is_float(t) && class(t, bits) == Class::Nan;
            if is_nan(x) && !is_nan(min) && !is_nan(max) { min } else { right }
        }),
    },
    Defect {
        id: "nan-bound-makes-nan",
        class: SpecialValues,
        says: "A bound that is NaN makes every element NaN.",
        operators: CLIP,
        types: &[Float16, Float32, Float64],
        caught_by: "sonnx",
        wrong: clipped!(|t, _x, min, max, right| {
            let is_nan = |bits: &u64| is_float(t) && class(t, *bits) == Class::Nan;
            [min, max].into_iter().find(is_nan).unwrap_or(right)
        }),
    },
    Defect {
        id: "zero-becomes-the-equal-bound",
        class: SpecialValues,
        says: "A zero becomes the bound that is the other zero.",
        operators: CLIP,
        types: &[Float16, Float32, Float64],
        caught_by: "sonnx",
        wrong: clipped!(|t, x, min, max, right| match t {
            Bfloat16 | Float16 | Float32 | Float64 if class(t, x) == Class::Zero => {
                let is_zero = |bits: &u64| class(t, *bits) == Class::Zero;
                [min, max].into_iter().find(is_zero).unwrap_or(right)
            }
            _ => right,
        }),
    },
    Defect {
        id: "clipped-in-float64",
        class: Conversion,
        says: "Integers of 64 bits are compared with the minimum in float64.",
        operators: CLIP,
        types: &[Int64, Uint64],
        caught_by: "onnx hard",
        wrong: clipped!(|t, _x, min, _max, right| {
            let is_near = |bits: u64| int(t, bits) as f64 == int(t, min) as f64;
            if matches!(t, Int64 | Uint64) && is_near(right) { min } else { right }
        }),
    },
    Defect {
        id: "bounds-of-magnitudes",
        class: Arithmetic,
        says: "Negative integers are compared by their bits.",
        operators: CLIP,
        types: SIGNED,
        caught_by: "sonnx onnx hard stratified",
        wrong: clipped!(|t, x, min, max, right| {
            let is_signed = SIGNED.contains(&t);
            if is_signed && min <= max { x.clamp(min, max) } else { right }
        }),
    },
];
