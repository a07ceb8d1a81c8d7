//! Of ArgMax and ArgMin.

use super::*;
use crate::operator::{AttributeValue, Attributes, Operator, Specification};
use crate::operators::argmax::ARGMAX;
use crate::operators::argmin::ARGMIN;
use values::dtype::DType;
use values::tensor::Tensor;

fn places(
    operator: &'static Operator,
    since: i64,
    values: &[f32],
    attributes: &[(&str, i64)],
    specification: Specification,
) -> Result<Vec<u64>, Invalid> {
    let data = Tensor::from_values(DType::Float32, vec![values.len()], values.to_vec()).ok();
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), AttributeValue::Int(value));
    let attributes: Attributes = attributes.iter().map(int).collect();
    let version = operator.version(since).unwrap();
    let (call, types) = Call::new(operator, version, specification, attributes, vec![data])?;
    let allowed = &operator.reference.allowed(&call, &types)[0];
    assert_eq!(allowed.operands(0).len(), values.len());
    Ok((0..values.len() as u64).filter(|place| allowed.at(0).accepts(*place)).collect())
}

const ALL: [(&str, i64); 3] = [("axis", 0), ("keepdims", 1), ("select_last_index", 1)];

#[test]
fn ties_are_decided_since_version_12_alone() {
    let of = |since, values: &[f32], attributes: &[(&str, i64)]| {
        places(&ARGMAX, since, values, attributes, Specification::Onnx)
    };
    let values = [1.0, 0.0, 1.0, -0.0, 1.0];
    assert_eq!(of(11, &values, &[]), Ok(vec![0, 2, 4]));
    assert_eq!(of(12, &values, &[]), Ok(vec![0]));
    assert_eq!(of(13, &values, &[("select_last_index", 1)]), Ok(vec![4]));
    assert_eq!(of(13, &[-0.0, 0.0], &[]), Ok(vec![0]));
    let smallest = places(&ARGMIN, 13, &values, &[], Specification::Onnx);
    assert_eq!(smallest, Ok(vec![1]));
}

#[test]
fn a_nan_or_the_numbers_beside_it_decide_and_sonnx_has_it_come_first() {
    let values = [f32::NAN, 2.0, f32::NAN, 3.0, 1.0];
    let onnx = places(&ARGMAX, 13, &values, &[], Specification::Onnx);
    assert_eq!(onnx, Ok(vec![0, 2, 3]));
    assert_eq!(places(&ARGMAX, 13, &values, &ALL, Specification::Sonnx), Ok(vec![2]));
}

#[test]
fn what_has_no_such_dimension_is_refused() {
    let of = |since, axis| {
        let attributes = [("axis", axis)];
        places(&ARGMAX, since, &[1.0, 2.0], &attributes, Specification::Onnx)
    };
    assert_eq!(of(13, -1), Ok(vec![1]));
    for (since, axis) in [(1, -1), (13, 1), (13, -2), (13, i64::MIN), (13, i64::MAX)] {
        assert!(of(since, axis).is_err(), "{since} {axis}");
    }
    assert!(places(&ARGMAX, 11, &[], &[], Specification::Onnx).is_err());
    assert!(places(&ARGMAX, 13, &[1.0], &[("keepdims", 2)], Specification::Onnx).is_err());
    assert!(places(&ARGMAX, 13, &[], &ALL, Specification::Sonnx).is_err());
    assert!(places(&ARGMAX, 13, &[1.0], &ALL[..2], Specification::Sonnx).is_err());
    let back = [("axis", -1), ALL[1], ALL[2]];
    assert!(places(&ARGMAX, 13, &[1.0], &back, Specification::Sonnx).is_err());
}
