//! Findings from the sweeps: what was observed on a region, with its tag and in plain words.

use super::documents::Reading;
use super::outcome::Shown;
use super::reading::{Datum, Equality};
use super::region::{self, example};
use super::rows::{Cell, Observation, Region, cells_of, compare, sweep};
use super::{Cause, DefectKind, Finding, Level, is_float};
use crate::dtype::DType;

/// The defects of the rows of one of some readings, type by type.
pub(super) fn of_reading(reading: Reading<'_>, all: &[Reading<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &dtype in &reading.section.types {
        let (cells, is_all) = cells_of(reading, dtype);
        let literal = sweep(reading, dtype, &cells, Equality::Comparison);
        if literal.promised == 0 {
            let scope: Vec<&str> = reading.section.scope.iter().map(|one| &*one.text).collect();
            let example = scope.join(" or ");
            let message =
                format!("the section is about operands with {example}, of which {dtype} has none");
            let of = (DefectKind::Contradiction, Level::Warning);
            let finding = reading.finding(dtype.name(), of, 1, example, message);
            findings.push(Finding { cause: Cause::NoOperands, ..finding });
        }
        // Integers have neither NaN nor a negative zero, and `=` one meaning.
        let meant = is_float(dtype).then(|| sweep(reading, dtype, &cells, Equality::Datum));
        for (&observation, region) in &literal.regions {
            if observation == Observation::Undecided && is_decided(reading, all, dtype, region) {
                continue;
            }
            let promised = literal.promised;
            let cells = &cells;
            let at = At { reading, other: None, dtype, promised, is_all, cells, region };
            let mut finding = at.finding(observation);
            if meant.as_ref().is_some_and(|meant| meant.regions.get(&observation) != Some(region)) {
                finding.message.push_str(
                    "; true of `=` as IEEE 754 compares, where NaN equals nothing and the zeros \
                     equal one another, not of `=` as the same datum",
                );
                let rows = operands(reading, dtype, region);
                let rows = rows.map(|operands| reading.covering(&operands, Equality::Datum));
                if let (Observation::Uncovered, Some(&[row, ..])) = (observation, rows.as_deref()) {
                    finding.requirement = reading.tag(row).into();
                }
            }
            findings.push(finding);
        }
    }
    findings
}

/// The operands that stand for a region.
fn operands(reading: Reading<'_>, dtype: DType, region: &Region) -> Option<Vec<Datum>> {
    let operands = reading.operands().iter().zip(&region.example);
    operands.map(|(name, bits)| Datum::of(reading.type_of(name, dtype), *bits)).collect()
}

/// Whether another section of the document states what operands give that a constraint excludes.
fn is_decided(reading: Reading<'_>, all: &[Reading<'_>], dtype: DType, region: &Region) -> bool {
    let Some(operands) = operands(reading, dtype, region) else { return false };
    let mut others = all.iter().filter(|other| {
        other.document.key == reading.document.key
            && other.section.types.contains(&dtype)
            && other.section.constraint == reading.section.constraint
    });
    others.any(|other| {
        let mut rows = other.covering(&operands, Equality::Datum).into_iter();
        let states =
            |row: usize| other.section.rows.get(row).is_some_and(|row| !row.then.is_formula());
        other.speaks_of(&operands) && rows.any(states)
    })
}

/// Where a reading gives other values than an earlier one of another document on the same operation.
pub(super) fn of_pair(earlier: Reading<'_>, reading: Reading<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let speak_of_all = earlier.section.scope.is_empty() && reading.section.scope.is_empty();
    let same_operation =
        reading.is_of_operation(&earlier) && reading.operands().len() == earlier.operands().len();
    let is_revision = [earlier, reading].iter().any(|one| one.document.revises.is_some());
    let is_same = earlier.document.key == reading.document.key;
    if is_same || is_revision || !speak_of_all || !same_operation {
        return findings;
    }
    let earlier_types = &earlier.section.types;
    for &dtype in reading.section.types.iter().filter(|dtype| earlier_types.contains(dtype)) {
        let [(cells, is_all), (others, of_all)] =
            [reading, earlier].map(|one| cells_of(one, dtype));
        let (cells, is_all) = if is_all { (others, of_all) } else { (cells, is_all) };
        let sweep = compare(reading, earlier, dtype, &cells);
        for (&observation, region) in &sweep.regions {
            let other = Some(earlier);
            let promised = sweep.promised;
            let cells = &cells;
            let at = At { reading, other, dtype, promised, is_all, cells, region };
            findings.push(at.finding(observation));
        }
    }
    findings
}

/// Where something was observed.
struct At<'a> {
    reading: Reading<'a>,
    /// The reading that it is set against, if it is not the oracle.
    other: Option<Reading<'a>>,
    dtype: DType,
    promised: u64,
    /// Whether all operands of the type were run.
    is_all: bool,
    cells: &'a [Vec<Cell>],
    region: &'a Region,
}

impl At<'_> {
    fn finding(&self, observation: Observation) -> Finding {
        let Self { reading, dtype, region, .. } = *self;
        let operands = self.operands();
        let describe = |row| reading.describe(row);
        let uncovered = (DefectKind::Uncovered, Level::Warning);
        let contradiction = (DefectKind::Contradiction, Level::Error);
        let (of, row, against, message) = match observation {
            Observation::Uncovered => (uncovered, None, "", format!("no row applies {operands}")),
            Observation::Unsaid { row } => {
                let (row_says, why) = (describe(row), reading.operation.undefined);
                let message = format!("{row_says} applies, but says no result {operands}: {why}");
                (uncovered, Some(row), "", message)
            }
            Observation::Overlap { first, second, agree } => {
                let (both, tag) =
                    ([first, second].map(describe).join(" and "), reading.tag(second));
                let (level, result) = match agree {
                    true => (Level::Note, "the same result"),
                    false => (Level::Error, "different results"),
                };
                let message = format!("{both} ({tag}) both apply, with {result} {operands}");
                ((DefectKind::Overlap, level), Some(first), tag, message)
            }
            Observation::Foreign { row, given } => {
                let tag = reading.section.result_type.unwrap_or(reading.section.requirement);
                let message = format!(
                    "{} gives {}, which is no value of {dtype}, the type that the result has ({tag}), \
                     {operands}",
                    describe(row),
                    foreign(given),
                );
                (contradiction, Some(row), tag, message)
            }
            Observation::Contradicted { row, given, other, expected, .. } => {
                let of_other = self.other.zip(other);
                let against = of_other.map_or("oracle", |(other, row)| other.tag(row));
                let rule = match of_other {
                    Some((other, row)) => {
                        let document = other.document.key;
                        format!("and {} of {document} ({against}) gives", other.describe(row))
                    }
                    None if reading.operator.is_none() => "where its formula gives".to_owned(),
                    None if is_float(dtype) => "where the exact rules of IEEE 754 give".to_owned(),
                    None => "where the exact rules of integer arithmetic give".to_owned(),
                };
                let (given, expected) = (value(given, "one number"), value(expected, "another"));
                let message =
                    format!("{} gives {given}, {rule} {expected}, {operands}", describe(row));
                (contradiction, Some(row), against, message)
            }
            Observation::Excluded { row } => {
                let tag = reading.section.constraint.unwrap_or_default();
                let message = format!(
                    "{} decides what the constraint {tag} excludes from the domain, {operands}",
                    describe(row)
                );
                (contradiction, Some(row), tag, message)
            }
            Observation::LeftOpen { row } => {
                let tag = reading.section.constraint.unwrap_or_default();
                let message = format!(
                    "{} leaves undefined what the constraint {tag} allows, {operands}",
                    describe(row)
                );
                (contradiction, Some(row), tag, message)
            }
            Observation::Undecided => {
                let tag = reading.section.constraint.unwrap_or_default();
                let message = format!(
                    "the constraint {tag} excludes operands that {dtype} has, and nothing says what becomes of \
                     them, {operands}"
                );
                (uncovered, None, tag, message)
            }
        };
        let requirement = row.map_or(reading.section.requirement, |row| reading.tag(row));
        let requirement = match observation {
            Observation::Undecided => reading.section.constraint.unwrap_or(requirement),
            _ => requirement,
        };
        let example = example(&region.example, reading, dtype);
        let finding = reading.finding(dtype.name(), of, region.count, example, message);
        let cause = self.cause(observation);
        Finding { requirement: requirement.into(), against: against.to_owned(), cause, ..finding }
    }

    const fn cause(&self, observation: Observation) -> Cause {
        match observation {
            Observation::Uncovered => Cause::NoRow,
            Observation::Unsaid { .. } => Cause::NoResult,
            Observation::Overlap { agree: true, .. } => Cause::Repeated,
            Observation::Overlap { agree: false, .. } => Cause::Ambiguous,
            Observation::Foreign { .. } => Cause::NotOfType,
            Observation::Contradicted { .. } if self.other.is_some() => Cause::OtherDocument,
            Observation::Contradicted { .. } => Cause::NotExact,
            Observation::Excluded { .. } => Cause::Excluded,
            Observation::Undecided => Cause::Undecided,
            Observation::LeftOpen { .. } => Cause::LeftOpen,
        }
    }

    /// `for 4 of 65,536 pairs of int8: those where ..`.
    fn operands(&self) -> String {
        let Self { reading, dtype, promised, region, is_all, .. } = *self;
        let all = match (reading.operands().len(), is_all) {
            (1, true) => "values",
            (2, true) => "pairs",
            (_, true) => "operands",
            (1, false) => "directed values",
            (2, false) => "directed pairs",
            (_, false) => "directed operands",
        };
        let unit = reading.section.scope_named.unwrap_or(all);
        let (count, promised) = (super::grouped(region.count), super::grouped(promised));
        if count == promised {
            return format!("for all {promised} {unit} of {dtype}");
        }
        let sorts = region::describe(region, reading, dtype, self.cells);
        let sorts = sorts.map_or_else(String::new, |sorts| format!(" ({sorts})"));
        format!("for {count} of {promised} {unit} of {dtype}{sorts}")
    }
}

fn foreign(given: Shown) -> &'static str {
    match given {
        Shown::Infinity | Shown::NegativeInfinity => "an infinity",
        Shown::NegativeZero => "negative zero",
        Shown::Fraction => "a number with a fraction",
        Shown::AboveRange => "a number beyond the largest",
        Shown::BelowRange => "a number below the least",
        Shown::Nan | Shown::NotNan | Shown::Zero | Shown::Number | Shown::True | Shown::False => {
            value(given, "a number")
        }
    }
}

fn value(shown: Shown, number: &'static str) -> &'static str {
    match shown {
        Shown::Nan => "NaN",
        Shown::Infinity => "inf",
        Shown::NegativeInfinity => "-inf",
        Shown::Zero => "0",
        Shown::NegativeZero => "-0",
        Shown::True => "True",
        Shown::False => "False",
        Shown::NotNan => "no NaN",
        Shown::Number | Shown::Fraction | Shown::AboveRange | Shown::BelowRange => number,
    }
}
