//! LRN: elements divided by a power of the squares of the channels around theirs, computed in binary64 and rounded once.

use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::refused;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static LRN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LRN",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES),
        Version::with(13, FLOATS, &ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

const ATTRIBUTES: [AttributeSpec; 4] = [
    AttributeSpec::number("alpha"),
    AttributeSpec::number("beta"),
    AttributeSpec::number("bias"),
    AttributeSpec {
        name: "size",
        accepts: |value| matches!(value, Attribute::Int(1..)),
        expected: "a number of channels",
    },
];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x] = call.inputs()?;
    let format = format_of(call, x)?;
    let [_, channels, others @ ..] = x.shape() else {
        return Err(refused(call, "there are a batch and channels"));
    };
    let size = call.int("size", 0);
    if size == 0 {
        let (name, expected) = ("size", "a number of channels");
        return Err(KernelError::BadAttribute { operator: call.operator, name, expected });
    }
    let [alpha, beta, bias] = [("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0)]
        .map(|(name, otherwise)| f64::from(call.float(name, otherwise)));
    // The steps between channels do not matter where there are no elements.
    let step = others.iter().fold(1_usize, |step, size| step.wrapping_mul(*size)).max(1);
    let last = *channels as i128 - 1;
    let result = |at: usize| {
        let channel = (at / step % channels) as i128;
        let ends = [channel - i128::from((size - 1) / 2), channel + i128::from(size / 2)];
        let [first, end] = ends.map(|end| end.clamp(0, last));
        let of = |other: i128| value(x, (at as i128 + (other - channel) * step as i128) as usize);
        let squares: f64 = (first..=end).map(|channel| of(channel) * of(channel)).sum();
        let base = bias + alpha / size as f64 * squares;
        encoded(format, value(x, at) / libm::pow(base, beta), false)
    };
    Ok(vec![packed(x.dtype(), x.shape(), result)?])
}

#[cfg(test)]
mod tests;
