//! Tests: what each kind of value stands for, and which are none.

use super::*;
use crate::exact::Conforming;
use crate::operator::{Attributes, Specification};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float8E8M0, Int4, Int8, Int32, String as Text, Uint8,
};
use values::onnx::Sparse;
use values::tensor::Tensor;

type Made = Result<(TensorType, Vec<Conforming>), Invalid>;

fn made(since: i64, specification: Specification, given: &[(&str, AttributeValue)]) -> Made {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let version = CONSTANT.version(since).unwrap();
    let (call, types) =
        Call::new(&CONSTANT, version, specification, Attributes::from_iter(given), Vec::new())?;
    let allowed = CONSTANT.reference.allowed(&call, &types).remove(0);
    let count = types[0].shape.iter().product::<usize>().min(99);
    Ok((types[0].clone(), (0..count).map(|at| allowed.at(at)).collect()))
}

fn onnx(since: i64, name: &str, value: AttributeValue) -> Made {
    made(since, Specification::Onnx, &[(name, value)])
}

/// The result of these elements.
fn gives(dtype: DType, shape: &[usize], elements: Vec<Element>) -> Made {
    let elements = elements.into_iter().map(Conforming::Same).collect();
    Ok((TensorType { dtype, shape: shape.to_vec() }, elements))
}

fn bits(dtype: DType, bits: &[u64]) -> Vec<Element> {
    bits.iter().map(|&bits| Element::Bits(dtype, bits.into())).collect()
}

fn ints(shape: &[usize], values: &[i64]) -> Tensor {
    Tensor::from_values(Int64, shape.to_vec(), values.to_vec()).unwrap()
}

fn bytes(dtype: DType, bytes: &[u8]) -> Tensor {
    Tensor::from_bits(dtype, vec![bytes.len()], bytes.to_vec().into()).unwrap()
}

/// The result of three bytes at these places of a matrix of two rows and three columns.
fn sparse(shape: &[usize], places: &[i64]) -> Made {
    let indices = Some(ints(shape, places));
    let sparse = Sparse { values: bytes(Uint8, &[7, 8, 9]), indices, dims: vec![2, 3] };
    onnx(11, "sparse_value", AttributeValue::Sparse(sparse))
}

#[test]
fn numbers_and_texts_are_scalars_and_lists_of_them_have_one_dimension() {
    let value = AttributeValue::Int(-2);
    assert_eq!(onnx(12, "value_int", value), gives(Int64, &[], bits(Int64, &[u64::MAX - 1])));
    let value = AttributeValue::Ints(vec![3, i64::MIN]);
    assert_eq!(onnx(25, "value_ints", value), gives(Int64, &[2], bits(Int64, &[3, 1 << 63])));
    let nan = AttributeValue::Float(0xffa1_2345);
    assert_eq!(onnx(12, "value_float", nan), gives(Float32, &[], bits(Float32, &[0xffa1_2345])));
    let none = AttributeValue::Floats(Vec::new());
    assert_eq!(onnx(12, "value_floats", none), gives(Float32, &[0], Vec::new()));
    let text = |text: &'static str| Element::String(text.into());
    let value = AttributeValue::Text("\u{e9}".to_owned());
    assert_eq!(onnx(12, "value_string", value), gives(Text, &[], vec![text("\u{e9}")]));
    let value = AttributeValue::Texts(vec![String::new(), "b".to_owned()]);
    assert_eq!(onnx(12, "value_strings", value), gives(Text, &[2], vec![text(""), text("b")]));
}

#[test]
fn a_tensor_is_given_as_it_is_where_the_version_has_its_type() {
    let value = |dtype| AttributeValue::Tensor(bytes(dtype, &[1, 0]));
    assert_eq!(onnx(9, "value", value(Int8)), gives(Int8, &[2], bits(Int8, &[1, 0])));
    for (dtype, since) in [(Int8, 9), (Bool, 9), (Float8E8M0, 24)] {
        let is_given = |since: i64| onnx(since, "value", value(dtype)).is_ok();
        assert!(is_given(since) && !is_given(since - 1), "{dtype}");
    }
    let half = Tensor::from_bits(Bfloat16, vec![], vec![0, 1].into()).unwrap();
    assert!(onnx(12, "value", AttributeValue::Tensor(half.clone())).is_err());
    assert!(onnx(13, "value", AttributeValue::Tensor(half)).is_ok());
}

#[test]
fn exactly_one_value_is_given() {
    let (int, float) = (AttributeValue::Int(1), AttributeValue::Float(1));
    let both = [("value_int", int), ("value_float", float)];
    assert!(made(25, Specification::Onnx, &both).is_err());
    assert!(made(25, Specification::Onnx, &both[1..]).is_ok());
    assert!([1, 9, 11, 25].iter().all(|&since| made(since, Specification::Onnx, &[]).is_err()));
    assert!(onnx(11, "value_int", AttributeValue::Int(1)).is_err());
    assert!(onnx(25, "value_int", AttributeValue::Float(1)).is_err());
    assert!(onnx(25, "value_string", AttributeValue::Other).is_err());
}

#[test]
fn a_sparse_tensor_is_zero_where_nothing_is_stored() {
    let expected = gives(Uint8, &[2, 3], bits(Uint8, &[7, 0, 0, 8, 9, 0]));
    assert_eq!(sparse(&[3], &[0, 3, 4]), expected);
    assert_eq!(sparse(&[3, 2], &[0, 0, 1, 0, 1, 1]), expected);
    let one = |values: Tensor| {
        let sparse = Sparse { values, indices: Some(ints(&[1], &[1])), dims: vec![2] };
        onnx(24, "sparse_value", AttributeValue::Sparse(sparse)).unwrap().1.remove(0)
    };
    let text = Tensor::from_strings(vec![1], vec!["a".into()]).unwrap();
    assert_eq!(one(text), Conforming::Same(Element::String("".into())));
    assert!(matches!(one(bytes(Float8E8M0, &[3])), Conforming::Unspecified(_)));
    assert_eq!(one(bytes(Int4, &[3])), Conforming::Same(Element::Bits(Int4, 0)));
}

#[test]
fn places_that_no_element_has_are_refused() {
    for (shape, places) in [
        (&[3][..], &[0, 4, 3][..]),
        (&[3], &[0, 4, 4]),
        (&[3], &[0, 4, 6]),
        (&[3], &[-1, 4, 5]),
        (&[2], &[0, 1]),
        (&[], &[0]),
        (&[3, 1], &[0, 1, 2]),
        (&[3, 2], &[0, 0, 1, 0, 1, 3]),
        (&[3, 2], &[0, 0, 1, 0, 0, 1]),
        (&[1, 3], &[0, 1, 2]),
    ] {
        assert!(sparse(shape, places).is_err(), "{shape:?} {places:?}");
    }
}

#[test]
fn sparse_tensors_that_stand_for_none_are_refused_without_more_memory() {
    let given = |values: Tensor, indices: Option<Tensor>, dims: &[i64]| {
        let sparse = Sparse { values, indices, dims: dims.to_vec() };
        onnx(25, "sparse_value", AttributeValue::Sparse(sparse)).map(|(output, _)| output.shape)
    };
    let none = || bytes(Int8, &[]);
    assert_eq!(given(none(), None, &[2]), Ok(vec![2]));
    assert_eq!(given(none(), Some(ints(&[0], &[])), &[1 << 31]), Ok(vec![1 << 31]));
    assert!(given(bytes(Int8, &[1]), None, &[2]).is_err());
    for dims in [&[][..], &[0], &[-1], &[i64::MIN, 2], &[1 << 62, 1 << 62], &[(1 << 31) + 1]] {
        assert!(given(none(), None, dims).is_err(), "{dims:?}");
    }
    assert!(given(none(), None, &[1; 65]).is_err());
    let narrow = Tensor::from_values(Int32, vec![1], vec![0_i32]).ok();
    assert!(given(bytes(Int8, &[1]), narrow, &[2]).is_err());
    let matrix = Tensor::from_bits(Int8, vec![1, 1], vec![1].into()).unwrap();
    assert!(given(matrix, Some(ints(&[1], &[0])), &[2]).is_err());
}

#[test]
fn sonnx_names_one_attribute_and_eleven_types() {
    let sonnx = |name, value| made(25, Specification::Sonnx, &[(name, value)]).is_ok();
    let is_given = |dtype: &DType| {
        let bytes = vec![0; dtype.packed_len(1).unwrap_or_default()];
        let value = Tensor::from_bits(*dtype, vec![1], bytes.into());
        value.is_ok_and(|value| sonnx("value", AttributeValue::Tensor(value)))
    };
    let given: Vec<DType> = DType::ALL.into_iter().filter(is_given).collect();
    assert!(given.len() == 11 && given.iter().all(|dtype| NUMERIC_SONNX.contains(dtype)));
    assert!(!sonnx("value_int", AttributeValue::Int(1)));
    let sparse = Sparse { values: bytes(Uint8, &[]), indices: None, dims: vec![2] };
    assert!(!sonnx("sparse_value", AttributeValue::Sparse(sparse)));
}
