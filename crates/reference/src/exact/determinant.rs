//! Determinants: the exact one, and what elimination may give.
//!
//! With pivots that are the largest in magnitude of their column, or of all that is left, elimination computes the factors of a matrix A + D, and the product
//! of the pivots. With u half the machine epsilon, m the largest magnitude of a column and c = gamma(n + 1) (2 + 2 gamma(n + 4))^n (1 + 3 u),
//! no element of D in that column is larger than c m (N. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM
//! 2002, theorem 9.3), and the determinant of A + D differs from that of A by the products of D's elements and the minors of A. `docs/numerics.md`
//! has the proof, with underflow and overflow.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use values::float::FloatFormat;

use super::dot::Accumulated;
use super::number::{Value, smallest_exponent};
use super::real::{
    Rational, difference, fraction, overflow_threshold, power_of_two, product, scaled, sum,
};
use super::sum::rounded;
use super::truncated::Exact;
use super::{Conforming, Deviation, each_once, enclosed};

/// Rows and columns of matrices of which elimination has a bound.
pub const MOST: usize = 12;

/// A square matrix of numbers of a format, in steps of `2^unit`.
#[derive(Clone, Debug)]
pub struct Matrix {
    format: &'static FloatFormat,
    rows: Vec<Vec<BigInt>>,
    unit: i32,
}

/// The determinant, exactly and as computed.
#[derive(Clone, Debug)]
pub struct Determinant {
    format: &'static FloatFormat,
    /// The exact one.
    pub exact: Rational,
    /// How far elimination may be from it; `None` where nothing bounds that.
    pub bound: Option<Rational>,
    /// Whether products of pivots may overflow.
    may_overflow: bool,
}

impl Matrix {
    /// The matrix of elements, row by row; `None` where not all are numbers.
    pub fn of(format: &'static FloatFormat, size: usize, elements: &[u64]) -> Option<Self> {
        let numbers = elements.iter().map(|bits| match Value::of(format, *bits) {
            Value::Zero => Some((BigInt::zero(), i32::MAX)),
            Value::Finite(it) => {
                let significand = BigInt::from(it.significand);
                let is_negative = format.is_negative(*bits);
                Some((if is_negative { -significand } else { significand }, it.exponent))
            }
            Value::Nan | Value::Infinite => None,
        });
        let numbers = numbers.collect::<Option<Vec<_>>>()?;
        let unit = numbers.iter().map(|(_, exponent)| *exponent).min().filter(|it| *it < i32::MAX);
        let unit = unit.unwrap_or(0);
        let whole = |(number, exponent): &(BigInt, i32)| match number.is_zero() {
            true => BigInt::zero(),
            false => number << (exponent - unit).unsigned_abs(),
        };
        let all: Vec<BigInt> = numbers.iter().map(whole).collect();
        let rows = all.chunks(size.max(1)).map(<[_]>::to_vec).collect();
        Some(Self { format, rows, unit })
    }

    /// The determinant and what elimination may give.
    pub fn determinant(&self) -> Determinant {
        let exact = self.number(determinant(self.rows.clone()), self.rows.len());
        let ways = [self.rows.clone(), transposed(&self.rows)];
        let ways = ways.map(|rows| self.elimination(&rows, &exact));
        // A line of zeros stays one, and so is a pivot.
        let is_zero = |row: &Vec<BigInt>| row.iter().all(BigInt::is_zero);
        let has_zeros = self.rows.iter().any(is_zero) || transposed(&self.rows).iter().any(is_zero);
        let (bound, may_overflow) = match ways {
            [Some((_, a_overflows)), Some((_, b_overflows))] if has_zeros => {
                (Some(Rational::zero()), a_overflows || b_overflows)
            }
            [Some((a, a_overflows)), Some((b, b_overflows))] => {
                (Some(a.max(b)), a_overflows || b_overflows)
            }
            _ => (None, false),
        };
        Determinant { format: self.format, exact, bound, may_overflow }
    }

    /// The product of so many integers, each of them in steps of `2^unit`.
    fn number(&self, integer: BigInt, factors: usize) -> Rational {
        scaled(integer, self.unit * factors as i32)
    }

    /// What elimination may err by whose factors are 1 at most and a little, column by column, and whether products of pivots may
    /// overflow; `None` where sums may, or nothing is left of a number.
    fn elimination(&self, rows: &[Vec<BigInt>], exact: &Rational) -> Option<(Rational, bool)> {
        let (n, format) = (rows.len(), self.format);
        let integer = |it: usize| Rational::from(BigInt::from(it));
        let u = power_of_two(-(format.precision() as i32));
        let one = Rational::one();
        let gamma = |roundings: usize| {
            let share = integer(roundings) * &u;
            let gamma = (share < one).then(|| &share / (&one - &share))?;
            (gamma <= one).then(|| raised(&gamma))
        };
        let growth = raised(&power(&(integer(2) + integer(2) * gamma(n + 4)?), n));
        let of_sums = gamma(n + 1)? * &growth * (&one + integer(3) * &u);
        let of_products = gamma(n - 1)?;
        let columns = transposed(rows);
        let largest: Vec<Rational> = columns
            .iter()
            .map(|column| column.iter().map(Signed::abs).max().unwrap_or_else(BigInt::zero))
            .map(|largest| self.number(largest, 1))
            .collect();
        let reach = product(largest.iter().max()?, &growth);
        let threshold = overflow_threshold(format);
        if integer(2) * &reach >= threshold {
            return None;
        }
        let pivots = largest.iter().map(|it| product(it, &growth).max(one.clone()));
        let pivots = product(&product_of(pivots), &(&one + &of_products));
        let (eta, may_overflow) = (power_of_two(smallest_exponent(format)), pivots >= threshold);
        // Of a product of pivots, times what it is multiplied by.
        let lost = product(&(integer(n - 1) * &eta), &pivots);
        let Some(least) = largest.iter().filter(|it| !it.is_zero()).min() else {
            return Some((lost, may_overflow));
        };
        let mut of_underflow = integer(n) + &reach;
        let smallest_normal = &eta / &u / integer(2);
        if &reach * smallest_normal >= one {
            // The reciprocal of a pivot may be subnormal.
            of_underflow += product(&reach, &reach);
        }
        let share = raised(&sum(&of_sums, &quotient(&product(&of_underflow, &eta), least)));
        let mut series = Rational::zero();
        for (column, largest) in largest.iter().enumerate() {
            let minors = (0..n).map(|row| determinant(minor(rows, row, column)).abs());
            series = sum(&series, &product(largest, &self.number(minors.sum(), n - 1)));
        }
        series = product(&series, &share);
        // The determinants of k rows and columns of what is 1 at most are k! at most.
        let all = product(&product_of(largest), &integer((1..=n).product()));
        let (mut choices, mut shares) = (integer(n), share.clone());
        for k in 2..=n {
            choices = choices * integer(n + 1 - k) / integer(k);
            shares = raised(&product(&shares, &share));
            series = sum(&series, &product(&product(&all, &choices), &shares));
        }
        let of_sums = product(&series, &(&one + &of_products));
        let error = sum(&sum(&of_sums, &product(&of_products, &exact.abs())), &lost);
        Some((error, may_overflow))
    }
}

fn transposed(rows: &[Vec<BigInt>]) -> Vec<Vec<BigInt>> {
    (0..rows.len()).map(|column| rows.iter().map(|row| row[column].clone()).collect()).collect()
}

/// The determinant by elimination without fractions (E. Bareiss, *Sylvester's Identity and Multistep Integer-Preserving Gaussian
/// Elimination*, Mathematics of Computation 22, 1968).
fn determinant(mut rows: Vec<Vec<BigInt>>) -> BigInt {
    let (mut is_negative, mut before) = (false, BigInt::one());
    for column in 0..rows.len() {
        let Some(pivot) = (column..rows.len()).find(|row| !rows[*row][column].is_zero()) else {
            return BigInt::zero();
        };
        is_negative ^= pivot != column;
        rows.swap(pivot, column);
        let (above, below) = rows.split_at_mut(column + 1);
        let line = &above[column];
        for row in below {
            for at in column + 1..row.len() {
                row[at] = (&row[at] * &line[column] - &row[column] * &line[at]) / &before;
            }
        }
        before = line[column].clone();
    }
    if is_negative { -before } else { before }
}

/// Without a row and a column.
fn minor(rows: &[Vec<BigInt>], row: usize, column: usize) -> Vec<Vec<BigInt>> {
    let others = rows.iter().enumerate().filter(|(at, _)| *at != row);
    let without = |(_, line): (usize, &Vec<BigInt>)| {
        let own = line.iter().enumerate().filter(|(at, _)| *at != column);
        own.map(|(_, element)| element.clone()).collect()
    };
    others.map(without).collect()
}

fn power(base: &Rational, exponent: usize) -> Rational {
    let (numerator, denominator) = (base.numer(), base.denom());
    let power = |integer: &BigInt| (0..exponent).map(|_| integer).product();
    // What has no divisors in common has none to any power.
    Rational::new_raw(power(numerator), power(denominator))
}

/// A number at least 0, or one that is larger by less than a part in 2^100, whose denominator is a power of two: the sums
/// and products of such bounds need no common divisors.
fn raised(number: &Rational) -> Rational {
    let (numerator, denominator) = (number.numer(), number.denom());
    let steps = (101 + denominator.bits()).saturating_sub(numerator.bits());
    scaled(((numerator << steps) + denominator - 1) / denominator, -(steps as i64))
}

/// The quotient by a number above 0.
fn quotient(dividend: &Rational, divisor: &Rational) -> Rational {
    fraction(dividend.numer() * divisor.denom(), dividend.denom() * divisor.numer())
}

fn product_of(factors: impl IntoIterator<Item = Rational>) -> Rational {
    factors.into_iter().fold(Rational::one(), |all, factor| product(&all, &factor))
}

impl Determinant {
    /// What elimination may give, and how far each of two elements is from the exact determinant.
    pub fn judged(&self, actual: [u64; 2]) -> (Option<Conforming>, [Deviation; 2]) {
        let (is_negative, exact) = self.truncated();
        let deviations =
            each_once(actual, |actual| exact.deviation(self.format, is_negative, actual));
        let conforming = self.bound.as_ref().map(|bound| {
            let end = |number: Rational| {
                let (numerator, denominator) = number.into();
                rounded(self.format, &numerator, denominator.magnitude(), 0)
            };
            let mut accumulated = Accumulated {
                format: self.format,
                numbers: None,
                negative_zero: true,
                infinities: [false; 2],
                nan: false,
                may_overflow: [self.may_overflow; 2],
            };
            accumulated
                .include([end(difference(&self.exact, bound)), end(sum(&self.exact, bound))]);
            let nearest = exact.nearest(self.format, is_negative).example().unwrap_or_default();
            Conforming::Within { accumulated, nearest: nearest as u64 }
        });
        (conforming, deviations)
    }

    fn truncated(&self) -> (bool, Exact) {
        let denominator = self.exact.denom().magnitude();
        let magnitude = self.exact.numer().magnitude();
        (self.exact.is_negative(), enclosed::ratio(magnitude, denominator, 0))
    }
}

#[cfg(test)]
mod tests;
