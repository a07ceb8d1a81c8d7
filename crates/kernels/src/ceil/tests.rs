//! Integers not below every 16-bit float, and others of every size.

use crate::tests::unary::{check_floats, check_lengths, integral};
use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement, consumed_inputs};
use values::dtype::DType::Float16;

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Ceil",
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

#[test]
fn floats_are_rounded_up() {
    check_floats("Ceil", |x| integral(x, |negative, _, _| !negative));
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Ceil", Float16);
}
