//! The comparison against that of wider native types.

use crate::comparison::tests::check_all;
use crate::tests::{FLOATS, NUMBERS, SONNX_NUMBERS, Statement, limited_broadcasting};
use values::dtype::DType::Bool;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Less",
        versions: &[
            (1, &FLOATS, &limited_broadcasting()),
            (7, &FLOATS, &[]),
            (9, &SONNX_NUMBERS, &[]),
            (13, &NUMBERS, &[]),
        ],
        sonnx: Some(&SONNX_NUMBERS),
        is_elementwise: true,
        keeps_ones: false,
    }
    .check_with(&[], |_| Bool);
}

#[test]
fn every_type_is_ordered_as_its_numbers_are() {
    check_all("Less", |a, b| a < b, |a, b| a < b);
}
