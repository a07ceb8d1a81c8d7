//! What ReduceMax and ReduceMin have in common: the extreme along any dimensions. A NaN is the result wherever one
//! is, and of no elements the result is the end that every element replaces.

use bytemuck::Pod;
use half::{bf16, f16};

use super::arg_extremum::switch;
use super::elementwise::{output, tensor};
use super::operand::values;
use super::reshaping::{axis_of, integer_list, list, refused};
use super::signature::{AttributeSpec, Input, Version};
use super::types::with_type;
use super::{Call, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int32, Int64, Uint8, Uint32, Uint64,
};
use values::tensor::Tensor;

pub(super) const INPUTS: &[Input] =
    &[Input::new("data"), Input::of("axes", Int64).optional().since(18)];

pub(super) static VERSIONS: [Version; 6] = [
    Version::with(1, types(7), &[AXES, KEEPDIMS]),
    Version::with(11, types(7), &[AXES, KEEPDIMS]),
    Version::with(12, types(9), &[AXES, KEEPDIMS]),
    Version::with(13, types(10), &[AXES, KEEPDIMS]),
    Version::with(18, types(10), &[KEEPDIMS, NOOP]),
    Version::with(20, types(11), &[KEEPDIMS, NOOP]),
];

pub(super) const AXES: AttributeSpec = integer_list("axes");
pub(super) const KEEPDIMS: AttributeSpec = switch("keepdims");
pub(super) const NOOP: AttributeSpec = switch("noop_with_empty_axes");

/// The first so many types.
const fn types(count: usize) -> &'static [DType] {
    const ALL: &[DType] =
        &[Float32, Float64, Float16, Int32, Int64, Uint32, Uint64, Int8, Uint8, Bfloat16, Bool];
    ALL.split_at(count).0
}

/// An element type with its ends, the lower one first.
trait Ends: Pod + PartialOrd {
    const ENDS: [Self; 2];
}

macro_rules! ends {
    ($($type:ty: $low:ident, $high:ident;)*) => {$(
        impl Ends for $type {
            const ENDS: [Self; 2] = [<$type>::$low, <$type>::$high];
        }
    )*};
}

ends! {
    f16: NEG_INFINITY, INFINITY;
    bf16: NEG_INFINITY, INFINITY;
    f32: NEG_INFINITY, INFINITY;
    f64: NEG_INFINITY, INFINITY;
    i8: MIN, MAX;
    i16: MIN, MAX;
    i32: MIN, MAX;
    i64: MIN, MAX;
    u8: MIN, MAX;
    u16: MIN, MAX;
    u32: MIN, MAX;
    u64: MIN, MAX;
}

/// The data of a call, and which of their dimensions it goes along.
pub(super) fn gone<'a>(call: &Call<'a>) -> Result<(&'a Tensor, Vec<bool>), KernelError> {
    let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
    let rank = data.shape().len();
    let axes = list(call, 1, "axes")?.unwrap_or_default();
    let is_everywhere = axes.is_empty() && call.int("noop_with_empty_axes", 0) == 0;
    let mut is_gone = vec![is_everywhere; rank];
    for axis in axes {
        is_gone[axis_of(call, axis, rank, 11)?] = true;
    }
    Ok((data, is_gone))
}

/// The largest elements along the dimensions, or the smallest.
pub(super) fn extremes(call: &Call<'_>, is_largest: bool) -> Result<Vec<Tensor>, KernelError> {
    let (data, is_gone) = gone(call)?;
    let side = usize::from(!is_largest);
    let foreign = KernelError::Type { operator: call.operator, dtype: data.dtype() };
    match data.dtype() {
        Bool => folded::<u8>(call, data, &is_gone, u8::from(!is_largest), is_largest),
        dtype => with_type!(numbers, dtype, T => {
            folded::<T>(call, data, &is_gone, T::ENDS[side], is_largest)
        }, else Err(foreign)),
    }
}

/// The extremes of elements of the native type, each begun with the same one.
fn folded<T: Pod + Send + Sync + PartialOrd>(
    call: &Call<'_>,
    data: &Tensor,
    is_gone: &[bool],
    start: T,
    is_largest: bool,
) -> Result<Vec<Tensor>, KernelError> {
    let kept = Kept::new(data.shape(), is_gone);
    let mut results = output::<T>(&kept.ones, data.dtype())?;
    results.fill(start);
    for (at, &element) in values::<T>(data).iter().enumerate() {
        let to = kept.place(data.shape(), at);
        if is_taken(results[to], element, is_largest) {
            results[to] = element;
        }
    }
    tensor(data.dtype(), &kept.shape(call, is_gone), results)
}

/// Where elements go in an output that lacks some dimensions.
pub(super) struct Kept {
    /// The shape with a size of 1 wherever a dimension is gone along, so that a place is a sum.
    pub(super) ones: Vec<usize>,
}

impl Kept {
    pub(super) fn new(shape: &[usize], is_gone: &[bool]) -> Self {
        let sizes = shape.iter().zip(is_gone);
        Self { ones: sizes.map(|(&size, &gone)| if gone { 1 } else { size }).collect() }
    }

    /// The place in the output that an element of the data at a place belongs to.
    pub(super) fn place(&self, shape: &[usize], at: usize) -> usize {
        let (mut rest, mut stride, mut to) = (at, 1, 0);
        for (&size, &own) in shape.iter().zip(&self.ones).rev() {
            to += rest % size % own * stride;
            rest /= size;
            stride *= own;
        }
        to
    }

    /// The shape of the output.
    pub(super) fn shape(self, call: &Call<'_>, is_gone: &[bool]) -> Vec<usize> {
        let mut shape = self.ones;
        if call.int("keepdims", 1) == 0 {
            let mut gone = is_gone.iter();
            shape.retain(|_| gone.next() != Some(&true));
        }
        shape
    }
}

/// Whether an element takes the place of the one that was the extreme.
#[expect(clippy::eq_op, reason = "a NaN alone differs from itself")]
fn is_taken<T: PartialOrd + Copy>(so_far: T, element: T, is_largest: bool) -> bool {
    let is_nan = |it: T| it != it;
    let is_beyond = if is_largest { element > so_far } else { element < so_far };
    is_beyond || is_nan(element) && !is_nan(so_far)
}
