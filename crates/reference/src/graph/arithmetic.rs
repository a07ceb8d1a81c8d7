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
    /// What rounding once makes of these numbers, and rounding to a wider format before, which moves them by 2^-10 of half a
    /// unit at most. Rounding never falls, so that the ends tell; one that the format holds stays.
    pub(super) fn rounded(&self, exact: Span) -> Span {
        let Some(format) = self.format else { return exact };
        // A little more, for the rounding of this sum.
        let u = 0.5_f64.powi(format.precision() as i32 + 10) * (1.0 + 1e-3);
        self.moved(exact, |end, outwards| {
            let before = end + outwards * (u * end.abs() + f64::from_bits(1));
            [before, nearest(format, before)]
        })
    }

    /// What a step of a formula may give whose exact result is one of these numbers, as the reference has it: u (1 + 2^-10) of it more
    /// or less, for which u (1 + 2^-9) is taken, and half of the smallest number.
    fn step(&self, exact: Span) -> Span {
        let Some(format) = self.format else { return exact };
        let u = 0.5_f64.powi(format.precision() as i32) * (1.0 + 1.0 / 512.0);
        let least = unit(format, 0.0) * 0.51;
        self.moved(exact, |end, outwards| [end + outwards * (u * end.abs() + least); 2])
    }

    /// Numbers whose ends are moved outwards, to the farther one of two places, unless the format holds them.
    fn moved(&self, exact: Span, outwards: impl Fn(f64, f64) -> [f64; 2]) -> Span {
        let Some(format) = self.format.filter(|_| !exact.is_unknown()) else { return exact };
        let end = |end: f64, sign: f64| {
            if nearest(format, end) == end {
                return end;
            }
            let [a, b] = outwards(end, sign).map(|place| place * sign);
            let place = a.max(b);
            if place > format.to_f64(largest(format)) { f64::INFINITY * sign } else { place * sign }
        };
        Span::new(end(exact.lower, -1.0), end(exact.upper, 1.0))
    }

    pub(super) fn add(&self, a: Span, b: Span) -> Span {
        self.step(a + b)
    }

    pub(super) fn sub(&self, a: Span, b: Span) -> Span {
        self.step(a - b)
    }

    pub(super) fn mul(&self, a: Span, b: Span) -> Span {
        self.step(a * b)
    }

    pub(super) fn square(&self, x: Span) -> Span {
        self.step(x.square())
    }

    /// A quotient, or the product with the reciprocal.
    pub(super) fn div(&self, a: Span, b: Span) -> Span {
        let quotient = self.step(a / b);
        match self.format {
            Some(_) => quotient.hull(self.mul(a, self.step(Span::ONE / b))),
            None => quotient,
        }
    }

    pub(super) fn sqrt(&self, x: Span) -> Span {
        self.step(x.sqrt())
    }

    /// A sum in any order, with so many other roundings of each term: with these it errs by gamma(n - 1) of the sum of the
    /// magnitudes at most (Higham, section 4.2).
    pub(super) fn sum(&self, terms: impl Iterator<Item = Span>, more: usize) -> Span {
        let (mut all, mut magnitudes, mut count) = (Span::ZERO, 0.0, 0_usize);
        let mut least = 0.0_f64;
        for term in terms {
            all = all + term;
            least = least.min(term.lower);
            magnitudes += term.magnitude();
            count += 1;
        }
        let roundings = count.saturating_sub(1) + more;
        if self.format.is_none() || roundings == 0 {
            return all;
        }
        let lost = magnitudes * (1.0 + count as f64 * f64::EPSILON) * self.gamma(roundings);
        let sum = self.step(all.widened(lost * (1.0 + 1e-9)));
        // No order makes a negative sum of terms that are not negative.
        if least < 0.0 { sum } else { sum.max(Span::ZERO) }
    }

    /// A product in any order.
    pub(super) fn product(&self, factors: impl Iterator<Item = Span>) -> Span {
        let mut count = 0;
        let all = factors.inspect(|_| count += 1).fold(Span::ONE, |all, one| all * one);
        match self.format {
            Some(format) if count > 1 => {
                let least = unit(format, 0.0) * count as f64;
                self.step(all.widened(all.magnitude() * self.gamma(count) + least))
            }
            _ => all,
        }
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
