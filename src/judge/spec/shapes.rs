//! What documents state of shapes and element types, against what the documents themselves show of these.

use super::documents::{Reading, Shapes, ShapesShown};
use super::{Cause, DefectKind, Finding, Level};
use crate::dtype::DType;
use reference::broadcast::Broadcast;
use reference::operator::{Operator, Version};

impl Shapes {
    fn allows(self, ShapesShown { a, b, axis, .. }: &ShapesShown) -> bool {
        let broadcast = match self {
            Self::Same => Broadcast::equal(&[a, b]),
            Self::Limited => Broadcast::limited(a, b, *axis),
            Self::Numpy => Broadcast::multidirectional(&[a, b]),
        };
        broadcast.is_ok()
    }

    const fn describe(self) -> &'static str {
        match self {
            Self::Same => "the constraint that all shapes are the same",
            Self::Limited => "broadcasting of B alone, from a given axis on,",
            Self::Numpy => "broadcasting aligned at the last dimension",
        }
    }
}

impl ShapesShown {
    fn describe(&self) -> String {
        let axis = self.axis.map_or_else(String::new, |axis| format!(" with axis {axis}"));
        let test = self.test.map_or_else(String::new, |test| format!(" of {test}"));
        format!("{:?} and {:?}{axis}{test}", self.a, self.b)
    }
}

/// Constraints that exclude what another document on the same operation, or another version, shows as
/// allowed: one finding for each constraint and each place.
pub(super) fn check_shapes(sections: &[Reading<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for reading in sections {
        let Some(shapes) = reading.section.shapes else { continue };
        let documents = sections.chunk_by(|a, b| a.document.key == b.document.key);
        for other in documents.filter_map(|sections| sections.first()) {
            if other.is_of_operation(reading) {
                let places = other.document.shapes_shown.chunk_by(|a, b| a.place == b.place);
                let found =
                    places.filter_map(|shown| excluded(reading, shapes, other.document.key, shown));
                findings.extend(found);
            }
        }
    }
    findings
}

/// Those examples of one place that a constraint excludes.
fn excluded(
    reading: &Reading<'_>,
    shapes: Shapes,
    key: &str,
    shown: &[ShapesShown],
) -> Option<Finding> {
    let place = shown.first()?.place;
    let excluded = shown.iter().filter(|shown| !shapes.allows(shown));
    let excluded: Vec<String> = excluded.map(ShapesShown::describe).collect();
    let example = excluded.first()?.clone();
    let count = excluded.len() as u64;
    let message = format!(
        "{} excludes {count} of {} pairs of shapes that {key} shows in {place}: {}",
        shapes.describe(),
        shown.len(),
        excluded.join("; "),
    );
    let of = (DefectKind::Contradiction, Level::Warning);
    let finding = reading.finding("shapes", of, count, example, message);
    let cause = Cause::EqualShapes;
    Some(Finding { against: format!("{key}, {place}"), cause, ..finding })
}

/// Types that the base of a document has and the document says nothing of, and those that the document has
/// alone; types that contents announce and no section has; and bases that are none.
pub(super) fn check_types(sections: &[Reading<'_>]) -> Vec<Finding> {
    sections.iter().flat_map(|reading| types_of(reading, sections)).collect()
}

/// A list of types that another is held against.
struct Listed {
    types: Vec<DType>,
    /// Where it is, for readers.
    named: String,
    /// The same for programs.
    key: String,
}

fn types_of(reading: &Reading<'_>, sections: &[Reading<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let own = || Listed {
        types: reading.section.listed.clone(),
        named: "its sections".to_owned(),
        key: reading.section.requirement.to_owned(),
    };
    if let Some(requirement) = reading.section.based_on {
        let is_base = |base: &&Reading<'_>| base.section.requirement == requirement;
        if let Some(base) = sections.iter().find(is_base) {
            let (key, title) = (base.document.key, base.section.title);
            let named = format!("{key} ({title}), on which the document is based");
            let (types, key) = (base.section.listed.clone(), requirement.to_owned());
            let base = Listed { types, named, key };
            findings.extend(differing(reading, &own(), &base));
        }
    }
    if let (Some(since), Some(operator)) = (reading.section.based_on_version, reading.operator) {
        findings.extend(match version(operator, since) {
            Ok(base) => differing(reading, &own(), &base),
            Err(finding) => vec![finding(reading)],
        });
    }
    if !reading.section.contents.is_empty() {
        let types = reading.section.contents.clone();
        let contents =
            Listed { types, named: "its contents".to_owned(), key: "contents".to_owned() };
        findings.extend(
            differing(reading, &own(), &contents)
                .into_iter()
                .map(|finding| Finding { cause: Cause::Contents, ..finding }),
        );
    }
    findings
}

/// The types of the elements in a version of an operator, or what is found where it has no such version.
fn version(
    operator: &'static Operator,
    since: i64,
) -> Result<Listed, impl Fn(&Reading<'_>) -> Finding> {
    let of_version = operator.version(since).filter(|version| version.since == since);
    let most =
        |version: &'static Version| version.inputs.iter().max_by_key(|port| port.types.len());
    if let Some(port) = of_version.and_then(most) {
        let key = format!("{operator}-{since}");
        let named = format!("ONNX's {key}, on which the document is based");
        return Ok(Listed { types: port.types.to_vec(), named, key });
    }
    Err(move |reading: &Reading<'_>| {
        let versions: Vec<String> =
            operator.versions.iter().map(|version| version.since.to_string()).collect();
        let versions = versions.join(", ");
        let message = format!(
            "the document is based on version {since} of ONNX's {operator}, which has none of this number: its \
             versions are {versions}"
        );
        let of = (DefectKind::Contradiction, Level::Warning);
        let example = format!("{operator}-{since}");
        let finding = reading.finding("versions", of, 1, example, message);
        Finding { against: "versions".to_owned(), cause: Cause::NoVersion, ..finding }
    })
}

/// The types that a section lists and another list does not, and the other way round.
fn differing(reading: &Reading<'_>, own: &Listed, base: &Listed) -> Vec<Finding> {
    let of = |missing: bool| {
        let (kind, [one, other]) = match missing {
            true => (DefectKind::Uncovered, [base, own]),
            false => (DefectKind::Contradiction, [own, base]),
        };
        let alone = one.types.iter().filter(|dtype| !other.types.contains(dtype));
        let types: Vec<&str> = alone.map(|dtype| dtype.name()).collect();
        let (count, of, names) = (types.len(), one.types.len(), types.join(", "));
        let named = &base.named;
        let message = match missing {
            true => format!("no section covers {count} of the {of} types of {named}: {names}"),
            false => format!("{count} of the {of} types listed are none of {named}: {names}"),
        };
        let (kind, example) = ((kind, Level::Warning), (*types.first()?).to_owned());
        let finding = reading.finding("types", kind, count as u64, example, message);
        let cause = if missing { Cause::MissingTypes } else { Cause::SurplusTypes };
        Some(Finding { against: base.key.clone(), cause, ..finding })
    };
    [true, false].into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::documents::Documents;
    use super::*;

    #[test]
    fn every_example_is_allowed_by_the_rule_of_its_own_document() {
        let documents = Documents::load().unwrap();
        let mut examples = 0;
        for reading in documents.sections() {
            for shown in &reading.document.shapes_shown {
                let rule = match shown.place {
                    place if place.contains(" - 1 and ") || place.ends_with(" - 1") => {
                        Shapes::Limited
                    }
                    _ => Shapes::Numpy,
                };
                assert!(rule.allows(shown), "{}", shown.describe());
                examples += 1;
            }
        }
        assert!(examples >= 10);
    }

    #[test]
    fn each_rule_excludes_what_it_should() {
        let allows = |rule: Shapes, a: &[usize], b: &[usize], axis| {
            let (a, b) = (a.to_vec(), b.to_vec());
            rule.allows(&ShapesShown { place: "", test: None, a, b, axis })
        };
        assert!(!allows(Shapes::Same, &[3, 4, 5], &[5], None));
        let limited = |a: &[usize], b: &[usize], axis| allows(Shapes::Limited, a, b, axis);
        assert!(!limited(&[2, 3], &[1, 3], None), "no dimension of 1 is expanded");
        assert!(!limited(&[3], &[1, 1], None), "the rank is higher");
        assert!(!limited(&[2, 3, 4], &[3], None), "the suffix is 4");
        assert!(limited(&[2, 3, 4], &[3], Some(1)));
        assert!(!limited(&[2, 3], &[3], Some(9)));
        assert!(!allows(Shapes::Numpy, &[2, 3], &[2], None));
        assert!(allows(Shapes::Numpy, &[2, 1], &[3], None));
    }
}
