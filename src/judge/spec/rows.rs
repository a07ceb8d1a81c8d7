//! A reading run over every operand of a type: which rows apply, and whether what they give stands
//! up against one another, the result's type, the oracle and the other documents.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::documents::Reading;
use super::outcome::{Outcome, Shown, Typed};
use super::reading::{Datum, Equality, RowAnswer};
use super::value_class::ValueClass;
use crate::dtype::{DType, Kind};
use crate::float::Class;

/// Elements of one sort, in ascending order, at least one. Rows distinguish operands by their sorts alone.
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
    /// The row leaves undefined what the constraint of its section allows.
    LeftOpen { row: usize },
    /// A constraint excludes them, and nothing specifies them.
    Undecided,
}

/// The operands that an observation was made on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) count: u64,
    /// Those with the smallest bits, the first operand's before the second's.
    pub(super) example: Vec<u64>,
    pub(super) sorts: BTreeSet<Vec<ValueClass>>,
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
    fn observe(&mut self, observation: Observation, at: &At<'_>) {
        let region = self.regions.entry(observation).or_insert_with(|| Region {
            count: 0,
            example: at.example.clone(),
            sorts: BTreeSet::new(),
        });
        region.count += at.count;
        if at.example < region.example {
            region.example.clone_from(&at.example);
        }
        if !region.sorts.contains(at.sorts) {
            region.sorts.insert(at.sorts.to_vec());
        }
    }
}

/// Operands that are judged at once.
struct At<'a> {
    count: u64,
    example: Vec<u64>,
    sorts: &'a [ValueClass],
    /// Whether a constraint excludes them.
    is_excluded: bool,
}

/// Runs a reading over all operands of a type, given as the cells of each operand; tuples of cells whose rows give the
/// oracle's own result, or none, are counted by multiplication.
pub(super) fn sweep(
    reading: Reading<'_>,
    dtype: DType,
    cells: &[Vec<Cell>],
    equality: Equality,
) -> Sweep {
    let typed = Typed::new(reading, dtype);
    let answers = |operands: &[Datum]| {
        let rows = reading.covering(operands, equality).into_iter();
        let answered =
            rows.filter_map(|row| Some((&typed, row, &reading.section.rows.get(row)?.then)));
        reading.speaks_of(operands).then(|| answered.collect())
    };
    let judge = |sweep: &mut Sweep, outcomes: &[_], at: &At<'_>| judge(sweep, &typed, outcomes, at);
    run(&typed, cells, equality, reading.needs_values(), answers, judge)
}

/// Where the first rows that apply in two readings give different values; rows of `reading` first.
pub(super) fn compare(
    reading: Reading<'_>,
    other: Reading<'_>,
    dtype: DType,
    cells: &[Vec<Cell>],
) -> Sweep {
    let both = [reading, other].map(|reading| Typed::new(reading, dtype));
    let [typed, _] = &both;
    let answers = |operands: &[Datum]| {
        let firsts = both.iter().map(|typed| {
            let row = *typed.reading.covering(operands, Equality::Comparison).first()?;
            let then = &typed.reading.section.rows.get(row)?.then;
            typed.reading.speaks_of(operands).then_some((typed, row, then))
        });
        firsts.collect()
    };
    let needs_values = reading.needs_values() || other.needs_values();
    run(typed, cells, Equality::Comparison, needs_values, answers, |sweep, outcomes, at| {
        let &[(row, given), (other, expected)] = outcomes else { return };
        let value = |typed: &Typed<'_>, outcome| typed.shown(typed.resolved(outcome, &at.example)?);
        let [typed, typed_other] = &both;
        let (given, expected) = (value(typed, given), value(typed_other, expected));
        contradict(sweep, (row, given), (Some(other), expected), at);
    })
}

/// The answers of all rows that count, each with its reading; `None` where the operands are passed over.
type Answers<'a> = Option<Vec<(&'a Typed<'a>, usize, &'a RowAnswer)>>;

/// Goes through the operands for which there are answers.
fn run<'a>(
    typed: &Typed<'_>,
    cells: &[Vec<Cell>],
    equality: Equality,
    needs_values: bool,
    answers: impl Fn(&[Datum]) -> Answers<'a>,
    judge: impl Fn(&mut Sweep, &[(usize, Outcome)], &At<'_>),
) -> Sweep {
    let mut sweep = Sweep::default();
    let datum = |(dtype, bits): (&DType, &u64)| Datum::of(*dtype, *bits);
    for_each_tuple(cells, |tuple: &[&Cell]| {
        let sorts: Vec<ValueClass> = tuple.iter().map(|(sort, _)| *sort).collect();
        let all: Vec<&[u64]> = tuple.iter().map(|(_, patterns)| &patterns[..]).collect();
        let of_sorts: Vec<Datum> = sorts.iter().copied().map(Datum::of_sort).collect();
        // What holds of all operands of these sorts, where sorts are enough.
        let shared = if needs_values { None } else { Some(answers(&of_sorts)) };
        if let Some(None) = shared {
            return;
        }
        let is_decided = shared
            .iter()
            .flatten()
            .flatten()
            .all(|(typed, _, then)| typed.by_sort(then, &sorts).is_some())
            && !needs_values;
        let size: u64 = all.iter().map(|patterns| patterns.len() as u64).product();
        let shared_excluded = typed.reading.excludes(&of_sorts, equality);
        let first: Vec<&[u64]> =
            all.iter().map(|patterns| patterns.get(..1).unwrap_or_default()).collect();
        let judged = if is_decided { &first } else { &all };
        for_each_tuple(judged, |example: &[&u64]| {
            let example: Vec<u64> = example.iter().map(|bits| **bits).collect();
            let count = if is_decided { size } else { 1 };
            let (own, is_excluded);
            let answers = match &shared {
                Some(shared) => {
                    is_excluded = shared_excluded;
                    shared.as_ref()
                }
                None => {
                    let operands: Option<Vec<Datum>> =
                        typed.types.iter().zip(&example).map(datum).collect();
                    let Some(operands) = operands else { return };
                    is_excluded = typed.reading.excludes(&operands, equality);
                    own = answers(&operands);
                    own.as_ref()
                }
            };
            let Some(answers) = answers else { return };
            let outcomes: Vec<(usize, Outcome)> = answers
                .iter()
                .map(|(typed, row, then)| (*row, typed.outcome(then, &sorts, &example)))
                .collect();
            sweep.executed += count;
            sweep.promised += count;
            judge(&mut sweep, &outcomes, &At { count, example, sorts: &sorts, is_excluded });
        });
    });
    sweep
}

/// Every choice of one from each list; that from the last one changes first.
fn for_each_tuple<'a, T>(lists: &[impl AsRef<[T]> + 'a], mut each: impl FnMut(&[&T])) {
    let lists: Vec<&[T]> = lists.iter().map(AsRef::as_ref).collect();
    if lists.iter().any(|list| list.is_empty()) {
        return;
    }
    let mut at = vec![0; lists.len()];
    loop {
        let chosen: Vec<&T> =
            lists.iter().zip(&at).filter_map(|(list, at)| list.get(*at)).collect();
        each(&chosen);
        let mut places = at.iter_mut().zip(&lists).rev();
        let next = places.find_map(|(at, list)| {
            *at = (*at + 1) % list.len();
            (*at > 0).then_some(())
        });
        if next.is_none() {
            return;
        }
    }
}

fn judge(sweep: &mut Sweep, typed: &Typed<'_>, outcomes: &[(usize, Outcome)], at: &At<'_>) {
    let Some(&(row, first)) = outcomes.first() else {
        let observation =
            if at.is_excluded { Observation::Undecided } else { Observation::Uncovered };
        return sweep.observe(observation, at);
    };
    for (index, &(first, left)) in outcomes.iter().enumerate() {
        for &(second, right) in outcomes.iter().skip(index + 1) {
            let value = |outcome| typed.resolved(outcome, &at.example);
            let agree = left == right || value(left) == value(right);
            sweep.observe(Observation::Overlap { first, second, agree }, at);
        }
    }
    // A formula does not apply to operands that a constraint excludes; a value that a row states does.
    let then = typed.reading.section.rows.get(row).map(|row| &row.then);
    let is_formula = then.is_some_and(RowAnswer::is_formula);
    match first {
        // A result that is open on purpose agrees with whatever a constraint excludes.
        Outcome::Open => {
            if !at.is_excluded && typed.reading.section.constraint.is_some() {
                sweep.observe(Observation::LeftOpen { row }, at);
            }
            return;
        }
        Outcome::Unsaid | Outcome::Foreign(_) if at.is_excluded && is_formula => {
            return sweep.observe(Observation::Undecided, at);
        }
        Outcome::Unsaid => return sweep.observe(Observation::Unsaid { row }, at),
        Outcome::Foreign(given) => sweep.observe(Observation::Foreign { row, given }, at),
        Outcome::Oracle | Outcome::Free | Outcome::Bits(_) | Outcome::Nan | Outcome::NotNan => {}
    }
    if at.is_excluded {
        sweep.observe(Observation::Excluded { row }, at);
    }
    if let Outcome::Bits(_) | Outcome::Nan | Outcome::NotNan = first {
        let expected = typed.resolved(Outcome::Oracle, &at.example);
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
    at: &At<'_>,
) {
    if let (Some(given), Some(expected)) = (given, expected)
        && differ(given, expected)
    {
        let nan = at.sorts.iter().any(|sort| sort.class == Class::Nan);
        let (given, expected) = (given.0, expected.0);
        sweep.observe(Observation::Contradicted { row, given, other, expected, nan }, at);
    }
}

/// Whether two values cannot both be right.
fn differ(one: (Shown, u64), other: (Shown, u64)) -> bool {
    match (one.0, other.0) {
        (Shown::NotNan, shown) | (shown, Shown::NotNan) => shown == Shown::Nan,
        _ => one != other,
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
    sorted(dtype, patterns(dtype))
}

fn sorted(dtype: DType, patterns: impl IntoIterator<Item = u64>) -> Vec<Cell> {
    let mut cells: BTreeMap<ValueClass, Vec<u64>> = BTreeMap::new();
    for bits in patterns {
        if let Some(sort) = ValueClass::of(dtype, bits) {
            cells.entry(sort).or_default().push(bits);
        }
    }
    cells.into_iter().collect()
}

/// Most operands that are judged one by one, and of types that have so few bits together all are.
const MAX_JUDGED: u64 = 1 << 19;
const FEW_BITS: u32 = 17;

/// The cells of each operand of a reading, and whether they hold all of its elements: only directed ones where there
/// would be too many to judge one by one.
pub(super) fn cells_of(reading: Reading<'_>, dtype: DType) -> (Vec<Vec<Cell>>, bool) {
    let typed = Typed::new(reading, dtype);
    let bits: u32 = typed.types.iter().filter_map(|dtype| dtype.bits()).sum();
    let is_few = bits <= FEW_BITS;
    if is_few || typed.types.len() <= 2 && !reading.needs_values() {
        let all: Vec<Vec<Cell>> = typed.types.iter().copied().map(cells).collect();
        if is_few || one_by_one(&typed, &all) <= MAX_JUDGED {
            return (all, true);
        }
    }
    let directed = |dtype: &DType| sorted(*dtype, directed(*dtype));
    (typed.types.iter().map(directed).collect(), false)
}

/// How many operands have to be judged one by one where sorts determine the rows that apply.
fn one_by_one(typed: &Typed<'_>, cells: &[Vec<Cell>]) -> u64 {
    let mut count = 0_u64;
    for_each_tuple(cells, |tuple: &[&Cell]| {
        let sorts: Vec<ValueClass> = tuple.iter().map(|(sort, _)| *sort).collect();
        let operands: Vec<Datum> = sorts.iter().copied().map(Datum::of_sort).collect();
        let rows = typed.reading.covering(&operands, Equality::Comparison).into_iter();
        let mut answers = rows.filter_map(|row| typed.reading.section.rows.get(row));
        if typed.reading.speaks_of(&operands)
            && answers.any(|row| typed.by_sort(&row.then, &sorts).is_none())
        {
            let size = tuple.iter().map(|(_, patterns)| patterns.len() as u64);
            count = count.saturating_add(size.product());
        }
    });
    count
}

/// The ends of a type's ranges and what lies next to them, zeros, ones and their neighbours, infinities and NaNs.
pub(super) fn directed(dtype: DType) -> Vec<u64> {
    let mut all = match dtype.kind() {
        Kind::Float(format) => {
            let normal = 1 << format.significand_bits;
            let one = (format.bias as u64) << format.significand_bits;
            let infinity = ((1 << format.exponent_bits) - 1) << format.significand_bits;
            let magnitudes =
                [0, 1, normal - 1, normal, one - 1, one, one + 1, infinity - 1, infinity];
            let nan = infinity | 1 << (format.significand_bits - 1);
            let both = |magnitude| [magnitude, format.negated(magnitude)];
            magnitudes.into_iter().chain([nan]).flat_map(both).collect()
        }
        Kind::Int { bits, .. } => {
            let (least, all) = (1 << (bits - 1), u64::MAX >> (u64::BITS - bits));
            vec![0, 1, 2, least - 1, least, least + 1, all - 1, all]
        }
        Kind::Bool => vec![0, 1],
        Kind::Complex(_) | Kind::String => Vec::new(),
    };
    all.sort_unstable();
    all
}
