//! Expand: dimensions of size 1 are repeated until the shape of a list is filled.

use super::Kernel;
use super::copies::{output_sizes, refused_list};
use super::moving::gathered;
use super::reshaping::{list, moving, refused};
use super::signature::{Domain, Input};
use values::dtype::DType;

pub(super) static EXPAND: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Expand",
    inputs: &[Input::new("input"), Input::of("shape", DType::Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[moving(8, 15, &[]), moving(13, 16, &[])],
    restricted: &[],
    run: |call| {
        let (Some(data), Some(list)) = (call.input(0), list(call, 1, "shape")?) else {
            return Err(refused_list(call));
        };
        let wanted = output_sizes(call, &list)?;
        let rank = wanted.len().max(data.shape().len());
        let own = with_ones(data.shape(), rank);
        let mut shape = with_ones(&wanted, rank);
        for (size, &own) in shape.iter_mut().zip(&own) {
            match (*size, own) {
                (wanted, own) if wanted == own => {}
                (1, own) => *size = own,
                (_, 1) => {}
                _ => return Err(refused(call, "two sizes differ and neither is 1")),
            }
        }
        gathered(data, &own, None, &shape, |dimension, at| {
            Some(if own[dimension] == 1 { 0 } else { at })
        })
    },
};

/// The sizes behind as many ones as make so many dimensions.
fn with_ones(sizes: &[usize], rank: usize) -> Vec<usize> {
    let mut all = vec![1; rank - sizes.len()];
    all.extend_from_slice(sizes);
    all
}

#[cfg(test)]
mod tests;
