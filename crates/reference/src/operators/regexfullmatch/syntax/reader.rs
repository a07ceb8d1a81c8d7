//! What an expression is read with: its characters, the flags that hold, and what was written of it.

use std::collections::BTreeSet;

/// Why an expression is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is none of RE2.
    Invalid(&'static str),
    /// What it means, or whether it means anything, is not stated.
    Open(&'static str),
}

pub(super) const NO_ESCAPE: Problem = Problem::Invalid("RE2 has no such escape");
pub(super) const OTHER_ESCAPE: Problem =
    Problem::Open("what such an escape stands for is not decided here");
pub(super) const FOLDED: Problem =
    Problem::Open("which letters are the same without case is not stated");

/// What holds in a group from some place on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub(super) folds_case: bool,
    pub(super) dot_is_any: bool,
    pub(super) by_lines: bool,
}

/// What stands before a repetition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// The beginning of a group or of an alternative.
    Nothing,
    /// Something that is repeated so many times at most by counts within it.
    Item(u32),
    /// The same with a repetition.
    Repeated(u32),
    /// A position, or flags.
    Position,
}

/// An expression that is being read.
pub(super) struct Reader {
    pub(super) characters: Vec<char>,
    pub(super) at: usize,
    pub(super) ranges: String,
    pub(super) flags: Flags,
    pub(super) folds_case: bool,
    pub(super) names: BTreeSet<String>,
}

impl Reader {
    /// The character that is read next.
    pub(super) fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    /// The same, which then is read.
    pub(super) fn take(&mut self) -> Option<char> {
        let taken = self.peek();
        self.at += usize::from(taken.is_some());
        taken
    }
}
