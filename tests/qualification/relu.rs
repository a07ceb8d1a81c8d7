//! Relu computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, TypeHandling,
};
use onnx_conformance::dtype::DType::{Int8, Int64};
use onnx_conformance::float::Class;

use crate::defect::Defect;
use crate::kernels::{class, int, is_float, nearest, value};
use crate::request::of_one_element;
use crate::types::FLOATS;

const RELU: &[&str] = &["Relu"];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "product-with-the-condition",
        class: Arithmetic,
        says: "The element is multiplied by whether it is above zero: -0 of negative numbers, NaN of -inf.",
        operators: RELU,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match is_float(t) && class(t, x) != Class::Nan {
            true => nearest(t, value(t, x) * f64::from(value(t, x) > 0.0)),
            false => right,
        }),
    },
    Defect {
        id: "rectifier-leaks",
        class: Arithmetic,
        says: "A hundredth of what is below zero comes out.",
        operators: RELU,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match is_float(t) && value(t, x) < 0.0 {
            true => nearest(t, value(t, x) * 0.01),
            false => right,
        }),
    },
    Defect {
        id: "rectified-numbers-capped",
        class: Arithmetic,
        says: "No float comes out above 6.",
        operators: RELU,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| match is_float(t) && value(t, x) > 6.0 {
            true => nearest(t, 6.0),
            false => right,
        }),
    },
    Defect {
        id: "bytes-rectified-without-sign",
        class: TypeHandling,
        says: "Integers of 8 bits are taken for unsigned ones, of which none is below zero.",
        operators: RELU,
        types: &[Int8],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: of_one_element!(|t, x, right| if t == Int8 { x } else { right }),
    },
    Defect {
        id: "int64-rectified-in-float64",
        class: Conversion,
        says: "Elements of int64 go through float64.",
        operators: RELU,
        types: &[Int64],
        caught_by: "sonnx onnx hard stratified",
        wrong: of_one_element!(|t, x, right| match t {
            Int64 => (int(t, x) as f64).max(0.0) as i64 as u64,
            _ => right,
        }),
    },
];
