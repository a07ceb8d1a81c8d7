//! Of Unique.

use values::dtype::DType::{Complex64, Float32, Uint8};

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

type Output = (Vec<usize>, Vec<Option<u128>>);

fn found(data: Tensor, axis: Option<i64>, sorted: i64) -> Option<Vec<Output>> {
    let axis = axis.map(|axis| ("axis".to_owned(), AttributeValue::Int(axis)));
    let sorted = ("sorted".to_owned(), AttributeValue::Int(sorted));
    let attributes = axis.into_iter().chain([sorted]).collect::<Attributes>();
    let (version, inputs) = (UNIQUE.newest(), vec![Some(data)]);
    let made = Call::new(&UNIQUE, version, Specification::Onnx, attributes, inputs);
    let (call, types) = made.ok()?;
    let allowed = UNIQUE.reference.allowed(&call, &types);
    let output = |(allowed, output): (&dyn Allowed, &TensorType)| {
        let one = |index| match allowed.at(index) {
            Conforming::Same(Element::Bits(_, bits)) => Some(bits),
            Conforming::Same(Element::String(text)) => Some(text.len() as u128),
            _ => None,
        };
        (output.shape.clone(), (0..output.shape.iter().product()).map(one).collect())
    };
    Some(allowed.iter().map(AsRef::as_ref).zip(&types).map(output).collect())
}

fn bytes(shape: &[usize], all: &[u8]) -> Tensor {
    Tensor::from_values(Uint8, shape.to_vec(), all.to_vec()).unwrap()
}

fn list(all: &[u128]) -> Output {
    (vec![all.len()], all.iter().copied().map(Some).collect())
}

#[test]
fn elements_are_found_once_sorted_or_in_order() {
    let data = || bytes(&[2, 3], &[2, 1, 1, 3, 4, 3]);
    let in_order = [&[2, 1, 3, 4][..], &[0, 1, 3, 4], &[0, 1, 1, 2, 3, 2], &[1, 2, 2, 1]].map(list);
    assert_eq!(found(data(), None, 0).unwrap(), in_order);
    let sorted = [&[1, 2, 3, 4][..], &[1, 0, 3, 4], &[1, 0, 0, 2, 3, 2], &[2, 1, 2, 1]].map(list);
    assert_eq!(found(data(), None, 1).unwrap(), sorted);
    assert_eq!(
        found(bytes(&[], &[5]), None, 1).unwrap(),
        [&[5], &[0], &[0], &[1]].map(|it| list(it))
    );
    assert_eq!(found(bytes(&[0], &[]), None, 1).unwrap(), [&[][..]; 4].map(list));
}

#[test]
fn slices_are_sorted_by_their_first_differences() {
    let data = bytes(&[2, 4, 2], &[1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1]);
    let all = found(data, Some(-2), 1).unwrap();
    let y = (vec![2, 3, 2], list(&[0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1]).1);
    assert_eq!(all, [y, list(&[1, 0, 2]), list(&[1, 0, 2, 0]), list(&[2, 1, 1])]);
    let all = found(bytes(&[2, 0], &[]), Some(0), 1).unwrap();
    assert_eq!(all, [(vec![1, 0], vec![]), list(&[0]), list(&[0, 0]), list(&[2])]);
    let all = found(bytes(&[2, 0], &[]), Some(1), 1).unwrap();
    assert_eq!(all, [(vec![2, 0], vec![]), list(&[]), list(&[]), list(&[])]);
}

#[test]
fn zeros_are_equal_and_nans_and_orders_that_are_not_stated_are_open() {
    let floats = |all: &[f32]| Tensor::from_values(Float32, vec![all.len()], all.to_vec()).unwrap();
    let all = found(floats(&[1.0, -0.0, 0.0]), None, 1).unwrap();
    let one = Some(1.0_f32.to_bits().into());
    assert_eq!(all[0], (vec![2], vec![None, one]));
    assert_eq!(all[1..], [list(&[1, 0]), list(&[1, 0, 0]), list(&[2, 1])]);
    let all = found(floats(&[1.0, f32::NAN]), None, 1).unwrap();
    assert!(all.iter().all(|(_, all)| all.iter().all(Option::is_none)));
    let texts = |all: &[&'static str]| {
        Tensor::from_strings(vec![all.len()], all.iter().map(|text| (*text).into()).collect())
    };
    let all = found(texts(&["bb", "a", "bb"]).unwrap(), None, 0).unwrap();
    assert_eq!(all, [list(&[2, 1]), list(&[0, 1]), list(&[0, 1, 0]), list(&[2, 1])]);
    let all = found(texts(&["bb", "a"]).unwrap(), None, 1).unwrap();
    assert!(all.iter().all(|(_, all)| all == &[None, None]));
    let parts = [0, 1 << 31, 1 << 31, 0, 0, 1].map(u32::to_le_bytes).concat();
    let complex = Tensor::from_bits(Complex64, vec![3], parts.into()).unwrap();
    assert_eq!(found(complex, None, 0).unwrap()[3], list(&[2, 1]));
}

#[test]
fn axes_beyond_the_rank_other_switches_and_huge_outputs_are_refused() {
    for axis in [2, -3, i64::MIN, i64::MAX] {
        assert_eq!(found(bytes(&[1, 1], &[0]), Some(axis), 1), None);
    }
    assert_eq!(found(bytes(&[1], &[0]), None, 2), None);
    assert_eq!(found(bytes(&[], &[0]), Some(0), 1), None);
    assert_eq!(found(bytes(&[usize::MAX >> 8, 0], &[]), Some(0), 1), None);
}
