//! Not: the other truth value.

use super::Kernel;
use super::elementwise::{each, judged};
use super::logic::TRUTH;
use super::signature::{Domain, Input, Version};

pub(super) static NOT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Not",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: None,
    versions: &[Version::new(1, TRUTH)],
    restricted: &[],
    run: |call| {
        judged::<u8, 1>(call, |[x], results| each(x.iter(), results, |x| u8::from(*x == 0)))
    },
};

#[cfg(test)]
mod tests;
