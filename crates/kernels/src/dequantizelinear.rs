//! DequantizeLinear: elements less a zero point, times a scale. The difference and the product are computed in
//! float32, or, as the difference of int32, in float64.

use super::quantization::{
    AXIS, BLOCK_SIZE, OUTPUT_DTYPE, Scales, encoded, output_dtype, packed, rounded, value,
};
use super::signature::{Domain, Input, Types, Version};
use super::types::first;
use super::{Call, Kernel, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Int2, Int4, Int8, Int16, Int32, Uint2, Uint4,
    Uint8, Uint16,
};
use values::dtype::Kind;
use values::float::FloatFormat;
use values::tensor::Tensor;

pub(super) static DEQUANTIZELINEAR: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "DequantizeLinear",
    inputs: &[
        Input::new("x"),
        Input { types: Types::Since(SCALES), ..Input::new("x_scale") },
        Input::new("x_zero_point").optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::new(10, first(DATA, 3)),
        Version::with(13, first(DATA, 3), &[AXIS]),
        Version::with(19, first(DATA, 7), &[AXIS]),
        Version::with(21, first(DATA, 11), &[AXIS, BLOCK_SIZE]),
        Version::with(23, first(DATA, 12), &[AXIS, BLOCK_SIZE, OUTPUT_DTYPE]),
        Version::with(24, first(DATA, 12), &[AXIS, BLOCK_SIZE, OUTPUT_DTYPE]),
        Version::with(25, first(DATA, 14), &[AXIS, BLOCK_SIZE, OUTPUT_DTYPE]),
        Version::with(28, DATA, &[AXIS, BLOCK_SIZE, OUTPUT_DTYPE]),
    ],
    restricted: &[],
    run,
};

#[rustfmt::skip]
const DATA: &[DType] = &[
    Uint8, Int8, Int32,
    Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Uint16, Int16, Uint4, Int4,
    Float4E2M1,
    Uint2, Int2,
    Float6E2M3, Float6E3M2,
];
const ALL_SCALES: &[DType] = &[Float32, Float16, Bfloat16, Float8E8M0];
const OUTPUTS: &[DType] = first(ALL_SCALES, 3);
const SCALES: &[(i64, &[DType])] = &[(10, first(ALL_SCALES, 1)), (19, OUTPUTS), (24, ALL_SCALES)];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let operator = call.operator;
    let missing = || KernelError::Arity { operator, expected: 2, actual: call.given.len() };
    let (Some(x), Some(scale)) = (call.input(0), call.input(1)) else { return Err(missing()) };
    let scales = Scales::of(call)?;
    let to = output_dtype(call, OUTPUTS)?.unwrap_or(scale.dtype());
    let Kind::Float(format) = to.kind() else { return Err(missing()) };
    if !OUTPUTS.contains(&to) {
        let (name, expected) =
            ("output_dtype", "there where the output cannot have the scale's type");
        return Err(KernelError::BadAttribute { operator, name, expected });
    }
    let zero = call.input(2);
    let float32 = &FloatFormat::FLOAT32;
    let result = |at: usize| {
        let place = scales.place(at);
        let zero = zero.map_or(0.0, |zero| value(zero, place));
        let difference = rounded(float32, value(x, at) - zero);
        encoded(format, rounded(float32, difference * value(scale, place)), false)
    };
    Ok(vec![packed(to, x.shape(), result)?])
}

#[cfg(test)]
mod tests;
