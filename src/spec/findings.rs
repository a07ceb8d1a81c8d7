//! Findings from the sweeps: what was observed on a region, with its tag and in plain words.

use super::outcome::{Foreign, Shown};
use super::reading::{Equality, Reading, Scope};
use super::region::{describe, example};
use super::sweep::{Method, Observation, Region, Sweep, compare, sweep};
use super::{Finding, Kind, Level};
use crate::dtype::DType;

/// What is the matter with the rows of one reading, type by type.
#[must_use]
pub fn of_reading(reading: &Reading) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &dtype in reading.dtypes {
        let literal = sweep(reading, dtype, Equality::Comparison, Method::Classes);
        let meant = sweep(reading, dtype, Equality::Datum, Method::Classes);
        for (&observation, region) in &literal.regions {
            let mut finding = finding(reading, dtype, literal.promised, observation, region);
            if meant.regions.get(&observation) != Some(region) {
                finding.message.push_str(
                    "; true of `=` as IEEE 754 compares, where NaN equals nothing and the zeros \
                     equal one another, not of `=` as the same datum",
                );
                finding.requirement = meant_row(reading, region)
                    .filter(|_| observation == Observation::Uncovered)
                    .unwrap_or(finding.requirement);
            }
            findings.push(finding);
        }
    }
    findings
}

/// Where a reading gives other values than an earlier one of another document.
#[must_use]
pub fn of_pair(earlier: &Reading, reading: &Reading) -> Vec<Finding> {
    let mut findings = Vec::new();
    let speak_of_all = earlier.scope == Scope::All && reading.scope == Scope::All;
    let same_operation = earlier.names() == reading.names();
    if earlier.document == reading.document || !speak_of_all || !same_operation {
        return findings;
    }
    for &dtype in reading.dtypes.iter().filter(|dtype| earlier.dtypes.contains(dtype)) {
        let Sweep { promised, regions, .. } = compare(reading, earlier, dtype);
        for (observation, region) in regions {
            let Observation::Contradicted { row, given, other, expected, .. } = observation else {
                continue;
            };
            let other_requirement =
                earlier.rows.get(other).map_or(earlier.requirement, |row| row.requirement);
            findings.push(Finding {
                document: reading.document,
                section: reading.section,
                domain: dtype.name(),
                requirement: tag(reading, row),
                kind: Kind::Contradiction,
                level: Level::Error,
                count: region.count,
                example: example(region.example, reading, dtype),
                against: other_requirement.to_owned(),
                message: format!(
                    "{} gives {}, and {} of {} ({other_requirement}) gives {}, {}",
                    reading.describe(row),
                    value(given, true),
                    earlier.describe(other),
                    earlier.document,
                    value(expected, false),
                    of_operands(&region, reading, dtype, promised),
                ),
            });
        }
    }
    findings
}

fn finding(
    reading: &Reading,
    dtype: DType,
    promised: u64,
    observation: Observation,
    region: &Region,
) -> Finding {
    let operands = of_operands(region, reading, dtype, promised);
    let constraint = reading.constraint.map_or("", |constraint| constraint.requirement);
    let (kind, level, requirement, against, message) = match observation {
        Observation::Uncovered => (
            Kind::Uncovered,
            Level::Warning,
            reading.requirement,
            String::new(),
            format!("no row applies {operands}"),
        ),
        Observation::Unsaid { row } => (
            Kind::Uncovered,
            Level::Warning,
            tag(reading, row),
            String::new(),
            format!(
                "{} applies, but says no result {operands}: a quotient of numbers exists only for \
                 numbers and a denominator other than zero",
                reading.describe(row)
            ),
        ),
        Observation::Overlap { first, second, agree } => (
            Kind::Overlap,
            if agree { Level::Note } else { Level::Error },
            tag(reading, first),
            tag(reading, second).to_owned(),
            format!(
                "{} and {} ({}) both apply, with {} {operands}",
                reading.describe(first),
                reading.describe(second),
                tag(reading, second),
                if agree { "the same result" } else { "different results" },
            ),
        ),
        Observation::Foreign { row, given } => (
            Kind::Contradiction,
            Level::Error,
            tag(reading, row),
            reading.result_type.to_owned(),
            format!(
                "{} gives {}, which is no value of {dtype}, the type that the result has ({}), \
                 {operands}",
                reading.describe(row),
                foreign(given),
                reading.result_type,
            ),
        ),
        Observation::Wrong { row, given, expected, .. } => (
            Kind::Contradiction,
            Level::Error,
            tag(reading, row),
            "oracle".to_owned(),
            format!(
                "{} gives {}, where the exact rules of {} give {}, {operands}",
                reading.describe(row),
                value(given, true),
                if super::is_float(dtype) { "IEEE 754" } else { "integer division" },
                value(expected, false),
            ),
        ),
        Observation::Excluded { row } => (
            Kind::Contradiction,
            Level::Error,
            tag(reading, row),
            constraint.to_owned(),
            format!(
                "{} decides what the constraint {constraint} excludes from the domain, {operands}",
                reading.describe(row)
            ),
        ),
        // Observed between two readings only.
        Observation::Contradicted { row, .. } => {
            (Kind::Contradiction, Level::Error, tag(reading, row), String::new(), operands)
        }
    };
    Finding {
        document: reading.document,
        section: reading.section,
        domain: dtype.name(),
        requirement,
        kind,
        level,
        count: region.count,
        example: example(region.example, reading, dtype),
        against,
        message,
    }
}

/// The tag of the row that applies where `=` means the same datum.
fn meant_row(reading: &Reading, region: &Region) -> Option<&'static str> {
    let &(a, b) = region.sorts.first()?;
    let row = *reading.covering(a, b, Equality::Datum).first()?;
    Some(reading.rows.get(row)?.requirement)
}

fn tag(reading: &Reading, row: usize) -> &'static str {
    reading.rows.get(row).map_or(reading.requirement, |row| row.requirement)
}

/// `for 4 of 65,536 pairs of int8: those where ..`.
fn of_operands(region: &Region, reading: &Reading, dtype: DType, promised: u64) -> String {
    let unit = match (reading.names().len(), reading.scope) {
        (1, Scope::Numbers) => "numbers of",
        (1, _) => "values of",
        (_, Scope::All) => "pairs of",
        (_, Scope::Numbers) => "pairs of numbers of",
        (_, Scope::NanQuotients) => "pairs with a quotient of NaN of",
        (_, Scope::ZeroDenominators) => "pairs with a denominator of zero of",
    };
    let all = if region.count == promised { "all " } else { "" };
    let share = if region.count == promised {
        super::grouped(promised)
    } else {
        format!("{} of {}", super::grouped(region.count), super::grouped(promised))
    };
    let whole = describe(region, reading, dtype)
        .filter(|_| region.count != promised)
        .map_or_else(String::new, |sorts| format!(" ({sorts})"));
    format!("for {all}{share} {unit} {dtype}{whole}")
}

fn foreign(given: Foreign) -> &'static str {
    match given {
        Foreign::Infinity => "an infinity",
        Foreign::Nan => "NaN",
        Foreign::NegativeZero => "negative zero",
        Foreign::Fraction => "a number with a fraction",
        Foreign::OutOfRange => "a number beyond the largest",
    }
}

fn value(shown: Shown, first: bool) -> &'static str {
    match shown {
        Shown::Nan => "NaN",
        Shown::Infinity => "inf",
        Shown::NegativeInfinity => "-inf",
        Shown::Zero => "0",
        Shown::NegativeZero => "-0",
        Shown::Number if first => "one number",
        Shown::Number => "another",
    }
}
