//! Specifications interpreted literally: the case analysis of each document, read literally and run
//! over whole types, with what is left open, said twice or contradicted as findings.
//!
//! `documents` reads the rows, `rows` runs them over every operand and asks the oracle, `shapes` runs
//! the constraints on types and shapes over what other documents show, `bounds` the accuracy notes and the tolerances
//! over directed operands, `claims` what constraints guarantee over small sizes, `printed` and `calls` the examples
//! that the documents print, `tags` the tags, and `revisions` sets newer documents beside older ones.

mod bounds;
mod calls;
mod cause;
mod claims;
mod documents;
mod findings;
mod formula;
mod json;
mod number;
mod outcome;
mod printed;
mod printed_call;
mod reading;
mod region;
mod relations;
mod revisions;
mod rows;
mod shapes;
mod statements;
mod tags;
mod text;
mod tolerances;
mod value_class;

pub use cause::{Cause, Group, Instance, groups};
pub use documents::Unreadable;
pub(crate) use documents::{Documents, Reading};
pub use json::{FORMAT_VERSION, Findings, check_all, to_sarif};
pub(crate) use reading::{Datum, Equality};
pub use revisions::{Change, ChangeKind, Effect, Revision, revisions};
pub use text::{to_markdown, to_summary, to_text};

use std::borrow::Cow;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dtype::{DType, Kind};
use crate::foundation::text::grouped;

/// A kind of defect of a document.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DefectKind {
    /// Operands that the document gives no result for.
    Uncovered,
    /// What disagrees with the oracle, with another statement or with another document.
    Contradiction,
    /// Operands that two rows apply to.
    Overlap,
    /// An error bound that does not hold, or that is not reached.
    Bound,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The document cannot be followed as it is written.
    #[default]
    Error,
    /// The document leaves a gap.
    Warning,
    /// The document states more than it needs to.
    Note,
}

/// One defect of one document.
// What is skipped is for the texts and for SARIF alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Key of the document, such as `sonnx-div`.
    pub document: Cow<'static, str>,
    /// The section that states it.
    #[serde(skip)]
    pub section: Cow<'static, str>,
    /// What it was found on: an element type, or `reals`, `sizes`, `shapes`, `types`, `versions`, `tags` or `examples`.
    #[serde(skip)]
    pub domain: &'static str,
    /// Tag of the requirement.
    pub requirement: Cow<'static, str>,
    /// What is the matter.
    pub kind: DefectKind,
    /// How grave it is.
    #[serde(skip)]
    pub level: Level,
    /// What it has in common with others.
    #[serde(skip)]
    pub cause: Cause,
    /// How many operands, shapes or printed results it affects.
    pub count: u64,
    /// The first of them, for operands the one with the smallest bits: decimal and bits.
    pub example: String,
    /// What disagrees with it: a tag, `oracle`, or empty.
    #[serde(skip)]
    pub against: String,
    /// What is the matter, in words.
    pub message: String,
}

/// All defects of the documents: document by document, in the order of the
/// checks. The same at every call.
pub fn check() -> Result<Vec<Finding>, Unreadable> {
    let documents = Documents::load()?;
    let (readings, sections) = (documents.readings(), documents.sections());
    let of_rows = readings.par_iter().enumerate().map(|(index, reading)| {
        let earlier = readings.iter().take(index);
        let mut findings = findings::of_reading(*reading, &readings);
        findings.extend(earlier.flat_map(|earlier| findings::of_pair(*earlier, *reading)));
        findings
    });
    let mut findings = of_rows.collect::<Vec<_>>().concat();
    findings.extend(shapes::check_types(&sections));
    findings.extend(shapes::check_shapes(&sections));
    findings.extend(printed::check(&sections));
    findings.extend(bounds::check(&sections));
    findings.extend(tolerances::check(&sections));
    findings.extend(claims::check(&sections));
    findings.extend(calls::check(&sections));
    findings.extend(tags::check()?);
    let place = |key: &str| sections.iter().position(|reading| reading.document.key == key);
    findings.sort_by_key(|finding| place(&finding.document));
    Ok(findings)
}

fn is_float(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Float(_))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    use super::documents::Section;
    use super::reading::RowAnswer;
    use super::rows::{Cell, Observation, cells_of, sweep};
    use super::*;
    use crate::judge::requirements::Catalogue;

    static DOCUMENTS: LazyLock<Documents> = LazyLock::new(|| Documents::load().unwrap());

    fn observations(reading: Reading<'_>) -> BTreeSet<Observation> {
        let dtype = reading.section.types[0];
        let (cells, _) = cells_of(reading, dtype);
        sweep(reading, dtype, &cells, Equality::Comparison).regions.into_keys().collect()
    }

    #[test]
    fn the_real_sections_are_found_in_order() {
        for reading in DOCUMENTS.readings() {
            let is_newer = reading.document.revises.is_some();
            if reading.section.title.contains("(real") && !is_newer {
                assert_eq!(findings::of_reading(reading, &[]), [], "{}", reading.section.title);
            }
        }
    }

    #[test]
    fn removing_any_row_that_alone_applies_uncovers_operands() {
        for reading in DOCUMENTS.readings() {
            let rows = reading.section.rows.len();
            for row in 0..rows {
                let mut shorter = reading.section.clone();
                shorter.rows.remove(row);
                let uncovered = |section: &Section| {
                    let reading = Reading { section, ..reading };
                    let dtype = section.types[0];
                    sweep(reading, dtype, &cells_of(reading, dtype).0, Equality::Datum)
                        .regions
                        .get(&Observation::Uncovered)
                        .map_or(0, |region| region.count)
                };
                // Rows of Sqrt that a later one repeats, rows outside the domain, those beside a row for all others and
                // those for operands that there are none of leave no gap.
                let repeated = reading.document.key == "sonnx-sqrt" && rows == 6 && row < 3;
                let undefined = reading.section.constraint.is_some() && row == 1;
                let otherwise = shorter.rows.iter().any(|other| other.when.is_otherwise());
                let of_nothing = ["P_DIV_INT_ERR_0010", "P_RELU_INT_ERR_0010"];
                let excluded = of_nothing.contains(&reading.section.requirement);
                if !repeated && !undefined && !otherwise && !excluded {
                    let place = format!("{}, row {}", reading.section.title, row + 1);
                    assert!(uncovered(&shorter) > uncovered(reading.section), "{place}");
                }
            }
        }
    }

    #[test]
    fn a_wrong_answer_is_found() {
        let mut readings = DOCUMENTS.readings().into_iter();
        let is_float = |one: &Reading<'_>| one.section.requirement == "E_DIV_FLOAT_FUNC_0010";
        let reading = readings.find(is_float).unwrap();
        let mut section = reading.section.clone();
        assert!(matches!(section.rows[1].then, RowAnswer::SignedInfinity));
        section.rows[1].then = RowAnswer::Infinity;
        let wrong = observations(Reading { section: &section, ..reading });
        assert!(!wrong.is_subset(&observations(reading)));
    }

    #[test]
    fn counting_by_classes_is_counting_pair_by_pair() {
        for reading in DOCUMENTS.readings() {
            for (dtype, equality) in [
                (DType::Float8E5M2, Equality::Comparison),
                (DType::Float8E4M3Fnuz, Equality::Datum),
            ] {
                let (classes, is_all) = cells_of(reading, dtype);
                if !is_all {
                    continue;
                }
                let alone = |(sort, patterns): &Cell| {
                    let sort = *sort;
                    patterns.iter().map(move |bits| (sort, vec![*bits])).collect::<Vec<_>>()
                };
                let single = classes.iter().map(|cells| cells.iter().flat_map(alone).collect());
                let single: Vec<Vec<Cell>> = single.collect();
                let [classes, pairs] =
                    [classes, single].map(|cells| sweep(reading, dtype, &cells, equality));
                assert_eq!(classes, pairs, "{} on {dtype}", reading.section.title);
            }
        }
    }

    #[test]
    fn conditions_and_answers_name_operands_alone() {
        for reading in DOCUMENTS.sections() {
            let Section { scope, rows, title, .. } = reading.section;
            let conditions = scope.iter().chain(rows.iter().map(|row| &row.when));
            for name in conditions.flat_map(|condition| condition.names()) {
                assert!(reading.operands().contains(&name), "{title}: {name}");
            }
            for row in rows {
                if let RowAnswer::Of(formula) = &row.then
                    && let Some(name) = formula.name()
                {
                    assert!(reading.operands().contains(&name), "{title}: {name}");
                }
            }
        }
    }

    #[test]
    fn every_operand_that_is_promised_is_judged() {
        for reading in DOCUMENTS.readings() {
            for &dtype in &reading.section.types {
                let (cells, is_all) = cells_of(reading, dtype);
                let sweep = sweep(reading, dtype, &cells, Equality::Comparison);
                assert_eq!(sweep.promised, sweep.executed, "{} on {dtype}", reading.section.title);
                let operands = reading.operands().iter();
                let bits: u32 =
                    operands.map(|name| reading.type_of(name, dtype).bits().unwrap()).sum();
                let size = |of: &Vec<Cell>| of.iter().map(|cell| cell.1.len() as u64).sum::<u64>();
                let expected =
                    if is_all { 1_u64 << bits } else { cells.iter().map(size).product() };
                if reading.section.scope.is_empty() {
                    assert_eq!(sweep.executed, expected, "{} on {dtype}", reading.section.title);
                }
            }
        }
    }

    #[test]
    fn every_tag_stands_in_a_catalogue() {
        let findings = check().unwrap();
        let catalogue = Catalogue::embedded().unwrap();
        let mut tags: BTreeSet<&str> =
            findings.iter().map(|finding| &*finding.requirement).collect();
        let (known, others): (Vec<_>, Vec<_>) =
            DOCUMENTS.sections().into_iter().partition(|reading| reading.operator.is_some());
        let is_of_others = |tag: &&str| {
            others.iter().any(|one| {
                one.section.requirement == *tag || {
                    one.section.rows.iter().any(|row| row.requirement == *tag)
                }
            })
        };
        tags.retain(|tag| !is_of_others(tag));
        for section in known.iter().map(|reading| reading.section) {
            tags.extend(section.rows.iter().map(|row| row.requirement));
            tags.insert(section.requirement);
            tags.extend(section.result_type);
            tags.extend(section.constraint);
        }
        for tag in tags {
            let is_newer = revisions(&[])
                .unwrap()
                .iter()
                .any(|revision| revision.changes.iter().any(|change| change.requirement == tag));
            assert!(catalogue.get(tag).is_some() || is_newer, "{tag}");
        }
    }
}
