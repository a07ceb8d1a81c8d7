//! What SONNX and its draft restrict beyond ONNX: operands of one shape, of the types they have.

use super::{Refusal, RefusalKind, Stage};
use crate::dtype::DType;
use crate::kernels::Operator;
use crate::suite::Suite;
use crate::tensor::Tensor;

/// Refuses what lies outside a restricted suite. SONNX's operators take float16, float, double and
/// (Div) the integers of 8 to 64 bits, the draft's also bfloat16, and neither broadcasts.
pub(super) fn check(suite: Suite, operator: Operator, operands: &[&Tensor]) -> Result<(), Refusal> {
    if !suite.is_restricted() {
        return Ok(());
    }
    let refuse = |message| Err(Refusal { stage: Stage::Run, kind: RefusalKind::Invalid, message });
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
