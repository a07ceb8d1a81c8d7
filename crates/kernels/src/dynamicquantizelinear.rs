//! DynamicQuantizeLinear: float32 as uint8, with the scale and the zero point that fit the data.

use super::quantization::packed;
use super::quantizelinear::saturated;
use super::signature::{Domain, Input, Version};
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{Float32, Uint8};
use values::tensor::Tensor;

pub(super) static DYNAMICQUANTIZELINEAR: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "DynamicQuantizeLinear",
    inputs: &[Input::new("x")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(11, &[Float32])],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x] = call.inputs()?;
    let element = |at: usize| f32::from_bits(x.element(at).unwrap_or_default() as u32);
    let elements = || (0..x.elements()).map(element);
    let range = elements().fold(0.0, f32::max) - elements().fold(0.0, f32::min);
    let scale = range / 255.0;
    let least = elements().fold(0.0, f32::min);
    let byte = |number: f32| saturated(number.round_ties_even().into(), false, 8);
    let zero = byte(-(least / scale));
    let quantized = |at: usize| {
        let quotient = f64::from((element(at) / scale).round_ties_even());
        saturated(quotient + zero as f64, false, 8)
    };
    Ok(vec![
        packed(Uint8, x.shape(), quantized)?,
        packed(Float32, &[], |_| scale.to_bits().into())?,
        packed(Uint8, &[], |_| zero)?,
    ])
}

#[cfg(test)]
mod tests;
