//! Spaces of three operands: a choice between two others, and an element between two bounds.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Part, SEED, Space, Stratified, set};
use crate::inputs::Column;
use values::dtype::{DType, Kind, integer};

/// All triples of values of these many bits, at most 63 together: the lowest bits of an index are the first operand, the highest ones the
/// last.
pub struct Triples {
    bits: [u32; 3],
}

impl Triples {
    /// Those of operands of these widths.
    pub const fn new(bits: [u32; 3]) -> Self {
        Self { bits }
    }
}

impl Space for Triples {
    fn len(&self) -> u64 {
        1 << self.bits.iter().sum::<u32>()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        for (at, index) in (0..len).zip(first..) {
            let mut rest = index;
            for (column, bits) in operands.iter_mut().zip(self.bits) {
                column.set(at, rest & ((1 << bits) - 1));
                rest >>= bits;
            }
        }
    }
}

/// Pairs of random operands to choose from, as [`Stratified`] has them, and the condition before them: true for the inputs of odd numbers.
pub struct Choices(Stratified);

impl Choices {
    /// So many inputs of every stratum of the pairs; none where they are more than can be numbered.
    pub fn new(dtype: DType, signed: bool, count: u64, seed: u64) -> Option<Self> {
        Stratified::new(dtype, 2, signed, count, seed).map(Self)
    }
}

impl Space for Choices {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let Some((condition, pairs)) = operands.split_first_mut() else { return };
        (0..condition.len()).zip(first..).for_each(|(at, index)| condition.set(at, index & 1));
        self.0.fill(first, pairs);
    }

    fn parts(&self) -> Vec<Part> {
        self.0.parts()
    }
}

/// Random triples in runs: the last two operands are scalars, which are the same in a run and lie in one stratum.
pub(crate) struct Runs<S, E> {
    /// Inputs of a run.
    run: u64,
    /// Inputs of a stratum, which are not always whole runs.
    count: u64,
    /// The strata.
    parts: Vec<Part>,
    scalars: S,
    element: E,
}

/// Which input of all it is.
pub(crate) struct Place {
    /// Its number.
    pub(crate) index: u64,
    /// The number of its run.
    pub(crate) run: u64,
    /// Its number in the run.
    pub(crate) within: u64,
}

/// As many scalars of each stratum as there are runs; none where the inputs are more than can be numbered.
pub(crate) fn strata_of_runs(
    (dtype, arity): (DType, usize),
    count: u64,
    run: u64,
    seed: u64,
) -> Option<Stratified> {
    Stratified::new(dtype, arity, true, count, seed)?;
    Stratified::new(dtype, arity, true, count.div_ceil(run), seed)
}

impl<S, E> Runs<S, E>
where
    S: Fn(u64) -> [u64; 2] + Send + Sync,
    E: Fn(&Place, [u64; 2]) -> u64 + Send + Sync,
{
    /// So many inputs of each of these strata: the scalars by the number of a run, and the element beside them.
    pub(crate) fn new(strata: Vec<Part>, count: u64, run: u64, scalars: S, element: E) -> Self {
        let parts = strata.into_iter().map(|part| Part { size: count, ..part }).collect();
        Self { run, count, parts, scalars, element }
    }
}

impl<S, E> Space for Runs<S, E>
where
    S: Fn(u64) -> [u64; 2] + Send + Sync,
    E: Fn(&Place, [u64; 2]) -> u64 + Send + Sync,
{
    fn len(&self) -> u64 {
        self.parts.len() as u64 * self.count
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        let runs = self.count.div_ceil(self.run);
        let mut current = None;
        for (at, index) in (0..len).zip(first..) {
            let (stratum, place) = (index / self.count, index % self.count);
            let place =
                Place { index, run: stratum * runs + place / self.run, within: place % self.run };
            let scalars = match current {
                Some((run, scalars)) if run == place.run => scalars,
                _ => (self.scalars)(place.run),
            };
            current = Some((place.run, scalars));
            let [second, third] = scalars;
            set(operands, at, [(self.element)(&place, scalars), second, third]);
        }
    }

    fn parts(&self) -> Vec<Part> {
        self.parts.clone()
    }
}

/// The bounds, and their neighbours by the bits.
const BESIDE: [(usize, i64); 6] = [(0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Random elements and the random bounds that they may lie between, minimum and maximum, in whichever order: in a run are elements of
/// each size and pattern, and the bounds and their neighbours. Of every stratum of bounds there are so many inputs; none where they are
/// more than can be numbered.
pub(crate) fn bounded(dtype: DType, count: u64, seed: u64) -> Option<impl Space + 'static> {
    let strata = Stratified::new(dtype, 1, true, 1, seed)?.len();
    let run = strata + BESIDE.len() as u64;
    let bounds = strata_of_runs((dtype, 2), count, run, seed)?;
    // Elements are other ones than bounds.
    let (parts, of_bounds) = (bounds.parts(), bounds.len());
    let elements = Stratified::new(dtype, 1, true, of_bounds, seed ^ SEED.rotate_left(8))?;
    let element = move |place: &Place, bounds: [u64; 2]| match BESIDE
        .get(place.within.wrapping_sub(strata) as usize)
    {
        Some((bound, step)) => bounds[*bound].wrapping_add_signed(*step),
        None => drawn::<1>(&elements, dtype, place.within * of_bounds + place.run)[0],
    };
    let scalars = move |run| drawn::<2>(&bounds, dtype, run);
    Some(Runs::new(parts, count, run, scalars, element))
}

/// The operands of a type at an index of a space.
pub(crate) fn drawn<const N: usize>(space: &Stratified, dtype: DType, index: u64) -> [u64; N] {
    let mut operands = vec![Column::new(dtype); N];
    operands.iter_mut().for_each(|column| column.resize(1));
    space.fill(index, &mut operands);
    std::array::from_fn(|operand| operands[operand].element(0))
}

/// Minima and maxima that are tried of a type: of floats the special values, of integers the ends, the middle and what is beside zero. Those come first
/// that bound least, and NaNs last.
pub(crate) fn bounds_of(dtype: DType) -> Option<[Vec<u64>; 2]> {
    let numbers: Vec<u64> = match dtype.kind() {
        Kind::Float(format) => super::patterns::specials(format),
        Kind::Int { signed, bits } => {
            let ones = u64::MAX >> (u64::BITS - bits);
            let half = ones >> u32::from(signed);
            let all = [0, 1, 2, half / 2, half - 1, half];
            let negative = all.map(|bits| !bits & ones);
            let all: BTreeSet<u64> = all.into_iter().chain(negative).collect();
            all.into_iter().collect()
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => return None,
    };
    let place = |bits: &u64| match dtype.kind() {
        Kind::Float(format) => format.ordinal(*bits).map(i128::from),
        Kind::Int { signed, bits: width } => Some(integer((*bits).into(), signed, width)),
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    };
    let [mut minima, mut maxima] = [numbers.clone(), numbers];
    minima.sort_by_key(|bits| (place(bits).is_none(), place(bits)));
    maxima.sort_by_key(|bits| (place(bits).is_none(), place(bits).map(Reverse)));
    Some([minima, maxima])
}

#[cfg(test)]
mod tests {
    use super::super::triples;
    use super::*;

    #[test]
    fn all_triples_are_there_once_and_the_first_operand_changes_fastest() {
        let types = [DType::Bool, DType::Uint8, DType::Uint8];
        let all = triples(&Triples::new([1, 8, 8]), types, 0, 1 << 17);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 1 << 17);
        assert_eq!(all[0x83 << 9 | 2 << 1 | 1], [1, 2, 0x83]);
        assert_eq!(triples(&Triples::new([1, 8, 8]), types, 77, 9), all[77..86]);
    }

    #[test]
    fn a_choice_is_made_both_ways_among_the_pairs_of_each_stratum() {
        let types = [DType::Bool, DType::Float16, DType::Float16];
        let space = Choices::new(DType::Float16, true, 4, SEED).unwrap();
        let all = triples(&space, types, 0, space.len() as usize);
        assert!((0..).zip(&all).all(|(index, triple)| triple[0] == index & 1));
        let pairs = Stratified::new(DType::Float16, 2, true, 4, SEED).unwrap();
        let pairs = super::super::tuples(&pairs, DType::Float16);
        assert!(all.iter().zip(&pairs).all(|(triple, pair)| triple[1..] == pair[..]));
        assert_eq!(triples(&space, types, 13, 5), all[13..18]);
        let parts = space.parts();
        assert_eq!(parts.iter().map(|part| part.size).sum::<u64>(), space.len());
    }

    #[test]
    fn a_run_has_the_same_bounds_elements_of_every_stratum_and_those_beside_the_bounds() {
        for (dtype, count) in [(DType::Float32, 100), (DType::Int8, 26), (DType::Uint64, 3)] {
            let space = bounded(dtype, count, SEED).unwrap();
            let strata = Stratified::new(dtype, 1, true, 1, SEED).unwrap().len() as usize;
            let all = triples(&space, [dtype; 3], 0, space.len() as usize);
            assert_eq!(space.len() / count, space.parts().len() as u64);
            for stratum in all.chunks(count as usize) {
                for run in stratum.chunks(strata + 6) {
                    assert!(run.iter().all(|triple| triple[1..] == run[0][1..]), "{dtype}");
                    if let Some(beside) = run.get(strata..).filter(|it| it.len() == 6) {
                        let [_, min, max] = run[0];
                        assert_eq!([beside[1][0], beside[4][0]], [min, max]);
                        assert_ne!(beside[0][0], min);
                    }
                }
            }
            let part = triples(&space, [dtype; 3], 41, 90);
            assert_eq!(part, all[41..131]);
            // Few patterns have few elements.
            let elements: BTreeSet<u64> = all.iter().map(|triple| triple[0]).collect();
            let least = if dtype == DType::Int8 { 200 } else { all.len() / 2 };
            assert!(elements.len() > least, "{dtype} {}", elements.len());
        }
    }

    #[test]
    fn bounds_that_bound_least_come_first_and_nans_last() {
        let [minima, maxima] = bounds_of(DType::Int8).unwrap();
        assert_eq!((minima[0], maxima[0], minima.len()), (0x80, 0x7f, maxima.len()));
        assert_eq!(minima.iter().rev().collect::<Vec<_>>(), maxima.iter().collect::<Vec<_>>());
        let [minima, maxima] = bounds_of(DType::Float16).unwrap();
        let infinities = [0xfc00, 0x7c00];
        assert_eq!([minima[0], maxima[0]], infinities);
        let is_nan = |bits: &&u64| *bits & 0x7fff > 0x7c00;
        for bounds in [minima, maxima] {
            let nans = bounds.iter().filter(is_nan).count();
            assert!(nans > 4 && bounds[bounds.len() - nans..].iter().all(|it| is_nan(&it)));
        }
        assert_eq!(bounds_of(DType::Bool), None);
    }

    #[test]
    fn more_inputs_than_can_be_numbered_are_refused() {
        assert!(bounded(DType::Float32, 1 << 60, SEED).is_none());
        assert!(Choices::new(DType::Float32, true, 1 << 60, SEED).is_none());
    }
}
