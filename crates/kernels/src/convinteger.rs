//! ConvInteger: convolutions of 8-bit integers less their zero points, summed up modulo 2^32.

use super::Kernel;
use super::elementwise::tensor;
use super::integer_products::convolution::{ATTRIBUTES, Convolution};
use super::integer_products::{BYTES, Operand};
use super::signature::{Domain, Input, Version};
use values::dtype::DType::Int32;

pub(super) static CONVINTEGER: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ConvInteger",
    inputs: &[
        Input::new("x"),
        Input::of_any("w", BYTES),
        Input::new("x_zero_point").optional(),
        Input::of_any("w_zero_point", BYTES).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(10, BYTES, &ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let operands = [Operand::of(call, 0, 2)?, Operand::of(call, 1, 3)?];
        let convolution = Convolution::of(call, operands, None)?;
        tensor(Int32, convolution.shape(), convolution.sums(None)?)
    },
};

#[cfg(test)]
mod tests;
