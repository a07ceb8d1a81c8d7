//! What documents state of shapes and element types, against what the documents themselves show of these.

use super::documents::{Reading, Shapes, ShapesShown};
use super::{Cause, DefectKind, Finding, Level};
use reference::broadcast::Broadcast;

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
            if other.operator.judged_as == reading.operator.judged_as {
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
/// alone.
pub(super) fn check_types(sections: &[Reading<'_>]) -> Vec<Finding> {
    let based = sections.iter().filter_map(|reading| {
        let requirement = reading.section.based_on?;
        let is_base = |base: &&Reading<'_>| base.section.requirement == requirement;
        Some((reading, sections.iter().find(is_base)?))
    });
    based
        .flat_map(|(reading, base)| [true, false].map(|missing| differing(reading, base, missing)))
        .flatten()
        .collect()
}

/// The types that only one of a section and its base lists: the base where they are missing, else the section.
fn differing(reading: &Reading<'_>, base: &Reading<'_>, missing: bool) -> Option<Finding> {
    let (kind, [one, other]) = match missing {
        true => (DefectKind::Uncovered, [base, reading]),
        false => (DefectKind::Contradiction, [reading, base]),
    };
    let alone = one.section.listed.iter().filter(|dtype| !other.section.listed.contains(dtype));
    let types: Vec<&str> = alone.map(|dtype| dtype.name()).collect();
    let (count, of, names) = (types.len(), one.section.listed.len(), types.join(", "));
    let (key, title) = (base.document.key, base.section.title);
    let named = format!("{key} ({title}), on which the document is based");
    let message = match missing {
        true => format!("no section covers {count} of the {of} types of {named}: {names}"),
        false => format!("{count} of the {of} types listed are none of {named}: {names}"),
    };
    let (kind, example) = ((kind, Level::Warning), (*types.first()?).to_owned());
    let finding = reading.finding("types", kind, count as u64, example, message);
    let cause = if missing { Cause::MissingTypes } else { Cause::SurplusTypes };
    Some(Finding { against: base.section.requirement.to_owned(), cause, ..finding })
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
                    place if place.contains(" - 1 and ") => Shapes::Limited,
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
