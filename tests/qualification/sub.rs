//! Sub computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Broadcasting, Conversion, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Float32, Int64, Uint64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, int, is_float, nearest, value};
use crate::request::elementwise;
use crate::round::{Mode, round};
use crate::types::{FLOATS, INTS, UNSIGNED};

const SUB: &[&str] = &["Sub"];

/// Another difference.
macro_rules! difference {
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
        id: "differences-with-ties-away",
        class: Rounding,
        says: "Differences halfway between two numbers are rounded away from zero.",
        operators: SUB,
        types: &[Bfloat16, Float16, Float32],
        caught_by: "sonnx onnx onnx-1.22.0-exact hard stratified",
        wrong: difference!(|t, a, b, right| {
            let is_of = |bits| class(t, bits) != Class::Zero;
            match matches!(t, Bfloat16 | Float16 | Float32) && is_of(right) {
                true => round(format(t), value(t, a) - value(t, b), Mode::TiesAway),
                false => right,
            }
        }),
    },
    Defect {
        id: "differences-of-equal-infinities-are-zero",
        class: SpecialValues,
        says: "An infinity less itself is zero.",
        operators: SUB,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: difference!(|t, a, b, right| {
            if is_float(t) && a == b && class(t, a) == Class::Infinite { 0 } else { right }
        }),
    },
    Defect {
        id: "zero-less-zero-is-negative-zero",
        class: SpecialValues,
        says: "A difference that is zero has the sign of the second operand, flipped.",
        operators: SUB,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0-exact hard",
        wrong: difference!(|t, _a, b, right| {
            let is_zero = is_float(t) && class(t, right) == Class::Zero;
            if is_zero { nearest(t, -0_f64.copysign(value(t, b))) } else { right }
        }),
    },
    Defect {
        id: "unsigned-differences-stop-at-zero",
        class: Arithmetic,
        says: "Differences of unsigned integers below zero are zero.",
        operators: SUB,
        types: UNSIGNED,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: difference!(|t, a, b, right| match t.kind() {
            Kind::Int { signed: false, .. } if a < b => 0,
            _ => right,
        }),
    },
    Defect {
        id: "differences-of-magnitudes",
        class: Arithmetic,
        says: "The smaller integer is subtracted from the larger one.",
        operators: SUB,
        types: INTS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: difference!(|t, a, b, right| match t.kind() {
            Kind::Int { .. } => int(t, a).abs_diff(int(t, b)) as u64,
            _ => right,
        }),
    },
    Defect {
        id: "long-differences-in-float64",
        class: Conversion,
        says: "Differences of integers of 64 bits are computed in float64.",
        operators: SUB,
        types: &[Int64, Uint64],
        caught_by: "sonnx onnx hard stratified",
        wrong: difference!(|t, a, b, right| match t {
            Int64 | Uint64 => (int(t, a) as f64 - int(t, b) as f64) as i128 as u64,
            _ => right,
        }),
    },
    Defect {
        id: "broadcast-operands-exchanged",
        class: Broadcasting,
        says: "Where the first operand is broadcast, it is subtracted from the second, as if the order did not matter.",
        operators: SUB,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let shapes = request.shapes();
            let is_broadcast =
                shapes[0].iter().product::<usize>() < shapes[1].iter().product::<usize>();
            elementwise(request, right, |t, _, right| match t {
                Float32 if is_broadcast => nearest(t, -value(t, right)),
                _ => right,
            })
        }),
    },
];
