//! The error function and its complement in numbers of twice float64's precision.

use super::double::Double;

/// The square root of pi: in two parts.
fn root_of_pi() -> Double {
    Double::from(1.772_453_850_905_516) + Double::from(-7.666_586_499_825_799e-17)
}

/// The error function of a number from 0 to about 2: Maclaurin's series of e^(-t^2), integrated. Its terms are less than 2^4, of
/// which less is lost than the numbers have more than float64.
fn series(x: Double) -> Double {
    let square = -(x * x);
    let (mut power, mut sum) = (x, x);
    for n in 1..=64_u32 {
        power = power * square / f64::from(n).into();
        sum = sum + power / f64::from(2 * n + 1).into();
    }
    (sum + sum) / root_of_pi()
}

/// What the complement of a number from 2 on has in place of e^(-x^2) / sqrt(pi) / x: the continued fraction
/// 1 / (x + (1/2) / (x + (2/2) / (x + ...))) (Abramowitz and Stegun, 7.1.14), whose 60th tail is as good as its bounds there.
fn fraction(x: Double) -> Double {
    let tail = (1..=60_u32).rev().fold(x, |tail, n| x + Double::from(f64::from(n) * 0.5) / tail);
    Double::from(1.0) / (tail * root_of_pi())
}

/// Where the fraction takes the place of the series.
const NEAR: f64 = 2.0;

/// The error function of a number of float64.
pub(super) fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    // Elsewhere it is a multiple of x, or 1, to more than the precision; a NaN is neither.
    if x.is_nan() || magnitude < 1e-150 {
        return if x.is_nan() { x } else { x * std::f64::consts::FRAC_2_SQRT_PI };
    }
    let value = if magnitude < NEAR {
        series(magnitude.into())
    } else if magnitude < 6.0 {
        Double::from(1.0) - complement(magnitude.into())
    } else {
        1.0.into()
    };
    value.nearest().copysign(x)
}

/// The complement of the error function of a number from 2 to about 26.
fn complement(x: Double) -> Double {
    (-(x * x)).exp() * fraction(x)
}

/// Half of a number times the complement of the error function of its magnitude by the root of 2, of one that is
/// negative. Results may be subnormal.
pub(super) fn lower_tail(x: f64) -> f64 {
    let magnitude = Double::from(-x);
    let quotient = magnitude / Double::from(2.0).sqrt();
    let half = x * 0.5;
    if quotient.nearest() < NEAR {
        let factor = Double::from(1.0) - series(quotient);
        return (factor * half.into()).nearest();
    }
    // Here the square is exact, and half of it too.
    let exponent = -(magnitude * magnitude) / 2.0.into();
    if exponent.nearest() < -800.0 {
        return -0.0;
    }
    let (binades, less) = exponent.power();
    (Double::from(half) * fraction(quotient) * (less + 1.0.into())).scaled(binades)
}

/// Half of a positive number times the sum of 1 and the error function of it by the root of 2.
pub(super) fn upper_tail(x: f64) -> f64 {
    let quotient = Double::from(x) / Double::from(2.0).sqrt();
    let value = if quotient.nearest() < NEAR {
        series(quotient)
    } else {
        Double::from(1.0) - complement(quotient)
    };
    (Double::from(x * 0.5) * (Double::from(1.0) + value)).nearest()
}
