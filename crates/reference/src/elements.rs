//! Elements as bits, and tensors of them.

use num_bigint::BigInt;
use values::dtype::{DType, Kind, integer};
use values::element::Element;
use values::float::{Class, FloatFormat};
use values::random::Random;
use values::tensor::{Tensor, TensorError, element_count};

use crate::exact::real::{Enclosure, Rational};
use crate::exact::{Conforming, enclosed};

/// Elements that are none of a type, or do not make a tensor.
#[derive(Debug, thiserror::Error)]
pub enum ElementError {
    /// The type does not hold this number.
    #[error("{value} is no {dtype} element")]
    NotAnElement {
        /// The number.
        value: String,
        /// The type.
        dtype: DType,
    },
    /// The elements do not make the tensor.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// A tensor of elements given as bits.
pub fn tensor(dtype: DType, shape: &[usize], elements: &[u64]) -> Result<Tensor, ElementError> {
    let elements = elements.iter().map(|&bits| Element::Bits(dtype, bits.into()));
    tensor_of(dtype, shape, elements.collect())
}

/// A tensor of elements, whatever their type.
pub fn tensor_of(
    dtype: DType,
    shape: &[usize],
    elements: Vec<Element>,
) -> Result<Tensor, ElementError> {
    if dtype == DType::String {
        let strings = elements.into_iter().filter_map(|element| match element {
            Element::String(string) => Some(string),
            Element::Bits(..) => None,
        });
        return Ok(Tensor::from_strings(shape.to_vec(), strings.collect())?);
    }
    let bits = elements.iter().map(|element| match element {
        Element::Bits(_, bits) => *bits,
        Element::String(_) => 0,
    });
    Ok(Tensor::from_elements(dtype, shape.to_vec(), bits)?)
}

/// A tensor of zeros, or of empty strings.
pub fn blank(dtype: DType, shape: &[usize]) -> Result<Tensor, ElementError> {
    let elements = element_count(shape)?;
    if dtype == DType::String {
        return Ok(Tensor::from_strings(shape.to_vec(), vec![Default::default(); elements])?);
    }
    let bytes = dtype.packed_len(elements).unwrap_or_default();
    Ok(Tensor::from_bits(dtype, shape.to_vec(), vec![0; bytes].into())?)
}

/// A tensor of ones; of empty strings for strings.
pub fn ones(dtype: DType, shape: &[usize]) -> Result<Tensor, ElementError> {
    let one = match dtype.kind() {
        Kind::String => return blank(dtype, shape),
        Kind::Bool => 1,
        Kind::Complex(format) => whole_float(format, 1).unwrap_or_default(),
        Kind::Float(_) | Kind::Int { .. } => whole(dtype, 1)?,
    };
    tensor(dtype, shape, &vec![one; element_count(shape)?])
}

/// Elements of any type, which differ from each other and from those of another start as far as the
/// type's width allows; of floats any bits, NaNs among them.
pub fn patterns(dtype: DType, shape: &[usize], from: u64) -> Result<Tensor, ElementError> {
    let width = dtype.bits().unwrap_or_default();
    let element = |at: u64| {
        let word = |half| u128::from(Random::at(half, at).bits());
        match dtype.kind() {
            Kind::String => Element::String(format!("{at} \u{e9}").into()),
            Kind::Bool => Element::Bits(dtype, word(0) & 1),
            _ if width <= 8 => Element::Bits(dtype, u128::from(at) & ((1 << width) - 1)),
            _ => Element::Bits(dtype, (word(0) | word(1) << 64) & (u128::MAX >> (128 - width))),
        }
    };
    let end = from + element_count(shape)? as u64;
    tensor_of(dtype, shape, (from..end).map(element).collect())
}

/// The element for an integer that the type holds exactly, floats as zero or a normal number.
pub fn whole(dtype: DType, value: i128) -> Result<u64, ElementError> {
    let bits = match dtype.kind() {
        Kind::Float(format) => whole_float(format, value),
        Kind::Int { signed, bits } => {
            let pattern = value as u64 & (u64::MAX >> (u64::BITS - bits));
            let back = integer(pattern.into(), signed, bits);
            (back == value).then_some(pattern)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    };
    bits.ok_or_else(|| ElementError::NotAnElement { value: value.to_string(), dtype })
}

/// An integer that the format holds exactly, as a normal number.
fn whole_float(format: &FloatFormat, value: i128) -> Option<u64> {
    if value == 0 {
        return Some(0);
    }
    let number = scaled(format, u64::try_from(value.unsigned_abs()).ok()?, 0)?;
    Some(if value < 0 { format.negated(number) } else { number })
}

/// The normal number `significand * 2^exponent`, where the format has it.
pub fn scaled(format: &FloatFormat, significand: u64, exponent: i32) -> Option<u64> {
    format.encode(significand, exponent).filter(|&bits| format.class(bits) == Class::Normal)
}

/// The element nearest to a decimal, of integers the equal one: `decimal(dtype, 61, 1)` is that nearest to 6.1.
pub fn decimal(dtype: DType, digits: i128, places: u32) -> Result<u64, ElementError> {
    let number = Rational::new(BigInt::from(digits), BigInt::from(10).pow(places));
    let nearest = match dtype.kind() {
        Kind::Float(format) => {
            enclosed::nearest(format, |_| Enclosure::point(number.clone()), false)
        }
        _ if number.is_integer() => return whole(dtype, digits / 10_i128.pow(places)),
        _ => Conforming::Unspecified("no integer"),
    };
    match nearest {
        Conforming::One(bits) => Ok(bits),
        _ => Err(ElementError::NotAnElement { value: number.to_string(), dtype }),
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
