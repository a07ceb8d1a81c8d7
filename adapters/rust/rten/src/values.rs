//! Values to and from rten's, which has four element types and holds three more in them.

use adapter::unsupported;
use bytemuck::Pod;
use onnx_conformance::backend::{Refusal, RefusalKind, Stage};
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::{Port, ValueType};
use onnx_conformance::tensor::{Tensor, TensorError, Value};
use rten::{DataType, Sequence, ValueView};
use rten_tensor::TensorView;
use rten_tensor::prelude::*;

/// The type that rten holds elements of this type in.
const fn held(dtype: DType) -> Option<DataType> {
    match dtype {
        DType::Float32 | DType::Float64 => Some(DataType::Float),
        DType::Int32 | DType::Int64 | DType::Bool => Some(DataType::Int32),
        DType::Int8 => Some(DataType::Int8),
        DType::Uint8 => Some(DataType::UInt8),
        _ => None,
    }
}

/// The element type of a port, which is a tensor or a sequence of tensors.
pub(crate) fn element_type(port: &Port) -> Result<DType, Refusal> {
    let tensor = match &port.value_type {
        ValueType::Sequence(element) => element,
        value_type => value_type,
    };
    let problem = match tensor {
        ValueType::Tensor(Some(dtype)) if held(*dtype).is_some() => return Ok(*dtype),
        ValueType::Tensor(Some(dtype)) => format!("rten has no {dtype}"),
        ValueType::Tensor(None) => "the element type is not stated".to_owned(),
        _ => "rten has no values but tensors and sequences of tensors".to_owned(),
    };
    Err(unsupported(Stage::Load, format!("port `{}`: {problem}", port.name)))
}

/// The value for a port of this element type.
pub(crate) fn to_rten(value: &Value, dtype: DType) -> Result<rten::Value, Refusal> {
    let values = match (value, held(dtype)) {
        (Value::Tensor(tensor), _) => return tensor_to_rten(tensor),
        (Value::Sequence(values), Some(held)) => {
            values.iter().zip(0..).try_fold(Sequence::new(held), |mut sequence, (value, at)| {
                match sequence.insert(at, to_rten(value, dtype)?) {
                    Ok(()) => Ok(sequence),
                    Err(error) => Err(failed(&format!("{error:?}"))),
                }
            })
        }
        _ => Err(unsupported(Stage::Run, "rten has no optional values".to_owned())),
    };
    values.map(rten::Value::Sequence)
}

fn tensor_to_rten(tensor: &Tensor) -> Result<rten::Value, Refusal> {
    let shape = tensor.shape();
    let value = match tensor.dtype() {
        DType::Float32 => rten::Value::from_shape(shape, elements::<f32>(tensor)).ok(),
        DType::Float64 => rten::Value::from_shape(shape, narrowed(&elements(tensor))).ok(),
        DType::Int32 => rten::Value::from_shape(shape, elements::<i32>(tensor)).ok(),
        DType::Int64 => rten::Value::from_shape(shape, in_range(&elements(tensor))?).ok(),
        DType::Bool => {
            let values = elements::<u8>(tensor).into_iter().map(i32::from).collect();
            rten::Value::from_shape(shape, values).ok()
        }
        DType::Int8 => rten::Value::from_shape(shape, elements::<i8>(tensor)).ok(),
        DType::Uint8 => rten::Value::from_shape(shape, elements::<u8>(tensor)).ok(),
        dtype => return Err(unsupported(Stage::Run, format!("rten has no {dtype}"))),
    };
    value.ok_or_else(|| failed(&format!("failed to make a tensor of shape {shape:?}")))
}

/// The elements of a tensor of numbers.
fn elements<T: Pod>(tensor: &Tensor) -> Vec<T> {
    tensor.bits().map_or_else(Vec::new, |bits| bytemuck::pod_collect_to_vec(bits))
}

/// As rten narrows the constants of a model.
fn narrowed(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&value| value as f32).collect()
}

/// Elements of which rten documents that it assumes them in this range.
fn in_range(values: &[i64]) -> Result<Vec<i32>, Refusal> {
    let narrow = |&value: &i64| {
        let message = format!("{value} is beyond int32, in which rten holds int64");
        i32::try_from(value).map_err(|_| unsupported(Stage::Run, message))
    };
    values.iter().map(narrow).collect()
}

/// The value that a port of this element type has; of rten's own type where that is another one.
pub(crate) fn from_rten(value: &ValueView<'_>, dtype: DType) -> Result<Value, Refusal> {
    let tensor = match (value, dtype) {
        (ValueView::Sequence(sequence), _) => {
            let values = (0..sequence.len()).filter_map(|at| sequence.at(at));
            let values = values.map(|value| from_rten(&value, dtype)).collect::<Result<_, _>>()?;
            return Ok(Value::Sequence(values));
        }
        (ValueView::FloatTensor(view), DType::Float64) => made(dtype, view, f64::from),
        (ValueView::FloatTensor(view), _) => made(DType::Float32, view, |value| value),
        (ValueView::Int32Tensor(view), DType::Int64) => made(dtype, view, i64::from),
        (ValueView::Int32Tensor(view), DType::Bool) => {
            // What is neither 0 nor 1 remains so.
            made(dtype, view, |value| u8::try_from(value).unwrap_or(u8::MAX))
        }
        (ValueView::Int32Tensor(view), _) => made(DType::Int32, view, |value| value),
        (ValueView::Int8Tensor(view), _) => made(DType::Int8, view, |value| value),
        (ValueView::UInt8Tensor(view), _) => made(DType::Uint8, view, |value| value),
        _ => return Err(failed(&"rten returned a value of an unknown kind")),
    };
    tensor.map(Value::Tensor).map_err(|error| failed(&error))
}

fn made<T: Copy, U: Pod + Send + Sync>(
    dtype: DType,
    view: &TensorView<'_, T>,
    convert: impl Fn(T) -> U,
) -> Result<Tensor, TensorError> {
    let values = view.iter().map(|&value| convert(value)).collect();
    Tensor::from_values(dtype, view.shape().to_vec(), values)
}

fn failed(problem: &dyn ToString) -> Refusal {
    Refusal { stage: Stage::Run, kind: RefusalKind::Error, message: problem.to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn tensor<T: Pod + Send + Sync>(dtype: DType, values: Vec<T>) -> Value {
        Value::Tensor(Tensor::from_values(dtype, vec![values.len()], values).unwrap())
    }

    #[test]
    fn values_of_every_type_that_rten_holds_come_back() {
        for value in [
            tensor(DType::Float32, vec![0.1_f32, f32::NAN]),
            tensor(DType::Float64, vec![0.5_f64, f64::INFINITY]),
            tensor(DType::Int32, vec![i32::MIN, 7]),
            tensor(DType::Int64, vec![i64::from(i32::MIN), -1]),
            tensor(DType::Bool, vec![0_u8, 1]),
            tensor(DType::Int8, vec![-128_i8, 5]),
            tensor(DType::Uint8, vec![255_u8]),
        ] {
            let dtype = value.tensors()[0].dtype();
            for value in [Value::Sequence(vec![value.clone(), value.clone()]), value] {
                let held = to_rten(&value, dtype).unwrap();
                assert_eq!(from_rten(&held.as_view(), dtype), Ok(value));
            }
        }
    }

    #[test]
    fn an_integer_that_rten_cannot_hold_is_unsupported() {
        let beyond = tensor(DType::Int64, vec![0, i64::from(i32::MAX) + 1]);
        let refusal = to_rten(&beyond, DType::Int64).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Unsupported);
    }

    #[test]
    fn a_bool_that_is_neither_is_an_error() {
        let two = to_rten(&tensor(DType::Int32, vec![2_i32]), DType::Int32).unwrap();
        let refusal = from_rten(&two.as_view(), DType::Bool).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Error);
    }

    #[test]
    fn what_rten_returns_keeps_its_type_where_the_port_has_another() {
        let value = tensor(DType::Int32, vec![3_i32]);
        let held = to_rten(&value, DType::Int32).unwrap();
        assert_eq!(from_rten(&held.as_view(), DType::Float32), Ok(value));
    }
}
