//! Determinants computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::tensor::Tensor;

use crate::accumulated::{numbers, of};
use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed};

const DET: &[&str] = &["Det"];

/// The outcome with each determinant made another of the matrix and of what is right.
fn determinants(
    request: &Request<'_>,
    right: Outcome,
    other: impl Fn(&[f32], usize, f32) -> f32,
) -> Outcome {
    let size = request.operands[0].shape().last().copied().unwrap_or(0);
    let all = numbers(&request.operands[0]);
    changed(right, |tensor| {
        let right = numbers(&tensor).into_iter().enumerate();
        let of = |(at, right)| other(&all[at * size * size..(at + 1) * size * size], size, right);
        let wrong: Vec<f32> = right.map(of).collect();
        Tensor::from_values(Float32, tensor.shape().to_vec(), wrong).unwrap()
    })
}

/// The product of the pivots, in the order of the rows.
fn without_exchanges(matrix: &[f32], size: usize) -> f32 {
    let mut rows = matrix.to_vec();
    let mut product = 1.0;
    for column in 0..size {
        product *= rows[column * size + column];
        for row in column + 1..size {
            let factor = rows[row * size + column] / rows[column * size + column];
            for at in 0..size {
                rows[row * size + at] -= factor * rows[column * size + at];
            }
        }
    }
    product
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "det-magnitude",
        class: Arithmetic,
        says: "The sign of the exchanges of rows and of the pivots is lost.",
        operators: DET,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            determinants(request, right, |_, _, right| right.abs())
        }),
    },
    Defect {
        id: "det-rows-not-exchanged",
        class: Arithmetic,
        says: "Rows are never exchanged, so that a zero at the first place makes a NaN.",
        operators: DET,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            determinants(request, right, |matrix, size, _| without_exchanges(matrix, size))
        }),
    },
    Defect {
        id: "det-product-of-the-diagonal",
        class: Arithmetic,
        says: "The determinant is the product of the diagonal.",
        operators: DET,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| determinants(request, right, |matrix, size, _| {
            (0..size).map(|at| matrix[at * size + at]).product()
        })),
    },
    Defect {
        id: "det-permanent-of-two-rows",
        class: Arithmetic,
        says: "Of two rows the products are added, not subtracted.",
        operators: DET,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| determinants(
            request,
            right,
            |matrix, size, right| {
                if size == 2 { matrix[0] * matrix[3] + matrix[1] * matrix[2] } else { right }
            }
        )),
    },
    Defect {
        id: "det-first-matrix-for-all",
        class: Indexing,
        says: "Every matrix of a batch has the determinant of the first.",
        operators: DET,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |_request, right| changed(right, |tensor| {
            let all = numbers(&tensor);
            let first = vec![all.first().copied().unwrap_or(0.0); all.len()];
            Tensor::from_values(Float32, tensor.shape().to_vec(), first).unwrap()
        })),
    },
];
