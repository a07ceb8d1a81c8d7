//! Zeros, infinities, NaNs, subnormal numbers, and quotients that no integer is.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::SpecialValues;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class;

use crate::arithmetic::{float_div, root};
use crate::defect::{Defect, Wrong};
use crate::kernels::{class, div, format, int, nearest, quotient, sqrt, value};
use crate::request::{Request, refused};
use crate::round::{Mode, round};
use crate::types::{ALL, DIV, DIVISIONS, FLOATS, INTS, ROOTS, SIGNED};

fn flushed(dtype: DType, bits: u64) -> u64 {
    match class(dtype, bits) {
        Class::Subnormal => nearest(dtype, 0_f64.copysign(value(dtype, bits))),
        _ => bits,
    }
}

fn number_or_zero(dtype: DType, bits: u64) -> u64 {
    if class(dtype, bits) == Class::Nan { 0 } else { bits }
}

/// The right quotient of floats.
fn right(dtype: DType, a: u64, b: u64) -> u64 {
    nearest(dtype, quotient(dtype, a, b))
}

/// Whether a request of integers divides such a pair.
fn divides(request: &Request<'_>, is_such: fn(DType, i128, i128) -> bool) -> bool {
    let (dtype, [a, b]) = (request.dtype(), request.operands.as_slice()) else { return false };
    let elements = a.elements().min(b.elements());
    let is_int = [a, b].iter().all(|operand| matches!(operand.dtype().kind(), Kind::Int { .. }));
    let pair = |k| Some((a.element(k)? as u64, b.element(k)? as u64));
    is_int
        && (0..elements).filter_map(pair).any(|(a, b)| is_such(dtype, int(dtype, a), int(dtype, b)))
}

fn trap(signal: &str) -> Outcome {
    Outcome::Crashed { message: format!("ended by {signal}") }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "zero-quotients-without-sign",
        class: SpecialValues,
        says: "Quotients of zero lose their sign.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: float_div!(|t, a, b| nearest(t, value(t, right(t, a, b)) + 0.0)),
    },
    Defect {
        id: "zero-roots-without-sign",
        class: SpecialValues,
        says: "The root of negative zero loses its sign.",
        operators: ROOTS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: root!(|t, x| nearest(t, value(t, x).sqrt() + 0.0)),
    },
    Defect {
        id: "by-zero-gives-zero",
        class: SpecialValues,
        says: "Floats divided by zero give zero.",
        operators: DIV,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft onnx hard",
        wrong: float_div!(|t, a, b| match class(t, b) {
            Class::Zero => 0,
            _ => right(t, a, b),
        }),
    },
    Defect {
        id: "by-zero-without-sign",
        class: SpecialValues,
        says: "Floats divided by negative zero give what they give by zero.",
        operators: DIV,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft onnx hard",
        wrong: float_div!(|t, a, b| match class(t, b) {
            Class::Zero => right(t, a, 0),
            _ => right(t, a, b),
        }),
    },
    Defect {
        id: "zero-by-zero-gives-one",
        class: SpecialValues,
        says: "Zero divided by zero gives one.",
        operators: DIV,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: float_div!(|t, a, b| match (class(t, a), class(t, b)) {
            (Class::Zero, Class::Zero) => nearest(t, 1.0),
            _ => right(t, a, b),
        }),
    },
    Defect {
        id: "infinity-by-infinity-gives-one",
        class: SpecialValues,
        says: "An infinity divided by an infinity gives one.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx openvino onnx",
        wrong: float_div!(|t, a, b| match (class(t, a), class(t, b)) {
            (Class::Infinite, Class::Infinite) => nearest(t, 1.0),
            _ => right(t, a, b),
        }),
    },
    Defect {
        id: "nan-operands-taken-for-zero",
        class: SpecialValues,
        says: "Operands that are NaN count as zero.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx openvino onnx hard",
        wrong: float_div!(|t, a, b| right(t, number_or_zero(t, a), number_or_zero(t, b))),
    },
    Defect {
        id: "overflow-saturates",
        class: SpecialValues,
        says: "Quotients too large for the type become its largest number.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: float_div!(|t, a, b| {
            let is_finite = |bits| !matches!(class(t, bits), Class::Infinite | Class::Nan);
            let result = right(t, a, b);
            match class(t, result) {
                Class::Infinite if is_finite(a) && class(t, b) != Class::Zero => result - 1,
                _ => result,
            }
        }),
    },
    Defect {
        id: "subnormal-dividends-and-divisors-flushed",
        class: SpecialValues,
        says: "Subnormal dividends and divisors are flushed to zero.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx hard stratified",
        wrong: float_div!(|t, a, b| right(t, flushed(t, a), flushed(t, b))),
    },
    Defect {
        id: "subnormal-radicands-flushed",
        class: SpecialValues,
        says: "The roots of subnormal numbers are zero.",
        operators: ROOTS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: root!(|t, x| sqrt(t, flushed(t, x))),
    },
    Defect {
        id: "negative-radicands-clamped",
        class: SpecialValues,
        says: "The roots of negative numbers are zero.",
        operators: ROOTS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: root!(|t, x| {
            let is_below = value(t, x) < 0.0;
            if is_below { 0 } else { round(format(t), value(t, x).sqrt(), Mode::TiesToEven) }
        }),
    },
    Defect {
        id: "minimum-by-minus-one-traps",
        class: SpecialValues,
        says: "The smallest integer divided by -1 ends the process, as the machine's instruction \
               does.",
        operators: DIVISIONS,
        types: SIGNED,
        caught_by: "sonnx openvino",
        wrong: Wrong::Tensors(|request, right| {
            let is_such = |dtype: DType, a, b| {
                b == -1 && div(dtype, a as u64, 1) == Some(a as u64) && a == least(dtype)
            };
            if divides(request, is_such) { trap("signal 8 (SIGFPE)") } else { right }
        }),
    },
    Defect {
        id: "integer-by-zero-traps",
        class: SpecialValues,
        says: "An integer divided by zero ends the process.",
        operators: DIVISIONS,
        types: INTS,
        caught_by: "sonnx sonnx-draft openvino",
        wrong: Wrong::Tensors(|request, right| {
            if divides(request, |_, _, b| b == 0) { trap("signal 8 (SIGFPE)") } else { right }
        }),
    },
    Defect {
        id: "nan-operands-refused",
        class: SpecialValues,
        says: "Operands with a NaN among them are refused.",
        operators: ALL,
        types: FLOATS,
        caught_by: "sonnx openvino onnx exhaustive hard",
        wrong: Wrong::Tensors(|request, right| {
            let has_nan = request.operands.iter().any(|operand| {
                let dtype = operand.dtype();
                matches!(dtype.kind(), Kind::Float(_))
                    && (0..operand.elements())
                        .filter_map(|k| operand.element(k))
                        .any(|bits| class(dtype, bits as u64) == Class::Nan)
            });
            if has_nan { refused(RefusalKind::Error, "an operand is NaN") } else { right }
        }),
    },
];

/// The smallest integer of a signed type; 1 of an unsigned one, which is not -1 times anything.
fn least(dtype: DType) -> i128 {
    match dtype.kind() {
        Kind::Int { signed: true, bits } => -(1 << (bits - 1)),
        _ => 1,
    }
}
