//! Numbers of float64 near those of an interval, and bounds on how near.
//!
//! They decide nothing by themselves: whoever computes with them says how far the result may be off.

use super::Interval;
use values::float::FloatFormat;

impl Interval {
    /// The number that a finite float64 is.
    pub(crate) fn of_double(number: f64, precision: u32) -> Option<Self> {
        Self::of_element(&FloatFormat::FLOAT64, number.to_bits(), precision)
    }

    /// A float64 near the numbers, if they are near each other; 0 for those that are too small, and an infinity for those too
    /// large.
    pub(crate) fn nearby(&self) -> f64 {
        let magnitude = Self { upper: self.lower.clone(), ..self.clone() }.magnitude_above();
        if self.lower.is_negative() { -magnitude } else { magnitude }
    }

    /// A float64 that is at least the magnitude of each of the numbers, and at most 2^-51 more, relatively, than that of the farther
    /// end; the smallest normal one for smaller ones, and an infinity for those too large.
    pub(crate) fn magnitude_above(&self) -> f64 {
        let end = self.lower.abs().max(self.upper.abs());
        let surplus = end.bits().saturating_sub(u64::from(f64::MANTISSA_DIGITS));
        let top = (end >> surplus).low_bits() as u64;
        if top == 0 {
            return 0.0;
        }
        let exponent = self.exponent.saturating_add_unsigned(surplus);
        // At most 2^53, which is a float64 exactly.
        #[expect(
            clippy::cast_precision_loss,
            reason = "a number of at most 54 bits, the last of which is 0"
        )]
        let above = (if surplus > 0 { top + 1 } else { top }) as f64;
        let least = i64::from(f64::MIN_EXP) + i64::from(f64::MANTISSA_DIGITS);
        if exponent > 960 {
            f64::INFINITY
        } else if exponent < least - 60 {
            f64::MIN_POSITIVE
        } else {
            let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
            (above * power(exponent)).max(f64::MIN_POSITIVE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_near_and_what_is_above_is_above() {
        for (number, exponent) in [
            (1, 0),
            (-3, 5),
            (i64::MAX, -40),
            (-i64::MAX, -900),
            (5, -1020),
            (12_345_678_901_234_567, 800),
        ] {
            let exact = Interval::new(number, exponent, 128);
            let near = Interval::of_double(exact.nearby(), 128).unwrap();
            let above = Interval::of_double(exact.magnitude_above(), 128).unwrap();
            assert!(!(&above - &exact.abs()).is_negative(), "{exact:?}");
            let off = &near - &exact;
            assert!(
                off.is_zero() || off.binade().unwrap() <= exact.binade().unwrap() - 51,
                "{exact:?} {near:?}"
            );
        }
        let far = Interval::power_of_two(2000, 64);
        assert!(far.magnitude_above().is_infinite());
        let tiny = Interval::power_of_two(-2000, 64);
        assert_eq!(tiny.magnitude_above(), f64::MIN_POSITIVE);
        assert_eq!(Interval::integer(0, 64).magnitude_above(), 0.0);
    }
}
