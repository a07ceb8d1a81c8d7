//! Sine, cosine and tangent.
//!
//! With k pi/2 taken off, x leaves an r of at most about pi/4, and the series of sin r and cos r are summed in interval
//! arithmetic. Both alternate and their terms fall for |r| <= 1, so each lies between any two partial sums that follow
//! each other (Leibniz). As everything is computed on intervals, rounding needs no bound of its own. sin x, cos x and
//! tan x are transcendental for every rational x but 0 (Lindemann, *Ueber die Zahl pi*, Mathematische Annalen 20,
//! 1882), so their refinement ends.

use num_bigint::BigInt;

use super::Interval;

/// Binades above which no operand is reduced: more than twice those of float64, whose largest number has 1,024.
const HIGHEST: i64 = 1 << 14;

/// Bits beyond those asked for, for the rounding of some hundred steps.
const SERIES_GUARD: u32 = 20;

/// Bits beyond those asked for, of the multiple of pi/2: those for rounding, and the 62 leading bits that the difference from
/// a multiple of pi/2 has in common with it at most, for numbers of float64 (J.-M. Muller, *Elementary
/// Functions*, 3rd edition, Birkhaeuser 2016, section 11.3). Where they were more, less of the result were known.
const GUARD: u32 = 80;

/// How often pi/2 was taken off, modulo 4, and what is left.
struct Reduced {
    quarters: u8,
    rest: Interval,
}

impl Interval {
    /// The sines of the numbers.
    pub fn sin(&self) -> Self {
        let Some(Reduced { quarters, rest }) = self.reduced() else { return self.all_sines() };
        let sine = if quarters % 2 == 0 { sine(&rest) } else { cosine(&rest) };
        self.signed(quarters >= 2, sine)
    }

    /// The cosines of the numbers.
    pub fn cos(&self) -> Self {
        let Some(Reduced { quarters, rest }) = self.reduced() else { return self.all_sines() };
        let cosine = if quarters % 2 == 0 { cosine(&rest) } else { sine(&rest) };
        self.signed(quarters == 1 || quarters == 2, cosine)
    }

    /// The tangents of the numbers; `None` where the precision does not tell that none is at a pole.
    pub fn tan(&self) -> Option<Self> {
        if self.is_tiny() {
            return Some(self.up_to_cube_above());
        }
        let Reduced { quarters, rest } = self.reduced()?;
        let [sine, cosine] = [sine(&rest), cosine(&rest)];
        let (is_negative, tangent) = match quarters % 2 {
            0 => (false, sine.divided_by(&cosine)?),
            _ => (true, cosine.divided_by(&sine)?),
        };
        Some(self.signed(is_negative, tangent))
    }

    /// Whether the numbers' squares are below what the precision tells from 1, so that all of x + x^3 is one step.
    pub(super) fn is_tiny(&self) -> bool {
        self.binade().is_none_or(|binade| 2 * (binade + 1) < -i64::from(self.precision))
    }

    /// The numbers between each x and x + x^3, which tan x and arcsin x are for |x| < 1: (tan x - x) / x^3 and
    /// (arcsin x - x) / x^3 rise with |x|, from 1/3 and 1/6 to 0.5575 and 0.5708 at 1.
    pub(super) fn up_to_cube_above(&self) -> Self {
        self.hull(&(self + &(&self.square() * self)))
    }

    /// Every sine and cosine.
    fn all_sines(&self) -> Self {
        let one = Self::integer(1, self.precision);
        one.hull(&-&one)
    }

    fn signed(&self, is_negative: bool, result: Self) -> Self {
        let result = if is_negative { -result } else { result };
        result.with_precision(self.precision).rounded()
    }

    /// The numbers less a multiple of pi/2; `None` where they are too large, or too far apart for what is left to be
    /// within 1 of 0.
    fn reduced(&self) -> Option<Reduced> {
        let Some(binade) = self.binade() else {
            return Some(Reduced { quarters: 0, rest: self.clone() });
        };
        if binade < -1 {
            let rest = self.clone().with_precision(self.precision.saturating_add(SERIES_GUARD));
            return Some(Reduced { quarters: 0, rest });
        }
        if binade > HIGHEST {
            return None;
        }
        // So many bits of pi as there are before the point of x, and those that are to be left after it.
        let precision = self.precision.saturating_add(GUARD).saturating_add(binade.max(0) as u32);
        let x = self.clone().with_precision(precision);
        let half_pi = Self::pi(precision).scaled(-1);
        // Any multiple does: the nearest one is computed from bounds, and only what is left tells whether it was that.
        let half = Self::power_of_two(-1, precision);
        let [multiple, _] = (x.divided_by(&half_pi)? + half).integers();
        let quarters: BigInt = &multiple & BigInt::from(3);
        let rest = x - Self::new(multiple, 0, precision) * half_pi;
        let rest = rest.with_precision(self.precision.saturating_add(SERIES_GUARD)).rounded();
        let is_small = rest.binade().is_none_or(|binade| binade < 0);
        is_small.then(|| Reduced { quarters: u8::try_from(quarters).unwrap_or_default(), rest })
    }
}

/// The sum of `first` and its products with -r^2 / ((n + 1) (n + 2)), -r^2 / ((n + 3) (n + 4)) and so on: between the last
/// partial sum and the one before.
fn alternating(first: Interval, rest: &Interval, mut n: u32) -> Interval {
    let square = -rest.square();
    let (mut term, mut sum) = (first.clone(), first);
    let least = sum.binade().unwrap_or(0).saturating_sub(sum.precision.into());
    loop {
        term = term.next_term(&square, (n + 1) * (n + 2), least);
        let next = &sum + &term;
        if term.binade().is_none_or(|binade| binade < least) {
            return sum.hull(&next);
        }
        sum = next;
        n += 2;
    }
}

/// sin r for |r| <= 1.
fn sine(rest: &Interval) -> Interval {
    alternating(rest.clone(), rest, 1)
}

/// cos r for |r| <= 1.
fn cosine(rest: &Interval) -> Interval {
    alternating(Interval::integer(1, rest.precision), rest, 0)
}
