//! Where: each element from one of two tensors, as a condition says. Elements of any type are moved
//! as they are, the payloads of NaN included.

use bytemuck::Pod;

use super::elementwise::{checked_len, each, output, tensor};
use super::operand::{Operand, values};
use super::signature::{Domain, Input, Restriction, SONNX_NUMBERS, Version};
use super::types::{ALL_TYPES, NUMBERS, first, with_type, without_bfloat16};
use super::{Broadcast, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static WHERE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Where",
    inputs: &[Input::of("condition", DType::Bool), Input::new("X"), Input::new("Y")],
    is_elementwise: true,
    slices: None,
    versions: &[Version::new(9, first(ALL_TYPES, 15)), Version::new(16, first(ALL_TYPES, 16))],
    restricted: &[Restriction {
        types: &[&[DType::Bool], without_bfloat16(NUMBERS), without_bfloat16(NUMBERS)],
        ..SONNX_NUMBERS
    }],
    run: |call| {
        let inputs @ [condition, x, y] = call.inputs()?;
        let plan = call.broadcast(&inputs)?;
        if let (Some(x), Some(y)) = (x.strings(), y.strings()) {
            return selected_strings(&plan, condition, [x, y]);
        }
        with_type!(cells, x.dtype(), T => selected::<T>(&plan, inputs),
            else Err(KernelError::Type { operator: call.operator, dtype: x.dtype() }))
    },
};

fn selected<T: Pod + Send + Sync>(
    plan: &Broadcast,
    [condition, x, y]: [&Tensor; 3],
) -> Result<Vec<Tensor>, KernelError> {
    let mut results = output::<T>(plan.shape(), x.dtype())?;
    let mut conditions = Operand::<u8>::new(condition, plan.operand(0));
    let mut left = Operand::<T>::new(x, plan.operand(1));
    let mut right = Operand::<T>::new(y, plan.operand(2));
    let block_len = conditions.block_len().min(left.block_len()).min(right.block_len());
    for (block, results) in results.chunks_mut(block_len).enumerate() {
        let (start, len) = (block * block_len, results.len());
        let operands = left.block(start, len).iter().zip(right.block(start, len));
        each(conditions.block(start, len).iter().zip(operands), results, chosen);
    }
    tensor(x.dtype(), plan.shape(), results)
}

fn selected_strings(
    plan: &Broadcast,
    condition: &Tensor,
    [x, y]: [&[bytes::Bytes]; 2],
) -> Result<Vec<Tensor>, KernelError> {
    let shape = plan.shape();
    let elements = checked_len(shape, DType::String, size_of::<bytes::Bytes>())?;
    let conditions = values::<u8>(condition);
    let selected = (0..elements).filter_map(|index| {
        let at = |operand| plan.operand_index(operand, index);
        Some(if conditions[at(0)?] == 0 { &y[at(2)?] } else { &x[at(1)?] }.clone())
    });
    Ok(vec![Tensor::from_strings(shape.to_vec(), selected.collect())?])
}

#[inline(always)]
const fn chosen<T: Copy>((&condition, (x, y)): (&u8, (&T, &T))) -> T {
    if condition == 0 { *y } else { *x }
}

#[cfg(test)]
mod tests;
