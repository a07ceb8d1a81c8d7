//! Tensors and the values made of them: shape, element type and raw bits.
//!
//! The bits are kept exactly as ONNX's `raw_data` lays them out: little-endian, row-major, the 2-,
//! 4- and 6-bit types packed from the low end of each byte with unused high bits zero. What a file
//! holds, what a kernel reads and what a comparison shows are therefore the same bits.
//! Elements of 6 bits follow each other without a gap, so that some lie in two bytes.

use std::borrow::Cow;

use bytes::Bytes;

use crate::dtype::DType;
pub use crate::native::Native;

/// Most dimensions that a tensor may have: as many as NumPy's arrays (`NPY_MAXDIMS` of NumPy 2.0). Shapes
/// and coordinates are shown whole, so nobody may make them endless.
pub const MAX_RANK: usize = 64;

/// A dense tensor.
///
/// ```
/// use onnx_conformance_values::dtype::DType;
/// use onnx_conformance_values::tensor::{Tensor, coordinates};
///
/// let matrix = Tensor::from_values(DType::Float16, vec![1, 2], vec![0x3c00_u16, 0x4000])?;
/// assert_eq!(matrix.bits().map(|bits| bits.to_vec()), Some(vec![0x00, 0x3c, 0x00, 0x40]));
/// assert_eq!(matrix.element(1), Some(0x4000));
/// assert_eq!(coordinates(1, matrix.shape()), [0, 1]);
/// // What Rust has a type for is read and made as that type.
/// let vector = Tensor::from_vec(vec![2], vec![0.5_f32, 1.0])?;
/// assert_eq!(vector.as_slice::<f32>().as_deref(), Some(&[0.5, 1.0][..]));
/// assert_eq!(vector.as_slice::<f64>(), None);
/// // Data that shape and type do not ask for is refused.
/// assert!(Tensor::from_values(DType::Float16, vec![3], vec![0x3c00_u16]).is_err());
/// # Ok::<(), onnx_conformance_values::tensor::TensorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    dtype: DType,
    shape: Vec<usize>,
    elements: usize,
    data: Data,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Data {
    Bits(Bytes),
    Strings(Vec<Bytes>),
}

/// The parts do not make a tensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum TensorError {
    #[error("it has {rank} dimensions, and a tensor may have {MAX_RANK}")]
    Rank { rank: usize },
    #[error("the dimensions {shape:?} hold more elements than memory can address")]
    TooManyElements { shape: Vec<usize> },
    #[error("{dtype} of shape {shape:?} takes {expected} bytes, but the data has {actual}")]
    WrongSize { dtype: DType, shape: Vec<usize>, expected: usize, actual: usize },
    #[error("shape {shape:?} has {expected} elements, but the data has {actual}")]
    WrongCount { shape: Vec<usize>, expected: usize, actual: usize },
    #[error("{dtype} elements cannot be given as {given}")]
    WrongKind { dtype: DType, given: &'static str },
    #[error("a bool element holds {value}, neither 0 nor 1")]
    NotBool { value: u8 },
}

impl Tensor {
    /// A tensor of any type but string, from its bits in `raw_data` layout. Unused bits of the
    /// last byte are cleared.
    pub fn from_bits(dtype: DType, shape: Vec<usize>, data: Bytes) -> Result<Self, TensorError> {
        let elements = element_count(&shape)?;
        let Some(bits) = dtype.bits() else {
            return Err(TensorError::WrongKind { dtype, given: "bits" });
        };
        let Some(expected) = dtype.packed_len(elements) else {
            return Err(TensorError::TooManyElements { shape });
        };
        if data.len() != expected {
            return Err(TensorError::WrongSize { dtype, shape, expected, actual: data.len() });
        }
        if dtype == DType::Bool
            && let Some(&value) = data.iter().find(|&&byte| byte > 1)
        {
            return Err(TensorError::NotBool { value });
        }
        let data = clear_padding(data, elements, bits);
        Ok(Self { dtype, shape, elements, data: Data::Bits(data) })
    }

    /// A tensor of numbers from native values, e.g. the output of a kernel.
    pub fn from_values<T: bytemuck::Pod + Send + Sync>(
        dtype: DType,
        shape: Vec<usize>,
        values: Vec<T>,
    ) -> Result<Self, TensorError> {
        Self::from_bits(dtype, shape, owned(values, bytemuck::cast_slice))
    }

    /// A tensor of the element type that corresponds to Rust's type.
    pub fn from_vec<T: Native>(shape: Vec<usize>, values: Vec<T>) -> Result<Self, TensorError> {
        Self::from_bits(T::DTYPE, shape, owned(values, T::bytes))
    }

    /// A tensor of any type but string, from the bits of its elements, each in the low end.
    pub fn from_elements(
        dtype: DType,
        shape: Vec<usize>,
        elements: impl IntoIterator<Item = u128>,
    ) -> Result<Self, TensorError> {
        let elements = elements.into_iter();
        let mut bytes = Vec::new();
        match dtype.bits() {
            Some(bits @ ..8) => {
                // What does not fill a byte yet, and so many bits of it.
                let (mut rest, mut filled) = (0_u32, 0);
                for element in elements {
                    rest |= (element as u32 & ((1 << bits) - 1)) << filled;
                    filled += bits;
                    if filled >= u8::BITS {
                        bytes.push(rest as u8);
                        rest >>= u8::BITS;
                        filled -= u8::BITS;
                    }
                }
                if filled > 0 {
                    bytes.push(rest as u8);
                }
            }
            bits => {
                let width = bits.unwrap_or_default() as usize / 8;
                elements.for_each(|bits| bytes.extend_from_slice(&bits.to_le_bytes()[..width]));
            }
        }
        Self::from_bits(dtype, shape, bytes.into())
    }

    /// A tensor of strings.
    pub fn from_strings(shape: Vec<usize>, strings: Vec<Bytes>) -> Result<Self, TensorError> {
        let expected = element_count(&shape)?;
        if strings.len() != expected {
            return Err(TensorError::WrongCount { shape, expected, actual: strings.len() });
        }
        let (dtype, data) = (DType::String, Data::Strings(strings));
        Ok(Self { dtype, shape, elements: expected, data })
    }

    /// Element type.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Dimensions, outermost first; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements: the product of the dimensions.
    pub const fn elements(&self) -> usize {
        self.elements
    }

    /// The bits in `raw_data` layout; `None` for strings.
    pub const fn bits(&self) -> Option<&Bytes> {
        match &self.data {
            Data::Bits(bytes) => Some(bytes),
            Data::Strings(_) => None,
        }
    }

    /// The elements in row-major order; `None` if their type does not correspond to Rust's.
    pub fn as_slice<T: Native>(&self) -> Option<Cow<'_, [T]>> {
        if self.dtype == T::DTYPE { T::of_bytes(self.bits()?) } else { None }
    }

    /// The strings; `None` for other types.
    pub fn strings(&self) -> Option<&[Bytes]> {
        match &self.data {
            Data::Bits(_) => None,
            Data::Strings(strings) => Some(strings),
        }
    }

    /// Bits of the element at a row-major index, in the low end (the real part of a complex number
    /// is the low half); `None` for strings and past the end.
    pub fn element(&self, index: usize) -> Option<u128> {
        let (Data::Bits(bytes), bits) = (&self.data, self.dtype.bits()? as usize) else {
            return None;
        };
        if index >= self.elements {
            return None;
        }
        match bits {
            8 => little_endian::<1>(bytes, index),
            16 => little_endian::<2>(bytes, index),
            32 => little_endian::<4>(bytes, index),
            64 => little_endian::<8>(bytes, index),
            128 => little_endian::<16>(bytes, index),
            packed => {
                let place = index * packed;
                let low = u128::from(*bytes.get(place / 8)?);
                // Of 6 bits an element may end in the next byte.
                let high = bytes.get(place / 8 + 1).map_or(0, |byte| u128::from(*byte) << 8);
                Some((low | high) >> (place % 8) & ((1 << packed) - 1))
            }
        }
    }
}

/// Values as the bytes that they are.
fn owned<T: Send + 'static>(values: Vec<T>, bytes: fn(&[T]) -> &[u8]) -> Bytes {
    struct Owner<T>(Vec<T>, fn(&[T]) -> &[u8]);
    impl<T> AsRef<[u8]> for Owner<T> {
        fn as_ref(&self) -> &[u8] {
            (self.1)(&self.0)
        }
    }
    const { assert!(cfg!(target_endian = "little"), "elements are kept little-endian") };
    Bytes::from_owner(Owner(values, bytes))
}

/// The element at an index among elements of so many bytes.
fn little_endian<const WIDTH: usize>(bytes: &[u8], index: usize) -> Option<u128> {
    let mut element = [0; 16];
    element[..WIDTH].copy_from_slice(bytes.get(index * WIDTH..)?.first_chunk::<WIDTH>()?);
    Some(u128::from_le_bytes(element))
}

/// Number of elements of a shape; 1 for the empty shape.
pub fn element_count(shape: &[usize]) -> Result<usize, TensorError> {
    if shape.len() > MAX_RANK {
        return Err(TensorError::Rank { rank: shape.len() });
    }
    // A zero anywhere makes the product zero, whatever the other dimensions would overflow to.
    if shape.contains(&0) {
        return Ok(0);
    }
    shape
        .iter()
        .try_fold(1_usize, |product, &dim| product.checked_mul(dim))
        .ok_or_else(|| TensorError::TooManyElements { shape: shape.to_vec() })
}

/// The coordinates of a row-major index.
pub fn coordinates(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut coordinates = vec![0; shape.len()];
    for (coordinate, &dim) in coordinates.iter_mut().zip(shape).rev() {
        if dim != 0 {
            *coordinate = index % dim;
            index /= dim;
        }
    }
    coordinates
}

/// The row-major index of coordinates; `None` outside the shape, and where the shape holds more
/// elements than can be counted.
pub fn row_major(index: &[usize], shape: &[usize]) -> Option<usize> {
    if index.len() != shape.len() || index.iter().zip(shape).any(|(at, dim)| at >= dim) {
        return None;
    }
    index
        .iter()
        .zip(shape)
        .try_fold(0_usize, |sum, (at, dim)| sum.checked_mul(*dim)?.checked_add(*at))
}

fn clear_padding(data: Bytes, elements: usize, bits: u32) -> Bytes {
    let used = elements % 8 * bits as usize % 8;
    let mask = (1_u8 << used) - 1;
    match data.last() {
        Some(&last) if used != 0 && last & !mask != 0 => {
            let mut cleared = data.to_vec();
            if let Some(last) = cleared.last_mut() {
                *last &= mask;
            }
            cleared.into()
        }
        _ => data,
    }
}

/// A value of a graph: what a file of a data set holds and what a backend returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A dense tensor.
    Tensor(Tensor),
    /// A sequence of values of one kind.
    Sequence(Vec<Value>),
    /// A value that may be absent.
    Optional(Option<Box<Value>>),
}

impl Value {
    /// The name of the value's kind in the field's words.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Tensor(_) => "tensor",
            Self::Sequence(_) => "sequence",
            Self::Optional(_) => "optional",
        }
    }

    /// The tensors within, in order.
    pub fn tensors(&self) -> Vec<&Tensor> {
        match self {
            Self::Tensor(tensor) => vec![tensor],
            Self::Sequence(values) => values.iter().flat_map(Self::tensors).collect(),
            Self::Optional(value) => value.as_deref().map_or_else(Vec::new, Self::tensors),
        }
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(dtype: DType, shape: &[usize], data: &'static [u8]) -> Result<Tensor, TensorError> {
        Tensor::from_bits(dtype, shape.to_vec(), Bytes::from_static(data))
    }

    #[test]
    fn packed_elements_are_read_from_the_low_end() {
        let int4 = tensor(DType::Int4, &[3], &[0x21, 0x0f]).unwrap();
        assert_eq!([0, 1, 2].map(|i| int4.element(i).unwrap()), [1, 2, 15]);
        assert_eq!(int4.element(3), None);
        let int2 = tensor(DType::Uint2, &[4], &[0b11_10_01_00]).unwrap();
        assert_eq!([0, 1, 2, 3].map(|i| int2.element(i).unwrap()), [0, 1, 2, 3]);
    }

    #[test]
    fn elements_of_six_bits_are_packed_four_to_three_bytes() {
        // As `onnx.proto` states it of four elements.
        let [a, b, c, d] = [0x21_u8, 0x1e, 0x07, 0x3d];
        let bytes = [a | (b & 3) << 6, b >> 2 | (c & 15) << 4, c >> 4 | d << 2];
        for count in 0..=9 {
            let elements: Vec<u128> =
                [a, b, c, d].map(u128::from).into_iter().cycle().take(count).collect();
            let made = Tensor::from_elements(DType::Float6E3M2, vec![count], elements.clone());
            let made = made.unwrap();
            let all: Vec<_> = (0..count).map(|at| made.element(at).unwrap()).collect();
            assert_eq!((all, made.element(count)), (elements, None));
            let mut expected: Vec<u8> = bytes.into_iter().cycle().take(count * 6 / 8).collect();
            let rest = count * 6 % 8;
            if rest > 0 {
                expected.push(bytes[expected.len() % 3] & ((1 << rest) - 1));
            }
            assert_eq!(made.bits().unwrap().as_ref(), &expected[..], "{count}");
            // Unused bits do not count.
            let mut filled = expected.clone();
            if let Some(last) = filled.last_mut().filter(|_| rest > 0) {
                *last |= !0 << rest;
            }
            let again = Tensor::from_bits(DType::Float6E3M2, vec![count], filled.into()).unwrap();
            assert_eq!(again, made);
        }
    }

    #[test]
    fn elements_become_the_bits_of_every_width() {
        for (dtype, expected) in [
            (DType::Int2, vec![0b10_01]),
            (DType::Uint4, vec![0x21]),
            (DType::Int8, vec![1, 2]),
            (DType::Float16, vec![1, 0, 2, 0]),
        ] {
            let tensor = Tensor::from_elements(dtype, vec![2], [1, 2]).unwrap();
            assert_eq!(tensor.bits().unwrap().as_ref(), &expected[..], "{dtype}");
        }
        assert!(Tensor::from_elements(DType::Int8, vec![2], [1]).is_err());
        assert!(Tensor::from_elements(DType::String, vec![], []).is_err());
    }

    #[test]
    fn elements_are_read_as_the_type_of_rust_that_they_are_of_wherever_they_lie() {
        let bytes: Bytes = [0_u8, 1, 0, 2, 0, 3, 0].to_vec().into();
        for from in [0, 1] {
            let bits = bytes.slice(from..from + 6);
            let expected = [0, 1, 2].map(|at| u16::from_le_bytes([bits[at * 2], bits[at * 2 + 1]]));
            let tensor = Tensor::from_bits(DType::Uint16, vec![3], bits).unwrap();
            assert_eq!(tensor.as_slice::<u16>().unwrap(), &expected[..]);
            assert_eq!(tensor.as_slice::<i16>(), None);
        }
        let truths = Tensor::from_vec(vec![2], vec![true, false]).unwrap();
        assert_eq!((truths.dtype(), truths.bits().unwrap().as_ref()), (DType::Bool, &[1, 0][..]));
        assert_eq!(truths.as_slice::<bool>().unwrap(), &[true, false][..]);
        assert_eq!(Tensor::from_strings(vec![0], vec![]).unwrap().as_slice::<u8>(), None);
        assert!(Tensor::from_vec(vec![3], vec![0_i64; 2]).is_err());
    }

    #[test]
    fn unused_bits_do_not_make_tensors_differ() {
        let a = tensor(DType::Uint4, &[1], &[0xf3]).unwrap();
        let b = tensor(DType::Uint4, &[1], &[0x03]).unwrap();
        assert_eq!(a, b);
    }

    #[test]
    fn a_wrong_size_is_an_error_that_says_both_sizes() {
        let error = tensor(DType::Float32, &[2, 3], &[0; 23]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "float32 of shape [2, 3] takes 24 bytes, but the data has 23"
        );
    }

    #[test]
    fn dimensions_that_overflow_are_an_error_unless_one_is_zero() {
        let huge = [usize::MAX, 2];
        assert!(matches!(
            tensor(DType::Float32, &huge, &[]),
            Err(TensorError::TooManyElements { .. })
        ));
        assert_eq!(tensor(DType::Float32, &[usize::MAX, 2, 0], &[]).unwrap().elements(), 0);
    }

    #[test]
    fn a_bool_is_zero_or_one() {
        assert_eq!(tensor(DType::Bool, &[2], &[0, 2]), Err(TensorError::NotBool { value: 2 }));
    }

    #[test]
    fn a_scalar_has_one_element_and_no_coordinates() {
        let scalar = Tensor::from_values(DType::Int64, vec![], vec![-1_i64]).unwrap();
        assert_eq!(scalar.elements(), 1);
        assert_eq!(scalar.element(0), Some(u128::from(u64::MAX)));
        assert_eq!(coordinates(0, scalar.shape()), Vec::<usize>::new());
        assert_eq!(coordinates(5, &[2, 3]), vec![1, 2]);
    }
}
