//! The element types that Rust has, too: as tensors give and take them.

use std::borrow::Cow;

use crate::dtype::DType;

mod sealed {
    pub trait Sealed {}
}

/// A type of Rust whose values are elements of one type: `bool`, the integers of 8 to 64 bits, `f32`, `f64`,
/// and `half`'s `f16` and `bf16`.
pub trait Native: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The element type.
    const DTYPE: DType;

    /// The elements that lie in memory so; copied where they are not aligned as Rust wants them.
    #[doc(hidden)]
    fn of_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>>;

    /// How they lie in memory.
    #[doc(hidden)]
    fn bytes(values: &[Self]) -> &[u8];
}

macro_rules! native {
    ($($native:ty: $dtype:ident),*) => {$(
        impl sealed::Sealed for $native {}

        impl Native for $native {
            const DTYPE: DType = DType::$dtype;

            fn of_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>> {
                match bytemuck::try_cast_slice(bytes) {
                    Ok(values) => Some(Cow::Borrowed(values)),
                    Err(bytemuck::PodCastError::TargetAlignmentGreaterAndInputNotAligned) => {
                        Some(Cow::Owned(bytemuck::pod_collect_to_vec(bytes)))
                    }
                    Err(_) => None,
                }
            }

            fn bytes(values: &[Self]) -> &[u8] {
                bytemuck::cast_slice(values)
            }
        }
    )*};
}

native! {
    f32: Float32, f64: Float64, half::f16: Float16, half::bf16: Bfloat16, i8: Int8, i16: Int16, i32: Int32,
    i64: Int64, u8: Uint8, u16: Uint16, u32: Uint32, u64: Uint64
}

impl sealed::Sealed for bool {}

impl Native for bool {
    const DTYPE: DType = DType::Bool;

    fn of_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>> {
        bytemuck::checked::try_cast_slice(bytes).ok().map(Cow::Borrowed)
    }

    fn bytes(values: &[Self]) -> &[u8] {
        bytemuck::cast_slice(values)
    }
}
