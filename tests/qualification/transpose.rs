//! Transpose that moves elements wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::Indexing;
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, refused};

const TRANSPOSE: &[&str] = &["Transpose"];

/// The request with another permutation.
fn permuted(request: &Request<'_>, permutation: &[usize]) -> Outcome {
    let mut attributes = request.attributes.clone();
    let permutation = permutation.iter().map(|&axis| axis as i64).collect();
    attributes.insert("perm".to_owned(), Attribute::Ints(permutation));
    Request { attributes, ..request.clone() }.computed()
}

/// The permutation that is asked for, where one is and the request is right.
fn permutation(request: &Request<'_>, right: &Outcome) -> Option<Vec<usize>> {
    match (request.attributes.get("perm"), right) {
        (Some(Attribute::Ints(axes)), Outcome::Outputs(_)) => {
            Some(axes.iter().map(|&axis| axis as usize).collect())
        }
        _ => None,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "permutation-inverted",
        class: Indexing,
        says: "Axes go where the permutation says instead of coming from there.",
        operators: TRANSPOSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match permutation(request, &right) {
            Some(axes) if request.dtype() == Float32 => {
                let mut inverse = axes.clone();
                axes.iter().enumerate().for_each(|(at, &axis)| inverse[axis] = at);
                permuted(request, &inverse)
            }
            _ => right,
        }),
    },
    Defect {
        id: "last-two-axes-by-default",
        class: Indexing,
        says: "Without a permutation only the last two axes are exchanged.",
        operators: TRANSPOSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let rank = request.operands[0].shape().len();
            let is_default = !request.attributes.contains_key("perm");
            if request.dtype() != Float32 || rank < 3 || !is_default {
                return right;
            }
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.swap(rank - 2, rank - 1);
            permuted(request, &axes)
        }),
    },
    Defect {
        id: "shape-permuted-but-not-elements",
        class: Indexing,
        says: "The shape is permuted and the elements stay where they are.",
        operators: TRANSPOSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            changed(right, |tensor| {
                crate::request::as_other(&request.operands[0], Float32, tensor.shape())
            })
        }),
    },
    Defect {
        id: "rank-above-4-not-permuted",
        class: Indexing,
        says: "More than four axes are refused.",
        operators: TRANSPOSE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            match request.dtype() == Float32 && request.operands[0].shape().len() > 4 {
                true => refused(RefusalKind::Error, "more than four axes"),
                false => right,
            }
        }),
    },
];
