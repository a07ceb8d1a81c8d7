//! The lines of a tensor: the elements along one dimension, or along all from one on, which a result of each is computed
//! from.

use std::cell::OnceCell;
use std::rc::Rc;

use values::tensor::Tensor;

use super::computation::value;
use crate::exact::composed::{BITS, Computed};

/// Lines of equal length, whose elements are equally far apart.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    /// Elements of a line.
    pub(crate) length: usize,
    /// How far these are apart.
    stride: usize,
}

impl Lines {
    /// The lines along one dimension.
    pub(crate) fn along(shape: &[usize], axis: usize) -> Self {
        let length = shape.get(axis).copied().unwrap_or(1);
        let after = shape.get(axis + 1..).unwrap_or_default();
        Self { length, stride: count(after) }
    }

    /// The lines along all dimensions from one on, taken together.
    pub(crate) fn from(shape: &[usize], axis: usize) -> Self {
        Self { length: count(shape.get(axis..).unwrap_or_default()), stride: 1 }
    }

    /// The line of the element at an index, and its place in it.
    pub(crate) fn of(&self, index: usize) -> (usize, usize) {
        let (length, stride) = (self.length.max(1), self.stride.max(1));
        let (above, within) = (index / stride, index % stride);
        (above / length * stride + within, above % length)
    }

    /// The indices of the elements of a line.
    pub(crate) fn places(&self, line: usize) -> impl Iterator<Item = usize> + use<> {
        let (length, stride) = (self.length, self.stride.max(1));
        let first = line / stride * stride * length + line % stride;
        (0..length).map(move |at| first + at * stride)
    }

    /// The values of the elements of a line.
    pub(crate) fn values(&self, tensor: &Tensor, line: usize, bits: u32) -> Vec<Computed> {
        self.places(line).map(|place| value(tensor, place, bits)).collect()
    }
}

/// The number of elements of a shape, which only a tensor without any can exceed.
fn count(shape: &[usize]) -> usize {
    shape.iter().fold(1, |count, size| count.saturating_mul(*size))
}

/// What is computed of each line, once with as many bits as computations begin with.
pub(crate) struct PerLine<T, F> {
    known: Vec<OnceCell<Rc<T>>>,
    compute: F,
}

impl<T, F: Fn(usize, u32) -> T> PerLine<T, F> {
    /// What is computed of so many lines.
    pub(crate) fn new(lines: usize, compute: F) -> Self {
        Self { known: (0..lines).map(|_| OnceCell::new()).collect(), compute }
    }

    /// What is computed of a line to so many bits.
    pub(crate) fn of(&self, line: usize, bits: u32) -> Rc<T> {
        let compute = || Rc::new((self.compute)(line, bits));
        match self.known.get(line).filter(|_| bits == BITS) {
            Some(known) => Rc::clone(known.get_or_init(compute)),
            None => compute(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_found_in_its_line() {
        let shape = [2, 3, 4];
        for lines in (0..3).flat_map(|axis| [Lines::along(&shape, axis), Lines::from(&shape, axis)])
        {
            for index in 0..24 {
                let (line, place) = lines.of(index);
                assert_eq!(lines.places(line).nth(place), Some(index));
            }
        }
        assert_eq!(Lines::along(&shape, 1).places(5).collect::<Vec<_>>(), [13, 17, 21]);
        assert_eq!(
            Lines::from(&shape, 1).places(1).collect::<Vec<_>>(),
            (12..24).collect::<Vec<_>>()
        );
    }
}
