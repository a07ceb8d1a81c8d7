//! A column of elements of one type, as kernels, tensors and the oracle each want to see it.

use std::ops::Range;

use bytemuck::Pod;

use values::dtype::DType;

/// Elements of 1, 2, 4 or 8 bytes, next to each other and aligned for any of these widths; those of 2 and 4 bits have a byte each.
#[derive(Clone, Debug)]
pub struct Column {
    words: Vec<u64>,
    width: usize,
    len: usize,
}

impl Column {
    /// An empty column for elements of a type; strings have no place here.
    pub fn new(dtype: DType) -> Self {
        let width = dtype.bits().map_or(1, |bits| bits as usize / 8).clamp(1, size_of::<u64>());
        Self { words: Vec::new(), width, len: 0 }
    }

    /// Sets the number of elements. What they hold is unspecified until they are written.
    pub fn resize(&mut self, len: usize) {
        self.words.resize((len * self.width).div_ceil(size_of::<u64>()), 0);
        self.len = len;
    }

    /// Becomes a copy of some elements of another column of the same width; it stays as it is where that has no such elements.
    pub fn copy(&mut self, other: &Self, elements: Range<usize>) {
        let bytes = elements.start * other.width..elements.end * other.width;
        if let (Some(bytes), true) = (other.bytes().get(bytes), self.width == other.width) {
            self.resize(elements.len());
            self.bytes_mut().copy_from_slice(bytes);
        }
    }

    /// Number of elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of one element.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The elements as bytes, little-endian like `raw_data`.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len * self.width]
    }

    /// The elements as bytes to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len * self.width]
    }

    /// The elements as native values; none where a value is not as wide as an element.
    pub fn values<T: Pod>(&self) -> &[T] {
        if size_of::<T>() == self.width { bytemuck::cast_slice(self.bytes()) } else { &[] }
    }

    /// The elements as native values to be written; none where a value is not as wide as an element.
    pub fn values_mut<T: Pod>(&mut self) -> &mut [T] {
        if size_of::<T>() == self.width {
            bytemuck::cast_slice_mut(self.bytes_mut())
        } else {
            &mut []
        }
    }

    /// The bits of an element in the low end; 0 past the end.
    pub fn element(&self, index: usize) -> u64 {
        let mut bits = [0; size_of::<u64>()];
        if let Some(element) = self.bytes().chunks_exact(self.width).nth(index) {
            bits[..self.width].copy_from_slice(element);
        }
        u64::from_le_bytes(bits)
    }

    /// Writes the bits of an element; nothing past the end.
    pub fn set(&mut self, index: usize, bits: u64) {
        let width = self.width;
        if let Some(element) = self.bytes_mut().chunks_exact_mut(width).nth(index) {
            element.copy_from_slice(&bits.to_le_bytes()[..width]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_back_at_every_width() {
        for dtype in [DType::Int8, DType::Float16, DType::Float32, DType::Float64] {
            let mut column = Column::new(dtype);
            column.resize(5);
            let mask = u64::MAX >> (64 - dtype.bits().unwrap());
            (0..5).for_each(|at| column.set(at, u64::MAX - at as u64));
            assert!((0..5).all(|at| column.element(at) == (u64::MAX - at as u64) & mask));
            assert_eq!(column.element(5), 0);
            assert_eq!(column.bytes().len(), 5 * column.width());
        }
    }

    #[test]
    fn values_are_those_of_the_width_or_none() {
        let mut column = Column::new(DType::Float16);
        column.resize(3);
        column.values_mut::<u16>().copy_from_slice(&[1, 2, 3]);
        assert_eq!(column.bytes(), [1, 0, 2, 0, 3, 0]);
        assert!(column.values::<u32>().is_empty());
    }
}
