//! The formula and the function, along any dimensions.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn outputs(x: Tensor, axes: Option<&[i64]>) -> Option<Vec<Conforming>> {
    let axes = axes.map(|axes| ("axes".to_owned(), AttributeValue::Ints(axes.to_vec())));
    let (operator, version) = (&MEANVARIANCENORMALIZATION, MEANVARIANCENORMALIZATION.newest());
    let (count, attributes) = (x.elements(), Attributes::from_iter(axes));
    let made = Call::new(operator, version, Specification::Onnx, attributes, vec![Some(x)]);
    let (call, types) = made.ok()?;
    let allowed = operator.reference.allowed(&call, &types);
    Some((0..count).map(|index| allowed[0].at(index)).collect())
}

fn singles(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    all.iter().zip(numbers).all(|(one, x)| one.accepts(x.to_bits().into()) && one.is_decided())
}

#[test]
fn elements_are_normalized_along_the_dimensions_that_are_listed() {
    let x = || singles(&[2, 1, 1, 2], &[1.0, 3.0, 10.0, 18.0]);
    assert!(accept(&outputs(x(), Some(&[3])).unwrap(), &[-1.0, 1.0, -1.0, 1.0]));
    assert!(accept(&outputs(x(), Some(&[-1, 2])).unwrap(), &[-1.0, 1.0, -1.0, 1.0]));
    let by_column = outputs(x(), Some(&[0])).unwrap();
    assert!(accept(&by_column, &[-1.0, -1.0, 1.0, 1.0]));
    let by_default = outputs(x(), None).unwrap();
    let deviation = 44.5_f32.sqrt();
    assert!(
        accept(&by_default, &[-7.0 / deviation, -5.0 / deviation]) && !accept(&by_default, &[-1.0])
    );
    assert_eq!(outputs(x(), Some(&[4])), None);
    assert_eq!(outputs(singles(&[1, 2, 3], &[1.0; 6]), None), None);
}

#[test]
fn without_a_variance_it_is_no_number_or_zero() {
    let all = outputs(singles(&[1, 4], &[2.0; 4]), Some(&[1])).unwrap();
    let accepts = |x: f32| all.iter().all(|one| one.accepts(x.to_bits().into()));
    assert!(
        accepts(f32::NAN) && accepts(0.0) && !accepts(1.0) && !accepts(f32::INFINITY),
        "{all:?}"
    );
}

#[test]
fn a_result_that_is_far_off_fails() {
    let x = [1.0_f32, 2.0, 4.0, -3.0, 7.0];
    let all = outputs(singles(&[5], &x), Some(&[0])).unwrap();
    let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / 5.0;
    let squares = x.iter().map(|x| (f64::from(*x) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / 5.0).sqrt();
    for (conforming, x) in all.iter().zip(x) {
        let near = u64::from((((f64::from(x) - mean) / deviation) as f32).to_bits());
        assert!(conforming.accepts(near), "{x} {conforming:?}");
        let is_far = (f64::from(x) - mean).abs() > 1.0;
        assert!(!is_far || !conforming.accepts(near + 24) && !conforming.accepts(near - 24));
    }
}
