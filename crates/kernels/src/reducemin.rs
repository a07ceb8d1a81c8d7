//! ReduceMin: the smallest element along any dimensions.

use super::Kernel;
use super::reduce_extremum::{INPUTS, VERSIONS, extremes};
use super::signature::Domain;

pub(super) static REDUCEMIN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceMin",
    inputs: INPUTS,
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| extremes(call, false),
};

#[cfg(test)]
mod tests;
