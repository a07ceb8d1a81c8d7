//! Identity: the input as it is.

use super::Kernel;
use super::reshaping::moving;
use super::signature::{Domain, Input};

pub(super) static IDENTITY: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Identity",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[]),
        moving(13, 16, &[]),
        moving(14, 16, &[]),
        moving(16, 16, &[]),
        moving(19, 20, &[]),
        moving(21, 22, &[]),
        moving(23, 23, &[]),
        moving(24, 24, &[]),
        moving(25, 26, &[]),
    ],
    restricted: &[],
    run: |call| {
        let [input] = call.inputs()?;
        Ok(vec![input.clone()])
    },
};
