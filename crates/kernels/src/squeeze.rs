//! Squeeze: without the listed dimensions of size 1, or without all of them.

use super::Kernel;
use super::reshaping::{axis_of, integer_list, list, moving, refused, with_shape};
use super::signature::{AttributeSpec, Domain, Input};
use values::dtype::DType;

pub(super) static SQUEEZE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Squeeze",
    inputs: &[Input::new("data"), Input::of("axes", DType::Int64).optional().since(13)],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[AXES]),
        moving(11, 15, &[AXES]),
        moving(13, 16, &[]),
        moving(21, 22, &[]),
        moving(23, 23, &[]),
        moving(24, 24, &[]),
        moving(25, 26, &[]),
    ],
    restricted: &[],
    run: |call| {
        let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
        let mut sizes: Vec<Option<usize>> = data.shape().iter().copied().map(Some).collect();
        match list(call, 1, "axes")? {
            None => sizes.retain(|size| *size != Some(1)),
            Some(axes) => {
                for axis in axes {
                    let at = axis_of(call, axis, sizes.len(), 11)?;
                    if data.shape()[at] != 1 {
                        return Err(refused(call, "a listed dimension is not of size 1"));
                    }
                    sizes[at] = None;
                }
            }
        }
        with_shape(data, sizes.into_iter().flatten().collect())
    },
};

const AXES: AttributeSpec = integer_list("axes");

#[cfg(test)]
mod tests;
