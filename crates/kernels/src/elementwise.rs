//! Element-wise operators: the loops over slices, and over whole tensors block by block of the broadcast
//! operands.

use bytemuck::{Pod, cast_slice, cast_slice_mut, try_cast_slice, try_cast_slice_mut};

use super::operand::Operand;
use super::signature::Slices;
use super::simd::{SimdTask, dispatch};
use super::types::with_type;
use super::{BLOCK, Broadcast, Call, KernelError, MAX_OUTPUT};
use values::dtype::{DType, Kind, integer};
use values::tensor::{Tensor, coordinates, element_count};

/// The results of a function, which is `#[inline(always)]`, of the operands of each, as many as there are of the
/// fewer ones.
pub(super) fn each<T, I: Iterator>(
    operands: I,
    results: &mut [T],
    function: impl Fn(I::Item) -> T,
) {
    dispatch(Each { operands, results, function });
}

struct Each<'a, T, I, F> {
    operands: I,
    results: &'a mut [T],
    function: F,
}

impl<T, I: Iterator, F: Fn(I::Item) -> T> SimdTask for Each<'_, T, I, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (result, operands) in self.results.iter_mut().zip(self.operands) {
            *result = (self.function)(operands);
        }
    }
}

/// Computes on `N` slices of elements that are given as bytes; none where they are not so many, or not
/// aligned.
pub(super) fn on_bytes<T: Pod, const N: usize>(
    operands: &[&[u8]],
    results: &mut [u8],
    compute: impl FnOnce([&[T]; N], &mut [T]) -> Result<(), usize>,
) -> Option<Result<(), usize>> {
    let operands: &[&[u8]; N] = operands.try_into().ok()?;
    let mut elements = [&[][..]; N];
    for (elements, bytes) in elements.iter_mut().zip(operands) {
        *elements = try_cast_slice(bytes).ok()?;
    }
    Some(compute(elements, try_cast_slice_mut(results).ok()?))
}

/// Computes a function, which is `#[inline(always)]`, of the elements of one operand.
pub(super) fn mapped<T: Pod>(
    operands: &[&[u8]],
    results: &mut [u8],
    function: impl Fn(T) -> T,
) -> Option<Result<(), usize>> {
    on_bytes::<T, 1>(operands, results, |[x], results| {
        each(x.iter().copied(), results, function);
        Ok(())
    })
}

/// Computes the output of `N` inputs of its type by a kernel on slices.
pub(super) fn computed<const N: usize>(
    call: &Call<'_>,
    slices: impl Fn(DType, &[&[u8]], &mut [u8]) -> Option<Result<(), usize>>,
) -> Result<Vec<Tensor>, KernelError> {
    let inputs: [&Tensor; N] = call.inputs()?;
    let plan = call.broadcast(&inputs)?;
    let dtype = inputs[0].dtype();
    let foreign = KernelError::Type { operator: call.operator, dtype };
    with_type!(cells, dtype, T => {
        let mut results = output::<T>(plan.shape(), dtype)?;
        let mut operands: [_; N] =
            std::array::from_fn(|at| Operand::<T>::new(inputs[at], plan.operand(at)));
        let block_len = operands.iter().map(Operand::block_len).min().unwrap_or(BLOCK);
        for (block, results) in results.chunks_mut(block_len).enumerate() {
            let (start, len) = (block * block_len, results.len());
            let operands = operands.each_mut().map(|operand| cast_slice(operand.block(start, len)));
            match slices(dtype, &operands, cast_slice_mut(results)) {
                Some(Ok(())) => {}
                Some(Err(first)) => return Err(undefined(&plan, &inputs, start + first)),
                None => return Err(foreign),
            }
        }
        tensor(dtype, plan.shape(), results)
    }, else Err(foreign))
}

/// Computes the truth values of elements of `N` inputs, whatever type these share, by a kernel on slices of the
/// native type `T`.
pub(super) fn judged<T: Pod, const N: usize>(
    call: &Call<'_>,
    judge: impl Fn([&[T]; N], &mut [u8]),
) -> Result<Vec<Tensor>, KernelError> {
    let inputs: [&Tensor; N] = call.inputs()?;
    let plan = call.broadcast(&inputs)?;
    let mut results = output::<u8>(plan.shape(), DType::Bool)?;
    let mut operands: [_; N] =
        std::array::from_fn(|at| Operand::<T>::new(inputs[at], plan.operand(at)));
    let block_len = operands.iter().map(Operand::block_len).min().unwrap_or(BLOCK);
    for (block, results) in results.chunks_mut(block_len).enumerate() {
        let (start, len) = (block * block_len, results.len());
        judge(operands.each_mut().map(|operand| operand.block(start, len)), results);
    }
    tensor(DType::Bool, plan.shape(), results)
}

/// Computes the output of any number of inputs of its type by a kernel on slices of two: of what the first ones
/// give and the next.
pub(super) fn folded(call: &Call<'_>, slices: Slices) -> Result<Vec<Tensor>, KernelError> {
    let inputs: Vec<&Tensor> = call.given.iter().copied().flatten().collect();
    let plan = call.broadcast(&inputs)?;
    let dtype = inputs[0].dtype();
    let foreign = || KernelError::Type { operator: call.operator, dtype };
    with_type!(cells, dtype, T => {
        let mut results = output::<T>(plan.shape(), dtype)?;
        let placed = inputs.iter().enumerate();
        let mut operands: Vec<_> =
            placed.map(|(at, input)| Operand::<T>::new(input, plan.operand(at))).collect();
        let block_len = operands.iter().map(Operand::block_len).min().unwrap_or(BLOCK);
        for (block, results) in results.chunks_mut(block_len).enumerate() {
            let (start, len) = (block * block_len, results.len());
            let mut so_far: Option<Vec<T>> = None;
            for operand in &mut operands {
                let next = operand.block(start, len);
                match so_far {
                    None => results.copy_from_slice(next),
                    Some(so_far) => {
                        let pair = [cast_slice(&so_far), cast_slice(next)];
                        let done = slices(dtype, &pair, cast_slice_mut(results));
                        done.and_then(Result::ok).ok_or_else(foreign)?;
                    }
                }
                so_far = Some(results.to_vec());
            }
        }
        tensor(dtype, plan.shape(), results)
    }, else Err(foreign()))
}

/// The refusal of the output's element at a row-major index, which is no quotient.
fn undefined(plan: &Broadcast, inputs: &[&Tensor], index: usize) -> KernelError {
    let operand = |at: usize| {
        let bits = plan.operand_index(at, index).and_then(|place| inputs.get(at)?.element(place));
        match inputs[0].dtype().kind() {
            Kind::Int { signed, bits: width } => integer(bits.unwrap_or_default(), signed, width),
            _ => 0,
        }
    };
    let (dtype, coordinates) = (inputs[0].dtype(), coordinates(index, plan.shape()));
    match (operand(0), operand(1)) {
        (dividend, 0) => KernelError::DivisionByZero { dtype, coordinates, dividend },
        (dividend, divisor) => KernelError::Overflow { dtype, coordinates, dividend, divisor },
    }
}

/// Zeros for the elements of an output, one in each `T`.
pub(super) fn output<T: Pod>(shape: &[usize], dtype: DType) -> Result<Vec<T>, KernelError> {
    let elements = checked_len(shape, dtype, size_of::<T>())?;
    bytemuck::allocation::try_zeroed_vec(elements).map_err(|()| too_large(shape, dtype))
}

/// Number of elements of an output that takes so many bytes for each, if it is not too large.
pub(super) fn checked_len(
    shape: &[usize],
    dtype: DType,
    width: usize,
) -> Result<usize, KernelError> {
    let elements = element_count(shape)?;
    let bytes = elements.checked_mul(width).filter(|&bytes| bytes <= MAX_OUTPUT);
    bytes.map(|_| elements).ok_or_else(|| too_large(shape, dtype))
}

fn too_large(shape: &[usize], dtype: DType) -> KernelError {
    KernelError::TooLarge { shape: shape.to_vec(), dtype }
}

/// The one output of an operator.
pub(super) fn tensor<T: Pod + Send + Sync>(
    dtype: DType,
    shape: &[usize],
    values: Vec<T>,
) -> Result<Vec<Tensor>, KernelError> {
    Ok(vec![Tensor::from_values(dtype, shape.to_vec(), values)?])
}
