//! What the exact functions of one number have in common: every result is a number of the operand's type, so that
//! nothing is rounded to it.

#[cfg(test)]
pub(crate) mod checks;

use std::cmp::Ordering;

use num_traits::{One, Signed, Zero};
use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{Class, FloatFormat};

use crate::boundaries::search::{around, is_finer, monotone};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, FOREIGN, Symmetry, bits_of};
use crate::exact::number::{Int, largest};
use crate::exact::real::{Rational, value};
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::inputs::patterns::{at_boundaries, corners, listed, specials, with_every_exponent};
use crate::inputs::{Parts, Tuple};
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("exact_unary/cases.toml");

/// That of those which SONNX specifies.
pub(crate) const SONNX_CASES: &str = include_str!("exact_unary/sonnx_cases.toml");

/// A function of one number, which falls nowhere, unless it is even and rises with the magnitude.
pub(crate) trait ExactFunction: Copy + Send + Sync + 'static {
    /// Which numbers its results are.
    const RESULTS: Results;

    /// Whether a number and its negation have the same result.
    fn is_even(self) -> bool {
        false
    }

    /// Whether the negation of a number has the negated result.
    fn is_odd(self) -> bool {
        false
    }

    /// What conforms for a float with these bits.
    fn of_float(self, format: &'static FloatFormat, x: u64) -> Conforming;

    /// What conforms for an integer of a type.
    fn of_int(self, _int: Int, _x: i128) -> Conforming {
        FOREIGN
    }
}

/// Which numbers the results of a function are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Results {
    /// Those that are not negative.
    Magnitudes,
    /// Integers, of floats.
    Integers,
    /// -1, 0 and 1, as far as the type has them.
    Signs,
    /// 0, and the numbers that are farther from 0 than so many halves, with the sign that the operand has or positive ones alone.
    ZeroOrBeyond {
        /// That distance.
        halves: u32,
        /// Whether negative numbers are among them.
        negative: bool,
    },
}

/// An exact function on elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exactly<F>(pub(crate) F);

impl<F: ExactFunction> Exactly<F> {
    /// The bits of the exact result of a number; `None` where there is none.
    fn result(&self, dtype: DType, operands: &[Element]) -> Option<u64> {
        let [x] = bits_of(dtype, operands)?;
        let is_number = match dtype.kind() {
            Kind::Float(format) => !matches!(format.class(x), Class::Nan | Class::Infinite),
            _ => true,
        };
        match self.conforming(dtype, operands) {
            conforming if is_number => conforming.number(),
            _ => None,
        }
    }
}

impl<F: ExactFunction> Elementwise for Exactly<F> {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some([x])) => self.0.of_float(format, x),
            (Some(Number::Int(int)), Some([x])) => self.0.of_int(int, int.value(x)),
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        self.result(dtype, operands).and_then(|bits| Real::of_element(dtype, bits))
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let result = self.result(dtype, operands);
        result.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Symmetry::of(self.0.is_even(), self.0.is_odd())
    }
}

impl<F: ExactFunction> BoundaryInputs for Exactly<F> {
    fn function(&self) -> &dyn Elementwise {
        self
    }

    fn is_odd(&self) -> bool {
        self.0.is_odd()
    }

    /// Of floats where the results change; of integers the small operands come first. Those of even functions are
    /// negative, of which there is more to get wrong.
    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let number = |x: u64| {
            let result = self.result(dtype, &[Element::Bits(dtype, x.into())]);
            result.and_then(|bits| value(dtype, bits))
        };
        let is_even = self.0.is_even();
        match Number::of(dtype) {
            Some(Number::Float(format)) => {
                let high = largest(format).cast_signed();
                let low = if is_even { 0 } else { -high };
                let order = |x| number(x).map_or(Ordering::Less, |result| result.cmp(at));
                let found = monotone(format, (low, high), order);
                let negated = |[x, y]: Tuple| [format.negated(x), y];
                if is_even { found.map(|side| side.map(negated)) } else { found }
            }
            Some(Number::Int(int)) => {
                let small = if is_even { [0, -1, 1] } else { [0, 1, -1] };
                let small = small.into_iter().filter_map(|x| int.element(x));
                let negative = if is_even { around(dtype, &-at) } else { Vec::new() };
                let all = small.chain(negative).chain(around(dtype, at));
                let mut all: Vec<_> = all.filter_map(|x| Some((number(x)?, x))).collect();
                all.sort_by_key(|(result, _)| (result - at).abs());
                let mut found = [None; 3];
                for (result, x) in all {
                    found[Side::of(result.cmp(at)) as usize].get_or_insert([x, 0]);
                }
                found
            }
            None => [None; 3],
        }
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        F::RESULTS.exclude(dtype, &boundary.at, side)
    }
}

impl Results {
    /// Why no result of a type lies on a side of a boundary of it, where none does.
    fn exclude(self, dtype: DType, at: &Rational, side: Side) -> Option<&'static str> {
        let (number, one) = (Number::of(dtype)?, Rational::one());
        let [least, greatest] = match number {
            Number::Float(format) => {
                let greatest = value(dtype, largest(format))?;
                [-&greatest, greatest]
            }
            Number::Int(int) => {
                [int.min(), int.max()].map(|end| Rational::from_integer(end.into()))
            }
        };
        let is_of_type = match number {
            Number::Float(format) => {
                let is_multiple = (at / value(dtype, 1)?).is_integer();
                is_multiple && !is_finer(format, at) && *at <= greatest
            }
            Number::Int(_) => true,
        };
        let is_signed = !matches!(number, Number::Int(Int { signed: false, .. }));
        let (holds, proof) = match (self, side) {
            (Self::Magnitudes, Side::Below) => (!at.is_positive(), NO_NEGATIVE),
            (Self::Magnitudes, Side::On) => (
                at.is_negative() || !is_of_type,
                "every result is a number of the type that is not negative, and this is none",
            ),
            (Self::Integers, Side::Below) => (false, ""),
            (Self::Integers, Side::On) => (
                !at.is_integer() || !is_of_type,
                "every result is an integer that the type holds, and this is none",
            ),
            (Self::Magnitudes | Self::Integers, Side::Above) => {
                (*at >= greatest, NO_GREATER_THAN_LARGEST)
            }
            (Self::Signs, Side::Below) if is_signed => (*at <= -one, NO_GREATER_THAN_1),
            (Self::Signs, Side::Below) => (!at.is_positive(), NO_NEGATIVE),
            (Self::Signs, Side::On) => (
                !at.is_integer() || at.abs() > one || at.is_negative() && !is_signed,
                "every result is -1, 0 or 1",
            ),
            (Self::ZeroOrBeyond { negative: false, .. }, Side::Below) => {
                (!at.is_positive(), NO_NEGATIVE)
            }
            (Self::ZeroOrBeyond { .. }, Side::Below) => (*at <= least, NO_LESS_THAN_LEAST),
            (Self::ZeroOrBeyond { halves, negative }, Side::On) => (
                !is_of_type
                    || !negative && at.is_negative()
                    || !at.is_zero() && at.abs() <= Rational::new(halves.into(), 2.into()),
                "every result is 0, or a number of the type that is farther from 0 than the threshold, and this is neither",
            ),
            (Self::ZeroOrBeyond { .. }, Side::Above) => (*at >= greatest, NO_GREATER_THAN_LARGEST),
            (Self::Signs, Side::Above) => (*at >= one, NO_GREATER_THAN_1),
        };
        holds.then_some(proof)
    }
}

const NO_NEGATIVE: &str = "no result is negative";
const NO_GREATER_THAN_LARGEST: &str = "no result is greater in magnitude than the largest number";
const NO_LESS_THAN_LEAST: &str = "no result is less than the least number";
const NO_GREATER_THAN_1: &str = "no result is greater in magnitude than 1";

/// The inputs of campaigns: special values, every exponent, the ends of integers, and where results change.
pub(crate) fn hard_inputs(inputs: &dyn BoundaryInputs, dtype: DType) -> Option<Parts> {
    let thresholds = ("thresholds", at_boundaries(inputs, dtype));
    Some(match Number::of(dtype)? {
        Number::Float(format) => vec![
            ("special values", listed(specials(format))),
            ("exponents", with_every_exponent(*format)),
            thresholds,
        ],
        Number::Int(int) => {
            let corners = corners(int).into_iter().map(|value| int.wrap(value)).collect();
            vec![("boundaries", listed(corners)), thresholds]
        }
    })
}
