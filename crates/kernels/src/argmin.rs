//! ArgMin: the place of the smallest element along a dimension.

use super::Kernel;
use super::arg_extremum::{VERSIONS, places};
use super::signature::{Domain, Input};

pub(super) static ARGMIN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ArgMin",
    inputs: &[Input::new("data")],
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| places(call, false),
};

#[cfg(test)]
mod tests;
