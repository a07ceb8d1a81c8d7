//! Real sums, quotients and roots, computed to as many bits as a decision needs.

use super::number::{Magnitude, Value, infinity, largest, signed, smallest_exponent, zero};
use super::{Conforming, Deviation, Ulps};
use values::float::FloatFormat;

/// A real number that is not negative: `(significand + t) * 2^exponent` with 0 <= t < 1, and t = 0
/// unless it is `inexact`. What is decided from it by comparison with integers is exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) significand: u128,
    pub(crate) exponent: i32,
    pub(crate) inexact: bool,
}

impl Exact {
    /// Bits of a number that is known exactly: the most that a decision may be made from.
    pub(super) const KNOWN: u32 = 126;

    /// Zero; its exponent lies below that of every format.
    pub(crate) const ZERO: Self = Self { significand: 0, exponent: i32::MIN / 2, inexact: false };

    /// `a / b` in steps of `2^-shift` for integers `a` and `b`; more generally of
    /// `2^(a.exponent - b.exponent - shift)`. `shift` is at most the leading zeros of `a` in 128 bits.
    #[inline]
    pub(crate) fn ratio(a: Magnitude, b: Magnitude, shift: u32) -> Self {
        let dividend = u128::from(a.significand) << shift;
        let divisor = u128::from(b.significand);
        Self {
            significand: dividend / divisor,
            exponent: a.exponent - b.exponent - shift as i32,
            inexact: !dividend.is_multiple_of(divisor),
        }
    }

    /// `a / b` to at least `bits` bits. A dividend of `bits` bits more than the divisor gives that
    /// many; both fit where `bits` and the divisor's bits together are at most 128.
    #[inline]
    pub(crate) fn quotient(a: Magnitude, b: Magnitude, bits: u32) -> Self {
        Self::ratio(a, b, (b.len() + bits).saturating_sub(a.len()))
    }

    /// `a * b`, exactly.
    #[inline]
    pub(crate) fn product(a: Magnitude, b: Magnitude) -> Self {
        let product = u128::from(a.significand) * u128::from(b.significand);
        // A significand of so many bits is known to more than any format's precision.
        let shift = product.leading_zeros().saturating_sub(u128::BITS - Self::KNOWN);
        let exponent = a.exponent + b.exponent - shift as i32;
        Self { significand: product << shift, exponent, inexact: false }
    }

    /// The sum of two numbers with their signs, of which `true` is minus: its sign, and its magnitude to at least
    /// 123 bits; `None` where it is 0. Nothing is lost of numbers whose leading bits are less than 62 places apart.
    #[inline]
    pub(crate) fn sum(a: (bool, Magnitude), b: (bool, Magnitude)) -> Option<(bool, Self)> {
        // With 64 bits each, numbers are in the order of their exponents and significands.
        let normalised = |(negative, number): (bool, Magnitude)| {
            let shift = number.significand.leading_zeros();
            (number.exponent - shift as i32, number.significand << shift, negative)
        };
        let (a, b) = (normalised(a), normalised(b));
        let ((exponent, larger, negative), (lower, smaller, other)) =
            if a < b { (b, a) } else { (a, b) };
        // A sum of 64 bits each has one more.
        let room = Self::KNOWN - u64::BITS - 1;
        let [larger, aligned] =
            [larger, smaller].map(|significand| u128::from(significand) << room);
        let apart = exponent.abs_diff(lower);
        let smaller = aligned.unbounded_shr(apart);
        let inexact = smaller.unbounded_shl(apart) != aligned;
        let sum = if negative == other {
            larger + smaller
        } else {
            // What was cut off of the smaller number is borrowed from the unit below.
            larger - smaller - u128::from(inexact)
        };
        // A part of a unit stays one: a sum with such a part has lost a bit at most.
        let unused = sum.leading_zeros().saturating_sub(u128::BITS - Self::KNOWN);
        let shift = if inexact || sum == 0 { 0 } else { unused };
        let exponent = exponent - (room + shift) as i32;
        (sum != 0).then(|| (negative, Self { significand: sum << shift, exponent, inexact }))
    }

    /// A number that is known exactly.
    pub(crate) fn of(number: Magnitude) -> Self {
        Self::product(number, Magnitude { significand: 1, exponent: 0 })
    }

    /// The square root of `x` to at least `bits` bits, 63 at most.
    #[inline]
    pub(crate) fn root(x: Magnitude, bits: u32) -> Self {
        let (radicand, exponent) = radicand(x, bits);
        let root = radicand.isqrt();
        Self { significand: root, exponent, inexact: root * root != radicand }
    }

    /// The square root of `x` to at least 93 bits.
    pub(crate) fn fine_root(x: Magnitude) -> Self {
        let (radicand, exponent) = radicand(x, 63);
        let root = radicand.isqrt();
        let (tail, inexact) = tail(root, radicand - root * root);
        Self { significand: (root << TAIL) + tail, exponent: exponent - TAIL as i32, inexact }
    }

    /// Exponent of the unit in the last place of the format at this number: the spacing of the
    /// format in the number's binade, that of the subnormal numbers below the smallest normal one,
    /// and above the largest number that of a format with more exponents.
    #[inline]
    pub(crate) fn ulp_exponent(&self, format: &FloatFormat) -> i32 {
        let len = u128::BITS - self.significand.leading_zeros();
        let spacing = self.exponent + (len as i32) - format.precision() as i32;
        spacing.max(smallest_exponent(format))
    }

    /// The number of the format that is nearest, ties to even, with a sign: `roundTiesToEven` of
    /// IEEE 754-2019, 4.3.1. An overflow in a format without infinities is a NaN. The number must be
    /// known to two bits more than the precision.
    #[inline]
    pub(crate) fn nearest(&self, format: &'static FloatFormat, negative: bool) -> Conforming {
        let ulp = self.ulp_exponent(format);
        // 127 drops everything, as no number is known to more than 126 bits.
        let drop = (ulp - self.exponent).min(127) as u32;
        let kept = (self.significand >> drop) as u64;
        let below = self.significand & ((1 << drop) - 1);
        let half = 1 << (drop - 1);
        let up = below > half || (below == half && (self.inexact || kept & 1 == 1));
        // A binade starts where the one before it ends, so a carry runs into the exponent.
        let binade = (ulp - smallest_exponent(format)) as u64;
        match (binade << format.significand_bits) + kept + u64::from(up) {
            0 => zero(format, negative),
            magnitude if magnitude > largest(format) => infinity(format, negative),
            magnitude => Conforming::One(signed(format, negative, magnitude)),
        }
    }

    /// How far the element `actual` is from the number with a sign.
    pub(crate) fn deviation(
        &self,
        format: &'static FloatFormat,
        negative: bool,
        actual: u64,
    ) -> Deviation {
        let same_sign = format.is_negative(actual) == negative;
        let actual_magnitude = match Value::of(format, actual) {
            Value::Nan | Value::Infinite => {
                let overflowed = self.nearest(format, negative).accepts(actual);
                return if overflowed { Deviation::Ulps(Ulps::ZERO) } else { Deviation::Unbounded };
            }
            Value::Zero => None,
            Value::Finite(magnitude) => Some(magnitude),
        };
        Deviation::Ulps(self.distance(same_sign, actual_magnitude, self.ulp_exponent(format)))
    }

    /// Distance to a number of the same sign or the opposite one (`None` is zero), in units of
    /// `2^ulp`. This number must be known to the resolution of [`Ulps`].
    pub(crate) fn distance(&self, same_sign: bool, other: Option<Magnitude>, ulp: i32) -> Ulps {
        let unit = ulp - Ulps::FRACTION_BITS as i32;
        let (significand, shift) = match other {
            None => (0, 0),
            Some(other) => (u128::from(other.significand), other.exponent - unit),
        };
        let this = steps(self.significand, self.exponent - unit);
        let (Some((this, rest)), Some((other, other_rest))) = (this, steps(significand, shift))
        else {
            return Ulps::MAX;
        };
        let rest = rest || self.inexact;
        let distance = if !same_sign {
            this.saturating_add(other).saturating_add(u128::from(rest) + u128::from(other_rest))
        } else if other > this {
            // Less what is left of this number, so this is rounded up. Nothing is left of the other:
            // only one far below this number has bits below the resolution.
            other - this
        } else {
            this - other + u128::from(rest)
        };
        Ulps::new(distance, !(rest || other_rest))
    }
}

/// `x` as an integer of `2 * bits` bits or one more, times an even power of two, of which half the
/// exponent comes back.
#[inline]
fn radicand(x: Magnitude, bits: u32) -> (u128, i32) {
    let shift = (2 * bits).saturating_sub(x.len());
    let shift = shift + (x.exponent - shift as i32).rem_euclid(2) as u32;
    (u128::from(x.significand) << shift, (x.exponent - shift as i32) / 2)
}

/// Bits that [`tail`] finds.
const TAIL: u32 = 30;

/// The 30 bits t that follow the integer root r, of 64 bits at most, of `r^2 + rest`, and whether
/// more would follow: the first step of Zimmermann's recursive square root (*Karatsuba Square Root*,
/// INRIA RR-3805, 1999).
///
/// The root is at least r + t / 2^30 where `2 r t 2^30 + t^2 <= rest 2^60`. So t is at most
/// `rest 2^30 / 2r`, rounded down, and less than that by at most one while t^2 < 2 r 2^30. More bits
/// follow unless the rest is 0, as the root of an integer is an integer or irrational.
fn tail(root: u128, rest: u128) -> (u128, bool) {
    let used = |tail: u128| ((2 * root * tail) << TAIL) + tail * tail;
    let mut tail = (rest << TAIL) / (2 * root);
    while used(tail) > rest << (2 * TAIL) {
        tail -= 1;
    }
    (tail, rest != 0)
}

/// `value * 2^shift` rounded down to an integer, and whether anything was rounded off; `None` where
/// the integer does not fit.
fn steps(value: u128, shift: i32) -> Option<(u128, bool)> {
    let by = shift.unsigned_abs();
    if shift >= 0 {
        return (by <= value.leading_zeros()).then(|| (value.unbounded_shl(by), false));
    }
    let steps = value.unbounded_shr(by);
    Some((steps, value != steps.unbounded_shl(by)))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn a_root_is_known_to_the_bits_asked_for_and_exact_where_it_is_an_integer() {
        for (significand, exponent) in (1..=1000).flat_map(|s| (-3..=3).map(move |e| (s, e))) {
            let x = Magnitude { significand, exponent };
            let (integer, half_exponent) = radicand(x, 12);
            assert!((24..=25).contains(&(u128::BITS - integer.leading_zeros())));
            let shift = (exponent - 2 * half_exponent) as u32;
            assert_eq!(integer, u128::from(significand) << shift);
            let is_square = integer.isqrt().pow(2) == integer;
            assert_eq!(Exact::root(x, 12).inexact, !is_square, "{significand} * 2^{exponent}");
        }
    }

    #[test]
    fn the_tail_of_a_root_is_the_largest_whose_square_fits() {
        for root in [1 << 62, (1 << 62) + 1, 0xb504_f333_f9de_6484, u128::from(u64::MAX)] {
            // The square of the tail decides where the root alone leaves next to nothing.
            let close = root - (1 << 33);
            for rest in [0, 1, 2, close, root - 1, root, root + 1, 2 * root - 1, 2 * root] {
                let (tail, inexact) = tail(root, rest);
                let square = |tail| BigUint::from((root << TAIL) + tail).pow(2);
                let radicand = (BigUint::from(root).pow(2) + rest) << (2 * TAIL);
                assert!(square(tail) <= radicand && radicand < square(tail + 1), "{root} {rest}");
                assert_eq!(inexact, square(tail) != radicand, "{root} {rest}");
            }
        }
    }
}
