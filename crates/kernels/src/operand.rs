//! The elements of an operand, block by block in the order of the output, broadcast or not.

use std::borrow::Cow;

use bytemuck::Pod;

use super::BLOCK;
use super::broadcast::{Dimension, index_of};
use values::tensor::Tensor;

/// Reads an operand of a broadcast.
pub(super) struct Operand<'a, T: Pod> {
    values: Cow<'a, [T]>,
    steps: &'a [Dimension],
    copied: Vec<T>,
}

/// The tensor's elements as native values. Copies them only where they lie unaligned in memory.
pub(super) fn values<T: Pod>(tensor: &Tensor) -> Cow<'_, [T]> {
    let bytes = tensor.bits().map_or(&[][..], |bits| bits);
    match bytemuck::try_cast_slice(bytes) {
        Ok(values) => Cow::Borrowed(values),
        Err(_) => Cow::Owned(bytemuck::pod_collect_to_vec(bytes)),
    }
}

impl<'a, T: Pod> Operand<'a, T> {
    /// Reads `tensor` with these steps.
    pub(super) fn new(tensor: &'a Tensor, steps: &'a [Dimension]) -> Self {
        Self { values: values(tensor), steps, copied: Vec::new() }
    }

    /// Elements after which the operand repeats itself, if it does so within a block.
    fn period(&self) -> Option<usize> {
        match *self.steps {
            [Dimension { stride: 0, .. }] => Some(1),
            [Dimension { stride: 0, .. }, Dimension { size, stride: 1 }] if size <= BLOCK => {
                Some(size)
            }
            _ => None,
        }
    }

    /// The longest block, so that every block of a repeating operand is the same. Of two operands
    /// only one repeats: a dimension repeated in both is none of the output's.
    pub(super) fn block_len(&self) -> usize {
        self.period().map_or(BLOCK, |period| BLOCK - BLOCK % period)
    }

    /// The operand's elements for `len` elements of the output from `start` on.
    pub(super) fn block(&mut self, start: usize, len: usize) -> &[T] {
        if let [] | [Dimension { stride: 1, .. }] = self.steps {
            return &self.values[start..start + len];
        }
        if self.copied.is_empty() || self.period().is_none() {
            self.copied.clear();
            self.copy(start, len);
        }
        &self.copied[..len]
    }

    /// Appends the elements, run by run of the innermost dimension.
    fn copy(&mut self, start: usize, len: usize) {
        let [outer @ .., inner] = self.steps else { return };
        let end = start + len;
        let mut at = start;
        while at < end {
            let within = at % inner.size;
            let run = (inner.size - within).min(end - at);
            let from = index_of(outer, at / inner.size) + within * inner.stride;
            if inner.stride == 0 {
                self.copied.resize(self.copied.len() + run, self.values[from]);
            } else {
                self.copied.extend_from_slice(&self.values[from..from + run]);
            }
            at += run;
        }
    }
}
