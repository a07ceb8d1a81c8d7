//! What the logical operators of two operands have in common. A truth value is a byte, true unless it is 0.

use super::comparison::OPERANDS;
use super::elementwise::{each, judged};
use super::operator::Call;
use super::signature::{AXIS, BROADCAST, Domain, Version};
use super::{Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

/// The element type of all of them.
pub(super) const TRUTH: &[DType] = &[DType::Bool];

static VERSIONS: [Version; 2] =
    [Version::with(1, TRUTH, &[AXIS, BROADCAST]), Version::new(7, TRUTH)];

/// A logical operator of two operands.
pub(super) const fn kernel(
    name: &'static str,
    run: fn(&Call<'_>) -> Result<Vec<Tensor>, KernelError>,
) -> Kernel {
    Kernel {
        domain: Domain::Onnx,
        name,
        inputs: OPERANDS,
        is_elementwise: true,
        slices: None,
        versions: &VERSIONS,
        restricted: &[],
        run,
    }
}

/// Joins the truth values of two inputs.
pub(super) fn joined(
    call: &Call<'_>,
    connective: impl Fn(bool, bool) -> bool,
) -> Result<Vec<Tensor>, KernelError> {
    judged::<u8, 2>(call, |[a, b], results| {
        each(a.iter().zip(b), results, |(a, b)| u8::from(connective(*a != 0, *b != 0)));
    })
}

#[cfg(test)]
pub(super) mod tests;
