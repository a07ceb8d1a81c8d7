//! Gather: the entries of a dimension at the places that indices say, one after the other.

use super::moving::Moving;
use super::reshaping::{axis_of, integer, integers, moving, refused};
use super::signature::{AttributeSpec, Domain, Input};
use super::{Call, Kernel, KernelError};

pub(super) static GATHER: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Gather",
    inputs: &[Input::new("data"), Input::index("indices")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(1, 15, &[AXIS]), moving(11, 15, &[AXIS]), moving(13, 16, &[AXIS])],
    restricted: &[],
    run: |call| {
        let [data, indices] = call.inputs()?;
        let sizes = data.shape();
        let axis = axis_of(call, call.int("axis", 0), sizes.len(), 1)?;
        let places: Vec<usize> = integers(indices)
            .into_iter()
            .map(|index| entry(call, index, sizes[axis]))
            .collect::<Result<_, _>>()?;
        let mut shape = sizes.to_vec();
        shape.splice(axis..=axis, indices.shape().iter().copied());
        let mut output = Moving::new(data.dtype(), shape)?;
        if output.elements > 0 {
            let outer: usize = sizes[..axis].iter().product();
            let inner: usize = sizes[axis + 1..].iter().product();
            for block in 0..outer {
                for place in &places {
                    output.take(data, (block * sizes[axis] + place) * inner, inner);
                }
            }
        }
        Ok(vec![output.done()?])
    },
};

/// The dimension of the data that indices are of.
pub(super) const AXIS: AttributeSpec = integer("axis");

/// The place along a dimension that an index says, counted from the end where it is negative.
pub(super) fn entry(call: &Call<'_>, index: i64, size: usize) -> Result<usize, KernelError> {
    let index = if index < 0 { index.wrapping_add(size as i64) } else { index };
    match usize::try_from(index) {
        Ok(index) if index < size => Ok(index),
        _ => Err(refused(call, "an index is out of bounds")),
    }
}

#[cfg(test)]
mod tests;
