//! Of TopK.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::Float32;

type Made = Result<(Call, Vec<TensorType>), Invalid>;

/// The call of a version for so many elements.
fn call(since: i64, data: Tensor, k: &[i64], attributes: &[(&str, i64)]) -> Made {
    let int = |(name, value): (&str, i64)| (name.to_owned(), AttributeValue::Int(value));
    let mut attributes: Attributes = attributes.iter().copied().map(int).collect();
    let mut inputs = vec![Some(data)];
    if since < 10 {
        attributes.extend(k.iter().map(|k| int(("k", *k))));
    } else {
        inputs.push(Tensor::from_values(Int64, vec![k.len()], k.to_vec()).ok());
    }
    let version = TOPK.version(since).unwrap();
    Call::new(&TOPK, version, Specification::Onnx, attributes, inputs)
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap()
}

/// The values and the places that conform, where each is the only one.
fn top(made: Made) -> (Vec<f32>, Vec<u64>) {
    let (call, types) = made.unwrap();
    let allowed = TOPK.reference.allowed(&call, &types);
    let only = |output: usize| {
        let elements: usize = types[output].shape.iter().product();
        let at = |index| match allowed[output].at(index) {
            Conforming::Same(Element::Bits(_, bits)) => bits as u64,
            Conforming::One(place) => place,
            other => panic!("{other:?}"),
        };
        (0..elements).map(at).collect::<Vec<_>>()
    };
    (only(0).into_iter().map(|bits| f32::from_bits(bits as u32)).collect(), only(1))
}

#[test]
fn elements_come_in_order_along_the_dimension_that_is_asked_for() {
    let data = || floats(&[2, 3], &[1.0, 5.0, 3.0, 4.0, 2.0, 6.0]);
    for since in [1, 10, 11, 24] {
        let last = (vec![5.0, 3.0, 6.0, 4.0], vec![1, 2, 2, 0]);
        assert_eq!(top(call(since, data(), &[2], &[])), last, "{since}");
        let first = (vec![4.0, 5.0, 6.0], vec![1, 0, 1]);
        assert_eq!(top(call(since, data(), &[1], &[("axis", 0)])), first);
    }
    let smallest = [("axis", -2), ("largest", 0)];
    assert_eq!(top(call(24, data(), &[1], &smallest)), (vec![1.0, 2.0, 3.0], vec![0, 1, 0]));
    let cube = floats(&[2, 2, 2], &[1.0, 8.0, 3.0, 2.0, 5.0, 0.0, 1.0, 7.0]);
    let middle = (vec![3.0, 8.0, 5.0, 7.0], vec![1, 0, 0, 1]);
    assert_eq!(top(call(24, cube, &[1], &[("axis", 1)])), middle);
}

#[test]
fn of_equal_elements_the_lower_place_comes_first_and_zeros_are_equal() {
    let equal = floats(&[5], &[1.0, 2.0, 1.0, 2.0, 1.0]);
    let places = vec![1, 3, 0, 2];
    assert_eq!(top(call(24, equal.clone(), &[4], &[])), (vec![2.0, 2.0, 1.0, 1.0], places));
    let smallest = top(call(24, equal, &[4], &[("largest", 0)]));
    assert_eq!(smallest.1, [0, 2, 4, 1]);
    let (values, places) = top(call(24, floats(&[3], &[-0.0, 0.0, -0.0]), &[2], &[]));
    assert_eq!(values.iter().map(|it| it.is_sign_negative()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(places, [0, 1]);
}

#[test]
fn in_any_order_each_of_the_right_ones_conforms_everywhere() {
    let data = floats(&[6], &[1.0, 7.0, 2.0, 9.0, 2.0, 2.0]);
    let (call, types) = call(24, data, &[3], &[("sorted", 0)]).unwrap();
    let [values, places] = &TOPK.reference.allowed(&call, &types)[..] else { panic!() };
    for index in 0..3 {
        let accepted: Vec<u64> = (0..6).filter(|it| places.at(index).accepts(*it)).collect();
        assert_eq!(accepted, [1, 2, 3, 4, 5]);
        let is_allowed = |value: f32| values.at(index).accepts(value.to_bits().into());
        assert!([7.0, 9.0, 2.0].into_iter().all(is_allowed) && !is_allowed(1.0));
        let example = [9.0_f32, 7.0, 2.0][index].to_bits();
        assert_eq!(values.at(index).example(), Some(example.into()));
        assert_eq!(places.at(index).example(), Some([3, 1, 2][index]));
        assert_eq!((values.operands(index).len(), places.operands(index).len()), (6, 6));
    }
}

#[test]
fn beside_a_nan_any_element_comes_out_and_nothing_else() {
    let data = floats(&[2, 2], &[1.0, f32::NAN, 1.0, 2.0]);
    let (own, types) = call(24, data, &[1], &[]).unwrap();
    let allowed = TOPK.reference.allowed(&own, &types);
    let accepts = |output: usize, at, bits: u64| allowed[output].at(at).accepts(bits);
    let [one, nan, two] = [1.0, f32::NAN, 2.0].map(|x: f32| u64::from(x.to_bits()));
    assert_eq!([one, nan, two].map(|bits| accepts(0, 0, bits)), [true, true, false]);
    assert_eq!([0, 1, 2].map(|place| accepts(1, 0, place)), [true, true, false]);
    assert_eq!([one, nan, two].map(|bits| accepts(0, 1, bits)), [false, false, true]);
    assert_eq!([0, 1].map(|place| accepts(1, 1, place)), [false, true]);
    let many = floats(&[2000], &[1.0; 2000]);
    let (call, types) = call(24, many, &[3], &[("sorted", 0)]).unwrap();
    assert!(!TOPK.reference.allowed(&call, &types)[0].at(0).is_decided());
}

#[test]
fn what_cannot_be_given_is_refused() {
    let of = |since, k: &[i64], attributes: &[(&str, i64)]| {
        call(since, floats(&[2, 3], &[0.0; 6]), k, attributes).map(|(_, types)| types)
    };
    for since in [1, 10, 11, 24] {
        for k in [&[][..], &[4], &[-1], &[i64::MIN], &[i64::MAX]] {
            assert!(of(since, k, &[]).is_err(), "{since} {k:?}");
        }
        for axis in [2, -3, i64::MIN, i64::MAX] {
            assert!(of(since, &[1], &[("axis", axis)]).is_err(), "{since} {axis}");
        }
        assert!(of(since, &[3], &[]).is_ok() && of(since, &[3], &[("axis", 0)]).is_err());
        assert_eq!(of(since, &[0], &[]).is_ok(), since == 1);
        assert!(call(since, floats(&[], &[0.0]), &[1], &[]).is_err());
    }
    assert!(of(24, &[1, 1], &[]).is_err() && of(24, &[1], &[("sorted", 2)]).is_err());
    let two =
        vec![Some(floats(&[2], &[0.0; 2])), Tensor::from_values(Int64, vec![], vec![1_i64]).ok()];
    let version = TOPK.version(24).unwrap();
    assert!(Call::new(&TOPK, version, Specification::Onnx, Attributes::new(), two).is_err());
    let empty = floats(&[0, 1 << 40, 1 << 40], &[]);
    let (call, types) = call(24, empty, &[1], &[]).unwrap();
    assert_eq!((types[0].shape[0], types[0].dtype, types[1].dtype), (0, Float32, Int64));
    assert_eq!(TOPK.reference.allowed(&call, &types).len(), 2);
}
