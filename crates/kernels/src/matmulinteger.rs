//! MatMulInteger: products of matrices of 8-bit integers less their zero points, summed up modulo 2^32.

use super::Kernel;
use super::elementwise::tensor;
use super::integer_products::matrices::Product;
use super::integer_products::{BYTES, Operand};
use super::signature::{Domain, Input, Version};
use values::dtype::DType::Int32;

pub(super) static MATMULINTEGER: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MatMulInteger",
    inputs: &[
        Input::new("A"),
        Input::of_any("B", BYTES),
        Input::new("a_zero_point").optional(),
        Input::of_any("b_zero_point", BYTES).optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(10, BYTES)],
    restricted: &[],
    run: |call| {
        let operands = [Operand::of(call, 0, 2)?, Operand::of(call, 1, 3)?];
        let product = Product::of(call, operands, [None; 2])?;
        tensor(Int32, product.shape(), product.sums::<i32>(Int32)?)
    },
};

#[cfg(test)]
mod tests;
