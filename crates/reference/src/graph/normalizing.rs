//! Shares of powers of e, and elements that are normalised by a mean and a variance.

use super::arithmetic::{Arithmetic, unit};
use super::reducing::{invalid, mean};
use super::span::Span;
use super::{Between, Enclosed, NotKnown, Rule, Site};
use crate::families::exponentials;
use crate::families::lines::Lines;
use crate::operators::{batchnormalization, instancenormalization::EPSILON, layernormalization};
use values::dtype::DType;

pub(super) fn rule(operator: &str) -> Option<Rule> {
    Some(match operator {
        "Softmax" => |site| by_line(site, &shares),
        "LogSoftmax" => |site| by_line(site, &logarithms),
        "BatchNormalization" => batch,
        "InstanceNormalization" => instance,
        "LayerNormalization" => layer,
        _ => return None,
    })
}

/// What is made of the elements of a line.
type OfLine<'a> = &'a dyn Fn(&Arithmetic<'_>, &[Span]) -> Vec<Span>;

fn by_line(site: &Site<'_>, of: OfLine<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let lines = exponentials::lines(site.call).map_err(invalid)?;
    site.twice(|by, operands| of_lines(by, &lines, operands[0], of))
}

fn of_lines(by: &Arithmetic<'_>, lines: &Lines, elements: &[Span], of: OfLine<'_>) -> Vec<Span> {
    let mut all = vec![Span::UNKNOWN; elements.len()];
    for line in 0..elements.len() / lines.length.max(1) {
        let own: Vec<Span> = lines.places(line).map(|place| elements[place]).collect();
        for (place, value) in lines.places(line).zip(of(by, &own)) {
            all[place] = value;
        }
    }
    all
}

/// The powers of a line's elements less its largest upper end, which cancels out of every share, and what they and
/// their sum may be off by, relatively, where each step is rounded.
struct Powers {
    largest: f64,
    powers: Vec<Span>,
    /// The sums of all lower and of all upper ends.
    sum: Span,
    /// Of an element's power, and of the sum.
    off: Vec<f64>,
    off_sum: f64,
}

impl Powers {
    /// `None` where an element is not known.
    fn of(by: &Arithmetic<'_>, line: &[Span]) -> Option<Self> {
        let largest = line.iter().map(|x| x.upper).fold(f64::NEG_INFINITY, f64::max);
        if line.iter().any(|x| x.is_unknown()) || !largest.is_finite() {
            return None;
        }
        let exp = by.functions.of("Exp", &std::collections::BTreeMap::new())?;
        let powers: Vec<Span> = line.iter().map(|x| exp.at(*x - Span::point(largest))).collect();
        let sum = powers.iter().fold(Span::ZERO, |sum, power| sum + *power);
        // A difference that is rounded changes its power by as much as it is off by; e^-|d| |d| is below 1/2.
        let u = by.gamma(1);
        let function = 2.0 * by.published() * u;
        let width = line.iter().map(|x| x.upper - x.lower).fold(0.0, f64::max);
        let of = |x: &Span| {
            if u == 0.0 { 0.0 } else { 2.0 * u * (largest - x.lower + width) + function }
        };
        let off_sum = if u == 0.0 {
            0.0
        } else {
            by.gamma(line.len()) + function + u * line.len() as f64 + 2.0 * u * width
        };
        Some(Self { largest, off: line.iter().map(of).collect(), powers, sum, off_sum })
    }
}

/// Shares: each is the larger the larger its own power is, and the smaller the others are.
fn shares(by: &Arithmetic<'_>, line: &[Span]) -> Vec<Span> {
    let Some(Powers { powers, sum, off, off_sum, .. }) = Powers::of(by, line) else {
        return vec![Span::UNKNOWN; line.len()];
    };
    let least = by.format.map_or(0.0, |format| unit(format, 0.0)) * 8.0;
    let share = |(power, off): (&Span, &f64)| {
        // The sum of the others, between the sums of their lower and of their upper ends.
        let others = |sum: f64, own: f64| Span::point(sum) - Span::point(own);
        let of =
            |own: f64, others: Span| Span::point(own) / (Span::point(own) + others.max(Span::ZERO));
        let upper = of(power.upper, others(sum.lower, power.lower)).upper;
        let lower = of(power.lower, others(sum.upper, power.upper)).lower;
        let lower = if lower.is_nan() { 0.0 } else { lower };
        let upper = if upper.is_nan() { 1.0 } else { upper };
        let exact = Span::new(lower, upper.min(1.0));
        let factor = (off + off_sum + by.gamma(3)) * 1.01;
        match factor {
            0.0 => exact,
            factor if factor < 0.25 => {
                // (1 + a) / (1 - b) is at most 1 + 2 (a + b) here.
                let by = 2.0 * factor * exact.magnitude() + least;
                exact.widened(by).max(Span::ZERO)
            }
            _ => Span::new(0.0, 1.5),
        }
    };
    powers.iter().zip(&off).map(share).collect()
}

/// Logarithms of shares: the difference from the largest element, less the logarithm of the sum.
fn logarithms(by: &Arithmetic<'_>, line: &[Span]) -> Vec<Span> {
    let Some(Powers { largest, sum, off, off_sum, .. }) = Powers::of(by, line) else {
        return vec![Span::UNKNOWN; line.len()];
    };
    let sum = sum.widened(off_sum * sum.magnitude());
    let logarithm = by.function("Log", sum, by.published());
    let value = |(x, off): (&Span, &f64)| {
        let steps = by.sub(by.sub(*x, Span::point(largest)), logarithm);
        // Or the logarithm of the share, which is off by as much as the share is, relatively.
        let factor = 2.0 * (off + off_sum + by.gamma(3));
        by.off_by(steps, by.published()).widened(factor)
    };
    line.iter().zip(&off).map(value).collect()
}

/// What elements are normalised by.
#[derive(Clone, Copy)]
struct Normalization {
    mean: Span,
    variance: Span,
    scale: Span,
    shift: Span,
    epsilon: Span,
}

impl Normalization {
    /// s (x - m) / d + b, in any order, or folded as x (s / d) + (b - m s / d): no term goes through more than eight roundings.
    fn of(&self, by: &Arithmetic<'_>, x: Span) -> Span {
        let factor = self.scale / (self.variance + self.epsilon).sqrt();
        let exact = (x - self.mean) * factor + self.shift;
        let magnitudes =
            (x * factor).magnitude() + (self.mean * factor).magnitude() + self.shift.magnitude();
        let least = by.format.map_or(0.0, |format| unit(format, 0.0)) * 8.0;
        exact.widened(by.gamma(8) * magnitudes * (1.0 + 1e-9) + least * (1.0 + factor.magnitude()))
    }

    /// The mean and the variance of elements.
    fn statistics(by: &Arithmetic<'_>, elements: &[Span]) -> [Span; 2] {
        let own = mean(by, &mut elements.iter().copied(), None);
        let squares = elements.iter().map(|x| by.square(by.sub(*x, own)));
        let variance = mean(by, &mut squares.into_iter(), None);
        [own, variance]
    }
}

fn epsilon(site: &Site<'_>) -> Span {
    let bits = site.call.float("epsilon").unwrap_or(EPSILON);
    Span::point(f64::from(f32::from_bits(bits)))
}

fn batch(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let mode = batchnormalization::mode(site.call).map_err(invalid)?;
    if mode != batchnormalization::Mode::Inference || site.types.len() > 1 {
        return Err(NotKnown::because("it is trained"));
    }
    let shape = site.output()?.shape.clone();
    let channels = site.between(1)?.exact.len();
    let inner: usize = shape.iter().skip(2).product();
    if site.between(1)?.shape.len() != 1 || shape.get(1).copied().unwrap_or(1) != channels {
        return Err(NotKnown::because("its features have statistics of their own"));
    }
    let epsilon = epsilon(site);
    site.twice(|by, operands| {
        let element = |(index, x): (usize, &Span)| {
            let channel = index / inner.max(1) % channels.max(1);
            let [scale, shift, mean, variance] =
                [1, 2, 3, 4].map(|at: usize| operands[at][channel]);
            Normalization { mean, variance, scale, shift, epsilon }.of(by, *x)
        };
        operands[0].iter().enumerate().map(element).collect()
    })
}

fn instance(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let Between { shape, .. } = site.between(0)?.into_owned();
    let (channels, lines, epsilon) =
        (shape.get(1).copied().unwrap_or(1), Lines::from(&shape, 2), epsilon(site));
    site.twice(|by, operands| {
        let mut all = vec![Span::UNKNOWN; operands[0].len()];
        for line in 0..all.len() / lines.length.max(1) {
            let own: Vec<Span> = lines.places(line).map(|place| operands[0][place]).collect();
            let [mean, variance] = Normalization::statistics(by, &own);
            let [scale, shift] = [1, 2].map(|at: usize| operands[at][line % channels.max(1)]);
            let by_line = Normalization { mean, variance, scale, shift, epsilon };
            for (place, x) in lines.places(line).zip(&own) {
                all[place] = by_line.of(by, *x);
            }
        }
        all
    })
}

fn layer(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let (axis, stash) = layernormalization::stage(site.call).map_err(invalid)?;
    if stash != DType::Float32 || site.types.len() > 1 {
        return Err(NotKnown::because("its first stage is of another type, or asked for"));
    }
    let x = site.call.input(0).map_err(invalid)?;
    let lines = Lines::from(x.shape(), axis);
    let epsilon = epsilon(site);
    let places = |at: usize| match site.call.inputs.get(at).and_then(Option::as_ref) {
        Some(tensor) => layernormalization::broadcast(site.call, tensor).map(Some).map_err(invalid),
        None => Ok(None),
    };
    let (scales, shifts) = (places(1)?, places(2)?);
    site.twice(|by, operands| {
        let normal = |by: &Arithmetic<'_>, own: &[Span]| {
            let [mean, variance] = Normalization::statistics(by, own);
            let deviation = by.sqrt(by.add(variance, epsilon));
            own.iter().map(|x| by.div(by.sub(*x, mean), deviation)).collect()
        };
        let normal = of_lines(by, &lines, operands[0], &normal);
        let element = |(index, normal): (usize, &Span)| {
            let own = scales
                .as_ref()
                .map_or(Span::UNKNOWN, |places| operands[1][places.source(1, index)]);
            let scaled = by.mul(*normal, own);
            match &shifts {
                Some(places) => by.add(scaled, operands[2][places.source(1, index)]),
                None => scaled,
            }
        };
        normal.iter().enumerate().map(element).collect()
    })
}
