//! A column of elements of one type, as kernels, tensors and the oracle each want to see it.

use std::ops::Range;

use bytemuck::Pod;
use bytes::Bytes;

use values::dtype::DType;
use values::element::Element;

/// Elements of 1, 2, 4 or 8 bytes, next to each other and aligned for any of these widths; those of fewer than 8 bits have a byte each.
/// Or strings, which have no bytes here.
#[derive(Clone, Debug)]
pub struct Column {
    dtype: DType,
    words: Vec<u64>,
    width: usize,
    strings: Vec<Bytes>,
    len: usize,
}

impl Column {
    /// An empty column for elements of a type; complex numbers have no place here.
    pub fn new(dtype: DType) -> Self {
        let width = dtype.bits().map_or(0, |bits| (bits as usize / 8).clamp(1, size_of::<u64>()));
        Self { dtype, words: Vec::new(), width, strings: Vec::new(), len: 0 }
    }

    /// Sets the number of elements. What they hold is unspecified until they are written.
    pub fn resize(&mut self, len: usize) {
        self.words.resize((len * self.width).div_ceil(size_of::<u64>()), 0);
        self.strings.resize(if self.width == 0 { len } else { 0 }, Bytes::new());
        self.len = len;
    }

    /// Becomes a copy of some elements of another column of the same width; it stays as it is where that has no such elements.
    pub fn copy(&mut self, other: &Self, elements: Range<usize>) {
        if elements.end <= other.len && self.width == other.width {
            self.resize(elements.len());
            self.place(0, other, elements);
        }
    }

    /// Writes some elements of another column of the same width from an index on; nothing where either has no such elements.
    pub(super) fn place(&mut self, at: usize, other: &Self, elements: Range<usize>) {
        let (width, end) = (self.width, at + elements.len());
        let from = elements.start * width..elements.end * width;
        if width != other.width || end > self.len {
            return;
        }
        if let Some(bytes) = other.bytes().get(from) {
            self.bytes_mut()[at * width..end * width].copy_from_slice(bytes);
        }
        if let (Some(to), Some(strings)) =
            (self.strings.get_mut(at..end), other.strings.get(elements))
        {
            to.clone_from_slice(strings);
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

    /// The strings; none where it has numbers.
    pub fn strings(&self) -> &[Bytes] {
        &self.strings
    }

    /// Bytes of one element; 0 of strings.
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
        fn at<T: Pod + Into<u64>>(column: &Column, index: usize) -> u64 {
            column.values::<T>().get(index).map_or(0, |&bits| bits.into())
        }
        match self.width {
            1 => at::<u8>(self, index),
            2 => at::<u16>(self, index),
            4 => at::<u32>(self, index),
            _ => at::<u64>(self, index),
        }
    }

    /// The element at an index; past the end 0, or the empty string.
    pub fn get(&self, index: usize) -> Element {
        if self.width == 0 {
            return Element::String(self.strings.get(index).cloned().unwrap_or_default());
        }
        Element::Bits(self.dtype, self.element(index).into())
    }

    /// Writes the bits of an element; nothing past the end.
    pub fn set(&mut self, index: usize, bits: u64) {
        let width = self.width;
        if let Some(element) = self.bytes_mut().get_mut(index * width..(index + 1) * width) {
            element.copy_from_slice(&bits.to_le_bytes()[..width]);
        }
    }

    /// Writes an element; nothing past the end, nor a string among numbers or a number among strings.
    pub fn put(&mut self, index: usize, element: Element) {
        match (element, self.strings.get_mut(index)) {
            (Element::String(string), Some(place)) => *place = string,
            (Element::Bits(_, bits), None) => self.set(index, bits as u64),
            _ => {}
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
    fn strings_are_read_back_and_copied() {
        let text = |text: &'static str| Element::String(text.into());
        let mut column = Column::new(DType::String);
        column.resize(3);
        column.put(1, text("a"));
        column.put(2, text("bc"));
        column.put(3, text("d"));
        column.put(0, Element::Bits(DType::Int8, 1));
        column.set(0, 1);
        assert_eq!([0, 1, 2, 3].map(|at| column.get(at)), ["", "a", "bc", ""].map(text));
        assert!(column.bytes().is_empty() && column.width() == 0);
        let mut copy = Column::new(DType::String);
        copy.copy(&column, 1..3);
        assert_eq!(copy.strings(), ["a", "bc"]);
        copy.copy(&column, 1..4);
        column.place(0, &copy, 1..2);
        assert_eq!(column.strings(), ["bc", "a", "bc"]);
        let mut numbers = Column::new(DType::Int8);
        numbers.resize(3);
        numbers.put(1, text("a"));
        numbers.place(0, &column, 0..3);
        assert_eq!(numbers.bytes(), [0; 3]);
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
