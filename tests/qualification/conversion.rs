//! A value goes through a type that does not hold it.

use onnx_conformance::documents::qualification::document::Class::Conversion;
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int16, Int32, Int64, Uint16, Uint32, Uint64,
};

use crate::arithmetic::{div_of, root};
use crate::defect::Defect;
use crate::kernels::{div, int, nearest, sqrt, value};
use crate::round::to_precision;
use crate::types::{DIVISIONS, ROOTS, WIDE_FLOATS};

/// The element after a conversion to another type and back.
fn through(narrow: DType, dtype: DType, bits: u64) -> u64 {
    nearest(dtype, value(narrow, nearest(narrow, value(dtype, bits))))
}

/// A quotient of integers that are converted to a float type, divided there, and truncated.
fn in_floats(narrow: DType, dtype: DType, a: u64, b: u64) -> Option<u64> {
    let (a, b) = (int(dtype, a), int(dtype, b));
    let converted = |number: i128| nearest(narrow, number as f64);
    let quotient = || value(narrow, div(narrow, converted(a), converted(b)).unwrap_or_default());
    (b != 0).then(|| quotient() as i128 as u64)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "division-of-operands-through-float16",
        class: Conversion,
        says: "Dividends and divisors of float32 and float64 go through float16.",
        operators: DIVISIONS,
        types: WIDE_FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: div_of!(Float32 | Float64, |t, a, b| {
            div(t, through(Float16, t, a), through(Float16, t, b))
        }),
    },
    Defect {
        id: "quotient-through-float16",
        class: Conversion,
        says: "Quotients of float32 and float64 go through float16.",
        operators: DIVISIONS,
        types: WIDE_FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: div_of!(Float32 | Float64, |t, a, b| {
            div(t, a, b).map(|quotient| through(Float16, t, quotient))
        }),
    },
    Defect {
        id: "root-of-operand-through-float16",
        class: Conversion,
        says: "Radicands of float32 and float64 go through float16.",
        operators: ROOTS,
        types: WIDE_FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: root!(|t, x| match t {
            Float32 | Float64 => sqrt(t, through(Float16, t, x)),
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "root-through-float16",
        class: Conversion,
        says: "Roots of float32 and float64 go through float16.",
        operators: ROOTS,
        types: WIDE_FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: root!(|t, x| match t {
            Float32 | Float64 => through(Float16, t, sqrt(t, x)),
            _ => sqrt(t, x),
        }),
    },
    Defect {
        id: "float32-operands-of-11-bits",
        class: Conversion,
        says: "Dividends and divisors of float32 are rounded to 11 bits, as tensor cores take them.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: div_of!(Float32, |t, a, b| {
            let [a, b] = [a, b].map(|bits| to_precision(11, value(t, bits)));
            Some(nearest(t, a / b))
        }),
    },
    Defect {
        id: "float32-quotient-through-bfloat16",
        class: Conversion,
        says: "Quotients of float32 go through bfloat16.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: div_of!(Float32, |t, a, b| {
            div(t, a, b).map(|quotient| through(Bfloat16, t, quotient))
        }),
    },
    Defect {
        id: "bfloat16-quotient-through-float16",
        class: Conversion,
        says: "Quotients of bfloat16 go through float16, whose exponents are fewer.",
        operators: DIVISIONS,
        types: &[Bfloat16],
        caught_by: "openvino onnx hard stratified",
        wrong: div_of!(Bfloat16, |t, a, b| {
            div(t, a, b).map(|quotient| through(Float16, t, quotient))
        }),
    },
    Defect {
        id: "64-bit-integers-as-float64",
        class: Conversion,
        says: "Integers of 64 bits are divided as float64.",
        operators: DIVISIONS,
        types: &[Int64, Uint64],
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: div_of!(Int64 | Uint64, |t, a, b| in_floats(Float64, t, a, b)),
    },
    Defect {
        id: "32-bit-integers-as-float32",
        class: Conversion,
        says: "Integers of 32 bits are divided as float32.",
        operators: DIVISIONS,
        types: &[Int32, Uint32],
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: div_of!(Int32 | Uint32, |t, a, b| in_floats(Float32, t, a, b)),
    },
    Defect {
        id: "16-bit-integers-as-float16",
        class: Conversion,
        says: "Integers of 16 bits are divided as float16.",
        operators: DIVISIONS,
        types: &[Int16, Uint16],
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: div_of!(Int16 | Uint16, |t, a, b| in_floats(Float16, t, a, b)),
    },
];
