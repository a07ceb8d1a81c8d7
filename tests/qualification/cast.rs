//! Conversions that go wrong.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int16, Int32, Int64, Uint16, Uint32, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, int, is_float, nearest, value};
use crate::request::{changed, elementwise};

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

const BITCAST: &[&str] = &["BitCast"];

/// The output with other elements, where it is of this type.
fn with_elements(right: Outcome, dtype: DType, element: impl Fn(u64) -> u64) -> Outcome {
    changed(right, |output| {
        if output.dtype() != dtype {
            return output;
        }
        let width = dtype.bits().unwrap() as usize / 8;
        let all = (0..output.elements()).map(|at| element(output.element(at).unwrap() as u64));
        let bytes: Vec<u8> = all.flat_map(|bits| bits.to_le_bytes()[..width].to_vec()).collect();
        Tensor::from_bits(dtype, output.shape().to_vec(), bytes.into()).unwrap()
    })
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
    Defect {
        id: "bitcast-converts-numbers",
        class: Conversion,
        says: "Bits of int32 become the float32 of the number that they are.",
        operators: BITCAST,
        types: &[Int32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|_, right| {
            with_elements(right, Float32, |bits| (bits as u32 as i32 as f32).to_bits().into())
        }),
    },
    Defect {
        id: "bitcast-zeros-without-sign",
        class: SpecialValues,
        says: "The bits of -0 of float32 are those of 0.",
        operators: BITCAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            with_elements(right, Int32, |bits| if bits == 1 << 31 { 0 } else { bits })
        }),
    },
    Defect {
        id: "bitcast-quiets-nans",
        class: SpecialValues,
        says: "NaNs of float32 that signal come out quiet.",
        operators: BITCAST,
        types: &[Uint32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            with_elements(right, Float32, |bits| match f32::from_bits(bits as u32).is_nan() {
                true => bits | 1 << 22,
                false => bits,
            })
        }),
    },
    Defect {
        id: "bitcast-bytes-reversed",
        class: Conversion,
        says: "The bytes of elements of 16 bits are taken from the most significant one on.",
        operators: BITCAST,
        types: &[Float16, Bfloat16, Int16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            with_elements(right, Uint16, |bits| (bits as u16).swap_bytes().into())
        }),
    },
];
