//! Whole domains: every value of one operand, and every pair of two.

use std::ops::Range;

use bytemuck::Pod;
use num_traits::WrappingAdd;

use super::Space;
use crate::inputs::Column;

/// All values of one operand, or all pairs of two that each run through the `2^bits` values from a first one
/// on: the pair at an index is `(first.0 + index mod 2^bits, first.1 + index div 2^bits)` in bits, so
/// that the first operand changes fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    bits: u32,
    rows: u64,
    first: (u64, u64),
}

impl Grid {
    /// All values of `bits` bits, at most 63, of one operand.
    pub const fn line(bits: u32) -> Self {
        Self { bits, rows: 1, first: (0, 0) }
    }

    /// All pairs of the `2^bits` values from each of `first` on; `bits` is at most 31.
    pub const fn new(bits: u32, first: (u64, u64)) -> Self {
        Self { bits, rows: 1 << bits, first }
    }

    /// The pair's places on both axes.
    const fn places(&self, index: u64) -> (u64, u64) {
        (index & ((1 << self.bits) - 1), index >> self.bits)
    }
}

impl Space for Grid {
    fn len(&self) -> u64 {
        self.rows << self.bits
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        let mut at = 0;
        while at < len {
            let (column, row) = self.places(first + at as u64);
            let left = usize::try_from((1 << self.bits) - column).unwrap_or(usize::MAX);
            let run = at..at + left.min(len - at);
            at = run.end;
            if let Some(a) = operands.first_mut() {
                write(a, run.clone(), self.first.0 + column, 1);
            }
            if let Some(b) = operands.get_mut(1) {
                write(b, run, self.first.1 + row, 0);
            }
        }
    }
}

/// Writes a run of elements: the bits of the first, and of each further one by a step more. They are counted
/// in the elements' own width, of which a vector holds most.
fn write(column: &mut Column, run: Range<usize>, first: u64, step: u64) {
    fn each<T: Pod + WrappingAdd>(values: &mut [T], first: T, step: T) {
        let mut bits = first;
        for value in values {
            *value = bits;
            bits = bits.wrapping_add(&step);
        }
    }
    match column.width() {
        1 => each(&mut column.values_mut::<u8>()[run], first as u8, step as u8),
        2 => each(&mut column.values_mut::<u16>()[run], first as u16, step as u16),
        4 => each(&mut column.values_mut::<u32>()[run], first as u32, step as u32),
        _ => each(&mut column.values_mut::<u64>()[run], first, step),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use values::dtype::DType;

    fn tuples(
        space: &dyn Space,
        dtype: DType,
        arity: usize,
        first: u64,
        len: usize,
    ) -> Vec<Vec<u64>> {
        let mut operands = vec![Column::new(dtype); arity];
        operands.iter_mut().for_each(|column| column.resize(len));
        space.fill(first, &mut operands);
        (0..len).map(|at| operands.iter().map(|column| column.element(at)).collect()).collect()
    }

    #[test]
    fn a_grid_of_all_bits_holds_every_pair_once() {
        let grid = Grid::new(8, (0, 0));
        let pairs = tuples(&grid, DType::Uint8, 2, 0, 1 << 16);
        assert_eq!(pairs.iter().collect::<BTreeSet<_>>().len() as u64, grid.len());
        assert_eq!(pairs[0x0302], [0x02, 0x03]);
    }

    #[test]
    fn a_part_of_a_space_is_the_same_as_within_the_whole() {
        let grid = Grid::new(4, (0x3c00, 0x4000));
        let whole = tuples(&grid, DType::Float16, 2, 0, 1 << 8);
        assert_eq!(whole[0], [0x3c00, 0x4000]);
        assert_eq!(whole[255], [0x3c0f, 0x400f]);
        for (first, len) in [(0, 3), (14, 5), (31, 100), (255, 1)] {
            let part = tuples(&grid, DType::Float16, 2, first as u64, len);
            assert_eq!(part, whole[first..first + len]);
        }
        let line = Grid::line(32);
        assert_eq!(
            tuples(&line, DType::Float32, 1, (1 << 32) - 2, 2),
            [[0xffff_fffe], [0xffff_ffff]]
        );
    }
}
