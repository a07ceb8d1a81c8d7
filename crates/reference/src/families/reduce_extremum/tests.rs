//! Of ReduceMax and ReduceMin.

use super::*;
use crate::operator::{AttributeValue, Attributes, Operator, Specification};
use crate::operators::reducemax::REDUCEMAX;
use crate::operators::reducemin::REDUCEMIN;

/// The call of a version on data of this type and shape, whose elements are these or, of other shapes, zeros.
fn call(
    operator: &'static Operator,
    since: i64,
    data: Tensor,
    axes: Option<&[i64]>,
    attributes: &[(&str, i64)],
) -> Result<(Call, Vec<TensorType>), Invalid> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), AttributeValue::Int(value));
    let mut attributes: Attributes = attributes.iter().map(int).collect();
    let mut inputs = vec![Some(data)];
    if let Some(axes) = axes {
        if since < 18 {
            attributes.insert("axes".to_owned(), AttributeValue::Ints(axes.to_vec()));
        } else {
            inputs.push(Tensor::from_values(Int64, vec![axes.len()], axes.to_vec()).ok());
        }
    }
    let version = operator.version(since).unwrap();
    Call::new(operator, version, Specification::Onnx, attributes, inputs)
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap()
}

/// The shape of the output, or the refusal.
fn shape(
    since: i64,
    of: &[usize],
    axes: Option<&[i64]>,
    attributes: &[(&str, i64)],
) -> Result<Vec<usize>, Invalid> {
    let data = floats(of, &vec![0.0; of.iter().product()]);
    call(&REDUCEMAX, since, data, axes, attributes).map(|(_, types)| types[0].shape.clone())
}

/// What conforms of the first element.
fn first(operator: &'static Operator, since: i64, data: Tensor) -> Conforming {
    let rank = data.shape().len() as i64;
    let (call, types) = call(operator, since, data, Some(&[rank - 1]), &[]).unwrap();
    operator.reference.allowed(&call, &types)[0].at(0)
}

#[test]
fn the_dimensions_that_are_listed_are_gone_along() {
    let gone = [("keepdims", 0)];
    for since in [1, 11, 12, 13, 18, 20] {
        let of = |axes: Option<&[i64]>, attributes: &[(&str, i64)]| {
            shape(since, &[2, 3, 4], axes, attributes)
        };
        assert_eq!(of(None, &[]), Ok(vec![1, 1, 1]));
        assert_eq!(of(Some(&[]), &gone), Ok(vec![]));
        assert_eq!(of(Some(&[2, 0]), &gone), Ok(vec![3]));
        assert_eq!(of(Some(&[1]), &[]), Ok(vec![2, 1, 4]));
        assert_eq!(of(Some(&[-1]), &[]).is_ok(), since >= 11);
        for axes in [3, -4, i64::MIN, i64::MAX] {
            assert!(of(Some(&[axes]), &[]).is_err(), "{since} {axes}");
        }
        assert!(of(None, &[("keepdims", 2)]).is_err());
        assert_eq!(shape(since, &[], None, &[]), Ok(vec![]));
    }
    let noop = ("noop_with_empty_axes", 1);
    assert_eq!(shape(18, &[2, 3], None, &[noop, gone[0]]), Ok(vec![2, 3]));
    assert_eq!(shape(18, &[2, 3], Some(&[0]), &[noop]), Ok(vec![1, 3]));
    assert!(shape(13, &[2, 3], None, &[noop]).is_err());
    assert!(shape(18, &[2], Some(&[0; 100]), &[]).is_err());
    assert!(shape(18, &[0, usize::MAX, usize::MAX], Some(&[0]), &[]).is_err());
}

#[test]
fn a_nan_or_the_extreme_of_the_numbers_conforms_and_either_zero_that_is_there() {
    let accepted = |operator, values: &[f32]| {
        let allowed = first(operator, 20, floats(&[values.len()], values));
        let all = [f32::NAN, 0.0, -0.0, 1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY];
        let accepted = all.map(|value| allowed.accepts(value.to_bits().into()));
        accepted.map(u8::from)
    };
    assert_eq!(accepted(&REDUCEMAX, &[1.0, f32::NAN, 2.0]), [1, 0, 0, 0, 1, 0, 0]);
    assert_eq!(accepted(&REDUCEMIN, &[1.0, f32::NAN, 2.0]), [1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(accepted(&REDUCEMAX, &[f32::NAN; 2]), [1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(accepted(&REDUCEMAX, &[0.0, -0.0]), [0, 1, 1, 0, 0, 0, 0]);
    assert_eq!(accepted(&REDUCEMIN, &[-0.0, 1.0]), [0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(accepted(&REDUCEMIN, &[f32::INFINITY]), [0, 0, 0, 0, 0, 1, 0]);
}

#[test]
fn the_extreme_of_no_elements_is_the_end_that_every_other_one_replaces() {
    let none = |dtype| Tensor::from_bits(dtype, vec![2, 0], Vec::new().into()).unwrap();
    for (dtype, largest, smallest) in [
        (Float32, 0xff80_0000, 0x7f80_0000),
        (Int8, 0x80, 0x7f),
        (Uint8, 0, 0xff),
        (Bool, 0, 1),
        (Int64, 1 << 63, (1 << 63) - 1),
    ] {
        assert_eq!(first(&REDUCEMAX, 20, none(dtype)), Conforming::One(largest));
        assert_eq!(first(&REDUCEMIN, 20, none(dtype)), Conforming::One(smallest));
    }
    assert!(!first(&REDUCEMAX, 12, none(Float32)).is_decided());
    assert!(first(&REDUCEMAX, 13, none(Float32)).is_decided());
}
