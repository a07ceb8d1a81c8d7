//! Spaces whose tuples are computed from an index: each from its own, of numbers or of strings, or as the solutions of numbered
//! candidates, of which it is not known beforehand which ones have any; and pairs of floats with all signs.

use rayon::prelude::*;

use super::{Space, Tuple, set};
use crate::inputs::Column;
use values::element::Element;
use values::float::FloatFormat;

/// The tuples, of two operands if nothing else is said, that a function gives for the indices below a length.
pub(crate) struct Indexed<F, const N: usize = 2> {
    len: u64,
    tuple: F,
}

impl<F: Fn(u64) -> [u64; N] + Send + Sync, const N: usize> Indexed<F, N> {
    pub(crate) const fn new(len: u64, tuple: F) -> Self {
        Self { len, tuple }
    }
}

impl<F: Fn(u64) -> [u64; N] + Send + Sync, const N: usize> Space for Indexed<F, N> {
    fn len(&self) -> u64 {
        self.len
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        for (at, index) in (0..len).zip(first..) {
            set(operands, at, (self.tuple)(index));
        }
    }
}

/// The tuples of elements, strings among them, that a function gives for the indices below a length.
pub(crate) struct Elements<F, const N: usize> {
    len: u64,
    tuple: F,
}

impl<F: Fn(u64) -> [Element; N] + Send + Sync, const N: usize> Elements<F, N> {
    pub(crate) const fn new(len: u64, tuple: F) -> Self {
        Self { len, tuple }
    }
}

impl<F: Fn(u64) -> [Element; N] + Send + Sync, const N: usize> Space for Elements<F, N> {
    fn len(&self) -> u64 {
        self.len
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        for (at, index) in (0..len).zip(first..) {
            let columns = operands.iter_mut().zip((self.tuple)(index));
            columns.for_each(|(column, element)| column.put(at, element));
        }
    }
}

/// Candidates that are counted together.
const BLOCK: u64 = 1 << 8;

/// The tuples that candidates have, in order. They are counted once and computed again when they are
/// asked for, so that a space takes little memory.
pub(crate) struct Sieve<F> {
    candidates: u64,
    solve: F,
    /// Number of tuples before each block of candidates, and in all.
    before: Vec<u64>,
}

impl<F, I> Sieve<F>
where
    F: Fn(u64) -> I + Send + Sync,
    I: IntoIterator<Item = Tuple>,
{
    /// The tuples that `solve` gives for the candidates below a number.
    pub(crate) fn new(candidates: u64, solve: F) -> Self {
        let count = |block: u64| -> u64 {
            let end = candidates.min((block + 1) * BLOCK);
            (block * BLOCK..end).map(|candidate| solve(candidate).into_iter().count() as u64).sum()
        };
        let before = summed(candidates.div_ceil(BLOCK), &count);
        Self { candidates, solve, before }
    }
}

/// The sums of the counts before each block, and of all. It knows the count by its reference, or all that counts in
/// parallel would be compiled once more for every function that a sieve has.
fn summed(blocks: u64, count: &(dyn Fn(u64) -> u64 + Sync)) -> Vec<u64> {
    let counts: Vec<u64> = (0..blocks).into_par_iter().map(count).collect();
    let mut before = vec![0];
    let mut sum = 0;
    before.extend(counts.into_iter().map(|count| {
        sum += count;
        sum
    }));
    before
}

impl<F, I> Space for Sieve<F>
where
    F: Fn(u64) -> I + Send + Sync,
    I: IntoIterator<Item = Tuple>,
{
    fn len(&self) -> u64 {
        self.before.last().copied().unwrap_or_default()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        let block = self.before.partition_point(|&before| before <= first).saturating_sub(1);
        let before = self.before.get(block).copied().unwrap_or_default();
        let candidates = block as u64 * BLOCK..self.candidates;
        let tuples = candidates.flat_map(&self.solve).skip((first - before) as usize);
        for (at, tuple) in (0..len).zip(tuples) {
            set(operands, at, tuple);
        }
    }
}

/// Each pair of positive numbers of a space with the four pairs of signs in a row: of the dividend
/// first.
pub(crate) struct Signed<S> {
    format: FloatFormat,
    pairs: S,
}

impl<S: Space> Signed<S> {
    pub(crate) const fn new(format: FloatFormat, pairs: S) -> Self {
        Self { format, pairs }
    }
}

impl<S: Space> Space for Signed<S> {
    fn len(&self) -> u64 {
        4 * self.pairs.len()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        let end = first + len as u64;
        let mut pairs = operands.to_vec();
        pairs.iter_mut().for_each(|column| column.resize((end.div_ceil(4) - first / 4) as usize));
        self.pairs.fill(first / 4, &mut pairs);
        let sign = self.format.width() - 1;
        for (at, index) in (first % 4..).enumerate().take(len) {
            let signs = [index & 1, index >> 1 & 1].map(|negative| negative << sign);
            let mut tuple = signs;
            for (operand, column) in tuple.iter_mut().zip(&pairs) {
                *operand |= column.element(index as usize / 4);
            }
            set(operands, at, tuple);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, tuples};
    use super::*;
    use values::dtype::DType;

    #[test]
    fn a_sieve_holds_the_solutions_wherever_it_is_entered() {
        let solve = |candidate: u64| (0..candidate % 3).map(move |k| [candidate, k]);
        let candidates = 3 * BLOCK + 5;
        let sieve = Sieve::new(candidates, solve);
        let expected: Vec<Tuple> = (0..candidates).flat_map(solve).collect();
        assert_eq!(sieve.len(), expected.len() as u64);
        assert_eq!(tuples(&sieve, DType::Uint16), expected);
        for first in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 17, sieve.len() - 1] {
            let mut operands = vec![Column::new(DType::Uint16); 2];
            operands.iter_mut().for_each(|column| column.resize(1));
            sieve.fill(first, &mut operands);
            let tuple = [operands[0].element(0), operands[1].element(0)];
            assert_eq!(tuple, expected[first as usize]);
        }
    }

    #[test]
    fn a_sieve_without_solutions_is_empty() {
        assert!(Sieve::new(10_000, |_| None).is_empty());
    }

    #[test]
    fn every_pair_has_all_signs_wherever_the_space_is_entered() {
        let space = Signed::new(FloatFormat::FLOAT16, Grid::new(2, (0x3c00, 0x4000)));
        let whole = tuples(&space, DType::Float16);
        let second = [[0x3c01, 0x4000], [0xbc01, 0x4000], [0x3c01, 0xc000], [0xbc01, 0xc000]];
        assert_eq!((whole.len(), &whole[4..8]), (64, &second[..]));
        for (first, len) in [(0, 1), (3, 2), (5, 12), (63, 1)] {
            let mut operands = vec![Column::new(DType::Float16); 2];
            operands.iter_mut().for_each(|column| column.resize(len));
            space.fill(first as u64, &mut operands);
            for at in 0..len {
                let tuple = [operands[0].element(at), operands[1].element(at)];
                assert_eq!(tuple, whole[first + at]);
            }
        }
    }
}
