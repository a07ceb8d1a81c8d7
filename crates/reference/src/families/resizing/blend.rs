//! The weighted means of `linear` and `cubic`, whatever the order in which they are summed up.
//!
//! The products of weights, which float32 may round, and those with the elements are [computed](composed) in the
//! format of the elements or a wider one; of integers in float32 or a wider one. Whether the dimensions are summed up one by one or
//! all at once, no product is rounded more often than there are weights and dimensions. `docs/numerics.md` has more.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::One;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use super::Plan;
use super::coordinate::Map;
use super::latest::{Latest, Places};
use super::weights::{Filter, Reason};
use crate::exact::composed::{self, Arithmetic, BITS, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::number::Int;
use crate::exact::real::{Enclosure, Rational};
use crate::exact::{Conforming, Deviation, Number, Share, distance, each_once};
use crate::families::sampling::weights::weighted;
use crate::operator::Allowed;
use crate::real::Real;

/// The most products of a sum.
const MOST: usize = 1 << 14;

/// The most integers of which each may be the mean.
const MOST_INTEGERS: i128 = 16;

const NO_NUMBER: Reason = "no text says what a mean of such elements is";
const TOO_MANY: Reason = "so many products make an element that nothing here adds them up";
const BEYOND: Reason = "it is not stated what a mean is that the type does not hold";
const TOO_WIDE: Reason = "float32 does not hold integers of this size closely enough";

/// The weights of a dimension at a place of the output.
struct Line {
    /// Of elements, the first and the last one as often as they stand for others.
    weights: Vec<(usize, Computed)>,
    may_be_outside: bool,
}

/// The line of a place, none outside of the region.
type Found = Result<Option<Line>, Reason>;

/// Lines of a dimension by place and bits.
type Lines = Places<(usize, u32), Found>;

thread_local! {
    static LATEST: Latest<Filter, (usize, u32), Found> = Latest::default();
}

/// What is allowed of means.
pub(super) struct Blend<'a> {
    data: &'a Tensor,
    /// The region, the scales and the sizes, as far as they are given.
    lists: Vec<&'a Tensor>,
    plan: Plan,
    filter: Filter,
    /// By dimension and reading.
    lines: Vec<Vec<Rc<Lines>>>,
}

/// A mean, or what lies outside of the region.
struct Mean {
    inside: Option<Computed>,
    may_be_outside: bool,
}

impl<'a> Blend<'a> {
    pub(super) fn new(data: &'a Tensor, lists: Vec<&'a Tensor>, plan: Plan) -> Self {
        let filter = Filter::of(&plan);
        let lines = LATEST.with(|latest| latest.of_all(&filter, &plan.axes));
        Self { filter, data, lists, plan, lines }
    }

    fn line(&self, reading: usize, axis: usize, place: usize, bits: u32) -> Rc<Found> {
        match self.lines.get(axis).and_then(|axis| axis.get(reading)) {
            Some(lines) => lines.at((place, bits), |map| self.made(map, place, bits)),
            None => Rc::new(Err(NO_NUMBER)),
        }
    }

    fn made(&self, map: &Map, place: usize, bits: u32) -> Found {
        let one = || Computed::number(Interval::integer(1, bits));
        if map.is_identity() {
            return Ok(Some(Line { weights: vec![(place, one())], may_be_outside: false }));
        }
        let all = map.coordinates(place);
        let exactly = all.first().filter(|x| !map.is_outside(x)).cloned();
        let (inside, outside): (Vec<_>, Vec<_>) = all.into_iter().partition(|x| !map.is_outside(x));
        let (Some(lower), Some(upper)) = (inside.iter().min(), inside.iter().max()) else {
            return Ok(None);
        };
        let between = Enclosure { lower: lower.clone(), upper: upper.clone() };
        let exactly = exactly.map(|x| self.filter.exact(map, x)).transpose()?.unwrap_or_default();
        let last = map.input.saturating_sub(1);
        let weight = |(at, bounds): (i64, Enclosure)| {
            let number = |end: &Rational| Interval::rational(end, bits);
            let numbers = number(&bounds.lower).hull(&number(&bounds.upper));
            let exact = exactly.get(&at).map(|weight| number(&weight.lower));
            let exact = Exact::Number(exact.unwrap_or_else(|| Interval::integer(0, bits)));
            let place = usize::try_from(at).unwrap_or(0).min(last);
            (place, Computed { exact, ..Computed::number(numbers) })
        };
        let weights = self.filter.within(map, &between)?.into_iter().map(weight).collect();
        Ok(Some(Line { weights, may_be_outside: !outside.is_empty() }))
    }

    /// The mean of an element of the output by a reading, computed to so many bits.
    fn mean(&self, reading: usize, index: usize, bits: u32) -> Result<Mean, Reason> {
        let number = Number::of(self.data.dtype()).ok_or(NO_NUMBER)?;
        let format = match number {
            Number::Float(format) => format,
            Number::Int(_) => &FloatFormat::FLOAT32,
        };
        let narrow = if format.precision() > 24 { &FloatFormat::FLOAT32 } else { format };
        let [by, of_weights] = [format, narrow].map(|format| Arithmetic::of(format, bits));
        let one = by.integer(1);
        let mut may_be_outside = false;
        let mut weights = vec![(0, one.clone())];
        for (axis, place) in coordinates(index, &self.plan.output.shape).into_iter().enumerate() {
            let line = self.line(reading, axis, place, bits);
            let Some(line) = line.as_ref().as_ref().map_err(|reason| *reason)? else {
                return Ok(Mean { inside: None, may_be_outside: true });
            };
            may_be_outside |= line.may_be_outside;
            let size = self.data.shape().get(axis).copied().unwrap_or(1);
            if weights.len() * line.weights.len() > MOST {
                return Err(TOO_MANY);
            }
            let mut further = Vec::with_capacity(weights.len() * line.weights.len());
            for (index, weight) in &weights {
                for (at, own) in &line.weights {
                    further.push((index * size + at, of_weights.mul(weight, own)));
                }
            }
            weights = further;
        }
        let mut terms = Vec::with_capacity(weights.len());
        for (index, weight) in weights {
            let pattern = self.data.element(index).ok_or(NO_NUMBER)? as u64;
            let element = match number {
                Number::Float(format) => by.element(format, pattern),
                Number::Int(int) => {
                    by.converted(&Computed::number(Interval::new(int.value(pattern), 0, bits)))
                }
            };
            terms.extend(weighted(&by, &weight, &element));
        }
        let mut mean = by.sum(&terms);
        // A zero has the sign of the elements, or that of a sum with what has no weight.
        if mean.numbers.as_ref().is_some_and(Interval::has_zero) {
            mean.signs = [true; 2];
        }
        Ok(Mean { inside: Some(mean), may_be_outside })
    }

    /// The same as a value, open where there is none.
    fn computed(&self, index: usize, bits: u32) -> Computed {
        match self.mean(0, index, bits) {
            Ok(Mean { inside: Some(mean), .. }) => mean,
            Ok(_) => Computed::open(Exact::Undefined, "it lies outside of the region"),
            Err(reason) => Computed::open(Exact::Undefined, reason),
        }
    }

    /// What conforms by a reading, and how far each of two elements is from the exact mean by it.
    fn reading(
        &self,
        reading: usize,
        index: usize,
        actual: [u64; 2],
    ) -> Result<(Conforming, [Deviation; 2]), Reason> {
        let mut deviations = [Deviation::NoRealResult; 2];
        let Mean { inside, may_be_outside } = self.mean(reading, index, BITS)?;
        let outside = may_be_outside.then(|| self.plan.extrapolated());
        let inside = match (inside, Number::of(self.data.dtype())) {
            (None, _) => None,
            (Some(mean), Some(Number::Float(format))) => {
                let again = |bits| match self.mean(reading, index, bits) {
                    Ok(Mean { inside: Some(mean), .. }) => mean,
                    _ => Computed::open(Exact::Undefined, NO_NUMBER),
                };
                let (conforming, of) = composed::judged_from(format, &mean, again, actual);
                deviations = of;
                Some(conforming)
            }
            (Some(mean), Some(Number::Int(int))) => Some(integers(&mean, int)?),
            (Some(_), None) => return Err(NO_NUMBER),
        };
        let conforming = Conforming::one_of(inside.into_iter().chain(outside)).ok_or(NO_NUMBER)?;
        Ok((conforming, deviations))
    }
}

/// The integers that may be made of a mean: the next lower one, the one next to 0, and the nearest.
fn integers(mean: &Computed, int: Int) -> Result<Conforming, Reason> {
    if let Some(why) = mean.open {
        return Err(why);
    }
    let Enclosure { lower, upper } = mean.numbers.as_ref().ok_or(NO_NUMBER)?.enclosure();
    let half = Rational::new(BigInt::one(), BigInt::from(2));
    let exact = mean.exact_number().map_or_else(|| lower.clone(), |it| it.enclosure().lower);
    let ends = [lower.floor(), upper.trunc().max((&upper + &half).floor()), (exact + half).floor()];
    let [Ok(least), Ok(most), Ok(nearest)] = ends.map(|end| i128::try_from(end.to_integer()))
    else {
        return Err(BEYOND);
    };
    if !int.holds(least) || !int.holds(most) {
        return Err(BEYOND);
    }
    if most - least > MOST_INTEGERS {
        return Err(TOO_WIDE);
    }
    // The nearest one is the example.
    let all = std::iter::once(nearest.clamp(least, most)).chain(least..=most);
    Conforming::one_of(all.map(|number| Conforming::One(int.wrap(number)))).ok_or(BEYOND)
}

impl Allowed for Blend<'_> {
    fn at(&self, index: usize) -> Conforming {
        self.judged(index, [0; 2]).0
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        composed::real(|bits| self.computed(index, bits), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let [deviation, _] = self.judged(index, [actual; 2]).1;
        deviation
    }

    /// Floats are measured from the mean of the first reading, integers from the example of what conforms.
    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let mut deviations = [Deviation::NoRealResult; 2];
        let readings = (0..self.plan.readings).map(|reading| {
            let (conforming, of) = self
                .reading(reading, index, actual)
                .unwrap_or_else(|why| (Conforming::Unspecified(why), [Deviation::NoRealResult; 2]));
            if reading == 0 {
                deviations = of;
            }
            conforming
        });
        let conforming = Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(NO_NUMBER));
        let dtype = self.data.dtype();
        if let (Some(Number::Int(_)), Some(example)) = (Number::of(dtype), conforming.example()) {
            deviations = each_once(actual, |actual| distance(dtype, example as u64, actual));
        }
        (conforming, deviations)
    }

    /// By the first reading.
    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        let Some(Number::Float(format)) = Number::of(self.data.dtype()) else { return None };
        composed::share(format, |bits| self.computed(index, bits), actual)
    }

    /// The elements that have a weight by the first reading, each with a number of every list that is given.
    fn operands(&self, index: usize) -> Vec<Element> {
        let mut places = vec![0];
        for (axis, place) in coordinates(index, &self.plan.output.shape).into_iter().enumerate() {
            let line = self.line(0, axis, place, BITS);
            let Ok(Some(line)) = line.as_ref() else { return Vec::new() };
            let size = self.data.shape().get(axis).copied().unwrap_or(1);
            if places.len() * line.weights.len() > MOST {
                return Vec::new();
            }
            let within = |outer: &usize| -> Vec<usize> {
                line.weights.iter().map(|(at, _)| outer * size + at).collect()
            };
            places = places.iter().flat_map(within).collect();
        }
        let term = |(number, place): (usize, usize)| {
            let lists = self.lists.iter();
            let listed =
                lists.filter_map(move |list| Element::of(list, number % list.elements().max(1)));
            Element::of(self.data, place).into_iter().chain(listed)
        };
        places.into_iter().enumerate().flat_map(term).collect()
    }
}
