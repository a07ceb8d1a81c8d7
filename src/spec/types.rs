//! The element types that the documents list, against those of the document that each is based on.

use super::documents::Reading;
use super::{Finding, Kind, Level};

/// Types that the base of a document has and the document says nothing of.
pub(super) fn check(sections: &[Reading<'_>]) -> Vec<Finding> {
    let based = sections.iter().filter_map(|reading| {
        let requirement = reading.section.based_on?;
        let is_base = |base: &&Reading<'_>| base.section.requirement == requirement;
        missing(reading, sections.iter().find(is_base)?)
    });
    based.collect()
}

fn missing(reading: &Reading<'_>, base: &Reading<'_>) -> Option<Finding> {
    let listed = &base.section.listed;
    let missing = listed.iter().filter(|dtype| !reading.section.listed.contains(dtype));
    let missing: Vec<&str> = missing.map(|dtype| dtype.name()).collect();
    let example = (*missing.first()?).to_owned();
    let message = format!(
        "no section covers {} of the {} types of {} ({}), on which the document is based: {}",
        missing.len(),
        listed.len(),
        base.document.key,
        base.section.title,
        missing.join(", "),
    );
    let of = (Kind::Uncovered, Level::Warning);
    let finding = reading.finding("types", of, missing.len() as u64, example, message);
    Some(Finding { against: base.section.requirement.to_owned(), ..finding })
}
