//! Natural numbers that bounds are computed with: of 128 bits where everything fits, or of any size.
//!
//! One formula, written for [`Natural`], is computed in the quick type first and once more in the other where
//! that gives up. Nothing wraps or is cut off: what does not fit is `None`.

use num_bigint::BigUint;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub};

use super::enclosed;
use super::truncated::Exact;

/// Natural numbers of some size.
pub(super) trait Natural:
    Clone + Ord + From<u64> + CheckedAdd + CheckedMul + CheckedSub
{
    /// The number that these words make, the lowest first, times `2^shift`. Where that divides, the bits below
    /// the unit have to be zero.
    fn of_words(words: &[u64], shift: i32) -> Option<Self>;

    /// This times `2^shift`.
    fn scaled(&self, shift: u32) -> Option<Self>;

    /// Whether this is `factor * 2^shift` or more; the factor is not zero.
    fn reaches(&self, factor: &Self, shift: u32) -> bool;

    /// `self / denominator * 2^exponent`, known to at least so many bits.
    fn ratio(&self, denominator: &Self, exponent: i32, bits: u32) -> Option<Exact>;

    /// `a * b + c`.
    fn fused(a: &Self, b: &Self, c: &Self) -> Option<Self> {
        a.checked_mul(b)?.checked_add(c)
    }

    /// The difference of two numbers, whichever is larger.
    fn apart(&self, other: &Self) -> Option<Self> {
        if self < other { other.checked_sub(self) } else { self.checked_sub(other) }
    }
}

impl Natural for u128 {
    fn of_words(words: &[u64], shift: i32) -> Option<Self> {
        let right = if shift < 0 { shift.unsigned_abs() } else { 0 };
        let bit = right % u64::BITS;
        let mut words = words.iter().skip((right / u64::BITS) as usize).copied();
        let [low, high, top] = [(); 3].map(|()| Self::from(words.next().unwrap_or(0)));
        let above = top >> bit;
        if above != 0 || words.any(|word| word != 0) {
            return None;
        }
        let number = (high << u64::BITS | low) >> bit | top.unbounded_shl(Self::BITS - bit);
        number.scaled(shift.max(0).unsigned_abs())
    }

    fn scaled(&self, shift: u32) -> Option<Self> {
        (*self == 0 || shift <= self.leading_zeros()).then(|| self.unbounded_shl(shift))
    }

    fn reaches(&self, factor: &Self, shift: u32) -> bool {
        // What does not fit is more than any number that does.
        factor.scaled(shift).is_some_and(|least| *self >= least)
    }

    fn ratio(&self, denominator: &Self, exponent: i32, bits: u32) -> Option<Exact> {
        if *self == 0 {
            return Some(Exact::ZERO);
        }
        // A dividend of n bits makes a quotient of n - m bits or one more, m those of the divisor.
        let shift = self.leading_zeros().checked_sub(Self::BITS - Exact::KNOWN)?;
        let least = Exact::KNOWN.checked_sub(Self::BITS - denominator.leading_zeros())?;
        let dividend = self << shift;
        let significand = dividend.checked_div(*denominator)?;
        let inexact = significand * denominator != dividend;
        (least >= bits).then(|| Exact { significand, exponent: exponent - shift as i32, inexact })
    }
}

impl Natural for BigUint {
    fn of_words(words: &[u64], shift: i32) -> Option<Self> {
        let halves = |word: &u64| [*word as u32, (*word >> u32::BITS) as u32];
        let number = Self::new(words.iter().flat_map(halves).collect());
        let by = shift.unsigned_abs();
        Some(if shift < 0 { number >> by } else { number << by })
    }

    fn scaled(&self, shift: u32) -> Option<Self> {
        Some(self << shift)
    }

    fn reaches(&self, factor: &Self, shift: u32) -> bool {
        *self >= factor << shift
    }

    fn ratio(&self, denominator: &Self, exponent: i32, bits: u32) -> Option<Exact> {
        let exact = enclosed::ratio(self, denominator, exponent.into());
        (bits <= enclosed::SIGNIFICAND_BITS).then_some(exact)
    }
}
