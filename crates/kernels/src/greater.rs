//! Greater: whether the first of two numbers is greater than the second.

use super::Kernel;
use super::comparison::{ORDER_VERSIONS, Relation, compared, kernel};

pub(super) static GREATER: Kernel = kernel("Greater", &ORDER_VERSIONS, compared::<GreaterThan>);

struct GreaterThan;

impl Relation for GreaterThan {
    #[inline(always)]
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool {
        a > b
    }
}

#[cfg(test)]
mod tests;
