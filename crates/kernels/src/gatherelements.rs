//! GatherElements: each index takes the element that lies where it does itself, but for one dimension.

use super::gather::{AXIS, entry};
use super::moving::Moving;
use super::reshaping::{axis_of, integers, moving, refused};
use super::signature::{Domain, Input};
use super::{Call, Kernel, KernelError};

pub(super) static GATHERELEMENTS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GatherElements",
    inputs: &[Input::new("data"), Input::index("indices")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(11, 15, &[AXIS]), moving(13, 16, &[AXIS])],
    restricted: &[],
    run: |call| {
        let [data, indices] = call.inputs()?;
        let axis = axis_of(call, call.int("axis", 0), data.shape().len(), 11)?;
        let sources = elements(call, data.shape(), indices.shape(), &integers(indices), axis)?;
        let mut output = Moving::new(data.dtype(), indices.shape().to_vec())?;
        for source in sources {
            output.take(data, source, 1);
        }
        Ok(vec![output.done()?])
    },
};

/// The element of a tensor of these sizes that each index is about, of a tensor of them in this shape.
pub(super) fn elements(
    call: &Call<'_>,
    sizes: &[usize],
    shape: &[usize],
    indices: &[i64],
    axis: usize,
) -> Result<Vec<usize>, KernelError> {
    if shape.len() != sizes.len() {
        return Err(refused(call, "indices have as many dimensions as the data"));
    }
    let mut others = shape.iter().zip(sizes).enumerate().filter(|(at, _)| *at != axis);
    if !indices.is_empty() && others.any(|(_, (own, size))| own > size) {
        return Err(refused(call, "indices are no longer than the data in any other dimension"));
    }
    let element = |(number, &index): (usize, &i64)| {
        let (mut rest, mut element, mut stride) = (number, 0_usize, 1_usize);
        for (dimension, (own, size)) in shape.iter().zip(sizes).enumerate().rev() {
            let along = match dimension == axis {
                true => entry(call, index, *size)?,
                false => rest % own,
            };
            // Of data without elements the strides may overflow before an index is refused.
            element = element.wrapping_add(along.wrapping_mul(stride));
            rest /= own;
            stride = stride.wrapping_mul(*size);
        }
        Ok(element)
    };
    indices.iter().enumerate().map(element).collect()
}

#[cfg(test)]
mod tests;
