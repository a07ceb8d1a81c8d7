//! Norms that are exact, of every order, in padding, and next to the ends of the range.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Specification};
use values::dtype::DType::Float32;

fn norms(since: i64, x: &[f32], attributes: &[(&str, AttributeValue)]) -> Option<Vec<Conforming>> {
    let x = Tensor::from_values(Float32, vec![1, 1, x.len()], x.to_vec()).unwrap();
    let own = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let (version, onnx) = (LPPOOL.version(since).unwrap(), Specification::Onnx);
    let (call, types) = Call::new(&LPPOOL, version, onnx, own.collect(), vec![Some(x)]).ok()?;
    let allowed = LPPOOL.reference.allowed(&call, &types);
    Some((0..types[0].shape[2]).map(|at| allowed[0].at(at)).collect())
}

fn kernel(size: i64) -> (&'static str, AttributeValue) {
    ("kernel_shape", AttributeValue::Ints(vec![size]))
}

fn p(order: i64) -> (&'static str, AttributeValue) {
    ("p", AttributeValue::Int(order))
}

fn accepts(conforming: &Conforming, value: f32) -> bool {
    conforming.accepts(value.to_bits().into())
}

#[test]
fn norms_are_near_the_root_of_the_sum_of_powers_and_nothing_else_is() {
    let cases =
        [(1, 12.0_f32), (2, 50.0_f32.sqrt()), (3, 216.0_f32.cbrt()), (4, 962.0_f32.powf(0.25))];
    for (order, exact) in cases {
        let all = norms(22, &[3.0, -4.0, 5.0], &[kernel(3), p(order)]).unwrap();
        let near = u64::from(exact.to_bits());
        assert!(all[0].accepts(near), "{order}: {:?}", all[0]);
        assert!(!all[0].accepts(near + 30) && !all[0].accepts(near - 30), "{order}: {:?}", all[0]);
    }
    let all = norms(1, &[1.0, 4.0], &[kernel(2), ("p", AttributeValue::Float(0.5_f32.to_bits()))]);
    assert!(accepts(&all.unwrap()[0], 9.0));
    assert!(accepts(&norms(1, &[3.0, -4.0], &[kernel(2)]).unwrap()[0], 5.0));
}

#[test]
fn padding_adds_nothing_and_what_is_no_norm_is_open() {
    let pads = ("pads", AttributeValue::Ints(vec![2, 1]));
    let all = norms(22, &[-2.0], &[kernel(2), pads, p(1)]).unwrap();
    for (conforming, exact) in all.iter().zip([0.0, 2.0, 2.0]) {
        assert_eq!(*conforming, Conforming::One(u64::from(f32::to_bits(exact))));
    }
    for order in [0, -1, i64::MIN] {
        assert!(!norms(22, &[1.0], &[kernel(1), p(order)]).unwrap()[0].is_decided());
    }
    assert!(norms(1, &[1.0], &[]).is_none() && norms(22, &[1.0], &[]).is_none());
    assert!(norms(22, &[1.0; 3], &[kernel(3), p(i64::MAX)]).is_some());
}

#[test]
fn powers_that_overflow_or_underflow_leave_both_what_they_give_and_the_norm() {
    let all = norms(22, &[3e30, 4e30], &[kernel(2)]).unwrap();
    assert!(accepts(&all[0], 5e30) && accepts(&all[0], f32::INFINITY) && !accepts(&all[0], 1.0));
    let all = norms(22, &[3e-30, 4e-30], &[kernel(2)]).unwrap();
    assert!(accepts(&all[0], 5e-30) && accepts(&all[0], 0.0) && !accepts(&all[0], 1e-20));
    let all = norms(22, &[f32::NEG_INFINITY, 1.0, f32::NAN], &[kernel(2)]).unwrap();
    assert_eq!(all[0], Conforming::One(f32::INFINITY.to_bits().into()));
    assert!(matches!(all[1], Conforming::AnyNan(_)));
}
