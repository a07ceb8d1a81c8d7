//! What Floor, Ceil and Round have in common: they round a number to an integer of its type.
//!
//! They are roundToIntegralTowardNegative, roundToIntegralTowardPositive and roundToIntegralTiesToEven of IEEE
//! 754-2019, 5.9. The newer texts of ONNX name what comes out as it is: integers, both zeros, infinities and NaN,
//! of which any conforms. The sign of a result that becomes zero, such as Ceil(-0.5), they do not name; since
//! they tell the zeros apart, IEEE 754's is the one reading: a zero has the sign of the operand (6.3).

mod cases;

use std::cmp::Ordering;

use values::dtype::DType;
use values::float::FloatFormat;

use super::exact_unary::{self, ExactFunction, Exactly, Results};
use super::unary;
use crate::boundaries::BoundaryInputs;
use crate::broadcast::Broadcast;
use crate::exact::Conforming;
use crate::exact::number::{Magnitude, Value, signed, zero};
use crate::inputs::Parts;
use crate::inputs::patterns::listed;
use crate::operator::{Attributes, Call, Specification};
use crate::pointwise::Pointwise;

pub(crate) use cases::OWN;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("integral/cases.toml");

/// Rounding to an integer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rounding {
    Down,
    Up,
    TiesToEven,
}

impl Rounding {
    /// Whether a magnitude is rounded up that exceeds an integer by a fraction, given whether the integer is odd,
    /// and how the fraction compares with a half.
    fn is_up(self, negative: bool, is_odd: bool, to_half: Ordering) -> bool {
        match self {
            Self::Down => negative,
            Self::Up => !negative,
            Self::TiesToEven => to_half.is_gt() || to_half.is_eq() && is_odd,
        }
    }

    /// The integer that a number is rounded to.
    fn integer(self, negative: bool, x: Magnitude) -> u64 {
        let Magnitude { significand, exponent } = x;
        let places = exponent.unsigned_abs();
        // Of a significand of less than 63 bits nothing reaches a half that many places below the point.
        let (whole, rest, half) = match places {
            ..64 => {
                let whole = significand >> places;
                (whole, significand ^ whole << places, 1 << (places - 1))
            }
            _ => (0, significand, u64::MAX),
        };
        let is_up = rest != 0 && self.is_up(negative, whole % 2 == 1, rest.cmp(&half));
        whole + u64::from(is_up)
    }
}

impl ExactFunction for Rounding {
    const RESULTS: Results = Results::Integers;

    fn is_odd(self) -> bool {
        matches!(self, Self::TiesToEven)
    }

    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming {
        let negative = format.is_negative(x);
        match Value::of(format, x) {
            Value::Nan => Conforming::AnyNan(format),
            Value::Finite(number) if number.exponent < 0 => {
                match format.encode(self.integer(negative, number), 0) {
                    Some(integer) => Conforming::One(signed(format, negative, integer)),
                    None => zero(format, negative),
                }
            }
            Value::Zero | Value::Finite(_) | Value::Infinite => Conforming::One(x),
        }
    }
}

/// What is allowed of an operator's results.
pub(crate) const fn reference(
    function: fn(Specification, &Attributes) -> Exactly<Rounding>,
    boundaries: &'static dyn BoundaryInputs,
) -> Pointwise<Exactly<Rounding>> {
    let broadcast = |call: &Call| Broadcast::equal(&call.shapes());
    Pointwise { function, broadcast, boundaries: Some(boundaries) }
}

/// The inputs of campaigns: those of all exact functions, and what lies around integers and halves.
pub(crate) fn hard_inputs(inputs: &dyn BoundaryInputs, dtype: DType) -> Option<Parts> {
    let mut parts = exact_unary::hard_inputs(inputs, dtype)?;
    let format = unary::format(dtype)?;
    parts.push(("around integers", listed(cases::around_integers(format))));
    parts.push(("around halves", listed(cases::around_halves(format))));
    Some(parts)
}
