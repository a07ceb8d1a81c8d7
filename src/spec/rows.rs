//! A reading run over every operand of a type: which rows apply, and whether what they give stands
//! up against one another, the result's type, the oracle and the other documents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::documents::Reading;
use super::outcome::{Outcome, Shown, Typed};
use super::reading::{Equality, RowAnswer, Sorts, ValueClass};
use crate::dtype::DType;
use crate::float::Class;

/// Elements of one sort, in ascending order, at least one. Rows tell operands apart by their sorts alone.
pub(super) type Cell = (ValueClass, Vec<u64>);

/// A defect of the rows for some operands. Rows are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Observation {
    /// No row applies.
    Uncovered,
    /// The row applies, and its formula has no result for them.
    Unsaid { row: usize },
    /// Two rows apply.
    Overlap { first: usize, second: usize, agree: bool },
    /// The row gives what is no value of the result's type.
    Foreign { row: usize, given: Shown },
    /// The first row that applies gives another value than the oracle or, where there is one, the row of the
    /// other reading. NaN is apart.
    Contradicted { row: usize, given: Shown, other: Option<usize>, expected: Shown, nan: bool },
    /// The row decides operands that a constraint excludes.
    Excluded { row: usize },
}

/// The operands that an observation was made on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) count: u64,
    /// Those with the smallest bits, the first operand's before the second's.
    pub(super) example: [u64; 2],
    pub(super) sorts: BTreeSet<Sorts>,
}

/// What came of running a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sweep {
    /// Operands of the type in the reading's scope, counted from the sizes of the cells.
    pub(super) promised: u64,
    /// Operands that were judged.
    pub(super) executed: u64,
    pub(super) regions: BTreeMap<Observation, Region>,
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
    sorts: Sorts,
    /// Whether a constraint excludes them.
    is_excluded: bool,
}

/// Runs a reading over all operands of a type; pairs of cells whose rows give the oracle's own result, or
/// none, are counted by multiplication.
pub(super) fn sweep(
    reading: Reading<'_>,
    dtype: DType,
    cells: &[Cell],
    equality: Equality,
) -> Sweep {
    let typed = Typed::new(reading, dtype);
    let answers = |sorts| {
        let rows = reading.covering(sorts, equality).into_iter();
        let answered =
            rows.filter_map(|row| Some((&typed, row, reading.section.rows.get(row)?.then)));
        reading.speaks_of(sorts).then(|| answered.collect())
    };
    let judge = |sweep: &mut Sweep, outcomes: &[_], at: &At| judge(sweep, &typed, outcomes, at);
    run(&typed, cells, equality, answers, judge)
}

/// Where the first rows that apply in two readings give different values; rows of `reading` first.
pub(super) fn compare(
    reading: Reading<'_>,
    other: Reading<'_>,
    dtype: DType,
    cells: &[Cell],
) -> Sweep {
    let both = [reading, other].map(|reading| Typed::new(reading, dtype));
    let [typed, _] = &both;
    let answers = |sorts| {
        let firsts = both.iter().map(|typed| {
            let row = *typed.reading.covering(sorts, Equality::Comparison).first()?;
            let then = typed.reading.section.rows.get(row)?.then;
            typed.reading.speaks_of(sorts).then_some((typed, row, then))
        });
        firsts.collect()
    };
    run(typed, cells, Equality::Comparison, answers, |sweep, outcomes, at| {
        let &[(row, given), (other, expected)] = outcomes else { return };
        let value = |typed: &Typed<'_>, outcome| typed.shown(typed.resolved(outcome, at.example)?);
        let [typed, typed_other] = &both;
        let (given, expected) = (value(typed, given), value(typed_other, expected));
        contradict(sweep, (row, given), (Some(other), expected), at);
    })
}

/// Goes through the operands for which there are answers: those of all rows that count, each with its
/// reading.
fn run<'a>(
    typed: &Typed<'_>,
    cells: &[Cell],
    equality: Equality,
    answers: impl Fn(Sorts) -> Option<Vec<(&'a Typed<'a>, usize, RowAnswer)>>,
    judge: impl Fn(&mut Sweep, &[(usize, Outcome)], &At),
) -> Sweep {
    let mut sweep = Sweep::default();
    let lone = [(ValueClass::POSITIVE, vec![0])];
    let others = if typed.reading.operation.operands.len() == 1 { &lone[..] } else { cells };
    for ((a, firsts), (b, seconds)) in cells.iter().flat_map(|a| others.iter().map(move |b| (a, b)))
    {
        let sorts = [*a, *b];
        let Some(answers) = answers(sorts) else { continue };
        let size = firsts.len() * seconds.len();
        sweep.promised += size as u64;
        let decided = answers.iter().all(|(typed, _, then)| typed.by_sort(*then, sorts).is_some());
        let (judged, count) = if decided { (1, size as u64) } else { (size, 1) };
        let is_excluded = typed.reading.excludes(sorts, equality);
        let pairs = firsts.iter().flat_map(|&a| seconds.iter().map(move |&b| [a, b]));
        for example in pairs.take(judged) {
            let at = At { count, example, sorts, is_excluded };
            let answers = answers.iter();
            let outcomes: Vec<(usize, Outcome)> = answers
                .map(|(typed, row, then)| (*row, typed.outcome(*then, sorts, example)))
                .collect();
            sweep.executed += count;
            judge(&mut sweep, &outcomes, &at);
        }
    }
    sweep
}

fn judge(sweep: &mut Sweep, typed: &Typed<'_>, outcomes: &[(usize, Outcome)], at: &At) {
    let Some(&(row, first)) = outcomes.first() else {
        if !at.is_excluded {
            sweep.observe(Observation::Uncovered, at);
        }
        return;
    };
    for (index, &(first, left)) in outcomes.iter().enumerate() {
        for &(second, right) in outcomes.iter().skip(index + 1) {
            let value = |outcome| typed.resolved(outcome, at.example);
            let agree = left == right || value(left) == value(right);
            sweep.observe(Observation::Overlap { first, second, agree }, at);
        }
    }
    match first {
        // A result that is open on purpose agrees with whatever a constraint excludes.
        Outcome::Open => return,
        Outcome::Unsaid if !at.is_excluded => {
            return sweep.observe(Observation::Unsaid { row }, at);
        }
        Outcome::Unsaid => return,
        Outcome::Foreign(given) => sweep.observe(Observation::Foreign { row, given }, at),
        Outcome::Oracle | Outcome::Free | Outcome::Bits(_) | Outcome::Nan => {}
    }
    if at.is_excluded {
        sweep.observe(Observation::Excluded { row }, at);
    }
    if let Outcome::Bits(_) | Outcome::Nan = first {
        let expected = typed.resolved(Outcome::Oracle, at.example);
        let expected = expected.and_then(|expected| typed.shown(expected));
        contradict(sweep, (row, typed.shown(first)), (None, expected), at);
    }
}

/// Observes that a row gives another value than the oracle or the row of another reading, where both give
/// one.
fn contradict(
    sweep: &mut Sweep,
    (row, given): (usize, Option<(Shown, u64)>),
    (other, expected): (Option<usize>, Option<(Shown, u64)>),
    at: &At,
) {
    if let (Some(given), Some(expected)) = (given, expected)
        && given != expected
    {
        let nan = at.sorts.iter().any(|sort| sort.class == Class::Nan);
        let (given, expected) = (given.0, expected.0);
        sweep.observe(Observation::Contradicted { row, given, other, expected, nan }, at);
    }
}

/// All patterns of a type of at most 16 bits; none of other types.
pub(super) fn patterns(dtype: DType) -> Range<u64> {
    match dtype.bits() {
        Some(bits) if bits <= 16 => 0..1 << bits,
        _ => 0..0,
    }
}

/// The patterns of a type by their sorts.
pub(super) fn cells(dtype: DType) -> Vec<Cell> {
    let mut cells: BTreeMap<ValueClass, Vec<u64>> = BTreeMap::new();
    for bits in patterns(dtype) {
        if let Some(sort) = ValueClass::of(dtype, bits) {
            cells.entry(sort).or_default().push(bits);
        }
    }
    cells.into_iter().collect()
}
