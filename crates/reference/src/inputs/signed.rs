//! Pairs of floats with all signs.

use super::{Space, set};
use crate::inputs::Column;
use values::float::FloatFormat;

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
