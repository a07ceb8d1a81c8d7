//! The approximated functions of one number: what each says of itself, and what follows for the operator.
//!
//! A function says what it has for an operand: an [`Image`]. That is a number that is known exactly, or an irrational one,
//! which it encloses as closely as asked. Where an irrational number is so close to a number of few bits that enclosures
//! would take thousands of bits to tell them apart, or beyond the range of every format, it says that
//! instead, with a proof. From that follow the correctly rounded result, the error of a result, its order to
//! other numbers, and the operands at the boundaries of results, by bisection.
//!
//! That this ends is so because no irrational number is a boundary between two answers; `docs/numerics.md` says of every
//! function why its numbers are irrational but for those that it names. Of the few functions of which nobody knows that,
//! numbers are enclosed up to some thousand bits, and undecided beyond.

mod body;
pub(crate) mod cases;
pub(crate) mod image;

use std::cmp::Ordering;
use std::fmt::Debug;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

pub(crate) use self::body::Body;
pub(crate) use self::image::Image;
use super::unary;
use crate::boundaries::search::{around, element, monotone};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, FOREIGN, Smooth, Symmetry};
pub(crate) use crate::elementwise::{Periodic, Stretch};
use crate::exact::composed::{self, Computed};
use crate::exact::interval::Interval;
use crate::exact::number::Value;
use crate::exact::real::{Rational, value};
use crate::exact::series::Series;
use crate::exact::{Conforming, Deviation, each_once};
use crate::inputs::Tuple;
use crate::real::Real;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("function/cases.toml");

/// That of those with the hint on reused memory.
pub(crate) const CONSUMED: &str = include_str!("function/consumed_cases.toml");

/// That of those which SONNX specifies.
pub(crate) const SONNX_CASES: &str = include_str!("function/sonnx_cases.toml");

/// An operand of a function that is no NaN: of a NaN every function is a NaN.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// An infinity.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// A zero.
    Zero {
        /// Its sign.
        negative: bool,
    },
    /// Another number.
    Number(Interval),
}

impl Operand {
    /// What an element is; `None` for a NaN.
    pub(crate) fn of(format: &FloatFormat, bits: u64) -> Option<Self> {
        let negative = format.is_negative(bits);
        match Value::of(format, bits) {
            Value::Nan => None,
            Value::Infinite => Some(Self::Infinite { negative }),
            Value::Zero => Some(Self::Zero { negative }),
            Value::Finite(_) => Interval::of_element(format, bits, 128).map(Self::Number),
        }
    }
}

/// The bits of 1.
pub(crate) const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

/// The bits of the largest number below pi/2.
pub(crate) const fn half_pi(format: &FloatFormat) -> u64 {
    /// Pi/2 in steps of 2^-63, rounded down.
    const HALF_PI: u64 = 0xc90f_daa2_2168_c234;
    // The leading bit of a significand is added to the exponent.
    one(format) - (1 << format.significand_bits) + (HALF_PI >> (u64::BITS - format.precision()))
}

/// Whether a number is from -1 to 1.
pub(crate) fn is_within_one(x: &Interval) -> bool {
    x.abs().compare(&Interval::integer(1, x.precision())).is_some_and(Ordering::is_le)
}

/// 1, or -1.
pub(crate) fn unit(negative: bool) -> Interval {
    Interval::integer(if negative { -1 } else { 1 }, 128)
}

/// Whether a number is this integer.
pub(crate) fn is(x: &Interval, integer: i64) -> bool {
    x.is_point() && x.compare(&Interval::integer(integer, x.precision())) == Some(Ordering::Equal)
}

/// Whether a magnitude is below a power of two.
pub(crate) fn is_below(x: &Interval, exponent: i64) -> bool {
    x.binade().is_none_or(|binade| binade < exponent)
}

/// The values of an odd function at the numbers of an interval, by those at the magnitudes, at which it rises from 0.
pub(crate) fn odd(
    x: &Interval,
    function: impl FnOnce(&Interval) -> Option<Interval>,
) -> Option<Interval> {
    let value = function(&x.abs())?;
    Some(if x.is_negative() {
        -value
    } else if x.is_positive() || x.is_point() {
        value
    } else {
        (-&value).hull(&value)
    })
}

/// The values at the numbers of an interval of a function that has two formulas: for those that are not negative, and for
/// those that are not positive.
pub(crate) fn by_sign(
    x: &Interval,
    above: impl FnOnce(&Interval) -> Option<Interval>,
    below: impl FnOnce(&Interval) -> Option<Interval>,
) -> Option<Interval> {
    if x.is_negative() {
        return below(x);
    }
    if !x.lower().is_negative() {
        return above(x);
    }
    Some(above(x)?.hull(&below(x)?))
}

/// What `factor` times e^x - 1 is for a factor that is a number other than 0, of at most 48 bits, and a negative number x, or
/// -infinity where there is none.
pub(crate) fn of_negative(factor: &Interval, x: Option<&Interval>) -> Image {
    match x {
        None => Image::Fraction(-factor),
        // |e^x - 1| is less than |x|, by less than x^2 / 2.
        Some(x) if is_below(x, -101) => Image::Beside { number: factor * x, farther: false },
        // 1 less e^x.
        Some(x) if !is_below(x, 7) => Image::Beside { number: -factor, farther: false },
        Some(_) => Image::Irrational,
    }
}

/// A function of one real number.
pub(crate) trait RealFunction: Copy + Debug + Send + Sync + 'static {
    /// Why no result within the stretch lies below a boundary, where none does; why none lies on it; why none above.
    const PROOFS: [&'static str; 3];

    /// What it has for an operand.
    fn image(&self, operand: &Operand) -> Image;

    /// What contains its values at the numbers of an interval, to a few bits less than the precision if the interval is a
    /// point; `None` where one of them has none, or one beyond every format.
    fn enclosure(&self, x: &Interval) -> Option<Interval>;

    /// The first coefficients of its series at the numbers of an interval, all of one sign, given those of the number itself; `None`
    /// where it has none there, or none is known.
    fn series(&self, _x: &Series) -> Option<Series> {
        None
    }

    /// What contains its limit at an infinity, where that is irrational; `None` where it is not.
    fn limit(&self, _negative: bool, _bits: u32) -> Option<Interval> {
        None
    }

    /// The operands of a format in which boundaries are searched.
    fn stretch(&self, format: &FloatFormat) -> Stretch;

    /// The number within the stretch at which it has a rational value; `None` where there is none.
    fn inverse(&self, value: &Rational) -> Option<Rational>;

    /// Whether the negation of a number has the negated value.
    fn is_odd(&self) -> bool {
        false
    }

    /// Whether the negation of a number has the same value.
    fn is_even(&self) -> bool {
        false
    }

    /// Other operands between which it never falls, or never rises.
    fn other_stretch(&self, _format: &FloatFormat) -> Option<Stretch> {
        None
    }

    /// Which function of angles it is, if it is one.
    fn periodic(&self) -> Option<Periodic> {
        None
    }

    /// What conforms for a NaN.
    fn of_nan(&self, format: &'static FloatFormat) -> Conforming {
        Conforming::AnyNan(format)
    }

    /// What the steps of the function body that ONNX gives it make of an element; `None` where it has none.
    fn by_body(&self, _body: &Body, _x: &Computed) -> Option<Computed> {
        None
    }

    /// Whether every implementation has to give the exact value at an operand at which it is rational.
    fn is_exact_point(&self, _operand: &Operand) -> bool {
        true
    }
}

/// A function on elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<F>(pub(crate) F);

impl<F: RealFunction> Function<F> {
    /// The operand, its image and the enclosure of it; `None` for a NaN.
    fn image(&self, format: &FloatFormat, bits: u64) -> Option<(Operand, Image)> {
        let operand = Operand::of(format, bits)?;
        let image = self.0.image(&operand);
        Some((operand, image))
    }

    fn enclosed(&self, operand: &Operand, bits: u32) -> Option<Interval> {
        match operand {
            Operand::Number(x) => self.0.enclosure(&x.clone().with_precision(bits)),
            Operand::Zero { .. } => self.0.enclosure(&Interval::integer(0, bits)),
            Operand::Infinite { negative } => self.0.limit(*negative, bits),
        }
    }
}

impl<F: RealFunction> Elementwise for Function<F> {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let Some((format, x)) = unary::operand(dtype, operands) else { return FOREIGN };
        match self.image(format, x) {
            Some((operand, image)) => {
                image.decided(|bits| self.enclosed(&operand, bits)).conforming(format)
            }
            None => self.0.of_nan(format),
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        let (format, x) = unary::operand(dtype, operands)?;
        match self.image(format, x)? {
            (Operand::Infinite { .. }, image) if image.is_rational() => None,
            (operand, image) => image.real(bits, |bits| self.enclosed(&operand, bits)),
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let [deviation, _] = self.judged(dtype, operands, [actual; 2]).1;
        deviation
    }

    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let none = [Deviation::NoRealResult; 2];
        let Some((format, x)) = unary::operand(dtype, operands) else { return (FOREIGN, none) };
        let Some((operand, image)) = self.image(format, x) else {
            return (self.0.of_nan(format), none);
        };
        let decided = image.decided(|bits| self.enclosed(&operand, bits));
        let is_limit = matches!(operand, Operand::Infinite { .. }) && image.is_rational();
        let of = |actual| decided.deviation(format, actual);
        (decided.conforming(format), if is_limit { none } else { each_once(actual, of) })
    }

    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        let image = unary::operand(dtype, operands).and_then(|(format, x)| self.image(format, x));
        image.is_some_and(|(operand, image)| image.is_rational() && self.0.is_exact_point(&operand))
    }

    fn by_body(&self, dtype: DType, operands: &[Element]) -> Option<Conforming> {
        let (format, x) = unary::operand(dtype, operands)?;
        let of = |bits| {
            let body = Body::new(format, bits);
            self.0.by_body(&body, &body.by().element(format, x))
        };
        let first = of(composed::BITS)?;
        Some(composed::conforming(format, |bits| of(bits).unwrap_or_else(|| first.clone())))
    }

    fn smooth(&self) -> Option<&dyn Smooth> {
        Some(self)
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Symmetry::of(self.0.is_even(), self.0.is_odd())
    }
}

impl<F: RealFunction> Smooth for Function<F> {
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        self.0.enclosure(x)
    }

    fn series(&self, x: &Series) -> Option<Series> {
        // Formulas that cancel lose bits of the value alone.
        Some(self.0.series(x)?.with_value(self.0.enclosure(x.value())?))
    }

    fn stretches(&self, format: &FloatFormat) -> Vec<Stretch> {
        [self.0.stretch(format)].into_iter().chain(self.0.other_stretch(format)).collect()
    }

    fn beside(&self, format: &'static FloatFormat, number: u64) -> Option<bool> {
        // Whether images are beside their operands rests on nothing but signs and binades.
        let at = Interval::of_element(format, number, 128)?;
        match self.image(format, number)? {
            (_, Image::Beside { number, farther }) => {
                (number.compare(&at) == Some(Ordering::Equal)).then_some(farther)
            }
            _ => None,
        }
    }

    fn periodic(&self) -> Option<Periodic> {
        self.0.periodic()
    }
}

impl<F: RealFunction> BoundaryInputs for Function<F> {
    fn function(&self) -> &dyn Elementwise {
        self
    }

    fn is_odd(&self) -> bool {
        self.0.is_odd()
    }

    fn side(&self, dtype: DType, operands: &[Element], at: &Rational) -> Option<Side> {
        let (format, x) = unary::operand(dtype, operands)?;
        match self.image(format, x)? {
            (Operand::Infinite { .. }, _) | (_, Image::Infinite { .. }) => None,
            (operand, image) => {
                image.compare(at, |bits| self.enclosed(&operand, bits)).map(Side::of)
            }
        }
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(format) = unary::format(dtype) else { return [None; 3] };
        let Stretch { low, high, falls } = self.0.stretch(format);
        let order = |x: u64| {
            let order = self.image(format, x).and_then(|(operand, image)| {
                image.compare(at, |bits| self.enclosed(&operand, bits))
            });
            order.unwrap_or(Ordering::Less)
        };
        if falls {
            // What falls with x rises with -x.
            let found = monotone(format, (-high, -low), |x| order(format.negated(x)));
            return found.map(|found| found.map(|[x, y]| [format.negated(x), y]));
        }
        monotone(format, (low, high), order)
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let format = unary::format(dtype)?;
        let Stretch { low, high, falls } = self.0.stretch(format);
        let at_end = |ordinal| {
            let x = element(format, ordinal);
            self.side(dtype, &[Element::Bits(dtype, x.into())], &boundary.at)
        };
        let (least, greatest) = if falls { (high, low) } else { (low, high) };
        let [below, on, above] = F::PROOFS;
        let (is_none, proof) = match side {
            Side::Below => (at_end(least)? != Side::Below, below),
            Side::Above => (at_end(greatest)? != Side::Above, above),
            Side::On => {
                let is_element = |x: Rational| {
                    around(dtype, &x)
                        .into_iter()
                        .any(|bits| value(dtype, bits).as_ref() == Some(&x))
                };
                (!self.0.inverse(&boundary.at).is_some_and(is_element), on)
            }
        };
        is_none.then_some(proof)
    }
}

#[cfg(test)]
mod tests;
