//! ReduceLogSumExp: the natural logarithm of the sum of powers of e along any dimensions.

use super::Kernel;
use super::reduce_function::{Function, VERSIONS, reduced};
use super::reduce_sum::inputs;
use super::signature::Domain;

pub(super) static REDUCELOGSUMEXP: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceLogSumExp",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Function::LogSumExp),
};
