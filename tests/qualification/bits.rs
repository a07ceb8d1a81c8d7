//! Bits joined and moved wrongly.

use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Conversion};
use onnx_conformance::dtype::DType::{self, Int8, Int16, Int64, Uint64};
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::int;
use crate::request::elementwise;
use crate::types::{INTS, SIGNED};

const JOINED: &[&str] = &["BitwiseAnd", "BitwiseOr", "BitwiseXor"];
const LONG: &[DType] = &[Int64, Uint64];

/// Another function of the operands' bits.
macro_rules! bits {
    (|$dtype:ident, $operands:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |$dtype, $operands, $right| $result)
        })
    };
}

/// Another shift: of its type, whether it is one to the left, the integer and the number of bits.
macro_rules! shift {
    (|$dtype:ident, $left:ident, $x:ident, $by:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let $left =
                request.attributes.get("direction") == Some(&Attribute::Text("LEFT".to_owned()));
            elementwise(request, right, |$dtype, operands, $right| {
                let ($x, $by) = (int($dtype, operands[0]), int($dtype, operands[1]));
                $result
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "bits-as-truth-values",
        class: Arithmetic,
        says: "Numbers other than 0 are true, and the result is a truth value.",
        operators: JOINED,
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            let name = request.operator.name();
            elementwise(request, right, |_, operands, _| {
                let [a, b] = [0, 1].map(|at| operands[at] != 0);
                u64::from(match name {
                    "BitwiseAnd" => a && b,
                    "BitwiseOr" => a || b,
                    _ => a != b,
                })
            })
        }),
    },
    Defect {
        id: "bits-of-64-through-float64",
        class: Conversion,
        says: "Integers of 64 bits are converted to float64 and back.",
        operators: JOINED,
        types: LONG,
        caught_by: "onnx hard stratified",
        wrong: bits!(|t, _operands, right| int(t, right) as f64 as i128 as u64),
    },
    Defect {
        id: "bitwise-and-of-the-lower-half",
        class: Arithmetic,
        says: "The upper half of the bits is that of the first operand.",
        operators: &["BitwiseAnd"],
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|t, operands, right| {
            let half = t.bits().unwrap() / 2;
            right & ((1 << half) - 1) | operands[0] >> half << half
        }),
    },
    Defect {
        id: "bitwise-or-as-sum",
        class: Arithmetic,
        says: "The result is the sum, which differs where both have a bit.",
        operators: &["BitwiseOr"],
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|_t, operands, _right| operands[0].wrapping_add(operands[1])),
    },
    Defect {
        id: "bitwise-xor-as-difference",
        class: Arithmetic,
        says: "The result is the difference, as it is where the first operand has all bits of the second.",
        operators: &["BitwiseXor"],
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|_t, operands, _right| operands[0].wrapping_sub(operands[1])),
    },
    Defect {
        id: "complement-as-negation",
        class: Arithmetic,
        says: "BitwiseNot changes the sign.",
        operators: &["BitwiseNot"],
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|_t, operands, _right| operands[0].wrapping_neg()),
    },
    Defect {
        id: "complement-as-truth-value",
        class: Arithmetic,
        says: "BitwiseNot is 1 of 0 and 0 of everything else.",
        operators: &["BitwiseNot"],
        types: INTS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|_t, operands, _right| u64::from(operands[0] == 0)),
    },
    Defect {
        id: "complement-without-the-sign",
        class: Arithmetic,
        says: "BitwiseNot keeps the sign.",
        operators: &["BitwiseNot"],
        types: SIGNED,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: bits!(|t, _operands, right| right ^ 1 << (t.bits().unwrap() - 1)),
    },
    Defect {
        id: "shift-modulo-width",
        class: Arithmetic,
        says: "Only the lowest bits of a number of bits count, as processors have it.",
        operators: &["BitShift"],
        types: INTS,
        caught_by: "onnx",
        wrong: shift!(|t, left, x, by, _right| {
            let by = by.rem_euclid(t.bits().unwrap().into());
            (if left { x << by } else { x >> by }) as u64
        }),
    },
    Defect {
        id: "shift-to-the-right-without-the-sign",
        class: Arithmetic,
        says: "Zeros follow in a shift to the right, whatever the sign.",
        operators: &["BitShift"],
        types: SIGNED,
        caught_by: "onnx",
        wrong: shift!(|t, left, x, by, right| {
            let width = t.bits().unwrap();
            match u32::try_from(by) {
                Ok(by) if by < width && !left => (x as u64 & (u64::MAX >> (64 - width))) >> by,
                _ => right,
            }
        }),
    },
    Defect {
        id: "shift-of-short-integers-with-the-sign-kept",
        class: Arithmetic,
        says: "A shift to the left of an integer of 8 or 16 bits ends at the greatest number of its sign.",
        operators: &["BitShift"],
        types: &[Int8, Int16],
        caught_by: "onnx",
        wrong: shift!(|t, left, x, by, right| {
            let ends = -(1_i128 << (t.bits().unwrap() - 1))..1 << (t.bits().unwrap() - 1);
            match u32::try_from(by) {
                Ok(by @ ..=15) if left => (x << by).clamp(ends.start, ends.end - 1) as u64,
                _ => right,
            }
        }),
    },
    Defect {
        id: "shift-by-any-number-is-nothing",
        class: Arithmetic,
        says: "A shift to the right by as many bits as there are, or more, gives 0.",
        operators: &["BitShift"],
        types: SIGNED,
        caught_by: "onnx",
        wrong: shift!(|t, left, _x, by, right| {
            let is_beyond = !(0..i128::from(t.bits().unwrap())).contains(&by);
            if !left && is_beyond { 0 } else { right }
        }),
    },
];
