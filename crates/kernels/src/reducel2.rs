//! ReduceL2: the square root of the sum of the squares along any dimensions.

use super::Kernel;
use super::reduce_function::{Function, NORM_VERSIONS, reduced};
use super::reduce_sum::inputs;
use super::signature::Domain;

pub(super) static REDUCEL2: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ReduceL2",
    inputs: &inputs(18),
    is_elementwise: false,
    slices: None,
    versions: &NORM_VERSIONS,
    restricted: &[],
    run: |call| reduced(call, Function::Norm),
};
