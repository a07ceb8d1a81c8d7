//! Input within bounds: what decoding may take of memory, and files of a limited size.
//!
//! **The bound.** While an input is decoded, its own bytes and everything that decoding allocates
//! take at most twice the input's size and [`SLACK`]; of a JSON text that is an input of its own, whose values take
//! more than their text, [`JSON_TIMES`] its size. A case with all its files is one input, as
//! are the outputs of an adapter, a document, and a catalogue. What an input will take is reckoned
//! before anything is made of it, on the safe side, and too much is refused.
//!
//! `docs/robustness.md` explains how each decoder keeps to it, and `tests/memory` measures it.

mod file;
mod strict;
mod text;

pub use file::{read, read_text};
pub use text::{TOML_LIMIT, from_json, from_json_within, from_toml, has_room_for_json};

/// What the decoding of any input may take beyond twice the input's size, in bytes.
pub const SLACK: usize = 64_000_000;

/// How many times its size a JSON text may take that is an input of its own, its bytes among them.
pub const JSON_TIMES: usize = 10;

/// What is left of the memory that decoding may take beside the input's own bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    left: usize,
}

/// Decoding would take more memory than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "decoding it takes more than {} MB of memory and twice its size ({JSON_TIMES} times that of a \
     JSON text), as it has too many small parts; is it damaged?",
    SLACK / 1_000_000
)]
pub struct TooMuch;

impl Default for Budget {
    fn default() -> Self {
        Self { left: SLACK }
    }
}

impl Budget {
    /// The budget of an input of this many bytes.
    pub fn of_input(bytes: usize) -> Self {
        let mut budget = Self::default();
        budget.admit(bytes);
        budget
    }

    /// Takes in a part of the input: its bytes are there once, and may be taken once more.
    pub fn admit(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes);
    }

    /// Takes this many bytes.
    pub fn take(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(bytes).ok_or(TooMuch)?;
        Ok(())
    }
}

/// What a growing vector takes at most for this many more elements of this size: its capacity
/// doubles, and while it moves the old one is there as well.
pub const fn growth(elements: usize, size: usize, is_first: bool) -> usize {
    // The first allocation has room for four.
    let room = if is_first { 2 } else { 0 };
    elements.saturating_mul(3).saturating_add(room).saturating_mul(size)
}

/// What a string of this length takes, with what the allocator adds.
pub const fn string(length: usize) -> usize {
    length.saturating_add(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_may_be_taken_once_more_and_the_slack() {
        let mut budget = Budget::of_input(100);
        assert_eq!(budget.take(SLACK + 100), Ok(()));
        assert_eq!(budget.take(1), Err(TooMuch));
        budget.admit(1);
        assert_eq!(budget.take(1), Ok(()));
    }

    #[test]
    fn a_vector_never_takes_more_than_was_reckoned() {
        let mut vector: Vec<[u8; 24]> = Vec::new();
        let mut reckoned = 0;
        for count in 0..5000 {
            let before = vector.capacity();
            vector.push([0; 24]);
            reckoned += growth(1, 24, count == 0);
            let moved = if vector.capacity() == before { 0 } else { before };
            assert!((vector.capacity() + moved) * 24 <= reckoned, "{count}");
        }
    }
}
