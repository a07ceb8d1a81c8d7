//! Whole domains: every value of one operand, and every pair of two.

use bytemuck::Pod;

use super::Space;
use crate::inputs::Column;

/// All values of one operand: the tuple at an index has the index as its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    bits: u32,
}

/// All pairs of two operands that each run through the `2^bits` values from a first one on:
/// the pair at an index is `(first.0 + index mod 2^bits, first.1 + index div 2^bits)` in bits, so
/// that the first operand changes fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    bits: u32,
    first: (u64, u64),
}

impl Line {
    /// All values of `bits` bits, at most 63.
    pub const fn new(bits: u32) -> Self {
        Self { bits }
    }
}

impl Grid {
    /// All pairs of the `2^bits` values from each of `first` on; `bits` is at most 31.
    pub const fn new(bits: u32, first: (u64, u64)) -> Self {
        Self { bits, first }
    }

    /// The pair's places on both axes.
    const fn places(&self, index: u64) -> (u64, u64) {
        (index & ((1 << self.bits) - 1), index >> self.bits)
    }
}

impl Space for Line {
    fn len(&self) -> u64 {
        1 << self.bits
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        if let [x] = operands {
            ramp(x, 0, x.len(), first);
        }
    }
}

impl Space for Grid {
    fn len(&self) -> u64 {
        1 << (2 * self.bits)
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let [a, b] = operands else { return };
        let mut at = 0;
        while at < a.len() {
            let (column, row) = self.places(first + at as u64);
            let left = usize::try_from((1 << self.bits) - column).unwrap_or(usize::MAX);
            let run = left.min(a.len() - at);
            ramp(a, at, run, self.first.0 + column);
            repeat(b, at, run, self.first.1 + row);
            at += run;
        }
    }
}

/// Writes `len` elements from `at` on: `first`, `first + 1`, ..
fn ramp(column: &mut Column, at: usize, len: usize, first: u64) {
    fn write<T: Pod>(values: &mut [T], first: u64, convert: impl Fn(u64) -> T) {
        for (value, bits) in values.iter_mut().zip(first..) {
            *value = convert(bits);
        }
    }
    let range = at..at + len;
    match column.width() {
        1 => write(&mut column.values_mut::<u8>()[range], first, |bits| bits as u8),
        2 => write(&mut column.values_mut::<u16>()[range], first, |bits| bits as u16),
        4 => write(&mut column.values_mut::<u32>()[range], first, |bits| bits as u32),
        _ => write(&mut column.values_mut::<u64>()[range], first, |bits| bits),
    }
}

/// Writes `len` elements from `at` on, all with these bits.
fn repeat(column: &mut Column, at: usize, len: usize, bits: u64) {
    let range = at..at + len;
    match column.width() {
        1 => column.values_mut::<u8>()[range].fill(bits as u8),
        2 => column.values_mut::<u16>()[range].fill(bits as u16),
        4 => column.values_mut::<u32>()[range].fill(bits as u32),
        _ => column.values_mut::<u64>()[range].fill(bits),
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
        let line = Line::new(32);
        assert_eq!(
            tuples(&line, DType::Float32, 1, (1 << 32) - 2, 2),
            [[0xffff_fffe], [0xffff_ffff]]
        );
    }
}
