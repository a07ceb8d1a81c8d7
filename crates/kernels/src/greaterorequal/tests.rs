//! The comparison against that of wider native types.

use crate::comparison::tests::check_all;
use crate::tests::{NUMBERS, SONNX_NUMBERS, Statement};
use values::dtype::DType::Bool;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "GreaterOrEqual",
        versions: &[(12, &SONNX_NUMBERS, &[]), (16, &NUMBERS, &[])],
        sonnx: None,
        is_elementwise: true,
        keeps_ones: true,
    }
    .check_with(&[], |_| Bool);
}

#[test]
fn every_type_is_ordered_as_its_numbers_are() {
    check_all("GreaterOrEqual", |a, b| a >= b, |a, b| a >= b);
}
