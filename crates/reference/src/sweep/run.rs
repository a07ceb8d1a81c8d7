//! One run of a check: in blocks, a block that is not decided fast in ever smaller ones, and of the
//! smallest each element that is not decided by exact arithmetic.

use values::dtype::DType;

use super::counts::{Counts, count, count_dispatched};
use super::exact_checker::{ExactChecker, Mismatch, bits};
use super::fast_check::FastCheck;
use super::tally::Tally;
use super::threshold::ErrorThreshold;

/// The fast checks of an operator, by element type.
pub trait FastChecks: Sync {
    /// Checks two columns of operands, which are the same for an operator of one, against one of
    /// results, in blocks, and what the fast check leaves undecided exactly; false, and nothing is
    /// checked, for a type without a fast check.
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool;
}

/// Elements that are checked together: first so many that summing up their counts takes little of
/// the time, and wherever these are not all decided, fewer.
const BLOCKS: [usize; 3] = [4096, 512, 64];

/// One run of a check.
pub struct Run<'a> {
    pub(crate) exact: ExactChecker<'a>,
    pub(crate) portable: bool,
    pub(crate) tally: &'a mut Tally,
    pub(crate) mismatch: &'a mut dyn FnMut(Mismatch),
}

impl Run<'_> {
    /// Checks all elements, of `W` bytes, by a fast check.
    pub(crate) fn fast<const W: usize, F: FastCheck<W>>(
        &mut self,
        check: fn(ErrorThreshold) -> F,
        columns: [&[u8]; 3],
    ) {
        self.blocks(check, columns.map(|bytes| bytes.as_chunks::<W>().0), 0, &BLOCKS);
    }

    /// Checks the elements from index `start` on in blocks of the first of these sizes, then of the
    /// others, then one by one.
    fn blocks<const W: usize, F: FastCheck<W>>(
        &mut self,
        check: fn(ErrorThreshold) -> F,
        columns: [&[[u8; W]]; 3],
        start: usize,
        sizes: &[usize],
    ) {
        let Some((&size, smaller)) = sizes.split_first() else {
            return self.elements(check(ErrorThreshold::of(self.tally)), columns, start);
        };
        let [a, b, results] = columns.map(|column| column.chunks(size));
        for (index, ((a, b), results)) in a.zip(b).zip(results).enumerate() {
            let block = [a, b, results];
            let bounded = check(ErrorThreshold::of(self.tally));
            let counts = if self.portable {
                count(bounded, block)
            } else {
                count_dispatched(bounded, block)
            };
            if counts.all_decided() {
                self.tally.append(&counts.tally());
            } else {
                self.blocks(check, block, start + index * size, smaller);
            }
        }
    }

    /// Checks the elements from index `start` on, exactly where the fast check does not decide.
    fn elements<const W: usize>(
        &mut self,
        check: impl FastCheck<W>,
        [a, b, results]: [&[[u8; W]]; 3],
        start: usize,
    ) {
        let mut counts = Counts::default();
        for (index, ((&a, &b), &result)) in a.iter().zip(b).zip(results).enumerate() {
            let checked = check.check(a, b, result);
            if checked.decided {
                counts.add(checked);
            } else {
                self.element(start + index, [a, b], result);
            }
        }
        self.tally.append(&counts.tally());
    }

    /// Checks all elements exactly, of whatever width their type has.
    pub(crate) fn exactly(&mut self, columns: [&[u8]; 3]) {
        match self.exact.dtype.bits() {
            Some(8) => self.all::<1>(columns),
            Some(16) => self.all::<2>(columns),
            Some(32) => self.all::<4>(columns),
            Some(64) => self.all::<8>(columns),
            _ => {}
        }
    }

    fn all<const W: usize>(&mut self, columns: [&[u8]; 3]) {
        let [a, b, results] = columns.map(|bytes| bytes.as_chunks::<W>().0);
        for (index, ((&a, &b), &result)) in a.iter().zip(b).zip(results).enumerate() {
            self.element(index, [a, b], result);
        }
    }

    fn element<const W: usize>(&mut self, index: usize, operands: [[u8; W]; 2], result: [u8; W]) {
        self.exact.check(index, operands.map(bits), bits(result), self.tally, self.mismatch);
    }
}
