//! Elements as bits, tensors of them, and the random numbers they are drawn with.

use super::GenerateError;
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::oracle::{self, Conforming, Division};
use crate::tensor::{Tensor, element_count};

/// The seed that every case's own is made of, together with the case's path.
const SEED: u64 = 0x4f4e_4e58_2044_6976;

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
    Some(if value < 0 { negated(format, number) } else { number })
}

/// The greatest common divisor, by Euclid's algorithm.
const fn greatest_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { greatest_divisor(b, a % b) }
}

/// The normal number `significand * 2^exponent`, where the format has it.
pub(super) fn scaled(format: &FloatFormat, significand: u64, exponent: i32) -> Option<u64> {
    let length = significand.checked_ilog2()?;
    let below = format.significand_bits.checked_sub(length)?;
    let fraction = significand << below ^ 1 << format.significand_bits;
    let biased = u64::try_from(exponent + length as i32 + format.bias).ok()?;
    let top = (1 << format.exponent_bits) - 1;
    (biased != 0 && biased < top).then_some(biased << format.significand_bits | fraction)
}

/// The element nearest to a decimal: `decimal(dtype, 61, 1)` is that nearest to 6.1.
pub(super) fn decimal(dtype: DType, digits: i128, places: u32) -> Result<u64, GenerateError> {
    let unit = 10_i128.pow(places);
    let common = greatest_divisor(digits, unit);
    let [digits, unit] = [whole(dtype, digits / common)?, whole(dtype, unit / common)?];
    match oracle::div(Division::Div, dtype, digits, unit) {
        Some(Conforming::One(bits)) => Ok(bits),
        _ => Err(GenerateError::NoOracle { operator: "Div", dtype }),
    }
}

/// The element of the opposite sign.
pub(super) const fn negated(format: &FloatFormat, bits: u64) -> u64 {
    bits ^ 1 << (format.exponent_bits + format.significand_bits)
}

/// Pseudo-random numbers: Steele, Lea and Flood's SplitMix64 (OOPSLA 2014).
pub(super) struct Random(u64);

impl Random {
    /// The numbers of one case: FNV-1a over its path, from the seed on. A new case changes no other.
    pub(super) fn for_case(path: &str) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self(path.bytes().fold(SEED, step))
    }

    /// The next 64 bits.
    pub(super) const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One of the integers from `low` to `high`; the bias of the remainder does not matter here.
    pub(super) fn between(&mut self, low: i128, high: i128) -> i128 {
        let bits = u128::from(self.bits()) << 64 | u128::from(self.bits());
        low + (bits % (high - low + 1).unsigned_abs()) as i128
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

    #[test]
    fn the_generator_is_that_of_its_authors() {
        let mut random = Random(1_234_567);
        let first = [random.bits(), random.bits(), random.bits()];
        // The first outputs for this seed, as listed at Rosetta Code.
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
