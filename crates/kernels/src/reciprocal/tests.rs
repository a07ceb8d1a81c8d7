//! What the kernel states of its operator. Reciprocals are held against exact arithmetic in `exactness`.

use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement, consumed_inputs};

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Reciprocal",
        versions: &[
            (1, &FLOATS, &[consumed_inputs()]),
            (6, &FLOATS, &[]),
            (13, &FLOATS_WITH_BFLOAT16, &[]),
        ],
        sonnx: None,
        is_elementwise: true,
        keeps_ones: true,
    }
    .check();
}
