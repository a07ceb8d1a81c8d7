//! Integers of up to 64 bits, in lanes of their own width.

use std::marker::PhantomData;

use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingSub};
use values::dtype::{DType, Kind};

use super::fast_check::{Checked, Class, FastCheck};
use super::run::Run;
use super::threshold::ErrorThreshold;

/// An operation on integers modulo 2^n, which are signed or not.
pub(crate) trait IntOperation: Copy {
    /// The one result that conforms, without a branch; `#[inline(always)]`.
    fn of<T: PrimInt + WrappingAdd + WrappingSub + WrappingMul>(a: T, b: T) -> T;
}

/// Checks the results of an operation on integers of a type; false for other types.
pub(crate) fn run<O: IntOperation>(dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
    let Kind::Int { bits, .. } = dtype.kind() else { return false };
    match bits {
        8 => run.fast::<1, 1, _>(IntCheck::<O>::new, columns),
        16 => run.fast::<2, 2, _>(IntCheck::<O>::new, columns),
        32 => run.fast::<4, 4, _>(IntCheck::<O>::new, columns),
        64 => run.fast::<8, 8, _>(IntCheck::<O>::new, columns),
        _ => return false,
    }
    true
}

/// The check of an operation on integers.
#[derive(Clone, Copy)]
struct IntCheck<O> {
    threshold: ErrorThreshold,
    operation: PhantomData<O>,
}

impl<O> IntCheck<O> {
    const fn new(threshold: ErrorThreshold) -> Self {
        Self { threshold, operation: PhantomData }
    }
}

macro_rules! widths {
    ($($width:literal bytes: $bits:ty;)*) => {$(
        impl<O: IntOperation> FastCheck<$width> for IntCheck<O> {
            #[inline(always)]
            fn check(self, a: [u8; $width], b: [u8; $width], result: [u8; $width]) -> Checked {
                let (a, b) = (<$bits>::from_le_bytes(a), <$bits>::from_le_bytes(b));
                let result = <$bits>::from_le_bytes(result);
                let class = Class::of_integer(result == 0);
                Checked::exact(self.threshold, result == O::of(a, b), true, class)
            }
        }
    )*};
}

widths! {
    1 bytes: u8;
    2 bytes: u16;
    4 bytes: u32;
    8 bytes: u64;
}
