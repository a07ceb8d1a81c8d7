//! Operators on whole tensors: the slices' loops, block by block over the broadcast operands.

use bytemuck::Pod;
use half::{bf16, f16};

use super::operand::{Operand, values};
use super::{Broadcast, FloorDivide, KernelError, Operator, Rounding, SquareRoot};
use super::{divide, floor_divide, square_root};
use values::dtype::{DType, Kind};
use values::tensor::{Tensor, coordinates};

/// The largest output in bytes. Protobuf limits a message to 2 GiB, so no case can expect more.
const MAX_OUTPUT: usize = 1 << 31;

/// Divides two tensors of one type.
pub(super) fn run_div(
    operator: Operator,
    rounding: Rounding,
    plan: &Broadcast,
    a: &Tensor,
    b: &Tensor,
) -> Result<Tensor, KernelError> {
    match a.dtype() {
        DType::Float16 => divided::<f16>(rounding, plan, a, b),
        DType::Bfloat16 => divided::<bf16>(rounding, plan, a, b),
        DType::Float32 => divided::<f32>(rounding, plan, a, b),
        DType::Float64 => divided::<f64>(rounding, plan, a, b),
        DType::Int8 => divided::<i8>(rounding, plan, a, b),
        DType::Int16 => divided::<i16>(rounding, plan, a, b),
        DType::Int32 => divided::<i32>(rounding, plan, a, b),
        DType::Int64 => divided::<i64>(rounding, plan, a, b),
        DType::Uint8 => divided::<u8>(rounding, plan, a, b),
        DType::Uint16 => divided::<u16>(rounding, plan, a, b),
        DType::Uint32 => divided::<u32>(rounding, plan, a, b),
        DType::Uint64 => divided::<u64>(rounding, plan, a, b),
        dtype => Err(KernelError::Type { operator, dtype }),
    }
}

/// Takes the square roots of a tensor.
pub(super) fn run_sqrt(
    operator: Operator,
    plan: &Broadcast,
    x: &Tensor,
) -> Result<Tensor, KernelError> {
    match x.dtype() {
        DType::Float16 => rooted::<f16>(plan, x),
        DType::Bfloat16 => rooted::<bf16>(plan, x),
        DType::Float32 => rooted::<f32>(plan, x),
        DType::Float64 => rooted::<f64>(plan, x),
        dtype => Err(KernelError::Type { operator, dtype }),
    }
}

fn divided<T: FloorDivide + Send + Sync>(
    rounding: Rounding,
    plan: &Broadcast,
    a: &Tensor,
    b: &Tensor,
) -> Result<Tensor, KernelError> {
    let division = match rounding {
        Rounding::Truncate => divide::<T>,
        Rounding::Floor => floor_divide::<T>,
    };
    let mut quotients = output::<T>(plan, a.dtype())?;
    let mut dividends = Operand::<T>::new(a, plan.operand(0));
    let mut divisors = Operand::<T>::new(b, plan.operand(1));
    let block_len = dividends.block_len().min(divisors.block_len());
    for (block, quotients) in quotients.chunks_mut(block_len).enumerate() {
        let (start, len) = (block * block_len, quotients.len());
        division(dividends.block(start, len), divisors.block(start, len), quotients)
            .map_err(|first| undefined(plan, a, b, start + first))?;
    }
    Ok(Tensor::from_values(a.dtype(), plan.shape().to_vec(), quotients)?)
}

fn rooted<T: SquareRoot + Send + Sync>(
    plan: &Broadcast,
    x: &Tensor,
) -> Result<Tensor, KernelError> {
    let mut roots = output::<T>(plan, x.dtype())?;
    square_root(&values(x), &mut roots);
    Ok(Tensor::from_values(x.dtype(), plan.shape().to_vec(), roots)?)
}

fn output<T: Pod>(plan: &Broadcast, dtype: DType) -> Result<Vec<T>, KernelError> {
    plan.elements()
        .checked_mul(size_of::<T>())
        .filter(|&bytes| bytes <= MAX_OUTPUT)
        .and_then(|_| bytemuck::allocation::try_zeroed_vec(plan.elements()).ok())
        .ok_or_else(|| KernelError::TooLarge { shape: plan.shape().to_vec(), dtype })
}

/// The refusal of the output's element at a row-major index.
fn undefined(plan: &Broadcast, a: &Tensor, b: &Tensor, index: usize) -> KernelError {
    let operand = |operand, tensor: &Tensor| {
        let bits = plan.operand_index(operand, index).and_then(|index| tensor.element(index));
        integer(tensor.dtype(), bits.unwrap_or_default())
    };
    let (dtype, coordinates) = (a.dtype(), coordinates(index, plan.shape()));
    match (operand(0, a), operand(1, b)) {
        (dividend, 0) => KernelError::DivisionByZero { dtype, coordinates, dividend },
        (dividend, divisor) => KernelError::Overflow { dtype, coordinates, dividend, divisor },
    }
}

/// The integer with these bits.
#[expect(clippy::cast_possible_wrap, reason = "the bits are fewer than 128")]
fn integer(dtype: DType, bits: u128) -> i128 {
    match dtype.kind() {
        Kind::Int { signed: true, bits: width } => (bits << (128 - width)) as i128 >> (128 - width),
        _ => bits as i128,
    }
}
