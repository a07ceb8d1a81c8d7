//! LeakyRelu and PRelu computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Rounding, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bfloat16, Float16, Int32, Int64};
use onnx_conformance::float::Class;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, int, is_float, nearest, value};
use crate::request::{Request, elementwise};
use crate::round::{Mode, round};
use crate::types::FLOATS;

const LEAKYRELU: &[&str] = &["LeakyRelu"];
const PRELU: &[&str] = &["PRelu"];

/// The factor of a request, as float32 has it.
fn alpha(request: &Request<'_>) -> f32 {
    match request.attributes.get("alpha") {
        Some(Attribute::Float(alpha)) => *alpha,
        _ => 0.01,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "default-of-a-tenth",
        class: Arithmetic,
        says: "Where `alpha` is not given, it is a tenth.",
        operators: LEAKYRELU,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            if request.attributes.contains_key("alpha") {
                return right;
            }
            let mut other = request.clone();
            other.attributes.insert("alpha".to_owned(), Attribute::Float(0.1));
            match right {
                onnx_conformance::backend::Outcome::Outputs(_) => other.computed(),
                refused => refused,
            }
        }),
    },
    Defect {
        id: "leaks-towards-zero",
        class: Rounding,
        says: "Products of float16 and bfloat16 are rounded towards zero.",
        operators: LEAKYRELU,
        types: &[Bfloat16, Float16],
        caught_by: "sonnx onnx exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            let alpha = f64::from(alpha(request));
            elementwise(request, right, |t, operands, right| match t {
                Bfloat16 | Float16 if value(t, operands[0]) < 0.0 => {
                    round(format(t), alpha * value(t, operands[0]), Mode::TowardsZero)
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "largest-of-element-and-leak",
        class: Arithmetic,
        says: "The result is the larger of the element and the product, which is wrong where `alpha` is above 1 or negative.",
        operators: LEAKYRELU,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| {
            let alpha = f64::from(alpha(request));
            elementwise(request, right, |t, operands, right| {
                let x = value(t, operands[0]);
                let product = x * alpha;
                if x.is_nan() || product.is_nan() {
                    return right;
                }
                let stays = if x < 0.0 { x >= product } else { x > product };
                match (x < 0.0, stays) {
                    (true, true) => operands[0],
                    (false, false) if product != x => nearest(t, product),
                    _ => right,
                }
            })
        }),
    },
    Defect {
        id: "negative-zero-leaks-away",
        class: SpecialValues,
        says: "-0 becomes 0.",
        operators: LEAKYRELU,
        types: FLOATS,
        caught_by: "sonnx onnx exhaustive hard",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |t, operands, right| {
                let is_zero = is_float(t) && class(t, operands[0]) == Class::Zero;
                if is_zero { 0 } else { right }
            })
        }),
    },
    Defect {
        id: "integers-leak-in-float32",
        class: Arithmetic,
        says: "Products of integers are computed in float32.",
        operators: PRELU,
        types: &[Int32, Int64],
        caught_by: "onnx hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |t, operands, right| match (t, operands) {
                (Int32 | Int64, &[x, slope]) if int(t, x) < 0 => {
                    (int(t, x) as f32 * int(t, slope) as f32) as i64 as u64
                }
                _ => right,
            })
        }),
    },
];
