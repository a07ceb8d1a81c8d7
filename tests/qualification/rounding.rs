//! The right thing is rounded wrongly.

use onnx_conformance::documents::qualification::document::Class::Rounding;
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Float32};

use crate::arithmetic::{div_of, root};
use crate::defect::{Defect, Wrong};
use crate::kernels::{Elements, RIGHT, div, format, int, is_float, nearest, quotient, sqrt, value};
use crate::round::{Mode, round, to_precision};
use crate::types::{DIVIDE, DIVISIONS, INTS, ROOTS, SIGNED};

/// The value rounded towards zero to binary32.
fn truncated_to_float32(number: f64) -> f64 {
    value(Float32, round(format(Float32), number, Mode::TowardsZero))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "float16-quotient-rounded-twice",
        class: Rounding,
        says: "Quotients of float16 are rounded to 12 bits first.",
        operators: DIVISIONS,
        types: &[Float16],
        caught_by: "sonnx sonnx-draft openvino onnx hard stratified",
        wrong: div_of!(Float16, |t, a, b| Some(nearest(t, to_precision(12, quotient(t, a, b))))),
    },
    Defect {
        id: "float16-root-rounded-twice",
        class: Rounding,
        says: "Roots of float16 are rounded to 12 bits first.",
        operators: ROOTS,
        types: &[Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: root!(|t, x| match t {
            Float16 => nearest(t, to_precision(12, value(t, x).sqrt())),
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "float16-quotient-truncated-twice",
        class: Rounding,
        says: "Quotients of float16 are truncated to float32 and then to float16.",
        operators: DIVISIONS,
        types: &[Float16],
        caught_by: "sonnx sonnx-draft openvino onnx hard stratified",
        wrong: div_of!(Float16, |t, a, b| {
            let quotient = truncated_to_float32(quotient(t, a, b));
            Some(round(format(t), quotient, Mode::TowardsZero))
        }),
    },
    Defect {
        id: "float16-quotient-truncated",
        class: Rounding,
        says: "Quotients are truncated to float16.",
        operators: DIVISIONS,
        types: &[Float16],
        caught_by: "sonnx sonnx-draft openvino onnx hard stratified",
        wrong: div_of!(Float16, |t, a, b| Some(round(
            format(t),
            quotient(t, a, b),
            Mode::TowardsZero
        ))),
    },
    Defect {
        id: "float16-root-truncated",
        class: Rounding,
        says: "Roots are truncated to float16.",
        operators: ROOTS,
        types: &[Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: root!(|t, x| match t {
            Float16 => round(format(t), value(t, x).sqrt(), Mode::TowardsZero),
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "bfloat16-quotient-truncated",
        class: Rounding,
        says: "Quotients become bfloat16 by dropping the lower half of a float32.",
        operators: DIVISIONS,
        types: &[Bfloat16],
        caught_by: "openvino onnx hard stratified",
        wrong: div_of!(Bfloat16, |t, a, b| { Some(nearest(Float32, quotient(t, a, b)) >> 16) }),
    },
    Defect {
        id: "bfloat16-root-truncated",
        class: Rounding,
        says: "Roots become bfloat16 by dropping the lower half of a float32.",
        operators: ROOTS,
        types: &[Bfloat16],
        caught_by: "onnx exhaustive hard stratified",
        wrong: root!(|t, x| match t {
            Bfloat16 => nearest(Float32, value(t, x).sqrt()) >> 16,
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "float32-quotient-towards-zero",
        class: Rounding,
        says: "Quotients of float32 are rounded towards zero.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: div_of!(Float32, |t, a, b| Some(round(
            format(t),
            quotient(t, a, b),
            Mode::TowardsZero
        ))),
    },
    Defect {
        id: "float32-root-away-from-zero",
        class: Rounding,
        says: "Roots of float32 are rounded away from zero.",
        operators: ROOTS,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: root!(|t, x| match t {
            Float32 => round(format(t), value(t, x).sqrt(), Mode::AwayFromZero),
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "smallest-normal-stays-subnormal",
        class: Rounding,
        says: "Quotients that round up to the smallest normal float become the largest subnormal one.",
        operators: DIVISIONS,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx openvino onnx",
        wrong: div_of!(Bfloat16 | Float16 | Float32, |t, a, b| {
            let smallest = value(t, 1 << format(t).significand_bits);
            let (exact, right) = (quotient(t, a, b), div(t, a, b));
            let is_raised = exact.abs() < smallest
                && right.is_some_and(|bits| value(t, bits).abs() >= smallest);
            right.map(|bits| if is_raised { bits - 1 } else { bits })
        }),
    },
    Defect {
        id: "ties-away-from-zero",
        class: Rounding,
        says: "Quotients in the middle of two floats, which only subnormal ones are, go away from \
               zero.",
        operators: DIVISIONS,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx openvino onnx hard",
        wrong: div_of!(Bfloat16 | Float16 | Float32, |t, a, b| Some(round(
            format(t),
            quotient(t, a, b),
            Mode::TiesAway
        ))),
    },
    Defect {
        id: "integers-floored",
        class: Rounding,
        says: "Quotients of integers that are to be truncated are rounded down.",
        operators: DIVISIONS,
        types: SIGNED,
        caught_by: "sonnx openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Elements(Elements { div: crate::kernels::floor, ..RIGHT }),
    },
    Defect {
        id: "integers-truncated",
        class: Rounding,
        says: "Quotients of integers that are to be rounded down are truncated: `m_pythondiv` is \
               ignored.",
        operators: DIVIDE,
        types: SIGNED,
        caught_by: "openvino",
        wrong: Wrong::Elements(Elements { floor: div, ..RIGHT }),
    },
    Defect {
        id: "integers-rounded-to-nearest",
        class: Rounding,
        says: "Quotients of integers are rounded to the nearest.",
        operators: DIVISIONS,
        types: INTS,
        caught_by: "sonnx openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Elements(Elements {
            div: |t, a, b| {
                if is_float(t) || int(t, b) == 0 {
                    return div(t, a, b);
                }
                let (a, b) = (int(t, a), int(t, b));
                let away = 2 * (a % b).abs() >= b.abs();
                Some((a / b + i128::from(away) * a.signum() * b.signum()) as u64)
            },
            ..RIGHT
        }),
    },
];
