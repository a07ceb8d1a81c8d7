//! The text of a list: entries that stay, byte by byte, and new ones behind them.

use super::ExpectationsError;
use crate::judge::expect::{Expectations, Known};

/// What a text consists of, in its order: what stands before all entries, and each entry with what follows it.
pub(super) struct List<'t> {
    text: &'t str,
    start: &'t str,
    entries: Vec<Piece<'t>>,
}

/// An entry with the comment right above it, and the blank lines and comments behind it, which are of no entry.
struct Piece<'t> {
    entry: &'t str,
    behind: &'t str,
}

impl<'t> List<'t> {
    pub(super) fn of(file: &str, text: &'t str) -> Result<Self, ExpectationsError> {
        let mut begins = Vec::new();
        for header in Expectations::places(file, text)? {
            let (before, from) = text.split_at_checked(header).unwrap_or((text, ""));
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            let is_header = from.starts_with("[[") && before[line..].trim().is_empty();
            if !is_header {
                return Err(ExpectationsError::Inline(file.to_owned()));
            }
            begins.push(with_comment(text, line));
        }
        let ends = begins.iter().skip(1).copied().chain([text.len()]);
        let entries = begins.iter().zip(ends).map(|(&begin, end)| {
            let whole = text.get(begin..end).unwrap_or_default();
            let lines = whole.split_inclusive('\n').rev();
            let behind: usize = lines.take_while(|line| is_of_none(line)).map(str::len).sum();
            let (entry, behind) = whole.split_at(whole.len() - behind);
            Piece { entry, behind }
        });
        let start = begins.first().map_or(text, |&first| &text[..first]);
        Ok(Self { text, start, entries: entries.collect() })
    }

    /// The text with the entries that are kept and others behind them; a text that is empty gets a heading.
    pub(super) fn with(
        &self,
        is_kept: &[bool],
        added: &[&Known],
        heading: impl FnOnce() -> String,
    ) -> String {
        if added.is_empty() && is_kept.iter().all(|is_kept| *is_kept) && !self.text.is_empty() {
            return self.text.to_owned();
        }
        let mut text = self.start.to_owned();
        for (piece, is_kept) in self.entries.iter().zip(is_kept) {
            if *is_kept {
                text += piece.entry;
                text += piece.behind;
            } else if !piece.behind.trim().is_empty() {
                text += piece.behind.trim_start_matches(['\r', '\n']);
            }
        }
        text.truncate(text.trim_end().len());
        text = if text.is_empty() { heading() } else { text + "\n" };
        for entry in added {
            text.push('\n');
            text += &entry.to_toml();
        }
        text
    }
}

/// Where the comment right above a line begins; the line itself where there is none, or where it is that of the
/// whole text.
fn with_comment(text: &str, line: usize) -> usize {
    let above = text[..line].split_inclusive('\n').rev();
    let comment: usize =
        above.take_while(|line| line.trim_start().starts_with('#')).map(str::len).sum();
    if comment == line { line } else { line - comment }
}

/// Whether a line is blank or a comment.
fn is_of_none(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}
