//! AffineGrid: affine matrices times the positions of a grid, computed in binary64 and rounded once.

use super::arg_extremum::switch;
use super::copies::output_sizes;
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integers, refused};
use super::signature::{Domain, Input, Version};
use super::types::FLOATS;
use super::{Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static AFFINEGRID: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "AffineGrid",
    inputs: &[Input::new("theta"), Input::of("size", DType::Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(20, FLOATS, &[switch("align_corners")])],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [theta, size] = call.inputs()?;
    let format = format_of(call, theta)?;
    let rank = size.shape().len();
    let size = output_sizes(call, &integers(size))?;
    let (batches, spatial) = match &size[..] {
        [batches, _, spatial @ ..] if rank == 1 && matches!(spatial.len(), 2 | 3) => {
            (*batches, spatial)
        }
        _ => return Err(refused(call, "the size is of two or three spatial dimensions")),
    };
    let count = spatial.len();
    if theta.shape() != [batches, count, count + 1] {
        return Err(refused(call, "there is an affine matrix of each batch"));
    }
    let is_by_corners = call.int("align_corners", 0) == 1;
    let position = |at: usize, pixels: usize| {
        let doubled = 2.0 * at as f64;
        let pixels = pixels as f64;
        match is_by_corners {
            true if pixels == 1.0 => 0.0,
            true => (doubled + 1.0 - pixels) / (pixels - 1.0),
            false => (doubled + 1.0 - pixels) / pixels,
        }
    };
    let shape = [&[batches], spatial, &[count]].concat();
    let result = |index: usize| {
        let (mut pixel, row) = (index / count, index % count);
        let mut terms = vec![];
        for size in spatial.iter().rev() {
            terms.push(position(pixel % size, *size));
            pixel /= size;
        }
        let first = (pixel * count + row) * (count + 1);
        let products = terms.iter().enumerate().map(|(at, term)| value(theta, first + at) * term);
        let sum = products.sum::<f64>() + value(theta, first + count);
        encoded(format, sum, false)
    };
    Ok(vec![packed(theta.dtype(), &shape, result)?])
}

#[cfg(test)]
mod tests;
