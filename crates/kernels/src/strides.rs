//! Steps through a tensor's elements in another order than its own, or with elements repeated.

/// Steps of an operand along one or more dimensions of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dimension {
    /// Number of output elements along it.
    pub(super) size: usize,
    /// Distance in the operand, in elements, from one to the next: 0 where it is repeated.
    pub(super) stride: usize,
}

/// The steps, given from the innermost on, in as few dimensions as describe them; outermost first.
/// No product overflows where none of sizes and strides exceeds a number of elements in memory.
pub(super) fn merged(innermost_first: impl Iterator<Item = Dimension>) -> Vec<Dimension> {
    let mut merged = Vec::<Dimension>::new();
    for dimension in innermost_first.filter(|dimension| dimension.size != 1) {
        match merged.last_mut() {
            Some(inner) if inner.stride * inner.size == dimension.stride => {
                inner.size *= dimension.size;
            }
            _ => merged.push(dimension),
        }
    }
    merged.reverse();
    merged
}

/// Index in an operand of the output element at a row-major index.
pub(super) fn index_of(dimensions: &[Dimension], mut index: usize) -> usize {
    let mut offset = 0;
    for &Dimension { size, stride } in dimensions.iter().rev() {
        offset += index % size * stride;
        index /= size;
    }
    offset
}

/// Walks `len` elements of the output from `start` on, run by run of the innermost dimension: the
/// index in the operand of a run's first element, the distance to the next, and their number.
pub(super) fn runs(
    dimensions: &[Dimension],
    start: usize,
    len: usize,
    mut run: impl FnMut(usize, usize, usize),
) {
    let [outer @ .., inner] = dimensions else { return run(0, 1, len) };
    let end = start + len;
    let mut at = start;
    while at < end {
        let within = at % inner.size;
        let count = (inner.size - within).min(end - at);
        let from = index_of(outer, at / inner.size) + within * inner.stride;
        run(from, inner.stride, count);
        at += count;
    }
}
