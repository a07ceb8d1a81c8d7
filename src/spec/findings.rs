//! Findings from the sweeps: what was observed on a region, with its tag and in plain words.

use super::documents::Reading;
use super::outcome::Shown;
use super::reading::Equality;
use super::region::{describe, example};
use super::sweep::{Observation, Region, cells, compare, sweep};
use super::{Finding, Kind, Level, is_float};
use crate::dtype::DType;

/// What is the matter with the rows of one reading, type by type.
pub(super) fn of_reading(reading: Reading<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &dtype in &reading.section.types {
        let cells = cells(dtype);
        let literal = sweep(reading, dtype, &cells, Equality::Comparison);
        // Integers have neither NaN nor a negative zero, and `=` one meaning.
        let meant = is_float(dtype).then(|| sweep(reading, dtype, &cells, Equality::Datum));
        for (&observation, region) in &literal.regions {
            let at = At { reading, other: None, dtype, promised: literal.promised, region };
            let mut finding = at.finding(observation);
            if meant.as_ref().is_some_and(|meant| meant.regions.get(&observation) != Some(region)) {
                finding.message.push_str(
                    "; true of `=` as IEEE 754 compares, where NaN equals nothing and the zeros \
                     equal one another, not of `=` as the same datum",
                );
                if observation == Observation::Uncovered
                    && let Some(row) = at.meant_row()
                {
                    finding.requirement = reading.tag(row);
                }
            }
            findings.push(finding);
        }
    }
    findings
}

/// Where a reading gives other values than an earlier one of another document on the same operation.
pub(super) fn of_pair(earlier: Reading<'_>, reading: Reading<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let speak_of_all = earlier.section.scope.is_none() && reading.section.scope.is_none();
    let same_operation = earlier.operator.judged_as == reading.operator.judged_as;
    if earlier.document.key == reading.document.key || !speak_of_all || !same_operation {
        return findings;
    }
    let earlier_types = &earlier.section.types;
    for &dtype in reading.section.types.iter().filter(|dtype| earlier_types.contains(dtype)) {
        let sweep = compare(reading, earlier, dtype, &cells(dtype));
        for (&observation, region) in &sweep.regions {
            let other = Some(earlier);
            let at = At { reading, other, dtype, promised: sweep.promised, region };
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
    region: &'a Region,
}

impl At<'_> {
    fn finding(&self, observation: Observation) -> Finding {
        let Self { reading, dtype, region, .. } = *self;
        let operands = self.operands();
        let section = reading.section;
        let constraint = section.constraint.as_ref().map_or("", |one| one.requirement);
        let error = (Kind::Contradiction, Level::Error);
        let (of, requirement, against, message) = match observation {
            Observation::Uncovered => {
                let of = (Kind::Uncovered, Level::Warning);
                (of, section.requirement, "", format!("no row applies {operands}"))
            }
            Observation::Unsaid { row } => {
                let message = format!(
                    "{} applies, but says no result {operands}: {}",
                    reading.describe(row),
                    reading.operation.undefined,
                );
                ((Kind::Uncovered, Level::Warning), reading.tag(row), "", message)
            }
            Observation::Overlap { first, second, agree } => {
                let level = if agree { Level::Note } else { Level::Error };
                let message = format!(
                    "{} and {} ({}) both apply, with {} {operands}",
                    reading.describe(first),
                    reading.describe(second),
                    reading.tag(second),
                    if agree { "the same result" } else { "different results" },
                );
                ((Kind::Overlap, level), reading.tag(first), reading.tag(second), message)
            }
            Observation::Foreign { row, given } => {
                let result_type = section.result_type.unwrap_or(section.requirement);
                let message = format!(
                    "{} gives {}, which is no value of {dtype}, the type that the result has \
                     ({result_type}), {operands}",
                    reading.describe(row),
                    foreign(given),
                );
                (error, reading.tag(row), result_type, message)
            }
            Observation::Contradicted { row, given, other, expected, .. } => {
                let of_other = self.other.zip(other);
                let against = of_other.map_or("oracle", |(other, row)| other.tag(row));
                let rule = match of_other {
                    Some((other, row)) => {
                        let document = other.document.key;
                        format!("and {} of {document} ({against}) gives", other.describe(row))
                    }
                    None if is_float(dtype) => "where the exact rules of IEEE 754 give".to_owned(),
                    None => "where the exact rules of integer arithmetic give".to_owned(),
                };
                let (row_says, tag) = (reading.describe(row), reading.tag(row));
                let (given, expected) = (value(given, "one number"), value(expected, "another"));
                (
                    error,
                    tag,
                    against,
                    format!("{row_says} gives {given}, {rule} {expected}, {operands}"),
                )
            }
            Observation::Excluded { row } => {
                let message = format!(
                    "{} decides what the constraint {constraint} excludes from the domain, {operands}",
                    reading.describe(row)
                );
                (error, reading.tag(row), constraint, message)
            }
        };
        let example = example(region.example, reading, dtype);
        let finding = reading.finding(dtype.name(), of, region.count, example, message);
        Finding { requirement, against: against.to_owned(), ..finding }
    }

    /// The row that applies where `=` means the same datum.
    fn meant_row(&self) -> Option<usize> {
        let sorts = *self.region.sorts.first()?;
        self.reading.covering(sorts, Equality::Datum).first().copied()
    }

    /// `for 4 of 65,536 pairs of int8: those where ..`.
    fn operands(&self) -> String {
        let Self { reading, dtype, promised, region, .. } = *self;
        let unit = match (&reading.section.scope, reading.operation.operands.len()) {
            (Some(scope), _) => scope.named,
            (None, 1) => "values",
            (None, _) => "pairs",
        };
        let (count, promised) = (super::grouped(region.count), super::grouped(promised));
        if count == promised {
            return format!("for all {promised} {unit} of {dtype}");
        }
        let sorts = describe(region, reading, dtype);
        let sorts = sorts.map_or_else(String::new, |sorts| format!(" ({sorts})"));
        format!("for {count} of {promised} {unit} of {dtype}{sorts}")
    }
}

fn foreign(given: Shown) -> &'static str {
    match given {
        Shown::Infinity | Shown::NegativeInfinity => "an infinity",
        Shown::NegativeZero => "negative zero",
        Shown::Fraction => "a number with a fraction",
        Shown::OutOfRange => "a number beyond the largest",
        Shown::Nan | Shown::Zero | Shown::Number => value(given, "a number"),
    }
}

fn value(shown: Shown, number: &'static str) -> &'static str {
    match shown {
        Shown::Nan => "NaN",
        Shown::Infinity => "inf",
        Shown::NegativeInfinity => "-inf",
        Shown::Zero => "0",
        Shown::NegativeZero => "-0",
        Shown::Number | Shown::Fraction | Shown::OutOfRange => number,
    }
}
