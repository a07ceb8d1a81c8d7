//! Spaces whose tuples are computed from their index.

use super::{Space, Tuple, set};
use crate::inputs::Column;

/// The tuples that a function gives for the indices below a length.
pub(crate) struct Indexed<F> {
    len: u64,
    tuple: F,
}

impl<F: Fn(u64) -> Tuple + Send + Sync> Indexed<F> {
    pub(crate) const fn new(len: u64, tuple: F) -> Self {
        Self { len, tuple }
    }
}

impl<F: Fn(u64) -> Tuple + Send + Sync> Space for Indexed<F> {
    fn len(&self) -> u64 {
        self.len
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len);
        for (at, index) in (0..len).zip(first..) {
            set(operands, at, (self.tuple)(index));
        }
    }
}
