//! The class of one result: what makes it a boundary, a tie or an ordinary number.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{Class, FloatFormat};

use crate::elementwise::Elementwise;
use crate::exact::Conforming;
use crate::exact::number::{Int, largest, smallest_exponent};
use crate::exact::real::{Rational, difference, power_of_two, product};
use crate::real::Real;

/// Leading zeros of a distance that are told apart, at most.
const NEAREST: u32 = 28;

/// Bits to which the exact result of a type has to be known.
pub(super) const fn bits_of(dtype: DType) -> u32 {
    match dtype.kind() {
        Kind::Float(format) => format.precision() + NEAREST + 4,
        Kind::Int { .. } | Kind::Bool | Kind::Complex(_) | Kind::String => u64::BITS,
    }
}

/// Of so many leading zeros on, a distance from a number, or from halfway between two, is a small one.
const NEAR: u32 = 3;

/// The class of a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ResultClass {
    /// How it is decided, and why not where it is not.
    decided: (u8, &'static str),
    kind: ResultKind,
    /// What a sum may be besides.
    sum: Option<[bool; 7]>,
    position: Option<Position>,
    /// What the function tells its operands apart by besides.
    distinction: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ResultKind {
    /// Neither a float, an integer nor a truth value, or nothing at all.
    Other,
    Truth(bool),
    Float {
        class: Class,
        negative: Option<bool>,
        is_largest: bool,
        is_power: bool,
    },
    Integer {
        negative: Option<bool>,
        /// Zero, the least and the greatest one, which all are.
        special: [bool; 3],
    },
}

/// Where the exact result lies among the numbers of its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    /// Its binade, where it is next to an end of the format.
    binade: Option<i64>,
    is_exact: bool,
    is_tie: bool,
    /// Whether the result is greater than the exact one.
    is_up: bool,
    /// Whether an integer wrapped.
    is_wrapped: bool,
    /// Leading zeros of the distance from halfway between two numbers, and from the nearest number, in units of
    /// the last place.
    near: [u32; 2],
}

impl ResultClass {
    /// The class of an element of a type.
    pub(super) fn of(dtype: DType, conforming: &Conforming, real: Option<&Real>) -> Self {
        let decided = match conforming {
            Conforming::One(_) => (0, ""),
            Conforming::Same(_) => (1, ""),
            Conforming::AnyNan(_) => (2, ""),
            Conforming::Within { .. } => (3, ""),
            Conforming::RefusalOr(_) => (4, ""),
            Conforming::Unspecified(reason) => (5, *reason),
            Conforming::OneOf(_) => (6, ""),
        };
        let sum = match conforming {
            Conforming::Within { accumulated: sum, .. } => {
                let [plus, minus] = sum.infinities;
                let [over, under] = sum.may_overflow;
                let is_one = sum.numbers.is_none_or(|[least, greatest]| least == greatest);
                Some([plus, minus, over, under, sum.nan, sum.negative_zero, is_one])
            }
            _ => None,
        };
        let bits = conforming.example().and_then(|bits| u64::try_from(bits).ok());
        let position = real.zip(bits).and_then(|(real, bits)| Position::of(dtype, real, bits));
        let kind = bits.map_or(ResultKind::Other, |bits| ResultKind::of(dtype, bits));
        Self { decided, kind, sum, position, distinction: 0 }
    }

    /// Whether the element is that of an input, bit by bit.
    pub(super) fn is_moved(&self) -> bool {
        self.decided.0 == 1
    }

    /// The class with what the function tells its operands apart by.
    pub(super) fn told_apart_by(
        self,
        function: Option<&dyn Elementwise>,
        operands: &[Element],
    ) -> Self {
        Self { distinction: function.map_or(0, |it| it.distinction(operands)), ..self }
    }

    /// The class without what does not matter of results that are not rounded: sign, binade and remainder.
    pub(super) fn where_exact_roughly(self) -> Self {
        let is_integer = matches!(self.kind, ResultKind::Integer { .. });
        let Some(position) = self.position.clone().filter(|it| it.is_exact || is_integer) else {
            return self;
        };
        let position = Some(Position { binade: None, is_up: false, near: [0; 2], ..position });
        let kind = match self.kind {
            ResultKind::Float { class, is_largest, .. } => {
                ResultKind::Float { class, negative: None, is_largest, is_power: false }
            }
            ResultKind::Integer { special, .. } => ResultKind::Integer { negative: None, special },
            other @ (ResultKind::Other | ResultKind::Truth(_)) => other,
        };
        Self { kind, position, ..self }
    }

    /// The class by what a result is alone, not by where it lies among the numbers: of what is composed of several
    /// operations nothing is asked of rounding.
    pub(super) fn roughly(self) -> Self {
        let sum = self.sum.map(|[plus, minus, _, _, nan, _, is_one]| {
            [plus, minus, false, false, nan, false, is_one]
        });
        let kind = match self.kind {
            ResultKind::Float { class, .. } => {
                ResultKind::Float { class, negative: None, is_largest: false, is_power: false }
            }
            other => other,
        };
        Self { kind, sum, position: None, ..self }
    }

    /// Whether a result of this class can stand in for one of another: the same in all, and as close to a
    /// number, or to halfway between two, where that is close.
    pub(super) fn stands_for(&self, other: &Self) -> bool {
        let known = |class: &Self| {
            let position = class.position.clone();
            Self { position: position.map(|it| Position { near: [0; 2], ..it }), ..class.clone() }
        };
        known(self) == known(other)
            && self.near().into_iter().zip(other.near()).all(|(near, other)| near >= other)
    }

    /// How close the exact result is to halfway between two numbers and to a number: 0 where it is not.
    fn near(&self) -> [u32; 2] {
        let near = self.position.as_ref().map_or([0; 2], |position| position.near);
        near.map(|zeros| if zeros < NEAR { 0 } else { zeros })
    }

    /// Whether no operands that are drawn can be expected to have such a result.
    pub(super) fn is_rare(&self) -> bool {
        let is_exact = self.position.as_ref().is_some_and(|position| position.is_exact);
        !is_exact && self.near().into_iter().any(|zeros| zeros > 6)
    }
}

impl ResultKind {
    fn of(dtype: DType, bits: u64) -> Self {
        match dtype.kind() {
            Kind::Float(format) => {
                let magnitude = format.magnitude(bits);
                Self::Float {
                    class: format.class(bits),
                    negative: Some(format.is_negative(bits)),
                    is_largest: magnitude == largest(format),
                    is_power: magnitude & ((1 << format.significand_bits) - 1) == 0,
                }
            }
            Kind::Int { signed, bits: width } => {
                let int = Int { signed, bits: width };
                let value = int.value(bits);
                let special = [value == 0, value == int.min(), value == int.max()];
                Self::Integer { negative: Some(value < 0), special }
            }
            Kind::Bool => Self::Truth(bits != 0),
            Kind::Complex(_) | Kind::String => Self::Other,
        }
    }
}

impl Position {
    fn of(dtype: DType, real: &Real, bits: u64) -> Option<Self> {
        let exact = &real.enclosure.lower;
        if exact.is_zero() {
            return None;
        }
        let (unit, binade) = match dtype.kind() {
            Kind::Float(format) => unit(format, exact),
            Kind::Int { .. } => (0, None),
            Kind::Bool | Kind::Complex(_) | Kind::String => return None,
        };
        let scaled = product(&exact.abs(), &power_of_two(unit.saturating_neg()));
        let fraction = fraction(&scaled);
        let half = 1 << 63;
        let is_whole = scaled.is_integer() && real.enclosure.exact().is_some();
        let is_tie = fraction == half && *scaled.denom() == BigInt::from(2);
        let result = crate::exact::real::value(dtype, bits);
        let zeros = |distance: u64| distance.leading_zeros().saturating_sub(1).min(NEAREST);
        Some(Self {
            binade,
            is_exact: is_whole,
            is_tie,
            is_up: result.as_ref().is_some_and(|result| result > exact),
            is_wrapped: matches!(dtype.kind(), Kind::Int { .. })
                && result.is_some_and(|result| {
                    difference(&result, exact).abs() >= Rational::from(BigInt::from(1))
                }),
            near: if is_whole {
                [0; 2]
            } else {
                [zeros(fraction.abs_diff(half)), zeros(fraction.min(fraction.wrapping_neg()))]
            },
        })
    }
}

/// The exponent of the unit in the last place at a number, and its binade where it is next to an end of the
/// format.
fn unit(format: &FloatFormat, number: &Rational) -> (i32, Option<i64>) {
    let (numerator, denominator) = (number.numer().abs(), number.denom());
    let bits = |number: &BigInt| i64::try_from(number.bits()).unwrap_or(i64::MAX >> 1);
    let estimate = bits(&numerator) - bits(denominator);
    // The estimate is the binade or one more.
    let is_above = match estimate {
        0.. => numerator >= denominator << estimate,
        _ => numerator << estimate.unsigned_abs() >= *denominator,
    };
    let binade = if is_above { estimate } else { estimate - 1 };
    let least = i64::from(smallest_exponent(format));
    let field = i64::from(format.significand_bits);
    let (lowest, highest) = (least + field, i64::from(format.bias));
    let unit = (binade - field).clamp(least, highest - field);
    let is_inside = (lowest + 2..highest - 1).contains(&binade);
    (unit as i32, (!is_inside).then(|| binade.clamp(least - 2, highest + 2)))
}

/// The first 64 bits of a number's fraction.
fn fraction(number: &Rational) -> u64 {
    let (numerator, denominator) = (number.numer(), number.denom());
    (((numerator % denominator) << 64_u32) / denominator).to_u64().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementwise::Elementwise;
    use crate::operator::{Attributes, Specification};
    use crate::operators::div::DIV;
    use values::element::Element;

    fn of(dtype: DType, a: u64, b: u64) -> ResultClass {
        let function = DIV.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap();
        let function: &dyn Elementwise = &*function;
        let operands = [a, b].map(|bits| Element::Bits(dtype, bits.into()));
        let real = function.real(dtype, &operands, bits_of(dtype));
        ResultClass::of(dtype, &function.conforming(dtype, &operands), real.as_ref())
    }

    #[test]
    fn classes_tell_ties_exact_results_overflow_and_what_is_next_to_them_apart() {
        let of = |a: f32, b: f32| of(DType::Float32, a.to_bits().into(), b.to_bits().into());
        let (exact, ordinary) = (of(10.0, 4.0), of(10.0, 3.0));
        assert!(exact.stands_for(&of(14.0, 4.0)) && !exact.stands_for(&ordinary));
        assert!(!ordinary.stands_for(&exact));
        let least = f32::from_bits(1);
        let (tie, above) = (of(3.0 * least, 2.0), of(4.0 * least, 3.0));
        assert!(tie.stands_for(&of(-3.0 * least, -2.0)) && !tie.stands_for(&above));
        let (overflow, largest) = (of(f32::MAX, 0.5), of(f32::MAX, 1.0));
        assert!(!overflow.stands_for(&largest) && !largest.stands_for(&overflow));
        assert!(!of(1.0, 4.0).stands_for(&exact), "a power of two");
        assert!(!of(-10.0, 4.0).stands_for(&exact), "another sign");
        assert!(of(0.0, 4.0).stands_for(&of(0.0, 5.0)) && !of(-0.0, 4.0).stands_for(&of(0.0, 4.0)));
    }

    #[test]
    fn what_is_hard_is_not_replaced_by_what_is_easy() {
        let hardest = (0x3c00..0x4000_u64)
            .map(|b| of(DType::Float16, 0x3fff, b))
            .filter(ResultClass::is_rare)
            .collect::<Vec<_>>();
        assert!(!hardest.is_empty());
        let easy = of(DType::Float16, 0x4900, 0x4600);
        assert!(hardest.iter().all(|class| !easy.stands_for(class)));
    }

    #[test]
    fn integers_are_told_apart_by_remainders_and_wrapping() {
        let of = |a: i8, b: i8| of(DType::Int8, u64::from(a as u8), u64::from(b as u8));
        assert!(of(100, 10).stands_for(&of(80, 20)));
        assert!(!of(101, 10).stands_for(&of(80, 20)));
        assert!(!of(1, 10).stands_for(&of(101, 10)), "zero");
        assert!(!of(i8::MIN, -1).stands_for(&of(100, -1)));
        assert!(!of(1, 0).stands_for(&of(1, 1)));
    }
}
