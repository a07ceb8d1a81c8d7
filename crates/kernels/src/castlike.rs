//! CastLike: each element as one of the type that another tensor has.

use super::Kernel;
use super::conversion::{ROUND_MODE, SATURATE, convert, converted};
use super::signature::{Domain, Input, Version};

pub(super) static CASTLIKE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CastLike",
    inputs: &[Input::new("input"), Input::free("target_type")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::new(15, converted(14)),
        Version::with(19, converted(18), &[SATURATE]),
        Version::with(21, converted(20), &[SATURATE]),
        Version::with(23, converted(21), &[SATURATE]),
        Version::with(24, converted(22), &[SATURATE, ROUND_MODE]),
        Version::with(25, converted(24), &[SATURATE, ROUND_MODE]),
    ],
    restricted: &[],
    run: |call| {
        let [input, like] = call.inputs()?;
        convert(call, input, like.dtype())
    },
};

#[cfg(test)]
mod tests;
