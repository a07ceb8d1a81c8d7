//! Constant by every kind of value, and by those that are none.

use crate::tests::{ones, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{self, Float32, Int64, Uint4, Uint8};
use values::onnx::Sparse;
use values::tensor::Tensor;

/// A sparse tensor of these bytes.
fn sparse(values: &[u8], at: Option<Tensor>, dims: &[i64]) -> Attribute {
    let values = tensor(Uint8, &[values.len()], values);
    Attribute::Sparse(Sparse { values, indices: at, dims: dims.to_vec() })
}

fn made(since: i64, given: &[(&str, Attribute)]) -> Result<Tensor, KernelError> {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let outputs = find("Constant", since).unwrap().run(&[], &Attributes::from_iter(given));
    outputs.map(|mut outputs| outputs.remove(0))
}

#[test]
fn single_values_are_scalars_and_lists_may_be_empty() {
    let given = |name, value| made(25, &[(name, value)]).unwrap();
    assert_eq!(given("value_int", Attribute::Int(-7)), tensor(Int64, &[], &[-7_i64]));
    assert_eq!(given("value_ints", Attribute::Ints(vec![])), tensor::<i64>(Int64, &[0], &[]));
    let nan = f32::from_bits(0xff81_2345);
    let made = given("value_floats", Attribute::Floats(vec![nan, -0.0]));
    assert_eq!(made, tensor(Float32, &[2], &[0xff81_2345_u32, 1 << 31]));
    let text = Attribute::Texts(vec!["a".to_owned(), String::new()]);
    let texts = Tensor::from_strings(vec![2], vec!["a".into(), "".into()]).unwrap();
    assert_eq!(given("value_strings", text), texts);
}

#[test]
fn a_call_gives_exactly_one_value() {
    let int = ("value_int", Attribute::Int(1));
    let value = ("value", Attribute::Tensor(ones(Float32, &[])));
    for given in [&[][..], &[int, value]] {
        assert_eq!(made(25, given).unwrap_err().kind(), ErrorKind::Invalid, "{given:?}");
    }
}

#[test]
fn stored_elements_lie_in_their_places() {
    let expected = tensor(Uint8, &[2, 3], &[0_u8, 5, 0, 6, 7, 0]);
    for at in [tensor(Int64, &[3], &[1_i64, 3, 4]), tensor(Int64, &[3, 2], &[0_i64, 1, 1, 0, 1, 1])]
    {
        let value = sparse(&[5, 6, 7], Some(at), &[2, 3]);
        assert_eq!(made(11, &[("sparse_value", value)]).unwrap(), expected);
    }
    let nothing = sparse(&[], None, &[2]);
    assert_eq!(made(11, &[("sparse_value", nothing)]).unwrap(), tensor(Uint8, &[2], &[0_u8; 2]));
    let values = Tensor::from_bits(Uint4, vec![2], vec![0x21].into()).unwrap();
    let indices = Some(tensor(Int64, &[2], &[1_i64, 3]));
    let packed = Attribute::Sparse(Sparse { values, indices, dims: vec![4] });
    let expected = Tensor::from_bits(Uint4, vec![4], vec![0x10, 0x20].into()).unwrap();
    assert_eq!(made(21, &[("sparse_value", packed)]).unwrap(), expected);
}

#[test]
fn sparse_tensors_whose_parts_do_not_go_together_are_refused() {
    let places = |shape: &[usize], at: &[i64]| Some(tensor(Int64, shape, at));
    let kind = |value| made(25, &[("sparse_value", value)]).unwrap_err().kind();
    for at in [
        places(&[2], &[1, 1]),
        places(&[2], &[3, 2]),
        places(&[2], &[0, 6]),
        places(&[2], &[-1, 0]),
        places(&[1], &[0]),
        places(&[2, 2], &[0, 0, 0, 3]),
        places(&[2, 3], &[0; 6]),
        Some(ones(DType::Int32, &[2])),
        None,
    ] {
        assert_eq!(kind(sparse(&[1, 2], at.clone(), &[2, 3])), ErrorKind::Invalid, "{at:?}");
    }
    for dims in [&[][..], &[0], &[-1], &[1 << 62, 1 << 62], &[1; 65]] {
        assert_eq!(kind(sparse(&[], None, dims)), ErrorKind::Invalid, "{dims:?}");
    }
    assert_eq!(kind(sparse(&[], None, &[1 << 62])), ErrorKind::Unsupported);
}
