//! Pow computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{Arithmetic, SpecialValues};
use onnx_conformance::dtype::DType::{self, Float32, Int32, Int64};
use onnx_conformance::dtype::integer;
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, is_float, nearest, value};
use crate::request::elementwise;
use crate::types::FLOATS;

const POW: &[&str] = &["Pow"];

/// Another power of floats whose exponents have the type of the bases.
macro_rules! power {
    (|$dtype:ident, $x:ident, $y:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let types: Vec<DType> =
                request.operands.iter().map(|operand| operand.dtype()).collect();
            if types.windows(2).any(|pair| pair[0] != pair[1])
                || !types.iter().all(|of| is_float(*of))
            {
                return right;
            }
            elementwise(request, right, |$dtype, operands, $right| {
                let ($x, $y) = (operands[0], operands[1]);
                $result
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "pow-of-nan-to-0-is-nan",
        class: SpecialValues,
        says: "Whatever has a NaN is a NaN, x^0 and 1^y too.",
        operators: POW,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: power!(|t, x, y, right| match [x, y].map(|bits| class(t, bits)) {
            [Class::Nan, _] | [_, Class::Nan] => nearest(t, f64::NAN),
            _ => right,
        }),
    },
    Defect {
        id: "pow-loses-the-sign-of-zero",
        class: SpecialValues,
        says: "Odd powers of -0 are those of +0.",
        operators: POW,
        types: FLOATS,
        caught_by: "sonnx onnx hard",
        wrong: power!(|t, x, y, right| match class(t, x) {
            Class::Zero => nearest(t, libm::pow(0.0, value(t, y))),
            _ => right,
        }),
    },
    Defect {
        id: "pow-by-a-single-half-is-a-root",
        class: SpecialValues,
        says: "Where 0.5 is the exponent of many numbers, it is their square root, which of -0 and -infinity is another number.",
        operators: POW,
        types: FLOATS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if !request.has_one_number_for_many() {
                return right;
            }
            elementwise(request, right, |t, operands, right| match operands {
                [x, y] if is_float(t) && value(t, *y) == 0.5 => match class(t, *x) {
                    Class::Zero | Class::Infinite => nearest(t, value(t, *x).sqrt()),
                    _ => right,
                },
                _ => right,
            })
        }),
    },
    Defect {
        id: "pow-truncates-exponents",
        class: Arithmetic,
        says: "Exponents are taken as integers.",
        operators: POW,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: power!(|t, x, y, right| {
            let (base, exponent) = (value(t, x), value(t, y));
            if exponent == exponent.trunc() || !exponent.is_finite() {
                right
            } else {
                nearest(t, libm::pow(base, exponent.trunc()))
            }
        }),
    },
    Defect {
        id: "pow-of-negative-numbers-is-nan",
        class: Arithmetic,
        says: "It is e^(y ln x), so that a negative number has no power.",
        operators: POW,
        types: FLOATS,
        caught_by: "sonnx onnx hard stratified",
        wrong: power!(|t, x, y, right| {
            let number = value(t, x);
            let is_ordinary = number < 0.0 && number.is_finite() && value(t, y) != 0.0;
            if is_ordinary && value(t, y).is_finite() { nearest(t, f64::NAN) } else { right }
        }),
    },
    Defect {
        id: "pow-by-logarithm-in-float32",
        class: Arithmetic,
        says: "It is e^(y ln |x|) in float32, whose product loses what a large power needs.",
        operators: POW,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: power!(|t, x, y, right| match t {
            Float32 if value(t, x) > 0.0 && value(t, x).is_finite() && value(t, y).is_finite() => {
                let product = value(t, y) as f32 * libm::log(value(t, x)) as f32;
                nearest(t, libm::exp(product.into()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "integer-powers-in-float32",
        class: Arithmetic,
        says: "Powers of integers are computed in float32.",
        operators: POW,
        types: &[Int32, Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |t, _, right| match t {
                Int32 => (integer(right.into(), true, 32) as f32) as i32 as u32 as u64,
                Int64 => (integer(right.into(), true, 64) as f32) as i64 as u64,
                _ => right,
            })
        }),
    },
];
