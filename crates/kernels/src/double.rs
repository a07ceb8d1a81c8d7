//! Numbers of twice the precision of float64: the unevaluated sum of two numbers, of which the second is at most half a unit in
//! the last place of the first. Sums, products, quotients and roots are off by a few units of 2^-104, relatively.
//!
//! Sources: T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (3),
//! 1971; D. E. Knuth, *The Art of Computer Programming*, volume 2, 4.2.2; Y. Hida, X. Li and D. Bailey, "Algorithms for quad-double
//! precision floating point arithmetic", ARITH-15, 2001.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The sum of two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double(f64, f64);

/// The sum, and what rounding it lost.
fn sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    let of_b = sum - a;
    Double(sum, (a - (sum - of_b)) + (b - of_b))
}

/// The same where the first number is the larger one.
fn sum_of_ordered(a: f64, b: f64) -> Double {
    let sum = a + b;
    Double(sum, b - (sum - a))
}

/// The product, and what rounding it lost, of numbers below 2^996.
fn product(a: f64, b: f64) -> Double {
    /// A number in two parts of 26 bits.
    fn split(a: f64) -> [f64; 2] {
        let shifted = a * ((1 << 27) + 1) as f64;
        let high = shifted - (shifted - a);
        [high, a - high]
    }
    let product = a * b;
    let ([a, rest_a], [b, rest_b]) = (split(a), split(b));
    Double(product, ((a * b - product) + a * rest_b + rest_a * b) + rest_a * rest_b)
}

impl From<f64> for Double {
    fn from(number: f64) -> Self {
        Self(number, 0.0)
    }
}

impl Neg for Double {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Add for Double {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.0, other.0), sum(self.1, other.1));
        let middle = sum_of_ordered(high.0, high.1 + low.0);
        sum_of_ordered(middle.0, middle.1 + low.1)
    }
}

impl Sub for Double {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let Self(high, low) = product(self.0, other.0);
        sum_of_ordered(high, low + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Double {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self - other * first.into();
        let second = rest.0 / other.0;
        let rest = rest - other * second.into();
        sum_of_ordered(first, second) + (rest.0 / other.0).into()
    }
}

/// The logarithm of 2 in three parts, of which the first two have so few bits that their products with integers of
/// 11 bits are exact.
const LN_2: [f64; 3] =
    [6.931_471_803_691_238e-1, 1.908_214_929_268_704_3e-10, 1.883_502_979_478_968_5e-22];

/// 1 / n! from 1 on.
const INVERSE_FACTORIALS: [Double; 13] = [
    Double(1.0, 0.0),
    Double(0.5, 0.0),
    Double(0.16666666666666666, 9.25185853854297e-18),
    Double(0.041666666666666664, 2.3129646346357427e-18),
    Double(0.008333333333333333, 1.1564823173178714e-19),
    Double(0.001388888888888889, -5.300543954373577e-20),
    Double(0.0001984126984126984, 1.7209558293420705e-22),
    Double(2.48015873015873e-05, 2.1511947866775882e-23),
    Double(2.7557319223985893e-06, -1.858393274046472e-22),
    Double(2.755731922398589e-07, 2.3767714622250297e-23),
    Double(2.505210838544172e-08, -1.448814070935912e-24),
    Double(2.08767569878681e-09, -1.20734505911326e-25),
    Double(1.6059043836821613e-10, 1.2585294588752098e-26),
];

impl Double {
    /// A number of float64.
    pub(super) const fn of(number: f64) -> Self {
        Self(number, 0.0)
    }

    /// The nearest number of float64, and what is left.
    pub(super) const fn parts(self) -> (f64, f64) {
        (self.0, self.1)
    }

    /// The nearest number of float64.
    pub(super) const fn nearest(self) -> f64 {
        self.0
    }

    /// The number times a power of two, which may be far below 1: rounded once more where the result is subnormal.
    pub(super) fn scaled(self, by: i32) -> f64 {
        libm::scalbn(self.0, by)
    }

    /// The square root of a number that is not negative.
    pub(super) fn sqrt(self) -> Self {
        let root = self.0.sqrt();
        if root == 0.0 {
            return self;
        }
        let rest = self - product(root, root);
        sum_of_ordered(root, rest.0 / (2.0 * root))
    }

    /// The k and y with `e^x = 2^k (1 + y)`, |y| being less than 0.42, for |x| below 1100.
    ///
    /// With r = x - k ln 2 and t = r / 32, e^t - 1 is a series of which 13 terms leave out less than 2^-110 of it; squared five times
    /// that makes e^r.
    pub(super) fn power(self) -> (i32, Self) {
        const HALVINGS: i32 = 5;
        let k = (self.0 * std::f64::consts::LOG2_E).round();
        let rest = Self::from(self.0) - (k * LN_2[0]).into() - (k * LN_2[1]).into();
        let rest = rest + (self.1 - k * LN_2[2]).into();
        // A power of two, so exact but for numbers that are next to subnormal.
        let scale = f64::from(1 << HALVINGS);
        let part = Self(rest.0 / scale, rest.1 / scale);
        let series =
            INVERSE_FACTORIALS.iter().rev().fold(Self::from(0.0), |sum, term| sum * part + *term);
        let mut less = series * part;
        for _ in 0..HALVINGS {
            less = less + less + less * less;
        }
        (k as i32, less)
    }

    /// `e^x - 1`, for |x| below 700.
    pub(super) fn exp_minus_1(self) -> Self {
        if self.0.abs() < TINY {
            return self;
        }
        match self.power() {
            (0, less) => less,
            (k, less) => {
                let scale = libm::scalbn(1.0, k);
                Self(less.0 * scale, less.1 * scale) + scale.into() - Self::from(1.0)
            }
        }
    }

    /// `e^x`, for |x| below 700.
    pub(super) fn exp(self) -> Self {
        let (k, less) = self.power();
        let (scale, power) = (libm::scalbn(1.0, k), less + Self::from(1.0));
        Self(power.0 * scale, power.1 * scale)
    }

    /// `ln(1 + x)`, for x from -1/3 to 1/2: the nearest number y of float64, and what is left, as e^-y (1 + x) is next to 1.
    fn ln_next_to_1(self) -> Self {
        if self.0.abs() < TINY {
            return self;
        }
        let near = libm::log1p(self.0);
        let less = Self::from(-near).exp_minus_1();
        let rest = self + less + self * less;
        Self::from(near) + rest - Self::from(rest.0 * rest.0 * 0.5)
    }

    /// `ln(1 + x)` for x above -1.
    pub(super) fn ln_1_plus(self) -> Self {
        let is_near = (-0.3..=0.4).contains(&self.0);
        if is_near { self.ln_next_to_1() } else { (self + Self::from(1.0)).ln() }
    }

    /// `ln x` for positive x.
    pub(super) fn ln(self) -> Self {
        // 2^k from 0.707 to 1.414 times the number.
        let (fraction, exponent) = libm::frexp(self.0);
        let k = exponent - i32::from(fraction < std::f64::consts::FRAC_1_SQRT_2);
        let scaled = |x| libm::scalbn(x, -k);
        let less = Self(scaled(self.0), scaled(self.1)) - Self::from(1.0);
        let k = f64::from(k);
        let binades = Self::from(k * LN_2[0]) + Self::from(k * LN_2[1]) + Self::from(k * LN_2[2]);
        binades + less.ln_next_to_1()
    }
}

/// Magnitudes below which e^x - 1 and ln(1 + x) are x.
const TINY: f64 = 1e-200;

#[cfg(test)]
mod tests;
