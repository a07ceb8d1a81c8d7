//! Sign computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, SpecialValues, TypeHandling,
};
use onnx_conformance::dtype::DType::{Int64, Uint64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::Defect;
use crate::kernels::{class, is_float, nearest, value};
use crate::request::of_one_element;
use crate::types::{FLOATS, UNSIGNED};

const SIGN: &[&str] = &["Sign"];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "one-with-the-sign-bit",
        class: SpecialValues,
        says: "1 comes out with the sign bit of the element, of zeros too.",
        operators: SIGN,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard",
        wrong: of_one_element!(|t, x, right| match is_float(t) && class(t, x) == Class::Zero {
            true => nearest(t, 1_f64.copysign(value(t, x))),
            false => right,
        }),
    },
    Defect {
        id: "subnormals-without-sign",
        class: SpecialValues,
        says: "Subnormal numbers are taken for zeros.",
        operators: SIGN,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(
            |t, x, right| match is_float(t) && class(t, x) == Class::Subnormal {
                true => 0,
                false => right,
            }
        ),
    },
    Defect {
        id: "clamped-to-one",
        class: Arithmetic,
        says: "Numbers between -1 and 1 come out as they are.",
        operators: SIGN,
        types: FLOATS,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match is_float(t) && value(t, x).abs() < 1.0 {
            true => x,
            false => right,
        }),
    },
    Defect {
        id: "upper-half-below-zero",
        class: TypeHandling,
        says: "Unsigned integers of the upper half are taken for negative ones.",
        operators: SIGN,
        types: UNSIGNED,
        caught_by: "onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match t.kind() {
            Kind::Int { signed: false, bits } if x >> (bits - 1) == 1 => u64::MAX,
            _ => right,
        }),
    },
    Defect {
        id: "signs-of-lower-halves",
        class: Conversion,
        says: "Of integers of 64 bits the lower half alone is looked at.",
        operators: SIGN,
        types: &[Int64, Uint64],
        caught_by: "onnx hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Int64 => i64::from(x as i32).signum() as u64,
            Uint64 => u64::from(x as u32 != 0),
            _ => right,
        }),
    },
];
