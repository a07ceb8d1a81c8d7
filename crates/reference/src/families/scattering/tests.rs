//! Of what becomes of an element that one update or several are for.

use super::*;
use crate::operator::AttributeValue;
use crate::operators::gather::tests::{allowed_by, indices};
use crate::operators::scatterelements::SCATTERELEMENTS;
use values::dtype::DType::{Bool, Float32, Uint8};

fn reduced(reduction: &str, data: &Tensor, updates: &Tensor) -> Vec<Conforming> {
    let all = indices(updates.shape(), &vec![0; updates.elements()]);
    let reduction = [("reduction", AttributeValue::Text(reduction.to_owned()))];
    allowed_by(&SCATTERELEMENTS, 18, &[data, &all, updates], &reduction).unwrap().1
}

fn bytes(values: &[u8]) -> Tensor {
    Tensor::from_values(Uint8, vec![values.len()], values.to_vec()).unwrap()
}

fn floats(values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, vec![values.len()], values.to_vec()).unwrap()
}

/// What may become of a float, by all that is given for it.
fn floats_of(reduction: &str, own: f32, updates: &[f32]) -> Conforming {
    reduced(reduction, &floats(&[own]), &floats(updates)).remove(0)
}

fn is_of(result: &Conforming, numbers: &[f32]) -> bool {
    numbers.iter().all(|number| result.accepts(number.to_bits().into()))
}

#[test]
fn integers_are_reduced_by_any_number_of_updates() {
    let of = |reduction| reduced(reduction, &bytes(&[200, 7]), &bytes(&[100, 3, 5, 1, 2, 2]));
    let own = Conforming::Same(Element::Bits(Uint8, 7));
    for (reduction, result) in [("add", 57), ("mul", 128), ("max", 200), ("min", 1)] {
        assert_eq!(of(reduction), [Conforming::One(result), own.clone()], "{reduction}");
    }
    assert_eq!(of("none"), [SEVERAL, own]);
}

#[test]
fn floats_are_reduced_in_any_order() {
    let one = floats_of("add", 1.0, &[f32::EPSILON / 2.0]);
    assert_eq!(one, Conforming::One(1_f32.to_bits().into()));
    // 2^24 + 1 rounds to 2^24, and 2^24 + 2 does not.
    let sums = floats_of("add", 16_777_216.0, &[1.0, 1.0, 2.0]);
    assert!(is_of(&sums, &[16_777_218.0]) && !is_of(&sums, &[16_777_216.0]));
    let sums = floats_of("add", 0.0, &[f32::MAX, f32::MAX, f32::NEG_INFINITY]);
    assert!(is_of(&sums, &[f32::NEG_INFINITY, f32::NAN]) && !is_of(&sums, &[f32::INFINITY]));
    assert_eq!(floats_of("mul", 2.0, &[0.5; 4]), Conforming::One(0.125_f32.to_bits().into()));
    assert_eq!(floats_of("mul", 2.0, &[0.5; 5]), UNORDERED);
    let extreme = floats_of("max", 1.0, &[3.0, f32::NAN, 2.0, 0.0, -1.0]);
    assert!(is_of(&extreme, &[3.0, f32::NAN]) && !is_of(&extreme, &[2.0]));
}

#[test]
fn a_single_update_comes_back_as_it_is_where_nothing_is_reduced() {
    let nan = f32::from_bits(0x7fc0_0001);
    let same = Conforming::Same(Element::Bits(Float32, nan.to_bits().into()));
    assert_eq!(floats_of("none", 1.0, &[nan]), same);
    assert_eq!(reduced("add", &floats(&[1.0, nan]), &floats(&[2.0]))[1], same);
}

#[test]
fn the_reduction_of_what_is_no_number_is_open() {
    let truth = Tensor::from_bits(Bool, vec![1], vec![1].into()).unwrap();
    for reduction in ["add", "mul", "max", "min"] {
        assert_eq!(reduced(reduction, &truth, &truth), [NO_NUMBER], "{reduction}");
    }
}

#[test]
fn operands_and_exact_results_are_told() {
    let call = |reduction: &str, updates: &[f32]| {
        let at = indices(&[updates.len()], &vec![0; updates.len()]);
        let attributes =
            [("reduction".to_owned(), AttributeValue::Text(reduction.to_owned()))].into();
        let inputs = vec![Some(floats(&[1.0, 4.0])), Some(at), Some(floats(updates))];
        let specification = crate::operator::Specification::Onnx;
        Call::new(&SCATTERELEMENTS, SCATTERELEMENTS.newest(), specification, attributes, inputs)
            .unwrap()
    };
    for (reduction, updates, operands) in
        [("none", &[2.0][..], 1), ("add", &[2.0], 2), ("max", &[0.5, 2.0], 3)]
    {
        let (call, types) = call(reduction, updates);
        let allowed = &SCATTERELEMENTS.reference.allowed(&call, &types)[0];
        assert_eq!(allowed.operands(0).len(), operands, "{reduction}");
        assert_eq!(allowed.operands(1).len(), 1, "{reduction}");
        assert!(allowed.real(0, 24).is_some() && allowed.real(1, 24).is_some());
        let bits = allowed.at(0).example().unwrap() as u64;
        assert!(matches!(allowed.deviation(0, bits), Deviation::Ulps(_)), "{reduction}");
    }
}
