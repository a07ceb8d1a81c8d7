//! QuantizeLinear: quotients by a scale, rounded, moved by a zero point, and saturated.

use super::quantization::{
    AXIS, BLOCK_SIZE, OUTPUT_DTYPE, Scales, encoded, output_dtype, packed, rounded, value,
};
use super::reshaping::integer;
use super::signature::{AttributeSpec, Domain, Input, Types, Version};
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

pub(super) static QUANTIZELINEAR: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "QuantizeLinear",
    inputs: &[
        Input::new("x"),
        Input { types: Types::Since(SCALES), ..Input::new("y_scale") },
        Input { types: Types::Since(QUANTIZED), ..Input::new("y_zero_point") }.optional(),
    ],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::new(10, first(DATA, 2)),
        Version::with(13, first(DATA, 2), &[AXIS]),
        Version::with(19, DATA, &[AXIS, SATURATE]),
        Version::with(21, DATA, &[AXIS, SATURATE, BLOCK_SIZE, OUTPUT_DTYPE]),
        Version::with(23, DATA, &[AXIS, SATURATE, BLOCK_SIZE, OUTPUT_DTYPE, PRECISION]),
        Version::with(24, DATA, &[AXIS, SATURATE, BLOCK_SIZE, OUTPUT_DTYPE, PRECISION]),
        Version::with(25, DATA, &[AXIS, SATURATE, BLOCK_SIZE, OUTPUT_DTYPE, PRECISION]),
        Version::with(28, DATA, &[AXIS, SATURATE, BLOCK_SIZE, OUTPUT_DTYPE, PRECISION]),
    ],
    restricted: &[],
    run,
};

const DATA: &[DType] = &[Float32, Int32, Float16, Bfloat16];
const ALL_SCALES: &[DType] = &[Float32, Int32, Float16, Bfloat16, Float8E8M0];
const SCALES: &[(i64, &[DType])] =
    &[(10, first(ALL_SCALES, 1)), (19, first(ALL_SCALES, 4)), (24, ALL_SCALES)];

#[rustfmt::skip]
const ALL_QUANTIZED: &[DType] = &[
    Uint8, Int8,
    Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Uint16, Int16, Uint4, Int4,
    Float4E2M1,
    Uint2, Int2,
    Float6E2M3, Float6E3M2,
];
const QUANTIZED: &[(i64, &[DType])] = &[
    (10, first(ALL_QUANTIZED, 2)),
    (19, first(ALL_QUANTIZED, 6)),
    (21, first(ALL_QUANTIZED, 10)),
    (23, first(ALL_QUANTIZED, 11)),
    (25, first(ALL_QUANTIZED, 13)),
    (28, ALL_QUANTIZED),
];

const SATURATE: AttributeSpec = integer("saturate");
const PRECISION: AttributeSpec = integer("precision");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let operator = call.operator;
    let missing = || KernelError::Arity { operator, expected: 2, actual: call.given.len() };
    let (Some(x), Some(scale)) = (call.input(0), call.input(1)) else { return Err(missing()) };
    let [left, right] = [x.dtype(), scale.dtype()];
    if (19..23).contains(&operator.since_version()) && left != right {
        return Err(KernelError::TypesDiffer { operator, left, right });
    }
    let scales = Scales::of(call)?;
    let types = Types::since(QUANTIZED, operator.since_version());
    let zero = call.input(2);
    let to = match (output_dtype(call, types)?, zero.map(Tensor::dtype)) {
        (Some(left), Some(right)) if left != right => {
            return Err(KernelError::TypesDiffer { operator, left, right });
        }
        (named, zero) => named.or(zero).unwrap_or(Uint8),
    };
    let saturates = call.int("saturate", 1) != 0;
    let precision = precision(call, left, right)?;
    let result = |at: usize| {
        let place = scales.place(at);
        let [dividend, divisor] =
            [value(x, at), value(scale, place)].map(|value| rounded(precision, value));
        let quotient = rounded(precision, dividend / divisor);
        let zero = zero.map_or(0.0, |zero| value(zero, place));
        match to.kind() {
            Kind::Int { signed, bits } => {
                saturated(quotient.round_ties_even() + zero, signed, bits)
            }
            Kind::Float(format) => encoded(format, quotient + zero, saturates),
            Kind::Bool | Kind::Complex(_) | Kind::String => 0,
        }
    };
    Ok(vec![packed(to, x.shape(), result)?])
}

/// The format in which a quotient is computed: that which the attribute names, since version 23 that of the scale,
/// and before and of other scales that of the data, if they have one.
fn precision(
    call: &Call<'_>,
    data: DType,
    scale: DType,
) -> Result<&'static FloatFormat, KernelError> {
    let format = |dtype: DType| match dtype.kind() {
        Kind::Float(format) if format.width() > 8 => Some(format),
        _ => None,
    };
    match call.int("precision", 0) {
        0 => {
            let of_data = format(data).unwrap_or(&FloatFormat::FLOAT32);
            Ok(format(scale).unwrap_or(of_data))
        }
        code => {
            let dtype = i32::try_from(code).ok().and_then(DType::from_onnx);
            let expected = "the number of a float type of 16 bits or more";
            let name = "precision";
            let bad = KernelError::BadAttribute { operator: call.operator, name, expected };
            dtype.and_then(format).ok_or(bad)
        }
    }
}

/// The bits of an integer type for a whole number, or for the end that is nearer; a NaN becomes 0.
pub(super) fn saturated(number: f64, signed: bool, bits: u32) -> u64 {
    let most = (1_i64 << (bits - u32::from(signed))) - 1;
    let least = if signed { -most - 1 } else { 0 };
    (number as i64).clamp(least, most) as u64 & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests;
