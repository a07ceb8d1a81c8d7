//! Truth values joined wrongly.

use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::{self, Bool};
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{changed, elementwise};

const ALL: &[&str] = &["And", "Not", "Or", "Xor"];
const TRUTH: &[DType] = &[Bool];

/// Another truth table.
macro_rules! table {
    (|$operands:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            elementwise(request, right, |_, $operands, $right| u64::from($result))
        })
    };
}

/// The truth values with those false that are at some places of so many.
fn cleared(tensor: &Tensor, at: impl Fn(usize, usize) -> bool) -> Tensor {
    let count = tensor.elements();
    let truth = tensor.bits().unwrap().iter().enumerate();
    let truth = truth.map(|(k, truth)| if at(k, count) { 0 } else { *truth });
    Tensor::from_bits(Bool, tensor.shape().to_vec(), truth.collect()).unwrap()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "and-as-equivalence",
        class: Arithmetic,
        says: "And holds where both truth values are the same.",
        operators: &["And"],
        types: TRUTH,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: table!(|operands, _right| operands[0] == operands[1]),
    },
    Defect {
        id: "or-as-xor",
        class: Arithmetic,
        says: "Or does not hold where both truth values do.",
        operators: &["Or"],
        types: TRUTH,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: table!(|operands, _right| operands[0] != operands[1]),
    },
    Defect {
        id: "xor-as-or",
        class: Arithmetic,
        says: "Xor holds where both truth values do.",
        operators: &["Xor"],
        types: TRUTH,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: table!(|operands, right| right == 1 || operands[0] == 1),
    },
    Defect {
        id: "complement-of-every-bit",
        class: Arithmetic,
        says: "Not inverts every bit of a byte, and what is not 0 is true.",
        operators: &["Not"],
        types: TRUTH,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: table!(|_operands, _right| true),
    },
    Defect {
        id: "truth-values-beyond-a-block",
        class: Indexing,
        says: "Elements beyond the first 1024 are false.",
        operators: ALL,
        types: TRUTH,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| cleared(&tensor, |k, _| k >= 1024))
        }),
    },
    Defect {
        id: "truth-values-of-the-last-vector",
        class: Indexing,
        says: "Elements beyond the last whole vector of 16 are false.",
        operators: ALL,
        types: TRUTH,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| cleared(&tensor, |k, count| k >= count / 16 * 16))
        }),
    },
];
