//! Division and square root of floating-point elements, the special values included.
//!
//! Source: IEEE 754-2019, 4.3.1 (rounding), 5.4.1 (division, squareRoot), 6.1 to 6.3 (infinities,
//! NaNs, sign bit), 7.2 and 7.3 (invalid operations, division by zero). The 8-bit formats without
//! infinities answer with a NaN where IEEE 754 asks for an infinity, those without a negative zero
//! with their only zero (so LLVM's `APFloat`).

use super::exact::Exact;
use super::number::{Value, infinity, precision, zero};
use super::{Conforming, Deviation, Division, Ulps, Undecided};
use crate::float::FloatFormat;

/// Bits of a quotient for [`Exact::distance`]: 20 below the unit in the last place of binary64, which
/// fit beside a divisor of 53 bits.
const FINE: u32 = 53 + Ulps::FRACTION_BITS;

#[inline]
pub(super) fn div(division: Division, format: &'static FloatFormat, a: u64, b: u64) -> Conforming {
    let negative = format.is_negative(a) != format.is_negative(b);
    let (a, b) = (Value::of(format, a), Value::of(format, b));
    match (division, a, b) {
        (Division::Divide1Floor | Division::Divide1Truncate, _, Value::Zero) => {
            return Conforming::Undecided(Undecided::ZeroDivisor);
        }
        (Division::DivDraft, Value::Zero, Value::Zero) => {
            return Conforming::Undecided(Undecided::ZeroByZero);
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
            Exact::quotient(a, b, precision(format) + 2).nearest(format, negative)
        }
    }
}

#[inline]
pub(super) fn sqrt(format: &'static FloatFormat, x: u64) -> Conforming {
    let negative = format.is_negative(x);
    match Value::of(format, x) {
        Value::Zero => zero(format, negative),
        Value::Nan => Conforming::AnyNan(format),
        _ if negative => Conforming::AnyNan(format),
        Value::Infinite => infinity(format, false),
        Value::Finite(x) => Exact::root(x, precision(format) + 2).nearest(format, false),
    }
}

pub(super) fn div_error(format: &'static FloatFormat, a: u64, b: u64, actual: u64) -> Deviation {
    let negative = format.is_negative(a) != format.is_negative(b);
    match (Value::of(format, a), Value::of(format, b)) {
        (Value::Finite(a), Value::Finite(b)) => {
            deviation(format, negative, &Exact::quotient(a, b, FINE), actual)
        }
        (Value::Zero, Value::Finite(_)) => deviation(format, negative, &Exact::ZERO, actual),
        _ => Deviation::NoRealResult,
    }
}

pub(super) fn sqrt_error(format: &'static FloatFormat, x: u64, actual: u64) -> Deviation {
    match Value::of(format, x) {
        Value::Zero => deviation(format, false, &Exact::ZERO, actual),
        Value::Finite(x_magnitude) if !format.is_negative(x) => {
            deviation(format, false, &Exact::fine_root(x_magnitude), actual)
        }
        _ => Deviation::NoRealResult,
    }
}

pub(super) fn deviation(
    format: &'static FloatFormat,
    negative: bool,
    exact: &Exact,
    actual: u64,
) -> Deviation {
    let same_sign = format.is_negative(actual) == negative;
    let actual_magnitude = match Value::of(format, actual) {
        Value::Nan | Value::Infinite => {
            let overflowed = exact.nearest(format, negative).accepts(actual);
            return if overflowed { Deviation::Ulps(Ulps::ZERO) } else { Deviation::Unbounded };
        }
        Value::Zero => None,
        Value::Finite(magnitude) => Some(magnitude),
    };
    Deviation::Ulps(exact.distance(same_sign, actual_magnitude, exact.ulp_exponent(format)))
}
