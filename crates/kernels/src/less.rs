//! Less: whether the first of two numbers is less than the second.

use super::Kernel;
use super::comparison::{ORDER_VERSIONS, Relation, compared, kernel};
use super::signature::SONNX_NUMBERS;

pub(super) static LESS: Kernel = Kernel {
    restricted: &[SONNX_NUMBERS],
    ..kernel("Less", &ORDER_VERSIONS, compared::<LessThan>)
};

struct LessThan;

impl Relation for LessThan {
    #[inline(always)]
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool {
        a < b
    }
}

#[cfg(test)]
mod tests;
