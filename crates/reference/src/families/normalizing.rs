//! What operators have in common that normalize elements by a mean and a variance, and then scale and shift them.
//!
//! The order of the steps is free: y = s (x - m) / d + b may be computed with the quotient first, with the product first, with
//! s / d first, and folded as x (s / d) + (b - m (s / d)), as is common where m and d are the same for many
//! elements. A variance as the mean of the squares less the square of the mean, whose error the result does not bound, is among them where
//! a document computes it so, as ONNX's function of LayerNormalization does.

use crate::exact::composed::{Arithmetic, Computed, Divisor};
use crate::exact::interval::Interval;

/// Mean and variance, and what is made of them.
pub(crate) struct Statistics {
    pub(crate) mean: Computed,
    pub(crate) variance: Computed,
}

impl Statistics {
    /// The mean of elements and the mean of the squares of their differences from it, in any order of summation; nothing is
    /// known of those of no elements. They are numbers where the elements are: the formula is one of real numbers, and
    /// divided by a variance that overflowed every element would be 0.
    pub(crate) fn of(arithmetic: &Arithmetic, elements: &[Computed]) -> Self {
        if elements.is_empty() {
            let open = Computed::open(crate::exact::composed::Exact::Undefined, NONE);
            return Self { mean: open.clone(), variance: open };
        }
        let count = arithmetic.integer(elements.len() as i64);
        let count = arithmetic.divisor(arithmetic.converted(&count));
        let mean = arithmetic.quotient(&arithmetic.sum(elements), &count);
        let variance = arithmetic.variance(elements, &count, &mean);
        Self { mean: mean.without_overflow(), variance: variance.without_overflow() }
    }

    /// The same where the variance may also be the mean of the squares less the square of the mean.
    pub(crate) fn or_by_squares(self, arithmetic: &Arithmetic, elements: &[Computed]) -> Self {
        let count = arithmetic.converted(&arithmetic.integer(elements.len() as i64));
        let squares: Vec<_> = elements.iter().map(|element| arithmetic.square(element)).collect();
        let squares = arithmetic.quotient(&arithmetic.sum(&squares), &arithmetic.divisor(count));
        let mut rest = arithmetic.sub(&squares, &arithmetic.square(&self.mean));
        // A difference of equal numbers is +0.
        rest.signs[1] &= rest.numbers.as_ref().is_some_and(|numbers| !numbers.is_zero());
        Self { variance: self.variance.or(&rest), ..self }
    }

    /// The square root of the variance and what is added to it.
    pub(crate) fn deviation(&self, arithmetic: &Arithmetic, epsilon: &Computed) -> Divisor {
        let radicand = arithmetic.add(&self.variance, &arithmetic.converted(epsilon));
        let radicand = radicand.without_overflow();
        arithmetic.divisor(arithmetic.sqrt(&radicand))
    }
}

const NONE: &str = "the document does not say what the mean of no elements is";

/// Elements that are normalized by the same numbers: s (x - m) / d + b, in any order.
pub(crate) struct Normalization {
    mean: Computed,
    deviation: Divisor,
    scale: Computed,
    shift: Computed,
    /// s / d.
    factor: Computed,
    /// b - m s / d.
    rest: Computed,
}

impl Normalization {
    pub(crate) fn of(
        arithmetic: &Arithmetic,
        mean: Computed,
        deviation: Divisor,
        [scale, shift]: [Computed; 2],
    ) -> Self {
        let factor = arithmetic.quotient(&scale, &deviation);
        let rest = arithmetic.sub(&shift, &arithmetic.mul(&mean, &factor));
        Self { mean, deviation, scale, shift, factor, rest }
    }

    /// What an element becomes.
    pub(crate) fn normalized(&self, arithmetic: &Arithmetic, x: &Computed) -> Computed {
        let Self { mean, deviation, scale, shift, factor, .. } = self;
        let distance = arithmetic.sub(x, mean);
        let products = [
            arithmetic.mul(&arithmetic.quotient(&distance, deviation), scale),
            arithmetic.mul(&distance, factor),
            arithmetic.quotient(&arithmetic.mul(&distance, scale), deviation),
        ];
        let [first, others @ ..] = products.map(|product| arithmetic.add(&product, shift));
        let all = others.iter().fold(first, Computed::or);
        all.or(&self.folded(arithmetic, x))
    }

    /// x f + (b - m f), where f is the same in both products.
    ///
    /// Three terms, x f, m f and b, go through three roundings each at most; each of the two products may underflow besides.
    fn folded(&self, arithmetic: &Arithmetic, x: &Computed) -> Computed {
        let step_by_step = arithmetic.add(&arithmetic.mul(x, &self.factor), &self.rest);
        let closer = || -> Option<Interval> {
            let numbers = |value: &Computed| value.numbers.clone();
            let (x, mean) = (numbers(x)?, numbers(&self.mean)?);
            let (factor, shift) = (numbers(&self.factor)?, numbers(&self.shift)?);
            let magnitudes = (&x * &factor).abs() + (&mean * &factor).abs() + shift.abs();
            let margin = magnitudes.upper() * arithmetic.gamma(3)?;
            let underflow = arithmetic.half_smallest().scaled(2);
            Some(((x - &mean) * &factor + &shift).widened(&(margin + underflow)))
        };
        match (step_by_step.open, closer()) {
            (None, Some(closer)) => {
                let numbers = step_by_step.numbers.as_ref().and_then(|own| own.common(&closer));
                Computed { numbers: numbers.or(Some(closer)), ..step_by_step }
            }
            _ => step_by_step,
        }
    }
}
