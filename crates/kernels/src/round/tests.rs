//! Integers nearest to every 16-bit float, and others of every size.

use crate::tests::unary::{check_floats, check_lengths, integral};
use values::dtype::DType::Float16;

#[test]
fn floats_are_rounded_to_the_nearest_integer_and_halves_to_the_even_one() {
    check_floats("Round", |x| {
        integral(x, |_, whole, half| half > 0 || half == 0 && whole % 2 == 1)
    });
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Round", Float16);
}
