//! Cosines of fractions of a turn, and ranges of sines and cosines.
//!
//! The cosine of a rational part of a turn is rational for 0, 1/6, 1/4, 1/3 and 1/2 of it and their mirror images alone
//! (I. Niven, *Irrational Numbers*, 1956, corollary 3.12): there it is exact. All others are computed from an angle of at most an
//! eighth of a turn, so that they are known relatively, however small.

use super::Interval;

impl Interval {
    /// The cosine of `part` / `parts` of a turn; `parts` is not 0, and at most 2^61.
    pub(crate) fn cosine_of_turn(part: u64, parts: u64, precision: u32) -> Self {
        let part = part % parts.max(1);
        let part = part.min(parts - part);
        // Beyond a quarter it is that of the rest of a half, negated: in twice as many parts.
        if 4 * part > parts {
            return -Self::of_first_quarter(parts - 2 * part, 2 * parts, precision);
        }
        Self::of_first_quarter(part, parts, precision)
    }

    fn of_first_quarter(part: u64, parts: u64, precision: u32) -> Self {
        let turn = |part: u64, parts: u64| {
            let angle = Self::pi(precision + 8).scaled(1) * Self::new(part, 0, precision + 8);
            let angle = angle.divided_by(&Self::new(parts, 0, precision + 8));
            angle.unwrap_or_else(|| Self::integer(0, precision))
        };
        match part {
            0 => Self::integer(1, precision),
            _ if 4 * part == parts => Self::integer(0, precision),
            _ if 6 * part == parts => Self::power_of_two(-1, precision),
            _ if 8 * part <= parts => turn(part, parts).cos().with_precision(precision),
            _ => turn(parts - 4 * part, 4 * parts).sin().with_precision(precision),
        }
    }

    /// The least interval around the cosines of all the numbers that the ends tell.
    pub(crate) fn cosines(&self) -> Self {
        self.between_extremes(Self::cos, &Self::integer(0, self.precision))
    }

    /// The same of sines.
    pub(crate) fn sines(&self) -> Self {
        self.between_extremes(Self::sin, &Self::power_of_two(-1, self.precision))
    }

    /// The values of a wave that is 1 at the `first` half turn, and -1 and 1 in turn half a turn farther each.
    fn between_extremes(&self, wave: fn(&Self) -> Self, first: &Self) -> Self {
        if self.is_point() {
            return wave(self);
        }
        let one = Self::integer(1, self.precision);
        let Some(halves) = self.divided_by(&Self::pi(self.precision)) else { return one };
        let [below, above] = (&halves - first).integers();
        let ends = wave(&self.lower()).hull(&wave(&self.upper()));
        let is_even = (&below % 2) == 0.into();
        // The extremes between two ends are those of the integers between them.
        match u32::try_from(above - below).unwrap_or(u32::MAX) {
            0 | 1 => ends,
            2 if is_even => ends.hull(&-&one),
            2 => ends.hull(&one),
            _ => one.hull(&-&one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number that an interval is around, if it is narrow.
    fn near(interval: &Interval) -> f64 {
        let width = (interval.upper() - interval.lower()).binade().unwrap_or(-200);
        assert!(width < -90, "{interval:?}");
        interval.nearby()
    }

    #[test]
    fn rational_cosines_are_exact() {
        for (part, parts, halves) in [
            (0, 5, 2),
            (1, 1, 2),
            (1, 6, 1),
            (2, 6, -1),
            (3, 6, -2),
            (5, 6, 1),
            (9, 12, 0),
            (1, 4, 0),
        ] {
            let cosine = Interval::cosine_of_turn(part, parts, 128);
            assert!(
                cosine.is_point() && cosine.nearby() * 2.0 == f64::from(halves),
                "{part}/{parts}"
            );
        }
    }

    #[test]
    fn all_others_are_those_of_the_angle() {
        for parts in 1..40_u64 {
            for part in 0..2 * parts {
                let angle = std::f64::consts::TAU * part as f64 / parts as f64;
                let cosine = near(&Interval::cosine_of_turn(part, parts, 128));
                assert!((cosine - angle.cos()).abs() < 1e-14, "{part}/{parts}");
            }
        }
        // Next to a quarter of a turn the leading digits are known, however small.
        let small = Interval::cosine_of_turn((1 << 58) - 1, 1 << 60, 128);
        assert!((small.nearby() * 2_f64.powi(60) / std::f64::consts::TAU - 1.0).abs() < 1e-14);
    }

    #[test]
    fn ranges_have_the_extremes_between_their_ends() {
        let range = |from: f64, to: f64| {
            let [from, to] = [from, to].map(|end| Interval::of_double(end, 128).unwrap());
            from.hull(&to)
        };
        let is_near = |range: Interval, ends: [f64; 2]| {
            let of = [range.lower().nearby(), range.upper().nearby()];
            assert!((of[0] - ends[0]).abs() + (of[1] - ends[1]).abs() < 1e-15, "{of:?} {ends:?}");
        };
        is_near(range(3.0, 3.5).cosines(), [-1.0, 3.5_f64.cos()]);
        is_near(range(-0.5, 0.25).cosines(), [0.5_f64.cos(), 1.0]);
        is_near(range(-0.5, 6.5).cosines(), [-1.0, 1.0]);
        is_near(range(1.5, 2.0).sines(), [2_f64.sin(), 1.0]);
        is_near(range(4.5, 5.0).sines(), [-1.0, 5_f64.sin()]);
        is_near(range(0.5, 0.75).sines(), [0.5_f64.sin(), 0.75_f64.sin()]);
    }
}
