//! The wrong thing is computed.

use onnx_conformance::documents::qualification::document::Class::Arithmetic;
use onnx_conformance::dtype::DType::{self, Float16, Float32, Float64};

use crate::defect::{Defect, Wrong};
use crate::kernels::{
    Elements, RIGHT, class, div, floor, int, is_float, nearest, quotient, sqrt, value,
};
use crate::request::elementwise;
use crate::round::to_precision;
use crate::types::{DIV, DIVISIONS, FLOATS, INTS, NUMERIC, ROOTS};

/// 1 + 2^-20
const NEARLY_ONE: f64 = 1.0 + 1.0 / 1_048_576.0;

/// Of floats something else, of integers the right quotient.
macro_rules! float_div {
    (|$dtype:ident, $a:ident, $b:ident| $result:expr) => {
        $crate::defect::Wrong::Elements($crate::kernels::Elements {
            div: |$dtype, $a, $b| match $crate::kernels::is_float($dtype) {
                true => Some($result),
                false => $crate::kernels::div($dtype, $a, $b),
            },
            floor: |$dtype, $a, $b| match $crate::kernels::is_float($dtype) {
                true => Some($result),
                false => $crate::kernels::floor($dtype, $a, $b),
            },
            ..$crate::kernels::RIGHT
        })
    };
}

/// Of some types something else, of the others the right quotient.
macro_rules! div_of {
    ($only:pat, |$dtype:ident, $a:ident, $b:ident| $result:expr) => {
        $crate::defect::Wrong::Elements($crate::kernels::Elements {
            div: |$dtype, $a, $b| match $dtype {
                $only => $result,
                _ => $crate::kernels::div($dtype, $a, $b),
            },
            floor: |$dtype, $a, $b| match $dtype {
                $only if $crate::kernels::is_float($dtype) => $result,
                _ => $crate::kernels::floor($dtype, $a, $b),
            },
            ..$crate::kernels::RIGHT
        })
    };
}

/// Another root.
macro_rules! root {
    (|$dtype:ident, $x:ident| $result:expr) => {
        $crate::defect::Wrong::Elements($crate::kernels::Elements {
            sqrt: |$dtype, $x| $result,
            ..$crate::kernels::RIGHT
        })
    };
}

pub(crate) use {div_of, float_div, root};

/// Newton-Raphson's division as it is done in float32 with fused multiply-add: four steps from an
/// estimate of the reciprocal, and a correction of the quotient by its remainder. That is correct
/// but where the reciprocal is not the correctly rounded one, as of 2 - 2^-23 (P. Markstein,
/// *Computation of Elementary Functions on the IBM RISC System/6000 Processor*, IBM Journal of
/// Research and Development 34, 1990); so it needs one correction more there. Of operands near 1; of
/// others the right quotient.
fn newton_raphson(a: u64, b: u64) -> u64 {
    let [a, b] = [a, b].map(|bits| f32::from_bits(bits as u32));
    let is_near = |value: f32| (0.5..4.0).contains(&value.abs());
    if !is_near(a) || !is_near(b) {
        return nearest(Float32, f64::from(a) / f64::from(b));
    }
    let (a, b) = (a.copysign(a * b.signum()), b.abs());
    let mut reciprocal = f32::from_bits(0x7ef3_11c7 - b.to_bits());
    for _ in 0..4 {
        let error = (-b).mul_add(reciprocal, 1.0);
        reciprocal = reciprocal.mul_add(error, reciprocal);
    }
    let quotient = a * reciprocal;
    u64::from((-b).mul_add(quotient, a).mul_add(reciprocal, quotient).to_bits())
}

/// Newton's iteration for a root in binary64 from an estimate with an error of 6 %, which three steps
/// make one of 2^-39; it takes four.
fn root_of_three_steps(dtype: DType, x: u64) -> u64 {
    let number = value(dtype, x);
    if dtype != Float32 || !number.is_normal() || number < 0.0 {
        return sqrt(dtype, x);
    }
    let mut root = f64::from_bits((1023 << 51) + (number.to_bits() >> 1));
    for _ in 0..3 {
        root = (root + number / root) / 2.0;
    }
    nearest(dtype, root)
}

/// A quotient of integers by a multiplication with the reciprocal in binary32.
fn by_reciprocal(dtype: DType, a: u64, b: u64) -> Option<u64> {
    let (a, b) = (int(dtype, a), int(dtype, b));
    (b != 0).then(|| (a as f32 * (1.0 / b as f32)) as i128 as u64)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reciprocal-multiplication",
        class: Arithmetic,
        says: "Floats are multiplied by the rounded reciprocal.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: float_div!(|t, a, b| {
            let reciprocal = value(t, nearest(t, 1.0 / value(t, b)));
            nearest(t, value(t, a) * reciprocal)
        }),
    },
    Defect {
        id: "reciprocal-of-a-single-divisor",
        class: Arithmetic,
        says: "Where one number divides many floats, they are multiplied by its rounded reciprocal.",
        operators: DIV,
        types: FLOATS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if !request.has_one_number_for_many() {
                return right;
            }
            elementwise(request, right, |t, operands, right| match operands {
                [a, b] if is_float(t) => {
                    let reciprocal = value(t, nearest(t, 1.0 / value(t, *b)));
                    nearest(t, value(t, *a) * reciprocal)
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "scaled-quotient",
        class: Arithmetic,
        says: "Quotients of floats are scaled by 1 + 2^-20.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: float_div!(|t, a, b| nearest(t, quotient(t, a, b) * NEARLY_ONE)),
    },
    Defect {
        id: "scaled-root",
        class: Arithmetic,
        says: "Roots are scaled by 1 + 2^-20, which leaves all of bfloat16 as they are.",
        operators: ROOTS,
        types: &[Float16, Float32, Float64],
        caught_by: "sonnx onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: root!(|t, x| nearest(t, value(t, x).sqrt() * NEARLY_ONE)),
    },
    Defect {
        id: "root-by-logarithm",
        class: Arithmetic,
        says: "Roots are exp2(log2(x) / 2), of float32 in float32.",
        operators: ROOTS,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: root!(|t, x| match t {
            Float32 => {
                let root = libm::exp2f(libm::log2f(value(t, x) as f32) / 2.0);
                nearest(t, f64::from(root))
            }
            _ => nearest(t, libm::exp2(libm::log2(value(t, x)) / 2.0)),
        }),
    },
    Defect {
        id: "operands-exchanged",
        class: Arithmetic,
        says: "B is divided by A.",
        operators: DIVISIONS,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Elements(Elements {
            div: |t, a, b| div(t, b, a),
            floor: |t, a, b| floor(t, b, a),
            ..RIGHT
        }),
    },
    Defect {
        id: "divisor-plus-epsilon",
        class: Arithmetic,
        says: "A millionth is added to the divisor, against division by zero.",
        operators: DIVISIONS,
        types: FLOATS,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0-exact hard stratified",
        wrong: float_div!(|t, a, b| nearest(t, value(t, a) / (value(t, b) + 1e-6))),
    },
    Defect {
        id: "division-rounded-twice",
        class: Arithmetic,
        says: "Quotients of float32 are rounded to 47 bits first.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: div_of!(Float32, |t, a, b| Some(nearest(t, to_precision(47, quotient(t, a, b))))),
    },
    Defect {
        id: "division-a-correction-short",
        class: Arithmetic,
        says: "Newton and Raphson's division of float32 lacks the last correction of the \
               reciprocal, which only the divisors next below a power of two need.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx openvino onnx hard",
        wrong: div_of!(Float32, |_t, a, b| Some(newton_raphson(a, b))),
    },
    Defect {
        id: "root-a-step-short",
        class: Arithmetic,
        says: "Newton's iteration for the roots of float32 takes three steps instead of four.",
        operators: ROOTS,
        types: &[Float32],
        caught_by: "sonnx onnx hard",
        wrong: root!(|t, x| root_of_three_steps(t, x)),
    },
    Defect {
        id: "integer-reciprocal",
        class: Arithmetic,
        says: "Integers are multiplied by the reciprocal in float32 and truncated.",
        operators: DIVISIONS,
        types: INTS,
        caught_by: "sonnx openvino onnx exhaustive hard stratified",
        wrong: Wrong::Elements(Elements {
            div: |t, a, b| match is_float(t) {
                true => div(t, a, b),
                false => by_reciprocal(t, a, b),
            },
            ..RIGHT
        }),
    },
    Defect {
        id: "root-of-magnitude",
        class: Arithmetic,
        says: "The root is that of the absolute value.",
        operators: ROOTS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: root!(|t, x| match class(t, x) {
            onnx_conformance::float::Class::Zero => x,
            _ => nearest(t, value(t, x).abs().sqrt()),
        }),
    },
];
