//! SwiGLU: Swish of one tensor times another, element by element, computed in binary64 and rounded once. `alpha` is not rounded to the type of
//! the elements.

use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::refused;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static SWIGLU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "SwiGLU",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(28, FLOATS, &[AttributeSpec::number("alpha")])],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [a, b] = call.inputs()?;
    let format = format_of(call, a)?;
    if a.shape() != b.shape() {
        return Err(refused(call, "gates and factors have one shape"));
    }
    let alpha = f64::from(call.float("alpha", 1.0));
    let result = |at: usize| encoded(format, gate(alpha, value(a, at)) * value(b, at), false);
    Ok(vec![packed(a.dtype(), a.shape(), result)?])
}

/// x / (1 + e^(-alpha x)), by the power of e that is at most 1.
fn gate(alpha: f64, x: f64) -> f64 {
    let product = alpha * x;
    let power = libm::exp(-product.abs());
    let dividend = if product < 0.0 { power } else { 1.0 };
    x * (dividend / (1.0 + power))
}

#[cfg(test)]
mod tests;
