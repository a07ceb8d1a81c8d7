//! Where blocks lie, and what they add up to.

use super::*;
use crate::operator::{AttributeValue, Specification};
use values::dtype::DType::{Float32, Int8, Int64};

fn image(
    data: Tensor,
    [image, block]: [&[i64]; 2],
    attributes: &[(&str, &[i64])],
) -> Option<(Vec<usize>, Vec<Conforming>)> {
    let list = |list: &[i64]| Tensor::from_values(Int64, vec![list.len()], list.to_vec()).ok();
    let ints =
        |(name, list): &(&str, &[i64])| ((*name).to_owned(), AttributeValue::Ints(list.to_vec()));
    let inputs = vec![Some(data), list(image), list(block)];
    let attributes = attributes.iter().map(ints).collect();
    let (version, onnx) = (COL2IM.newest(), Specification::Onnx);
    let (call, types) = Call::new(&COL2IM, version, onnx, attributes, inputs).ok()?;
    let allowed = COL2IM.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Some((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn bytes(shape: &[usize], values: impl IntoIterator<Item = i8>) -> Tensor {
    Tensor::from_values(Int8, shape.to_vec(), values.into_iter().collect()).unwrap()
}

#[test]
fn overlapping_blocks_are_added_up_where_they_lie() {
    let (shape, all) = image(bytes(&[1, 2, 4], 1..9), [&[2, 3], &[1, 2]], &[]).unwrap();
    let exactly = |all: &[u64]| all.iter().map(|it| Conforming::One(*it)).collect::<Vec<_>>();
    assert_eq!((shape, all), (vec![1, 1, 2, 3], exactly(&[1, 7, 6, 3, 11, 8])));
    let apart = [("strides", &[1, 3][..]), ("pads", &[0, 0, 0, 2]), ("dilations", &[1, 2])];
    let (_, all) = image(bytes(&[1, 2, 4], 1..9), [&[2, 4], &[1, 2]], &apart).unwrap();
    assert_eq!(all, exactly(&[1, 0, 5, 2, 3, 0, 7, 4]));
    let (_, all) = image(bytes(&[1, 1, 2], [127, 1]), [&[1, 2], &[1, 1]], &[]).unwrap();
    assert_eq!(all, exactly(&[127, 1]));
}

#[test]
fn floats_may_be_added_in_any_order_and_no_sum_of_truth_values_is_stated() {
    let data = Tensor::from_values(Float32, vec![1, 2, 2], vec![1e8_f32, -0.0, 1.0, -0.0]).unwrap();
    let (_, all) = image(data, [&[1, 1], &[2, 1]], &[("pads", &[1, 0, 1, 0])]).unwrap();
    assert!(all[0].accepts(1.0_f32.to_bits().into()) && !all[0].accepts(0));
    let truth = Tensor::from_bits(DType::Bool, vec![1, 2, 2], vec![1, 0, 1, 1].into()).unwrap();
    let (_, all) = image(truth, [&[1, 3], &[1, 2]], &[]).unwrap();
    assert!(all[0].is_decided() && !all[1].is_decided() && all[2].is_decided());
}

#[test]
fn what_makes_no_image_is_refused_and_nothing_huge_hangs() {
    let of = |shape: &[usize], lists: [&[i64]; 2], attributes: &[(&str, &[i64])]| {
        let count = shape.iter().product::<usize>();
        image(bytes(shape, vec![0; count]), lists, attributes)
    };
    assert!(of(&[1, 4, 2], [&[2, 3], &[2, 2]], &[]).is_some());
    for (lists, attributes) in [
        ([&[2, 4][..], &[2, 2][..]], &[][..]),
        ([&[2], &[4]], &[]),
        ([&[2, -3], &[2, 2]], &[]),
        ([&[2, 3], &[2, 0]], &[]),
        ([&[2, 3], &[2, 2]], &[("strides", &[0, 1][..])]),
        ([&[2, 3], &[2, 2]], &[("pads", &[0, 0])]),
        ([&[i64::MAX, i64::MAX], &[2, 2]], &[]),
        ([&[2, 3], &[i64::MAX, i64::MAX]], &[("dilations", &[i64::MAX, 1])]),
    ] {
        assert!(of(&[1, 4, 2], lists, attributes).is_none(), "{lists:?} {attributes:?}");
    }
    let (shape, all) = of(&[1, 1 << 40, 0], [&[1, 2], &[1 << 20, 1 << 20]], &[]).unwrap();
    assert_eq!((shape, all), (vec![1, 1, 1, 2], vec![Conforming::One(0); 2]));
}
