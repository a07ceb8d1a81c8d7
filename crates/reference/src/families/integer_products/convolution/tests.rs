//! The places of weights and data, however far apart attributes put them.

use values::dtype::DType::Int8;
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};
use crate::operators::convinteger::CONVINTEGER;

fn convolution(
    x: &[usize],
    w: &[usize],
    attributes: &[(&str, AttributeValue)],
) -> Result<Convolution, Invalid> {
    let tensor = |shape: &[usize]| {
        let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
        Tensor::from_values(Int8, shape.to_vec(), vec![1_i8; count]).ok()
    };
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let attributes = attributes.collect::<Attributes>();
    let (version, inputs) = (CONVINTEGER.newest(), vec![tensor(x), tensor(w)]);
    let (call, _) = Call::new(&CONVINTEGER, version, Specification::Onnx, attributes, inputs)?;
    Convolution::of(&call, x, w)
}

fn ints(values: &[i64]) -> AttributeValue {
    AttributeValue::Ints(values.to_vec())
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::Text(value.to_owned())
}

fn places(convolution: &Convolution, index: usize) -> Vec<[usize; 2]> {
    convolution.places(index).collect()
}

#[test]
fn padding_has_no_places() {
    let padded = convolution(&[1, 1, 3], &[1, 1, 2], &[("pads", ints(&[1, 2]))]).unwrap();
    assert_eq!(padded.shape(), [1, 1, 5]);
    let all = [vec![[0, 1]], vec![[0, 0], [1, 1]], vec![[1, 0], [2, 1]], vec![[2, 0]], vec![]];
    assert_eq!((0..5).map(|at| places(&padded, at)).collect::<Vec<_>>(), all);
}

#[test]
fn groups_take_their_own_channels() {
    let group = [("group", AttributeValue::Int(2))];
    let grouped = convolution(&[1, 4, 1], &[2, 2, 1], &group).unwrap();
    assert_eq!(places(&grouped, 0), [[0, 0], [1, 1]]);
    assert_eq!(places(&grouped, 1), [[2, 2], [3, 3]]);
    assert_eq!(grouped.lines(1), [0, 1]);
}

#[test]
fn automatic_padding_has_more_on_one_side() {
    for (mode, first) in [("SAME_UPPER", vec![[0, 1], [1, 2]]), ("SAME_LOWER", vec![[0, 2]])] {
        let attributes = [("auto_pad", text(mode)), ("strides", ints(&[2]))];
        let same = convolution(&[1, 1, 4], &[1, 1, 5], &attributes).unwrap();
        assert_eq!(same.shape(), [1, 1, 2]);
        let own: Vec<[usize; 2]> = places(&same, 0);
        assert!(own.starts_with(&first), "{mode} {own:?}");
    }
    let dilated = [("auto_pad", text("SAME_UPPER")), ("dilations", ints(&[2]))];
    let same = convolution(&[1, 1, 3], &[1, 1, 2], &dilated).unwrap();
    assert_eq!(same.shape(), [1, 1, 3]);
    assert_eq!(places(&same, 0), [[1, 1]]);
    assert_eq!(places(&same, 2), [[1, 0]]);
}

#[test]
fn attributes_as_large_as_they_can_be_do_not_overflow() {
    let most = ints(&[i64::MAX]);
    let of = |attributes: &[_]| convolution(&[1, 1, 3], &[1, 1, 1], attributes);
    assert_eq!(of(&[("strides", most.clone())]).unwrap().shape(), [1, 1, 1]);
    assert_eq!(of(&[("dilations", most.clone())]).unwrap().shape(), [1, 1, 3]);
    let pads = [("pads", ints(&[i64::MAX, i64::MAX])), ("strides", ints(&[1 << 62]))];
    assert_eq!(of(&pads).unwrap().shape(), [1, 1, 5]);
    assert!(of(&[("pads", ints(&[i64::MAX, i64::MAX]))]).is_err());
    let same = [("auto_pad", text("SAME_LOWER")), ("dilations", most.clone())];
    let far = convolution(&[1, 1, 3], &[1, 1, 3], &same).unwrap();
    assert_eq!((far.shape(), places(&far, 1)), (vec![1, 1, 3], vec![[1, 1]]));
    assert!(convolution(&[1, 1, 3], &[1, 1, 2], &[("dilations", most)]).is_err());
    let huge = 1 << 40;
    let none = convolution(&[1, 0, huge, huge], &[1, 0, huge, huge], &[]).unwrap();
    assert_eq!(places(&none, 0), [[0_usize; 2]; 0]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (x, w) in [
        (&[1, 1][..], &[1, 1][..]),
        (&[1, 1, 3], &[1, 1]),
        (&[1, 2, 3], &[1, 1, 1]),
        (&[1, 1, 3], &[1, 1, 4]),
        (&[1, 1, 3], &[1, 1, 0]),
    ] {
        assert!(convolution(x, w, &[]).is_err(), "{x:?} {w:?}");
    }
    for (name, value) in [
        ("group", AttributeValue::Int(0)),
        ("group", AttributeValue::Int(2)),
        ("group", AttributeValue::Int(i64::MAX)),
        ("strides", ints(&[0])),
        ("strides", ints(&[])),
        ("dilations", ints(&[i64::MIN])),
        ("pads", ints(&[1])),
        ("pads", ints(&[-1, 1])),
        ("kernel_shape", ints(&[1])),
        ("auto_pad", text("SAME")),
    ] {
        let refused = convolution(&[1, 2, 3], &[1, 2, 2], &[(name, value.clone())]);
        assert!(refused.is_err(), "{name} {value:?}");
    }
    let both = [("auto_pad", text("VALID")), ("pads", ints(&[0, 0]))];
    assert!(convolution(&[1, 1, 3], &[1, 1, 2], &both).is_err());
}
