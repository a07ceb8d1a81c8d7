//! What the operators on the bits of two integers have in common. Bits are joined as those of unsigned integers of the
//! same width.

use std::ops::{BitAnd, BitOr, BitXor};

use super::Kernel;
use super::comparison::OPERANDS;
use super::elementwise::{computed, each, on_bytes};
use super::signature::{Domain, Version};
use super::types::{NUMBERS, with_type};
use values::dtype::DType;

/// Integers of 8 bits and more.
pub(super) const INTEGERS: &[DType] = NUMBERS.split_at(4).1;

/// A function of the bits of two integers.
pub(super) trait Join {
    /// The bits of the result.
    fn join<T>(a: T, b: T) -> T
    where
        T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>;
}

/// The operator of this function.
pub(super) const fn kernel<J: Join>(name: &'static str) -> Kernel {
    Kernel {
        domain: Domain::Onnx,
        name,
        inputs: OPERANDS,
        is_elementwise: true,
        slices: Some(joined::<J>),
        versions: const { &[Version::new(18, INTEGERS)] },
        restricted: &[],
        run: |call| computed::<2>(call, joined::<J>),
    }
}

fn joined<J: Join>(
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(cells, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], results| {
            each(a.iter().zip(b), results, |(a, b)| J::join(*a, *b));
            Ok(())
        })
    }, else None)
}
