//! Exact numbers: what a float or an integer stands for, rounding to nearest, units in the last place,
//! rational numbers and enclosures of real ones.
//!
//! Everything is integer arithmetic on the bits of elements; no floating-point instruction decides
//! anything. `docs/numerics.md` states the definitions. Elements travel as bits in the low end of a
//! `u64`.
//!
//! The types are float16, bfloat16, float32, float64, the four 8-bit float formats, and all integer
//! types.

mod conforming;
pub(crate) mod number;
pub mod real;
pub(crate) mod truncated;
mod ulps;

pub use conforming::{Conforming, quiet_nan};
pub use ulps::{Deviation, Ulps};

use values::dtype::{DType, Kind};
use values::float::{FloatFormat, Specials};

/// An element type with exact arithmetic.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Float(&'static FloatFormat),
    Int(number::Int),
}

impl Number {
    #[inline]
    pub(crate) fn of(dtype: DType) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) => match format.specials {
                Specials::Ieee | Specials::FiniteNan | Specials::FiniteNanUnsignedZero => {
                    Some(Self::Float(format))
                }
                Specials::Finite | Specials::ExponentOnly => None,
            },
            Kind::Int { signed, bits } => Some(Self::Int(number::Int { signed, bits })),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }
}
