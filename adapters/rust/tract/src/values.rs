//! Values to and from tract's tensors.

use adapter::unsupported;
use bytes::Bytes;
use onnx_conformance::backend::{Refusal, RefusalKind, Stage};
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::{Port, ValueType};
use onnx_conformance::tensor::{self, TensorError, Value};
use tract_onnx::prelude::{DatumType, Tensor, tract_ndarray};

/// tract's name of an element type.
const fn datum_type(dtype: DType) -> Option<DatumType> {
    Some(match dtype {
        DType::Bool => DatumType::Bool,
        DType::Int8 => DatumType::I8,
        DType::Int16 => DatumType::I16,
        DType::Int32 => DatumType::I32,
        DType::Int64 => DatumType::I64,
        DType::Uint8 => DatumType::U8,
        DType::Uint16 => DatumType::U16,
        DType::Uint32 => DatumType::U32,
        DType::Uint64 => DatumType::U64,
        DType::Float16 => DatumType::F16,
        DType::Float32 => DatumType::F32,
        DType::Float64 => DatumType::F64,
        DType::String => DatumType::String,
        _ => return None,
    })
}

/// Refuses a port whose values tract does not have.
pub(crate) fn check_type(port: &Port) -> Result<(), Refusal> {
    let problem = match port.value_type {
        ValueType::Tensor(Some(dtype)) if datum_type(dtype).is_some() => return Ok(()),
        ValueType::Tensor(Some(dtype)) => format!("tract has no {dtype}"),
        ValueType::Tensor(None) => "the element type is not stated".to_owned(),
        _ => "tract has no values but tensors".to_owned(),
    };
    Err(unsupported(Stage::Load, format!("port `{}`: {problem}", port.name)))
}

/// The tensor of a value.
pub(crate) fn to_tract(value: &Value) -> Result<Tensor, Refusal> {
    let Value::Tensor(tensor) = value else {
        let message = format!("tract has no {} values", value.kind());
        return Err(unsupported(Stage::Run, message));
    };
    if let Some(strings) = tensor.strings() {
        let strings = strings.iter().map(|string| String::from_utf8(string.to_vec()));
        let strings = strings.collect::<Result<Vec<_>, _>>();
        let strings =
            strings.map_err(|error| unsupported(Stage::Run, format!("a string: {error}")))?;
        return tract_ndarray::ArrayD::from_shape_vec(tensor.shape(), strings)
            .map(Into::into)
            .map_err(|error| failed(&error));
    }
    let (Some(datum_type), Some(bits)) = (datum_type(tensor.dtype()), tensor.bits()) else {
        return Err(unsupported(Stage::Run, format!("tract has no {}", tensor.dtype())));
    };
    let mut made = Tensor::zero_dt(datum_type, tensor.shape()).map_err(|error| failed(&error))?;
    made.as_bytes_mut().copy_from_slice(bits);
    Ok(made)
}

/// The value for a port that tract computed this tensor for.
pub(crate) fn from_tract(tensor: &Tensor, port: &Port) -> Result<Value, Refusal> {
    let shape = tensor.shape().to_vec();
    let value = match tensor.datum_type().unquantized() {
        DatumType::String => {
            let strings = tensor.to_plain_array_view::<String>().map_err(|error| failed(&error))?;
            let strings = strings.iter().map(|string| Bytes::from(string.clone())).collect();
            tensor::Tensor::from_strings(shape, strings)
        }
        // Dimensions that are int64 in ONNX.
        DatumType::TDim => {
            let values = tensor.cast_to::<i64>().map_err(|error| failed(&error))?;
            bits(DType::Int64, shape, &values)
        }
        found => match DType::ALL.into_iter().find(|&dtype| datum_type(dtype) == Some(found)) {
            Some(dtype) => bits(dtype, shape, tensor),
            None => {
                let message = format!("tract returned {found:?} for `{}`", port.name);
                return Err(failed(&message));
            }
        },
    };
    value.map(Value::Tensor).map_err(|error| failed(&error))
}

fn bits(dtype: DType, shape: Vec<usize>, tensor: &Tensor) -> Result<tensor::Tensor, TensorError> {
    tensor::Tensor::from_bits(dtype, shape, Bytes::copy_from_slice(tensor.as_bytes()))
}

fn failed(problem: &dyn ToString) -> Refusal {
    Refusal { stage: Stage::Run, kind: RefusalKind::Error, message: problem.to_string() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn port() -> Port {
        Port { name: "y".to_owned(), value_type: ValueType::Tensor(None) }
    }

    #[test]
    fn values_of_every_type_that_tract_has_come_back() {
        let types = DType::ALL.into_iter().filter(|&dtype| datum_type(dtype).is_some());
        for dtype in types.filter(|&dtype| dtype != DType::String) {
            for shape in [vec![2, 3], vec![], vec![0, 4]] {
                let len = dtype.packed_len(shape.iter().product()).unwrap();
                let bits = Bytes::from((0..len).map(|k| k as u8 & 1).collect::<Vec<_>>());
                let value = Value::Tensor(tensor::Tensor::from_bits(dtype, shape, bits).unwrap());
                assert_eq!(from_tract(&to_tract(&value).unwrap(), &port()), Ok(value));
            }
        }
    }

    #[test]
    fn strings_come_back_where_they_are_utf_8() {
        let string = |bytes: &'static [u8]| {
            let strings = vec![Bytes::from_static(bytes), Bytes::new()];
            Value::Tensor(tensor::Tensor::from_strings(vec![2], strings).unwrap())
        };
        let value = string("µ".as_bytes());
        assert_eq!(from_tract(&to_tract(&value).unwrap(), &port()), Ok(value));
        let refusal = to_tract(&string(b"\xff")).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Unsupported);
    }

    #[test]
    fn dimensions_are_int64() {
        let dims = Tensor::from(tract_ndarray::arr1(&[4_i64, -1]));
        let dims = dims.cast_to_dt(DatumType::TDim).unwrap().into_owned();
        let value = tensor::Tensor::from_values(DType::Int64, vec![2], vec![4_i64, -1]).unwrap();
        assert_eq!(from_tract(&dims, &port()), Ok(Value::Tensor(value)));
    }
}
