//! Softmax: powers of e as shares of their sum.

use super::exponentials::{VERSIONS, shared};
use super::signature::{Domain, Input, Restriction, SONNX_FLOAT};
use super::{Attribute, Kernel};

pub(super) static SOFTMAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Softmax",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[Restriction {
        needed: &["axis"],
        problem: Some(|_, attributes| match attributes.get("axis") {
            Some(Attribute::Int(..0)) => Some("`axis` is negative"),
            _ => None,
        }),
        ..SONNX_FLOAT
    }],
    run: |call| shared(call, |number, largest, sum| (number - largest).exp() / sum),
};

#[cfg(test)]
mod tests;
