//! What Add and Sub have in common: the exact sum of two elements, the second of which Sub negates.
//!
//! Sources: IEEE 754-2019, 5.4.1 (addition, subtraction), 6.1 to 6.3: a sum of numbers that is exactly 0 is +0,
//! and -0 where both are -0; infinities of different signs have no sum.

pub(crate) mod boundaries;
pub(crate) mod cases;
pub(crate) mod fast_check;
pub(crate) mod hard_inputs;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::{Int, Value, infinity};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Number, distance, real};
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("sum/cases.toml");

/// What is made of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// `a + b`.
    Sum,
    /// `a - b`.
    Difference,
}

impl Addition {
    /// The integer modulo 2^n.
    fn wrapped(self, int: Int, operands: [u64; 2]) -> u64 {
        let [a, b] = operands.map(|operand| int.value(operand));
        int.wrap(self.of(a, b))
    }

    /// The exact result of integers of at most 64 bits.
    fn of(self, a: i128, b: i128) -> i128 {
        match self {
            Self::Sum => a + b,
            Self::Difference => a - b,
        }
    }

    /// Whether what is added is negative, of each operand.
    fn signs(self, format: &FloatFormat, [a, b]: [u64; 2]) -> [bool; 2] {
        let is_flipped = self == Self::Difference;
        [format.is_negative(a), format.is_negative(b) != is_flipped]
    }

    /// The sign and the magnitude of the sum of two numbers, by that sign also where it is 0.
    #[inline]
    fn exact(self, format: &FloatFormat, operands: [u64; 2]) -> Option<(bool, Exact)> {
        let [a_negative, b_negative] = self.signs(format, operands);
        let [a, b] = operands.map(|operand| Value::of(format, operand));
        Some(match (a, b) {
            (Value::Zero, Value::Zero) => (a_negative && b_negative, Exact::ZERO),
            (Value::Finite(a), Value::Zero) => (a_negative, Exact::of(a)),
            (Value::Zero, Value::Finite(b)) => (b_negative, Exact::of(b)),
            (Value::Finite(a), Value::Finite(b)) => {
                Exact::sum((a_negative, a), (b_negative, b)).unwrap_or((false, Exact::ZERO))
            }
            _ => return None,
        })
    }

    #[inline]
    fn rounded(self, format: &'static FloatFormat, operands: [u64; 2]) -> Conforming {
        if let Some((negative, sum)) = self.exact(format, operands) {
            return sum.nearest(format, negative);
        }
        let [a_negative, b_negative] = self.signs(format, operands);
        let [a, b] = operands.map(|operand| Value::of(format, operand));
        match (a, b) {
            (Value::Nan, _) | (_, Value::Nan) => Conforming::AnyNan(format),
            (Value::Infinite, Value::Infinite) if a_negative != b_negative => {
                Conforming::AnyNan(format)
            }
            (Value::Infinite, _) => infinity(format, a_negative),
            _ => infinity(format, b_negative),
        }
    }
}

impl Elementwise for Addition {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some(operands)) => self.rounded(format, operands),
            (Some(Number::Int(int)), Some(operands)) => {
                Conforming::One(self.wrapped(int, operands))
            }
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let operands = bits_of(dtype, operands)?;
        match Number::of(dtype)? {
            Number::Float(_) => {
                let [a, b] = operands.map(|operand| real::value(dtype, operand));
                Some(Real::exactly(match self {
                    Self::Sum => a? + b?,
                    Self::Difference => a? - b?,
                }))
            }
            Number::Int(int) => Real::of_element(dtype, self.wrapped(int, operands)),
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some(operands)) => match self.exact(format, operands) {
                Some((negative, sum)) => sum.deviation(format, negative, actual),
                None => Deviation::NoRealResult,
            },
            (Some(Number::Int(int)), Some(operands)) => {
                distance(dtype, self.wrapped(int, operands), actual)
            }
            _ => Deviation::NoRealResult,
        }
    }
}

#[cfg(test)]
mod tests;
