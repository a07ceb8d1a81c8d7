//! Update of a list of known failures: what reports say of its entries, and the list that says what they do.
//!
//! Entries that hold stay as they are written, with their comments. One that holds for a part of its cases makes
//! room for entries of that part, with its reason. What fails and is in no entry gets one, by patterns
//! that match no other case of the reports. The same list and reports give the same text.

mod group;
mod judge;
mod merge;
mod seen;
mod text;
mod write;

use crate::documents::report::document::Report;
use crate::foundation::text::natural_order;
use crate::judge::expect::{ExpectError, Expectations, Known};

use judge::{Judged, judge};
use seen::Seen;
pub use seen::SeenError;
pub use text::render;
use write::List;

/// A list, and what it has to be so that it says what reports do.
#[derive(Clone, Debug)]
pub struct Update {
    /// The text of the list: as it was, where nothing changes.
    pub text: String,
    /// What changes, entry by entry: those of the list in their order, and then new ones.
    pub changes: Vec<Change>,
    /// How many entries stay as they are.
    pub kept: u64,
    /// What no list can say, in words.
    pub left: Vec<String>,
}

/// What becomes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It goes.
    Dropped {
        /// Its cases, with what else it asks of them.
        cases: String,
        /// Why.
        why: String,
    },
    /// It is there for what is left of another one.
    Narrowed(Known),
    /// It is new.
    Added(Known),
}

/// No list can be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ExpectationsError {
    #[error(transparent)]
    List(#[from] ExpectError),
    #[error(transparent)]
    Reports(#[from] SeenError),
    #[error("{0}: its entries are elements of an array; write each below a line `[[known]]`")]
    Inline(String),
    #[error("there are more failures than a list can hold")]
    TooMuch(#[source] ExpectError),
}

/// The text of a list with entries behind those that it has; `file` goes into errors, and an empty text gets the heading.
pub fn added(
    file: &str,
    text: &str,
    new: &[Known],
    heading: &str,
) -> Result<String, ExpectationsError> {
    let entries = Expectations::parse(file, text)?.entries().len();
    let new: Vec<_> = new.iter().collect();
    let text = List::of(file, text)?.with(&vec![true; entries], &new, || heading.to_owned());
    Expectations::parse(file, &text)?;
    Ok(text)
}

impl Update {
    /// What the list of this text has to be; `file` goes into errors, and an empty text is a list to begin with.
    pub fn of(file: &str, text: &str, reports: &[Report]) -> Result<Self, ExpectationsError> {
        let known = Expectations::parse(file, text)?;
        let list = List::of(file, text)?;
        let seen = Seen::of(reports)?;
        let Judged { verdicts, open } = judge(known.entries(), &seen);

        let mut new: Vec<(bool, Known)> = group::entries(&open);
        new.sort_by(|(_, a), (_, b)| natural_order(&a.cases, &b.cases));
        let mut changes = Vec::new();
        for (entry, why) in known.entries().iter().zip(&verdicts) {
            if let Some(why) = why {
                changes.push(Change::Dropped { cases: entry.described(), why: why.clone() });
            }
        }
        let kept = verdicts.iter().filter(|why| why.is_none()).count() as u64;
        let is_kept: Vec<_> = verdicts.iter().map(Option::is_none).collect();
        let added: Vec<_> = new.iter().map(|(_, entry)| entry).collect();
        let text = list.with(&is_kept, &added, || seen.heading());
        changes.extend(new.into_iter().map(|(is_rest, entry)| match is_rest {
            true => Change::Narrowed(entry),
            false => Change::Added(entry),
        }));
        let known = Expectations::parse(file, &text).map_err(ExpectationsError::TooMuch)?;
        let left = seen.surprises(&known);
        Ok(Self { text, changes, kept, left })
    }
}
