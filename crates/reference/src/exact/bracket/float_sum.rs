//! Sums in float64 of products of two elements of 32 or 16 bits, or of such elements, and how far off they are.

use values::float::{Class, FloatFormat};

use super::{Bracket, SLACK};
use crate::exact::number::smallest_exponent;

/// Half of float64's machine epsilon.
const U: f64 = f64::EPSILON / 2.0;

/// More than what the bound takes besides its first term, and than what rounding it loses.
const GENEROUS: f64 = 1.0 + 1.0 / (1_u64 << 20) as f64;

/// Counts that float64 holds.
const MOST_COUNTED: u64 = 1 << 53;

/// Additions up to which the bound is proven.
const MOST_ADDITIONS: u64 = 1 << 30;

/// Exponent of the lowest bit of a zero: above that of every number.
pub(crate) const NO_BIT: i32 = 4096;

/// A sum, added up in float64 in some order, and what is known of its terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatSum {
    /// The sum of the terms, as it was computed.
    pub(crate) sum: f64,
    /// The sum of their magnitudes, as it was computed.
    pub(crate) magnitudes: f64,
    /// The most additions that a term has gone through in either.
    pub(crate) additions: u64,
    /// All terms are multiples of 2^`unit`.
    pub(crate) unit: i32,
    /// One of them is no multiple of more than 2^`most_unit`.
    pub(crate) most_unit: i32,
    /// How many terms are not zero.
    pub(crate) terms: u64,
}

/// How the sums of an output are rounded in its own format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounding {
    pub(crate) format: &'static FloatFormat,
    /// Roundings of a term besides one for each of the others: of a product, and of a scale.
    pub(crate) roundings: u64,
    /// What the sum is divided by.
    pub(crate) divisor: u64,
}

impl FloatSum {
    /// The bracket of the sum, divided as is said, and of its bound.
    pub(crate) fn bracket(&self, rounding: Rounding) -> Option<Bracket> {
        let Rounding { format, roundings, divisor } = rounding;
        if divisor > MOST_COUNTED {
            return None;
        }
        let own = self.enclosed()?;
        let [sum, magnitudes] = own.map(|ends| divided(ends, divisor));
        let roundings = (self.terms + roundings).saturating_sub(1);
        // With one rounding the bound is halved or 0, in some cases that are told apart exactly.
        if roundings < 2 {
            return None;
        }
        let (eta, [_, [least, most]]) = (smallest_exponent(format), own);
        // Whether no order rounds anything: of terms that are multiples of a unit, in which they make 2^p at most.
        let is_held = |unit: i32, magnitudes: f64| {
            let limit = (unit + format.precision() as i32).clamp(-1000, 1000);
            divisor.is_power_of_two()
                && unit - divisor.trailing_zeros() as i32 >= eta
                && magnitudes <= super::power_of_two(limit)
        };
        if is_held(self.unit, most) {
            return Bracket::new(format, sum, Some([0.0; 2]), most);
        }
        let may_be_held = is_held(self.most_unit, least);
        let all = 1_u64 << format.precision();
        let Some(rest) = all.checked_sub(roundings).filter(|rest| *rest > 0) else {
            let open = || Bracket::new(format, sum, None, f64::INFINITY);
            return if may_be_held { None } else { open() };
        };
        // Every term may underflow once, unless none has bits below the smallest subnormal number.
        let is_exact = divisor == 1 && self.unit >= eta;
        let underflows = if is_exact { 0.0 } else { self.terms as f64 };
        let lost = underflows * super::power_of_two(eta - 1) * (all as f64 / rest as f64);
        let gamma = roundings as f64 / rest as f64;
        let [least, most] = [gamma * magnitudes[0], gamma * magnitudes[1] + lost];
        let least = if may_be_held { 0.0 } else { least * (1.0 - SLACK) };
        let bound = Some([least, most * (1.0 + SLACK)]);
        // Of terms that are divided or not.
        let [_, [_, whole]] = own;
        let most_partial = ((1.0 + gamma) * whole + lost) * (1.0 + SLACK);
        Bracket::new(format, sum, bound, most_partial)
    }

    /// Two numbers each that the exact sum and the exact sum of magnitudes are between.
    fn enclosed(&self) -> Option<[[f64; 2]; 2]> {
        let Self { sum, magnitudes, additions, unit, .. } = *self;
        // Neither is so near to the ends of the range of float64 that anything under- or overflows.
        let is_moderate =
            magnitudes > 1e-200 && magnitudes < 1e200 && sum.abs() <= 2.0 * magnitudes;
        if !is_moderate || additions > MOST_ADDITIONS {
            return None;
        }
        // gamma(n) / (1 - gamma(n)) of the magnitudes.
        let radius = additions as f64 * U * magnitudes * GENEROUS;
        let around = |number: f64| [(number - radius).next_down(), (number + radius).next_up()];
        let [_, most] = around(magnitudes);
        // Where all partial sums are multiples of a unit that float64 holds, none was rounded.
        let is_exact = unit < NO_BIT && most <= super::power_of_two((unit + 53).min(1000));
        Some([sum, magnitudes].map(|it| if is_exact { [it; 2] } else { around(it) }))
    }
}

/// The quotient of a number between two by a count, in between two numbers.
fn divided([low, high]: [f64; 2], divisor: u64) -> [f64; 2] {
    if divisor == 1 {
        return [low, high];
    }
    [(low / divisor as f64).next_down(), (high / divisor as f64).next_up()]
}

/// Exponent of the lowest bit of a number that float32 holds; `NO_BIT` of a zero and of what is no number.
#[inline]
pub(crate) fn lowest_bit(number: f32) -> i32 {
    let bits = number.to_bits();
    let (field, biased) = (bits & 0x007f_ffff, (bits >> 23 & 0xff) as i32);
    match biased {
        0xff => NO_BIT,
        0 if field == 0 => NO_BIT,
        0 => field.trailing_zeros() as i32 - 149,
        _ => (field | 0x0080_0000).trailing_zeros() as i32 + biased - 150,
    }
}

/// The elements of a tensor of float32, float16 or bfloat16 as float32s, which hold them exactly.
pub(crate) fn floats(tensor: &values::tensor::Tensor) -> Option<Vec<f32>> {
    use values::dtype::DType;
    let format = match tensor.dtype() {
        DType::Float32 => return tensor.as_slice::<f32>().map(std::borrow::Cow::into_owned),
        DType::Float16 => &FloatFormat::FLOAT16,
        DType::Bfloat16 => &FloatFormat::BFLOAT16,
        _ => return None,
    };
    let number = |at| {
        let bits = u64::try_from(tensor.element(at)?).ok()?;
        let number = format.to_f64(bits) as f32;
        Some(if format.class(bits) == Class::Nan { f32::NAN } else { number })
    };
    (0..tensor.elements()).map(number).collect()
}
