//! What is asked of single numbers: which formats hold them.

use super::Interval;
use super::integer::Integer;

impl Interval {
    /// Whether it is the number 0 alone.
    pub fn is_zero(&self) -> bool {
        self.lower.is_zero() && self.upper.is_zero()
    }

    /// The exponent of the lowest bit that is not 0 of a single number; `None` for 0, and for several numbers.
    pub fn lowest_bit(&self) -> Option<i64> {
        let zeros = self.lower.trailing_zeros().filter(|_| self.is_point())?;
        Some(self.exponent.saturating_add_unsigned(zeros))
    }

    /// Whether it is a single number of so many significant bits, a multiple of `2^smallest`: every format with this
    /// precision and smallest number holds it, unless it is too large.
    pub fn is_held(&self, precision: u32, smallest: i64) -> bool {
        self.is_point() && self.are_held(precision, smallest)[0]
    }

    /// Whether the lower end is such a number, and whether the upper end is.
    pub(crate) fn are_held(&self, precision: u32, smallest: i64) -> [bool; 2] {
        [&self.lower, &self.upper].map(|end| {
            let Some(zeros) = end.trailing_zeros() else { return true };
            let lowest = self.exponent.saturating_add_unsigned(zeros);
            lowest >= smallest && end.bits() - zeros <= u64::from(precision)
        })
    }

    /// The exponent of a power of two, of either sign; `None` for any other number, and for several.
    pub fn as_power(&self) -> Option<i64> {
        self.binade().filter(|binade| self.lowest_bit() == Some(*binade))
    }

    /// The least of its numbers and of those of another, and the greatest: from the lesser lower end to the lesser upper
    /// one.
    pub fn at_most(&self, most: &Self) -> Self {
        let (a, b) = super::aligned(self, most);
        Self { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper), ..a }
    }

    /// The numbers that are among those of another too; `None` where there are none.
    pub fn common(&self, other: &Self) -> Option<Self> {
        let (a, b) = super::aligned(self, other);
        let [lower, upper] = [a.lower.max(b.lower), a.upper.min(b.upper)];
        (lower <= upper).then_some(Self { lower, upper, ..a })
    }

    /// The same where numbers below 0 become 0.
    pub fn not_negative(&self) -> Self {
        let [lower, upper] = [&self.lower, &self.upper].map(|end| end.clone().max(Integer::ZERO));
        Self { lower, upper, ..*self }
    }
}
