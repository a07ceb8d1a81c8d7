//! BitwiseOr: the bits that either of two integers has.

use std::ops::{BitAnd, BitOr, BitXor};

use super::Kernel;
use super::bits::{Join, kernel};

pub(super) static BITWISEOR: Kernel = kernel::<Or>("BitwiseOr");

struct Or;

impl Join for Or {
    fn join<T>(a: T, b: T) -> T
    where
        T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
    {
        a | b
    }
}
