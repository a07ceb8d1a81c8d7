//! Identity of every type.

use crate::tests::{Statement, moved};
use values::dtype::DType;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Identity",
        versions: &[
            (1, &moved(15), &[]),
            (13, &moved(16), &[]),
            (14, &moved(16), &[]),
            (16, &moved(16), &[]),
            (19, &moved(20), &[]),
            (21, &moved(22), &[]),
            (23, &moved(23), &[]),
            (24, &moved(24), &[]),
            (25, &DType::ALL, &[]),
        ],
        sonnx: None,
        is_elementwise: false,
        keeps_ones: true,
    }
    .check();
}
