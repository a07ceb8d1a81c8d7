//! One run of a check: in blocks, a block that is not decided fast in ever smaller ones, and of the
//! smallest each element that is not decided by exact arithmetic.

use values::dtype::DType;

use super::MAX_ARITY;
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
    /// Checks all elements, of `R` bytes from operands of `W` bytes, by a fast check.
    pub(crate) fn fast<const W: usize, const R: usize, F: FastCheck<W, R>>(
        &mut self,
        check: impl Fn(ErrorThreshold) -> F + Copy,
        [a, b, results]: [&[u8]; 3],
    ) {
        let operands = [a, b].map(|bytes| bytes.as_chunks::<W>().0);
        self.blocks(check, operands, results.as_chunks::<R>().0, 0, &BLOCKS);
    }

    /// Checks the elements from index `start` on in blocks of the first of these sizes, then of the
    /// others, then one by one.
    fn blocks<const W: usize, const R: usize, F: FastCheck<W, R>>(
        &mut self,
        check: impl Fn(ErrorThreshold) -> F + Copy,
        operands: [&[[u8; W]]; 2],
        results: &[[u8; R]],
        start: usize,
        sizes: &[usize],
    ) {
        let Some((&size, smaller)) = sizes.split_first() else {
            return self.elements(check(ErrorThreshold::of(self.tally)), operands, results, start);
        };
        let [a, b] = operands.map(|column| column.chunks(size));
        for (index, ((a, b), results)) in a.zip(b).zip(results.chunks(size)).enumerate() {
            let bounded = check(ErrorThreshold::of(self.tally));
            let counts = if self.portable {
                count(bounded, [a, b], results)
            } else {
                count_dispatched(bounded, [a, b], results)
            };
            if counts.all_decided() {
                self.tally.append(&counts.tally());
            } else {
                self.blocks(check, [a, b], results, start + index * size, smaller);
            }
        }
    }

    /// Checks the elements from index `start` on, exactly where the fast check does not decide.
    fn elements<const W: usize, const R: usize>(
        &mut self,
        check: impl FastCheck<W, R>,
        [a, b]: [&[[u8; W]]; 2],
        results: &[[u8; R]],
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

    /// Checks as many elements exactly as the shortest column has, of whatever widths their types have. There are as
    /// many columns of operands as the operator has.
    pub(crate) fn exactly(&mut self, operands: &[&[u8]], results: &[u8]) {
        let width = |dtype: &DType| Some(dtype.bits()?.div_ceil(8) as usize);
        let widths = self.exact.operands.iter().map(width).collect::<Option<Vec<_>>>();
        let (Some(widths), Some(of_results)) = (widths, width(&self.exact.result)) else { return };
        let operands = || operands.iter().zip(&widths);
        let lens = operands().map(|(column, width)| column.len() / width);
        let len = lens.fold(results.len() / of_results, usize::min);
        for index in 0..len {
            let mut elements = [0; MAX_ARITY];
            for (element, (column, width)) in elements.iter_mut().zip(operands()) {
                *element = element_at(column, *width, index);
            }
            let result = element_at(results, of_results, index);
            self.exact.check_bits(index, elements, result, self.tally, self.mismatch);
        }
    }

    fn element<const W: usize, const R: usize>(
        &mut self,
        index: usize,
        operands: [[u8; W]; 2],
        result: [u8; R],
    ) {
        // Both columns are the same where the operator has one operand.
        let mut elements = [0; MAX_ARITY];
        elements.iter_mut().zip(operands).take(self.exact.operands.len()).for_each(
            |(element, operand)| {
                *element = bits(operand);
            },
        );
        self.exact.check_bits(index, elements, bits(result), self.tally, self.mismatch);
    }
}

/// The bits of an element of a column, of a width in bytes.
fn element_at(column: &[u8], width: usize, index: usize) -> u64 {
    let mut word = [0; 8];
    word[..width].copy_from_slice(&column[index * width..][..width]);
    u64::from_le_bytes(word)
}
