//! Sums of numbers turned by parts of a turn, as the discrete Fourier transform has them.
//!
//! Of complex numbers x_n the k-th sum is that of x_n e^(-2 pi j k n / N), or of x_n e^(2 pi j k n / N) / N of an inverse transform. The exact sum is
//! computed from enclosed cosines, those of multiples of an eighth and a twelfth of a turn exactly where they are rational; terms of the same cosine
//! are added first, so that of lengths that are powers of two no sum that is 0 stays undecided.
//!
//! No text says by which algorithm sums are computed. What conforms is what the sum itself may give in any order, what any factorization of the
//! length into stages may give, and for other lengths than powers of two also a chirp transform by longer ones, with factors that are rounded.
//! `docs/numerics.md` has the bound and its proof.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use values::float::FloatFormat;

use crate::exact::composed::{Arithmetic, BITS, Computed, Exact};
use crate::exact::interval::Interval;

/// Bits that hold any sum of few numbers of a format, so that such sums are exact.
const WIDE: u32 = 2400;

/// Cosines that are kept.
const KEPT: usize = 1 << 16;

/// Numbers of a signal that are computed with at most.
const MOST_NUMBERS: usize = 1 << 20;

const LARGE: &str = "the element is a sum of more terms than the reference computes";
const ROUNDINGS: &str = "so many terms may lose every bit in the format of the elements";

/// A number of a signal: where it stands, and its real and imaginary parts.
pub(crate) struct Sample {
    pub(crate) place: usize,
    pub(crate) parts: [Computed; 2],
}

/// The numbers of a signal, but for zeros.
pub(crate) struct Signal {
    samples: Vec<Sample>,
    /// The sum of the magnitudes of all parts that are numbers.
    magnitude: Interval,
    /// The root of the sum of their squares.
    norm: Interval,
    /// Why nothing is known of any sum, where that is so.
    open: Option<&'static str>,
}

/// What is 0 whatever it is multiplied by.
fn is_nothing(part: &Computed) -> bool {
    part.numbers.as_ref().is_some_and(Interval::is_zero)
}

impl Signal {
    /// The signal of these numbers, each computed to [`WIDE`] bits.
    pub(crate) fn new(samples: Vec<Sample>, open: Option<&'static str>) -> Self {
        let zero = || Interval::integer(0, BITS);
        let (mut magnitude, mut squares) = (zero(), zero());
        for part in samples.iter().flat_map(|sample| &sample.parts) {
            if let Some(number) = &part.numbers {
                let number = number.clone().with_precision(BITS);
                magnitude = magnitude + number.abs();
                squares = squares + number.square();
            }
        }
        let is_large = samples.len() > MOST_NUMBERS;
        let norm = squares.upper().sqrt().unwrap_or_else(|| magnitude.clone()).upper();
        let magnitude = magnitude.upper();
        Self { samples, magnitude, norm, open: open.or(is_large.then_some(LARGE)) }
    }

    /// The bits to which the numbers of a signal are taken.
    pub(crate) const fn bits() -> u32 {
        WIDE
    }

    /// How many parts are not 0.
    fn count(&self) -> usize {
        let parts = self.samples.iter().flat_map(|sample| &sample.parts);
        parts.filter(|part| !is_nothing(part)).count()
    }
}

/// A transform of a length, by its formula.
pub(crate) struct Transform {
    length: u64,
    is_inverse: bool,
    format: &'static FloatFormat,
    /// Cosines of parts of a turn by so many bits.
    cosines: RefCell<HashMap<(u64, u32), Interval>>,
}

/// A term of a sum: a part of a number times a cosine, or times its negative.
struct Term<'s> {
    part: &'s Computed,
    is_negative: bool,
    /// The angle in parts of a turn of which a quarter has as many as the transform is long: no more than that. At it, the
    /// cosine is 0, and at 0 it is 1.
    angle: u64,
}

impl Transform {
    /// The transform of so many numbers, computed in a format or a wider one.
    pub(crate) fn new(length: usize, is_inverse: bool, format: &'static FloatFormat) -> Self {
        Self { length: length as u64, is_inverse, format, cosines: RefCell::default() }
    }

    /// The terms of the real part of a sum, or of its imaginary part.
    fn terms<'s>(&self, signal: &'s Signal, at: usize, is_imaginary: bool) -> Vec<Term<'s>> {
        let length = self.length.max(1);
        let mut terms = Vec::new();
        for sample in &signal.samples {
            let turned = at as u64 % length * (sample.place as u64 % length) % length;
            // Of (a + j b) (c - j s) the real part is a c + b s, and the imaginary part b c - a s.
            let (by_cosine, by_sine) = match is_imaginary {
                false => (&sample.parts[0], &sample.parts[1]),
                true => (&sample.parts[1], &sample.parts[0]),
            };
            let (is_negative, angle) = folded(4 * turned, length);
            terms.push(Term { part: by_cosine, is_negative, angle });
            // A sine is the cosine of a quarter less.
            let (is_negative, angle) = folded(4 * turned + 3 * length, length);
            let is_negative = is_negative != (is_imaginary != self.is_inverse);
            terms.push(Term { part: by_sine, is_negative, angle });
        }
        terms.retain(|term| !is_nothing(term.part));
        terms
    }

    fn cosine(&self, angle: u64, bits: u32) -> Interval {
        if let Some(known) = self.cosines.borrow().get(&(angle, bits)) {
            return known.clone();
        }
        let cosine = Interval::cosine_of_turn(angle, 4 * self.length, bits);
        let mut kept = self.cosines.borrow_mut();
        if kept.len() < KEPT {
            kept.insert((angle, bits), cosine.clone());
        }
        cosine
    }

    /// The real or the imaginary part of the sum at a place, computed to so many bits.
    pub(crate) fn computed(
        &self,
        signal: &Signal,
        at: usize,
        is_imaginary: bool,
        bits: u32,
    ) -> Computed {
        if let Some(why) = signal.open {
            return Computed::open(Exact::Undefined, why);
        }
        let (terms, others): (Vec<_>, Vec<_>) = self
            .terms(signal, at, is_imaginary)
            .into_iter()
            .partition(|term| term.part.numbers.is_some());
        let sum = || match self.length {
            1 | 2 | 4 => self.of_quarters(&terms, bits),
            _ => self.of_any(signal, &terms, bits),
        };
        if others.is_empty() { sum() } else { self.with_others(&others, sum) }
    }

    /// A sum with infinities or NaN among its terms. Those that a cosine of 0 meets are left out, or give a NaN.
    fn with_others(&self, others: &[Term<'_>], sum: impl Fn() -> Computed) -> Computed {
        let counted: Vec<_> = others.iter().filter(|term| term.angle != self.length).collect();
        if counted.is_empty() {
            return Computed { nan: true, ..sum() };
        }
        if counted.iter().any(|term| term.part.nan) {
            return Computed::nan();
        }
        let has = |negative: bool| {
            counted
                .iter()
                .any(|term| term.part.infinities[usize::from(negative != term.is_negative)])
        };
        let infinities = [has(false), has(true)];
        let exact = match infinities {
            [true, true] => Exact::Undefined,
            [_, negative] => Exact::Infinite { negative },
        };
        Computed { exact, infinities, ..Computed::nan() }
    }

    /// A sum of numbers as they are and negated, as quarters of a turn make them.
    fn of_quarters(&self, terms: &[Term<'_>], bits: u32) -> Computed {
        let arithmetic = Arithmetic::of(self.format, bits);
        let turned = |term: &Term<'_>| match term.is_negative {
            true => -term.part.clone(),
            false => term.part.clone(),
        };
        let terms = terms.iter().filter(|term| term.angle == 0).map(turned);
        let terms: Vec<Computed> = terms.collect();
        let sum = arithmetic.sum(&terms);
        let sum = match self.is_inverse {
            true => {
                let length = arithmetic.integer(self.length as i64);
                let scaled = terms.iter().map(|term| arithmetic.div(term, &length));
                let scaled = arithmetic.sum(&scaled.collect::<Vec<_>>());
                arithmetic.div(&sum, &length).or(&scaled)
            }
            false => sum,
        };
        Computed { signs: [true; 2], ..sum }
    }

    /// A sum by any algorithm.
    fn of_any(&self, signal: &Signal, terms: &[Term<'_>], bits: u32) -> Computed {
        let length = Interval::integer(i64::try_from(self.length).unwrap_or(i64::MAX), bits);
        let divided = |number: Interval| match self.is_inverse {
            true => number.divided_by(&length).unwrap_or(number),
            false => number,
        };
        let exact = divided(self.exact(terms, bits));
        let Some(margin) = self.margin(signal) else {
            return Computed::open(Exact::Number(exact), ROUNDINGS);
        };
        // Partial sums of both halves of a packed signal are twice as large at most.
        let arithmetic = Arithmetic::of(self.format, BITS);
        let largest = (&signal.magnitude + &margin).scaled(1);
        let may_overflow = arithmetic.converted(&Computed::number(largest)).infinities[0];
        let margin = divided(margin) + self.underflow();
        let numbers = if terms.is_empty() { exact.clone() } else { exact.widened(&margin.upper()) };
        Computed {
            numbers: Some(numbers),
            infinities: [may_overflow; 2],
            nan: may_overflow,
            signs: [true; 2],
            ..Computed::number(exact)
        }
    }

    /// The exact sum, before it is divided.
    fn exact(&self, terms: &[Term<'_>], bits: u32) -> Interval {
        let mut weights = BTreeMap::<u64, Interval>::new();
        for term in terms.iter().filter(|term| term.angle != self.length) {
            let Some(number) = &term.part.numbers else { continue };
            let number = if term.is_negative { -number } else { number.clone() };
            let weight = weights.entry(term.angle).or_insert_with(|| Interval::integer(0, WIDE));
            *weight = &*weight + &number;
        }
        let zero = Interval::integer(0, bits);
        weights.into_iter().filter(|(_, weight)| !weight.is_zero()).fold(
            zero,
            |sum, (angle, weight)| {
                let weight = weight.with_precision(bits);
                sum + weight * self.cosine(angle, bits)
            },
        )
    }

    /// How far a sum may be from the exact one before it is divided, but for underflow; `None` where nothing bounds it.
    fn margin(&self, signal: &Signal) -> Option<Interval> {
        let arithmetic = Arithmetic::of(self.format, BITS);
        let stages = u64::BITS - self.length.saturating_sub(1).leading_zeros();
        let division = if self.is_inverse { 3 } else { 0 };
        let count = u32::try_from(signal.count()).ok()?;
        let by_stages = if self.has_small_factors() { 12 * stages } else { count + 12 * stages };
        let roundings = (count + 3).max(by_stages) + division;
        let margin = arithmetic.gamma(roundings)? * &signal.magnitude;
        if self.length.is_power_of_two() {
            return Some(margin);
        }
        // Three transforms of a power of two that is less than four times as long, computed in float32 at least.
        let wide = if self.format.precision() < FloatFormat::FLOAT32.precision() {
            Arithmetic::of(&FloatFormat::FLOAT32, BITS)
        } else {
            arithmetic
        };
        let chirp = wide.gamma(18 * (stages + 2) + 20 + division)? * &signal.norm * self.chirp();
        Some(margin.hull(&chirp).upper())
    }

    /// Whether the length has no prime factor above 62, so that each stage adds up few numbers for the halvings that it stands for.
    fn has_small_factors(&self) -> bool {
        let divided = |mut length: u64, factor: u64| {
            while length.is_multiple_of(factor) && length > 0 {
                length /= factor;
            }
            length
        };
        (2..=62).fold(self.length, divided) <= 1
    }

    /// The norm of a chirp: the root of twice the length, or more.
    fn chirp(&self) -> Interval {
        let twice = Interval::integer(2, BITS) * Interval::new(self.length, 0, BITS);
        twice.sqrt().map_or(twice, |root| root.upper())
    }

    /// What products that underflow may add.
    fn underflow(&self) -> Interval {
        let half_smallest = Arithmetic::of(self.format, BITS).half_smallest();
        let length = Interval::new(self.length, 0, BITS);
        match self.length.is_power_of_two() {
            true => half_smallest * length.scaled(4),
            false => half_smallest * length.scaled(6) * (Interval::integer(1, BITS) + self.chirp()),
        }
    }
}

/// An angle, in parts of which a quarter of a turn has so many, as one of the first quarter, and whether the cosine is that of it negated.
fn folded(angle: u64, quarter: u64) -> (bool, u64) {
    let angle = angle % (4 * quarter);
    let angle = angle.min(4 * quarter - angle);
    if angle > quarter { (true, 2 * quarter - angle) } else { (false, angle) }
}

#[cfg(test)]
mod tests;
