//! Elements in memory as C takes them.

use std::ffi::c_void;

use bytes::Bytes;

/// The content of an output before it is written, so that an element that is left out is noticed.
const UNWRITTEN: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// Bytes at an address that is aligned for types of up to 8 bytes, and a real one where there are
/// none.
pub(super) struct Buffer {
    /// At least one.
    words: Vec<u64>,
    /// In bytes.
    len: usize,
}

impl Buffer {
    /// A copy of these bytes.
    pub(super) fn holding(bytes: &Bytes) -> Self {
        let mut buffer = Self::unwritten(bytes.len());
        bytemuck::cast_slice_mut(&mut buffer.words)[..bytes.len()].copy_from_slice(bytes);
        buffer
    }

    /// Place for this many bytes.
    pub(super) fn unwritten(len: usize) -> Self {
        Self { words: vec![UNWRITTEN; len.div_ceil(size_of::<u64>()).max(1)], len }
    }

    /// Where the bytes start.
    pub(super) const fn start(&self) -> *const c_void {
        self.words.as_ptr().cast()
    }

    /// Where the bytes start, to write them.
    pub(super) const fn start_mut(&mut self) -> *mut c_void {
        self.words.as_mut_ptr().cast()
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_origin_start_aligned_and_come_back() {
        let bytes = Bytes::from((0..40).collect::<Vec<u8>>());
        for (start, len) in [(0, 16), (1, 9), (3, 7), (5, 1), (2, 0)] {
            let unaligned = bytes.slice(start..start + len);
            let buffer = Buffer::holding(&unaligned);
            assert_eq!(buffer.start().align_offset(8), 0);
            assert!(!buffer.start().is_null());
            assert_eq!(buffer.as_ref(), &unaligned[..]);
        }
    }
}
