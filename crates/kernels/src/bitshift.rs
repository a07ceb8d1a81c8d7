//! BitShift: the bits of integers moved. What is shifted beyond its type, or by a negative number of bits, is shifted by one bit less
//! than the type has, and then once more.

use super::elementwise::{computed, each, on_bytes};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::with_type;
use super::{Attribute, Kernel, KernelError};
use bytemuck::Pod;
use values::dtype::DType;

pub(super) static BITSHIFT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "BitShift",
    inputs: &[Input::new("X"), Input::new("Y")],
    is_elementwise: true,
    slices: None,
    versions: &[
        Version::with(11, UNSIGNED, &[DIRECTION]),
        Version::with(28, super::bits::INTEGERS, &[DIRECTION]),
    ],
    restricted: &[],
    run: |call| {
        let left = match call.attributes.get(DIRECTION.name) {
            Some(Attribute::Text(direction)) => direction == "LEFT",
            _ => {
                return Err(KernelError::BadAttribute {
                    operator: call.operator,
                    name: DIRECTION.name,
                    expected: DIRECTION.expected,
                });
            }
        };
        computed::<2>(call, |dtype, operands, results| shifted(left, dtype, operands, results))
    },
};

const UNSIGNED: &[DType] = super::bits::INTEGERS.split_at(4).1;

const DIRECTION: AttributeSpec = AttributeSpec {
    name: "direction",
    accepts: |value| matches!(value, Attribute::Text(direction) if direction == "LEFT" || direction == "RIGHT"),
    expected: "LEFT or RIGHT",
};

fn shifted(
    left: bool,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(integers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[x, by], results| {
            each(x.iter().zip(by), results, |(x, by)| if left { x.left(*by) } else { x.right(*by) });
            Ok(())
        })
    }, else None)
}

/// An element type that BitShift takes.
trait Shift: Pod {
    fn left(self, by: Self) -> Self;
    fn right(self, by: Self) -> Self;
}

macro_rules! of_integers {
    ($($type:ty)*) => {$(
        impl Shift for $type {
            fn left(self, by: Self) -> Self {
                u32::try_from(by).ok().and_then(|by| self.checked_shl(by)).unwrap_or(0)
            }

            fn right(self, by: Self) -> Self {
                let beyond = (self >> (Self::BITS - 1)) >> 1;
                u32::try_from(by).ok().and_then(|by| self.checked_shr(by)).unwrap_or(beyond)
            }
        }
    )*};
}

of_integers!(i8 i16 i32 i64 u8 u16 u32 u64);
