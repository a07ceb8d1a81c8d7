//! What quantization and its inverse share: which scale an element has, and the values of elements of any type in
//! binary64, which holds all of them, and back.

use super::elementwise::checked_len;
use super::packing::put;
use super::reshaping::refused;
use super::signature::AttributeSpec;
use super::{Attribute, Call, KernelError};
use values::dtype::{DType, Kind, integer};
use values::float::{Class, FloatFormat};
use values::tensor::Tensor;

pub(super) const AXIS: AttributeSpec = super::reshaping::integer("axis");
pub(super) const OUTPUT_DTYPE: AttributeSpec = super::reshaping::integer("output_dtype");
/// How many elements have the same scale, one after the other along the axis; 0 is for none.
pub(super) const BLOCK_SIZE: AttributeSpec = AttributeSpec {
    name: "block_size",
    accepts: |value| matches!(value, Attribute::Int(0..)),
    expected: "a size",
};

/// The steps from an element of the data to its scale.
pub(super) struct Scales {
    /// Of each dimension of the data: its size, how many elements have the same scale, and the distance to the next.
    steps: Vec<(usize, usize, usize)>,
}

impl Scales {
    /// Those of a call of data, scale and perhaps a zero point.
    pub(super) fn of(call: &Call<'_>) -> Result<Self, KernelError> {
        let mismatch = || refused(call, "the scale does not fit the data");
        let (Some(data), Some(scale)) = (call.input(0), call.input(1)) else {
            return Err(mismatch());
        };
        let (data, scale) = (data.shape(), scale.shape());
        if let Some(zero) = call.input(2).map(Tensor::shape) {
            let are_single = [zero, scale].iter().all(|shape| matches!(shape, [] | [1]));
            if zero != scale && !are_single {
                return Err(refused(call, "scale and zero point differ"));
            }
        }
        if matches!(scale, [] | [1]) {
            return Ok(Self { steps: data.iter().map(|&size| (size, 1, 0)).collect() });
        }
        let has = |name| call.operator.version.attributes.iter().any(|own| own.name == name);
        if !has("axis") {
            return Err(mismatch());
        }
        let rank = data.len() as i64;
        // Of data of one dimension there is one axis only.
        let axis = if rank == 1 { 0 } else { call.int("axis", 1) };
        let axis = if axis < 0 { axis.wrapping_add(rank) } else { axis };
        let axis = usize::try_from(axis).ok().filter(|axis| *axis < data.len());
        let axis = axis.ok_or_else(mismatch)?;
        let block = usize::try_from(call.int("block_size", 0)).unwrap_or_default();
        let is_list = scale.len() == 1 && scale[0] == data[axis];
        let is_blocked = block > 0
            && scale.len() == data.len()
            && data.iter().zip(scale).enumerate().all(|(at, (data, scale))| {
                *scale == if at == axis { data.div_ceil(block) } else { *data }
            });
        if !is_list && !is_blocked {
            return Err(mismatch());
        }
        let step = |at: usize| match (is_list, at == axis) {
            (true, false) => (data[at], 1, 0),
            (true, true) => (data[at], 1, 1),
            (false, is_axis) => {
                let tail = scale[at + 1..].iter();
                // Of a scale without elements no place is asked.
                let stride = tail.fold(1, |product: usize, size| product.wrapping_mul(*size));
                (data[at], if is_axis { block } else { 1 }, stride)
            }
        };
        Ok(Self { steps: (0..data.len()).map(step).collect() })
    }

    /// The place of the scale of the element at an index.
    pub(super) fn place(&self, mut index: usize) -> usize {
        let mut place = 0;
        for &(size, block, stride) in self.steps.iter().rev() {
            place += index % size / block * stride;
            index /= size;
        }
        place
    }
}

/// The type that the attribute names, where it does: one of these.
pub(super) fn output_dtype(call: &Call<'_>, types: &[DType]) -> Result<Option<DType>, KernelError> {
    let code = call.int("output_dtype", 0);
    let dtype = i32::try_from(code).ok().and_then(DType::from_onnx);
    match dtype.filter(|dtype| types.contains(dtype)) {
        None if code != 0 => {
            let expected = "the number of a type that this version gives";
            Err(KernelError::BadAttribute {
                operator: call.operator,
                name: "output_dtype",
                expected,
            })
        }
        dtype => Ok(dtype),
    }
}

/// The value of an element of at most 32 bits, or of binary64; 0 of a type that is no number.
pub(super) fn value(tensor: &Tensor, at: usize) -> f64 {
    let bits = tensor.element(at).unwrap_or_default();
    match tensor.dtype().kind() {
        Kind::Int { signed, bits: width } => integer(bits, signed, width) as f64,
        Kind::Float(format) => format.to_f64(bits as u64),
        Kind::Bool | Kind::Complex(_) | Kind::String => 0.0,
    }
}

/// A power of two that is normal in binary64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The format of the floats of a tensor that a call takes.
pub(super) fn format_of(
    call: &Call<'_>,
    tensor: &Tensor,
) -> Result<&'static FloatFormat, KernelError> {
    match tensor.dtype().kind() {
        Kind::Float(format) => Ok(format),
        _ => Err(KernelError::Type { operator: call.operator, dtype: tensor.dtype() }),
    }
}

/// The bits of the number of a format that is nearest to a value, ties to even. Beyond the largest number it is that
/// where the format saturates, and else an infinity or a NaN, as the format has them.
pub(super) fn encoded(format: &FloatFormat, value: f64, saturates: bool) -> u64 {
    match format.width() {
        64 => return value.to_bits(),
        32 => return (value as f32).to_bits().into(),
        _ => {}
    }
    let sign = u64::from(value.is_sign_negative()) << (format.width() - 1);
    let fractions = format.significand_bits as i32;
    let top = (1 << (format.exponent_bits + format.significand_bits)) - 1;
    let finite = |bits: &u64| !matches!(format.class(*bits), Class::Nan | Class::Infinite);
    let largest = (0..=top).rev().find(finite).unwrap_or_default();
    // All ones but the sign are a NaN, or, where only what would be -0 is one, that.
    let has_unsigned_zero = format.class(1 << (format.width() - 1)) == Class::Nan;
    let nan = if has_unsigned_zero { 1 << (format.width() - 1) } else { top };
    // Where there is no NaN, a zero is left of it.
    let has_nan = format.class(nan) == Class::Nan;
    if value.is_nan() {
        return if has_nan { nan } else { 1 << (format.width() - 1) };
    }
    let overflow = if format.class(largest + 1) == Class::Infinite { largest + 1 } else { nan };
    let beyond = match (saturates || !has_nan, overflow == nan) {
        (true, _) => sign | largest,
        (false, true) => nan,
        (false, false) => sign | overflow,
    };
    if value.is_infinite() {
        return beyond;
    }
    let lowest = 1 - format.bias;
    let exponent = (value.to_bits() >> 52 & 0x7ff).max(1) as i32 - 1023;
    let binade = exponent.max(lowest);
    // The product by a power of two is exact, or far below half a unit.
    let units = value.abs() * power(fractions - binade);
    let magnitude = units.round_ties_even() as u64 + (((binade - lowest) as u64) << fractions);
    match magnitude {
        0 if has_unsigned_zero => 0,
        magnitude if magnitude > largest => beyond,
        magnitude => sign | magnitude,
    }
}

/// A value rounded to a format.
pub(super) fn rounded(format: &FloatFormat, value: f64) -> f64 {
    match format.width() {
        64 => value,
        _ => format.to_f64(encoded(format, value, false)),
    }
}

/// A tensor of elements given as bits, one after the other.
pub(super) fn packed(
    dtype: DType,
    shape: &[usize],
    element: impl Fn(usize) -> u64,
) -> Result<Tensor, KernelError> {
    let count = checked_len(shape, dtype, size_of::<u64>())?;
    let width = dtype.bits().unwrap_or_default() as usize;
    let mut bytes = vec![0_u8; dtype.packed_len(count).unwrap_or_default()];
    for at in 0..count {
        let bits = element(at);
        if width < 8 {
            put(&mut bytes, width, at, bits as u8);
        } else {
            let first = at * width / 8;
            bytes[first..first + width / 8].copy_from_slice(&bits.to_le_bytes()[..width / 8]);
        }
    }
    Ok(Tensor::from_bits(dtype, shape.to_vec(), bytes.into())?)
}
