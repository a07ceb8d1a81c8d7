//! ReduceSum: the sum of the elements along any dimensions.

use super::Kernel;
use super::reduce_sum::{Reduction, SUM_VERSIONS, inputs, reduced};
use super::signature::Domain;

pub(super) static REDUCESUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceSum",
    inputs: &inputs(13),
    is_elementwise: false,
    slices: None,
    versions: &SUM_VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Reduction::Sum),
};

#[cfg(test)]
mod tests;
