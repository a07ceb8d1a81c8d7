//! Joining atlases: of several backends, of other operators, and of the parts of their inputs.

use std::collections::BTreeMap;
use std::time::Duration;

use super::document::{Atlas, Key, Row};
use super::driver::Durations;
use super::repeatability::Repeatability;
use super::row::wrong;
use super::validate::name;
use crate::corpus::shard::Shard;
use crate::document::provenance;
use crate::document::provenance::Provenance;
use crate::document::{Contradiction, Sealed};
use crate::reference::survey::Survey;

/// Atlases, which are told by their names, cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to join.
    #[error("there is no atlas to merge")]
    Nothing,
    /// They are of different builds.
    #[error("`{0}` and `{1}` were made by different builds of this tool")]
    Tools(String, String),
    /// Two rows are of the same inputs.
    #[error("`{0}` and `{1}` both have {2}")]
    Overlap(String, String, String),
    /// Parts of a row do not go together.
    #[error("the part of {1} in `{0}` is of other inputs than the others")]
    Mixed(String, String),
    /// A part was not executed to its end.
    #[error("`{0}` executed {2} of its {3} inputs of {1}; execute them to the end first")]
    Incomplete(String, String, u64, u64),
    /// A part has no errors by size, which those of the whole are made of.
    #[error(
        "`{0}` is a summary, so its part of {1} cannot be joined; merge the documents that `atlas` wrote"
    )]
    Summary(String, String),
    /// A part is missing.
    #[error("part {1} of {0} is in none of the atlases")]
    Gap(String, Shard),
    /// A document contradicts itself.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// Serialisation failed.
    #[error("failed to serialise the merged atlas")]
    Serialise(#[from] serde_json::Error),
}

/// A row, or a part of one, with the name of the atlas that it is in.
type Part<'a> = (&'a str, &'a Row);

/// The atlas that has the rows of all of these, each with its name; of parts of a row, the whole one, as a single atlas would have it,
/// but for what is asked alone, which is added up.
pub fn merge(parts: &[(String, Atlas)]) -> Result<Atlas, MergeError> {
    let Some((first, head)) = parts.first() else { return Err(MergeError::Nothing) };
    let mut rows = BTreeMap::<Key<'_>, Vec<Part<'_>>>::new();
    for (file, atlas) in parts {
        if atlas.tool != head.tool {
            return Err(MergeError::Tools(first.clone(), file.clone()));
        }
        for row in &atlas.rows {
            rows.entry(row.key()).or_default().push((file, row));
        }
    }
    let rows = rows.into_values().map(whole).collect::<Result<Vec<_>, _>>()?;
    // Merging executes nothing: where and by what it was executed is what the parts agree on, and it took as long as they did.
    let mut seconds = BTreeMap::<&String, f64>::new();
    for (name, duration) in parts.iter().flat_map(|(_, atlas)| &atlas.provenance.durations) {
        *seconds.entry(name).or_default() += duration.parse::<f64>().unwrap_or_default();
    }
    let durations =
        seconds.into_iter().map(|(name, seconds)| (name.clone(), format!("{seconds:.6}")));
    let of_parts = parts.iter().map(|(_, atlas)| &atlas.provenance);
    let provenance = Provenance {
        clock: provenance::since(Duration::ZERO, Durations::new()).clock,
        durations: durations.collect(),
        ..provenance::agreed(head.provenance.clone(), of_parts)
    };
    Ok(Atlas { rows, provenance, ..head.clone() }.sealed()?)
}

/// The one row that these are parts of.
fn whole(mut parts: Vec<Part<'_>>) -> Result<Row, MergeError> {
    parts.sort_by_key(|(_, row)| row.shard.map_or(0, |shard| shard.index));
    let [(file, head), rest @ ..] = &parts[..] else { return Err(MergeError::Nothing) };
    let Some(Shard { count, .. }) = head.shard else {
        return match rest {
            [] => Ok((*head).clone()),
            [(other, _), ..] => {
                Err(MergeError::Overlap((*file).to_owned(), (*other).to_owned(), name(head)))
            }
        };
    };
    let mut merged = head.state()?;
    let check = head.check().ok_or_else(|| wrong("`operator` or `type`"))?;
    let survey = Survey::new(&check, None).of_all();
    let mut row = (*head).clone();
    for (index, (file, part)) in (1..).zip(&parts) {
        match part.shard {
            Some(shard) if shard.count != count || part.parameters != head.parameters => {
                return Err(MergeError::Mixed((*file).to_owned(), name(head)));
            }
            Some(shard) if shard.index < index => {
                let other = parts.get(index as usize - 2).map_or("", |(file, _)| file);
                return Err(MergeError::Overlap(other.to_owned(), (*file).to_owned(), name(head)));
            }
            Some(shard) if shard.index > index => {
                return Err(MergeError::Gap(name(head), Shard { index, count }));
            }
            None => return Err(MergeError::Mixed((*file).to_owned(), name(head))),
            Some(_) => {}
        }
        if !part.is_complete() {
            let (file, name) = ((*file).to_owned(), name(part));
            return Err(MergeError::Incomplete(file, name, part.executed, part.inputs));
        }
        if part.binades.is_none() {
            return Err(MergeError::Summary((*file).to_owned(), name(part)));
        }
        if index == 1 {
            continue;
        }
        let state = part.state()?;
        state.done.iter().for_each(|range| {
            // That they do not overlap is known: shards do not.
            let _ = merged.done.insert(range.clone());
        });
        survey.merge(&mut merged.findings, &state.findings);
        row.clamps = row.clamps.filter(|_| part.clamps.is_some());
        row.inputs += part.inputs;
        let [one, other] = [&row, part].map(|row| Repeatability::of(row).unwrap_or_default());
        one.plus(other).put(&mut row);
    }
    if parts.len() < count as usize {
        return Err(MergeError::Gap(name(head), Shard { index: parts.len() as u64 + 1, count }));
    }
    row.shard = None;
    row.record(&merged, &check);
    Ok(row)
}
