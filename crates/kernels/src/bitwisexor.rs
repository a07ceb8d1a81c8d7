//! BitwiseXor: the bits that exactly one of two integers has.

use std::ops::{BitAnd, BitOr, BitXor};

use super::Kernel;
use super::bits::{Join, kernel};

pub(super) static BITWISEXOR: Kernel = kernel::<Xor>("BitwiseXor");

struct Xor;

impl Join for Xor {
    fn join<T>(a: T, b: T) -> T
    where
        T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
    {
        a ^ b
    }
}
