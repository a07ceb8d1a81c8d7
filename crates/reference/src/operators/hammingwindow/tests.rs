//! The elements where all cosines are rational.

use super::*;
use crate::families::windows::tests::{accept, made, scalar};

#[test]
fn both_forms_are_those_of_the_formula() {
    let double = ("output_datatype", 11);
    let (_, all) = made(&HAMMINGWINDOW, &scalar(6), &[double]).unwrap();
    assert!(
        accept(&all, &[4.0 / 46.0, 14.5 / 46.0, 35.5 / 46.0, 1.0, 35.5 / 46.0, 14.5 / 46.0]),
        "{all:?}"
    );
    let (_, all) = made(&HAMMINGWINDOW, &scalar(5), &[double, ("periodic", 0)]).unwrap();
    assert!(accept(&all, &[4.0 / 46.0, 25.0 / 46.0, 1.0, 25.0 / 46.0, 4.0 / 46.0]), "{all:?}");
}
