//! GlobalLpPool: the norm of each channel.

use super::Kernel;
use super::lppool::{P, P_1, norms};
use super::pooling::Axis;
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};

pub(super) static GLOBALLPPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GlobalLpPool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[P_1]),
        Version::with(2, without_bfloat16(FLOATS), &[P]),
        Version::with(22, FLOATS, &[P]),
    ],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        match data.shape() {
            [_, _, sizes @ ..] if !sizes.is_empty() => {
                norms(call, data, &sizes.iter().copied().map(Axis::whole).collect::<Vec<_>>())
            }
            _ => Err(refused(call, "there are a batch, channels and a spatial dimension")),
        }
    },
};
