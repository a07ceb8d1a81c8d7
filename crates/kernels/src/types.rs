//! The element types: the lists that versions state, and the one table from an element type to the
//! native type that holds it.

use values::dtype::DType;
use values::dtype::DType::{
    Bfloat16, Bool, Complex64, Complex128, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    String, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};

/// Floats of 16 bits and more.
pub(super) const FLOATS: &[DType] = &[Bfloat16, Float16, Float32, Float64];

/// Floats of 16 bits and more, and integers of 32 bits and more.
pub(super) const LONG_NUMBERS: &[DType] =
    &[Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64];

/// Floats of 16 bits and more, and integers of 8 bits and more.
#[rustfmt::skip]
pub(super) const NUMBERS: &[DType] = &[
    Bfloat16, Float16, Float32, Float64,
    Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
];

/// Every element type but the floats of 6 bits, which few operators take, in the order in which tensors got them: 15 at
/// first, then bfloat16, then the float8 formats and the 4-bit integers, and so on.
pub(super) const ALL_TYPES: &[DType] = &[
    Bool,
    Complex64,
    Complex128,
    Float16,
    Float32,
    Float64,
    Int8,
    Int16,
    Int32,
    Int64,
    String,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Bfloat16,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    Int4,
    Uint4,
    Float4E2M1,
    Float8E8M0,
    Int2,
    Uint2,
];

/// The first so many of the types.
pub(super) const fn first(types: &'static [DType], count: usize) -> &'static [DType] {
    types.split_at(count).0
}

/// The types but the first, which is bfloat16 in the lists of numbers.
pub(super) const fn without_bfloat16(types: &'static [DType]) -> &'static [DType] {
    types.split_at(1).1
}

/// Evaluates an expression with `$T` as the native type of an element type; `else` is for an
/// element type that is not in the group. The groups are `floats`, `long_numbers`, `signed_numbers`,
/// `numbers`, `integers`, and `cells`: the unsigned integer as wide as an element, of any type but strings and packed
/// ones.
macro_rules! with_type {
    (floats, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype, $T, $result, $other,
            DType::Float16 => half::f16, DType::Bfloat16 => half::bf16,
            DType::Float32 => f32, DType::Float64 => f64)
    };
    (long_numbers, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype, $T, $result, with_type!(floats, $dtype, $T => $result, else $other),
            DType::Int32 => i32, DType::Int64 => i64, DType::Uint32 => u32, DType::Uint64 => u64)
    };
    (signed_numbers, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype, $T, $result, with_type!(floats, $dtype, $T => $result, else $other),
            DType::Int8 => i8, DType::Int16 => i16, DType::Int32 => i32, DType::Int64 => i64)
    };
    (numbers, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype, $T, $result,
            with_type!(long_numbers, $dtype, $T => $result, else $other),
            DType::Int8 => i8, DType::Int16 => i16, DType::Uint8 => u8, DType::Uint16 => u16)
    };
    (integers, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype, $T, $result, $other,
            DType::Int8 => i8, DType::Int16 => i16, DType::Int32 => i32, DType::Int64 => i64,
            DType::Uint8 => u8, DType::Uint16 => u16, DType::Uint32 => u32, DType::Uint64 => u64)
    };
    (cells, $dtype:expr, $T:ident => $result:expr, else $other:expr) => {
        with_type!(@ $dtype.bits(), $T, $result, $other,
            Some(8) => u8, Some(16) => u16, Some(32) => u32, Some(64) => u64, Some(128) => u128)
    };
    (@ $key:expr, $T:ident, $result:expr, $other:expr, $($pattern:pat => $type:ty),*) => {
        match $key {
            $($pattern => {
                type $T = $type;
                $result
            })*
            _ => $other,
        }
    };
}

/// Implements a trait of one function for native types, each with the expression of its operands.
macro_rules! implement {
    ($trait:ident::$function:ident($x:ident); $($($type:ty),+: $result:expr;)*) => {$($(
        impl $trait for $type {
            #[inline(always)]
            fn $function(self) -> Self {
                let $x = self;
                $result
            }
        }
    )+)*};
    ($trait:ident::$function:ident($a:ident, $b:ident); $($($type:ty),+: $result:expr;)*) => {$($(
        impl $trait for $type {
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $result
            }
        }
    )+)*};
}

pub(super) use {implement, with_type};
