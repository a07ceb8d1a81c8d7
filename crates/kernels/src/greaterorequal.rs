//! GreaterOrEqual: whether the first of two numbers is greater than or equal to the second.

use super::Kernel;
use super::comparison::{OR_EQUAL_VERSIONS, Relation, compared, kernel};

pub(super) static GREATEROREQUAL: Kernel =
    kernel("GreaterOrEqual", &OR_EQUAL_VERSIONS, compared::<AtLeast>);

struct AtLeast;

impl Relation for AtLeast {
    #[inline(always)]
    fn holds<T: PartialOrd>(a: &T, b: &T) -> bool {
        a >= b
    }
}

#[cfg(test)]
mod tests;
