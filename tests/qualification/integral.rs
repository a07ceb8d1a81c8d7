//! Floor, Ceil and Round computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Rounding, SpecialValues,
};
use onnx_conformance::float::Class;

use crate::defect::Defect;
use crate::kernels::{class, nearest, value};
use crate::request::of_one_element;
use crate::types::FLOATS;

const CEIL: &[&str] = &["Ceil"];
const FLOOR: &[&str] = &["Floor"];
const ROUND: &[&str] = &["Round"];
const ALL: &[&str] = &["Ceil", "Floor", "Round"];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "integers-through-int32",
        class: Conversion,
        says: "Results go through int32, which holds neither NaN, nor infinities, nor -0, nor what is beyond its ends.",
        operators: ALL,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, _x, right| nearest(t, f64::from(value(t, right) as i32))),
    },
    Defect {
        id: "zeros-lose-their-sign",
        class: SpecialValues,
        says: "Every zero comes out as +0.",
        operators: ALL,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, _x, right| if class(t, right) == Class::Zero {
            0
        } else {
            right
        }),
    },
    Defect {
        id: "large-numbers-lose-their-odd-bits",
        class: Rounding,
        says: "Integers are rounded to even ones, as if they were halves.",
        operators: ALL,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match value(t, x) {
            number if number.fract() == 0.0 && number % 2.0 != 0.0 => nearest(t, number + 1.0),
            _ => right,
        }),
    },
    Defect {
        id: "floor-truncates",
        class: Rounding,
        says: "Negative numbers are rounded towards zero.",
        operators: FLOOR,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Nan => right,
            _ => nearest(t, value(t, x).trunc()),
        }),
    },
    Defect {
        id: "floor-of-flushed-numbers",
        class: SpecialValues,
        says: "Subnormal numbers are taken for zeros, so that the floor of a negative one is not -1.",
        operators: FLOOR,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Subnormal => nearest(t, 0_f64.copysign(value(t, x))),
            _ => right,
        }),
    },
    Defect {
        id: "ceil-is-the-floor-and-one",
        class: Rounding,
        says: "One is added to the floor, of integers too.",
        operators: CEIL,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Nan | Class::Infinite => right,
            _ => nearest(t, value(t, x).floor() + 1.0),
        }),
    },
    Defect {
        id: "ceil-of-flushed-numbers",
        class: SpecialValues,
        says: "Subnormal numbers are taken for zeros, so that the ceiling of a positive one is not 1.",
        operators: CEIL,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Subnormal => nearest(t, 0_f64.copysign(value(t, x))),
            _ => right,
        }),
    },
    Defect {
        id: "halves-rounded-away-from-zero",
        class: Rounding,
        says: "Of two integers that are equally near the one away from zero is taken.",
        operators: ROUND,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Nan => right,
            _ => nearest(t, value(t, x).round()),
        }),
    },
    Defect {
        id: "halves-rounded-up",
        class: Rounding,
        says: "The floor of the number and a half is taken.",
        operators: ROUND,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Nan => right,
            _ => nearest(t, (value(t, x) + 0.5).floor().copysign(value(t, x))),
        }),
    },
    Defect {
        id: "half-added-in-the-type",
        class: Rounding,
        says: "A half is added in the operand's own type, which rounds the sum, before it is rounded down.",
        operators: ROUND,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match class(t, x) {
            Class::Nan | Class::Infinite => right,
            _ => {
                let magnitude = value(t, x).abs();
                let sum = value(t, nearest(t, magnitude + 0.5)).floor();
                let is_tie = magnitude.fract() == 0.5;
                let even = if is_tie { magnitude.round_ties_even() } else { sum };
                nearest(t, even.copysign(value(t, x)))
            }
        }),
    },
];
