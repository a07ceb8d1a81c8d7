//! Elements as bits, and tensors of them.

use super::GenerateError;
use crate::dtype::{DType, Kind};
use crate::float::{Class, FloatFormat};
use crate::oracle::{self, Conforming, Division};
pub(super) use crate::random::Random;
use crate::tensor::{Tensor, element_count};
use values::element::Element;

/// A tensor of elements given as bits.
pub(super) fn tensor(
    dtype: DType,
    shape: &[usize],
    elements: &[u64],
) -> Result<Tensor, GenerateError> {
    let width = dtype.bits().unwrap_or_default() as usize / 8;
    let bytes =
        elements.iter().flat_map(|&bits| u128::from(bits).to_le_bytes().into_iter().take(width));
    Ok(Tensor::from_bits(dtype, shape.to_vec(), bytes.collect::<Vec<_>>().into())?)
}

/// A tensor of elements, whatever their type.
pub(super) fn tensor_of(
    dtype: DType,
    shape: &[usize],
    elements: Vec<Element>,
) -> Result<Tensor, GenerateError> {
    if dtype == DType::String {
        let strings = elements.into_iter().filter_map(|element| match element {
            Element::String(string) => Some(string),
            Element::Bits(..) => None,
        });
        return Ok(Tensor::from_strings(shape.to_vec(), strings.collect())?);
    }
    let width = dtype.bits().unwrap_or_default() as usize;
    let bits = elements.iter().map(|element| match element {
        Element::Bits(_, bits) => *bits,
        Element::String(_) => 0,
    });
    let bytes: Vec<u8> = if width < 8 {
        let bits: Vec<u128> = bits.collect();
        let pack = |elements: &[u128]| {
            let places = elements.iter().enumerate();
            places.fold(0, |byte, (place, bits)| byte | (*bits as u8) << (place * width))
        };
        bits.chunks(8 / width).map(pack).collect()
    } else {
        bits.flat_map(|bits| bits.to_le_bytes().into_iter().take(width / 8)).collect()
    };
    Ok(Tensor::from_bits(dtype, shape.to_vec(), bytes.into())?)
}

/// The tensor of the dividends (0) or divisors (1) of pairs.
pub(super) fn operand(
    dtype: DType,
    pairs: &[[u64; 2]],
    which: usize,
) -> Result<Tensor, GenerateError> {
    let elements: Vec<u64> = pairs.iter().map(|pair| pair[which]).collect();
    tensor(dtype, &[elements.len()], &elements)
}

/// A tensor of zeros, or of empty strings.
pub(super) fn blank(dtype: DType, shape: &[usize]) -> Result<Tensor, GenerateError> {
    let elements = element_count(shape)?;
    if dtype == DType::String {
        return Ok(Tensor::from_strings(shape.to_vec(), vec![Default::default(); elements])?);
    }
    let bytes = dtype.packed_len(elements).unwrap_or_default();
    Ok(Tensor::from_bits(dtype, shape.to_vec(), vec![0; bytes].into())?)
}

/// A tensor of ones; of empty strings for strings.
pub(super) fn ones(dtype: DType, shape: &[usize]) -> Result<Tensor, GenerateError> {
    let one = match dtype.kind() {
        Kind::String => return blank(dtype, shape),
        Kind::Bool => 1,
        Kind::Complex(format) => whole_float(format, 1).unwrap_or_default(),
        Kind::Float(_) | Kind::Int { .. } => whole(dtype, 1)?,
    };
    tensor(dtype, shape, &vec![one; element_count(shape)?])
}

/// Numbers `from`, `from + 1`, .. in a shape.
pub(super) fn counting(dtype: DType, shape: &[usize], from: u64) -> Result<Tensor, GenerateError> {
    let count = element_count(shape)? as u64;
    let numbers = (from..from + count).map(|number| whole(dtype, number.into()));
    tensor(dtype, shape, &numbers.collect::<Result<Vec<_>, _>>()?)
}

/// The element for an integer.
pub(super) fn whole(dtype: DType, value: i128) -> Result<u64, GenerateError> {
    let bits = match dtype.kind() {
        Kind::Float(format) => whole_float(format, value),
        Kind::Int { signed, bits } => {
            let pattern = value as u64 & (u64::MAX >> (u64::BITS - bits));
            let back = crate::dtype::integer(pattern.into(), signed, bits);
            (back == value).then_some(pattern)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    };
    bits.ok_or_else(|| GenerateError::NotAnElement { value: value.to_string(), dtype })
}

/// An integer that the format holds exactly, as a normal number.
fn whole_float(format: &FloatFormat, value: i128) -> Option<u64> {
    if value == 0 {
        return Some(0);
    }
    let number = scaled(format, u64::try_from(value.unsigned_abs()).ok()?, 0)?;
    Some(if value < 0 { format.negated(number) } else { number })
}

/// The greatest common divisor, by Euclid's algorithm.
const fn greatest_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { greatest_divisor(b, a % b) }
}

/// The normal number `significand * 2^exponent`, where the format has it.
pub(super) fn scaled(format: &FloatFormat, significand: u64, exponent: i32) -> Option<u64> {
    format.encode(significand, exponent).filter(|&bits| format.class(bits) == Class::Normal)
}

/// The element nearest to a decimal: `decimal(dtype, 61, 1)` is that nearest to 6.1.
pub(super) fn decimal(dtype: DType, digits: i128, places: u32) -> Result<u64, GenerateError> {
    let unit = 10_i128.pow(places);
    let common = greatest_divisor(digits, unit);
    let [digits, unit] = [whole(dtype, digits / common)?, whole(dtype, unit / common)?];
    match oracle::div(Division::Div, dtype, digits, unit) {
        Some(Conforming::One(bits)) => Ok(bits),
        _ => Err(GenerateError::NotAnElement { value: format!("{digits}/{unit}"), dtype }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_decimals_become_the_nearest_elements() {
        let f32_of = |value: f32| u64::from(value.to_bits());
        assert_eq!(whole(DType::Float32, -25).unwrap(), f32_of(-25.0));
        assert_eq!(whole(DType::Float64, 1).unwrap(), 1_f64.to_bits());
        assert_eq!(whole(DType::Int16, -2).unwrap(), 0xfffe);
        assert_eq!(decimal(DType::Float32, 61, 1).unwrap(), f32_of(6.1));
        assert_eq!(decimal(DType::Float64, -2425, 2).unwrap(), (-24.25_f64).to_bits());
    }

    #[test]
    fn a_decimal_needs_no_more_digits_than_its_lowest_terms_have() {
        assert_eq!(decimal(DType::Float16, 2425, 2).unwrap(), 0x4e10);
        assert_eq!(decimal(DType::Uint8, 300, 2).unwrap(), 3);
        assert_eq!(decimal(DType::Float32, 0, 2).unwrap(), 0);
    }

    #[test]
    fn what_a_type_does_not_hold_is_an_error() {
        assert!(whole(DType::Uint8, -1).is_err());
        assert!(whole(DType::Int8, 128).is_err());
        assert!(whole(DType::Float16, 2049).is_err());
        assert!(whole(DType::String, 1).is_err());
    }
}
