//! The oracle: which results of Div and Sqrt a specification allows, and how far a result is from
//! the real quotient or root.
//!
//! Every answer comes from integer arithmetic on the operands' bits; no floating-point instruction
//! decides anything, and nothing here is shared with the kernels. `docs/numerics.md` states the
//! definitions. Elements travel as bits in the low end of a `u64`.
//!
//! The types are the float types that can hold the numbers at hand (binary16, bfloat16, binary32,
//! binary64 and the four 8-bit formats) and all integer types. For any other type every function
//! answers `None`.

mod conforming;
mod exact;
mod float;
mod integer;
mod number;
pub mod real;
mod ulps;

pub use conforming::{Conforming, Undecided};
pub use ulps::{Deviation, Ulps};

use crate::dtype::{DType, Kind};
use crate::float::{FloatFormat, Specials};

/// What a specification asks of an element-wise division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Division {
    /// SONNX Div and ONNX Div: floats as IEEE 754 divides them, integers truncated towards zero and
    /// undecided for a divisor of zero.
    Div,
    /// The SONNX draft of Div: as [`Division::Div`], but 0/0 is undecided for floats too.
    DivDraft,
    /// Divide-1 with `m_pythondiv` true: integers rounded down, divisors of zero undecided for
    /// every type.
    Divide1Floor,
    /// Divide-1 with `m_pythondiv` false: integers truncated towards zero, divisors of zero
    /// undecided for every type.
    Divide1Truncate,
}

/// The conforming results of dividing the element `a` by the element `b`.
#[must_use]
#[inline]
pub fn div(division: Division, dtype: DType, a: u64, b: u64) -> Option<Conforming> {
    Some(match Number::of(dtype)? {
        Number::Float(format) => float::div(division, format, a, b),
        Number::Int(int) => integer::div(division, int, a, b),
    })
}

/// The conforming results of the square root of the element `x`: IEEE 754's. `None` for the integer
/// types as well, which no specification takes the root of.
#[must_use]
#[inline]
pub fn sqrt(dtype: DType, x: u64) -> Option<Conforming> {
    match Number::of(dtype)? {
        Number::Float(format) => Some(float::sqrt(format, x)),
        Number::Int(_) => None,
    }
}

/// How far the element `actual` is from the real quotient of `a` and `b`.
#[must_use]
pub fn div_error(dtype: DType, a: u64, b: u64, actual: u64) -> Option<Deviation> {
    Some(match Number::of(dtype)? {
        Number::Float(format) => float::div_error(format, a, b, actual),
        Number::Int(int) => integer::div_error(int, a, b, actual),
    })
}

/// How far the element `actual` is from the real square root of `x`.
#[must_use]
pub fn sqrt_error(dtype: DType, x: u64, actual: u64) -> Option<Deviation> {
    match Number::of(dtype)? {
        Number::Float(format) => Some(float::sqrt_error(format, x, actual)),
        Number::Int(_) => None,
    }
}

/// An element type that the oracle knows.
enum Number {
    Float(&'static FloatFormat),
    Int(integer::Int),
}

impl Number {
    #[inline]
    fn of(dtype: DType) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) => match format.specials {
                Specials::Ieee | Specials::FiniteNan | Specials::FiniteNanUnsignedZero => {
                    Some(Self::Float(format))
                }
                Specials::Finite | Specials::ExponentOnly => None,
            },
            Kind::Int { signed, bits } => Some(Self::Int(integer::Int { signed, bits })),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }
}
