//! SpaceToDepth: blocks of height and width are laid out as channels, place after place.

use super::Kernel;
use super::blocks::{BLOCK_SIZE, MODE, divided, is_column_first, multiplied, parts};
use super::moving::Moving;
use super::reshaping::moving;
use super::signature::{Domain, Input};

pub(super) static SPACETODEPTH: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "SpaceToDepth",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[BLOCK_SIZE]),
        moving(13, 16, &[BLOCK_SIZE]),
        moving(28, 16, &[BLOCK_SIZE, MODE]),
    ],
    restricted: &[],
    run: |call| {
        let (data, [batches, channels, height, width], block) = parts(call)?;
        let (high, wide) = (divided(call, height, block)?, divided(call, width, block)?);
        let places = multiplied(call, &[block, block])?;
        let deep = multiplied(call, &[channels, places])?;
        let column_first = is_column_first(call);
        let mut output = Moving::new(data.dtype(), vec![batches, deep, high, wide])?;
        for index in 0..output.elements {
            let (line, x) = (index / wide, index % wide);
            let (plane, y) = (line / high, line % high);
            let (batch, depth) = (plane / deep, plane % deep);
            let (place, channel) = if column_first {
                (depth % places, depth / places)
            } else {
                (depth / channels, depth % channels)
            };
            let row = (batch * channels + channel) * height + y * block + place / block;
            output.take(data, row * width + x * block + place % block, 1);
        }
        Ok(vec![output.done()?])
    },
};

#[cfg(test)]
mod tests;
