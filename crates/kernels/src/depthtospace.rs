//! DepthToSpace: channels are laid out as blocks of height and width.

use super::blocks::{BLOCK_SIZE, divided, multiplied, parts};
use super::moving::Moving;
use super::reshaping::moving;
use super::signature::{AttributeSpec, Domain, Input};
use super::{Attribute, Kernel};

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
    ],
    restricted: &[],
    run: |call| {
        let (data, [batches, channels, height, width], block) = parts(call)?;
        let places = multiplied(call, &[block, block])?;
        let depth = divided(call, channels, places)?;
        let high = multiplied(call, &[height, block])?;
        let wide = multiplied(call, &[width, block])?;
        let mode = call.attributes.get("mode");
        let column_first = mode == Some(&Attribute::Text("CRD".to_owned()));
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

/// Which part of the channels says the place within a block.
const MODE: AttributeSpec = AttributeSpec {
    name: "mode",
    accepts: |value| matches!(value, Attribute::Text(mode) if mode == "DCR" || mode == "CRD"),
    expected: "`DCR` or `CRD`",
};

#[cfg(test)]
mod tests;
