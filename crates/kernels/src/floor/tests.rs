//! Integers not above every 16-bit float, and others of every size.

use crate::tests::unary::{check_floats, check_lengths, integral};
use values::dtype::DType::Float16;

#[test]
fn floats_are_rounded_down() {
    check_floats("Floor", |x| integral(x, |negative, _, _| negative));
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Floor", Float16);
}
