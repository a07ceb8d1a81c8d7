//! SpaceToDepth: blocks of height and width are laid out as channels, place after place.

use super::Kernel;
use super::blocks::{BLOCK_SIZE, divided, multiplied, parts};
use super::moving::Moving;
use super::reshaping::moving;
use super::signature::{Domain, Input};

pub(super) static SPACETODEPTH: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "SpaceToDepth",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[moving(1, 15, &[BLOCK_SIZE]), moving(13, 16, &[BLOCK_SIZE])],
    restricted: &[],
    run: |call| {
        let (data, [batches, channels, height, width], block) = parts(call)?;
        let (high, wide) = (divided(call, height, block)?, divided(call, width, block)?);
        let deep = multiplied(call, &[channels, block, block])?;
        let mut output = Moving::new(data.dtype(), vec![batches, deep, high, wide])?;
        for index in 0..output.elements {
            let (line, x) = (index / wide, index % wide);
            let (plane, y) = (line / high, line % high);
            let (batch, depth) = (plane / deep, plane % deep);
            let (place, channel) = (depth / channels, depth % channels);
            let row = (batch * channels + channel) * height + y * block + place / block;
            output.take(data, row * width + x * block + place % block, 1);
        }
        Ok(vec![output.done()?])
    },
};

#[cfg(test)]
mod tests;
