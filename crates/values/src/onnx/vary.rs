//! Models that say the same in another way: inputs as initialisers, and dimensions as symbols.
//!
//! Fields are cut out of the messages and put in; the bytes of all others stay as they are, those that nothing here
//! knows among them.

use bytes::{Buf, Bytes};
use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, encode_key};
use prost::encoding::{encode_varint, skip_field};

use super::encode::encode_tensor;
use super::proto::tensor_shape_proto::dimension;
use super::proto::type_proto::Value as TypeValue;
use super::proto::{TensorShapeProto, TypeProto, ValueInfoProto};
use crate::tensor::Tensor;

/// Numbers of fields of `ModelProto` and `GraphProto`.
const IR_VERSION: u32 = 1;
const GRAPH: u32 = 7;
const INITIALIZER: u32 = 5;
const INPUT: u32 = 11;
const OUTPUT: u32 = 12;
const VALUE_INFO: u32 = 13;

/// The version of the format since which initialisers need not be inputs, too.
const FREE_INITIALIZERS: u64 = 4;

/// The bytes are no model whose graph is one field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model is no message with one graph")]
pub struct NotOneGraph;

/// A field of a message.
struct Field {
    number: u32,
    /// The number that it is, where it is one.
    varint: u64,
    /// What it holds, where it has a length.
    body: Bytes,
    /// All of its bytes.
    whole: Bytes,
}

impl Field {
    /// A field that holds these bytes.
    fn new(number: u32, body: Bytes) -> Self {
        let mut whole = Vec::with_capacity(body.len() + 12);
        encode_key(number, WireType::LengthDelimited, &mut whole);
        encode_varint(body.len() as u64, &mut whole);
        whole.extend_from_slice(&body);
        Self { number, varint: 0, body, whole: whole.into() }
    }
}

/// The fields of a message.
fn fields(message: &Bytes) -> Option<Vec<Field>> {
    let mut rest = message.clone();
    let mut fields = Vec::new();
    while rest.has_remaining() {
        let start = message.len() - rest.len();
        let (number, wire_type) = decode_key(&mut rest).ok()?;
        let (mut varint, mut body) = (0, Bytes::new());
        match wire_type {
            WireType::Varint => varint = decode_varint(&mut rest).ok()?,
            WireType::LengthDelimited => {
                let length = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
                body = (length <= rest.len()).then(|| rest.split_to(length))?;
            }
            _ => skip_field(wire_type, number, &mut rest, DecodeContext::default()).ok()?,
        }
        let whole = message.slice(start..message.len() - rest.len());
        fields.push(Field { number, varint, body, whole });
    }
    Some(fields)
}

/// The message of these fields.
fn message(fields: &[Field]) -> Bytes {
    fields.iter().map(|field| &field.whole[..]).collect::<Vec<_>>().concat().into()
}

/// A model with another graph, which is made of the fields of the one it has and the version of its format.
fn with_graph(
    model: &Bytes,
    other: impl FnOnce(Vec<Field>, u64) -> Option<Vec<Field>>,
) -> Result<Bytes, NotOneGraph> {
    let mut fields = fields(model).ok_or(NotOneGraph)?;
    let version = fields.iter().rfind(|field| field.number == IR_VERSION);
    let version = version.map_or(0, |field| field.varint);
    let mut graphs = fields.iter_mut().filter(|field| field.number == GRAPH);
    let (Some(graph), None) = (graphs.next(), graphs.next()) else { return Err(NotOneGraph) };
    let inner = self::fields(&graph.body).and_then(|inner| other(inner, version));
    *graph = Field::new(GRAPH, message(&inner.ok_or(NotOneGraph)?));
    Ok(message(&fields))
}

/// The model with tensors, by their names, as initialisers instead of inputs.
pub fn with_initialisers(model: &Bytes, tensors: &[(&str, &Tensor)]) -> Result<Bytes, NotOneGraph> {
    with_graph(model, |mut graph, version| {
        if version >= FREE_INITIALIZERS {
            let mut is_kept = Vec::with_capacity(graph.len());
            for field in &graph {
                let name = (field.number == INPUT)
                    .then(|| ValueInfoProto::decode(field.body.clone()))
                    .transpose()
                    .ok()?;
                let is_one =
                    |info: ValueInfoProto| tensors.iter().any(|(name, _)| *name == info.name());
                is_kept.push(!name.is_some_and(is_one));
            }
            let mut is_kept = is_kept.into_iter();
            graph.retain(|_| is_kept.next().unwrap_or(true));
        }
        graph.extend(tensors.iter().map(|(name, tensor)| {
            Field::new(INITIALIZER, encode_tensor(name, tensor).encode_to_vec().into())
        }));
        Some(graph)
    })
}

/// The model in which every dimension of an input or output that is a number is a symbol of its own, and nothing is
/// said of the shapes of what lies between; `None` where no input has a dimension that is a number.
pub fn with_symbolic_shapes(model: &Bytes) -> Result<Option<Bytes>, NotOneGraph> {
    let mut replaced = 0;
    let varied = with_graph(model, |mut graph, _| {
        graph.retain(|field| field.number != VALUE_INFO);
        for field in &mut graph {
            if field.number != INPUT && field.number != OUTPUT {
                continue;
            }
            let mut info = ValueInfoProto::decode(field.body.clone()).ok()?;
            let name = info.name().to_owned();
            let count = info.r#type.as_mut().map_or(0, |of| symbolic(of, &name));
            if field.number == INPUT {
                replaced += count;
            }
            if count > 0 {
                *field = Field::new(field.number, info.encode_to_vec().into());
            }
        }
        Some(graph)
    })?;
    Ok((replaced > 0).then_some(varied))
}

/// Makes symbols of the dimensions that are numbers, and counts them.
fn symbolic(of: &mut TypeProto, name: &str) -> usize {
    let shape = |shape: &mut Option<TensorShapeProto>| {
        let dimensions = shape.iter_mut().flat_map(|shape| &mut shape.dim).enumerate();
        let mut count = 0;
        for (axis, dimension) in dimensions {
            if let Some(dimension::Value::DimValue(_)) = dimension.value {
                dimension.value = Some(dimension::Value::DimParam(format!("{name}_{axis}")));
                count += 1;
            }
        }
        count
    };
    match &mut of.value {
        Some(TypeValue::TensorType(tensor)) => shape(&mut tensor.shape),
        Some(TypeValue::SparseTensorType(tensor)) => shape(&mut tensor.shape),
        Some(TypeValue::SequenceType(sequence)) => {
            sequence.elem_type.as_mut().map_or(0, |element| symbolic(element, name))
        }
        Some(TypeValue::OptionalType(optional)) => {
            optional.elem_type.as_mut().map_or(0, |element| symbolic(element, name))
        }
        Some(TypeValue::MapType(_) | TypeValue::OpaqueType(_)) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::onnx::Model;
    use crate::onnx::proto::type_proto::Tensor as TensorType;
    use crate::onnx::proto::{GraphProto, ModelProto, NodeProto};

    fn port(name: &str, dims: &[i64]) -> ValueInfoProto {
        let dim = dims.iter().map(|dim| super::super::proto::tensor_shape_proto::Dimension {
            value: Some(dimension::Value::DimValue(*dim)),
        });
        let shape = Some(TensorShapeProto { dim: dim.collect() });
        let tensor = TensorType { elem_type: Some(DType::Int8.onnx_code()), shape };
        ValueInfoProto {
            name: Some(name.to_owned()),
            r#type: Some(TypeProto { value: Some(TypeValue::TensorType(tensor)) }),
        }
    }

    /// A model of three inputs, with fields at both levels that nothing here knows.
    fn model(version: i64, dims: &[i64]) -> Bytes {
        let graph = GraphProto {
            node: vec![NodeProto { op_type: Some("Where".to_owned()), ..NodeProto::default() }],
            input: ["a", "b", "c"].map(|name| port(name, dims)).to_vec(),
            output: vec![port("y", dims)],
            ..GraphProto::default()
        };
        let mut graph = graph.encode_to_vec();
        graph.extend_from_slice(&Field::new(VALUE_INFO, "between".into()).whole);
        graph.extend_from_slice(&Field::new(99, "unknown".into()).whole);
        let proto = ModelProto { ir_version: Some(version), ..ModelProto::default() };
        let mut model = proto.encode_to_vec();
        model.extend_from_slice(&Field::new(GRAPH, graph.into()).whole);
        model.extend_from_slice(&Field::new(98, "metadata".into()).whole);
        model.into()
    }

    fn contains(bytes: &Bytes, text: &str) -> bool {
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    #[test]
    fn inputs_become_initialisers_and_unknown_fields_stay() {
        let tensor = Tensor::from_bits(DType::Int8, vec![2], vec![1, 2].into()).unwrap();
        for (version, inputs) in [(3, 3), (4, 1), (10, 1)] {
            let varied =
                with_initialisers(&model(version, &[2]), &[("b", &tensor), ("c", &tensor)])
                    .unwrap();
            assert!(contains(&varied, "unknown") && contains(&varied, "metadata"));
            let model = Model::decode("x", varied).unwrap();
            let names: Vec<_> = model.inputs().iter().map(|port| port.name.as_str()).collect();
            assert_eq!(names, ["a"]);
            // Before there were free initialisers, they are inputs too.
            assert_eq!(model.graph().input.len(), inputs);
            let initialisers = &model.graph().initializer;
            assert_eq!(
                initialisers.iter().map(crate::onnx::proto::TensorProto::name).collect::<Vec<_>>(),
                ["b", "c"]
            );
            assert_eq!(*initialisers[0].raw_data.as_ref().unwrap(), [1, 2][..]);
        }
    }

    #[test]
    fn numbers_of_shapes_become_symbols_and_nothing_between_has_a_shape() {
        let varied = with_symbolic_shapes(&model(8, &[2, 3])).unwrap().unwrap();
        assert!(contains(&varied, "unknown") && contains(&varied, "metadata"));
        assert!(!contains(&varied, "between"));
        for symbol in ["a_0", "a_1", "b_0", "c_1", "y_0", "y_1"] {
            assert!(contains(&varied, symbol), "{symbol}");
        }
        let model = Model::decode("x", varied.clone()).unwrap();
        assert_eq!(model.inputs().len(), 3);
        // What has no number any more is left.
        assert_eq!(with_symbolic_shapes(&varied), Ok(None));
        assert_eq!(with_symbolic_shapes(&self::model(8, &[])), Ok(None));
    }

    #[test]
    fn what_is_no_model_with_one_graph_is_told() {
        let twice = [model(8, &[1]), model(8, &[1])].concat();
        for bytes in [Bytes::new(), Bytes::from_static(&[0x3a, 5, 1]), twice.into()] {
            assert_eq!(with_symbolic_shapes(&bytes), Err(NotOneGraph));
            assert_eq!(with_initialisers(&bytes, &[]), Err(NotOneGraph));
        }
    }
}
