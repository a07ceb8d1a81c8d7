//! The elements where all cosines are rational.

use super::*;
use crate::families::windows::tests::{accept, made, scalar};

#[test]
fn both_forms_are_those_of_the_formula() {
    let double = ("output_datatype", 11);
    let (_, all) = made(&HANNWINDOW, &scalar(6), &[double]).unwrap();
    assert!(accept(&all, &[0.0, 0.25, 0.75, 1.0, 0.75, 0.25]), "{all:?}");
    let (_, all) = made(&HANNWINDOW, &scalar(5), &[double, ("periodic", 0)]).unwrap();
    assert!(accept(&all, &[0.0, 0.5, 1.0, 0.5, 0.0]), "{all:?}");
}
