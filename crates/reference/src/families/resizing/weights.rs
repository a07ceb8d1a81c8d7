//! How much each element along a dimension counts for a coordinate.
//!
//! An element at i counts `K(s (i - x))` for the coordinate x, K being the filter of the mode: the triangle of two
//! elements, or the cubic of four (R. Keys, *Cubic Convolution Interpolation for Digital Image Processing*, IEEE
//! Transactions on Acoustics, Speech, and Signal Processing 29, 1981, equation 4, with the coefficient given). Where
//! `antialias` stretches the filter, s is the scale, and the weights are divided by their sum. Elements before the
//! first are the first one, after the last the last one; with `exclude_outside` they count nothing, and the rest is
//! divided by its sum.
//!
//! K is continuous, so that all coordinates between two have weights between bounds that are close where the
//! coordinates are.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::coordinate::{Map, whole};
use super::{Mode, Plan};
use crate::exact::real::{self, Enclosure, Rational, power_of_two, value};
use values::dtype::DType;

/// Bounds on the weights of elements, by their places along the dimension, which may be before the first or after the
/// last one: what stands for them is multiplied by each weight on its own. Those at the ends of the filter are there with a weight of 0.
pub(super) type Weights = BTreeMap<i64, Enclosure>;

/// Why there are no weights.
pub(super) type Reason = &'static str;

/// The most elements that are weighted along a dimension, those outside of it counted.
const MOST: i64 = 1 << 12;

const TOO_MANY: Reason = "so many elements have a weight that nothing here adds them up";
const NO_SUM: Reason = "the weights that are left may sum up to 0";

/// Half a unit in the last place of 1 in float32, in which implementations compute weights.
fn unit() -> Rational {
    power_of_two(-24)
}

/// The filter of a mode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Filter {
    /// The coefficient of the cubic; the triangle has none.
    cubic: Option<Rational>,
    is_stretched: bool,
    exclude_outside: bool,
}

impl Filter {
    pub(super) fn of(plan: &Plan) -> Self {
        let cubic = match plan.mode {
            Mode::Cubic(bits) => value(DType::Float32, bits.into()),
            Mode::Nearest(_) | Mode::Linear => None,
        };
        let Plan { antialias, exclude_outside, .. } = *plan;
        Self { cubic, is_stretched: antialias, exclude_outside }
    }

    /// The weights that all coordinates between two give, as computed in float32 at least.
    pub(super) fn within(&self, map: &Map, coordinates: &Enclosure) -> Result<Weights, Reason> {
        let [lower, upper] = map.scales();
        self.weights(map, coordinates, &Enclosure { lower, upper }, true)
    }

    /// The exact weights of a coordinate.
    pub(super) fn exact(&self, map: &Map, coordinate: Rational) -> Result<Weights, Reason> {
        let scale = Enclosure::point(map.exact_scale());
        self.weights(map, &Enclosure::point(coordinate), &scale, false)
    }

    fn weights(
        &self,
        map: &Map,
        x: &Enclosure,
        scale: &Enclosure,
        is_rounded: bool,
    ) -> Result<Weights, Reason> {
        let one = Rational::one;
        let stretch = match self.is_stretched {
            true => Enclosure {
                lower: scale.lower.clone().min(one()),
                upper: scale.upper.clone().min(one()),
            },
            false => Enclosure::point(one()),
        };
        let is_stretched = stretch.upper < one() || stretch.lower < one();
        let radius = Rational::from(BigInt::from(if self.cubic.is_some() { 2 } else { 1 }));
        let reach = &radius / &stretch.lower;
        let first = (&x.lower - &reach).floor().to_integer().to_i64().ok_or(TOO_MANY)?;
        let last = (&x.upper + &reach).ceil().to_integer().to_i64().ok_or(TOO_MANY)?;
        if last.checked_sub(first).is_none_or(|count| count > MOST) {
            return Err(TOO_MANY);
        }
        let size = i64::try_from(map.input).map_err(|_| TOO_MANY)?;
        let mut weights = Weights::new();
        for at in first..=last {
            if self.exclude_outside && !(0..size).contains(&at) {
                continue;
            }
            let distance = Enclosure { lower: less(at, &x.upper), upper: less(at, &x.lower) };
            let distance =
                magnitude(&if is_stretched { product(&stretch, &distance) } else { distance });
            if distance.lower <= radius {
                weights.insert(at, self.filtered(&distance, is_rounded));
            }
        }
        if is_stretched || self.exclude_outside {
            divide_by_sum(&mut weights, is_rounded)?;
        }
        Ok(weights)
    }

    /// The weights of distances that are not negative, with what float32 may round off.
    fn filtered(&self, distance: &Enclosure, is_rounded: bool) -> Enclosure {
        let (zero, one) = (Rational::zero, Rational::one);
        let two = || Rational::from(BigInt::from(2));
        let mut all: Vec<Enclosure> = Vec::new();
        let within = |from: Rational, to: Rational| {
            let lower = distance.lower.clone().max(from);
            let upper = distance.upper.clone().min(to);
            (lower <= upper).then_some(Enclosure { lower, upper })
        };
        let end = if self.cubic.is_some() { two() } else { one() };
        if distance.upper >= end {
            all.push(Enclosure::point(zero()));
        }
        match &self.cubic {
            None => all.extend(
                within(zero(), one())
                    .map(|t| Enclosure { lower: less(1, &t.upper), upper: less(1, &t.lower) }),
            ),
            Some(a) => {
                let polynomial = |t: &Enclosure, coefficients: [Rational; 4]| {
                    coefficients.into_iter().fold(Enclosure::point(zero()), |so_far, next| {
                        sum(&product(&so_far, t), &Enclosure::point(next))
                    })
                };
                let times = |factor: i64| a * Rational::from(BigInt::from(factor));
                let (near, far) = (within(zero(), one()), within(one(), two()));
                all.extend(
                    near.map(|t| polynomial(&t, [a + two(), -(a + two() + one()), zero(), one()])),
                );
                all.extend(
                    far.map(|t| polynomial(&t, [a.clone(), times(-5), times(8), times(-4)])),
                );
            }
        }
        let lower = all.iter().map(|one| &one.lower).min().cloned().unwrap_or_else(zero);
        let upper = all.iter().map(|one| &one.upper).max().cloned().unwrap_or_else(zero);
        let weight = Enclosure { lower, upper };
        let is_whole = distance.exact().is_some_and(Rational::is_integer);
        if !is_rounded || is_whole {
            return weight;
        }
        let error = match &self.cubic {
            // One subtraction, exact where the weight is a number of float32.
            None if weight.exact().is_some_and(is_of_float32) => return weight,
            None => unit(),
            // The steps of Horner's rule, none of whose results is beyond 8 |a| + 4: `docs/numerics.md` has the sum.
            Some(a) => {
                unit()
                    * (a.abs() * Rational::from(BigInt::from(60))
                        + Rational::from(BigInt::from(16)))
            }
        };
        Enclosure {
            lower: real::sum(&weight.lower, &-&error),
            upper: real::sum(&weight.upper, &error),
        }
    }
}

/// Divides weights by their sum, with what float32 may round off.
fn divide_by_sum(weights: &mut Weights, is_rounded: bool) -> Result<(), Reason> {
    let zero = Enclosure::point(Rational::zero());
    let total = weights.values().fold(zero, |total, weight| sum(&total, weight));
    if !total.lower.is_positive() {
        return Err(NO_SUM);
    }
    let inverse = Enclosure { lower: total.upper.recip(), upper: total.lower.recip() };
    let is_kept = total.exact().is_some_and(One::is_one);
    // Each addition and the division round once.
    let magnitudes = weights.values().map(|weight| magnitude(weight).upper).sum::<Rational>();
    let count = whole(weights.len() + 2);
    let error = unit() * count * magnitudes / &total.lower;
    for weight in weights.values_mut() {
        let quotient = product(weight, &inverse);
        let margin = real::product(&magnitude(&quotient).upper, &error);
        *weight = match is_rounded && !is_kept {
            true => Enclosure {
                lower: real::sum(&quotient.lower, &-&margin),
                upper: real::sum(&quotient.upper, &margin),
            },
            false => quotient,
        };
    }
    Ok(())
}

/// `whole - number`, in lowest terms as the number is.
fn less(whole: i64, number: &Rational) -> Rational {
    Rational::new_raw(whole * number.denom() - number.numer(), number.denom().clone())
}

fn is_of_float32(number: &Rational) -> bool {
    let (numerator, denominator) = (number.numer().magnitude(), number.denom().magnitude());
    let is_binary = denominator.count_ones() == 1 && denominator.bits() < 100;
    is_binary && numerator.bits() <= 24
}

fn sum(a: &Enclosure, b: &Enclosure) -> Enclosure {
    Enclosure { lower: real::sum(&a.lower, &b.lower), upper: real::sum(&a.upper, &b.upper) }
}

fn product(a: &Enclosure, b: &Enclosure) -> Enclosure {
    if let (Some(a), Some(b)) = (a.exact(), b.exact()) {
        return Enclosure::point(real::product(a, b));
    }
    let ends =
        [(&a.lower, &b.lower), (&a.lower, &b.upper), (&a.upper, &b.lower), (&a.upper, &b.upper)];
    let [first, rest @ ..] = ends.map(|(a, b)| real::product(a, b));
    rest.into_iter().fold(Enclosure::point(first), |so_far, end| Enclosure {
        lower: so_far.lower.min(end.clone()),
        upper: so_far.upper.max(end),
    })
}

fn magnitude(of: &Enclosure) -> Enclosure {
    let [lower, upper] = [of.lower.abs(), of.upper.abs()];
    let has_zero = !of.lower.is_positive() && !of.upper.is_negative();
    let (less, more) = if lower <= upper { (lower, upper) } else { (upper, lower) };
    Enclosure { lower: if has_zero { Rational::zero() } else { less }, upper: more }
}
