//! Paddings of lists and matrices in every mode, and what is none.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::tensor::Tensor;

fn bytes(shape: &[usize], first: u8) -> Tensor {
    let count: usize = shape.iter().product();
    Tensor::from_values(DType::Uint8, shape.to_vec(), (first..).take(count).collect()).unwrap()
}

/// The elements that each result may be, none where it is left open; and the shape.
fn padded(
    sizes: &[usize],
    pads: &[i64],
    mode: &str,
    others: [Option<Tensor>; 2],
) -> Option<(Vec<usize>, Vec<Vec<u128>>)> {
    let list = Tensor::from_values(DType::Int64, vec![pads.len()], pads.to_vec()).unwrap();
    let inputs = [Some(bytes(sizes, 1)), Some(list)].into_iter().chain(others).collect();
    let mode = ("mode".to_owned(), AttributeValue::Text(mode.to_owned()));
    let (call, types) =
        Call::new(&PAD, PAD.newest(), Specification::Onnx, Attributes::from([mode]), inputs)
            .ok()?;
    let allowed = PAD.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    let elements = (0..count).map(|at| match allowed[0].at(at) {
        Conforming::Unspecified(_) => Vec::new(),
        Conforming::OneOf(all) => all.iter().filter_map(Conforming::example).collect(),
        one => one.example().into_iter().collect(),
    });
    Some((types[0].shape.clone(), elements.collect()))
}

/// Of 1, 2, .. in one dimension; where nothing is left open.
fn of(size: usize, pads: [i64; 2], mode: &str) -> Vec<u128> {
    padded(&[size], &pads, mode, [None, None]).unwrap().1.concat()
}

#[test]
fn every_mode_adds_what_it_says() {
    assert_eq!(of(3, [2, 1], "constant"), [0, 0, 1, 2, 3, 0]);
    assert_eq!(of(3, [2, 1], "edge"), [1, 1, 1, 2, 3, 3]);
    assert_eq!(of(3, [2, 1], "reflect"), [3, 2, 1, 2, 3, 2]);
    assert_eq!(of(2, [2, 0], "reflect"), [1, 2, 1, 2]);
    assert_eq!(of(3, [5, 4], "reflect"), [2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]);
    assert_eq!(of(3, [2, 1], "wrap"), [2, 3, 1, 2, 3, 1]);
    assert_eq!(of(3, [5, 4], "wrap"), [2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    let (shape, elements) =
        padded(&[2, 2], &[1, 0, 0, 1], "constant", [Some(bytes(&[], 9)), None]).unwrap();
    assert_eq!((shape, elements.concat()), (vec![3, 3], vec![9, 9, 9, 1, 2, 9, 3, 4, 9]));
    assert_eq!(padded(&[], &[], "reflect", [None, None]).unwrap().1.concat(), [1]);
}

#[test]
fn negative_numbers_remove() {
    assert_eq!(of(4, [-1, -2], "constant"), [2]);
    assert_eq!(of(4, [-1, 2], "constant"), [2, 3, 4, 0, 0]);
    assert_eq!(of(4, [-1, 2], "edge"), [2, 3, 4, 4, 4]);
    assert_eq!(of(4, [2, -1], "reflect"), [3, 2, 1, 2, 3]);
    assert_eq!(of(4, [-4, 2], "constant"), [0, 0]);
    assert!(of(4, [-2, -2], "edge").is_empty());
    let elements = |pads, mode| padded(&[4], pads, mode, [None, None]).unwrap().1;
    assert_eq!(elements(&[-1, 2], "wrap"), [vec![2], vec![3], vec![4], vec![1, 2], vec![2, 3]]);
    assert_eq!(elements(&[-2, 2], "reflect"), [vec![3], vec![4], vec![3], vec![2, 4]]);
    for pads in [[-3, -2], [i64::MIN, 0], [i64::MIN, i64::MIN], [i64::MAX, i64::MAX]] {
        assert_eq!(padded(&[4], &pads, "constant", [None, None]), None, "{pads:?}");
    }
}

#[test]
fn axes_say_which_dimensions_are_padded() {
    let axes = |list: &[i32]| {
        [None, Tensor::from_values(DType::Int32, vec![list.len()], list.to_vec()).ok()]
    };
    let shape = |pads: &[i64], list: &[i32]| {
        padded(&[2, 3, 4], pads, "edge", axes(list)).map(|(shape, _)| shape)
    };
    assert_eq!(shape(&[1, 2], &[-1]), Some(vec![2, 3, 7]));
    assert_eq!(shape(&[1, 0, 2, -1], &[0, -2]), Some(vec![5, 2, 4]));
    assert_eq!(shape(&[], &[]), Some(vec![2, 3, 4]));
    assert_eq!(padded(&[2], &[1, 1, 1, 1], "edge", axes(&[0, -1])), Some((vec![1], vec![vec![]])));
    for (pads, list) in
        [(&[1, 2][..], &[3][..]), (&[1, 2], &[-4]), (&[1, 2], &[0, 1]), (&[1], &[0])]
    {
        assert_eq!(shape(pads, list), None);
    }
}

#[test]
fn what_nothing_says_is_open() {
    for (size, pads, mode) in [
        (1, [0, 1], "reflect"),
        (0, [1, 0], "edge"),
        (0, [0, 2], "wrap"),
        (4, [-3, 2], "reflect"),
        (4, [-4, 1], "edge"),
        (4, [-5, 6], "constant"),
    ] {
        let open = of(size, pads, mode).is_empty();
        assert!(open, "{size} {pads:?} {mode}");
    }
    assert_eq!(of(0, [1, 1], "constant"), [0, 0]);
    let list = [Some(bytes(&[1], 9)), None];
    assert!(padded(&[2], &[1, 1], "constant", list).unwrap().1.concat().is_empty());
    assert_eq!(padded(&[2], &[1, 1], "constant", [Some(bytes(&[2], 9)), None]), None);
}

#[test]
fn the_value_of_old_versions_is_an_element_where_the_type_holds_it() {
    assert_eq!(float(DType::Float32, 0x7fc0_0001), Some(0x7fc0_0001));
    assert_eq!(float(DType::Float64, 0xbfc0_0000), Some(0xbff8_0000_0000_0000));
    assert_eq!(float(DType::Float16, 0xff80_0000), Some(0xfc00));
    assert_eq!(float(DType::Float16, 0x8000_0000), Some(0x8000));
    assert_eq!(float(DType::Float16, 0x3f80_0001), None);
    assert_eq!(float(DType::Float16, 0x4780_0000), None);
}
