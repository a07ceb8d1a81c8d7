//! ReduceMean: the mean of the elements along any dimensions.

use super::Kernel;
use super::reduce_sum::{Reduction, VERSIONS, inputs, reduced};
use super::signature::Domain;

pub(super) static REDUCEMEAN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceMean",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Reduction::Mean),
};

#[cfg(test)]
mod tests;
