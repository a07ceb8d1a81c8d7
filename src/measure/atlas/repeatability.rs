//! The same inputs asked for again: alone, in small tensors instead of a large one, and once more. No result may depend on that.

use super::document::Row;
use super::sheet::Sheet;
use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::measure::campaign::{Column, Implementation};

/// Operands that are asked alone, and with how many others.
const ALONE: u64 = 64;
const AMONG: u64 = 4099;

/// Large tensors, evenly spread over all inputs; how many elements each has, for which runtimes take several threads; and those of the
/// small ones that it is asked for in, one after the other. Neither is of a vector's length.
const TENSORS: u64 = 4;
const LARGE: u64 = (1 << 18) + 3;
const SMALL: u64 = 1021;

/// How many inputs had another result; none where none was asked, or the backend gave no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeatability {
    /// Alone than among others.
    position: Option<u64>,
    /// In a small tensor than in a large one.
    size: Option<u64>,
    /// When the same tensor was asked for once more.
    repetition: Option<u64>,
}

impl Repeatability {
    /// What a row says of it, where it says anything.
    pub(super) fn of(row: &Row) -> Option<Self> {
        let again = Self {
            position: row.position_dependent,
            size: row.size_dependent,
            repetition: row.repetition_dependent,
        };
        (again != Self::default()).then_some(again)
    }

    /// Asks a backend for those inputs of a sheet that are in its part.
    pub(super) fn measured(implementation: &dyn Implementation, sheet: &Sheet) -> Self {
        let asking = Asking { implementation, sheet };
        let [size, repetition] = asking.in_large().map_or([None; 2], |both| both.map(Some));
        Self { position: asking.alone(), size, repetition }
    }

    /// Adds what is known of another part.
    pub(super) fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Self {
            position: sum(self.position, other.position),
            size: sum(self.size, other.size),
            repetition: sum(self.repetition, other.repetition),
        }
    }

    /// Says so in a row.
    pub(super) const fn put(self, row: &mut Row) {
        row.position_dependent = self.position;
        row.size_dependent = self.size;
        row.repetition_dependent = self.repetition;
    }
}

struct Asking<'a> {
    implementation: &'a dyn Implementation,
    sheet: &'a Sheet,
}

impl Asking<'_> {
    /// The results of so many inputs from one on.
    fn results_of(&self, first: u64, len: u64) -> Option<Column> {
        let check = &self.sheet.plan.check;
        let mut columns = check.columns();
        let mut results = Column::new(check.result());
        columns.iter_mut().for_each(|column| column.resize(len as usize));
        results.resize(len as usize);
        self.sheet.plan.space.fill(first, &mut columns);
        self.implementation.compute(&columns, &mut results).ok()?;
        Some(results)
    }

    /// The first of so many places, evenly spread over all inputs, that are in the part of the sheet, each with its number.
    fn places(&self, count: u64) -> Vec<(u64, u64)> {
        let (part, all) = (self.sheet.plan.part(), self.sheet.plan.space.len());
        let place = |at| (u128::from(all) * u128::from(at) / u128::from(count)) as u64;
        let places = (0..count).map(|at| (at, place(at)));
        places.filter(|(_, index)| part.contains(index)).collect()
    }

    fn alone(&self) -> Option<u64> {
        let (dtype, all) = (self.sheet.plan.check.result(), self.sheet.plan.space.len());
        let mut count = None;
        for (at, index) in self.places(ALONE) {
            // Here and there among the others.
            let len = AMONG.min(all);
            let first = index.saturating_sub(at * 613 % len).min(all - len);
            let among = self.results_of(first, len)?.element((index - first) as usize);
            let alone = self.results_of(index, 1)?.element(0);
            count = Some(count.unwrap_or(0) + u64::from(!is_same(dtype, alone, among)));
        }
        count
    }

    /// How many results were others in small tensors, and when the large one was asked for once more.
    fn in_large(&self) -> Option<[u64; 2]> {
        let (dtype, all) = (self.sheet.plan.check.result(), self.sheet.plan.space.len());
        // Of few inputs one tensor holds all.
        let (tensors, len) = if all <= LARGE { (1, all) } else { (TENSORS, LARGE) };
        let mut counts = None;
        for (_, index) in self.places(tensors) {
            let first = index.min(all - len);
            let [once, twice] = [self.results_of(first, len)?, self.results_of(first, len)?];
            let [mut size, mut repetition] = counts.unwrap_or([0; 2]);
            for start in (0..len).step_by(SMALL as usize) {
                let few = SMALL.min(len - start);
                let small = self.results_of(first + start, few)?;
                for at in 0..few as usize {
                    let place = start as usize + at;
                    let result = once.element(place);
                    size += u64::from(!is_same(dtype, result, small.element(at)));
                    repetition += u64::from(!is_same(dtype, result, twice.element(place)));
                }
            }
            counts = Some([size, repetition]);
        }
        counts
    }
}

/// Whether two results are the same. Any NaN is as good as another.
fn is_same(dtype: DType, a: u64, b: u64) -> bool {
    let is_nan =
        |bits| matches!(dtype.kind(), Kind::Float(format) if format.class(bits) == Class::Nan);
    a == b || is_nan(a) && is_nan(b)
}
