//! Arcsine, arccosine and arctangent.
//!
//! The arctangent is the sum of a series, for numbers that were made small by halving the angle: arctan x =
//! 2 arctan(x / (1 + sqrt(1 + x^2))). The others are arctangents of quotients in which 1 - x and 1 + x stand by
//! themselves, which are exact next to 1 and -1. All are transcendental for rational operands but arctan 0, arcsin 0 and arccos 1
//! (Lindemann: otherwise the sine or tangent of an algebraic number were rational), so their refinement ends.

use super::Interval;

/// Bits beyond those asked for: every halving of the angle and every term of the series is rounded by steps.
const GUARD: u32 = 32;

/// The most halvings: tan(pi/2 / 2^5) is less than 0.05.
const HALVINGS: i64 = 5;

impl Interval {
    /// The arctangents of the numbers.
    pub fn atan(&self) -> Self {
        let mut x = self.clone().with_precision(self.precision.saturating_add(GUARD));
        let one = Self::integer(1, x.precision);
        let mut halvings = 0;
        while halvings < HALVINGS && x.binade().is_some_and(|binade| binade >= -4) {
            let Some(half) = half_angle(&x, &one) else { break };
            x = half;
            halvings += 1;
        }
        let half_pi = || Self::pi(self.precision).scaled(-1);
        if x.binade().is_some_and(|binade| binade >= 0) {
            // Nothing but intervals of many numbers come here.
            return half_pi().hull(&-half_pi());
        }
        series(&x).scaled(halvings).with_precision(self.precision).rounded()
    }

    /// The arcsines of the numbers; `None` where one is beyond 1 or -1.
    pub fn asin(&self) -> Option<Self> {
        if self.is_tiny() {
            return Some(self.up_to_cube_above());
        }
        let [below, above] = self.distances_from_one()?;
        // Of the right angle itself the quotient is infinite.
        if let Some(sign) = self.sign_of_one() {
            return Some(Self::pi(self.precision).scaled(-1) * Self::integer(sign, self.precision));
        }
        let x = self.clone().with_precision(below.precision);
        let root = (below * above).sqrt()?;
        let Some(quotient) = x.divided_by(&root) else {
            // All that an interval may hold that has one of the ends among others.
            let half_pi = Self::pi(self.precision).scaled(-1);
            return Some(half_pi.hull(&-&half_pi));
        };
        Some(quotient.atan().with_precision(self.precision).rounded())
    }

    /// The arccosines of the numbers; `None` where one is beyond 1 or -1.
    pub fn acos(&self) -> Option<Self> {
        let [below, above] = self.distances_from_one()?;
        match self.sign_of_one() {
            Some(1) => return Some(Self::integer(0, self.precision)),
            Some(_) => return Some(Self::pi(self.precision)),
            None => {}
        }
        let Some(quotient) = below.divided_by(&above) else {
            let pi = Self::pi(self.precision);
            return Some(pi.hull(&Self::integer(0, self.precision)));
        };
        // arccos x = 2 arctan sqrt((1 - x) / (1 + x)).
        let half = quotient.sqrt()?.atan();
        Some(half.scaled(1).with_precision(self.precision).rounded())
    }

    /// 1 - x and 1 + x; `None` where one of them is negative.
    fn distances_from_one(&self) -> Option<[Self; 2]> {
        let precision = self.precision.saturating_add(GUARD);
        let x = self.clone().with_precision(precision);
        let one = Self::integer(1, precision);
        let distances = [&one - &x, &one + &x];
        distances.iter().all(|distance| !distance.lower.is_negative()).then_some(distances)
    }

    /// The sign of 1 or -1, where it is one of these.
    fn sign_of_one(&self) -> Option<i64> {
        let is = |number| {
            self.compare(&Self::integer(number, self.precision))
                .is_some_and(std::cmp::Ordering::is_eq)
        };
        [1, -1].into_iter().find(|&number| is(number))
    }
}

/// x / (1 + sqrt(1 + x^2)), the tangent of half the angle, which is less than 1.
fn half_angle(x: &Interval, one: &Interval) -> Option<Interval> {
    let root = (one + &x.square()).sqrt()?;
    x.divided_by(&(one + &root))
}

/// The sum of (-1)^i x^(2i + 1) / (2i + 1) for |x| < 1: it alternates and its terms fall, so it is between two partial
/// sums that follow each other.
fn series(x: &Interval) -> Interval {
    let square = -x.square();
    let (mut power, mut sum) = (x.clone(), x.clone());
    let least = sum.binade().unwrap_or(0).saturating_sub(sum.precision.into());
    let mut n = 1;
    loop {
        power = power.next_term(&square, 1, least);
        n += 2;
        let term = power.clone().divided_by_integer(n);
        let next = &sum + &term;
        if term.binade().is_none_or(|binade| binade < least) {
            return sum.hull(&next);
        }
        sum = next;
    }
}
