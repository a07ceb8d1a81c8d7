//! The greater of zero and every 8- and 16-bit element, and others of every size.

use crate::tests::unary::{check_floats, check_ints, check_lengths};
use values::dtype::DType::{self, Float16, Int8, Int16, Int32, Int64};

const INTEGERS: [DType; 4] = [Int8, Int16, Int32, Int64];

#[test]
fn floats_below_zero_are_zero() {
    check_floats("Relu", |x| if x.is_sign_negative() && !x.is_nan() { 0.0 } else { x });
}

#[test]
fn integers_below_zero_are_zero() {
    check_ints("Relu", &INTEGERS, |x| if x < 0 { 0 } else { x });
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Relu", Float16);
}
