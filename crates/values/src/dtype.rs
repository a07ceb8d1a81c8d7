//! The element types of ONNX, as one closed enum.
//!
//! The numbers are those of `TensorProto.DataType` in the schema of ONNX 1.23.2; a new element
//! type there means a new variant here, and every `match` over the types is made to decide.

use std::fmt;
use std::str::FromStr;

use crate::float::FloatFormat;

/// How the bits of an element are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A floating-point format.
    Float(&'static FloatFormat),
    /// A two's complement or unsigned integer of so many bits.
    Int {
        /// Whether the type has negative values.
        signed: bool,
        /// Width of one element in bits: 2, 4, 8, 16, 32 or 64.
        bits: u32,
    },
    /// One byte, 0 or 1.
    Bool,
    /// Real part, then imaginary part, each in this format.
    Complex(&'static FloatFormat),
    /// Bytes of any length (UTF-8 by convention).
    String,
}

/// Declares the types: number in the schema, variant, name, and kind.
macro_rules! types {
    ($(#[$attribute:meta])* $($code:literal $variant:ident $name:literal $kind:expr;)*) => {
        $(#[$attribute])*
        pub enum DType {
            $($variant = $code,)*
        }

        impl DType {
            /// Every element type, in the order of the schema's numbers.
            pub const ALL: [Self; 28] = [$(Self::$variant),*];

            /// The name used in reports, file names and commands, e.g. `float32` or `float8e4m3fn`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// How the bits of one element are to be read.
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => $kind,)*
                }
            }
        }
    };
}

types! {
    /// Element type of a tensor.
    ///
    /// ```
    /// use onnx_conformance_values::dtype::DType;
    ///
    /// let dtype: DType = "bfloat16".parse()?;
    /// assert_eq!((dtype.bits(), dtype.onnx_code()), (Some(16), 16));
    /// // Elements of less than a byte are packed.
    /// assert_eq!(DType::Int4.packed_len(3), Some(2));
    /// # Ok::<(), onnx_conformance_values::dtype::UnknownDType>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(missing_docs, reason = "the variants are the types' own names")]
    1 Float32 "float32" Kind::Float(&FloatFormat::FLOAT32);
    2 Uint8 "uint8" Kind::Int { signed: false, bits: 8 };
    3 Int8 "int8" Kind::Int { signed: true, bits: 8 };
    4 Uint16 "uint16" Kind::Int { signed: false, bits: 16 };
    5 Int16 "int16" Kind::Int { signed: true, bits: 16 };
    6 Int32 "int32" Kind::Int { signed: true, bits: 32 };
    7 Int64 "int64" Kind::Int { signed: true, bits: 64 };
    8 String "string" Kind::String;
    9 Bool "bool" Kind::Bool;
    10 Float16 "float16" Kind::Float(&FloatFormat::FLOAT16);
    11 Float64 "float64" Kind::Float(&FloatFormat::FLOAT64);
    12 Uint32 "uint32" Kind::Int { signed: false, bits: 32 };
    13 Uint64 "uint64" Kind::Int { signed: false, bits: 64 };
    14 Complex64 "complex64" Kind::Complex(&FloatFormat::FLOAT32);
    15 Complex128 "complex128" Kind::Complex(&FloatFormat::FLOAT64);
    16 Bfloat16 "bfloat16" Kind::Float(&FloatFormat::BFLOAT16);
    17 Float8E4M3Fn "float8e4m3fn" Kind::Float(&FloatFormat::FLOAT8E4M3FN);
    18 Float8E4M3Fnuz "float8e4m3fnuz" Kind::Float(&FloatFormat::FLOAT8E4M3FNUZ);
    19 Float8E5M2 "float8e5m2" Kind::Float(&FloatFormat::FLOAT8E5M2);
    20 Float8E5M2Fnuz "float8e5m2fnuz" Kind::Float(&FloatFormat::FLOAT8E5M2FNUZ);
    21 Uint4 "uint4" Kind::Int { signed: false, bits: 4 };
    22 Int4 "int4" Kind::Int { signed: true, bits: 4 };
    23 Float4E2M1 "float4e2m1" Kind::Float(&FloatFormat::FLOAT4E2M1);
    24 Float8E8M0 "float8e8m0" Kind::Float(&FloatFormat::FLOAT8E8M0);
    25 Uint2 "uint2" Kind::Int { signed: false, bits: 2 };
    26 Int2 "int2" Kind::Int { signed: true, bits: 2 };
    27 Float6E2M3 "float6e2m3" Kind::Float(&FloatFormat::FLOAT6E2M3);
    28 Float6E3M2 "float6e3m2" Kind::Float(&FloatFormat::FLOAT6E3M2);
}

impl DType {
    /// The type of a `TensorProto.DataType` number; `None` for 0 (undefined) and unknown numbers.
    pub fn from_onnx(code: i32) -> Option<Self> {
        let index = usize::try_from(code).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// The type's number in `TensorProto.DataType`.
    pub const fn onnx_code(self) -> i32 {
        self as i32
    }

    /// Width of one element in bits, as packed in `raw_data`; `None` for strings.
    pub const fn bits(self) -> Option<u32> {
        match self.kind() {
            Kind::Float(format) => Some(format.width()),
            Kind::Int { bits, .. } => Some(bits),
            Kind::Bool => Some(8),
            Kind::Complex(format) => Some(2 * format.width()),
            Kind::String => None,
        }
    }

    /// Bytes that `elements` elements take in `raw_data` (packed for the 2-, 4- and 6-bit types, the
    /// last byte filled up); `None` for strings and where the count overflows.
    pub fn packed_len(self, elements: usize) -> Option<usize> {
        match self.bits()? as usize {
            // Eight elements fill whole bytes, as many as each has bits.
            bits @ ..8 => Some(elements / 8 * bits + (elements % 8 * bits).div_ceil(8)),
            bits => elements.checked_mul(bits / 8),
        }
    }
}

/// The integer whose low `bits` bits, 64 at most, are those of `pattern`, two's complement where `signed`.
#[inline]
pub const fn integer(pattern: u128, signed: bool, bits: u32) -> i128 {
    let unused = u64::BITS - bits;
    let high = (pattern as u64) << unused;
    if signed { (high.cast_signed() >> unused) as i128 } else { (high >> unused) as i128 }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name is that of no element type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown element type `{0}`")]
pub struct UnknownDType(pub String);

impl FromStr for DType {
    type Err = UnknownDType;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|dtype| dtype.name() == name)
            .ok_or_else(|| UnknownDType(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_number_and_a_name_that_reads_back() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_onnx(dtype.onnx_code()), Some(dtype));
            assert_eq!(dtype.name().parse(), Ok(dtype));
        }
        assert_eq!(DType::from_onnx(0), None);
        assert_eq!(DType::from_onnx(-1), None);
        assert_eq!(DType::from_onnx(29), None);
    }

    #[test]
    fn integers_extend_their_sign_only_where_they_have_one() {
        assert_eq!(integer(0b10, true, 2), -2);
        assert_eq!(integer(0b10, false, 2), 2);
        assert_eq!(integer(0x8000_0000_0000_0000, true, 64), i128::from(i64::MIN));
        assert_eq!(integer(u128::from(u64::MAX), false, 64), i128::from(u64::MAX));
    }

    #[test]
    fn sub_byte_types_pack_and_fill_the_last_byte() {
        assert_eq!(DType::Int2.packed_len(5), Some(2));
        assert_eq!(DType::Uint4.packed_len(3), Some(2));
        assert_eq!(DType::Float4E2M1.packed_len(0), Some(0));
        let lengths = [0, 1, 2, 3, 4, 5, 8, 9].map(|count| DType::Float6E2M3.packed_len(count));
        assert_eq!(lengths, [0, 1, 2, 3, 3, 4, 6, 7].map(Some));
        assert_eq!(DType::Float6E3M2.packed_len(usize::MAX), Some(usize::MAX / 4 * 3 + 3));
        assert_eq!(DType::Complex128.packed_len(2), Some(32));
        assert_eq!(DType::Float64.packed_len(usize::MAX), None);
        assert_eq!(DType::String.packed_len(1), None);
    }
}
