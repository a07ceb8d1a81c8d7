//! Gates times elements against the machine's, and what no formula decides.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Specification};
use values::dtype::DType::{Float16, Float32, Float64};
use values::tensor::Tensor;

fn outputs(a: Tensor, b: Tensor, alpha: Option<f32>) -> Option<Vec<Conforming>> {
    let alpha = alpha.map(|it| ("alpha".to_owned(), AttributeValue::Float(it.to_bits())));
    let (version, onnx, count) = (SWIGLU.newest(), Specification::Onnx, a.elements());
    let attributes = alpha.into_iter().collect();
    let (call, types) =
        Call::new(&SWIGLU, version, onnx, attributes, vec![Some(a), Some(b)]).ok()?;
    let allowed = SWIGLU.reference.allowed(&call, &types);
    Some((0..count).map(|at| allowed[0].at(at)).collect())
}

fn of(a: f32, b: f32, alpha: Option<f32>) -> Conforming {
    let tensor = |x: f32| Tensor::from_values(Float32, vec![1], vec![x]).unwrap();
    outputs(tensor(a), tensor(b), alpha).unwrap().remove(0)
}

fn accepts(conforming: &Conforming, actual: f32) -> bool {
    conforming.accepts(actual.to_bits().into())
}

#[test]
fn what_the_machine_makes_of_it_conforms_and_nothing_far_from_it() {
    for at in -400..400 {
        let (a, b) = (at as f32 * 0.217, 3.1 - at as f32 * 0.03);
        for alpha in [None, Some(0.5), Some(-1.7)] {
            let conforming = of(a, b, alpha);
            let alpha = alpha.unwrap_or(1.0);
            let steps = a * (1.0 / (1.0 + (-alpha * a).exp())) * b;
            let (wide, wide_alpha) = (f64::from(a), f64::from(alpha));
            let wide = wide / (1.0 + (-wide_alpha * wide).exp()) * f64::from(b);
            assert!(accepts(&conforming, wide as f32), "{a} {b} {alpha} {wide} {conforming:?}");
            if steps.is_normal() && (-alpha * a) < 80.0 {
                assert!(accepts(&conforming, steps), "{a} {b} {alpha} {steps} {conforming:?}");
                assert!(!accepts(&conforming, steps * 1.0001), "{a} {b} {alpha} {conforming:?}");
            }
        }
    }
}

#[test]
fn special_values_are_those_of_the_gate_and_of_the_product() {
    let (infinity, nan) = (f32::INFINITY, f32::NAN);
    let results = [nan, infinity, -infinity, 0.0, -0.0, 1.0];
    let of = |a, b, alpha| results.map(|result| accepts(&of(a, b, alpha), result));
    assert_eq!(of(infinity, -2.0, None), [false, false, true, false, false, false]);
    assert_eq!(of(infinity, 0.0, None), [true, false, false, false, false, false]);
    assert_eq!(of(-infinity, 2.0, None), [true, false, false, true, true, false]);
    assert_eq!(of(-0.0, 2.0, None), [false, false, false, false, true, false]);
    assert_eq!(of(1.0, nan, None), [true, false, false, false, false, false]);
    assert_eq!(of(1.0, 1.0, Some(nan)), [true, false, false, false, false, false]);
    assert_eq!(of(1.0, 1.0, Some(infinity)), [false, false, false, false, false, true]);
    assert_eq!(of(-1.0, 1.0, Some(infinity)), [false, false, false, false, true, false]);
    assert!(!self::of(infinity, 1.0, Some(0.0)).is_decided());
    assert!(!self::of(0.0, 1.0, Some(infinity)).is_decided());
    assert!(accepts(&self::of(2.0, 3.0, Some(0.0)), 3.0));
}

#[test]
fn far_from_zero_the_gate_is_next_to_nothing() {
    let tensor = |x: f64| Tensor::from_values(Float64, vec![1], vec![x]).unwrap();
    let all = outputs(tensor(-1e300), tensor(1e308), None).unwrap();
    assert!(all[0].is_decided(), "{:?}", all[0]);
    assert_eq!(all[0].example(), Some((-0.0_f64).to_bits().into()));
    assert!(!all[0].accepts(1e-300_f64.to_bits()) && !all[0].accepts((-1e290_f64).to_bits()));
    let half = |bits: u16| Tensor::from_values(Float16, vec![1], vec![bits]).unwrap();
    // 8 / (1 + e^-8) is 7.9973: 8.0, and next to it.
    let all = outputs(half(0x4800), half(0x3c00), None).unwrap();
    assert!(all[0].accepts(0x4800) && all[0].accepts(0x47ff) && !all[0].accepts(0x4806));
}

#[test]
fn other_shapes_are_refused() {
    let tensor = |shape: &[usize]| {
        let count = shape.iter().product();
        Tensor::from_values(Float32, shape.to_vec(), vec![1.0_f32; count]).unwrap()
    };
    assert!(outputs(tensor(&[2, 3]), tensor(&[2, 3]), None).is_some());
    for other in [&[3][..], &[2, 1], &[3, 2], &[1, 2, 3], &[]] {
        assert!(outputs(tensor(&[2, 3]), tensor(other), None).is_none(), "{other:?}");
    }
}
