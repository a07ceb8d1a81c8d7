//! Merging the documents of shards, or of ranges, into that of the whole.

use std::time::Duration;

use super::document::{Campaign, Span};
use super::engine::State;
use super::identity::{Differs, division};
use crate::document::provenance;
use crate::document::provenance::Provenance;
use crate::document::{Contradiction, Sealed};
use crate::foundation::text::grouped;

/// Documents, which are told by their names, are not the parts of one whole.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("there is no campaign to merge")]
    Nothing,
    /// They are of different campaigns.
    #[error("`{0}` and `{1}` are not parts of one campaign")]
    Mixed(String, String, #[source] Differs),
    /// A part was not executed to its end.
    #[error("`{0}` executed {done} of its {all} inputs; execute it to its end first", done = grouped(*.1), all = grouped(*.2))]
    Incomplete(String, u64, u64),
    /// Both of two parts executed an input.
    #[error("`{0}` and `{1}` overlap: both executed input {input}", input = grouped(*.2))]
    Overlap(String, String, u64),
    /// Nobody executed these inputs.
    #[error("no campaign given executed the inputs {first} to {last}", first = grouped(.0.first), last = grouped(.0.end - 1))]
    Gap(Span),
    /// A document contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Contradiction),
    /// Serialisation failed.
    #[error("failed to serialise the merged campaign")]
    Serialise(#[from] serde_json::Error),
}

/// The document of the whole of which these, each with its name, are the parts: all shards of a
/// range, or ranges that follow each other. It is the one that a single campaign on the whole writes,
/// but for its provenance, which tells how long the parts took.
pub fn merge(mut parts: Vec<(String, Campaign)>) -> Result<Campaign, MergeError> {
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
    let gap = |first, end| Err(MergeError::Gap(Span { first, end }));
    for (other, part) in &parts {
        let mixed = |source| MergeError::Mixed(name.clone(), other.clone(), source);
        first.same(part, division).map_err(mixed)?;
        let span = match part.ranges[..] {
            [span] if part.is_complete() => span,
            _ => return Err(MergeError::Incomplete(other.clone(), part.executed, part.promised)),
        };
        if span.first < at {
            return Err(MergeError::Overlap(before.clone(), other.clone(), span.first));
        }
        if span.first > at {
            return gap(at, span.first);
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
        return gap(at, range.end);
    }
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
    let promised = range.end - range.first;
    let mut whole = Campaign { range, shard: None, promised, provenance, ..first.clone() };
    if let Some(state) = merged {
        whole.record(&state, &check);
    }
    Ok(whole.sealed()?)
}
