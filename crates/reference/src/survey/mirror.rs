//! Numbers and their negations, whose results go together where a function is even or odd.

use values::float::{Class, FloatFormat};

use super::{BLOCK, Record, Survey, bits_of, block};
use crate::elementwise::Symmetry;

impl Survey<'_> {
    /// Whether the function is even or odd.
    pub fn knows_symmetry(&self) -> bool {
        self.symmetry().is_some()
    }

    /// How the results of floats and of their negations go together, and the format.
    fn symmetry(&self) -> Option<(&'static FloatFormat, Symmetry)> {
        let format = self.floats().filter(|_| self.check.result() == self.check.dtype())?;
        Some((format, self.check.function().symmetry()?))
    }

    /// Writes the negations of operands into a column of as many; tells whether any of them, but for the first `lead`
    /// ones, is not negative, so that [`Self::compare`] has something to compare.
    pub fn negate(&self, operands: &[u8], lead: usize, negations: &mut [u8]) -> bool {
        let Some(width) = self.check.dtype().bits().map(|bits| (bits / 8) as usize) else {
            return false;
        };
        negations.copy_from_slice(operands);
        // Elements are little-endian: the sign is the last bit.
        let signs = || operands.iter().skip(width - 1).step_by(width).map(|byte| byte >> 7);
        negations.iter_mut().skip(width - 1).step_by(width).for_each(|byte| *byte ^= 0x80);
        signs().skip(lead).any(|sign| sign == 0)
    }

    /// Compares the results of operands that are not negative with those of their negations, in the same places. The first
    /// `lead` ones were compared already.
    pub fn compare(
        &self,
        operands: &[u8],
        results: &[u8],
        others: &[u8],
        lead: usize,
        record: &mut Record,
    ) {
        record.not_symmetric += match self.check.dtype().bits() {
            Some(8) => self.asymmetric::<1>([operands, results, others], lead),
            Some(16) => self.asymmetric::<2>([operands, results, others], lead),
            Some(32) => self.asymmetric::<4>([operands, results, others], lead),
            Some(64) => self.asymmetric::<8>([operands, results, others], lead),
            _ => 0,
        };
    }

    fn asymmetric<const W: usize>(&self, columns: [&[u8]; 3], lead: usize) -> u64 {
        let Some((format, symmetry)) = self.symmetry() else { return 0 };
        let [operands, results, others] =
            columns.map(|column| column.as_chunks::<W>().0.get(lead..).unwrap_or_default());
        let sign = match symmetry {
            Symmetry::Even => 0,
            Symmetry::Odd => format.negated(0),
        };
        let goes = |a: u64, b: u64| {
            let is = |class: Class| format.class(a) == class && format.class(b) == class;
            // Any NaN is as good as another, and so is any zero.
            a ^ b == sign || is(Class::Nan) || is(Class::Zero)
        };
        let blocks = operands.chunks(BLOCK).zip(results.chunks(BLOCK)).zip(others.chunks(BLOCK));
        let of_block = |((operands, results), others): ((&[_], &[_]), &[_])| {
            if let ([results, others], Ok(sign), 4) = (
                [results, others].map(|column| column.as_flattened().as_chunks().0),
                u32::try_from(sign),
                W,
            ) && !block::differ_otherwise(results, others, sign)
            {
                return 0;
            }
            let pairs = results.iter().zip(others).map(|(a, b)| (bits_of::<W>(*a), bits_of(*b)));
            let is_wrong = |(x, (a, b)): &(&[u8; W], (u64, u64))| {
                let x = bits_of(**x);
                // A NaN has no negation.
                !format.is_negative(x) && format.class(x) != Class::Nan && !goes(*a, *b)
            };
            operands.iter().zip(pairs).filter(is_wrong).count() as u64
        };
        blocks.map(of_block).sum()
    }
}
