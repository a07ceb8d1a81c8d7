//! Conversions that go wrong.

use crate::request::Request;
use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Bool, Float6E2M3, Float6E3M2, Float16, Float32, Float64, Int16, Int32, Int64,
    Uint16, Uint32, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::{Class, FloatFormat};
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

const SIX_BITS: [DType; 2] = [Float6E2M3, Float6E3M2];

/// The output with other elements where it is of 6 bits: of its format, the number that is converted, which is in
/// range, and the right element.
fn to_six_bits(
    request: &Request<'_>,
    right: Outcome,
    element: impl Fn(&FloatFormat, f64, u64) -> u64,
) -> Outcome {
    let Some(x) = request.operands.first().filter(|x| is_float(x.dtype())).cloned() else {
        return right;
    };
    changed(right, |output| {
        let Kind::Float(format) = output.dtype().kind() else { return output };
        if !SIX_BITS.contains(&output.dtype()) {
            return output;
        }
        let result = |at: usize| {
            let right = output.element(at).unwrap() as u64;
            let number = value(x.dtype(), x.element(at).unwrap() as u64);
            let is_in_range = number.abs() <= format.to_f64(0x1f);
            u128::from(if is_in_range { element(format, number, right) } else { right })
        };
        let elements = (0..output.elements()).map(result);
        Tensor::from_elements(output.dtype(), output.shape().to_vec(), elements).unwrap()
    })
}

/// The call with its first operand as this makes it.
fn of_other(
    request: &Request<'_>,
    right: Outcome,
    other: impl Fn(&Tensor) -> Option<Tensor>,
) -> Outcome {
    let Some(x) = request.operands.first().and_then(other) else { return right };
    let operands = [&[x][..], &request.operands[1..]].concat();
    Request { operands, ..request.clone() }.computed()
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
        id: "six-bits-are-cut-off",
        class: Rounding,
        says: "A number becomes the float of 6 bits that is next towards zero.",
        operators: CAST,
        types: &[Float32, Float16, Float6E2M3],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            to_six_bits(request, right, |format, number, right| {
                let is_above = format.to_f64(right).abs() > number.abs();
                if is_above { right - 1 } else { right }
            })
        }),
    },
    Defect {
        id: "six-bits-ties-away-from-zero",
        class: Rounding,
        says: "A tie of two floats of 6 bits becomes the larger one.",
        operators: CAST,
        types: &[Float32, Float16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            to_six_bits(request, right, |format, number, right| {
                let size = |bits: u64| format.to_f64(bits).abs();
                let is_tie = right & 0x1f < 0x1f
                    && number.abs() - size(right) == size(right + 1) - number.abs();
                if is_tie { right + 1 } else { right }
            })
        }),
    },
    Defect {
        id: "six-bits-without-subnormals",
        class: SpecialValues,
        says: "What is less than the smallest normal float of 6 bits becomes zero.",
        operators: CAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            to_six_bits(request, right, |format, _, right| match format.class(right) {
                Class::Subnormal => right & 0x20,
                _ => right,
            })
        }),
    },
    Defect {
        id: "six-bits-zeros-without-sign",
        class: SpecialValues,
        says: "-0, and what is rounded to it, becomes 0 of 6 bits.",
        operators: CAST,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            to_six_bits(request, right, |_, _, right| if right == 0x20 { 0 } else { right })
        }),
    },
    Defect {
        id: "six-bits-from-the-high-end",
        class: Conversion,
        says: "The four elements of three bytes are read in the opposite order.",
        operators: CAST,
        types: &[Float6E2M3, Float6E3M2],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            of_other(request, right, |x| {
                let swapped = |at: usize| if (at | 3) < x.elements() { at ^ 3 } else { at };
                let elements = (0..x.elements()).map(|at| x.element(swapped(at)).unwrap());
                let shape = x.shape().to_vec();
                SIX_BITS
                    .contains(&x.dtype())
                    .then(|| Tensor::from_elements(x.dtype(), shape, elements).unwrap())
            })
        }),
    },
    Defect {
        id: "six-bits-a-byte-each",
        class: Conversion,
        says: "Every element of 6 bits is read from a byte of its own.",
        operators: CAST,
        types: &[Float6E2M3, Float6E3M2],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            of_other(request, right, |x| {
                let bytes = x.bits().filter(|_| SIX_BITS.contains(&x.dtype()))?;
                let element = |at: usize| bytes.get(at).map_or(0, |byte| u128::from(byte & 0x3f));
                let elements = (0..x.elements()).map(element);
                Some(Tensor::from_elements(x.dtype(), x.shape().to_vec(), elements).unwrap())
            })
        }),
    },
    Defect {
        id: "e3m2-with-the-bias-of-e2m3",
        class: Conversion,
        says: "The exponent of float6e3m2 has a bias of 1, not 3.",
        operators: CAST,
        types: &[Float6E3M2],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| match (from, to) {
            (Float6E3M2, Float16 | Bfloat16 | Float32 | Float64) => {
                nearest(to, 4.0 * value(from, x))
            }
            _ => right,
        }),
    },
    Defect {
        id: "six-bits-have-infinities",
        class: SpecialValues,
        says: "The highest exponent of a format of 6 bits is taken for an infinity or a NaN.",
        operators: CAST,
        types: &[Float6E2M3, Float6E3M2],
        caught_by: "onnx",
        wrong: conversion!(|from, to, x, right| match (from, to) {
            (Float6E2M3, Float16 | Float32) if x & 0x18 == 0x18 => nearest(to, f64::INFINITY),
            (Float6E3M2, Bfloat16 | Float32) if x & 0x1c == 0x1c => nearest(to, f64::INFINITY),
            _ => right,
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
