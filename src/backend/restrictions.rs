//! What SONNX and its draft restrict beyond ONNX: operands of one shape, of the types they have.

use super::{Refusal, RefusalKind, Stage};
use crate::dtype::DType;
use crate::kernels::Operator;
use crate::onnx::Model;
use crate::onnx::proto::TensorShapeProto;
use crate::onnx::proto::tensor_shape_proto::Dimension;
use crate::onnx::proto::tensor_shape_proto::dimension::Value as DimensionValue;
use crate::onnx::proto::type_proto::Value as TypeValue;
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

/// Refuses outputs of another type or shape than the model declares, under a restricted suite.
pub(super) fn check_outputs(suite: Suite, model: &Model, outputs: &[Value]) -> Result<(), Refusal> {
    if !suite.is_restricted() {
        return Ok(());
    }
    for (declared, output) in model.graph().output.iter().zip(outputs) {
        let Some(TypeValue::TensorType(declared_type)) =
            declared.r#type.as_ref().and_then(|declared| declared.value.as_ref())
        else {
            continue;
        };
        for tensor in output.tensors() {
            if declared_type.elem_type() != tensor.dtype().onnx_code() {
                let message = format!("`{}` is declared of another type", declared.name());
                return Err(refusal(Stage::Run, message));
            }
            if declared_type.shape.as_ref().is_some_and(|shape| !is_of(tensor, shape)) {
                let message = format!("`{}` is declared of another shape", declared.name());
                return Err(refusal(Stage::Run, message));
            }
        }
    }
    Ok(())
}

/// Whether a tensor has a declared shape, as far as that is stated.
fn is_of(tensor: &Tensor, shape: &TensorShapeProto) -> bool {
    let agrees = |(dim, size): (&Dimension, &usize)| match &dim.value {
        Some(DimensionValue::DimValue(value)) => usize::try_from(*value) == Ok(*size),
        Some(DimensionValue::DimParam(_)) | None => true,
    };
    shape.dim.len() == tensor.shape().len() && shape.dim.iter().zip(tensor.shape()).all(agrees)
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
