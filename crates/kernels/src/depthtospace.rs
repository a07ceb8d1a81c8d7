//! DepthToSpace: channels are laid out as blocks of height and width.

use super::Kernel;
use super::blocks::{BLOCK_SIZE, MODE, divided, is_column_first, multiplied, parts};
use super::moving::Moving;
use super::reshaping::moving;
use super::signature::{Domain, Input};

pub(super) static DEPTHTOSPACE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "DepthToSpace",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[BLOCK_SIZE]),
        moving(11, 15, &[BLOCK_SIZE, MODE]),
        moving(13, 16, &[BLOCK_SIZE, MODE]),
        moving(28, 16, &[BLOCK_SIZE, MODE]),
    ],
    restricted: &[],
    run: |call| {
        let (data, [batches, channels, height, width], block) = parts(call)?;
        let places = multiplied(call, &[block, block])?;
        let depth = divided(call, channels, places)?;
        let high = multiplied(call, &[height, block])?;
        let wide = multiplied(call, &[width, block])?;
        let column_first = is_column_first(call);
        let mut output = Moving::new(data.dtype(), vec![batches, depth, high, wide])?;
        for index in 0..output.elements {
            let (line, x) = (index / wide, index % wide);
            let (plane, y) = (line / high, line % high);
            let (batch, channel) = (plane / depth, plane % depth);
            let place = y % block * block + x % block;
            let from =
                if column_first { channel * places + place } else { place * depth + channel };
            let from = (batch * channels + from) * height + y / block;
            output.take(data, from * width + x / block, 1);
        }
        Ok(vec![output.done()?])
    },
};

#[cfg(test)]
mod tests;
