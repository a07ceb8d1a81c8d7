//! Conversions that go wrong.

use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int16, Int64, Uint32, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, int, is_float, nearest, value};
use crate::request::elementwise;

const CAST: &[&str] = &["Cast"];

/// Another conversion of an element: from a type, to a type, of these bits, in place of what is right.
macro_rules! conversion {
    (|$from:ident, $to:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let $from = request.dtype();
            elementwise(request, right, |$to, operands, $right| {
                // Strings have no bits.
                let Some(&$x) = operands.first() else { return $right };
                $result
            })
        })
    };
}

fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Int { .. })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "conversions-round-to-integers",
        class: Rounding,
        says: "A float becomes the nearest integer.",
        operators: CAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| {
            if is_float(from) && is_integer(to) {
                value(from, x).round_ties_even() as i128 as u64
            } else {
                right
            }
        }),
    },
    Defect {
        id: "conversions-saturate-integers",
        class: Conversion,
        says: "An integer out of the range of the other type becomes the largest or least one.",
        operators: CAST,
        types: &[Int16, Int64, Uint32],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| match to.kind() {
            Kind::Int { signed, bits } if is_integer(from) => {
                let most = (1_i128 << (bits - u32::from(signed))) - 1;
                int(from, x).clamp(if signed { -most - 1 } else { 0 }, most) as u64
            }
            _ => right,
        }),
    },
    Defect {
        id: "conversions-through-float32",
        class: Conversion,
        says: "Integers of 64 bits become float32 first, whatever they are to become.",
        operators: CAST,
        types: &[Int64],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| match (from, to) {
            (Int64 | Uint64, Bfloat16 | Float16 | Float64) => {
                nearest(to, f64::from(int(from, x) as f32))
            }
            _ => right,
        }),
    },
    Defect {
        id: "nans-are-false",
        class: SpecialValues,
        says: "A NaN becomes false, as by a comparison with zero from below and above.",
        operators: CAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| {
            u64::from(!(to == Bool && is_float(from) && class(from, x) == Class::Nan)) * right
        }),
    },
    Defect {
        id: "fractions-are-false",
        class: SpecialValues,
        says: "A float becomes an integer before it becomes a truth value.",
        operators: CAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| {
            if to == Bool && is_float(from) { u64::from(value(from, x) as i64 != 0) } else { right }
        }),
    },
];
