//! Abs computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Conversion, SpecialValues, TypeHandling,
};
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Int64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::Defect;
use crate::kernels::{class, int, is_float, value};
use crate::request::of_one_element;
use crate::types::{FLOATS, UNSIGNED};

const ABS: &[&str] = &["Abs"];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "minus-zero-is-not-below-zero",
        class: SpecialValues,
        says: "What is below zero is negated, which -0 is not: it keeps its sign.",
        operators: ABS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| {
            let is_kept = is_float(t) && class(t, x) == Class::Zero;
            if is_kept { x } else { right }
        }),
    },
    Defect {
        id: "half-floats-without-sign-as-integers",
        class: Conversion,
        says: "Floats of 16 bits are taken for integers of as many, of which the negative ones are negated.",
        operators: ABS,
        types: &[Bfloat16, Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Bfloat16 | Float16 => u64::from((x as u16 as i16).unsigned_abs()),
            _ => right,
        }),
    },
    Defect {
        id: "infinities-become-the-largest-number",
        class: SpecialValues,
        says: "The magnitude of an infinity is the largest number.",
        operators: ABS,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match is_float(t) && value(t, x).is_infinite() {
            true => right - 1,
            false => right,
        }),
    },
    Defect {
        id: "int64-magnitudes-in-float64",
        class: Conversion,
        says: "Magnitudes of int64 are computed in float64.",
        operators: ABS,
        types: &[Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Int64 => (int(t, x) as f64).abs() as i64 as u64,
            _ => right,
        }),
    },
    Defect {
        id: "unsigned-integers-taken-for-signed-ones",
        class: TypeHandling,
        says: "Unsigned integers of the upper half are taken for negative ones.",
        operators: ABS,
        types: UNSIGNED,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: of_one_element!(|t, x, right| match t.kind() {
            Kind::Int { signed: false, bits } if x >> (bits - 1) == 1 => x.wrapping_neg(),
            _ => right,
        }),
    },
];
