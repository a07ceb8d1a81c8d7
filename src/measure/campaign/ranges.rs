//! Sets of indices as ranges in order, none touching the next.

use std::ops::Range;

/// A set of indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// The ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = &Range<u64>> {
        self.0.iter()
    }

    /// Number of indices.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an index is among them.
    pub fn contains(&self, index: u64) -> bool {
        let at = self.0.partition_point(|known| known.end <= index);
        self.0.get(at).is_some_and(|range| range.contains(&index))
    }

    /// Adds a range; says whether none of its indices was there, without which nothing is added.
    pub fn insert(&mut self, range: Range<u64>) -> bool {
        if range.is_empty() {
            return true;
        }
        let at = self.0.partition_point(|known| known.end < range.start);
        let touching = self.0[at..].iter().take_while(|known| known.start <= range.end).count();
        let touched = &self.0[at..at + touching];
        if touched.iter().any(|known| known.start < range.end && range.start < known.end) {
            return false;
        }
        let start = touched.first().map_or(range.start, |first| first.start.min(range.start));
        let end = touched.last().map_or(range.end, |last| last.end.max(range.end));
        self.0.splice(at..at + touching, std::iter::once(start..end));
        true
    }

    /// The parts of a range that are not in the set.
    pub fn missing_from(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut missing = Vec::new();
        let mut at = range.start;
        for known in &self.0 {
            let end = known.start.min(range.end);
            if at < end {
                missing.push(at..end);
            }
            at = at.max(known.end);
        }
        if at < range.end {
            missing.push(at..range.end);
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        let mut ranges = Ranges::default();
        for range in [4..6, 0..2, 8..9, 6..8] {
            assert!(ranges.insert(range));
        }
        assert_eq!(ranges.iter().cloned().collect::<Vec<_>>(), [0..2, 4..9]);
        assert!(ranges.insert(2..4));
        assert!(ranges.iter().eq(std::iter::once(&(0..9))));
        assert!(!ranges.insert(8..10));
        assert_eq!(ranges.len(), 9);
        assert_eq!([0, 8, 9].map(|index| ranges.contains(index)), [true, true, false]);
    }

    proptest! {
        #[test]
        fn a_set_holds_what_was_put_in_and_no_index_twice(
            parts in prop::collection::vec((0..60_u64, 0..8_u64), 0..40)
        ) {
            let mut ranges = Ranges::default();
            let mut known = [false; 80];
            for (start, len) in parts {
                let range = start..start + len;
                let fresh = range.clone().all(|index| !known[index as usize]);
                prop_assert_eq!(ranges.insert(range.clone()), fresh);
                if fresh {
                    range.for_each(|index| known[index as usize] = true);
                }
            }
            prop_assert_eq!(ranges.len() as usize, known.iter().filter(|&&known| known).count());
            let missing: Vec<u64> = ranges.missing_from(&(3..70)).into_iter().flatten().collect();
            let expected: Vec<u64> = (3..70).filter(|&index| !known[index as usize]).collect();
            prop_assert_eq!(missing, expected);
            let gaps: Vec<_> = ranges.iter().cloned().collect();
            prop_assert!(gaps.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
