//! Merging the documents of shards, or of ranges, into that of the whole.

use std::time::Duration;

use super::document::{Document, Span};
use super::engine::State;
use super::identity::Differs;
use super::record::Inconsistent;
use crate::report::document::Provenance;
use crate::report::provenance;

/// Documents are not the parts of one whole.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("there is no campaign to merge")]
    Nothing,
    /// They are of different campaigns.
    #[error("`{one}` and `{other}` are not parts of one campaign")]
    Mixed {
        /// Name of a document.
        one: String,
        /// Name of another one.
        other: String,
        /// What differs.
        source: Differs,
    },
    /// A part was not executed to its end.
    #[error("`{name}` executed {executed} of its {promised} inputs; execute it to its end first")]
    Incomplete {
        /// Name of the document.
        name: String,
        /// Inputs executed.
        executed: u64,
        /// Inputs promised.
        promised: u64,
    },
    /// A part executed what another one did.
    #[error("`{one}` and `{other}` overlap: both executed input {index}")]
    Overlap {
        /// Name of a document.
        one: String,
        /// Name of another one.
        other: String,
        /// The first input that both executed.
        index: u64,
    },
    /// Nobody executed a part.
    #[error("no campaign given executed the inputs {} to {}", gap.first, gap.end - 1)]
    Gap {
        /// What is missing.
        gap: Span,
    },
    /// A document contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
    /// Serialisation failed.
    #[error("failed to serialise the merged campaign")]
    Serialise(#[from] serde_json::Error),
}

/// The document of the whole of which these, each with its name, are the parts: all shards of a
/// range, or ranges that follow each other. It is the one that a single campaign on the whole writes,
/// but for its provenance, which tells how long the parts took.
///
/// # Errors
///
/// When they are of different campaigns, incomplete, overlap or leave something out.
pub fn merge(mut parts: Vec<(String, Document)>) -> Result<Document, MergeError> {
    parts.sort_by_key(|(_, part)| part.ranges.first().copied());
    let (Some((name, first)), Some((_, last))) = (parts.first(), parts.last()) else {
        return Err(MergeError::Nothing);
    };
    // Of shards the range is known; the ranges of others make up the range of the whole.
    let range = match first.shard {
        Some(_) => first.range,
        None => Span { first: first.range.first, end: last.range.end },
    };
    let check = first.check()?;
    let mut merged: Option<State> = None;
    let (mut at, mut before) = (range.first, name);
    for (other, part) in &parts {
        related(first, part).map_err(|source| MergeError::Mixed {
            one: name.clone(),
            other: other.clone(),
            source,
        })?;
        let Document { executed, promised, .. } = *part;
        let span = match part.ranges.as_slice() {
            &[span] if part.is_complete() => span,
            _ => return Err(MergeError::Incomplete { name: other.clone(), executed, promised }),
        };
        if span.first < at {
            let (one, other) = (before.clone(), other.clone());
            return Err(MergeError::Overlap { one, other, index: span.first });
        }
        if span.first > at {
            return Err(MergeError::Gap { gap: Span { first: at, end: span.first } });
        }
        (at, before) = (span.end, other);
        let state = part.state()?;
        match &mut merged {
            None => merged = Some(state),
            Some(merged) => {
                // That it does not overlap is known.
                let _ = merged.done.insert(span.into());
                merged.findings.merge(&state.findings);
            }
        }
    }
    if at < range.end {
        return Err(MergeError::Gap { gap: Span { first: at, end: range.end } });
    }
    let promised = range.end - range.first;
    let durations = parts.iter().map(|(_, part)| {
        let Span { first, end } = part.ranges.first().copied().unwrap_or(part.range);
        (format!("{first}..{end}"), provenance::seconds(part.duration()))
    });
    // Merging executes nothing: where and by what it was executed is what the parts agree on.
    let now = provenance::since(Duration::ZERO, durations.collect());
    let of_parts = parts.iter().map(|(_, part)| &part.provenance);
    let provenance = Provenance {
        clock: now.clock,
        durations: now.durations,
        seeds: first.seeds(),
        ..provenance::agreed(first.provenance.clone(), of_parts)
    };
    let mut whole = Document { range, shard: None, promised, provenance, ..first.clone() };
    if let Some(state) = merged {
        whole.record(&state, &check);
    }
    Ok(whole.sealed()?)
}

/// Whether two documents may be parts of one whole: shards of one range, or ranges of one strategy.
fn related(one: &Document, other: &Document) -> Result<(), Differs> {
    one.same_campaign(other)?;
    let division = |document: &Document| match document.shard {
        Some(shard) => {
            let Span { first, end } = document.range;
            format!("a shard of {} of {first}..{end}", shard.count)
        }
        None => "a range".to_owned(),
    };
    let (one, other) = (division(one), division(other));
    if one == other { Ok(()) } else { Err(Differs { member: "way of division", one, other }) }
}
