//! Signs of every 8- and 16-bit element, and of others of every size.

use crate::tests::unary::{check_floats, check_ints, check_lengths};
use values::dtype::DType::{Float16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};

#[test]
fn floats_are_one_of_their_sign_and_zeros_are_positive() {
    check_floats("Sign", |x| match x.partial_cmp(&0.0) {
        Some(order) => f64::from(order as i8),
        None => x,
    });
}

#[test]
fn integers_are_one_of_their_sign_or_zero() {
    let types = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];
    check_ints("Sign", &types, |x| i128::from(x.cmp(&0) as i8));
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Sign", Float16);
}
