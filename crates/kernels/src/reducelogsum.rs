//! ReduceLogSum: the natural logarithm of the sum along any dimensions.

use super::Kernel;
use super::reduce_function::{Function, VERSIONS, reduced};
use super::reduce_sum::inputs;
use super::signature::Domain;

pub(super) static REDUCELOGSUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceLogSum",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Function::LogSum),
};
