//! QLinearConv: convolutions of quantized data, to whose sums a bias is added, quantized anew.

use super::Kernel;
use super::integer_products::convolution::{ATTRIBUTES, Convolution};
use super::integer_products::{BYTES, Factor, Operand, Output, needed};
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use values::dtype::DType::{Float32, Int32};

pub(super) static QLINEARCONV: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "QLinearConv",
    inputs: &[
        Input::of_any("x", BYTES),
        Input::of("x_scale", Float32),
        Input::of_any("x_zero_point", BYTES),
        Input::of_any("w", BYTES),
        Input::of("w_scale", Float32),
        Input::of_any("w_zero_point", BYTES),
        Input::of("y_scale", Float32),
        Input::new("y_zero_point"),
        Input::of("B", Int32).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(10, BYTES, &ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let operands = [Operand::of(call, 0, 2)?, Operand::of(call, 3, 5)?];
        let convolution = Convolution::of(call, operands, Some(needed(call, 4)?))?;
        let output = Output::of(call)?;
        let channels = convolution.shape()[1];
        let bias = match call.input(8) {
            Some(bias) if bias.shape() != [channels] => {
                return Err(refused(call, "there is not one bias for each channel"));
            }
            bias => bias.map(i32::all),
        };
        let sums = convolution.sums(bias.as_deref())?;
        let sums: Vec<f64> = sums.into_iter().map(f64::from).collect();
        output.quantized(convolution.shape(), &sums, |at| [0, convolution.channel(at)])
    },
};

#[cfg(test)]
mod tests;
