//! Erf: the error function of each element. Of an integer, which version 9 takes too, it is computed in float64 and
//! truncated, as ONNX's own evaluator does it.

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::error_function::erf as wide;
use super::function::{computed_by, formulas};
use super::series::erf;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, NUMBERS, without_bfloat16};

pub(super) static ERF: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Erf",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::new(9, without_bfloat16(NUMBERS)), Version::new(13, FLOATS)],
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

formulas!(Function, erf, wide);

/// An integer's function is 0 below 6 in magnitude, and from there on 1 or -1 in float64.
macro_rules! integers {
    ($dtype:ident, $operands:ident, $results:ident: $($name:ident => $type:ty),*) => {
        match $dtype {
            $(values::dtype::DType::$name => mapped::<$type>($operands, $results, |x| {
                libm::erf(x as f64) as $type
            }),)*
            _ => computed_by(Function, $dtype, $operands, $results),
        }
    };
}

const SLICES: Slices = |dtype, operands, results| {
    integers!(dtype, operands, results:
        Int8 => i8, Int16 => i16, Int32 => i32, Int64 => i64,
        Uint8 => u8, Uint16 => u16, Uint32 => u32, Uint64 => u64)
};

#[cfg(test)]
mod tests;
