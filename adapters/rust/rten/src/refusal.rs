//! What rten's errors mean.

use onnx_conformance::backend::{Refusal, RefusalKind, Stage};
use rten::{LoadError, LoadErrorKind, RunError, RunErrorKind};

/// What rten says in its errors where it has no implementation. The kinds of its errors do not
/// tell that apart from other problems of a node.
const NO_IMPLEMENTATION: [&str; 5] = [
    // An element type, an attribute or the value of one, an output; a data type of a tensor.
    "unsupported",
    // An operator.
    "operator not supported",
    // A version of an operator.
    "and later are supported",
    // An input or output that is optional in ONNX.
    "but maximum is",
    // An element type that the operator has no code for.
    "expected tensor with type",
];

/// The refusal of a model.
pub(crate) fn of_load(error: &LoadError) -> Refusal {
    let message = error.to_string();
    let kind = match error.kind() {
        LoadErrorKind::ParseError | LoadErrorKind::UnknownFileType => RefusalKind::Invalid,
        _ => kind_of(&message),
    };
    Refusal { stage: Stage::Load, kind, message }
}

/// The refusal of a run, or of what comes before it.
pub(crate) fn of_run(stage: Stage, error: &RunError) -> Refusal {
    let message = error.to_string();
    let kind = match error.kind() {
        RunErrorKind::InvalidInput => RefusalKind::Invalid,
        _ => kind_of(&message),
    };
    Refusal { stage, kind, message }
}

fn kind_of(message: &str) -> RefusalKind {
    if NO_IMPLEMENTATION.iter().any(|phrase| message.contains(phrase)) {
        RefusalKind::Unsupported
    } else {
        RefusalKind::Error
    }
}
