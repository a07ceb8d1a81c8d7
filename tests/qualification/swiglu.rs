//! Gates of SwiGLU computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::accumulated::{numbers, of};
use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed};

const SWIGLU: &[&str] = &["SwiGLU"];

/// The outcome with each element made another of alpha, the gate's operand and the other one.
fn gated(request: &Request<'_>, right: Outcome, other: impl Fn(f32, f32, f32) -> f32) -> Outcome {
    let alpha = match request.attributes.get("alpha") {
        Some(Attribute::Float(alpha)) => *alpha,
        _ => 1.0,
    };
    let [a, b] = [0, 1].map(|at| numbers(&request.operands[at]));
    changed(right, |tensor| {
        let all = a.iter().zip(&b).map(|(a, b)| other(alpha, *a, *b)).collect::<Vec<_>>();
        Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "swiglu-inputs-exchanged",
        class: Indexing,
        says: "The second input is the gate.",
        operators: SWIGLU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let mut other = request.clone();
            other.operands.swap(0, 1);
            other.computed()
        }),
    },
    Defect {
        id: "swiglu-alpha-times-the-gate",
        class: Arithmetic,
        says: "Alpha is a factor of the gate, besides that of the power.",
        operators: SWIGLU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| gated(request, right, |alpha, a, b| {
            alpha * a / (1.0 + (-alpha * a).exp()) * b
        })),
    },
    Defect {
        id: "swiglu-sigmoid-for-swish",
        class: Arithmetic,
        says: "The gate is the sigmoid alone.",
        operators: SWIGLU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| gated(request, right, |alpha, a, b| {
            b / (1.0 + (-alpha * a).exp())
        })),
    },
    Defect {
        id: "swiglu-hard-swish",
        class: Arithmetic,
        says: "The sigmoid of the gate is a line between 0 and 1.",
        operators: SWIGLU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| gated(request, right, |alpha, a, b| {
            a * (alpha * a / 6.0 + 0.5).clamp(0.0, 1.0) * b
        })),
    },
];
