//! From values to protobuf messages: tensors in `raw_data`, strings in `string_data`.

use bytes::Bytes;
use prost::Message;

use super::proto::sequence_proto::DataType;
use super::proto::{OptionalProto, SequenceProto, TensorProto};
use crate::tensor::{Tensor, Value};

/// The file that holds a value under a name: a `TensorProto`, `SequenceProto` or `OptionalProto`.
/// Decoding it gives the same value.
pub fn encode_value(name: &str, value: &Value) -> Bytes {
    match value {
        Value::Tensor(value) => encode_tensor(name, value).encode_to_vec(),
        Value::Sequence(values) => sequence(name, values).encode_to_vec(),
        Value::Optional(value) => optional(name, value.as_deref()).encode_to_vec(),
    }
    .into()
}

/// The message of a tensor under a name.
pub fn encode_tensor(name: &str, tensor: &Tensor) -> TensorProto {
    TensorProto {
        name: Some(name.to_owned()),
        data_type: Some(tensor.dtype().onnx_code()),
        // A dimension is at most `isize::MAX` where the tensor holds anything, and came from an
        // `i64` where it does not.
        dims: tensor.shape().iter().map(|&dim| i64::try_from(dim).unwrap_or(i64::MAX)).collect(),
        raw_data: tensor.bits().cloned(),
        string_data: tensor.strings().map_or_else(Vec::new, <[Bytes]>::to_vec),
        ..TensorProto::default()
    }
}

fn sequence(name: &str, values: &[Value]) -> SequenceProto {
    let mut proto = SequenceProto { name: Some(name.to_owned()), ..SequenceProto::default() };
    // Of an empty sequence the kind is not known here; readers refuse one that is undefined.
    proto.elem_type = Some(values.last().map_or(DataType::Tensor, kind) as i32);
    for value in values {
        match value {
            Value::Tensor(value) => proto.tensor_values.push(encode_tensor("", value)),
            Value::Sequence(values) => proto.sequence_values.push(sequence("", values)),
            Value::Optional(value) => proto.optional_values.push(optional("", value.as_deref())),
        }
    }
    proto
}

fn optional(name: &str, value: Option<&Value>) -> OptionalProto {
    let mut held = sequence(name, value.map_or(&[], std::slice::from_ref));
    OptionalProto {
        name: held.name,
        elem_type: Some(value.map_or(DataType::Undefined, kind) as i32),
        tensor_value: held.tensor_values.pop(),
        sequence_value: held.sequence_values.pop(),
        optional_value: held.optional_values.pop().map(Box::new),
        ..OptionalProto::default()
    }
}

/// The kind of a value, whose number is the same in both messages that state it.
const fn kind(value: &Value) -> DataType {
    match value {
        Value::Tensor(_) => DataType::Tensor,
        Value::Sequence(_) => DataType::Sequence,
        Value::Optional(_) => DataType::Optional,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::onnx::{ValueType, decode_value};
    use proptest::prelude::*;

    fn any_tensor() -> impl Strategy<Value = Value> {
        let shape = prop::collection::vec(0_usize..4, 0..4);
        (prop::sample::select(DType::ALL.to_vec()), shape, any::<u64>()).prop_map(
            |(dtype, shape, seed)| {
                let count = shape.iter().product();
                let byte = |i: usize| (seed.rotate_left(i as u32 * 7) & 0xff) as u8;
                let tensor = match dtype.packed_len(count) {
                    None => Tensor::from_strings(
                        shape,
                        (0..count).map(|i| Bytes::from(vec![byte(i); i % 3])).collect(),
                    ),
                    Some(len) => {
                        let mask = if dtype == DType::Bool { 1 } else { 0xff };
                        let bits = (0..len).map(|i| byte(i) & mask).collect::<Vec<_>>();
                        Tensor::from_bits(dtype, shape, bits.into())
                    }
                };
                Value::Tensor(tensor.unwrap())
            },
        )
    }

    fn any_value() -> impl Strategy<Value = (Value, ValueType)> {
        let leaf = any_tensor().prop_map(|value| (value, ValueType::Tensor(None)));
        leaf.prop_recursive(3, 16, 3, |inner| {
            prop_oneof![
                (inner.clone(), 0_usize..3).prop_map(|((value, value_type), count)| {
                    (Value::Sequence(vec![value; count]), ValueType::Sequence(Box::new(value_type)))
                }),
                (inner, any::<bool>()).prop_map(|((value, value_type), present)| {
                    let value = present.then(|| Box::new(value));
                    (Value::Optional(value), ValueType::Optional(Box::new(value_type)))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn decoding_the_encoding_gives_the_same_value((value, value_type) in any_value()) {
            let file = encode_value("x", &value);
            prop_assert_eq!(decode_value("x", file, &value_type).unwrap(), value);
        }

        #[test]
        fn decoding_any_bytes_gives_a_value_or_an_error(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            (_, value_type) in any_value(),
        ) {
            let _ = decode_value("x", bytes.into(), &value_type);
        }
    }
}
