//! ReduceL1: the sum of the magnitudes of the elements along any dimensions.

use super::Kernel;
use super::reduce_sum::{Reduction, VERSIONS, inputs, reduced};
use super::signature::Domain;

pub(super) static REDUCEL1: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceL1",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Reduction::Magnitudes),
};
