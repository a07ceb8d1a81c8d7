//! From protobuf messages to values. Everything malformed is an error that names the file.

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::port::ValueType;
use super::proto::sequence_proto::DataType;
use super::proto::tensor_proto::DataLocation;
use super::proto::{OptionalProto, SequenceProto, TensorProto};
use super::{cost, fields};
use crate::dtype::{DType, Kind};
use crate::limits::{Budget, TooMuch};
use crate::tensor::{Tensor, TensorError, Value};

const SEQUENCE: &str = "SequenceProto";
const OPTIONAL: &str = "OptionalProto";

/// A file does not hold what it should.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("failed to decode {file}: {problem}")]
pub struct DecodeError {
    /// The file, as the caller names it.
    pub file: String,
    /// What is wrong in it.
    pub problem: Problem,
}

/// What is wrong in a file or message.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum Problem {
    #[error("not a {message} in protobuf ({source}); is the file truncated?")]
    Protobuf { message: &'static str, source: prost::DecodeError },
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    #[error("unknown element type {0}; is the file from a newer release of ONNX?")]
    UnknownType(i32),
    #[error("dimension {0} is negative or too large")]
    Dimension(i64),
    #[error("the tensor's data lies in another file, which is not supported; embed it")]
    ExternalData,
    #[error("the tensor is one segment of a larger one, which is not supported")]
    Segment,
    #[error("{dtype} data lies in the field `{field}`, which does not hold that type")]
    WrongField { dtype: DType, field: &'static str },
    #[error("the data lies in two fields, `{0}` and `{1}`")]
    TwoFields(&'static str, &'static str),
    #[error("{value} is no {dtype} element")]
    OutOfRange { dtype: DType, value: i128 },
    #[error(transparent)]
    Tensor(#[from] TensorError),
    #[error("the {message}'s element kind is {found}, but it should be {wanted}")]
    ElementKind { message: &'static str, found: i32, wanted: &'static str },
    #[error("the {message} holds values of kinds other than its own")]
    ForeignValues { message: &'static str },
    #[error("values of type {0} are not supported")]
    UnsupportedType(&'static str),
    #[error("the sparse tensor has no values")]
    NoValues,
    #[error("the model has no graph")]
    NoGraph,
    #[error("the graph's {port} `{name}` has no type")]
    NoType { port: &'static str, name: String },
}

impl Problem {
    /// The error of this problem in a file.
    pub fn in_file(self, file: &str) -> DecodeError {
        DecodeError { file: file.to_owned(), problem: self }
    }
}

/// The value of the given type that a file's bytes hold.
pub fn decode_value(
    file: &str,
    bytes: Bytes,
    value_type: &ValueType,
) -> Result<Value, DecodeError> {
    decode_value_within(file, bytes, value_type, &mut Budget::default())
}

/// As [`decode_value`], of a file that is a part of an input.
pub fn decode_value_within(
    file: &str,
    bytes: Bytes,
    value_type: &ValueType,
    budget: &mut Budget,
) -> Result<Value, DecodeError> {
    let value = match value_type {
        ValueType::Tensor(_) => {
            message("TensorProto", bytes, &fields::TENSOR_PROTO, budget).and_then(tensor)
        }
        ValueType::Sequence(element) => message(SEQUENCE, bytes, &fields::SEQUENCE_PROTO, budget)
            .and_then(|proto| sequence(proto, element)),
        ValueType::Optional(element) => message(OPTIONAL, bytes, &fields::OPTIONAL_PROTO, budget)
            .and_then(|proto| optional(proto, element)),
        ValueType::Unsupported(name) => Err(Problem::UnsupportedType(name)),
    };
    value.map_err(|problem| problem.in_file(file))
}

/// The message of this name that these bytes hold, within a budget.
pub(super) fn message<M: Message + Default>(
    name: &'static str,
    bytes: Bytes,
    table: &cost::Message,
    budget: &mut Budget,
) -> Result<M, Problem> {
    budget.admit(bytes.len());
    cost::charge(&bytes, table, budget)?;
    M::decode(bytes).map_err(|source| Problem::Protobuf { message: name, source })
}

fn tensor(proto: TensorProto) -> Result<Value, Problem> {
    decode_tensor(proto).map(Value::Tensor)
}

fn sequence(proto: SequenceProto, element: &ValueType) -> Result<Value, Problem> {
    // Whoever writes an empty sequence may not know better.
    let kinds_of_none = [DataType::Undefined, DataType::Tensor];
    held(SEQUENCE, &kinds_of_none, proto, element).map(Value::Sequence)
}

fn optional(proto: OptionalProto, element: &ValueType) -> Result<Value, Problem> {
    let values = SequenceProto {
        name: proto.name,
        elem_type: proto.elem_type,
        tensor_values: proto.tensor_value.into_iter().collect(),
        sparse_tensor_values: proto.sparse_tensor_value.into_iter().collect(),
        sequence_values: proto.sequence_value.into_iter().collect(),
        map_values: proto.map_value.into_iter().collect(),
        optional_values: proto.optional_value.into_iter().map(|inner| *inner).collect(),
    };
    let value = held(OPTIONAL, &[DataType::Undefined], values, element)?.pop();
    Ok(Value::Optional(value.map(Box::new)))
}

/// The values of a message, where they and the kind that it states, by the number that both messages have for
/// it, are what they should be. Where it holds none it may state these kinds besides.
fn held(
    message: &'static str,
    kinds_of_none: &[DataType],
    proto: SequenceProto,
    element: &ValueType,
) -> Result<Vec<Value>, Problem> {
    let (tensors, sequences) = (proto.tensor_values, proto.sequence_values);
    let optionals = proto.optional_values;
    let (wanted, name, own) = match element {
        ValueType::Tensor(_) => (DataType::Tensor, "TENSOR", tensors.len()),
        ValueType::Sequence(_) => (DataType::Sequence, "SEQUENCE", sequences.len()),
        ValueType::Optional(_) => (DataType::Optional, "OPTIONAL", optionals.len()),
        ValueType::Unsupported(name) => return Err(Problem::UnsupportedType(name)),
    };
    let found = proto.elem_type.unwrap_or_default();
    let is_open = own == 0 && kinds_of_none.iter().any(|&kind| kind as i32 == found);
    if found != wanted as i32 && !is_open {
        return Err(Problem::ElementKind { message, found, wanted: name });
    }
    let others = proto.sparse_tensor_values.len() + proto.map_values.len();
    if own != tensors.len() + sequences.len() + optionals.len() + others {
        return Err(Problem::ForeignValues { message });
    }
    match element {
        ValueType::Sequence(inner) => {
            sequences.into_iter().map(|proto| sequence(proto, inner)).collect()
        }
        ValueType::Optional(inner) => {
            optionals.into_iter().map(|proto| optional(proto, inner)).collect()
        }
        ValueType::Tensor(_) | ValueType::Unsupported(_) => {
            tensors.into_iter().map(tensor).collect()
        }
    }
}

/// The tensor of a `TensorProto`, whichever of its fields holds the data.
pub fn decode_tensor(proto: TensorProto) -> Result<Tensor, Problem> {
    let code = proto.data_type.unwrap_or_default();
    let dtype = DType::from_onnx(code).ok_or(Problem::UnknownType(code))?;
    if proto.data_location == Some(DataLocation::External as i32) || !proto.external_data.is_empty()
    {
        return Err(Problem::ExternalData);
    }
    if proto.segment.is_some() {
        return Err(Problem::Segment);
    }
    let shape = proto
        .dims
        .iter()
        .map(|&dim| usize::try_from(dim).map_err(|_| Problem::Dimension(dim)))
        .collect::<Result<Vec<_>, _>>()?;
    check_field(&proto, dtype)?;
    if dtype == DType::String {
        return Ok(Tensor::from_strings(shape, proto.string_data)?);
    }
    let bits = match proto.raw_data {
        Some(raw) => raw,
        None => typed_bits(&proto, dtype)?,
    };
    Ok(Tensor::from_bits(dtype, shape, bits)?)
}

/// The typed field that holds elements of a type.
const fn typed_field(dtype: DType) -> &'static str {
    match dtype.kind() {
        Kind::Float(format) | Kind::Complex(format) => match format.width() {
            32 => "float_data",
            64 => "double_data",
            _ => "int32_data",
        },
        Kind::Int { signed: true, bits: 64 } => "int64_data",
        Kind::Int { signed: false, bits: 32 | 64 } => "uint64_data",
        Kind::Int { .. } | Kind::Bool => "int32_data",
        Kind::String => "string_data",
    }
}

/// At most one field holds data, and it is one for this type.
fn check_field(proto: &TensorProto, dtype: DType) -> Result<(), Problem> {
    let fields = [
        ("raw_data", proto.raw_data.as_ref().map_or(0, |_| 1)),
        ("float_data", proto.float_data.len()),
        ("double_data", proto.double_data.len()),
        ("int32_data", proto.int32_data.len()),
        ("int64_data", proto.int64_data.len()),
        ("uint64_data", proto.uint64_data.len()),
        ("string_data", proto.string_data.len()),
    ];
    let mut filled = fields.into_iter().filter(|&(_, len)| len != 0).map(|(field, _)| field);
    let Some(field) = filled.next() else { return Ok(()) };
    if let Some(second) = filled.next() {
        return Err(Problem::TwoFields(field, second));
    }
    let raw = field == "raw_data" && dtype != DType::String;
    if !raw && field != typed_field(dtype) {
        return Err(Problem::WrongField { dtype, field });
    }
    Ok(())
}

/// The bits of a typed field in `raw_data` layout.
fn typed_bits(proto: &TensorProto, dtype: DType) -> Result<Bytes, Problem> {
    Ok(match typed_field(dtype) {
        "float_data" => Bytes::copy_from_slice(bytemuck::cast_slice(&proto.float_data)),
        "double_data" => Bytes::copy_from_slice(bytemuck::cast_slice(&proto.double_data)),
        "int64_data" => Bytes::copy_from_slice(bytemuck::cast_slice(&proto.int64_data)),
        "uint64_data" => narrowed(&proto.uint64_data, dtype)?,
        _ => narrowed(&proto.int32_data, dtype)?,
    })
}

/// The entries of a typed field that is wider than its elements, each an element, or for the 2- and
/// 4-bit types a byte of packed ones. Those of 6 bits, of which each has an entry, are packed here.
fn narrowed<T: Copy + Into<i128>>(entries: &[T], dtype: DType) -> Result<Bytes, Problem> {
    if dtype.bits() == Some(6) {
        return six_bits(entries, dtype);
    }
    let width = dtype.bits().map_or(8, |bits| bits.max(8));
    let range = match dtype.kind() {
        Kind::Int { signed: true, bits: 8.. } => -(1 << (width - 1))..1 << (width - 1),
        _ => 0..1 << width,
    };
    let size = width as usize / 8;
    // As much as is needed and no more.
    let mut bits = BytesMut::with_capacity(entries.len().saturating_mul(size));
    for &entry in entries {
        let value: i128 = entry.into();
        if !range.contains(&value) {
            return Err(Problem::OutOfRange { dtype, value });
        }
        bits.extend_from_slice(&value.to_le_bytes()[..size]);
    }
    Ok(bits.freeze())
}

/// Elements of 6 bits, each in the low end of an entry whose other bits are 0, as they are packed.
fn six_bits<T: Copy + Into<i128>>(entries: &[T], dtype: DType) -> Result<Bytes, Problem> {
    let beyond =
        entries.iter().map(|&entry| entry.into()).find(|value| !(0..1 << 6).contains(value));
    if let Some(value) = beyond {
        return Err(Problem::OutOfRange { dtype, value });
    }
    let elements = entries.iter().map(|&entry| entry.into() as u128);
    let packed = Tensor::from_elements(dtype, vec![entries.len()], elements)?;
    Ok(packed.bits().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proto(dtype: DType, dims: &[i64]) -> TensorProto {
        TensorProto {
            data_type: Some(dtype.onnx_code()),
            dims: dims.to_vec(),
            ..TensorProto::default()
        }
    }

    fn decoded_bits(proto: TensorProto) -> Vec<u8> {
        decode_tensor(proto).unwrap().bits().unwrap().to_vec()
    }

    #[test]
    fn every_typed_field_gives_the_bits_of_raw_data() {
        let cases = [
            (
                TensorProto { float_data: vec![1.5], ..proto(DType::Float32, &[1]) },
                1.5_f32.to_le_bytes().to_vec(),
            ),
            (
                TensorProto { float_data: vec![1.0, -2.0], ..proto(DType::Complex64, &[]) },
                [1_f32.to_le_bytes(), (-2_f32).to_le_bytes()].concat(),
            ),
            (
                TensorProto { double_data: vec![0.1], ..proto(DType::Float64, &[1]) },
                0.1_f64.to_le_bytes().to_vec(),
            ),
            (
                TensorProto { double_data: vec![0.1, 0.2], ..proto(DType::Complex128, &[1]) },
                [0.1_f64.to_le_bytes(), 0.2_f64.to_le_bytes()].concat(),
            ),
            (TensorProto { int64_data: vec![-1], ..proto(DType::Int64, &[1]) }, vec![0xff; 8]),
            (
                TensorProto { uint64_data: vec![u64::MAX], ..proto(DType::Uint64, &[1]) },
                vec![0xff; 8],
            ),
            (TensorProto { uint64_data: vec![7], ..proto(DType::Uint32, &[1]) }, vec![7, 0, 0, 0]),
            (
                TensorProto { int32_data: vec![-2], ..proto(DType::Int32, &[1]) },
                vec![0xfe, 0xff, 0xff, 0xff],
            ),
            (TensorProto { int32_data: vec![-2], ..proto(DType::Int16, &[1]) }, vec![0xfe, 0xff]),
            (TensorProto { int32_data: vec![-2], ..proto(DType::Int8, &[1]) }, vec![0xfe]),
            (
                TensorProto { int32_data: vec![0xfffe], ..proto(DType::Uint16, &[1]) },
                vec![0xfe, 0xff],
            ),
            (
                TensorProto { int32_data: vec![0x3c00], ..proto(DType::Float16, &[1]) },
                vec![0x00, 0x3c],
            ),
            (
                TensorProto { int32_data: vec![0xff80], ..proto(DType::Bfloat16, &[1]) },
                vec![0x80, 0xff],
            ),
            (TensorProto { int32_data: vec![0x7f], ..proto(DType::Float8E8M0, &[1]) }, vec![0x7f]),
            (TensorProto { int32_data: vec![1, 0], ..proto(DType::Bool, &[2]) }, vec![1, 0]),
            (
                TensorProto { int32_data: vec![0x21, 0x03], ..proto(DType::Int4, &[3]) },
                vec![0x21, 0x03],
            ),
            (TensorProto { int32_data: vec![0xe4], ..proto(DType::Uint2, &[4]) }, vec![0xe4]),
            (
                TensorProto {
                    int32_data: vec![0x21, 0x1e, 0x07, 0x3d, 0x3f],
                    ..proto(DType::Float6E2M3, &[5])
                },
                vec![0xa1, 0x77, 0xf4, 0x3f],
            ),
        ];
        for (proto, expected) in cases {
            let name = DType::from_onnx(proto.data_type.unwrap()).unwrap();
            assert_eq!(decoded_bits(proto), expected, "{name}");
        }
    }

    #[test]
    fn values_beyond_their_type_are_refused() {
        for (dtype, value) in [
            (DType::Int8, 128),
            (DType::Uint8, -1),
            (DType::Uint16, 65536),
            (DType::Float16, -1),
            (DType::Float6E2M3, 64),
            (DType::Float6E3M2, -1),
        ] {
            let proto = TensorProto { int32_data: vec![value], ..proto(dtype, &[1]) };
            let problem = Problem::OutOfRange { dtype, value: value.into() };
            assert_eq!(decode_tensor(proto), Err(problem));
        }
        let proto = TensorProto { uint64_data: vec![1 << 32], ..proto(DType::Uint32, &[1]) };
        assert!(matches!(decode_tensor(proto), Err(Problem::OutOfRange { .. })));
    }

    #[test]
    fn data_in_a_wrong_or_second_field_is_refused() {
        let wrong = TensorProto { int32_data: vec![1], ..proto(DType::Float32, &[1]) };
        assert!(matches!(decode_tensor(wrong), Err(Problem::WrongField { .. })));
        let raw_string =
            TensorProto { raw_data: Some(Bytes::from_static(b"a")), ..proto(DType::String, &[1]) };
        assert!(matches!(decode_tensor(raw_string), Err(Problem::WrongField { .. })));
        let two = TensorProto {
            raw_data: Some(Bytes::from_static(&[0; 4])),
            float_data: vec![0.0],
            ..proto(DType::Float32, &[1])
        };
        assert_eq!(decode_tensor(two), Err(Problem::TwoFields("raw_data", "float_data")));
    }

    #[test]
    fn sizes_types_and_dimensions_that_lie_are_refused() {
        let short = TensorProto { float_data: vec![1.0], ..proto(DType::Float32, &[2]) };
        assert!(matches!(
            decode_tensor(short),
            Err(Problem::Tensor(TensorError::WrongSize { expected: 8, actual: 4, .. }))
        ));
        let overflow = proto(DType::Float32, &[i64::MAX, i64::MAX]);
        assert!(matches!(
            decode_tensor(overflow),
            Err(Problem::Tensor(TensorError::TooManyElements { .. }))
        ));
        assert_eq!(decode_tensor(proto(DType::Float32, &[-1])), Err(Problem::Dimension(-1)));
        let unknown = TensorProto { data_type: Some(99), ..TensorProto::default() };
        assert_eq!(decode_tensor(unknown), Err(Problem::UnknownType(99)));
        assert_eq!(decode_tensor(TensorProto::default()), Err(Problem::UnknownType(0)));
    }

    #[test]
    fn data_that_lies_elsewhere_is_refused() {
        let external = TensorProto {
            data_location: Some(DataLocation::External as i32),
            ..proto(DType::Float32, &[0])
        };
        assert_eq!(decode_tensor(external), Err(Problem::ExternalData));
        let segment =
            TensorProto { segment: Some(Default::default()), ..proto(DType::Float32, &[0]) };
        assert_eq!(decode_tensor(segment), Err(Problem::Segment));
    }

    #[test]
    fn a_truncated_file_is_named() {
        let tensor = TensorProto { float_data: vec![1.0; 4], ..proto(DType::Float32, &[4]) };
        let bytes = tensor.encode_to_vec();
        let value_type = ValueType::Tensor(Some(DType::Float32));
        let cut = Bytes::copy_from_slice(&bytes[..bytes.len() - 3]);
        let error = decode_value("case/input_0.pb", cut, &value_type).unwrap_err();
        assert!(
            error.to_string().starts_with("failed to decode case/input_0.pb: not a TensorProto")
        );
    }

    #[test]
    fn a_sequence_of_another_kind_is_refused() {
        let sequence =
            SequenceProto { elem_type: Some(DataType::Map as i32), ..SequenceProto::default() };
        let value_type = ValueType::Sequence(Box::new(ValueType::Tensor(None)));
        let error = decode_value("s.pb", sequence.encode_to_vec().into(), &value_type).unwrap_err();
        assert!(matches!(error.problem, Problem::ElementKind { found: 4, wanted: "TENSOR", .. }));
    }
}
