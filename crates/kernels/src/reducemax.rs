//! ReduceMax: the largest element along any dimensions.

use super::Kernel;
use super::reduce_extremum::{INPUTS, VERSIONS, extremes};
use super::signature::Domain;

pub(super) static REDUCEMAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceMax",
    inputs: INPUTS,
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| extremes(call, true),
};

#[cfg(test)]
mod tests;
