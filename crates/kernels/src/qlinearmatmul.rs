//! QLinearMatMul: products of quantized matrices, quantized anew.
//!
//! Integers are summed up modulo 2^32. With floats of 8 bits all is computed in binary64.

use super::Kernel;
use super::integer_products::matrices::Product;
use super::integer_products::{BYTES, Operand, Output, needed};
use super::signature::{Domain, Input, Types, Version};
use super::types::first;
use values::dtype::DType::{
    self, Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32,
    Float64, Int8, Int32, Uint8,
};

const QUANTIZED: &[DType] =
    &[Int8, Uint8, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz];
const OTHERS: Types = Types::Since(&[(10, first(QUANTIZED, 2)), (21, QUANTIZED)]);
const SCALES: Types = Types::Since(&[(10, &[Float32]), (21, &[Float32, Float16, Bfloat16])]);

const fn of(name: &'static str, types: Types) -> Input {
    Input { types, ..Input::new(name) }
}

pub(super) static QLINEARMATMUL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "QLinearMatMul",
    inputs: &[
        of("a", OTHERS),
        of("a_scale", SCALES),
        of("a_zero_point", OTHERS),
        of("b", OTHERS),
        of("b_scale", SCALES),
        of("b_zero_point", OTHERS),
        of("y_scale", SCALES),
        Input::new("y_zero_point"),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(10, first(QUANTIZED, 2)), Version::new(21, QUANTIZED)],
    restricted: &[],
    run: |call| {
        let operands = [Operand::of(call, 0, 2)?, Operand::of(call, 3, 5)?];
        let scales = [Some(needed(call, 1)?), Some(needed(call, 4)?)];
        let product = Product::of(call, operands, scales)?;
        let output = Output::of(call)?;
        let sums = match operands.iter().all(|operand| BYTES.contains(&operand.data.dtype())) {
            true => product.sums::<i32>(Int32)?.into_iter().map(f64::from).collect(),
            false => product.sums::<f64>(Float64)?,
        };
        output.quantized(product.shape(), &sums, |at| product.lines(at))
    },
};

#[cfg(test)]
mod tests;
