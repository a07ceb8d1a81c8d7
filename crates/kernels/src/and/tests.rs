//! The truth table, in every block and at every length.

use crate::logic::tests::check_table;
use crate::tests::{Statement, limited_broadcasting};
use values::dtype::DType::Bool;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "And",
        versions: &[(1, &[Bool], &limited_broadcasting()), (7, &[Bool], &[])],
        sonnx: None,
        is_elementwise: true,
        keeps_ones: true,
    }
    .check();
}

#[test]
fn the_truth_table_holds_everywhere() {
    check_table("And", [0, 0, 0, 1]);
}
