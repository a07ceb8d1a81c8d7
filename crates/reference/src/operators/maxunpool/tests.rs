//! Where elements are put, and what indices leave open.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Float32, Int64};

fn unpooled(
    shape: &[usize],
    indices: &[i64],
    output: Option<&[i64]>,
    attributes: &[(&str, &[i64])],
) -> Option<(Vec<usize>, Vec<Vec<f32>>)> {
    let values: Vec<f32> = (1..=indices.len()).map(|at| at as f32).collect();
    let x = Tensor::from_values(Float32, shape.to_vec(), values).ok();
    let i = Tensor::from_values(Int64, shape.to_vec(), indices.to_vec()).ok();
    let list =
        output.map(|list| Tensor::from_values(Int64, vec![list.len()], list.to_vec()).unwrap());
    let ints =
        |(name, list): &(&str, &[i64])| ((*name).to_owned(), AttributeValue::Ints(list.to_vec()));
    let attributes: Attributes = attributes.iter().map(ints).collect();
    let (version, onnx) = (MAXUNPOOL.newest(), Specification::Onnx);
    let (call, types) = Call::new(&MAXUNPOOL, version, onnx, attributes, vec![x, i, list]).ok()?;
    let allowed = MAXUNPOOL.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    // Each of the numbers that conform; none where anything does.
    let of = |conforming: Conforming| match conforming.is_decided() {
        false => Vec::new(),
        true => (0..9_u8)
            .map(f32::from)
            .filter(|number| conforming.accepts(number.to_bits().into()))
            .collect(),
    };
    Some((types[0].shape.clone(), (0..count).map(|at| of(allowed[0].at(at))).collect()))
}

const TWO: &[(&str, &[i64])] = &[("kernel_shape", &[2]), ("strides", &[2])];

#[test]
fn elements_are_at_their_indices_and_zeros_elsewhere() {
    let (shape, all) = unpooled(&[1, 2, 1], &[3, 0], None, TWO).unwrap();
    assert_eq!((shape, all.concat()), (vec![1, 2, 2], vec![2.0, 0.0, 0.0, 1.0]));
    let padded = [TWO, &[("pads", &[1, 0])]].concat();
    assert_eq!(unpooled(&[1, 1, 2], &[0, 2], None, &padded).unwrap().1.concat(), [1.0, 0.0, 2.0]);
    let (_, all) = unpooled(&[1, 1, 2], &[1, 1], None, TWO).unwrap();
    assert_eq!(all, [vec![0.0], vec![], vec![0.0], vec![0.0]]);
    for beyond in [4, -1, i64::MIN] {
        assert!(unpooled(&[1, 1, 2], &[1, beyond], None, TWO).unwrap().1.iter().all(Vec::is_empty));
    }
}

#[test]
fn another_shape_has_two_readings_where_the_elements_fit() {
    let square: &[(&str, &[i64])] = &[("kernel_shape", &[1, 2])];
    let (shape, all) = unpooled(&[1, 1, 2, 1], &[1, 2], Some(&[1, 1, 2, 3]), square).unwrap();
    assert_eq!(shape, [1, 1, 2, 3]);
    assert_eq!(all, [vec![0.0], vec![1.0], vec![0.0, 2.0], vec![0.0, 2.0], vec![0.0], vec![0.0]]);
    let (_, all) = unpooled(&[1, 1, 2, 1], &[1, 5], Some(&[1, 1, 2, 3]), square).unwrap();
    assert_eq!(all.concat(), [0.0, 1.0, 0.0, 0.0, 0.0, 2.0]);
    let (_, all) = unpooled(&[1, 1, 2], &[0, 2], Some(&[1, 1, 3]), TWO).unwrap();
    assert_eq!(all.concat(), [1.0, 0.0, 2.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let of = |output: Option<&[i64]>, attributes: &[(&str, &[i64])]| {
        unpooled(&[1, 1, 2], &[0, 1], output, attributes).is_some()
    };
    assert!(of(Some(&[1, 1, 4]), TWO) && of(None, &TWO[..1]));
    assert!(!of(Some(&[4]), TWO) && !of(Some(&[1, 1, -4]), TWO) && !of(None, &TWO[1..]));
    for list in [("pads", &[3, 2][..]), ("pads", &[-1, 0]), ("pads", &[1])] {
        assert!(!of(None, &[TWO, &[list]].concat()), "{list:?}");
    }
    let far = [("kernel_shape", &[i64::MAX][..]), ("strides", &[i64::MAX])];
    assert!(!of(None, &far) && of(Some(&[1, 1, 2]), &far));
}
