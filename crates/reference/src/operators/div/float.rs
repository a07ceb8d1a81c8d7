//! Division of floating-point elements, the special values included.
//!
//! Source: IEEE 754-2019, 4.3.1 (rounding), 5.4.1 (division), 6.1 to 6.3 (infinities, NaNs, sign bit),
//! 7.2 and 7.3 (invalid operations, division by zero). The 8-bit formats without infinities answer
//! with a NaN where IEEE 754 asks for an infinity, those without a negative zero with their only zero
//! (so LLVM's `APFloat`).

use super::{Division, ZERO_BY_ZERO, ZERO_DIVISOR};
use crate::exact::number::{Value, infinity, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Ulps};
use values::float::FloatFormat;

/// Bits of a quotient for [`Exact::distance`]: 20 below the unit in the last place of binary64, which
/// fit beside a divisor of 53 bits.
const FINE: u32 = 53 + Ulps::FRACTION_BITS;

#[inline]
pub(crate) fn div(division: Division, format: &'static FloatFormat, a: u64, b: u64) -> Conforming {
    let negative = format.is_negative(a) != format.is_negative(b);
    let (a, b) = (Value::of(format, a), Value::of(format, b));
    match (division, a, b) {
        (Division::Divide1Floor | Division::Divide1Truncate, _, Value::Zero) => {
            return Conforming::Unspecified(ZERO_DIVISOR);
        }
        (Division::DivDraft, Value::Zero, Value::Zero) => {
            return Conforming::Unspecified(ZERO_BY_ZERO);
        }
        _ => {}
    }
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => Conforming::AnyNan(format),
        (Value::Infinite, Value::Infinite) | (Value::Zero, Value::Zero) => {
            Conforming::AnyNan(format)
        }
        (Value::Infinite, _) | (_, Value::Zero) => infinity(format, negative),
        (Value::Zero, _) | (_, Value::Infinite) => zero(format, negative),
        (Value::Finite(a), Value::Finite(b)) => {
            Exact::quotient(a, b, format.precision() + 2).nearest(format, negative)
        }
    }
}

pub(crate) fn div_error(format: &'static FloatFormat, a: u64, b: u64, actual: u64) -> Deviation {
    let negative = format.is_negative(a) != format.is_negative(b);
    match (Value::of(format, a), Value::of(format, b)) {
        (Value::Finite(a), Value::Finite(b)) => {
            Exact::quotient(a, b, FINE).deviation(format, negative, actual)
        }
        (Value::Zero, Value::Finite(_)) => Exact::ZERO.deviation(format, negative, actual),
        _ => Deviation::NoRealResult,
    }
}
