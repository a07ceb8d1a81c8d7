//! Outputs whose elements are those of other tensors, of any type, as they are.

use bytes::Bytes;

use super::KernelError;
use super::elementwise::checked_len;
use super::packing::{get, put};
use values::dtype::DType;
use values::tensor::Tensor;

/// An output that is filled from its first element on.
pub(super) struct Moving {
    dtype: DType,
    shape: Vec<usize>,
    /// Number of elements when it is full, and those that are there.
    pub(super) elements: usize,
    filled: usize,
    bytes: Vec<u8>,
    strings: Vec<Bytes>,
}

impl Moving {
    /// An output without elements yet, where one of this shape is not too large.
    pub(super) fn new(dtype: DType, shape: Vec<usize>) -> Result<Self, KernelError> {
        let width = dtype.bits().map_or(size_of::<Bytes>(), |bits| bits.div_ceil(8) as usize);
        let elements = checked_len(&shape, dtype, width)?;
        let too_large = || KernelError::TooLarge { shape: shape.clone(), dtype };
        let (mut bytes, mut strings) = (Vec::new(), Vec::new());
        match dtype.packed_len(elements) {
            Some(len) => bytes.try_reserve_exact(len).map_err(|_| too_large())?,
            None => strings.try_reserve_exact(elements).map_err(|_| too_large())?,
        }
        Ok(Self { dtype, shape, elements, filled: 0, bytes, strings })
    }

    /// Takes so many elements of a tensor of the same type, from one on.
    pub(super) fn take(&mut self, from: &Tensor, start: usize, count: usize) {
        let end = start + count;
        if let Some(strings) = from.strings() {
            self.strings.extend_from_slice(&strings[start..end]);
        }
        let (bits, bytes) = match (self.dtype.bits(), from.bits()) {
            (Some(bits), Some(bytes)) => (bits as usize, bytes),
            _ => return,
        };
        if bits >= 8 {
            let width = bits / 8;
            self.bytes.extend_from_slice(&bytes[start * width..end * width]);
            return;
        }
        self.bytes.resize(((self.filled + count) * bits).div_ceil(8), 0);
        for at in start..end {
            put(&mut self.bytes, bits, self.filled, get(bytes, bits, at));
            self.filled += 1;
        }
    }

    /// The tensor, which is full.
    pub(super) fn done(self) -> Result<Tensor, KernelError> {
        Ok(match self.dtype {
            DType::String => Tensor::from_strings(self.shape, self.strings)?,
            dtype => Tensor::from_bits(dtype, self.shape, self.bytes.into())?,
        })
    }
}

/// The output of this shape, each of whose elements is the one of the data at places that follow from its own,
/// dimension by dimension; `sizes` are the data's, as many as the output has. Where a dimension has no place,
/// the element is the one that fills.
pub(super) fn gathered(
    data: &Tensor,
    sizes: &[usize],
    fill: Option<&Tensor>,
    shape: &[usize],
    place: impl Fn(usize, usize) -> Option<usize>,
) -> Result<Vec<Tensor>, KernelError> {
    let mut output = Moving::new(data.dtype(), shape.to_vec())?;
    for index in 0..output.elements {
        let (mut rest, mut from, mut stride) = (index, Some(0_usize), 1_usize);
        for (dimension, (&size, &own)) in shape.iter().zip(sizes).enumerate().rev() {
            let at = place(dimension, rest % size);
            from = from.zip(at).map(|(from, at)| from + at * stride);
            rest /= size;
            stride = stride.wrapping_mul(own);
        }
        match (from, fill) {
            (Some(from), _) => output.take(data, from, 1),
            (None, Some(fill)) => output.take(fill, 0, 1),
            (None, None) => {}
        }
    }
    Ok(vec![output.done()?])
}
