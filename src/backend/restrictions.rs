//! What SONNX restricts beyond ONNX: operands of one shape, of the types it has.

use super::{Refusal, RefusalKind, Stage};
use crate::dtype::DType;
use crate::kernels::Operator;
use crate::tensor::Tensor;

/// Refuses what lies outside SONNX: its operators take float16, float, double and (Div) the
/// integers of 8 to 64 bits, and do not broadcast.
pub(super) fn check(operator: Operator, operands: &[&Tensor]) -> Result<(), Refusal> {
    let refuse = |message| Err(Refusal { stage: Stage::Run, kind: RefusalKind::Invalid, message });
    if operands.iter().any(|operand| operand.dtype() == DType::Bfloat16) {
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
