//! What the comparisons have in common: their inputs, and the loops over two numbers. The native types
//! order themselves as IEEE 754 has it: a NaN is unordered, and both zeros are equal.

use super::elementwise::{each, judged};
use super::operator::Call;
use super::signature::{AXIS, BROADCAST, Domain, Input, Version};
use super::types::{FLOATS, NUMBERS, with_type, without_bfloat16};
use super::{Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

/// The operands of whatever compares or joins two elements.
pub(super) const OPERANDS: &[Input] = &[Input::new("A"), Input::new("B")];

/// A comparison of these versions, as ONNX has it.
pub(super) const fn kernel(
    name: &'static str,
    versions: &'static [Version],
    run: fn(&Call<'_>) -> Result<Vec<Tensor>, KernelError>,
) -> Kernel {
    Kernel {
        domain: Domain::Onnx,
        name,
        inputs: OPERANDS,
        is_elementwise: true,
        slices: None,
        versions,
        restricted: &[],
        run,
    }
}

/// The versions of Less and Greater.
pub(super) static ORDER_VERSIONS: [Version; 4] = [
    Version::with(1, without_bfloat16(FLOATS), &[AXIS, BROADCAST]),
    Version::new(7, without_bfloat16(FLOATS)),
    Version::new(9, without_bfloat16(NUMBERS)),
    Version::new(13, NUMBERS),
];

/// The versions of those that hold of equal numbers as well.
pub(super) static OR_EQUAL_VERSIONS: [Version; 2] =
    [Version::new(12, without_bfloat16(NUMBERS)), Version::new(16, NUMBERS)];

/// A relation of two elements.
pub(super) trait Relation {
    /// Whether it holds.
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool;
}

/// Compares the numbers of two inputs.
pub(super) fn compared<R: Relation>(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let (operator, dtype) = (call.operator, call.inputs::<2>()?[0].dtype());
    with_type!(numbers, dtype, T => {
        judged::<T, 2>(call, |[a, b], results| {
            each(a.iter().zip(b), results, |(a, b)| u8::from(R::holds(a, b)));
        })
    }, else Err(KernelError::Type { operator, dtype }))
}

#[cfg(test)]
pub(super) mod tests;
