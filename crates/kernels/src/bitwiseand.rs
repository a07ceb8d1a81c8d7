//! BitwiseAnd: the bits that two integers have both.

use std::ops::{BitAnd, BitOr, BitXor};

use super::Kernel;
use super::bits::{Join, kernel};

pub(super) static BITWISEAND: Kernel = kernel::<And>("BitwiseAnd");

struct And;

impl Join for And {
    fn join<T>(a: T, b: T) -> T
    where
        T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>,
    {
        a & b
    }
}
