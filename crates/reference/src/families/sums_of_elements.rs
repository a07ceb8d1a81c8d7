//! Sums and means of the elements of a tensor, bracketed.

use values::float::FloatFormat;

use crate::exact::bracket::float_sum::{FloatSum, NO_BIT, Rounding, lowest_bit};
use crate::exact::bracket::{Bracket, Brackets};
use crate::exact::sum::Scale;

/// Where the elements of sums are.
pub(crate) trait Summands: Sync {
    /// How many sums there are.
    fn count(&self) -> usize;

    /// The places of the elements of a sum, and what it is divided by, which is not 0; `None` where it is open.
    fn summands(&self, index: usize) -> Option<(impl Iterator<Item = usize>, u64)>;
}

/// The brackets of sums of these elements, which have this format.
pub(crate) struct SumsOfElements<'a, S> {
    pub(crate) summands: &'a S,
    pub(crate) elements: Vec<f32>,
    pub(crate) format: &'static FloatFormat,
}

/// Sums of a tile.
const TILE: usize = 4096;

/// Elements that are added up before their sum is added to the others.
const TERMS: usize = 256;

impl<S: Summands> SumsOfElements<'_, S> {
    fn bracket(&self, index: usize) -> Option<Bracket> {
        let (places, divisor) = self.summands.summands(index)?;
        let roundings = Scale::Divisor(divisor).roundings(self.format).ok()?;
        let (mut sums, mut own) = ([0.0; 2], [0.0; 2]);
        let (mut terms, mut count, mut unit) = (0_u64, 0_u64, NO_BIT);
        for place in places {
            let element = *self.elements.get(place)?;
            own[0] += f64::from(element);
            own[1] += f64::from(element.abs());
            count += u64::from(element != 0.0);
            unit = unit.min(lowest_bit(element));
            terms += 1;
            if terms.is_multiple_of(TERMS as u64) {
                sums = [sums[0] + own[0], sums[1] + own[1]];
                own = [0.0; 2];
            }
        }
        let sum = FloatSum {
            sum: sums[0] + own[0],
            magnitudes: sums[1] + own[1],
            additions: terms.min(TERMS as u64) + terms.div_ceil(TERMS as u64) + 1,
            unit,
            most_unit: unit,
            terms: count,
        };
        sum.bracket(Rounding { format: self.format, roundings, divisor })
    }
}

impl<S: Summands> Brackets for SumsOfElements<'_, S> {
    fn tiles(&self) -> usize {
        self.summands.count().div_ceil(TILE)
    }

    fn tile(&self, at: usize) -> Vec<(usize, Option<Bracket>)> {
        let all = at * TILE..((at + 1) * TILE).min(self.summands.count());
        all.map(|index| (index, self.bracket(index))).collect()
    }
}
