//! What tract's errors mean.

use std::collections::BTreeSet;

use adapter::unsupported;
use onnx_conformance::backend::{Refusal, RefusalKind, Stage};
use onnx_conformance::onnx::proto::GraphProto;
use onnx_conformance::onnx::{Model, operator_name};
use tract_onnx::model::OnnxOpRegister;
use tract_onnx::prelude::TractError;

/// What tract says in its errors where it has no implementation; they are text alone.
const NO_IMPLEMENTATION: [&str; 13] = [
    "nsupported",
    "not supported",
    "Unknown DatumType",
    // The operator is known, but not how to compute it.
    "can not be typed",
    // An output that is optional in ONNX.
    "Wrong number of outputs",
    // An operand that is computed or given, where tract takes it from the model alone.
    " a const",
    "be constant",
    "not const",
    "Expect constant",
    "must be a known scalar",
    "shape input is variable",
    "Expected dim and value to be determined",
    "scale: None, sizes: None",
];

/// Refuses a model of operators that tract does not have. tract tells them by their type alone.
pub(crate) fn check_operators(model: &Model, register: &OnnxOpRegister) -> Result<(), Refusal> {
    let mut missing = BTreeSet::new();
    collect_missing(model.graph(), register, &mut missing);
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.into_iter().collect::<Vec<_>>().join(", ");
    Err(unsupported(Stage::Load, format!("tract has no operator {missing}")))
}

fn collect_missing(graph: &GraphProto, register: &OnnxOpRegister, missing: &mut BTreeSet<String>) {
    for node in &graph.node {
        if !register.0.contains_key(node.op_type()) {
            missing.insert(operator_name(node));
        }
        for attribute in &node.attribute {
            for graph in attribute.g.iter().chain(&attribute.graphs) {
                collect_missing(graph, register, missing);
            }
        }
    }
}

/// The refusal that an error amounts to.
pub(crate) fn of_error(stage: Stage, error: &TractError) -> Refusal {
    let message = format!("{error:#}");
    let kind = if NO_IMPLEMENTATION.iter().any(|phrase| message.contains(phrase)) {
        RefusalKind::Unsupported
    } else {
        RefusalKind::Error
    };
    Refusal { stage, kind, message }
}
