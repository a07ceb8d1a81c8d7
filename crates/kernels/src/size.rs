//! Size: the number of elements.

use super::Kernel;
use super::elementwise::tensor;
use super::reshaping::moving;
use super::signature::{Domain, Input};
use values::dtype::DType;

pub(super) static SIZE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Size",
    inputs: &[Input::new("data")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[]),
        moving(13, 16, &[]),
        moving(19, 20, &[]),
        moving(21, 22, &[]),
        moving(23, 23, &[]),
        moving(24, 24, &[]),
        moving(25, 26, &[]),
    ],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        tensor(DType::Int64, &[], vec![data.elements() as i64])
    },
};

#[cfg(test)]
mod tests;
