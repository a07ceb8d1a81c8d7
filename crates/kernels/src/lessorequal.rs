//! LessOrEqual: whether the first of two numbers is less than or equal to the second.

use super::Kernel;
use super::comparison::{OR_EQUAL_VERSIONS, Relation, compared, kernel};

pub(super) static LESSOREQUAL: Kernel =
    kernel("LessOrEqual", &OR_EQUAL_VERSIONS, compared::<AtMost>);

struct AtMost;

impl Relation for AtMost {
    #[inline(always)]
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool {
        a <= b
    }
}

#[cfg(test)]
mod tests;
