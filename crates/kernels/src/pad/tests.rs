//! Paddings of every type and mode, and those that are none.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

fn text(mode: &str) -> Attribute {
    Attribute::Text(mode.to_owned())
}

/// Of bytes that count from 1.
fn padded(
    shape: &[usize],
    pads: &[i64],
    mode: &str,
    others: [Option<&Tensor>; 2],
) -> Result<Tensor, KernelError> {
    let bytes: Vec<u8> = (1..).take(shape.iter().product()).collect();
    let (data, pads) = (tensor(Uint8, shape, &bytes), tensor(Int64, &[pads.len()], pads));
    let attributes = Attributes::from([("mode".to_owned(), text(mode))]);
    let inputs: Vec<_> = [Some(&data), Some(&pads)].into_iter().chain(others).collect();
    find("Pad", 25).unwrap().run(&inputs, &attributes).map(|mut outputs| outputs.remove(0))
}

#[test]
fn every_mode_adds_what_it_says_and_negative_numbers_remove() {
    for (size, pads, mode, expected) in [
        (3, [2, 1], "constant", &[0, 0, 1, 2, 3, 0][..]),
        (3, [2, 1], "edge", &[1, 1, 1, 2, 3, 3]),
        (3, [2, 1], "reflect", &[3, 2, 1, 2, 3, 2]),
        (3, [3, 4], "reflect", &[2, 3, 2, 1, 2, 3, 2, 1, 2, 3]),
        (1, [2, 1], "reflect", &[1, 1, 1, 1]),
        (3, [2, 1], "wrap", &[2, 3, 1, 2, 3, 1]),
        (3, [5, 4], "wrap", &[2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]),
        (4, [-1, -2], "constant", &[2]),
        (4, [-1, 2], "edge", &[2, 3, 4, 4, 4]),
        (4, [2, -1], "reflect", &[3, 2, 1, 2, 3]),
        (4, [-4, 2], "constant", &[0, 0]),
        (4, [-2, -2], "edge", &[]),
        (0, [1, 1], "constant", &[0, 0]),
    ] {
        let output = padded(&[size], &pads, mode, [None, None]).unwrap();
        assert_eq!(read::<u8>(&output), expected, "{size} {pads:?} {mode}");
    }
}

#[test]
fn axes_and_the_element_that_fills_may_be_given() {
    let (nine, last) = (tensor(Uint8, &[], &[9_u8]), tensor(Int32, &[1], &[-1]));
    let output = padded(&[2, 2], &[1, 0], "constant", [Some(&nine), Some(&last)]).unwrap();
    assert_eq!((output.shape(), read::<u8>(&output)), (&[2, 3][..], vec![9, 1, 2, 9, 3, 4]));
    let data = tensor(Float16, &[1], &[0x3c00_u16]);
    let attributes = Attributes::from([
        ("pads".to_owned(), Attribute::Ints(vec![0, 1])),
        ("value".to_owned(), Attribute::Float(-2.0)),
    ]);
    let output = run(find("Pad", 2).unwrap(), &[&data], &attributes).unwrap();
    assert_eq!(read::<u16>(&output), [0x3c00, 0xc000]);
    let words = Tensor::from_strings(vec![1], vec!["a".into()]).unwrap();
    let pads = tensor(Int64, &[2], &[1_i64, 0]);
    let output = run(find("Pad", 13).unwrap(), &[&words, &pads], &Attributes::new()).unwrap();
    assert_eq!(output.strings().unwrap(), ["", "a"]);
}

#[test]
fn paddings_that_are_none_of_the_data_are_refused() {
    let axes = |list: &[i32]| tensor(Int32, &[list.len()], list);
    for (pads, mode, list) in [
        (&[1][..], "edge", &[0][..]),
        (&[1, 1], "edge", &[0, 1]),
        (&[1, 1], "edge", &[2]),
        (&[1, 1], "edge", &[-3]),
        (&[1, 1, 1, 1], "edge", &[1, -1]),
        (&[-2, -2], "edge", &[1]),
        (&[i64::MIN, 0], "constant", &[1]),
        (&[-3, 1], "edge", &[1]),
    ] {
        let error = padded(&[2, 3], pads, mode, [None, Some(&axes(list))]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{pads:?} {list:?}");
    }
    let two = tensor(Uint8, &[2], &[9_u8, 9]);
    assert!(padded(&[3], &[1, 1], "constant", [Some(&two), None]).is_err());
    for pads in [[i64::MAX, i64::MAX], [i64::MAX, 0], [1 << 62, 1 << 62]] {
        assert!(padded(&[3], &pads, "constant", [None, None]).is_err());
    }
}
