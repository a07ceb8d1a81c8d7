//! The lines of a tensor of floats, whose numbers are computed with in binary64.

use super::quantization::value;
use values::tensor::Tensor;

/// The numbers of a line: so many, each so far from the one before, from a first place on.
pub(super) fn numbers(tensor: &Tensor, first: usize, count: usize, step: usize) -> Vec<f64> {
    (0..count).map(|at| value(tensor, first + at * step)).collect()
}

/// The first place of the line of an element, where lines have so many elements so far apart.
pub(super) fn first(at: usize, count: usize, step: usize) -> usize {
    at / (count * step) * count * step + at % step
}

/// The mean of numbers, and the mean of the squares of their distances from it.
pub(super) fn moments(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    // Not every sum begins with a zero: that of zeros of one sign is one of it.
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|number| (number - mean) * (number - mean));
    (mean, squares.sum::<f64>() / count)
}
