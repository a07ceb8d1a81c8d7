//! What SONNX and its draft restrict beyond ONNX: operands of one shape, of the types they have.

use super::{Refusal, RefusalKind, Stage};
use crate::dtype::DType;
use crate::kernels::Operator;
use crate::onnx::{Model, Port};
use crate::suite::Suite;
use crate::tensor::{Tensor, Value};

/// Refuses a model that leaves a type open, under a restricted suite.
pub(super) fn check_types(suite: Suite, model: &Model) -> Result<(), Refusal> {
    let mut ports = model.inputs().iter().chain(model.outputs());
    match ports.find(|port| port.value_type.dtype().is_none()) {
        Some(port) if suite.is_restricted() => Err(refusal(
            Stage::Load,
            format!("SONNX wants every type explicit: that of `{}` is not", port.name),
        )),
        _ => Ok(()),
    }
}

/// Refuses outputs of other types than the model declares, under a restricted suite.
pub(super) fn check_outputs(suite: Suite, model: &Model, outputs: &[Value]) -> Result<(), Refusal> {
    let differs = |(port, value): &(&Port, &Value)| {
        value.tensors().iter().any(|tensor| Some(tensor.dtype()) != port.value_type.dtype())
    };
    match model.outputs().iter().zip(outputs).find(differs) {
        Some((port, _)) if suite.is_restricted() => Err(refusal(
            Stage::Run,
            format!("SONNX converts no types: `{}` is declared of another", port.name),
        )),
        _ => Ok(()),
    }
}

/// Refuses what lies outside a restricted suite. SONNX's operators take float16, float, double and
/// (Div) the integers of 8 to 64 bits, the draft's also bfloat16, and neither broadcasts.
pub(super) fn check(suite: Suite, operator: Operator, operands: &[&Tensor]) -> Result<(), Refusal> {
    if !suite.is_restricted() {
        return Ok(());
    }
    let refuse = |message| Err(refusal(Stage::Run, message));
    let has_bfloat16 = suite == Suite::SonnxDraft;
    if !has_bfloat16 && operands.iter().any(|operand| operand.dtype() == DType::Bfloat16) {
        return refuse(format!("SONNX has no {operator} of bfloat16"));
    }
    match operands {
        [a, b] if a.shape() != b.shape() => refuse(format!(
            "SONNX does not broadcast: {operator} is given shapes {:?} and {:?}",
            a.shape(),
            b.shape()
        )),
        _ => Ok(()),
    }
}

const fn refusal(stage: Stage, message: String) -> Refusal {
    Refusal { stage, kind: RefusalKind::Invalid, message }
}
