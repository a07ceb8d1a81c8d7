//! Magnitudes of every 8- and 16-bit element, and of others of every size.

use crate::tests::unary::{check_floats, check_ints, check_lengths, mapped};
use values::dtype::DType::{Float16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64};

#[test]
fn floats_lose_their_sign() {
    check_floats("Abs", |x| if x < 0.0 { 0.0 - x } else { x + 0.0 });
}

#[test]
fn integers_lose_their_sign_and_the_least_stays() {
    let types = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];
    check_ints("Abs", &types, |x| if x < 0 { 0 - x } else { x });
}

#[test]
fn a_nan_stays_one_with_its_payload() {
    let nans = [0x7e00, 0xfe01, 0x7c01, 0xffff];
    assert_eq!(mapped("Abs", Float16, &nans), nans.map(|bits| bits & 0x7fff));
}

#[test]
fn every_length_gives_the_same_results() {
    check_lengths("Abs", Float16);
}
