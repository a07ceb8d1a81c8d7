//! Functions of one number, enclosed in float64 by polynomials on short pieces.
//!
//! A piece is a sixty-fourth of a unit long, and on one side of 0. It has the series of the function at its middle, made when it is first
//! needed, what bounds the rest of the series and the rounding of its evaluation, and what bounds the slope. Where there is
//! no piece, the function's own enclosure in integers decides. `docs/numerics.md` has the proof.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use values::float::FloatFormat;

use super::span::Span;
use crate::elementwise::{Elementwise, Smooth};
use crate::exact::interval::Interval;
use crate::exact::series::Series;
use crate::operator::{Attributes, Domain, Specification};
use crate::operators;

/// The degree of the polynomials.
const DEGREE: usize = 7;

/// Pieces of a unit, as a power of two.
const PER_UNIT: i64 = 64;
const HALVINGS: i64 = 6;

/// Numbers up to this magnitude have pieces.
const REACH: i64 = 128;

/// Half of a piece.
const RADIUS: f64 = 0.5 / PER_UNIT as f64;

/// Bits of the intervals that coefficients and ends are computed with.
const BITS: u32 = 128;

/// The most pieces that are evaluated for one span.
const MOST_PIECES: i64 = 64;

/// The functions that were needed so far.
#[derive(Default)]
pub(super) struct Functions {
    known: RefCell<BTreeMap<String, Option<Rc<Function>>>>,
}

impl Functions {
    /// The function of an operator of one operand; `None` where it has no series.
    pub(super) fn of(&self, operator: &str, attributes: &Attributes) -> Option<Rc<Function>> {
        let key = format!("{operator} {attributes:?}");
        let mut known = self.known.borrow_mut();
        known.entry(key).or_insert_with(|| Function::of(operator, attributes).map(Rc::new)).clone()
    }
}

/// A function in pieces.
pub(super) struct Function {
    function: Box<dyn Elementwise>,
    pieces: Vec<OnceCell<Option<Piece>>>,
    /// What its values are between, whatever the operand.
    range: Span,
    /// Numbers between which it never falls, or never rises, and which of both.
    stretches: Vec<(Span, bool)>,
}

/// The function between two numbers.
struct Piece {
    coefficients: [f64; DEGREE + 1],
    /// What the polynomial is off by at most.
    bound: f64,
    /// What the slope is at most in magnitude.
    slope: f64,
}

impl Function {
    fn of(operator: &str, attributes: &Attributes) -> Option<Self> {
        let found = operators::find(Domain::Onnx, operator)?;
        let function = found.reference.elementwise(Specification::Onnx, attributes)?;
        let format = &FloatFormat::FLOAT64;
        let stretch = |stretch: &crate::elementwise::Stretch| {
            let number = |ordinal: i64| {
                let magnitude = f64::from_bits(ordinal.unsigned_abs());
                if ordinal < 0 { -magnitude } else { magnitude }
            };
            (Span::new(number(stretch.low), number(stretch.high)), stretch.falls)
        };
        let stretches = function.smooth()?.stretches(format).iter().map(stretch).collect();
        let pieces = (0..2 * REACH * PER_UNIT).map(|_| OnceCell::new()).collect();
        Some(Self { function, pieces, range: range(operator), stretches })
    }

    fn smooth(&self) -> Option<&dyn Smooth> {
        self.function.smooth()
    }

    /// What contains the values at all numbers of a span.
    pub(super) fn at(&self, x: Span) -> Span {
        if x.is_unknown() {
            return x;
        }
        let pieces = [x.lower, x.upper].map(|end| (end * PER_UNIT as f64).floor());
        let reach = (REACH * PER_UNIT) as f64;
        let is_near = pieces.iter().all(|piece| (-reach..reach).contains(piece));
        let value = match () {
            () if is_near && pieces[1] - pieces[0] <= 1.0 => {
                self.across(x, pieces.map(|it| it as i64))
            }
            () if !x.is_point() => self.by_ends(x).or_else(|| {
                let few = is_near && pieces[1] - pieces[0] <= MOST_PIECES as f64;
                few.then(|| self.across(x, pieces.map(|it| it as i64))).flatten()
            }),
            () => None,
        };
        value.or_else(|| self.in_integers(x)).unwrap_or(self.range).within(self.range)
    }

    /// The same by the ends, where it never falls, or never rises, between them.
    fn by_ends(&self, x: Span) -> Option<Span> {
        let is_between = |(stretch, _): &&(Span, bool)| {
            stretch.lower <= x.lower && x.upper <= stretch.upper
                || x.lower == f64::NEG_INFINITY
                    && stretch.lower == -f64::MAX
                    && stretch.contains(x.upper)
                || x.upper == f64::INFINITY
                    && stretch.upper == f64::MAX
                    && stretch.contains(x.lower)
        };
        let (_, falls) = self.stretches.iter().find(is_between)?;
        let [lower, upper] = [x.lower, x.upper].map(|end| match end.is_finite() {
            true => self.at(Span::point(end)),
            false => self.range,
        });
        Some(if *falls {
            Span::new(upper.lower, lower.upper)
        } else {
            Span::new(lower.lower, upper.upper)
        })
    }

    /// The same piece by piece.
    fn across(&self, x: Span, [first, last]: [i64; 2]) -> Option<Span> {
        let mut all: Option<Span> = None;
        for at in first..=last {
            let piece = self.piece(at)?;
            let ends = [at, at + 1].map(|end| end as f64 / PER_UNIT as f64);
            let part = x.within(Span::new(ends[0], ends[1]));
            let value = piece.at(part, ends[0] + RADIUS);
            all = Some(all.map_or(value, |all| all.hull(value)));
        }
        all
    }

    fn piece(&self, at: i64) -> Option<&Piece> {
        let place = usize::try_from(at + REACH * PER_UNIT).ok()?;
        self.pieces.get(place)?.get_or_init(|| Piece::of(self.smooth()?, at)).as_ref()
    }

    /// The same by the function's own enclosure.
    fn in_integers(&self, x: Span) -> Option<Span> {
        let number = |end: f64| Interval::of_element(&FloatFormat::FLOAT64, end.to_bits(), BITS);
        let x = number(x.lower)?.hull(&number(x.upper)?);
        Some(outwards(&self.smooth()?.enclosure(&x)?))
    }
}

impl Piece {
    /// The function between two numbers that are a sixty-fourth of a unit apart.
    fn of(function: &dyn Smooth, at: i64) -> Option<Self> {
        let number = |at: i64, halvings: i64| Interval::new(at, -halvings, BITS);
        let middle = number(2 * at + 1, HALVINGS + 1);
        let whole = number(at, HALVINGS).hull(&number(at + 1, HALVINGS));
        let series = function.series(&Series::variable(&middle, DEGREE))?;
        let everywhere = function.series(&Series::variable(&whole, DEGREE + 1))?;
        let largest = |place: usize| {
            let coefficient = everywhere.coefficients().get(place)?;
            Some(outwards(coefficient).magnitude())
        };
        let (slope, rest) = (largest(1)?, largest(DEGREE + 1)?);
        let mut coefficients = [0.0; DEGREE + 1];
        let (mut bound, mut reach) = (rest * RADIUS.powi(DEGREE as i32 + 1), 1.0);
        for (place, rounded) in coefficients.iter_mut().enumerate() {
            let Span { lower, upper } = outwards(series.coefficients().get(place)?);
            *rounded = f64::midpoint(lower, upper);
            // Of a coefficient that was rounded, and of its part in the evaluation by Horner's rule.
            let own = (upper - lower) + rounded.abs() * (2 * DEGREE + 3) as f64 * f64::EPSILON;
            bound += own * reach;
            reach *= RADIUS;
        }
        // Of an operand less the middle that was rounded, and of all sums here.
        bound = (bound + slope * RADIUS * f64::EPSILON) * (1.0 + 1e-5) + 1e-300;
        (bound.is_finite() && slope.is_finite()).then_some(Self { coefficients, bound, slope })
    }

    /// The values at numbers of the piece.
    fn at(&self, x: Span, middle: f64) -> Span {
        let center = f64::midpoint(x.lower, x.upper);
        let t = center - middle;
        let value = self.coefficients.iter().rev().fold(0.0, |sum, one| sum * t + one);
        let radius = match x.is_point() {
            true => 0.0,
            false => (x.upper - center).max(center - x.lower).next_up() * self.slope,
        };
        value_widened(value, self.bound + radius)
    }
}

fn value_widened(value: f64, by: f64) -> Span {
    Span::point(value).widened(by.next_up())
}

/// What the values of a function are between.
fn range(operator: &str) -> Span {
    let [lower, upper] = match operator {
        "Sigmoid" => [0.0, 1.0],
        "Tanh" | "Erf" | "Sin" | "Cos" => [-1.0, 1.0],
        "Exp" | "Softplus" => [0.0, f64::INFINITY],
        "Cosh" => [1.0, f64::INFINITY],
        _ => return Span::UNKNOWN,
    };
    Span::new(lower, upper)
}

/// The numbers of float64 around an interval.
pub(super) fn outwards(interval: &Interval) -> Span {
    let end = |(significand, exponent): (BigInt, i64), is_upper: bool| {
        let exact = significand.bits() <= 53;
        let number = significand.to_f64().unwrap_or(f64::NAN);
        let scale = |number: f64, by: i64| {
            let by = by.clamp(-1000, 1000);
            number * f64::from_bits(((by + 1023) as u64) << 52)
        };
        // In two steps, each of which is exact unless the result is out of the range of normal numbers.
        let half = exponent.clamp(-4000, 4000) / 2;
        let scaled = scale(scale(number, half), exponent.clamp(-4000, 4000) - half);
        let is_kept = exact && scaled.is_normal() && exponent.abs() < 1000 || significand.is_zero();
        match (is_kept, is_upper) {
            (true, _) => scaled,
            (false, true) => scaled.next_up(),
            (false, false) => scaled.next_down(),
        }
    };
    let lower = end(interval.lower_end(), false);
    let upper = end(interval.upper().lower_end(), true);
    Span::new(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::random::Random;

    /// Operands of some functions, and whether they fall anywhere.
    const NAMES: [&str; 12] = [
        "Sigmoid", "Tanh", "Exp", "Log", "Erf", "Softplus", "Elu", "Selu", "Gelu", "Mish", "Sin",
        "Atan",
    ];

    #[test]
    fn every_value_at_a_number_of_a_span_is_in_the_functions_span() {
        for name in NAMES {
            let function = Function::of(name, &attributes(name)).unwrap();
            let mut random = Random::at(3, name.len() as u64);
            let mut decided = 0;
            for round in 0..400 {
                let width = [0.0, 1e-12, 1e-3, 0.5, 40.0][round % 5];
                let draw =
                    |random: &mut Random| random.below(1 << 53) as f64 / (1_u64 << 53) as f64;
                let lower = draw(&mut random) * 60.0 - if name == "Log" { 0.0 } else { 30.0 };
                let x = Span::new(lower, lower + width);
                let value = function.at(x);
                decided += usize::from(!value.is_unknown());
                for share in [0.0, draw(&mut random), 1.0] {
                    let at = (x.lower + share * width).clamp(x.lower, x.upper);
                    let point =
                        Interval::of_element(&FloatFormat::FLOAT64, at.to_bits(), 192).unwrap();
                    let Some(exact) = function.smooth().unwrap().enclosure(&point) else {
                        continue;
                    };
                    let exact = outwards(&exact);
                    let is_in = value.lower <= exact.upper && exact.lower <= value.upper;
                    assert!(value.is_unknown() || is_in, "{name} of {x:?}: {value:?}, {exact:?}");
                }
                if width == 0.0 && !value.is_unknown() {
                    let most = 1e-13 * value.magnitude() + 1e-15;
                    assert!(value.upper - value.lower <= most, "{name} {x:?} {value:?}");
                }
            }
            assert!(decided >= 390, "{name}: {decided}");
        }
    }

    fn attributes(name: &str) -> Attributes {
        use crate::operator::AttributeValue::{Float, Text};
        let all = match name {
            "Elu" => vec![("alpha", Float(1.0_f32.to_bits()))],
            "Selu" => vec![("alpha", Float(0x3fd6_2d7d)), ("gamma", Float(0x3f86_7d5f))],
            "Gelu" => vec![("approximate", Text("none".to_owned()))],
            _ => Vec::new(),
        };
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn what_is_beyond_every_piece_keeps_to_the_range() {
        let sigmoid = Function::of("Sigmoid", &Attributes::new()).unwrap();
        assert_eq!(sigmoid.at(Span::new(-1e300, 1e300)), Span::new(0.0, 1.0));
        assert!(sigmoid.at(Span::new(3.0, f64::INFINITY)).lower > 0.95);
        assert!(sigmoid.at(Span::UNKNOWN).is_unknown());
        let exp = Function::of("Exp", &Attributes::new()).unwrap();
        assert!(exp.at(Span::new(f64::NEG_INFINITY, -5.0)).upper < 0.01);
        let low = exp.at(Span::point(-1e5));
        assert!(low.lower >= 0.0 && low.upper < 1e-300);
    }
}
