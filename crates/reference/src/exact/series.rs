//! The first coefficients of Taylor's series, as intervals.
//!
//! A [`Series`] holds the first coefficients of f(x + t) in powers of t: for a number x those of f there, to the interval's precision;
//! for an interval x sets that contain those at each of its numbers, so that the last of them bounds the rest of the series at
//! any of these (Taylor's theorem with Lagrange's remainder). The coefficients of sums, products, quotients and
//! functions follow from those of the operands by recurrences (R. Moore, R. Kearfott, M. Cloud, *Introduction to Interval
//! Analysis*, SIAM 2009, section 9.3).
//!
//! ```
//! use onnx_conformance_reference::exact::interval::Interval;
//! use onnx_conformance_reference::exact::series::Series;
//!
//! // e^t is 1 + t + t^2 / 2 + ...
//! let power = Series::variable(&Interval::integer(0, 64), 3).exp().unwrap();
//! let half = Interval::power_of_two(-1, 64);
//! assert!(power.coefficients()[2].contains(&half));
//! ```

use std::ops::{Add, Mul, Neg, Sub};

use super::interval::Interval;

/// The first coefficients of a series, of which there is at least one.
#[derive(Clone, Debug)]
pub struct Series(Vec<Interval>);

impl Series {
    /// That of x + t, up to the coefficient of t^order.
    pub fn variable(x: &Interval, order: usize) -> Self {
        let number = |number| Interval::integer(number, x.precision());
        let mut coefficients = vec![x.clone(); 1];
        coefficients.extend((1..=order).map(|power| number(i64::from(power == 1))));
        Self(coefficients)
    }

    /// The coefficients, from that of t^0 on.
    pub fn coefficients(&self) -> &[Interval] {
        &self.0
    }

    /// The coefficient of t^0: the value of the function.
    pub fn value(&self) -> &Interval {
        &self.0[0]
    }

    /// The same with another enclosure of the value.
    pub fn with_value(mut self, value: Interval) -> Self {
        self.0[0] = value;
        self
    }

    fn precision(&self) -> u32 {
        self.value().precision()
    }

    /// The number, as a series as long as this one.
    pub fn number(&self, number: i64) -> Self {
        self.constant(&Interval::integer(number, self.precision()))
    }

    /// The real number, as a series as long as this one.
    pub fn constant(&self, value: &Interval) -> Self {
        let zero = Interval::integer(0, self.precision());
        let mut coefficients = vec![zero; self.0.len()];
        coefficients[0] = value.clone();
        Self(coefficients)
    }

    /// It times a real number.
    pub fn times(&self, factor: &Interval) -> Self {
        Self(self.0.iter().map(|one| one * factor).collect())
    }

    /// It times `2^by`, exactly.
    pub fn scaled(self, by: i64) -> Self {
        Self(self.0.into_iter().map(|one| one.scaled(by)).collect())
    }

    /// Its square.
    pub fn square(&self) -> Self {
        self * self
    }

    /// The quotient by another; `None` where that may be 0.
    pub fn divided_by(&self, divisor: &Self) -> Option<Self> {
        let mut quotient = Vec::with_capacity(self.0.len());
        for (at, dividend) in self.0.iter().enumerate().take(divisor.0.len()) {
            let rest = dividend - &sum(at, |place| &quotient[place] * &divisor.0[at - place], self);
            quotient.push(rest.divided_by(divisor.value())?);
        }
        Some(Self(quotient))
    }

    /// The square root; `None` where the number may be none or 0.
    pub fn sqrt(&self) -> Option<Self> {
        let root = self.value().sqrt().filter(Interval::is_positive)?;
        let twice = root.clone().scaled(1);
        let mut roots = vec![root];
        for (at, number) in self.0.iter().enumerate().skip(1) {
            // Those of the two factors whose indices add up to this one, without the first and the last.
            let inner = sum(at - 1, |place| &roots[place + 1] * &roots[at - 1 - place], self);
            roots.push((number - &inner).divided_by(&twice)?);
        }
        Some(Self(roots))
    }

    /// e to the power of it; `None` as for [`Interval::exp`].
    pub fn exp(&self) -> Option<Self> {
        let slope = self.derivative();
        let mut power = vec![self.value().exp()?];
        for at in 1..self.0.len() {
            let all = sum(at, |place| &power[place] * &slope.0[at - 1 - place], self);
            power.push(over(&all, at));
        }
        Some(Self(power))
    }

    /// The natural logarithm; `None` as for [`Interval::ln`].
    pub fn ln(&self) -> Option<Self> {
        Some(self.derivative().divided_by(self)?.primitive(self.value().ln()?))
    }

    /// The sine and the cosine.
    pub fn sin_cos(&self) -> [Self; 2] {
        let slope = self.derivative();
        let (mut sine, mut cosine) = (vec![self.value().sin()], vec![self.value().cos()]);
        for at in 1..self.0.len() {
            let all = |of: &[Interval]| {
                over(&sum(at, |place| &of[place] * &slope.0[at - 1 - place], self), at)
            };
            let (of_sine, of_cosine) = (all(&cosine), -&all(&sine));
            sine.push(of_sine);
            cosine.push(of_cosine);
        }
        [Self(sine), Self(cosine)]
    }

    /// The coefficients of its derivative: one fewer, but for a single one.
    pub fn derivative(&self) -> Self {
        let factor = |power: usize| {
            Interval::integer(i64::try_from(power).unwrap_or(i64::MAX), self.precision())
        };
        let slopes = self.0.iter().enumerate().skip(1).map(|(power, one)| one * &factor(power));
        let slopes: Vec<_> = slopes.collect();
        if slopes.is_empty() { self.number(0) } else { Self(slopes) }
    }

    /// The function of which it is the derivative, by its value: one coefficient more.
    pub fn primitive(&self, value: Interval) -> Self {
        let rest = self.0.iter().enumerate().map(|(power, one)| over(one, power + 1));
        Self([value].into_iter().chain(rest).collect())
    }
}

/// The sum of the first so many terms.
fn sum(terms: usize, term: impl Fn(usize) -> Interval, of: &Series) -> Interval {
    let zero = Interval::integer(0, of.precision());
    (0..terms).fold(zero, |sum, place| &sum + &term(place))
}

/// A coefficient divided by a power.
fn over(coefficient: &Interval, power: usize) -> Interval {
    coefficient.divided_by_integer(u32::try_from(power).unwrap_or(u32::MAX))
}

impl Add for &Series {
    type Output = Series;

    fn add(self, other: Self) -> Series {
        Series(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }
}

impl Sub for &Series {
    type Output = Series;

    fn sub(self, other: Self) -> Series {
        Series(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }
}

impl Neg for &Series {
    type Output = Series;

    fn neg(self) -> Series {
        Series(self.0.iter().map(|one| -one).collect())
    }
}

impl Mul for &Series {
    type Output = Series;

    fn mul(self, other: Self) -> Series {
        let len = self.0.len().min(other.0.len());
        let product = |at: usize| sum(at + 1, |place| &self.0[place] * &other.0[at - place], self);
        Series((0..len).map(product).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: usize = 6;

    fn at(numerator: i64, halvings: i64) -> Series {
        Series::variable(&Interval::new(numerator, -halvings, 128), ORDER)
    }

    /// That the coefficients of two ways to the same function meet, and are known to many bits.
    fn meet(one: &Series, other: &Series) {
        assert_eq!(one.0.len(), other.0.len());
        for (a, b) in one.0.iter().zip(&other.0) {
            let common = a.common(b).unwrap_or_else(|| panic!("{a:?} and {b:?}"));
            let width = (&common.upper() - &common.lower()).binade();
            assert!(width.is_none_or(|width| width < -90), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn functions_have_the_series_of_what_they_are_equal_to() {
        for (numerator, halvings) in [(3, 2), (7, 3), (5, 5)] {
            let x = at(numerator, halvings);
            let one = x.number(1);
            meet(&x.exp().unwrap().ln().unwrap(), &x);
            meet(&x.sqrt().unwrap().square(), &x);
            meet(&(&x * &one.divided_by(&x).unwrap()), &one);
            let [sine, cosine] = x.sin_cos();
            meet(&(&sine.square() + &cosine.square()), &one);
            meet(&(&sine.square() - &cosine.square()), &-&x.clone().scaled(1).sin_cos()[1]);
            meet(
                &x.exp().unwrap().derivative().primitive(x.value().exp().unwrap()),
                &x.exp().unwrap(),
            );
        }
    }

    #[test]
    fn the_series_at_an_interval_contains_that_at_each_of_its_numbers() {
        let whole = Interval::new(3, -2, 128).hull(&Interval::new(5, -2, 128));
        let all = Series::variable(&whole, ORDER).exp().unwrap().sin_cos();
        let one = at(1, 0).exp().unwrap().sin_cos();
        for (all, one) in all.iter().zip(&one) {
            for (all, one) in all.0.iter().zip(&one.0) {
                assert!(all.contains(one));
            }
        }
    }

    #[test]
    fn what_has_no_value_has_no_series() {
        let zero = at(0, 0);
        assert!(zero.ln().is_none() && zero.sqrt().is_none() && (-&at(1, 0)).sqrt().is_none());
        assert!(at(1, 0).divided_by(&zero).is_none());
    }
}
