//! Mod computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float16, Float32, Int32, Int64, Uint32, Uint64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, int, is_float, nearest, value};
use crate::request::{Request, elementwise};
use crate::types::{FLOATS, SIGNED};

const MOD: &[&str] = &["Mod"];

fn is_fmod(request: &Request<'_>) -> bool {
    request.attributes.get("fmod") == Some(&Attribute::Int(1))
}

/// Another remainder.
macro_rules! remainder {
    (|$dtype:ident, $a:ident, $b:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, operands, $right| {
                let ($a, $b) = (operands[0], operands[1]);
                $result
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "remainder-of-the-processor",
        class: Arithmetic,
        says: "Remainders of integers have the sign of the dividend, as those of processors.",
        operators: MOD,
        types: SIGNED,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match t.kind() {
                Kind::Int { signed: true, .. } => {
                    (int(t, operands[0]) % int(t, operands[1])) as u64
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "remainder-never-negative",
        class: Arithmetic,
        says: "Remainders of integers are those of Euclid, which are not negative.",
        operators: MOD,
        types: SIGNED,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match t.kind() {
                Kind::Int { signed: true, .. } => {
                    int(t, operands[0]).rem_euclid(int(t, operands[1])) as u64
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "remainder-of-a-single-divisor-by-its-reciprocal",
        class: Arithmetic,
        says: "Where one number divides many integers of 32 bits or more, quotients are products with its reciprocal in float32.",
        operators: MOD,
        types: &[Int32, Int64, Uint32, Uint64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) || !request.has_one_number_for_many() {
                return right;
            }
            elementwise(request, right, |t, operands, right| match t.kind() {
                Kind::Int { bits: 32.., .. } => {
                    let [a, b] = [0, 1].map(|at| int(t, operands[at]));
                    let quotient = (a as f32 * (1.0 / b as f32)).floor() as i128;
                    (a - quotient * b) as u64
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "float-remainder-with-the-divisors-sign",
        class: Arithmetic,
        says: "Remainders of floats have the sign of the divisor.",
        operators: MOD,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: remainder!(|t, _a, b, right| {
            if !is_float(t) {
                return right;
            }
            let (y, remainder) = (value(t, b), value(t, right));
            let is_other = remainder != 0.0 && (remainder < 0.0) != (y < 0.0);
            if is_other && y.is_finite() { nearest(t, remainder + y) } else { right }
        }),
    },
    Defect {
        id: "float-remainder-with-the-dividends-sign",
        class: Arithmetic,
        says: "Remainders of floats without `fmod` have the sign of the dividend, as before version 28.",
        operators: MOD,
        types: FLOATS,
        caught_by: "onnx hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| {
                if !is_float(t) || class(t, right) == Class::Nan {
                    return right;
                }
                let [x, y] = [0, 1].map(|at| value(t, operands[at]));
                nearest(t, x % y)
            })
        }),
    },
    Defect {
        id: "spent-divisor-is-lost",
        class: Conversion,
        says: "A remainder of floats that rounds to the divisor is 0.",
        operators: MOD,
        types: FLOATS,
        caught_by: "onnx stratified",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| {
                let is_divisor =
                    is_float(t) && right == operands[1] && class(t, right) == Class::Normal;
                if is_divisor { nearest(t, 0.0) } else { right }
            })
        }),
    },
    Defect {
        id: "zero-remainders-without-sign",
        class: SpecialValues,
        says: "Remainders of floats that are zero lose their sign.",
        operators: MOD,
        types: FLOATS,
        caught_by: "onnx hard stratified",
        wrong: remainder!(|t, _a, _b, right| {
            if is_float(t) && class(t, right) == Class::Zero { 0 } else { right }
        }),
    },
    Defect {
        id: "remainder-by-infinity-is-nan",
        class: SpecialValues,
        says: "The remainder by an infinity is NaN, as x - y trunc(x / y) is.",
        operators: MOD,
        types: FLOATS,
        caught_by: "onnx hard",
        wrong: remainder!(|t, _a, b, right| {
            let is_infinite = is_float(t) && class(t, b) == Class::Infinite;
            if is_infinite { nearest(t, f64::NAN) } else { right }
        }),
    },
    Defect {
        id: "remainder-by-a-rounded-quotient",
        class: Conversion,
        says: "Remainders are computed as x - y trunc(x / y), each step rounded.",
        operators: MOD,
        types: &[Float16, Float32],
        caught_by: "onnx hard stratified",
        wrong: remainder!(|t, a, b, right| match t {
            Float16 | Float32
                if class(t, right) != Class::Nan && class(t, b) != Class::Infinite =>
            {
                let step = |value: f64| crate::kernels::value(t, nearest(t, value));
                let (x, y) = (value(t, a), value(t, b));
                nearest(t, x - step(y * step(x / y).trunc()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "remainder-in-float64",
        class: Conversion,
        says: "Remainders of integers of 64 bits are computed in float64.",
        operators: MOD,
        types: &[Int64, Uint64],
        caught_by: "onnx hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if is_fmod(request) {
                return right;
            }
            elementwise(request, right, |t, operands, right| match t {
                Int64 | Uint64 => {
                    let [a, b] = [operands[0], operands[1]].map(|bits| int(t, bits) as f64);
                    (a - b * (a / b).floor()) as i128 as u64
                }
                _ => right,
            })
        }),
    },
];
