//! Sums of products, zero points of channels, and types.

use values::dtype::DType::{Int8, Uint8};
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

fn convolved(inputs: Vec<Option<Tensor>>, pads: &[i64]) -> Result<Vec<i32>, Invalid> {
    let pads = AttributeValue::Ints(pads.to_vec());
    let attributes = Attributes::from([("pads".to_owned(), pads)]);
    let version = CONVINTEGER.newest();
    let (call, types) = Call::new(&CONVINTEGER, version, Specification::Onnx, attributes, inputs)?;
    let allowed = CONVINTEGER.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Ok((0..count).map(|index| allowed[0].at(index).example().unwrap() as i32).collect())
}

fn bytes(shape: &[usize], values: &[u8]) -> Option<Tensor> {
    Tensor::from_values(Uint8, shape.to_vec(), values.to_vec()).ok()
}

fn signed(shape: &[usize], values: &[i8]) -> Option<Tensor> {
    Tensor::from_values(Int8, shape.to_vec(), values.to_vec()).ok()
}

#[test]
fn zero_points_are_taken_off_and_padding_adds_nothing() {
    let (x, w) = (bytes(&[1, 1, 2], &[11, 12]), signed(&[2, 1, 2], &[1, 10, -1, 2]));
    let of = |x_zero, w_zero| convolved(vec![x.clone(), w.clone(), x_zero, w_zero], &[1, 0]);
    assert_eq!(of(None, None), Ok(vec![110, 131, 22, 13]));
    assert_eq!(of(bytes(&[], &[10]), None), Ok(vec![10, 21, 2, 3]));
    assert_eq!(of(bytes(&[1], &[10]), signed(&[2], &[0, 1])), Ok(vec![10, 21, 1, 0]));
    assert!(of(bytes(&[2], &[10, 10]), None).is_err());
    assert!(of(None, signed(&[3], &[0; 3])).is_err());
    assert!(of(None, signed(&[1, 2], &[0; 2])).is_err());
    assert!(of(signed(&[], &[0]), None).is_err());
}
