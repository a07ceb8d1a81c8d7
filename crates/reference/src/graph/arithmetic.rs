//! Arithmetic on spans: exact, or with all that rounding each operation in a format or a wider one may add.

use values::float::FloatFormat;

use super::function::Functions;
use super::span::Span;
use crate::exact::number::{largest, smallest_exponent};
use crate::operator::Attributes;

/// Arithmetic, by the format that operations are rounded in, in any order of evaluation; none are without one.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic<'a> {
    pub(super) functions: &'a Functions,
    pub(super) format: Option<&'static FloatFormat>,
}

impl Arithmetic<'_> {
    /// What an operation may give whose exact result is one of these numbers. Rounding never falls: the ends as they are, as a wide
    /// format may hold them, and rounded bound what any format from this one on makes of all between them.
    pub(super) fn rounded(&self, exact: Span) -> Span {
        let Some(format) = self.format else { return exact };
        if exact.is_unknown() {
            return exact;
        }
        let Span { lower, upper } = exact;
        Span::new(lower.min(nearest(format, lower)), upper.max(nearest(format, upper)))
    }

    pub(super) fn add(&self, a: Span, b: Span) -> Span {
        self.rounded(a + b)
    }

    pub(super) fn sub(&self, a: Span, b: Span) -> Span {
        self.rounded(a - b)
    }

    pub(super) fn mul(&self, a: Span, b: Span) -> Span {
        self.rounded(a * b)
    }

    /// A quotient, or the product with the reciprocal.
    pub(super) fn div(&self, a: Span, b: Span) -> Span {
        let quotient = self.rounded(a / b);
        match self.format {
            Some(_) => quotient.hull(self.mul(a, self.rounded(Span::ONE / b))),
            None => quotient,
        }
    }

    pub(super) fn sqrt(&self, x: Span) -> Span {
        self.rounded(x.sqrt())
    }

    /// A sum in any order, with so many other roundings of each term: with these it errs by gamma(n - 1) of the sum of the
    /// magnitudes at most (Higham, section 4.2).
    pub(super) fn sum(&self, terms: impl Iterator<Item = Span>, more: usize) -> Span {
        let (mut all, mut magnitudes, mut count) = (Span::ZERO, 0.0, 0_usize);
        for term in terms {
            all = all + term;
            magnitudes += term.magnitude();
            count += 1;
        }
        let roundings = count.saturating_sub(1) + more;
        if self.format.is_none() || roundings == 0 {
            return all;
        }
        let lost = magnitudes * (1.0 + count as f64 * f64::EPSILON) * self.gamma(roundings);
        self.rounded(all.widened(lost * (1.0 + 1e-9)))
    }

    /// n u / (1 - n u) and a little more; infinite where nothing bounds the error. 0 where nothing is rounded.
    pub(super) fn gamma(&self, roundings: usize) -> f64 {
        let Some(format) = self.format else { return 0.0 };
        let all = roundings as f64 * 0.5_f64.powi(format.precision() as i32);
        if all < 1.0 { all / (1.0 - all) * (1.0 + 1e-9) } else { f64::INFINITY }
    }

    /// The value of an operator's function, to within so many ULP where operations are rounded.
    pub(super) fn function(&self, operator: &str, x: Span, ulps: f64) -> Span {
        match self.functions.of(operator, &Attributes::new()) {
            Some(function) => self.off_by(function.at(x), ulps),
            None => Span::UNKNOWN,
        }
    }

    /// Results that may be off by so many ULP, where operations are rounded.
    pub(super) fn off_by(&self, exact: Span, ulps: f64) -> Span {
        match self.format {
            Some(format) if !exact.is_unknown() => {
                exact.widened(ulps * unit(format, exact.magnitude()))
            }
            _ => exact,
        }
    }

    /// The limit of functions that are steps of a formula, in ULP: as the composed results of the reference have it.
    pub(super) fn published(&self) -> f64 {
        if self.format.is_some_and(|format| format.precision() <= 11) { 2.0 } else { 3.0 }
    }
}

/// The number of a format that is nearest to one, of two the even one; infinite beyond the largest.
pub(super) fn nearest(format: &FloatFormat, number: f64) -> f64 {
    if !number.is_finite() || *format == FloatFormat::FLOAT64 {
        return number;
    }
    if *format == FloatFormat::FLOAT32 {
        return f64::from(number as f32);
    }
    let unit = unit(format, number);
    let near = (number / unit).round_ties_even() * unit;
    if near.abs() > format.to_f64(largest(format)) { f64::INFINITY.copysign(number) } else { near }
}

/// The unit in the last place of a number in a format.
pub(super) fn unit(format: &FloatFormat, number: f64) -> f64 {
    if !number.is_finite() {
        return f64::INFINITY;
    }
    let exponent = (number.abs().to_bits() >> 52) as i32 - 1023;
    let exponent = (exponent - format.significand_bits as i32).max(smallest_exponent(format));
    // The least units of float64 are below its normal numbers.
    if exponent < -1022 {
        return f64::from_bits(1 << (exponent + 1074).max(0));
    }
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
