//! Sums of products that are the elements of matrix products, bracketed tile by tile.
//!
//! A tile is a part of one of the matrices of the output. Its operands are laid out in float64 for so many terms at a time,
//! whatever the size of the whole. Each product, which is exact, is added to the sum and its magnitude to the sum of
//! magnitudes.

use std::ops::Range;

use multiversion::multiversion;
use values::float::FloatFormat;

use crate::exact::bracket::float_sum::{FloatSum, NO_BIT, Rounding, lowest_bit};
use crate::exact::bracket::{Bracket, Brackets};

/// Products of the matrices of two stacks, and perhaps one more term for each element.
pub(crate) trait Matrices: Sync {
    /// How many there are, and of what size.
    fn extent(&self) -> Extent;

    /// The factors on the left of these terms of these rows, each given with its place among the rows and terms.
    fn left(
        &self,
        matrix: usize,
        rows: Range<usize>,
        terms: Range<usize>,
        put: impl FnMut(usize, usize, f32),
    );

    /// The factors on the right of these terms of these columns, each given with its place among the columns and terms.
    fn right(
        &self,
        matrix: usize,
        columns: Range<usize>,
        terms: Range<usize>,
        put: impl FnMut(usize, usize, f32),
    );

    /// What is added to the products of an element.
    fn addend(&self, index: usize) -> f32;
}

/// The number of matrix products, and the sizes of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) matrices: usize,
    pub(crate) rows: usize,
    pub(crate) terms: usize,
    pub(crate) columns: usize,
}

/// The brackets of products of matrices whose elements have this format; the elements of the output are in the order of
/// matrices, rows and columns.
pub(crate) struct MatrixProducts<M> {
    pub(crate) matrices: M,
    pub(crate) format: &'static FloatFormat,
}

/// Rows and columns of a tile at most.
const TILE: usize = 128;

/// Terms that are added up before their sum is added to the others.
const TERMS: usize = 256;

/// Rows and columns of which the sums are kept in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 8;

/// Sums of some rows and columns.
type Sums = [[f64; COLUMNS]; ROWS];

/// One operand of a tile: lines of so many, with the terms of each group of them one after the other.
struct Lines<const GROUP: usize> {
    factors: Vec<[f64; GROUP]>,
    /// Terms that each group has room for.
    terms: usize,
    /// Of each line, a bit for each factor that is not 0, and the least and the greatest exponent of a factor's lowest
    /// bit, of those before too.
    filled: Vec<[u64; TERMS / 64]>,
    lowest: Vec<[i32; 2]>,
}

impl<const GROUP: usize> Lines<GROUP> {
    fn new(lines: usize, terms: usize) -> Self {
        let groups = lines.div_ceil(GROUP);
        let factors = vec![[0.0; GROUP]; groups * terms];
        let lowest = vec![[NO_BIT, -NO_BIT]; lines];
        Self { factors, terms, filled: vec![[0; TERMS / 64]; lines], lowest }
    }

    /// Makes room for other terms of the same lines.
    fn clear(&mut self) {
        self.filled.fill([0; TERMS / 64]);
    }

    #[inline]
    fn put(&mut self, line: usize, term: usize, factor: f32) {
        self.factors[line / GROUP * self.terms + term][line % GROUP] = factor.into();
        if factor != 0.0 {
            self.filled[line][term / 64] |= 1 << (term % 64);
            let ([least, most], own) = (self.lowest[line], lowest_bit(factor));
            self.lowest[line] = [least.min(own), most.max(own)];
        }
    }

    /// The factors of a group of lines, for so many terms.
    fn group(&self, group: usize, terms: usize) -> &[[f64; GROUP]] {
        &self.factors[group * self.terms..][..terms]
    }
}

/// Adds products, and their magnitudes, to sums of groups of rows and columns.
#[inline(always)]
fn add_products(left: &[[f64; ROWS]], right: &[[f64; COLUMNS]], sums: &mut [Sums; 2]) {
    let mut own = [[[0.0; COLUMNS]; ROWS]; 2];
    for (left, right) in left.iter().zip(right) {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let product = left[row] * right[column];
                own[0][row][column] += product;
                own[1][row][column] += product.abs();
            }
        }
    }
    for (sums, own) in sums.iter_mut().flatten().flatten().zip(own.iter().flatten().flatten()) {
        *sums += own;
    }
}

/// Adds the products that are not 0 to the counts of all lines on the left with all on the right.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
fn count_all(left: &Lines<ROWS>, right: &Lines<COLUMNS>, counts: &mut [u64]) {
    let rows = counts.chunks_mut(right.filled.len().max(1));
    for (left, counts) in left.filled.iter().zip(rows) {
        for (right, count) in right.filled.iter().zip(counts) {
            let both = left.iter().zip(right).map(|(left, right)| left & right);
            *count += both.map(|both| u64::from(both.count_ones())).sum::<u64>();
        }
    }
}

/// Adds the products of all groups of rows and columns, by the copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
fn add_all(
    left: &Lines<ROWS>,
    right: &Lines<COLUMNS>,
    groups: [usize; 2],
    terms: usize,
    sums: &mut [[Sums; 2]],
) {
    let [_, columns] = groups;
    for (place, sums) in sums.iter_mut().enumerate() {
        let (row, column) = (place / columns, place % columns);
        add_products(left.group(row, terms), right.group(column, terms), sums);
    }
}

impl<M: Matrices> MatrixProducts<M> {
    /// Tiles along the rows and along the columns.
    fn grid(&self) -> [usize; 2] {
        let Extent { rows, columns, .. } = self.matrices.extent();
        [rows, columns].map(|size| size.div_ceil(TILE))
    }
}

impl<M: Matrices> Brackets for MatrixProducts<M> {
    fn tiles(&self) -> usize {
        let [rows, columns] = self.grid();
        self.matrices.extent().matrices * rows * columns
    }

    fn tile(&self, at: usize) -> Vec<(usize, Option<Bracket>)> {
        let ([_, along], Extent { rows, terms, columns, .. }) =
            (self.grid(), self.matrices.extent());
        let per_matrix = self.grid().iter().product::<usize>().max(1);
        let (matrix, within) = (at / per_matrix, at % per_matrix);
        let [tall, wide] = [within / along.max(1), within % along.max(1)];
        let part =
            |tile: usize, size: usize| (tile * TILE).min(size)..((tile + 1) * TILE).min(size);
        let (own_rows, own_columns) = (part(tall, rows), part(wide, columns));

        let mut left = Lines::<ROWS>::new(own_rows.len(), terms.min(TERMS));
        let mut right = Lines::<COLUMNS>::new(own_columns.len(), terms.min(TERMS));
        let groups = [own_rows.len().div_ceil(ROWS), own_columns.len().div_ceil(COLUMNS)];
        let mut sums = vec![[[[0.0; COLUMNS]; ROWS]; 2]; groups.iter().product()];
        let mut counts = vec![0; own_rows.len() * own_columns.len()];
        for first in (0..terms).step_by(TERMS) {
            let some = first..(first + TERMS).min(terms);
            left.clear();
            right.clear();
            let put = |line, term, factor| left.put(line, term, factor);
            self.matrices.left(matrix, own_rows.clone(), some.clone(), put);
            let put = |line, term, factor| right.put(line, term, factor);
            self.matrices.right(matrix, own_columns.clone(), some.clone(), put);
            add_all(&left, &right, groups, some.len(), &mut sums);
            count_all(&left, &right, &mut counts);
        }

        let mut found = Vec::with_capacity(own_rows.len() * own_columns.len());
        for (row, line) in own_rows.enumerate() {
            for (column, place) in own_columns.clone().enumerate() {
                let [sum, magnitudes] = &sums[row / ROWS * groups[1] + column / COLUMNS];
                let of = |sums: &Sums| sums[row % ROWS][column % COLUMNS];
                let index = (matrix * rows + line) * columns + place;
                let addend = self.matrices.addend(index);
                let terms = terms as u64;
                let own = lowest_bit(addend);
                let [unit, most_unit] =
                    [0, 1].map(|end| (left.lowest[row][end] + right.lowest[column][end]).min(own));
                let sum = FloatSum {
                    sum: of(sum) + f64::from(addend),
                    magnitudes: of(magnitudes) + f64::from(addend.abs()),
                    // Among some terms, from the sum of some to that of all, and the addend.
                    additions: terms.min(TERMS as u64) + terms.div_ceil(TERMS as u64) + 1,
                    unit,
                    most_unit,
                    terms: counts[row * own_columns.len() + column] + u64::from(addend != 0.0),
                };
                let rounding = Rounding { format: self.format, roundings: 1, divisor: 1 };
                found.push((index, sum.bracket(rounding)));
            }
        }
        found
    }
}
