//! ArgMax: the place of the largest element along a dimension.

use super::arg_extremum::{VERSIONS, places};
use super::signature::{Domain, Input, Restriction, SONNX_FLOAT};
use super::types::{NUMBERS, without_bfloat16};
use super::{Attribute, Kernel};

pub(super) static ARGMAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ArgMax",
    inputs: &[Input::new("data")],
    is_elementwise: false,
    slices: None,
    versions: &VERSIONS,
    restricted: &[Restriction {
        types: &[without_bfloat16(NUMBERS)],
        needed: &["axis", "keepdims", "select_last_index"],
        problem: Some(|_, attributes| match attributes.get("axis") {
            Some(Attribute::Int(..0)) => Some("`axis` is negative"),
            _ => None,
        }),
        ..SONNX_FLOAT
    }],
    run: |call| places(call, true),
};

#[cfg(test)]
mod tests;
