//! Equivalent models: inputs as initialisers, and dimensions as symbols.
//!
//! Fields are cut out of the messages and put in; the bytes of all others stay as they are, those that nothing here
//! knows among them.

use std::collections::BTreeSet;

use bytes::Bytes;
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
struct Field<'a> {
    number: u32,
    /// The number that it is, where it is one.
    varint: u64,
    /// What it holds, where it has a length.
    body: &'a [u8],
    /// All of its bytes.
    whole: &'a [u8],
}

/// The fields of a message, one after the other; none after a malformed one, which `is_malformed` reports.
struct Fields<'a> {
    rest: &'a [u8],
    is_malformed: bool,
}

impl<'a> Fields<'a> {
    const fn of(message: &'a [u8]) -> Self {
        Self { rest: message, is_malformed: false }
    }

    fn field(&mut self) -> Option<Field<'a>> {
        let start = self.rest;
        let (number, wire_type) = decode_key(&mut self.rest).ok()?;
        let (mut varint, mut body) = (0, &[][..]);
        match wire_type {
            WireType::Varint => varint = decode_varint(&mut self.rest).ok()?,
            WireType::LengthDelimited => {
                let length = usize::try_from(decode_varint(&mut self.rest).ok()?).ok()?;
                (body, self.rest) = self.rest.split_at_checked(length)?;
            }
            _ => skip_field(wire_type, number, &mut self.rest, DecodeContext::default()).ok()?,
        }
        let whole = start.get(..start.len() - self.rest.len())?;
        Some(Field { number, varint, body, whole })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        if self.rest.is_empty() || self.is_malformed {
            return None;
        }
        let field = self.field();
        self.is_malformed = field.is_none();
        field
    }
}

/// Writes a field that holds these bytes.
fn put(number: u32, body: &[u8], into: &mut Vec<u8>) {
    encode_key(number, WireType::LengthDelimited, into);
    encode_varint(body.len() as u64, into);
    into.extend_from_slice(body);
}

/// A model with another graph: each field of the one it has is written by `each`, which is given the version of the
/// model's format, or is not; what `last` writes comes after them.
fn with_graph(
    model: &[u8],
    mut each: impl FnMut(&Field<'_>, u64, &mut Vec<u8>) -> Option<()>,
    last: impl FnOnce(&mut Vec<u8>),
) -> Result<Bytes, NotOneGraph> {
    let (mut version, mut graphs) = (0, 0);
    let mut fields = Fields::of(model);
    for field in fields.by_ref() {
        match field.number {
            IR_VERSION => version = field.varint,
            GRAPH => graphs += 1,
            _ => {}
        }
    }
    if fields.is_malformed || graphs != 1 {
        return Err(NotOneGraph);
    }
    let mut last = Some(last);
    let mut varied = Vec::with_capacity(model.len());
    for field in Fields::of(model) {
        if field.number != GRAPH {
            varied.extend_from_slice(field.whole);
            continue;
        }
        let mut graph = Vec::with_capacity(field.body.len());
        let mut inner = Fields::of(field.body);
        for field in inner.by_ref() {
            each(&field, version, &mut graph).ok_or(NotOneGraph)?;
        }
        if inner.is_malformed {
            return Err(NotOneGraph);
        }
        if let Some(last) = last.take() {
            last(&mut graph);
        }
        put(GRAPH, &graph, &mut varied);
    }
    Ok(varied.into())
}

/// The model with tensors, by their names, as initialisers instead of inputs.
pub fn with_initialisers(model: &[u8], tensors: &[(&str, &Tensor)]) -> Result<Bytes, NotOneGraph> {
    let names: BTreeSet<&str> = tensors.iter().map(|(name, _)| *name).collect();
    with_graph(
        model,
        |field, version, graph| {
            if field.number == INPUT && version >= FREE_INITIALIZERS {
                let info = ValueInfoProto::decode(field.body).ok()?;
                if names.contains(info.name()) {
                    return Some(());
                }
            }
            graph.extend_from_slice(field.whole);
            Some(())
        },
        |graph| {
            for (name, tensor) in tensors {
                put(INITIALIZER, &encode_tensor(name, tensor).encode_to_vec(), graph);
            }
        },
    )
}

/// The model in which every dimension of an input or output that is a number is a symbol of its own, and nothing is
/// said of the shapes of what lies between; `None` where no input has a dimension that is a number.
pub fn with_symbolic_shapes(model: &[u8]) -> Result<Option<Bytes>, NotOneGraph> {
    let mut replaced = 0;
    let mut symbols = 0;
    let each = |field: &Field<'_>, _, graph: &mut Vec<u8>| {
        match field.number {
            VALUE_INFO => {}
            INPUT | OUTPUT => {
                let mut info = ValueInfoProto::decode(field.body).ok()?;
                let before = symbols;
                if let Some(of) = &mut info.r#type {
                    symbolic(of, &mut symbols);
                }
                if field.number == INPUT {
                    replaced += symbols - before;
                }
                match symbols - before {
                    0 => graph.extend_from_slice(field.whole),
                    _ => put(field.number, &info.encode_to_vec(), graph),
                }
            }
            _ => graph.extend_from_slice(field.whole),
        }
        Some(())
    };
    let varied = with_graph(model, each, |_| ())?;
    Ok((replaced > 0).then_some(varied))
}

/// Makes symbols of the dimensions that are numbers, and counts them. They are short, whatever the model's names are.
fn symbolic(of: &mut TypeProto, symbols: &mut usize) {
    let mut shape = |shape: &mut Option<TensorShapeProto>| {
        for dimension in shape.iter_mut().flat_map(|shape| &mut shape.dim) {
            if let Some(dimension::Value::DimValue(_)) = dimension.value {
                dimension.value = Some(dimension::Value::DimParam(format!("dimension_{symbols}")));
                *symbols += 1;
            }
        }
    };
    match &mut of.value {
        Some(TypeValue::TensorType(tensor)) => shape(&mut tensor.shape),
        Some(TypeValue::SparseTensorType(tensor)) => shape(&mut tensor.shape),
        Some(TypeValue::SequenceType(sequence)) => {
            if let Some(element) = &mut sequence.elem_type {
                symbolic(element, symbols);
            }
        }
        Some(TypeValue::OptionalType(optional)) => {
            if let Some(element) = &mut optional.elem_type {
                symbolic(element, symbols);
            }
        }
        Some(TypeValue::MapType(_) | TypeValue::OpaqueType(_)) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        put(VALUE_INFO, &port("between", &[]).encode_to_vec(), &mut graph);
        put(99, b"unknown", &mut graph);
        let proto = ModelProto { ir_version: Some(version), ..ModelProto::default() };
        let mut model = proto.encode_to_vec();
        put(GRAPH, &graph, &mut model);
        put(98, b"metadata", &mut model);
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
        // Of three inputs and an output two each.
        for symbol in 0..8 {
            assert!(contains(&varied, &format!("dimension_{symbol}")), "{symbol}");
        }
        assert!(!contains(&varied, "dimension_8"));
        let model = Model::decode("x", varied.clone()).unwrap();
        assert_eq!(model.inputs().len(), 3);
        // What has no number any more is left.
        assert_eq!(with_symbolic_shapes(&varied), Ok(None));
        assert_eq!(with_symbolic_shapes(&self::model(8, &[])), Ok(None));
    }

    proptest! {
        #[test]
        fn whatever_the_bytes_are_a_variant_is_hardly_longer(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        ) {
            let mut bytes = model(8, &[2, 3]).to_vec();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            for varied in [with_symbolic_shapes(&bytes), with_initialisers(&bytes, &[]).map(Some)] {
                // A symbol for each dimension, of a dozen bytes in the place of one.
                prop_assert!(varied.ok().flatten().is_none_or(|it| it.len() < 4 * bytes.len()));
            }
        }
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
