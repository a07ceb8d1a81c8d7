//! The pieces of a smooth function of float32: operands next to each other, and how results there are decided.
//!
//! On most pieces the function is a polynomial in float64, which is the beginning of its Taylor series, with a bound on what it is off
//! from the real value: what is left of the series, and what rounding does to coefficients, products and sums. On others all
//! operands have the same result. What is left goes to exact arithmetic.

use std::fmt;
use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use values::dtype::DType;
use values::float::FloatFormat;

use super::LEAST;
use super::angles::{Angles, FIRST_EXPONENT};
use super::near::{DEGREE, Polynomial, unit};
use crate::check::Check;
use crate::elementwise::{Smooth, Stretch};
use crate::exact::interval::Interval;
use crate::exact::series::Series;
use crate::exact::{Conforming, Deviation};

/// Bits of the intervals that pieces are computed with.
const PRECISION: u32 = 128;

/// The fewest operands that are worth a piece.
const FEWEST: u32 = 1 << 10;

/// What the bound of a polynomial is at most, in units in the last place of the smallest result: so few results are so near to a
/// boundary that it does not decide.
const ACCURACY: f64 = 1.0 / (1 << 18) as f64;

const FORMAT: &FloatFormat = &FloatFormat::FLOAT32;

/// Binades of finite numbers, of both signs.
const BINADES: u64 = 2 * ((1 << FORMAT.exponent_bits) - 1);

/// All pieces of a function, by their operands.
pub struct Pieces(pub(super) Vec<Piece>);

/// Consecutive operands, and how their results are decided.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Bits of the first operand.
    pub(super) first: u32,
    /// The bits after those of the last one.
    pub(super) end: u32,
    pub(super) rule: Rule,
}

/// How results of a piece are decided.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// By this polynomial; where values are known to be beside their operands, farther from zero or nearer, also by that.
    Polynomial(Polynomial, Option<bool>),
    /// By their parts of a turn.
    Angles(Angles),
    /// These bits alone conform, and are less than 1/256 ULP off.
    Same(u32),
    /// A NaN alone conforms.
    Nan,
    /// By exact arithmetic, one by one.
    Exactly,
}

impl Pieces {
    /// The pieces of the function that a check decides; `None` where it is not a smooth function of float32.
    pub fn of(check: &Check) -> Option<Self> {
        let are_floats = [check.dtype(), check.result()] == [DType::Float32; 2];
        let is_one = check.operator().arity() == 1 && are_floats;
        let smooth = check.function().smooth().filter(|_| is_one)?;
        // Functions without series have none at 3/4 either.
        smooth
            .series(&Series::variable(&Interval::new(3, -2, PRECISION), 1))
            .or_else(|| smooth.series(&Series::variable(&Interval::integer(3, PRECISION), 1)))?;
        Some(Self::of_binades(check, (0..BINADES).collect()))
    }

    /// Those in binades of these numbers: twice the exponent field, and one more for negative operands.
    pub(super) fn of_binades(check: &Check, binades: Vec<u64>) -> Self {
        let of_binade = |binade: u64| {
            let (sign, exponent) = (binade & 1, binade >> 1);
            let first = (exponent << FORMAT.significand_bits) as u32 | (sign as u32) << 31;
            // What is special at 0, 1 and -1 is for exact arithmetic.
            let is_apart = exponent == 0 || exponent == FORMAT.bias as u64;
            let maker = Maker { check, smooth: check.function().smooth()? };
            let operands = first + u32::from(is_apart)..first + (1 << FORMAT.significand_bits);
            let exponent = exponent as i64 - i64::from(FORMAT.bias);
            let periodic = maker.smooth.periodic().filter(|_| exponent >= FIRST_EXPONENT);
            let mut pieces = Vec::new();
            if let Some(function) = periodic {
                let rule = Rule::Angles(Angles::new(function, exponent)?);
                pieces.push(Piece { first: operands.start, end: operands.end, rule });
            } else {
                maker.cut(operands, &mut pieces);
            }
            Some(pieces)
        };
        let pieces: Vec<_> = binades.into_par_iter().filter_map(of_binade).collect();
        let mut pieces: Vec<Piece> = pieces.into_iter().flatten().collect();
        pieces.sort_by_key(|piece| piece.first);
        Self(pieces)
    }

    /// Operands of finite numbers that are in no piece, or in one that is left to exact arithmetic.
    pub fn left(&self) -> u64 {
        let numbers = 2 * u64::from(f32::INFINITY.to_bits());
        let decided = self.0.iter().filter(|piece| !matches!(piece.rule, Rule::Exactly));
        numbers - decided.map(|piece| u64::from(piece.end - piece.first)).sum::<u64>()
    }

    /// The piece that an operand lies in.
    pub(super) fn at(&self, operand: u32) -> Option<&Piece> {
        let after = self.0.partition_point(|piece| piece.first <= operand);
        self.0.get(after.checked_sub(1)?).filter(|piece| operand < piece.end)
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |rule: fn(&Rule) -> bool| {
            let some = self.0.iter().filter(|piece| rule(&piece.rule));
            some.fold((0, 0), |(pieces, operands), piece| {
                (pieces + 1, operands + u64::from(piece.end - piece.first))
            })
        };
        f.debug_struct("Pieces")
            .field("polynomial", &of(|rule| matches!(rule, Rule::Polynomial(..))))
            .field("angles", &of(|rule| matches!(rule, Rule::Angles(_))))
            .field("same", &of(|rule| matches!(rule, Rule::Same(_) | Rule::Nan)))
            .field("exactly", &of(|rule| matches!(rule, Rule::Exactly)))
            .finish()
    }
}

/// What makes pieces.
struct Maker<'a> {
    check: &'a Check,
    smooth: &'a dyn Smooth,
}

impl Maker<'_> {
    /// Adds the pieces of consecutive operands of one binade and one sign: the longest of each half, and half of it, and so on, that have a
    /// rule.
    fn cut(&self, operands: Range<u32>, pieces: &mut Vec<Piece>) {
        let piece = |rule| Piece { first: operands.start, end: operands.end, rule };
        let len = operands.end - operands.start;
        let rule = self.same(&operands).or_else(|| self.polynomial(&operands, ACCURACY));
        if let Some(rule) = rule {
            pieces.push(piece(rule));
        } else if len <= FEWEST {
            // Near a zero of the function no bound is small against all results.
            let rule = self.polynomial(&operands, 1.0).unwrap_or(Rule::Exactly);
            pieces.push(piece(rule));
        } else {
            let middle = operands.start + len / 2;
            self.cut(operands.start..middle, pieces);
            self.cut(middle..operands.end, pieces);
        }
    }

    /// The rule of operands that all have the same result.
    fn same(&self, operands: &Range<u32>) -> Option<Rule> {
        let ends = [operands.start, operands.end - 1];
        let conforming = |bits: u32| self.check.conforming(&[bits.into()]);
        let [first, last] = ends.map(conforming);
        match (&first, &last) {
            // The numbers of which a function has a value lie between two powers of two, or 0 and infinity among them: so no
            // number of a binade has one if those at its ends have none.
            (Conforming::AnyNan(_), Conforming::AnyNan(_)) => Some(Rule::Nan),
            (Conforming::One(bits), _) if first == last && self.is_monotone(ends) => {
                let is_near = |operand: u32| {
                    self.check.deviation(&[operand.into()], *bits) <= Deviation::Ulps(LEAST)
                };
                ends.into_iter().all(is_near).then_some(Rule::Same(*bits as u32))
            }
            _ => None,
        }
    }

    /// Whether the function never falls, or never rises, between two operands.
    fn is_monotone(&self, ends: [u32; 2]) -> bool {
        let ends = ends.map(|bits| FORMAT.ordinal(bits.into()));
        let holds = |Stretch { low, high, .. }: &Stretch| {
            ends.iter().all(|end| end.is_some_and(|end| (*low..=*high).contains(&end)))
        };
        self.smooth.stretches(FORMAT).iter().any(holds)
    }

    /// Whether values at operands are beside these, by less than 2^-44 of them: all farther from zero, or all nearer (`docs/numerics.md`).
    /// The distance at the middle one is known, if not its sign.
    fn beside(&self, operands: &Range<u32>, distance: &Interval) -> Option<bool> {
        /// Of distances of 2^-100 of operands more than a hundred bits are known.
        const PRECISION: u32 = 256;
        let number = |bits: u32| Interval::of_element(FORMAT, bits.into(), PRECISION);
        let len = operands.end - operands.start;
        let least = number(operands.start)?.abs().scaled(-44);
        let is_small = |distance: &Interval| (&least - &distance.abs()).is_positive();
        // Most functions are nowhere beside their operands.
        is_small(distance).then_some(())?;
        let mut sides = (0..8).map(|part| {
            let [first, end] =
                [part, part + 1].map(|at| operands.start + (u64::from(len) * at / 8) as u32);
            let (low, high) = (number(first)?, number(end.max(first + 1) - 1)?);
            let (all, at) = (low.hull(&high), number(first + (end - first) / 2)?);
            // By Taylor's theorem, of the function less its operand.
            let exact = self.smooth.series(&Series::variable(&at, DEGREE))?;
            let around = self.smooth.series(&Series::variable(&all, DEGREE + 1))?;
            let identity = Series::variable(&at, DEGREE);
            let apart = exact.coefficients().iter().zip(identity.coefficients());
            let apart = apart.map(|(of_function, of_operand)| of_function - of_operand);
            let rest = around.coefficients().get(DEGREE + 1)?.clone();
            let from_middle = &all - &at;
            let (mut distance, mut power) =
                (Interval::integer(0, PRECISION), Interval::integer(1, PRECISION));
            for coefficient in apart.chain([rest]) {
                distance = &distance + &(&coefficient * &power);
                power = &power * &from_middle;
            }
            let is_one_sided = is_small(&distance) && !distance.has_zero();
            is_one_sided.then(|| distance.is_negative() == all.is_negative())
        });
        let side = sides.next()??;
        sides.all(|other| other == Some(side)).then_some(side)
    }

    /// The polynomial of operands, if its bound is so small against their results.
    fn polynomial(&self, operands: &Range<u32>, accuracy: f64) -> Option<Rule> {
        let number = |bits: u32| Interval::of_element(FORMAT, bits.into(), PRECISION);
        let len = operands.end - operands.start;
        let middle = operands.start + len / 2;
        let [low, high] = [number(operands.start)?, number(operands.end - 1)?];
        let (all, at) = (low.hull(&high), number(middle)?);
        let radius = (&all - &at).abs().upper();
        // The smallest result, or the largest where some are 0, says how small the bound has to be.
        let values = self.smooth.enclosure(&all)?;
        let size = if values.has_zero() {
            values.magnitude_above()
        } else {
            values.abs().lower().nearby()
        };
        let exact = self.smooth.series(&Series::variable(&at, DEGREE))?;
        let around = self.smooth.series(&Series::variable(&all, DEGREE + 1))?;
        let rest = around.coefficients().get(DEGREE + 1)?.magnitude_above();

        let mut coefficients = [0.0; DEGREE + 1];
        let mut power = Interval::integer(1, PRECISION);
        // What coefficients are off by, and the sum of the magnitudes of all terms.
        let (mut off, mut sum) = (0.0, 0.0);
        for (coefficient, exact) in coefficients.iter_mut().zip(exact.coefficients()) {
            *coefficient = exact.nearby();
            let distance = &Interval::of_double(*coefficient, PRECISION)? - exact;
            off += (&distance * &power).magnitude_above();
            sum += (exact * &power).magnitude_above();
            power = &power * &radius;
        }
        let left = rest * power.magnitude_above();
        // `docs/numerics.md`: two roundings for each power, each by 2^-53, of a sum that these may make larger by less than a
        // thousandth; subnormal products lose at most 2^-1075 each. The sums above are rounded too, by less than a millionth.
        let rounding = 2.002 * DEGREE as f64 * f64::EPSILON / 2.0 * sum;
        let tiny = f64::MIN_POSITIVE * (1.0 + power.magnitude_above());
        let bound = (off + left + rounding + tiny) * 1.000_01;
        let unit = unit(size);
        (bound <= accuracy * unit && sum.is_finite()).then(|| {
            let beside = self
                .smooth
                .beside(FORMAT, middle.into())
                .or_else(|| self.beside(operands, &(exact.value() - &at)));
            let middle = f64::from(f32::from_bits(middle));
            Rule::Polynomial(Polynomial { middle, coefficients, bound }, beside)
        })
    }
}
