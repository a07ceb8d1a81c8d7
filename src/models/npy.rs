//! NumPy's files of arrays, by the [description of the format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html):
//! a head in the syntax of Python, and the elements as they lie in memory.

use std::collections::BTreeMap;

use bytes::Bytes;
use suites::archive::{self, ArchiveError};

use crate::dtype::DType;
use crate::tensor::{Tensor, TensorError};

/// What a file begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The largest array of an archive, in bytes.
const ARRAY_LIMIT: u64 = 1 << 31;

/// A file holds no array that could be taken.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message says what it is")]
pub enum NpyError {
    #[error("it is no file of NumPy's, or a truncated one; write it with numpy.save")]
    Malformed,
    #[error(
        "its elements are of the type `{0}`, which is not taken; numbers of one type and little-endian are"
    )]
    Type(String),
    #[error("it is in Fortran's order; write numpy.ascontiguousarray of it")]
    Fortran,
    #[error(transparent)]
    Tensor(#[from] TensorError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// The arrays of an archive that `numpy.savez` wrote, by their names.
pub(super) fn arrays(archive: &Bytes) -> Result<BTreeMap<String, Bytes>, NpyError> {
    let files = archive::files(archive, ARRAY_LIMIT)?;
    let named = |(path, bytes): (String, Bytes)| {
        path.strip_suffix(".npy").map(|name| (name.to_owned(), bytes))
    };
    Ok(files.into_iter().filter_map(named).collect())
}

/// The tensor in a file. Numbers of 8 or 16 bits without a type of NumPy's are of the type that is wanted, where that is
/// of as many bits; those of a type of fewer than 8 bits lie in a byte each, whose other bits are 0.
pub(super) fn decode(file: &Bytes, wanted: Option<DType>) -> Result<Tensor, NpyError> {
    let (head, data) = parts(file).ok_or(NpyError::Malformed)?;
    let descr = member(head, "descr").and_then(quoted).ok_or(NpyError::Malformed)?;
    let dtype = dtype(descr, wanted).ok_or_else(|| NpyError::Type(descr.to_owned()))?;
    let order = member(head, "fortran_order").ok_or(NpyError::Malformed)?;
    let shape = member(head, "shape").and_then(shape).ok_or(NpyError::Malformed)?;
    if order.starts_with("True") && shape.len() > 1 {
        return Err(NpyError::Fortran);
    }
    match dtype.bits() {
        Some(bits @ ..8) if data.iter().any(|byte| byte >> bits != 0) => {
            Err(NpyError::Type(descr.to_owned()))
        }
        Some(..8) => Ok(Tensor::from_elements(dtype, shape, data.iter().map(|&byte| byte.into()))?),
        _ => Ok(Tensor::from_bits(dtype, shape, file.slice_ref(data))?),
    }
}

/// The head of a file and its data.
fn parts(file: &[u8]) -> Option<(&str, &[u8])> {
    let rest = file.strip_prefix(MAGIC)?;
    let ([major, _minor], rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
        }
        _ => return None,
    };
    let (head, data) = rest.split_at_checked(length)?;
    Some((str::from_utf8(head).ok()?, data))
}

/// What follows the name of a member in the head.
fn member<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = head.split_once(&format!("'{name}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    Some(text.strip_prefix('\'')?.split_once('\'')?.0)
}

fn shape(text: &str) -> Option<Vec<usize>> {
    let (sizes, _) = text.strip_prefix('(')?.split_once(')')?;
    let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
    sizes.map(|size| size.trim_end_matches('L').parse().ok()).collect()
}

fn dtype(descr: &str, wanted: Option<DType>) -> Option<DType> {
    let of_width = |bits: u32| wanted.filter(|dtype| dtype.bits() == Some(bits));
    let of_byte = || wanted.filter(|dtype| dtype.bits().is_some_and(|bits| bits <= 8));
    Some(match descr {
        "<f2" => DType::Float16,
        "<f4" => DType::Float32,
        "<f8" => DType::Float64,
        "<c8" => DType::Complex64,
        "<c16" => DType::Complex128,
        "|i1" => DType::Int8,
        "<i2" => DType::Int16,
        "<i4" => DType::Int32,
        "<i8" => DType::Int64,
        "<u4" => DType::Uint32,
        "<u8" => DType::Uint64,
        "|b1" => DType::Bool,
        // Types that NumPy lacks are kept as their bits.
        "|u1" => of_byte().unwrap_or(DType::Uint8),
        "<u2" => of_width(16).unwrap_or(DType::Uint16),
        "|V1" | "<V1" | "<f1" => of_byte()?,
        "<V2" | "|V2" => of_width(16)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &str, data: &[u8]) -> Bytes {
        let length = u16::try_from(head.len()).unwrap().to_le_bytes();
        [MAGIC, &[1, 0], &length, head.as_bytes(), data].concat().into()
    }

    #[test]
    fn an_array_is_read_as_numpy_wrote_it() {
        let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }     \n";
        let data: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let tensor = decode(&file(head, &data), None).unwrap();
        assert_eq!(tensor, Tensor::from_vec(vec![2, 1], vec![1.5_f32, -2.0]).unwrap());
        let scalar = "{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n";
        let tensor = decode(&file(scalar, &7_i64.to_le_bytes()), None).unwrap();
        assert_eq!(tensor, Tensor::from_vec(vec![], vec![7_i64]).unwrap());
        let bits = "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n";
        let tensor = decode(&file(bits, &[0x80, 0x3f]), Some(DType::Bfloat16)).unwrap();
        assert_eq!(tensor.dtype(), DType::Bfloat16);
        // As `numpy.save` writes arrays of `ml_dtypes`.
        let bytes = "{'descr': '<V1', 'fortran_order': False, 'shape': (5,), }\n";
        for (dtype, elements) in
            [(DType::Float6E2M3, [8, 0x28, 4, 63, 1]), (DType::Float4E2M1, [2, 10, 1, 15, 0])]
        {
            let read = |elements: &[u8]| decode(&file(bytes, elements), Some(dtype));
            let expected = elements.map(u128::from);
            let expected = Tensor::from_elements(dtype, vec![5], expected).unwrap();
            assert_eq!(read(&elements).unwrap(), expected);
            assert!(matches!(read(&[0, 0, 64, 0, 0]), Err(NpyError::Type(_))), "{dtype}");
            assert!(matches!(read(&[0; 4]), Err(NpyError::Tensor(_))), "{dtype}");
        }
        assert!(decode(&file(bytes, &[0; 5]), None).is_err());
    }

    #[test]
    fn what_is_no_array_is_refused() {
        let with = |descr: &str, order: &str, shape: &str| {
            let head =
                format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
            decode(&file(&head, &[0; 16]), None).unwrap_err()
        };
        assert!(matches!(with(">f4", "False", "(4,)"), NpyError::Type(_)));
        assert!(matches!(with("|O", "False", "(4,)"), NpyError::Type(_)));
        assert!(matches!(with("<f4", "True", "(2, 2)"), NpyError::Fortran));
        assert!(matches!(with("<f4", "False", "(5,)"), NpyError::Tensor(_)));
        assert!(matches!(with("<f4", "False", "(99999999999999999999,)"), NpyError::Malformed));
        for bytes in [&b""[..], b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{", b"PK\x03\x04"] {
            assert!(matches!(
                decode(&Bytes::copy_from_slice(bytes), None),
                Err(NpyError::Malformed)
            ));
        }
    }
}
