//! LogSoftmax: the logarithms of what Softmax gives.

use super::Kernel;
use super::exponentials::{VERSIONS, shared};
use super::signature::{Domain, Input};

pub(super) static LOGSOFTMAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LogSoftmax",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| shared(call, |number, largest, sum| number - largest - sum.ln()),
};

#[cfg(test)]
mod tests;
