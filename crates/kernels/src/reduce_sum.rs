//! What ReduceSum, ReduceMean, ReduceProd, ReduceL1 and ReduceSumSquare have in common: one number of the elements along any
//! dimensions, in float32 for float16 and bfloat16, which are rounded once in the end, and modulo 2^n for integers.

use bytemuck::Zeroable;

use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::reduce_extremum::{AXES, KEEPDIMS, Kept, NOOP, gone};
use super::reshaping::refused;
use super::signature::{Input, Version};
use super::types::{LONG_NUMBERS, with_type, without_bfloat16};
use super::{Call, KernelError};
use values::dtype::DType::{self, Int32, Int64, Uint32, Uint64};
use values::tensor::Tensor;

/// The inputs of an operator that has the axes as one since a version.
pub(super) const fn inputs(since: i64) -> [Input; 2] {
    [Input::new("data"), Input::of("axes", Int64).optional().since(since)]
}

pub(super) static VERSIONS: [Version; 4] = [
    Version::with(1, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(11, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(13, LONG_NUMBERS, &[AXES, KEEPDIMS]),
    Version::with(18, LONG_NUMBERS, &[KEEPDIMS, NOOP]),
];

pub(super) static SUM_VERSIONS: [Version; 3] = [
    Version::with(1, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(11, without_bfloat16(LONG_NUMBERS), &[AXES, KEEPDIMS]),
    Version::with(13, LONG_NUMBERS, &[KEEPDIMS, NOOP]),
];

/// What is made of the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reduction {
    Sum,
    Mean,
    Product,
    /// The sum of the magnitudes.
    Magnitudes,
    /// The sum of the squares.
    Squares,
}

pub(super) fn reduced(call: &Call<'_>, reduction: Reduction) -> Result<Vec<Tensor>, KernelError> {
    let (data, is_gone) = gone(call)?;
    let foreign = KernelError::Type { operator: call.operator, dtype: data.dtype() };
    with_type!(long_numbers, data.dtype(), T => folded::<T>(call, data, &is_gone, reduction),
        else Err(foreign))
}

fn folded<T: Accumulate<Sum: PartialOrd> + Send + Sync>(
    call: &Call<'_>,
    data: &Tensor,
    is_gone: &[bool],
    reduction: Reduction,
) -> Result<Vec<Tensor>, KernelError> {
    let kept = Kept::new(data.shape(), is_gone);
    let mut results = output::<T>(&kept.ones, data.dtype())?;
    let along = data.shape().iter().zip(is_gone).filter(|(_, gone)| **gone);
    let count: usize = along.map(|(size, _)| size).product();
    let is_integer = [Int32, Int64, Uint32, Uint64].contains(&data.dtype());
    if reduction == Reduction::Mean && count == 0 && is_integer && !results.is_empty() {
        return Err(refused(call, "there is no mean of no integers"));
    }
    let mut sums = output::<T::Sum>(&kept.ones, data.dtype())?;
    if reduction == Reduction::Product {
        sums.fill(T::Sum::ONE);
    }
    for (at, element) in values::<T>(data).iter().enumerate() {
        let to = &mut sums[kept.place(data.shape(), at)];
        let element = element.widen();
        *to = match reduction {
            Reduction::Product => to.times(element),
            Reduction::Sum | Reduction::Mean => to.plus(element),
            Reduction::Squares => to.plus(element.times(element)),
            Reduction::Magnitudes if element < T::Sum::zeroed() => to.plus(element.scaled(-1.0)),
            Reduction::Magnitudes => to.plus(element),
        };
    }
    for (result, sum) in results.iter_mut().zip(sums) {
        *result = T::narrow(if reduction == Reduction::Mean { sum.over(count) } else { sum });
    }
    tensor(data.dtype(), &kept.shape(call, is_gone), results)
}
