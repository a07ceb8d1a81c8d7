//! The way of the elements: in blocks, a block that is not settled at a look in ever smaller ones, and
//! of the smallest each element that is not settled to the oracle.

use super::counts::{Counts, count, count_dispatched};
use super::integer::{Int8, Int16, Int32, Uint8, Uint16, Uint32};
use super::look::Look;
use super::quotient::{Quotient, WideQuotient};
use super::reach::Reach;
use super::root::Root;
use super::settle::bits;
use super::{Check, Mismatch, Operation, Tally};
use values::dtype::DType;

/// Elements that are looked at together: first so many that summing up their counts takes little of
/// the time, and wherever these are not all settled, fewer.
const BLOCKS: [usize; 3] = [4096, 512, 64];

/// One run of a check.
pub(super) struct Run<'a> {
    pub(super) check: Check,
    pub(super) tally: &'a mut Tally,
    pub(super) mismatch: &'a mut dyn FnMut(Mismatch),
}

impl Run<'_> {
    /// Checks two columns of operands, which may be the same, against one of results.
    pub(super) fn columns(&mut self, columns: [&[u8]; 3]) {
        match (self.check.settler.operation, self.check.settler.dtype) {
            (Operation::Div, DType::Float16) => self.look(Quotient::<10, 15>, columns),
            (Operation::Div, DType::Bfloat16) => self.look(Quotient::<7, 127>, columns),
            (Operation::Div, DType::Float32) => self.look(WideQuotient::<23, 127>, columns),
            (Operation::Div, DType::Int8) => self.look(Int8, columns),
            (Operation::Div, DType::Int16) => self.look(Int16, columns),
            (Operation::Div, DType::Int32) => self.look(Int32, columns),
            (Operation::Div, DType::Uint8) => self.look(Uint8, columns),
            (Operation::Div, DType::Uint16) => self.look(Uint16, columns),
            (Operation::Div, DType::Uint32) => self.look(Uint32, columns),
            (Operation::Sqrt, DType::Float16) => self.look::<2, _>(Root::<10, 15>, columns),
            (Operation::Sqrt, DType::Bfloat16) => self.look::<2, _>(Root::<7, 127>, columns),
            (Operation::Sqrt, DType::Float32) => self.look::<4, _>(Root::<23, 127>, columns),
            _ => self.settle(columns),
        }
    }

    /// Looks at all elements, of `W` bytes.
    fn look<const W: usize, L: Look<W>>(&mut self, look: fn(Reach) -> L, columns: [&[u8]; 3]) {
        self.blocks(look, columns.map(|bytes| bytes.as_chunks::<W>().0), 0, &BLOCKS);
    }

    /// Looks at the elements from index `start` on in blocks of the first of these sizes, then of the
    /// others, then one by one.
    fn blocks<const W: usize, L: Look<W>>(
        &mut self,
        look: fn(Reach) -> L,
        columns: [&[[u8; W]]; 3],
        start: usize,
        sizes: &[usize],
    ) {
        let Some((&size, smaller)) = sizes.split_first() else {
            return self.elements(look(Reach::of(self.tally)), columns, start);
        };
        let [a, b, results] = columns.map(|column| column.chunks(size));
        for (index, ((a, b), results)) in a.zip(b).zip(results).enumerate() {
            let block = [a, b, results];
            let reach = look(Reach::of(self.tally));
            let counts = if self.check.portable {
                count(reach, block)
            } else {
                count_dispatched(reach, block)
            };
            if counts.all_settled() {
                self.tally.append(&counts.tally());
            } else {
                self.blocks(look, block, start + index * size, smaller);
            }
        }
    }

    /// Looks at the elements from index `start` on, and settles those that are not settled by that.
    fn elements<const W: usize>(
        &mut self,
        look: impl Look<W>,
        [a, b, results]: [&[[u8; W]]; 3],
        start: usize,
    ) {
        let mut counts = Counts::default();
        for (index, ((&a, &b), &result)) in a.iter().zip(b).zip(results).enumerate() {
            let seen = look.look(a, b, result);
            if seen.settled {
                counts.add(seen);
            } else {
                self.element(start + index, [a, b], result);
            }
        }
        self.tally.append(&counts.tally());
    }

    /// Settles all elements of a type of 8 bytes.
    fn settle(&mut self, columns: [&[u8]; 3]) {
        let [a, b, results] = columns.map(|bytes| bytes.as_chunks::<8>().0);
        for (index, ((&a, &b), &result)) in a.iter().zip(b).zip(results).enumerate() {
            self.element(index, [a, b], result);
        }
    }

    fn element<const W: usize>(&mut self, index: usize, operands: [[u8; W]; 2], result: [u8; W]) {
        let settler = self.check.settler;
        settler.settle(index, operands.map(bits), bits(result), self.tally, self.mismatch);
    }
}
