//! What is computed of a query: its scores, their softmax, and the values that this weights.
//!
//! The softmax does not depend on what is subtracted from all scores, so that its enclosure takes the exact largest score in the place of the
//! computed one: only what the latter may be off by counts, in the error of each difference.

use super::plan::{Plan, Sight};
use crate::exact::composed::{Arithmetic, Computed, Divisor, Exact, conforming};
use crate::exact::interval::Interval;
use crate::families::computation::attribute;
use crate::families::function::RealFunction;
use crate::operators::tanh::HyperbolicTangent;
use std::cmp::Ordering;

use values::float::FloatFormat;

/// How far tanh may be from its exact value, as in recurrent cells: as far as OpenCL C 3.0 permits.
const ULPS: u32 = 5;

/// The most products of a query that are computed exactly.
const MOST: usize = 1 << 21;

/// The binade from which on scores that may be off so far say nothing of their powers.
const FAR: i64 = 8;

/// The binade below which e to what scores may be off is less than 4 / 3.
const NEAR: i64 = -3;

const TOO_MANY: &str = "so many products make a score that nothing here computes them exactly";
const OVERFLOW: &str = "a score may overflow";
const LOST: &str = "rounding may lose what tells the scores apart";
const TERMS: &str = "so many terms may lose every bit in the format of the elements";

/// In which type the root of the scale is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// In that of Q, or a wider one.
    Own,
    /// In float32, step by step, as the function does.
    Single,
}

/// What is computed of a query.
pub(super) struct Row {
    /// What `qk_matmul_output` has of it.
    shown: Vec<Computed>,
    /// The weight of each key.
    weights: Vec<Computed>,
    /// Whether a key that is not seen may make a NaN of all weights.
    may_be_nan: bool,
    sums: Sums,
}

/// How the sums of its values are found.
enum Sums {
    /// They are all this.
    Fixed(Box<Computed>),
    /// There is no key.
    Nothing { may_be_nan: bool },
    /// By the weights or, divided last, by the powers.
    Weighted(Powers),
}

/// The powers that weights are shares of.
enum Powers {
    /// Those of scores that are not rounded, and their sum.
    Certain(Vec<Computed>, Box<Divisor>),
    /// What may be e to the power of the difference from the exact largest score, for each key that is seen.
    Enclosed(Vec<Option<Interval>>),
}

/// The larger of two numbers.
fn larger(a: Interval, b: Interval) -> Interval {
    if a.compare(&b).is_some_and(Ordering::is_lt) { b } else { a }
}

/// A number that is computed in float32, as an element of it.
fn single(compute: impl Fn(&Arithmetic) -> Computed) -> u32 {
    let format = &FloatFormat::FLOAT32;
    let nearest = conforming(format, |bits| compute(&Arithmetic::of(format, bits))).example();
    nearest.unwrap_or_default() as u32
}

/// The root of the scale, and the scale where products may be scaled without the root.
fn factors(plan: &Plan<'_>, scale: Scale, by: &Arithmetic) -> (Computed, Option<Computed>) {
    let size = || by.integer(plan.size as i64);
    match scale {
        Scale::Own => {
            let default =
                || by.quotient(&by.integer(1), &by.divisor(by.sqrt(&by.converted(&size()))));
            let given = plan.scale.map(|scale| by.converted(&attribute(scale, by.bits())));
            let scale = given.unwrap_or_else(default);
            (by.sqrt(&scale), Some(scale))
        }
        Scale::Single => {
            let element = |bits: u32, by: &Arithmetic| attribute(bits, by.bits());
            let scale = plan.scale.unwrap_or_else(|| {
                let root = single(|by| by.sqrt(&by.integer(plan.size as i64)));
                single(|by| by.div(&by.integer(1), &element(root, by)))
            });
            let root = single(|by| by.sqrt(&element(scale, by)));
            (element(root, by), None)
        }
    }
}

/// The scores of a query, as the product of Q and K gives them.
fn scores(plan: &Plan<'_>, scale: Scale, row: usize, by: &Arithmetic) -> Vec<Computed> {
    let why = plan.open.or((plan.keys.saturating_mul(plan.size) > MOST).then_some(TOO_MANY));
    if let Some(why) = why {
        return vec![Computed::open(Exact::Undefined, why); plan.keys];
    }
    let (root, scale) = factors(plan, scale, by);
    let times = |all: &[Computed], by_all: &[Computed]| -> Vec<Computed> {
        all.iter().zip(by_all).map(|(a, b)| by.mul(a, b)).collect()
    };
    let scaled = |all: &[Computed], factor: &Computed| -> Vec<Computed> {
        all.iter().map(|number| by.mul(number, factor)).collect()
    };
    let query = plan.query_numbers(row, by.bits());
    let by_root = scaled(&query, &root);
    // A root that is rounded makes every product uncertain enough for the orders that have no root.
    let is_rounded = !root.exact_number().is_some_and(Interval::is_point);
    let score = |key: usize| {
        let key = plan.key_numbers(row, key, by.bits());
        let stated = by.sum(&times(&by_root, &scaled(&key, &root)));
        let Some(scale) = scale.as_ref().filter(|_| !key.is_empty()) else { return stated };
        let score = stated.or(&by.mul(&by.sum(&times(&query, &key)), scale).without_overflow());
        if is_rounded {
            return score;
        }
        let orders = [times(&scaled(&query, scale), &key), times(&query, &scaled(&key, scale))];
        orders.iter().fold(score, |all, terms| all.or(&by.sum(terms).without_overflow()))
    };
    (0..plan.keys).map(score).collect()
}

/// A score that is limited by tanh.
fn capped(by: &Arithmetic, score: &Computed, cap: u32) -> Computed {
    let cap = by.converted(&attribute(cap, by.bits()));
    let x = by.quotient(score, &by.divisor(cap.clone()));
    let limits = [by.integer(-1), by.integer(1)];
    let tanh = by.function(&x, ULPS, limits, |x| HyperbolicTangent::IEEE.enclosure(x));
    let has_zero = tanh.numbers.as_ref().is_some_and(Interval::has_zero);
    // The zero of an odd function has the sign of its argument.
    let tanh = if has_zero { Computed { signs: x.signs, ..tanh } } else { tanh };
    by.mul(&tanh, &cap)
}

fn is_minus_infinity(value: &Computed) -> bool {
    value.numbers.is_none()
        && value.infinities == [false, true]
        && !value.nan
        && value.open.is_none()
}

impl Row {
    pub(super) fn of(plan: &Plan<'_>, scale: Scale, row: usize, bits: u32) -> Self {
        let by = Arithmetic::of(plan.format, bits);
        let raw = scores(plan, scale, row, &by);
        let capped: Vec<_> = match plan.softcap {
            None => raw.clone(),
            Some(cap) => raw.iter().map(|score| capped(&by, score, cap)).collect(),
        };
        let sights: Vec<_> = (0..plan.keys).map(|key| plan.sight(row, key, bits)).collect();
        let biased = |(sight, score): (&Sight, &Computed)| match sight {
            Sight::Seen => score.clone(),
            Sight::Biased(bias) => by.add(score, bias),
            // What is added to a NaN, or to its opposite, is a NaN.
            Sight::Masked => {
                let nan = score.nan || score.infinities[0];
                Computed { nan, ..Computed::infinite(true) }
            }
            Sight::Open(why) => Computed::open(Exact::Undefined, why),
        };
        let biased: Vec<_> = sights.iter().zip(&capped).map(biased).collect();
        let (weights, may_be_nan, sums) = shares(plan, &by, &sights, &biased);
        let may_be = |value: &Computed| match may_be_nan {
            true => value.clone().or(&Computed::nan()),
            false => value.clone(),
        };
        let shown = match plan.mode {
            0 => raw,
            1 => capped,
            2 => biased,
            _ => weights.iter().map(may_be).collect(),
        };
        Self { shown, weights, may_be_nan, sums }
    }

    /// An element of `qk_matmul_output`.
    pub(super) fn score(&self, place: usize) -> Computed {
        let missing = || Computed::open(Exact::Undefined, TOO_MANY);
        self.shown.get(place).cloned().unwrap_or_else(missing)
    }

    /// An element of Y.
    pub(super) fn output(&self, plan: &Plan<'_>, row: usize, place: usize, bits: u32) -> Computed {
        let by = Arithmetic::of(plan.format, bits);
        let numbers = (0..plan.keys).map(|key| plan.value_number(row, key, place, bits));
        let numbers: Vec<_> = numbers.collect();
        let are_numbers = numbers.iter().all(|number| number.numbers.is_some());
        let value = match &self.sums {
            Sums::Fixed(value) => return *value.clone(),
            Sums::Nothing { may_be_nan } if are_numbers && !may_be_nan => {
                return Computed::zero(bits);
            }
            Sums::Nothing { .. } => return Computed::zero(bits).or(&Computed::nan()),
            Sums::Weighted(powers) => {
                let sum = weighted(&by, &self.weights, &numbers);
                let sum = match plan.value_format().filter(|own| *own != plan.format) {
                    Some(format) => {
                        let other =
                            weighted(&Arithmetic::of(format, bits), &self.weights, &numbers);
                        sum.or(&by.converted(&other))
                    }
                    None => sum,
                };
                match powers {
                    Powers::Certain(powers, divisor) => {
                        let undivided = weighted(&by, powers, &numbers);
                        sum.or(&by.quotient(&undivided, divisor).without_overflow())
                    }
                    Powers::Enclosed(powers) => {
                        let precision = Arithmetic::of(plan.precision, bits);
                        let is_coarser = plan.precision.precision() < plan.format.precision();
                        let coarse = if is_coarser { &precision } else { &by };
                        divided_last(coarse, sum, powers, &numbers)
                    }
                }
            }
        };
        // A value that is not seen may be left out, or meet its weight of 0.
        let meets =
            |(weight, number): (&Computed, &Computed)| is_zero(weight) && number.numbers.is_none();
        let may_be_nan = self.may_be_nan || self.weights.iter().zip(&numbers).any(meets);
        if may_be_nan { value.or(&Computed::nan()) } else { value }
    }
}

fn is_zero(value: &Computed) -> bool {
    value.numbers.as_ref().is_some_and(Interval::is_zero)
}

/// The sum of values by their weights.
fn weighted(by: &Arithmetic, weights: &[Computed], numbers: &[Computed]) -> Computed {
    let term = |(weight, number): (&Computed, &Computed)| match is_zero(weight) {
        true => Computed::zero(by.bits()),
        false => by.mul(&by.converted(weight), &by.converted(number)),
    };
    by.sum(&weights.iter().zip(numbers).map(term).collect::<Vec<_>>())
}

/// The same where the sum by the powers may be divided by theirs at last. In either order it is a mean of the values, whose weights are the
/// powers, with as many roundings of each term as a sum of powers and one of products have, and a few more.
fn divided_last(
    by: &Arithmetic,
    sum: Computed,
    powers: &[Option<Interval>],
    numbers: &[Computed],
) -> Computed {
    let number = |count: usize| Interval::integer(count as i64, by.bits());
    let roundings = u32::try_from(2 * powers.len() + 6).ok();
    let Some(gamma) = roundings.and_then(|roundings| by.gamma(roundings)) else {
        return Computed::open(sum.exact, TERMS);
    };
    let pairs =
        powers.iter().zip(numbers).filter_map(|(power, number)| Some((power.as_ref()?, number)));
    let pairs: Option<Vec<_>> =
        pairs.map(|(power, number)| Some((power, number.numbers.as_ref()?))).collect();
    let Some([least, most]) = pairs.as_deref().and_then(means) else { return sum };
    let magnitudes = pairs.iter().flatten().map(|(power, value)| (*power, value.abs()));
    let magnitudes: Vec<_> = magnitudes.collect();
    let all: Vec<_> = magnitudes.iter().map(|(power, value)| (*power, value)).collect();
    let Some([_, magnitude]) = means(&all) else { return sum };
    let largest = magnitudes.into_iter().map(|it| it.1).fold(number(1), |sum, value| sum + value);
    let underflow = by.half_smallest() * number(2 * powers.len() + 4) * largest;
    let mean = least.hull(&most).widened(&(magnitude * gamma + underflow).upper());
    Computed { numbers: sum.numbers.is_some().then_some(mean), ..sum }
}

/// The least and the largest mean of values by weights that lie in these intervals: a mean is largest where the weights of all values
/// above one of them are as large as they may be, and the others as small.
fn means(pairs: &[(&Interval, &Interval)]) -> Option<[Interval; 2]> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|(_, a), (_, b)| a.lower().compare(&b.lower()).unwrap_or(Ordering::Equal));
    let end = |first: fn(&Interval) -> Interval, then: fn(&Interval) -> Interval| {
        let zero = Interval::integer(0, pairs.first()?.0.precision());
        let add = |[weights, terms]: [Interval; 2], weight: &Interval, value: &Interval| {
            [weights + weight, terms + weight * value]
        };
        // With the weights of the first so many of one kind, and the rest of the other.
        let start = [zero.clone(), zero];
        let mut rest = vec![start.clone()];
        for (weight, value) in sorted.iter().rev() {
            let last = rest.last()?.clone();
            rest.push(add(last, &then(weight), value));
        }
        let mut before = start;
        let mut all = Vec::with_capacity(rest.len());
        for (at, behind) in rest.iter().rev().enumerate() {
            let [weights, terms] = [0, 1].map(|part| &before[part] + &behind[part]);
            all.extend(terms.divided_by(&weights));
            if let Some((weight, value)) = sorted.get(at) {
                before = add(before, &first(weight), value);
            }
        }
        Some(all)
    };
    let least = end(Interval::upper, Interval::lower)?.into_iter();
    let most = end(Interval::lower, Interval::upper)?.into_iter();
    let least = least.map(|mean| -mean.lower()).reduce(larger).map(|least| -least)?;
    Some([least, most.map(|mean| mean.upper()).reduce(larger)?])
}

/// The weights of all keys, whether one that is not seen may make a NaN of them, and how sums are found.
fn shares(
    plan: &Plan<'_>,
    own: &Arithmetic,
    sights: &[Sight],
    scores: &[Computed],
) -> (Vec<Computed>, bool, Sums) {
    let bits = own.bits();
    let by = Arithmetic::of(plan.precision, bits);
    let zero = || own.integer(0);
    let all = |value: Computed, sum: Computed| {
        (vec![value; scores.len()], false, Sums::Fixed(Box::new(sum)))
    };
    if let Some(why) = scores.iter().find_map(|score| score.open) {
        let open = Computed::open(Exact::Undefined, why);
        return all(open.clone(), open);
    }
    let is_disabled = |sight: &Sight| match sight {
        Sight::Masked => true,
        Sight::Biased(bias) => is_minus_infinity(bias),
        Sight::Seen | Sight::Open(_) => false,
    };
    if sights.iter().all(is_disabled) {
        let is_silent = plan.is_silent_of_added()
            && sights.iter().any(|sight| matches!(sight, Sight::Biased(_)));
        let weight = if is_silent { zero().or(&Computed::nan()) } else { zero() };
        return (vec![weight; scores.len()], false, Sums::Nothing { may_be_nan: is_silent });
    }
    let is_masked = |sight: &Sight| matches!(sight, Sight::Masked);
    let may_be_nan = sights.iter().zip(scores).any(|(sight, score)| is_masked(sight) && score.nan);
    let scores: Vec<_> = scores.iter().map(|score| by.converted(score)).collect();
    let mut seen = sights.iter().zip(&scores).filter(|(sight, _)| !is_masked(sight)).map(|it| it.1);
    let is_special = |score: &&Computed| score.nan || score.infinities[0];
    if let Some(uncertain) =
        seen.clone().filter(is_special).find(|score| score.numbers.is_some() || score.infinities[1])
    {
        let open = Computed::open(uncertain.exact.clone(), OVERFLOW);
        return all(open.clone(), open);
    }
    if seen.clone().any(|score| score.nan) {
        return all(Computed::nan(), Computed::nan());
    }
    if seen.any(|score| score.infinities[0]) {
        // The formula over the extended reals gives 0 to all others, and the difference from the largest a NaN.
        let weight = |score: &Computed| match score.infinities[0] {
            true => Computed::nan(),
            false => Computed::nan().or(&zero()),
        };
        return (
            scores.iter().map(weight).collect(),
            false,
            Sums::Fixed(Box::new(Computed::nan())),
        );
    }
    let is_number =
        |(sight, score): (&Sight, &Computed)| !is_masked(sight) && score.numbers.is_some();
    let are_numbers: Vec<bool> = sights.iter().zip(&scores).map(is_number).collect();
    let mut kept = scores.iter().zip(&are_numbers).filter(|(_, is_number)| **is_number);
    if are_numbers.contains(&true) && kept.all(|(score, _)| score.infinities[1]) {
        let open = Computed::open(Exact::Undefined, OVERFLOW);
        return all(open.clone(), open);
    }
    match are_numbers.iter().filter(|is_number| **is_number).count() {
        0 => {
            let none = Computed::nan().or(&zero());
            return all(none.clone(), none);
        }
        1 => {
            let weight = |is_number: &bool| own.integer((*is_number).into());
            let weights: Vec<_> = are_numbers.iter().map(weight).collect();
            let divisor = own.divisor(own.integer(1));
            return (
                weights.clone(),
                may_be_nan,
                Sums::Weighted(Powers::Certain(weights, Box::new(divisor))),
            );
        }
        _ => {}
    }
    let shared = powers(&by, &scores, &are_numbers);
    let (weights, powers) = match shared {
        Ok(shared) => shared,
        Err(why) => {
            let open = Computed::open(Exact::Undefined, why);
            return all(open.clone(), open);
        }
    };
    let weights = weights.iter().map(|weight| own.converted(weight)).collect();
    (weights, may_be_nan, Sums::Weighted(powers))
}

/// The shares of the powers of several numbers, and these.
fn powers(
    by: &Arithmetic,
    scores: &[Computed],
    are_numbers: &[bool],
) -> Result<(Vec<Computed>, Powers), &'static str> {
    let zero = || by.integer(0);
    let numbers: Vec<_> = scores
        .iter()
        .zip(are_numbers)
        .map(|(score, is_number)| {
            let pair = score.exact_number().zip(score.numbers.as_ref());
            pair.filter(|_| *is_number)
        })
        .collect();
    let known = || numbers.iter().flatten();
    let largest = known().map(|(exact, _)| exact.upper()).reduce(larger).ok_or(LOST)?;
    let is_certain = known().count() == are_numbers.iter().filter(|it| **it).count()
        && scores
            .iter()
            .zip(are_numbers)
            .all(|(score, is_number)| !is_number || !score.infinities[1])
        && known().all(|(exact, number)| exact.is_point() && number.is_point());
    if is_certain {
        let largest = Computed::number(largest);
        let power = |(score, is_number): (&Computed, &bool)| match is_number {
            true => by.exp(&by.sub(score, &largest), by.published()),
            false => zero(),
        };
        let powers: Vec<_> = scores.iter().zip(are_numbers).map(power).collect();
        let divisor = by.divisor(by.sum(&powers));
        let share = |(power, is_number): (&Computed, &bool)| match is_number {
            true => by.quotient(power, &divisor).at_most_one(),
            false => zero(),
        };
        let shares = powers.iter().zip(are_numbers).map(share).collect();
        return Ok((shares, Powers::Certain(powers, Box::new(divisor))));
    }
    // The computed largest score is between the largest lower end and the largest upper one.
    let ends = known().map(|(_, number)| number.lower()).reduce(larger).ok_or(LOST)?;
    let above = known().map(|(_, number)| number.upper()).reduce(larger).ok_or(LOST)?;
    let apart = larger((ends - &largest).abs().upper(), (above - &largest).abs().upper());
    if apart.binade().is_some_and(|binade| binade >= FAR) {
        return Err(LOST);
    }
    let unit = by.gamma(1).ok_or(TERMS)?;
    let power = |(pair, score): (&Option<(&Interval, &Interval)>, &Computed)| {
        let Some((exact, number)) = pair else { return None };
        let distance = *number - &largest;
        let margin = (distance.abs().upper() + &apart) * &unit;
        let distance = Computed {
            exact: Exact::Number(*exact - &largest),
            numbers: Some(distance.widened(&margin.upper())),
            infinities: [false, score.infinities[1]],
            nan: false,
            signs: [true; 2],
            open: None,
        };
        // The limit is in units of the power that is computed, which may lie in the next binade.
        let exactly = by.exp(&distance, 0);
        let top = exactly.numbers.as_ref()?.upper();
        let wider = apart.clone().scaled(1) + Interval::integer(1, by.bits());
        let farther = &top * &wider;
        let is_alike =
            apart.binade().is_none_or(|binade| binade < NEAR) && top.binade() == farther.binade();
        Some(by.exp(&distance, if is_alike { by.published() + 1 } else { 2 * by.published() }))
    };
    let powers: Vec<Option<Computed>> = numbers.iter().zip(scores).map(power).collect();
    let count = u32::try_from(known().count()).ok().and_then(|count| count.checked_add(2));
    let gamma = count.and_then(|count| by.gamma(count)).ok_or(TERMS)?;
    let mut sums = [zero_of(by), zero_of(by)];
    for power in powers.iter().flatten() {
        let (Some(exact), Some(numbers)) = (power.exact_number(), &power.numbers) else {
            return Err(LOST);
        };
        sums = [&sums[0] + exact, &sums[1] + numbers];
    }
    let [exact_sum, sum] = &sums;
    let share = |power: &Option<Computed>| {
        let Some(power) = power else { return Some(zero()) };
        let (exact, numbers) = (power.exact_number()?, power.numbers.as_ref()?);
        let (lower, upper) = (numbers.lower(), numbers.upper());
        let least = lower.divided_by(&((sum.upper() - &upper).not_negative() + &lower))?;
        let most = upper.divided_by(&((sum.lower() - &lower).not_negative() + &upper))?;
        let margin = most.upper() * &gamma + by.half_smallest().scaled(1);
        let numbers = least.lower().hull(&most.upper()).widened(&margin.upper()).not_negative();
        let exact = Exact::Number(exact.divided_by(exact_sum)?);
        let signs = [true, false];
        let share = Computed {
            exact,
            numbers: Some(numbers),
            infinities: [false; 2],
            nan: false,
            signs,
            open: None,
        };
        Some(share.at_most_one())
    };
    let shares = powers.iter().map(share).collect::<Option<Vec<_>>>().ok_or(LOST)?;
    Ok((shares, Powers::Enclosed(powers.into_iter().map(|power| power?.numbers).collect())))
}

fn zero_of(by: &Arithmetic) -> Interval {
    Interval::integer(0, by.bits())
}
