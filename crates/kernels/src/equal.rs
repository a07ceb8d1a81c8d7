//! Equal: whether two elements are equal: numbers by their values, truth values, and strings byte by byte.

use super::Kernel;
use super::comparison::{Relation, compared, kernel};
use super::elementwise::{checked_len, each, judged, tensor};
use super::operator::Call;
use super::signature::{AXIS, BROADCAST, Version};
use super::{BLOCK, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text,
    Uint8, Uint16, Uint32, Uint64,
};
use values::tensor::Tensor;

pub(super) static EQUAL: Kernel =
    kernel("Equal", &VERSIONS, |call| match call.inputs::<2>()?[0].dtype() {
        Text => equal_strings(call),
        Bool => judged::<u8, 2>(call, |[a, b], results| {
            each(a.iter().zip(b), results, |(a, b)| u8::from((*a == 0) == (*b == 0)));
        }),
        _ => compared::<Same>(call),
    });

static VERSIONS: [Version; 5] = [
    Version::with(1, &[Bool, Int32, Int64], &[AXIS, BROADCAST]),
    Version::new(7, &[Bool, Int32, Int64]),
    Version::new(11, ALL.split_at(2).1),
    Version::new(13, ALL.split_at(1).1),
    Version::new(19, ALL),
];

/// The types of the newest version, those that came last at the beginning.
#[rustfmt::skip]
const ALL: &[DType] = &[
    Text, Bfloat16, Bool, Float16, Float32, Float64,
    Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
];

fn equal_strings(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let inputs @ [a, b] = call.inputs()?;
    let plan = call.broadcast(&inputs)?;
    let elements = checked_len(plan.shape(), Bool, 1)?;
    let (a, b) = (a.strings().unwrap_or_default(), b.strings().unwrap_or_default());
    let mut results = Vec::with_capacity(elements.min(BLOCK));
    results.extend((0..elements).map(|index| {
        let at = |operand| plan.operand_index(operand, index);
        let pair = at(0).and_then(|place| a.get(place)).zip(at(1).and_then(|place| b.get(place)));
        u8::from(pair.is_some_and(|(a, b)| a == b))
    }));
    tensor(Bool, plan.shape(), results)
}

struct Same;

impl Relation for Same {
    #[inline(always)]
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool {
        a == b
    }
}

#[cfg(test)]
mod tests;
