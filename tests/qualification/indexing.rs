//! The wrong elements are read or written.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::Indexing;
use onnx_conformance::dtype::DType::{Float16, Float32, Int8, Int32, Uint8};
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, picked, refused};
use crate::types::{ALL, DIVISIONS, NUMERIC};

/// Whether the operands have the shape of the output.
fn is_of_one_shape(request: &Request<'_>) -> bool {
    let shapes = request.shapes();
    shapes.iter().all(|shape| *shape == shapes[0])
}

/// The outcome with zeros in the place of some elements.
fn without(outcome: Outcome, is_missing: impl Fn(usize, usize) -> bool) -> Outcome {
    changed(outcome, |tensor| {
        let (elements, width) = (tensor.elements(), tensor.dtype().bits().unwrap() as usize / 8);
        let mut bytes = tensor.bits().unwrap().to_vec();
        for k in (0..elements).filter(|&k| is_missing(k, elements)) {
            bytes[k * width..(k + 1) * width].fill(0);
        }
        Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bytes.into()).unwrap()
    })
}

/// The outcome with its elements picked otherwise.
fn rearranged(outcome: Outcome, pick: impl Fn(usize, usize) -> usize) -> Outcome {
    changed(outcome, |tensor| {
        let elements = tensor.elements();
        let indices: Vec<usize> = (0..elements).map(|k| pick(k, elements)).collect();
        picked(&tensor, &indices, tensor.shape())
    })
}

/// The place of an element of a matrix, or of a stack of them, whose rows are taken for columns.
fn transposed(shape: &[usize], k: usize) -> usize {
    let &[.., rows, columns] = shape else { return k };
    let (plane, k) = (k / (rows * columns), k % (rows * columns));
    let (row, column) = (k / columns, k % columns);
    plane * rows * columns + column * rows + row
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "last-of-each-row-not-computed",
        class: Indexing,
        says: "The last element of each row of a matrix stays zero.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|_, right| {
            let columns = match &right {
                Outcome::Outputs(outputs) => match outputs[0].tensors()[0].shape() {
                    &[.., _, columns] => columns,
                    _ => return right,
                },
                _ => return right,
            };
            without(right, |k, _| k % columns + 1 == columns)
        }),
    },
    Defect {
        id: "divisor-off-by-one",
        class: Indexing,
        says: "Each dividend but the last is divided by the divisor after its own.",
        operators: DIVISIONS,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| {
            let elements = request.operands[0].elements();
            if !is_of_one_shape(request) || !matches!(right, Outcome::Outputs(_)) {
                return right;
            }
            let shape = request.operands[0].shape();
            request.gathered(shape, |which, k| if k + 1 < elements { k + which } else { k })
        }),
    },
    Defect {
        id: "divisor-column-major",
        class: Indexing,
        says: "The divisor's last two dimensions are read column by column.",
        operators: DIVISIONS,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            if !is_of_one_shape(request) || !matches!(right, Outcome::Outputs(_)) {
                return right;
            }
            let shape = request.operands[0].shape();
            request.gathered(shape, |which, k| if which == 1 { transposed(shape, k) } else { k })
        }),
    },
    Defect {
        id: "output-column-major",
        class: Indexing,
        says: "The output's last two dimensions are written column by column.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|_, right| {
            let shape = match &right {
                Outcome::Outputs(outputs) => outputs[0].tensors()[0].shape().to_vec(),
                _ => return right,
            };
            rearranged(right, |k, _| transposed(&shape, k))
        }),
    },
    Defect {
        id: "tail-of-8-lanes-not-computed",
        class: Indexing,
        says: "The elements after the last full vector of 8 stay zero.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|_, right| {
            without(right, |k, elements| elements > 8 && k >= elements / 8 * 8)
        }),
    },
    Defect {
        id: "tail-of-16-lanes-repeats",
        class: Indexing,
        says: "The elements after the last full vector of 16 are those of the vector before.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|_, right| {
            rearranged(
                right,
                |k, elements| {
                    if elements > 16 && k >= elements / 16 * 16 { k - 16 } else { k }
                },
            )
        }),
    },
    Defect {
        id: "index-of-8-bits",
        class: Indexing,
        says: "The index of an element wraps at 256.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx openvino onnx exhaustive hard stratified",
        wrong: Wrong::Tensors(|_, right| rearranged(right, |k, _| k % 256)),
    },
    Defect {
        id: "second-block-not-computed",
        class: Indexing,
        says: "The elements from the 1,025th on stay zero.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx openvino onnx exhaustive",
        wrong: Wrong::Tensors(|_, right| without(right, |k, _| k >= 1024)),
    },
    Defect {
        id: "fifth-block-not-computed",
        class: Indexing,
        says: "The elements from the 4,097th on stay zero.",
        operators: ALL,
        // Those of so many elements.
        types: &[Float16, Int8, Uint8],
        caught_by: "sonnx openvino onnx exhaustive",
        wrong: Wrong::Tensors(|_, right| without(right, |k, _| k >= 4096)),
    },
    Defect {
        id: "first-plane-repeated",
        class: Indexing,
        says: "Of three dimensions or more the first plane is computed for all.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx openvino onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|_, right| {
            let plane = match &right {
                Outcome::Outputs(outputs) => match outputs[0].tensors()[0].shape() {
                    &[.., _, rows, columns] => rows * columns,
                    _ => return right,
                },
                _ => return right,
            };
            rearranged(right, |k, _| k % plane)
        }),
    },
    Defect {
        id: "scalar-becomes-a-vector",
        class: Indexing,
        says: "A scalar comes back in the shape [1].",
        operators: ALL,
        types: &[Float32, Int32],
        caught_by: "sonnx openvino",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| match tensor.shape() {
                [] => as_other(&tensor, tensor.dtype(), &[1]),
                _ => tensor,
            })
        }),
    },
    Defect {
        id: "dimensions-of-one-dropped",
        class: Indexing,
        says: "Dimensions of size 1 are missing in the output's shape.",
        operators: ALL,
        types: NUMERIC,
        caught_by: "sonnx sonnx-draft openvino onnx",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| {
                let shape: Vec<usize> =
                    tensor.shape().iter().copied().filter(|size| *size != 1).collect();
                as_other(&tensor, tensor.dtype(), &shape)
            })
        }),
    },
    Defect {
        id: "empty-tensor-refused",
        class: Indexing,
        says: "Tensors without elements are refused.",
        operators: ALL,
        types: &[Float32, Int32],
        caught_by: "sonnx openvino onnx",
        wrong: Wrong::Tensors(|request, right| {
            match request.operands.iter().any(|operand| operand.elements() == 0) {
                true => refused(RefusalKind::Error, "a tensor is empty"),
                false => right,
            }
        }),
    },
];
