//! Sum: the sum of the elements of any number of tensors.

use super::Kernel;
use super::signature::{Domain, Input};
use super::sum_of_tensors::{VERSIONS, summed};

pub(super) static SUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Sum",
    inputs: &[Input::new("data_0").variadic()],
    is_elementwise: true,
    slices: None,
    versions: &VERSIONS,
    restricted: &[],
    run: |call| summed(call, false),
};
