//! The conversion of elements to another type, one after the other: floats through binary64, integers through
//! 128 bits.

use bytes::Bytes;
use half::{bf16, f16};

use super::elementwise::checked_len;
use super::quantization::packed;
use super::signature::AttributeSpec;
use super::{Attribute, Call, KernelError};
use DType::{
    Bfloat16, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64,
};
use values::dtype::{DType, Kind, integer};
use values::tensor::Tensor;

/// The types that are converted, in the order in which versions brought them.
const CONVERTED: &[DType] = &[
    DType::Bool,
    Float16,
    Float32,
    Float64,
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::Uint8,
    DType::Uint16,
    DType::Uint32,
    DType::Uint64,
    DType::String,
    Bfloat16,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    DType::Int4,
    DType::Uint4,
    Float4E2M1,
    Float8E8M0,
    DType::Int2,
    DType::Uint2,
    Float6E2M3,
    Float6E3M2,
];

/// The first so many of these types.
pub(super) const fn converted(count: usize) -> &'static [DType] {
    CONVERTED.split_at(count).0
}

/// Whether 8-bit floats saturate.
pub(super) const SATURATE: AttributeSpec = AttributeSpec {
    name: "saturate",
    accepts: |value| matches!(value, Attribute::Int(_)),
    expected: "an integer",
};
/// How numbers become powers of two.
pub(super) const ROUND_MODE: AttributeSpec = AttributeSpec {
    name: "round_mode",
    accepts: |value| matches!(value, Attribute::Text(mode) if ["up", "down", "nearest"].contains(&mode.as_str())),
    expected: "up, down or nearest",
};

/// An element on its way from one type to another.
enum Value {
    Int(i128),
    Float(f64),
}

/// What attributes and version say of 8-bit floats.
struct Rules<'a> {
    saturates: bool,
    infinities_saturate: bool,
    round_mode: &'a str,
}

/// The tensor as one of another type.
pub(super) fn convert(
    call: &Call<'_>,
    input: &Tensor,
    to: DType,
) -> Result<Vec<Tensor>, KernelError> {
    let (count, shape) = (input.elements(), input.shape().to_vec());
    let foreign = KernelError::Type { operator: call.operator, dtype: input.dtype() };
    if to == DType::String {
        let strings: Option<Vec<Bytes>> = match input.strings() {
            Some(strings) => Some(strings.to_vec()),
            None => (0..count).map(|at| Some(written(input, at)?.into())).collect(),
        };
        return Ok(vec![Tensor::from_strings(shape, strings.ok_or(foreign)?)?]);
    }
    checked_len(&shape, to, size_of::<u64>())?;
    let rules = Rules {
        saturates: call.int("saturate", 1) != 0,
        infinities_saturate: call.operator.since_version() >= 24,
        round_mode: match call.attributes.get("round_mode") {
            Some(Attribute::Text(mode)) => mode,
            _ => "up",
        },
    };
    let element = |at: usize| match input.strings() {
        Some(strings) => strings.get(at).and_then(|text| read(text)).ok_or(KernelError::NoNumber {
            operator: call.operator,
            dtype: to,
            element: at,
        }),
        None => of_bits(input, at).ok_or_else(|| foreign.clone()),
    };
    let converted = (0..count).map(|at| Ok(rules.bits(to, &element(at)?)));
    let bits = converted.collect::<Result<Vec<u64>, KernelError>>()?;
    Ok(vec![packed(to, &shape, |at| bits[at])?])
}

/// An element as it is.
fn of_bits(input: &Tensor, at: usize) -> Option<Value> {
    let bits = input.element(at)?;
    Some(match input.dtype().kind() {
        Kind::Int { signed, bits: width } => Value::Int(integer(bits, signed, width)),
        Kind::Bool => Value::Int(i128::from(bits != 0)),
        Kind::Float(_) => Value::Float(match input.dtype() {
            Float64 => f64::from_bits(bits as u64),
            Float32 => f32::from_bits(bits as u32).into(),
            Float16 => f16::from_bits(bits as u16).to_f64(),
            Bfloat16 => bf16::from_bits(bits as u16).to_f64(),
            other => narrow_value(other, bits as u8),
        }),
        Kind::Complex(_) | Kind::String => return None,
    })
}

/// An integer in decimal digits, a truth value as 1 or 0, and a float without exponent.
fn written(input: &Tensor, at: usize) -> Option<String> {
    Some(match (of_bits(input, at)?, input.dtype()) {
        (Value::Int(value), _) => value.to_string(),
        (Value::Float(value), _) if value.is_infinite() => {
            if value < 0.0 { "-INF" } else { "INF" }.to_owned()
        }
        (Value::Float(value), Float64) => value.to_string(),
        (Value::Float(value), _) => (value as f32).to_string(),
    })
}

/// The number that a text is.
fn read(text: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(text).ok()?;
    match text.parse() {
        Ok(value) => Some(Value::Int(value)),
        Err(_) => text.parse().ok().map(Value::Float),
    }
}

/// Bits of the exponent and of the fraction, and the bias.
const fn layout(dtype: DType) -> (u32, u32, i32) {
    match dtype {
        Float16 => (5, 10, 15),
        Bfloat16 => (8, 7, 127),
        Float8E4M3Fn => (4, 3, 7),
        Float8E4M3Fnuz => (4, 3, 8),
        Float8E5M2 => (5, 2, 15),
        Float8E5M2Fnuz => (5, 2, 16),
        Float6E2M3 => (2, 3, 1),
        Float6E3M2 => (3, 2, 3),
        _ => (2, 1, 1),
    }
}

/// The value of a float of 8 bits or fewer.
fn narrow_value(dtype: DType, bits: u8) -> f64 {
    match (dtype, bits) {
        (Float8E8M0, 0xff)
        | (Float8E4M3Fn, 0x7f | 0xff)
        | (Float8E4M3Fnuz | Float8E5M2Fnuz, 0x80)
        | (Float8E5M2, 0x7d..=0x7f | 0xfd..=0xff) => return f64::NAN,
        (Float8E8M0, _) => return power(i32::from(bits) - 127),
        (Float8E5M2, 0x7c) => return f64::INFINITY,
        (Float8E5M2, 0xfc) => return f64::NEG_INFINITY,
        _ => {}
    }
    let (exponents, fractions, bias) = layout(dtype);
    let fraction = f64::from(bits & ((1 << fractions) - 1)) * power(-(fractions as i32));
    let exponent = i32::from(bits >> fractions & ((1 << exponents) - 1));
    let magnitude = match exponent {
        0 => fraction * power(1 - bias),
        _ => (1.0 + fraction) * power(exponent - bias),
    };
    if bits >> (exponents + fractions) == 1 { -magnitude } else { magnitude }
}

/// A power of two that is normal in binary64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The exponent of a number, at least that of the smallest normal one.
fn exponent_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff).max(1) as i32 - 1023
}

/// An integer in binary64, with a last bit set in place of those that are cut off: rounded once more to fewer
/// bits, it is as if it had been rounded once.
fn sticky(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let cut = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = (magnitude >> cut) as u64 | u64::from(magnitude & ((1 << cut) - 1) != 0);
    let size = kept as f64 * power(cut as i32);
    if value < 0 { -size } else { size }
}

impl Rules<'_> {
    fn bits(&self, to: DType, value: &Value) -> u64 {
        match (to.kind(), value) {
            (Kind::Bool, Value::Int(value)) => u64::from(*value != 0),
            (Kind::Bool, Value::Float(value)) => u64::from(*value != 0.0),
            (Kind::Int { bits, .. }, Value::Int(value)) => {
                *value as u64 & (u64::MAX >> (64 - bits))
            }
            // Of two and four bits, higher bits are discarded; of more, what is out of range is the nearest.
            (Kind::Int { bits: bits @ ..8, .. }, Value::Float(value)) => {
                *value as i128 as u64 & (u64::MAX >> (64 - bits))
            }
            (Kind::Int { signed, bits }, Value::Float(value)) => {
                let most = (1_i128 << (bits - u32::from(signed))) - 1;
                let least = if signed { -most - 1 } else { 0 };
                (*value as i128).clamp(least, most) as u64 & (u64::MAX >> (64 - bits))
            }
            (_, Value::Int(value)) => match to {
                Float64 => (*value as f64).to_bits(),
                Float32 => (*value as f32).to_bits().into(),
                _ => self.narrow(to, sticky(*value)),
            },
            (_, Value::Float(value)) => match to {
                Float64 => value.to_bits(),
                Float32 => (*value as f32).to_bits().into(),
                _ => self.narrow(to, *value),
            },
        }
    }

    /// The float of at most 16 bits for a value.
    fn narrow(&self, to: DType, value: f64) -> u64 {
        if to == Float8E8M0 {
            return self.scale(value);
        }
        let (exponents, fractions, bias) = layout(to);
        let sign = u64::from(value.is_sign_negative()) << (exponents + fractions);
        let is_unsigned_zero = matches!(to, Float8E4M3Fnuz | Float8E5M2Fnuz);
        // The largest number, what is beyond it, and a NaN.
        let (largest, beyond, nan) = match to {
            // Of a NaN, which these formats do not have, a zero is left.
            Float4E2M1 => (7, sign | 7, 8),
            Float6E2M3 | Float6E3M2 => (0x1f, sign | 0x1f, 0x20),
            Float8E4M3Fn => (0x7e, sign | 0x7f, sign | 0x7f),
            Float8E4M3Fnuz | Float8E5M2Fnuz => (0x7f, 0x80, 0x80),
            _ => {
                let infinity = ((1 << exponents) - 1) << fractions;
                (infinity - 1, sign | infinity, sign | infinity | 1 << (fractions - 1))
            }
        };
        let is_eight_bits = exponents + fractions == 7;
        let end = if is_eight_bits && self.saturates { sign | largest } else { beyond };
        if value.is_nan() {
            return nan;
        }
        if value.is_infinite() {
            let is_kept = is_unsigned_zero && !self.infinities_saturate;
            return if is_kept { nan } else { end };
        }
        let lowest = 1 - bias;
        let binade = exponent_of(value).max(lowest);
        let units = (value.abs() * power(fractions as i32 - binade)).round_ties_even() as u64;
        match units + (((binade - lowest) as u64) << fractions) {
            0 if is_unsigned_zero => 0,
            magnitude if magnitude > largest => end,
            magnitude => sign | magnitude,
        }
    }

    /// The power of two for a value.
    fn scale(&self, value: f64) -> u64 {
        if value.is_nan() {
            return 0xff;
        }
        if value > power(127) || value < power(-127) {
            return match self.saturates {
                true if value > 1.0 => 0xfe,
                true => 0,
                false => 0xff,
            };
        }
        let fraction = value.to_bits() << 12;
        let up = match self.round_mode {
            "down" => false,
            "nearest" => fraction >> 63 == 1,
            _ => fraction != 0,
        };
        (exponent_of(value) + 127) as u64 + u64::from(up)
    }
}
