//! How one dimension is padded.

/// What is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Constant,
    Reflect,
    Edge,
    Wrap,
}

/// Whether elements that are removed at one end are still there for what is added at the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Whole,
    Remaining,
}

/// The size of a dimension, and the numbers of elements that are added before and after it, or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    size: usize,
    begin: i64,
    end: i64,
    padded: usize,
}

impl Mode {
    /// The mode of this name, the first one where there is no such.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "reflect" => Self::Reflect,
            "edge" => Self::Edge,
            "wrap" => Self::Wrap,
            _ => Self::Constant,
        }
    }
}

impl Extent {
    /// The dimension of this size with these paddings, where they leave no negative size and none that memory
    /// cannot address.
    pub(super) fn new(size: usize, [begin, end]: [i64; 2]) -> Option<Self> {
        let padded = size as i128 + i128::from(begin) + i128::from(end);
        Some(Self { size, begin, end, padded: usize::try_from(padded).ok()? })
    }

    /// The size of the output.
    pub(super) const fn padded(&self) -> usize {
        self.padded
    }

    /// Whether more is removed at an end than there is.
    pub(super) fn removes_too_many(&self) -> bool {
        let most = -(self.size as i128);
        [self.begin, self.end].into_iter().any(|count| i128::from(count) < most)
    }

    /// Whether elements are removed at one end and added at the other.
    pub(super) const fn is_mixed(&self) -> bool {
        self.begin < 0 && self.end > 0 || self.begin > 0 && self.end < 0
    }

    /// The first of the elements that remain, and their number.
    fn remaining(&self) -> (i128, i128) {
        let removed = |count: i64| i128::from(count.min(0)).abs();
        let first = removed(self.begin);
        (first, self.size as i128 - first - removed(self.end))
    }

    /// Whether all that is added follows from the elements that remain.
    pub(super) fn is_told(&self, mode: Mode) -> bool {
        let (_, count) = self.remaining();
        let added = i128::from(self.begin.max(self.end));
        match mode {
            Mode::Constant => true,
            _ if added <= 0 => true,
            Mode::Reflect => count > 1,
            Mode::Edge | Mode::Wrap => count > 0,
        }
    }

    /// The place in the data of the element at a place of the output; `None` where it is the one that fills.
    pub(super) fn place(&self, mode: Mode, reading: Reading, at: usize) -> Option<usize> {
        let (first, count) = match (mode, reading) {
            (Mode::Constant, _) | (_, Reading::Whole) => (0, self.size as i128),
            (_, Reading::Remaining) => self.remaining(),
        };
        let last = count - 1;
        let at = at as i128 - i128::from(self.begin) - first;
        let place = match mode {
            Mode::Constant => Some(at).filter(|at| (0..count).contains(at))?,
            Mode::Edge => at.max(0).min(last),
            // There and back again, as often as it takes.
            Mode::Reflect => last - (last - at.checked_rem_euclid(2 * last).unwrap_or(0)).abs(),
            Mode::Wrap => at.checked_rem_euclid(count)?,
        };
        usize::try_from(first + place).ok()
    }
}
