//! Sums that are bracketed by numbers of float64, and what follows of an element from that.
//!
//! A large output has many sums of many terms. Float64 holds each product of two elements of 32 or 16 bits exactly, so
//! that a sum in float64 is close to the exact one, and how close is proven: the exact sum, and the bound on the error
//! of an element, lie between two numbers each. Mostly they tell whether an element conforms, and they bound its error
//! and its share of the bound. Where they do not, and wherever something is delicate (zeros, subnormal results, results
//! next to overflow, sums of one term), nothing is told, and the [exact sum](super::sum) decides. `docs/numerics.md` has
//! the proof.

pub(crate) mod float_sum;

use values::float::{Class, FloatFormat};

use super::number::largest;
use super::real::{Rational, of_float};
use super::{Share, Ulps};

/// A sum between two numbers, and the bound on the error of an element between two others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    format: &'static FloatFormat,
    /// Of one sign, and in the range of the format's normal numbers.
    sum: [f64; 2],
    /// `None` where there are too many terms for a bound: what conforms is open. 0 where no order rounds anything, and from
    /// 0 on where that may be so.
    bound: Option<[f64; 2]>,
    /// Whether partial sums may overflow, so that an infinity or a NaN may conform.
    may_overflow: bool,
}

/// What a bracket tells of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// Whether it conforms; `None` where that is open.
    pub conforms: Option<bool>,
    /// An error that its own does not exceed; `None` of what is no number, and has no error.
    pub most_error: Option<Ulps>,
    /// A share, as it is [judged](Share::judged), that its own does not exceed; `None` where no bound decides, or the
    /// element is no number.
    pub most_share: Option<Share>,
}

/// Brackets of the elements of an output, tile by tile: each element is in one of the tiles.
pub trait Brackets: Sync {
    /// How many tiles there are.
    fn tiles(&self) -> usize;

    /// The elements of a tile, by their indices in the output, and their brackets; `None` of an element that is to be
    /// computed exactly.
    fn tile(&self, at: usize) -> Vec<(usize, Option<Bracket>)>;
}

/// Twice of what is lost in a few operations that round to float64, and more.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// Steps of an error beyond which it is not told.
const FAR: f64 = (1_u128 << 100) as f64;

impl Bracket {
    /// A bracket of a sum and of the bound; `None` where the sum may be next to 0, subnormal, or next to overflow. No
    /// partial sum, rounded in the format, is larger than `most_partial`.
    pub(crate) fn new(
        format: &'static FloatFormat,
        sum: [f64; 2],
        bound: Option<[f64; 2]>,
        most_partial: f64,
    ) -> Option<Self> {
        let [low, high] = sum;
        let [least, most] = magnitudes(sum);
        let reach = most + bound.map_or(0.0, |[_, most]| most);
        let limit = format.to_f64(largest(format)) / 4.0;
        let is_decided = (low > 0.0 || high < 0.0)
            && least >= format.to_f64(1 << format.significand_bits)
            && reach <= limit;
        let may_overflow = most_partial > limit;
        is_decided.then_some(Self { format, sum, bound, may_overflow })
    }

    /// Whether what conforms is open: there are too many terms for a bound.
    pub const fn is_open(&self) -> bool {
        self.bound.is_none()
    }

    /// The element that is nearest to the sum, where that is certain.
    pub fn nearest(&self) -> Option<u64> {
        // Whichever element this is, it is held against the sum.
        let near = near_to(self.format, self.sum[0]);
        self.edges(near).filter(|edges| self.is_within(*edges)).map(|_| near)
    }

    /// What this tells of an element; `None` where that is too little.
    pub fn weigh(&self, actual: u64) -> Option<Weighed> {
        if let Class::Nan | Class::Infinite = self.format.class(actual) {
            let is_wrong = self.bound.is_some() && !self.may_overflow;
            let weighed = Weighed { conforms: Some(false), most_error: None, most_share: None };
            return is_wrong.then_some(weighed);
        }
        let edges = self.edges(actual)?;
        let is_nearest = self.is_within(edges);
        let most_error = Some(self.error(actual, is_nearest)?);
        // A bound of 0 has no shares.
        let is_exact = self.bound == Some([0.0; 2]);
        let told = |conforms, most_share: Option<Share>| {
            let most_share = most_share.filter(|_| !is_exact);
            Some(Weighed { conforms, most_error, most_share })
        };
        let Some([least, most]) = self.bound else { return told(None, None) };
        let ([low, high], [below, above]) = (self.sum, edges);
        if is_nearest {
            return told(Some(true), Some(Share::NONE));
        }
        // What has to be added to the sum, or taken off, to make the element the nearest one.
        let needed_at_most = (high - above).max(below - low).next_up();
        let needed_at_least = (low - above).max(below - high).next_down();
        let conforms = match () {
            // Of a negative zero the signs of the terms decide besides.
            () if needed_at_most < least && actual != self.format.negated(0) => true,
            () if needed_at_least > most => false,
            () => return None,
        };
        let share = Share::at_most((needed_at_most.max(0.0) / least * (1.0 + SLACK)).next_up());
        told(Some(conforms), Some(if conforms { share.min(Share::ALL) } else { share.beyond() }))
    }

    /// Whether the exact sum and the exact bound are within.
    pub fn holds(&self, sum: &Rational, bound: Option<&Rational>) -> bool {
        let is_in = |[low, high]: [f64; 2], number: &Rational| {
            let [low, high] = [low, high].map(|end| of_float(&FloatFormat::FLOAT64, end.to_bits()));
            low.zip(high).is_some_and(|(low, high)| low <= *number && *number <= high)
        };
        let is_bound = match (self.bound, bound) {
            (Some(ends), Some(bound)) => is_in(ends, bound),
            (None, None) => true,
            _ => false,
        };
        is_bound && is_in(self.sum, sum)
    }

    /// The numbers halfway to the elements next to one, below and above; `None` of what is no number, or has no neighbours.
    fn edges(&self, actual: u64) -> Option<[f64; 2]> {
        let format = self.format;
        let ordinal = format.ordinal(actual)?;
        if ordinal.unsigned_abs() >= largest(format) {
            return None;
        }
        let number = |ordinal: i64| {
            let magnitude = ordinal.unsigned_abs();
            format.to_f64(if ordinal < 0 { format.negated(magnitude) } else { magnitude })
        };
        // Neighbours have few bits more together than one of them, so that half of their sum is exact.
        Some([-1, 1].map(|step| f64::midpoint(number(ordinal), number(ordinal + step))))
    }

    /// Whether the sum is between these for certain, and on neither.
    fn is_within(&self, [below, above]: [f64; 2]) -> bool {
        below < self.sum[0] && self.sum[1] < above
    }

    /// An error that the one of an element does not exceed.
    fn error(&self, actual: u64, is_nearest: bool) -> Option<Ulps> {
        let format = self.format;
        let (actual, [low, high]) = (format.to_f64(actual), self.sum);
        let far = apart(actual, low).max(apart(actual, high));
        let [least, _] = magnitudes(self.sum);
        // The unit in the last place at the end of the bracket where it is the smaller one, in steps of 2^-20.
        let unit = power_of_two(binade(least) - format.significand_bits as i32 - 20);
        let mut steps = far / unit;
        // The last step of a result that is much smaller than the sum may be one too many.
        if actual.abs() < least * power_of_two(-17) {
            steps = (steps + 1.0).next_up();
        }
        if is_nearest {
            steps = steps.min(Ulps::HALF.steps() as f64);
        }
        let whole = steps.ceil();
        // A distance that is below the rounded one is not exact.
        (whole < FAR).then(|| Ulps::new(whole as u128, whole == steps))
    }
}

/// The least and the greatest magnitude between two numbers of one sign.
fn magnitudes([low, high]: [f64; 2]) -> [f64; 2] {
    if low < 0.0 { [-high, -low] } else { [low, high] }
}

/// How far two numbers are apart, or the next number above where float64 does not hold that. What is rounded of a difference
/// is found as D. Knuth does (*The Art of Computer Programming*, volume 2, 4.2.2, theorem B).
fn apart(a: f64, b: f64) -> f64 {
    let difference = a - b;
    let back = difference - a;
    let rounded = (a - (difference - back)) + (-b - back);
    let difference = difference.abs();
    if rounded == 0.0 { difference } else { difference.next_up() }
}

/// The greatest e with 2^e at most this positive number, which is not subnormal.
const fn binade(number: f64) -> i32 {
    (number.to_bits() >> 52) as i32 - 1023
}

/// 2^e, of which the exponent is in the range of normal numbers.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// An element next to a number in the range of the format's normal numbers, with fewer bits than float64.
fn near_to(format: &FloatFormat, number: f64) -> u64 {
    let narrower = 52 - format.significand_bits;
    let magnitude = number.abs().to_bits() - ((1023 - format.bias) as u64) * (1 << 52);
    let near = (magnitude + (1 << (narrower - 1))) >> narrower;
    if number < 0.0 { format.negated(near) } else { near }
}

#[cfg(test)]
mod tests;
