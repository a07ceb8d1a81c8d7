//! Max and Min computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, is_float};
use crate::request::elementwise;
use crate::types::SIGNED;

const MAX: &[&str] = &["Max"];
const MIN: &[&str] = &["Min"];

/// Another extremum.
macro_rules! extremum {
    (|$dtype:ident, $all:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| elementwise(request, right, |$dtype, $all, $right| $result))
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "largest-number-beside-nan",
        class: SpecialValues,
        says: "A NaN beside a number vanishes.",
        operators: MAX,
        types: &[Float16, Float32, Float64],
        caught_by: "sonnx",
        wrong: extremum!(|t, all, right| {
            let is_nan = |bits: &&u64| is_float(t) && class(t, **bits) == Class::Nan;
            match (all.iter().find(is_nan), all) {
                (Some(_), &[a, b]) if is_nan(&&a) => b,
                (Some(_), &[a, _]) => a,
                _ => right,
            }
        }),
    },
    Defect {
        id: "first-of-two-zeros",
        class: SpecialValues,
        says: "Of two zeros the first is the largest, whatever its sign.",
        operators: MAX,
        types: &[Float16, Float32, Float64],
        caught_by: "sonnx",
        wrong: extremum!(|t, all, right| {
            let is_zero = is_float(t) && class(t, right) == Class::Zero;
            let zero = all.iter().find(|bits| is_zero && class(t, **bits) == Class::Zero);
            *zero.unwrap_or(&right)
        }),
    },
    Defect {
        id: "largest-of-signed-by-bits",
        class: Arithmetic,
        says: "Signed integers are compared by their bits, so that negative ones are the largest.",
        operators: MAX,
        types: SIGNED,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: extremum!(|t, all, right| match t.kind() {
            Kind::Int { signed: true, .. } => *all.iter().max().unwrap(),
            _ => right,
        }),
    },
    Defect {
        id: "smallest-of-signed-by-bits",
        class: Arithmetic,
        says: "Signed integers are compared by their bits, so that negative ones are the largest.",
        operators: MIN,
        types: &[Int8, Int16, Int32, Int64],
        caught_by: "onnx exhaustive hard stratified",
        wrong: extremum!(|t, all, right| match t.kind() {
            Kind::Int { signed: true, .. } => *all.iter().min().unwrap(),
            _ => right,
        }),
    },
    Defect {
        id: "largest-in-float64",
        class: Conversion,
        says: "Integers of 64 bits are compared in float64, and of equal ones the first is taken.",
        operators: MAX,
        types: &[Int64, Uint64],
        caught_by: "onnx",
        wrong: extremum!(|t, all, right| {
            let value = |bits: u64| match t {
                Int64 => bits.cast_signed() as f64,
                _ => bits as f64,
            };
            let of = |bits: &u64| matches!(t, Int64 | Uint64) && value(*bits) == value(right);
            *all.iter().find(|bits| of(bits)).unwrap_or(&right)
        }),
    },
    Defect {
        id: "first-two-alone",
        class: Arithmetic,
        says: "Of more than two inputs the first two alone are looked at.",
        operators: MIN,
        types: &[Float32, Int8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let is_long = request.operands.len() > 2;
            let of_one_shape = request.shapes().windows(2).all(|pair| pair[0] == pair[1]);
            if !is_long || !of_one_shape || !matches!(request.dtype(), Float32 | Int8) {
                return right;
            }
            let mut shorter = request.clone();
            shorter.operands.truncate(2);
            shorter.computed()
        }),
    },
];
