//! ReduceSumSquare: the sum of the squares of the elements along any dimensions.

use super::Kernel;
use super::reduce_sum::{Reduction, VERSIONS, inputs, reduced};
use super::signature::Domain;

pub(super) static REDUCESUMSQUARE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceSumSquare",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Reduction::Squares),
};
