//! A reading run over every operand of a type: which rows apply, and whether what they give stands
//! up against one another, the result's type, the oracle and the other documents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::outcome::{Foreign, Outcome, Shown, by_sort, outcome, resolved, shown};
use super::reading::{Equality, Operation, Reading, ValueClass};
use crate::dtype::DType;
use crate::float::Class;

/// Operands of one sort. Rows tell operands apart by their sorts alone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    sort: ValueClass,
    /// In ascending order, at least one.
    patterns: Vec<u64>,
}

/// How the pairs of two cells are gone through. Both ways count every pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Pairs whose rows give the oracle's own result, or none, are counted by multiplication.
    Classes,
    /// Every pair by itself.
    Pairs,
}

/// What is the matter with some operands. Rows are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    /// No row applies.
    Uncovered,
    /// The row applies, and its formula has no result for them.
    Unsaid {
        /// The row.
        row: usize,
    },
    /// Two rows apply.
    Overlap {
        /// The row that comes first.
        first: usize,
        /// The other.
        second: usize,
        /// Whether they give the same.
        agree: bool,
    },
    /// The row gives what is no value of the result's type.
    Foreign {
        /// The row.
        row: usize,
        /// What it gives.
        given: Foreign,
    },
    /// The first row that applies gives what the oracle does not accept.
    Wrong {
        /// The row.
        row: usize,
        /// What it gives.
        given: Shown,
        /// What the oracle says.
        expected: Shown,
        /// Whether an operand is NaN.
        nan: bool,
    },
    /// The row decides operands that a constraint excludes.
    Excluded {
        /// The row.
        row: usize,
    },
    /// The row gives another value than a row of another reading.
    Contradicted {
        /// The row.
        row: usize,
        /// What it gives.
        given: Shown,
        /// The row of the other reading.
        other: usize,
        /// What that gives.
        expected: Shown,
        /// Whether an operand is NaN.
        nan: bool,
    },
}

/// The operands that an observation was made on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// How many.
    pub count: u64,
    /// Those with the smallest bits, the first operand's before the second's.
    pub example: [u64; 2],
    /// The sorts of all of them.
    pub sorts: BTreeSet<(ValueClass, ValueClass)>,
}

/// What came of running a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Operands of the type in the reading's scope, counted from the sizes of the cells.
    pub promised: u64,
    /// Operands that were judged.
    pub executed: u64,
    /// What was observed.
    pub regions: BTreeMap<Observation, Region>,
}

impl Sweep {
    fn observe(&mut self, observation: Observation, at: &At) {
        let region = self.regions.entry(observation).or_insert_with(|| Region {
            count: 0,
            example: at.example,
            sorts: BTreeSet::new(),
        });
        region.count += at.count;
        region.example = region.example.min(at.example);
        region.sorts.insert(at.sorts);
    }
}

/// Operands that are judged at once.
struct At {
    count: u64,
    example: [u64; 2],
    sorts: (ValueClass, ValueClass),
}

/// Runs a reading over all operands of a type of at most 16 bits; of wider types, and of others than
/// floats and integers, over none.
#[must_use]
pub fn sweep(reading: &Reading, dtype: DType, equality: Equality, method: Method) -> Sweep {
    let mut sweep = Sweep::default();
    for (a, b) in pairs(&operands(reading.operation, dtype, method)) {
        if !reading.scope.contains(a.sort, b.sort) {
            continue;
        }
        let sorts = (a.sort, b.sort);
        let rows = reading.covering(a.sort, b.sort, equality);
        let excluded = reading
            .constraint
            .is_some_and(|constraint| !constraint.holds.holds(a.sort, b.sort, equality));
        sweep.promised += (a.patterns.len() * b.patterns.len()) as u64;
        let settled: Option<Vec<Outcome>> = rows
            .iter()
            .map(|&row| by_sort(reading.rows.get(row)?.then, reading.operation, dtype, sorts))
            .collect();
        each(a, b, settled.is_some() && method == Method::Classes, |at| {
            let outcomes: Vec<(usize, Outcome)> = rows
                .iter()
                .filter_map(|&row| {
                    let then = reading.rows.get(row)?.then;
                    Some((row, outcome(then, reading.operation, dtype, at.sorts, at.example)))
                })
                .collect();
            sweep.executed += at.count;
            judge(&mut sweep, reading, dtype, excluded, &outcomes, &at);
        });
    }
    sweep
}

/// Where the first rows that apply in two readings give different values; rows of `reading` first.
#[must_use]
pub fn compare(reading: &Reading, other: &Reading, dtype: DType) -> Sweep {
    let mut sweep = Sweep::default();
    let first = |reading: &Reading, a: &Cell, b: &Cell| {
        let row = *reading.covering(a.sort, b.sort, Equality::Comparison).first()?;
        reading.scope.contains(a.sort, b.sort).then_some((row, reading.rows.get(row)?.then))
    };
    for (a, b) in pairs(&operands(reading.operation, dtype, Method::Classes)) {
        let (Some((row, left)), Some((row_of_other, right))) =
            (first(reading, a, b), first(other, a, b))
        else {
            continue;
        };
        sweep.promised += (a.patterns.len() * b.patterns.len()) as u64;
        let sorts = (a.sort, b.sort);
        // Neither can contradict the other where both leave it to the oracle, or one to nobody.
        let settled = by_sort(left, reading.operation, dtype, sorts).is_some()
            && by_sort(right, other.operation, dtype, sorts).is_some();
        each(a, b, settled, |at| {
            sweep.executed += at.count;
            if settled {
                return;
            }
            let value = |answer, operation| {
                let given = outcome(answer, operation, dtype, at.sorts, at.example);
                shown(resolved(given, operation, dtype, at.example)?, dtype)
            };
            let (Some((given, bits)), Some((expected, other_bits))) =
                (value(left, reading.operation), value(right, other.operation))
            else {
                return;
            };
            if (given, bits) != (expected, other_bits) {
                let nan = is_nan(sorts);
                let other = row_of_other;
                sweep.observe(Observation::Contradicted { row, given, other, expected, nan }, &at);
            }
        });
    }
    sweep
}

fn judge(
    sweep: &mut Sweep,
    reading: &Reading,
    dtype: DType,
    excluded: bool,
    outcomes: &[(usize, Outcome)],
    at: &At,
) {
    let Some(&(row, first)) = outcomes.first() else {
        if !excluded {
            sweep.observe(Observation::Uncovered, at);
        }
        return;
    };
    for (index, &(first, left)) in outcomes.iter().enumerate() {
        for &(second, right) in outcomes.iter().skip(index + 1) {
            let agree = left == right || {
                let value = |outcome| resolved(outcome, reading.operation, dtype, at.example);
                value(left) == value(right)
            };
            sweep.observe(Observation::Overlap { first, second, agree }, at);
        }
    }
    match first {
        // A result that is open on purpose agrees with whatever a constraint excludes.
        Outcome::Open => return,
        Outcome::Unsaid if !excluded => return sweep.observe(Observation::Unsaid { row }, at),
        Outcome::Unsaid => return,
        Outcome::Foreign(given) => sweep.observe(Observation::Foreign { row, given }, at),
        Outcome::Oracle | Outcome::Free | Outcome::Bits(_) | Outcome::Nan => {}
    }
    if excluded {
        sweep.observe(Observation::Excluded { row }, at);
    }
    if let Outcome::Bits(_) | Outcome::Nan = first
        && let Some(expected) = resolved(Outcome::Oracle, reading.operation, dtype, at.example)
        && expected != first
        && let (Some((given, _)), Some((expected, _))) =
            (shown(first, dtype), shown(expected, dtype))
    {
        sweep.observe(Observation::Wrong { row, given, expected, nan: is_nan(at.sorts) }, at);
    }
}

/// All patterns of a type of at most 16 bits; none of other types.
pub(super) fn patterns(dtype: DType) -> Range<u64> {
    match dtype.bits() {
        Some(bits) if bits <= 16 => 0..1 << bits,
        _ => 0..0,
    }
}

/// The patterns of a type, by their sorts or each by itself.
fn cells(dtype: DType, method: Method) -> Vec<Cell> {
    let sorted = patterns(dtype).filter_map(|bits| Some((ValueClass::of(dtype, bits)?, bits)));
    match method {
        Method::Pairs => sorted.map(|(sort, bits)| Cell { sort, patterns: vec![bits] }).collect(),
        Method::Classes => {
            let mut cells: BTreeMap<ValueClass, Vec<u64>> = BTreeMap::new();
            for (sort, bits) in sorted {
                cells.entry(sort).or_default().push(bits);
            }
            cells.into_iter().map(|(sort, patterns)| Cell { sort, patterns }).collect()
        }
    }
}

/// The cells of both operands. A root has one operand; a lone number stands in for the other.
fn operands(operation: Operation, dtype: DType, method: Method) -> [Vec<Cell>; 2] {
    let cells = cells(dtype, method);
    let seconds = match operation {
        Operation::Div(_) => cells.clone(),
        Operation::Sqrt => {
            let sort = ValueClass { class: Class::Normal, negative: false };
            vec![Cell { sort, patterns: vec![0] }]
        }
    };
    [cells, seconds]
}

/// Every first cell with every second one.
fn pairs([firsts, seconds]: &[Vec<Cell>; 2]) -> impl Iterator<Item = (&Cell, &Cell)> {
    firsts.iter().flat_map(move |a| seconds.iter().map(move |b| (a, b)))
}

/// Calls for every pair of two cells, or once for all of them.
fn each(a: &Cell, b: &Cell, at_once: bool, mut judge: impl FnMut(At)) {
    let sorts = (a.sort, b.sort);
    if at_once {
        if let (Some(&first), Some(&second)) = (a.patterns.first(), b.patterns.first()) {
            let count = (a.patterns.len() * b.patterns.len()) as u64;
            judge(At { count, example: [first, second], sorts });
        }
        return;
    }
    for &first in &a.patterns {
        for &second in &b.patterns {
            judge(At { count: 1, example: [first, second], sorts });
        }
    }
}

fn is_nan((a, b): (ValueClass, ValueClass)) -> bool {
    a.class == Class::Nan || b.class == Class::Nan
}
