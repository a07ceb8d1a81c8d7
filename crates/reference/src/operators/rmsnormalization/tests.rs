//! Both stages, each in its own format.

use values::dtype::DType::{Float16, Float32};

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// What conforms of a call without an epsilon.
fn outputs(x: Tensor, scale: Tensor, stash: i64) -> (Vec<TensorType>, Vec<Conforming>) {
    let attributes = Attributes::from([
        ("epsilon".to_owned(), AttributeValue::Float(0)),
        ("stash_type".to_owned(), AttributeValue::Int(stash)),
    ]);
    let (operator, version) = (&RMSNORMALIZATION, RMSNORMALIZATION.newest());
    let inputs = vec![Some(x), Some(scale)];
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    let all = (0..count).map(|index| allowed[0].at(index)).collect();
    (types, all)
}

fn singles(all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, vec![1, all.len()], all.to_vec()).unwrap()
}

#[test]
fn roots_without_rounding_give_exact_outputs() {
    let (_, all) = outputs(singles(&[7.0, -1.0]), singles(&[2.0, 1.0]), 1);
    let bits = |x: f32| Conforming::One(x.to_bits().into());
    // The root of (49 + 1) / 2 is 5.
    let quotients = [7.0_f32 / 5.0 * 2.0, -1.0 / 5.0];
    assert!(all.iter().zip(quotients).all(|(one, x)| one.accepts(x.to_bits().into())), "{all:?}");
    let (_, all) = outputs(singles(&[4.0, -4.0]), singles(&[3.0, 0.5]), 1);
    assert_eq!(all, [bits(3.0), bits(-0.5)]);
}

#[test]
fn a_result_that_is_16_ulp_off_fails() {
    let x = [1.0_f32, 2.0, 4.0, -3.0, 7.0];
    let (_, all) = outputs(singles(&x), singles(&[1.0; 5]), 1);
    let root = (x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / 5.0).sqrt();
    for (conforming, x) in all.iter().zip(x) {
        let near = u64::from(((f64::from(x) / root) as f32).to_bits());
        assert!(conforming.accepts(near), "{x} {conforming:?}");
        assert!(!conforming.accepts(near + 16) && !conforming.accepts(near - 16), "{conforming:?}");
    }
}

#[test]
fn the_first_stage_of_float16_is_wider_than_float16() {
    let half = |all: [u16; 4]| Tensor::from_values(Float16, vec![1, 4], all.to_vec()).unwrap();
    // 300, -300, 500, -500, whose squares float16 does not hold.
    let x = || half([0x5cb0, 0xdcb0, 0x5fd0, 0xdfd0]);
    let (_, wide) = outputs(x(), half([0x3c00; 4]), 1);
    assert!(wide.iter().all(|it| !it.accepts(0) && it.is_decided()), "{wide:?}");
    let (_, narrow) = outputs(x(), half([0x3c00; 4]), 10);
    assert!(narrow.iter().all(|it| !it.is_decided()), "{narrow:?}");
}

#[test]
fn a_scale_of_another_type_gives_its_own_and_is_multiplied_in_either() {
    let scale = Tensor::from_values(Float16, vec![1], vec![0x3c00_u16]).unwrap();
    let (types, all) = outputs(singles(&[1.0, 3.0]), scale, 1);
    assert_eq!(types[0].dtype, Float16);
    // 1 / root(5) and 3 / root(5) in float16.
    assert!(all[0].accepts(0x3728) && all[1].accepts(0x3d5e), "{all:?}");
    assert!(!all[0].accepts(0x372a) && !all[1].accepts(0x3d60), "{all:?}");
}

#[test]
fn an_infinity_makes_the_others_zero_and_itself_no_number() {
    let (_, all) = outputs(singles(&[f32::INFINITY, -2.0]), singles(&[1.0; 2]), 1);
    let (nan, minus_zero) = (f32::NAN.to_bits().into(), (-0.0_f32).to_bits().into());
    assert!(all[0].accepts(nan) && all[1].accepts(minus_zero) && !all[1].accepts(nan), "{all:?}");
}

#[test]
fn stages_of_other_types_and_scales_of_other_shapes_are_refused() {
    let infer = |stash: i64, shape: Vec<usize>| {
        let count = shape.iter().product();
        let scale = Tensor::from_values(Float32, shape, vec![1_f32; count]).unwrap();
        let (operator, version) = (&RMSNORMALIZATION, RMSNORMALIZATION.newest());
        let attributes = Attributes::from([("stash_type".to_owned(), AttributeValue::Int(stash))]);
        let inputs = vec![Some(singles(&[1.0; 3])), Some(scale)];
        Call::new(operator, version, Specification::Onnx, attributes, inputs).is_ok()
    };
    assert!([1, 10, 11, 16].into_iter().all(|stash| infer(stash, vec![3])));
    assert!(
        !infer(6, vec![3]) && !infer(17, vec![3]) && !infer(1, vec![2]) && !infer(1, vec![2, 3])
    );
}
