//! Spaces: sequences of operand tuples that are known by index, so that any part runs alone.

mod grid;

pub use grid::{Grid, Line};

use super::Column;

/// A finite sequence of operand tuples. The tuple at an index is always the same, whichever part of
/// the sequence is asked for, on whichever machine.
pub trait Space: Send + Sync {
    /// Number of tuples.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the tuples from `first` on, as many as the columns are long, one column an operand.
    fn fill(&self, first: u64, operands: &mut [Column]);
}
