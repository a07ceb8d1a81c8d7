//! Counterexamples: inputs whose result is wrong, the first ones and the worst ones.

use std::cmp::Ordering;

use crate::oracle::Deviation;

/// How many of the first and of the worst counterexamples are kept.
pub const KEPT: usize = 16;

/// An input with a wrong result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its place in the space.
    pub index: u64,
    /// The operands' bits.
    pub operands: Vec<u64>,
    /// The bits of what the subject gave.
    pub actual: u64,
    /// How far that is from the real result.
    pub error: Severity,
}

/// How wrong a result is, in the order of the worst: by its distance from the real result, then a
/// NaN or an infinity for a number, then a wrong result where there is no real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Severity(pub Deviation);

impl Example {
    /// The order of the worst; where these are equal, that of the space.
    #[must_use]
    pub fn worst_first(&self, other: &Self) -> Ordering {
        other.error.cmp(&self.error).then(self.index.cmp(&other.index))
    }

    /// The order of the space.
    #[must_use]
    pub fn first_first(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

impl Ord for Severity {
    fn cmp(&self, other: &Self) -> Ordering {
        // `Deviation` has them in this order but for the last.
        let is_last = |severity: &Self| severity.0 == Deviation::NoRealResult;
        is_last(self).cmp(&is_last(other)).then(self.0.cmp(&other.0))
    }
}

impl PartialOrd for Severity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps an example among the best of an order, at most [`KEPT`].
pub(super) fn keep(
    examples: &mut Vec<Example>,
    example: &Example,
    order: fn(&Example, &Example) -> Ordering,
) {
    let place = examples.partition_point(|kept| order(kept, example).is_lt());
    if place < KEPT {
        examples.insert(place, example.clone());
        examples.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Ulps;

    fn example(index: u64, error: Deviation) -> Example {
        Example { index, operands: vec![index], actual: 0, error: Severity(error) }
    }

    #[test]
    fn the_worst_come_by_severity_then_distance_then_place() {
        let (half, one) = (Deviation::Ulps(Ulps::HALF), Deviation::Ulps(Ulps::ONE));
        let errors = [half, Deviation::NoRealResult, one, Deviation::Unbounded, one, half];
        let mut worst = Vec::new();
        for (index, error) in errors.into_iter().enumerate().rev() {
            keep(&mut worst, &example(index as u64, error), Example::worst_first);
        }
        let order: Vec<u64> = worst.iter().map(|example| example.index).collect();
        assert_eq!(order, [1, 3, 2, 4, 0, 5]);
    }

    #[test]
    fn no_more_are_kept_than_are_shown() {
        let mut first = Vec::new();
        for index in (0..100).rev() {
            keep(&mut first, &example(index, Deviation::Unbounded), Example::first_first);
        }
        assert_eq!(first.len(), KEPT);
        assert_eq!(first.last().unwrap().index, KEPT as u64 - 1);
    }
}
