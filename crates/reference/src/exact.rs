//! Exact numbers: what a float or an integer stands for, rounding to nearest, units in the last place,
//! rational numbers and enclosures of real ones.
//!
//! Everything is integer arithmetic on the bits of elements; no floating-point instruction decides
//! anything, but for [brackets](bracket) whose rounding is bounded. `docs/numerics.md` states the definitions. Elements travel as bits in the low end of a
//! `u64`.
//!
//! The types are float16, bfloat16, float32, float64, the four 8-bit float formats, and all integer
//! types.

pub mod bracket;
pub mod composed;
mod conforming;
pub mod determinant;
pub mod dot;
pub mod enclosed;
pub mod exponential;
pub(crate) mod extended;
pub mod interval;
mod natural;
pub(crate) mod number;
pub mod product;
pub mod real;
pub mod series;
mod share;
pub mod sum;
pub mod sum_of_products;
pub(crate) mod truncated;
mod ulps;

pub use conforming::{Conforming, quiet_nan};
pub use share::Share;
pub use ulps::{Deviation, Ulps};

use values::dtype::{DType, Kind};
use values::element::Element;
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

/// How far the element `actual` is from the element `exact` of the same type, taken as the exact result.
pub fn distance(dtype: DType, exact: u64, actual: u64) -> Deviation {
    match Number::of(dtype) {
        Some(Number::Float(format)) => match number::Value::of(format, exact) {
            number::Value::Nan | number::Value::Infinite => Deviation::NoRealResult,
            number::Value::Zero => truncated::Exact::ZERO.deviation(format, false, actual),
            number::Value::Finite(magnitude) => {
                truncated::Exact::of(magnitude).deviation(format, format.is_negative(exact), actual)
            }
        },
        Some(Number::Int(int)) => {
            let distance = int.value(exact).abs_diff(int.value(actual));
            Deviation::Ulps(Ulps::new(distance << Ulps::FRACTION_BITS, true))
        }
        None => Deviation::NoRealResult,
    }
}

/// How far the element `actual` is from the number that conforms; of several readings from that of the first, unless it is
/// the NaN of another.
pub(crate) fn distance_of_reading(dtype: DType, conforming: &Conforming, actual: u64) -> Deviation {
    let is_nan = |reading: &Conforming| matches!(reading, Conforming::AnyNan(_));
    match (conforming, conforming.number()) {
        (Conforming::OneOf(all), Some(_))
            if all.iter().any(|it| is_nan(it) && it.accepts(actual)) =>
        {
            Deviation::NoRealResult
        }
        (_, Some(exact)) => distance(dtype, exact, actual),
        (_, None) => Deviation::NoRealResult,
    }
}

/// How far the element `actual` is from one that is moved, of the type that this has.
pub fn distance_of(moved: Option<&Element>, actual: u64) -> Deviation {
    match moved {
        Some(Element::Bits(dtype, bits)) => distance(*dtype, *bits as u64, actual),
        Some(Element::String(_)) | None => Deviation::NoRealResult,
    }
}

/// What a function gives for two elements, which is asked once where they are the same.
pub fn each_once(elements: [u64; 2], of: impl Fn(u64) -> Deviation) -> [Deviation; 2] {
    let [first, second] = elements;
    let of_first = of(first);
    [of_first, if second == first { of_first } else { of(second) }]
}
