//! The elements where all cosines are rational.

use super::*;
use crate::families::windows::tests::{accept, made, scalar};

#[test]
fn both_forms_are_those_of_the_formula() {
    let double = ("output_datatype", 11);
    let (_, all) = made(&BLACKMANWINDOW, &scalar(6), &[double]).unwrap();
    assert!(accept(&all, &[0.0, 0.13, 0.63, 1.0, 0.63, 0.13]), "{all:?}");
    let (_, all) = made(&BLACKMANWINDOW, &scalar(5), &[double, ("periodic", 0)]).unwrap();
    assert!(accept(&all, &[0.0, 0.34, 1.0, 0.34, 0.0]), "{all:?}");
}
