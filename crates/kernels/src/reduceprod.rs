//! ReduceProd: the product of the elements along any dimensions.

use super::Kernel;
use super::reduce_sum::{Reduction, VERSIONS, inputs, reduced};
use super::signature::Domain;

pub(super) static REDUCEPROD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceProd",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Reduction::Product),
};

#[cfg(test)]
mod tests;
