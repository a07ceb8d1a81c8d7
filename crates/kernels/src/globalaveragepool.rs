//! GlobalAveragePool: the mean of each channel.

use super::Kernel;
use super::averagepool::averaged;
use super::pooling::Axis;
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static GLOBALAVERAGEPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GlobalAveragePool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(1, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        match data.shape() {
            [_, _, sizes @ ..] if !sizes.is_empty() => {
                let axes: Vec<Axis> = sizes.iter().copied().map(Axis::whole).collect();
                averaged(call, data, &axes, false)
            }
            _ => Err(refused(call, "there are a batch, channels and a spatial dimension")),
        }
    },
};

#[cfg(test)]
mod tests;
