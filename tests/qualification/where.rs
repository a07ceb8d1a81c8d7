//! Where that chooses wrongly.

use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Broadcasting, SpecialValues,
};
use onnx_conformance::dtype::DType::Float32;

use crate::defect::{Defect, Wrong};
use crate::kernels::{nearest, value};
use crate::request::elementwise;

const WHERE: &[&str] = &["Where"];

// The first operand is the condition, so that a case of Where is of type bool.
const CONDITION: &[onnx_conformance::dtype::DType] = &[onnx_conformance::dtype::DType::Bool];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "condition-inverted",
        class: Arithmetic,
        says: "Where the condition holds the element of Y is taken.",
        operators: WHERE,
        types: CONDITION,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |_, operands, _| {
                operands[1 + usize::from(operands[0] != 0)]
            })
        }),
    },
    Defect {
        id: "choice-by-products",
        class: SpecialValues,
        says: "The element is c x + (1 - c) y, so that an infinity that is not chosen gives a NaN.",
        operators: WHERE,
        types: CONDITION,
        caught_by: "sonnx onnx",
        wrong: Wrong::Tensors(|request, right| {
            elementwise(request, right, |t, operands, right| match (t, operands) {
                (Float32, &[c, x, y]) => {
                    let chosen = if c == 0 { 0.0 } else { 1.0 };
                    nearest(t, value(t, x) * chosen + value(t, y) * (1.0 - chosen))
                }
                _ => right,
            })
        }),
    },
    Defect {
        id: "condition-of-the-first-row",
        class: Broadcasting,
        says: "The condition of the first row decides for every row.",
        operators: WHERE,
        types: CONDITION,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let condition = &request.operands[0];
            let Some(&columns) = condition.shape().last() else { return right };
            let is_whole = request.shapes().iter().all(|shape| shape == condition.shape());
            match is_whole && columns > 0 {
                true => {
                    let places: Vec<usize> =
                        (0..condition.elements()).map(|k| k % columns).collect();
                    let row = crate::request::picked(condition, &places, condition.shape());
                    let mut first = request.clone();
                    first.operands[0] = row;
                    first.computed()
                }
                false => right,
            }
        }),
    },
];
