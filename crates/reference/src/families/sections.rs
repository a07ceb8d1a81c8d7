//! What Concat and Split have in common: a tensor in sections along one of its dimensions, each of which is a tensor
//! of its own.

/// The sections of a tensor, in their order.
pub(crate) struct Sections {
    /// How many elements lie between neighbours along the dimension.
    stride: usize,
    /// Where along the dimension each section ends.
    ends: Vec<usize>,
}

impl Sections {
    /// Sections of these sizes along a dimension of this shape, whatever size that says; `None` where there is no such
    /// dimension, or no number for all sizes together.
    pub(crate) fn new(
        shape: &[usize],
        axis: usize,
        sizes: impl IntoIterator<Item = usize>,
    ) -> Option<Self> {
        // Only a tensor without elements has sizes whose product is too large, and it is never read.
        let inner = shape.get(axis.checked_add(1)?..)?;
        let stride = inner.iter().fold(1_usize, |stride, &size| stride.saturating_mul(size));
        let mut end = 0_usize;
        let mut ends = Vec::new();
        for size in sizes {
            end = end.checked_add(size)?;
            ends.push(end);
        }
        Some(Self { stride, ends })
    }

    /// The size of all sections together.
    pub(crate) fn size(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Where a section begins, and its size.
    fn section(&self, section: usize) -> Option<(usize, usize)> {
        let start = section.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let (start, end) = (start?, *self.ends.get(section)?);
        Some((start, end.checked_sub(start)?))
    }

    /// The section that holds the element at a row-major index of the whole, and the index of the element there.
    pub(crate) fn in_section(&self, index: usize) -> Option<(usize, usize)> {
        let (line, within) = (index.checked_div(self.stride)?, index.checked_rem(self.stride)?);
        let (row, place) = (line.checked_div(self.size())?, line.checked_rem(self.size())?);
        let section = self.ends.partition_point(|&end| end <= place);
        let (start, size) = self.section(section)?;
        let line = row.checked_mul(size)?.checked_add(place.checked_sub(start)?)?;
        Some((section, line.checked_mul(self.stride)?.checked_add(within)?))
    }

    /// The row-major index in the whole of the element that a section has at an index.
    pub(crate) fn in_whole(&self, section: usize, index: usize) -> Option<usize> {
        let (start, size) = self.section(section)?;
        let (line, within) = (index.checked_div(self.stride)?, index.checked_rem(self.stride)?);
        let (row, place) = (line.checked_div(size)?, line.checked_rem(size)?);
        let line = row.checked_mul(self.size())?.checked_add(start)?.checked_add(place)?;
        line.checked_mul(self.stride)?.checked_add(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_in_one_section() {
        // Rows of 2, 0 and 3 lines of 2 elements each.
        let sections = Sections::new(&[2, 5, 2], 1, [2, 0, 3]).unwrap();
        assert_eq!(sections.size(), 5);
        assert_eq!(sections.in_section(0), Some((0, 0)));
        assert_eq!(sections.in_section(5), Some((2, 1)));
        assert_eq!(sections.in_section(13), Some((0, 7)));
        for index in 0..20 {
            let (section, place) = sections.in_section(index).unwrap();
            assert_eq!(sections.in_whole(section, place), Some(index));
        }
        assert_eq!((sections.in_whole(1, 0), sections.in_whole(3, 0)), (None, None));
    }

    #[test]
    fn what_has_no_elements_or_no_number_has_no_places() {
        let empty = Sections::new(&[3, usize::MAX, usize::MAX, 0], 0, [1, 2]).unwrap();
        assert_eq!((empty.in_section(0), empty.in_whole(0, 0)), (None, None));
        assert!(Sections::new(&[2], 0, [usize::MAX, 1]).is_none());
        assert!(Sections::new(&[2], 1, [1]).is_none());
        assert!(Sections::new(&[], usize::MAX, [1]).is_none());
    }
}
