//! Calls resolved from models against the registry's signatures. No kernel is asked.

use values::model::Model;
use values::onnx::proto::attribute_proto::AttributeType as ProtoType;
use values::onnx::proto::tensor_shape_proto::Dimension;
use values::onnx::proto::tensor_shape_proto::dimension::Value as Size;
use values::onnx::proto::type_proto::Value as TypeValue;
use values::onnx::proto::{AttributeProto, NodeProto, TensorShapeProto, ValueInfoProto};
use values::onnx::{self, decode_sparse, decode_tensor};
use values::openvino;
use values::tensor::{Tensor, Value};

use crate::operator::{
    AttributeValue, Attributes, Call, Domain, Invalid, Operator, Specification, TensorType, Version,
};
use crate::operators;

/// There is no call that the reference could judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCall {
    /// The model is not a single operator of the registry, or its operands are not known.
    Unknown,
    /// The model or its inputs break a restriction of the specification.
    Invalid(Invalid),
}

impl From<Invalid> for NoCall {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

/// A node with its operands, before anything is checked.
struct Node {
    operator: &'static Operator,
    version: &'static Version,
    attributes: Attributes,
    inputs: Vec<Option<Tensor>>,
    /// Of each output that is named or left out before one that is named, whether it is asked for.
    outputs: Vec<bool>,
}

impl Call {
    /// The call that a model makes of these inputs, and the types of its outputs.
    pub fn of(
        model: &Model,
        inputs: &[Value],
        specification: Specification,
    ) -> Result<(Self, Vec<TensorType>), NoCall> {
        let node = match model {
            Model::Onnx(model) => onnx_node(model, inputs, specification)?,
            Model::OpenVino(model) => openvino_node(model, inputs)?,
        };
        let Node { operator, version, attributes, inputs, outputs } = node;
        let (call, outputs) =
            Self::asking_for(&outputs, operator, version, specification, attributes, inputs)?;
        if let (Model::Onnx(model), true) = (model, specification.is_restricted()) {
            check_declared(model, &outputs)?;
        }
        Ok((call, outputs))
    }

    /// The call that a node of ONNX's default domain makes in an operator set, and the types of its outputs; its
    /// operands are given for its inputs in their order, `None` where one is left out.
    pub fn of_node(
        node: &NodeProto,
        opset: i64,
        operands: Vec<Option<Tensor>>,
    ) -> Result<(Self, Vec<TensorType>), NoCall> {
        let Node { operator, version, attributes, inputs, outputs } =
            known_node(node, opset, operands)?;
        let specification = Specification::Onnx;
        Ok(Self::asking_for(&outputs, operator, version, specification, attributes, inputs)?)
    }

    /// What is invalid of a graph of ONNX, however many nodes it has: the first of them that is, among those
    /// whose operands are all given to the model or by it.
    pub fn invalid_in(model: &Model, inputs: &[Value]) -> Option<Invalid> {
        let Model::Onnx(model) = model else { return None };
        model.graph().node.iter().find_map(|node| {
            let Node { operator, version, attributes, inputs, outputs } =
                onnx_node_in(model, node, inputs).ok()?;
            let specification = Specification::Onnx;
            Self::asking_for(&outputs, operator, version, specification, attributes, inputs).err()
        })
    }
}

fn onnx_node(
    model: &onnx::Model,
    given: &[Value],
    specification: Specification,
) -> Result<Node, NoCall> {
    let [node] = model.graph().node.as_slice() else { return Err(NoCall::Unknown) };
    // What the model gives has to be what the node gives; an output that is left out has the empty name.
    let given_on = model.outputs().iter().map(|port| &port.name);
    if !given_on.eq(node.output.iter().filter(|name| !name.is_empty())) {
        return Err(NoCall::Unknown);
    }
    if specification.is_restricted() {
        check_restricted(model)?;
    }
    onnx_node_in(model, node, given)
}

/// A node among others, as far as its operands are given.
fn onnx_node_in(model: &onnx::Model, node: &NodeProto, given: &[Value]) -> Result<Node, NoCall> {
    if !model.is_standard(node) {
        return Err(NoCall::Unknown);
    }
    let opset = model.opset(node.domain()).ok_or(NoCall::Unknown)?;
    let input = |name: &String| match name.as_str() {
        "" => Ok(None),
        name => operand(model, given, name).map(Some),
    };
    known_node(node, opset, node.input.iter().map(input).collect::<Result<_, _>>()?)
}

/// A node of ONNX's default domain whose operator and version the registry has.
fn known_node(node: &NodeProto, opset: i64, inputs: Vec<Option<Tensor>>) -> Result<Node, NoCall> {
    let operator = operators::find(Domain::Onnx, node.op_type()).ok_or(NoCall::Unknown)?;
    let version = operator.version(opset).ok_or(NoCall::Unknown)?;
    let attributes = attributes(node);
    let outputs = node.output.iter().map(|name| !name.is_empty()).collect();
    Ok(Node { operator, version, attributes, inputs, outputs })
}

/// The tensor that is given for an input of the model.
fn given_at(given: &[Value], position: usize) -> Result<Tensor, NoCall> {
    match given.get(position) {
        Some(Value::Tensor(tensor)) => Ok(tensor.clone()),
        Some(Value::Sequence(_) | Value::Optional(_)) | None => Err(NoCall::Unknown),
    }
}

/// The tensor of this name: an input of the model, or an initialiser.
fn operand(model: &onnx::Model, given: &[Value], name: &str) -> Result<Tensor, NoCall> {
    let position = model.inputs().iter().position(|port| port.name == name);
    if let Some(position) = position {
        return given_at(given, position);
    }
    let found = model.graph().initializer.iter().find(|initialiser| initialiser.name() == name);
    let decoded = found.and_then(|initialiser| decode_tensor(initialiser.clone()).ok());
    decoded.ok_or(NoCall::Unknown)
}

/// The attributes of a node of ONNX.
pub fn attributes(node: &NodeProto) -> Attributes {
    node.attribute.iter().map(attribute).collect()
}

fn attribute(attribute: &AttributeProto) -> (String, AttributeValue) {
    let value = match attribute.r#type() {
        ProtoType::Int => AttributeValue::Int(attribute.i()),
        ProtoType::Ints => AttributeValue::Ints(attribute.ints.clone()),
        ProtoType::Float => AttributeValue::Float(attribute.f().to_bits()),
        ProtoType::Floats => {
            AttributeValue::Floats(attribute.floats.iter().map(|value| value.to_bits()).collect())
        }
        ProtoType::String => match std::str::from_utf8(attribute.s()) {
            Ok(text) => AttributeValue::Text(text.to_owned()),
            Err(_) => AttributeValue::Other,
        },
        ProtoType::Strings => {
            let texts =
                attribute.strings.iter().map(|text| std::str::from_utf8(text).map(str::to_owned));
            let texts: Result<_, _> = texts.collect();
            texts.map_or(AttributeValue::Other, AttributeValue::Texts)
        }
        ProtoType::Tensor => {
            let tensor = attribute.t.clone().and_then(|tensor| decode_tensor(tensor).ok());
            tensor.map_or(AttributeValue::Other, AttributeValue::Tensor)
        }
        ProtoType::SparseTensor => {
            let sparse = attribute.sparse_tensor.clone();
            let sparse = sparse.and_then(|sparse| decode_sparse(*sparse).ok());
            sparse.map_or(AttributeValue::Other, AttributeValue::Sparse)
        }
        _ => AttributeValue::Other,
    };
    (attribute.name().to_owned(), value)
}

/// SONNX's general restrictions that a model may break: no sparse tensors (GR1), all types explicit
/// (GR2).
fn check_restricted(model: &onnx::Model) -> Result<(), Invalid> {
    if !model.graph().sparse_initializer.is_empty() {
        return Err(Invalid("a tensor is sparse, which SONNX excludes".to_owned()));
    }
    let mut ports = model.inputs().iter().chain(model.outputs());
    match ports.find(|port| port.value_type.dtype().is_none()) {
        Some(port) => Err(Invalid(format!(
            "the type of `{}` is open, and SONNX wants it explicit",
            port.name
        ))),
        None => Ok(()),
    }
}

/// The outputs that a model declares have to be those that the call has.
fn check_declared(model: &onnx::Model, outputs: &[TensorType]) -> Result<(), Invalid> {
    for (declared, output) in model.graph().output.iter().zip(outputs) {
        if !declares(declared, output) {
            let name = declared.name();
            return Err(Invalid(format!("`{name}` is declared otherwise than it is: {output}")));
        }
    }
    Ok(())
}

/// Whether a declaration agrees with a type, as far as it states one.
fn declares(declared: &ValueInfoProto, output: &TensorType) -> bool {
    let value = declared.r#type.as_ref().and_then(|declared| declared.value.as_ref());
    let Some(TypeValue::TensorType(tensor)) = value else { return true };
    let is_size = |(dim, size): (&Dimension, &usize)| match dim.value {
        Some(Size::DimValue(declared)) => usize::try_from(declared).map_or(true, |it| it == *size),
        Some(Size::DimParam(_)) | None => true,
    };
    let agrees = |shape: &TensorShapeProto| {
        shape.dim.len() == output.shape.len() && shape.dim.iter().zip(&output.shape).all(is_size)
    };
    tensor.elem_type() == output.dtype.onnx_code() && tensor.shape.as_ref().is_none_or(agrees)
}

fn openvino_node(model: &openvino::Model, given: &[Value]) -> Result<Node, NoCall> {
    let parameters = model.layers().iter().enumerate();
    let parameters: Vec<usize> = parameters
        .filter(|(_, layer)| matches!(layer.operation, openvino::Operation::Parameter { .. }))
        .map(|(at, _)| at)
        .collect();
    let mut found = model.layers().iter().filter_map(|layer| match &layer.operation {
        openvino::Operation::Operator { op_type, opset, attributes } => {
            Some((layer, op_type, opset, attributes))
        }
        openvino::Operation::Parameter { .. } | openvino::Operation::Result => None,
    });
    let (Some((layer, op_type, Some(opset), attributes)), None) = (found.next(), found.next())
    else {
        return Err(NoCall::Unknown);
    };
    let operator = operators::find(Domain::OpenVino, op_type).ok_or(NoCall::Unknown)?;
    let version = operator.version(*opset).ok_or(NoCall::Unknown)?;
    let input = |operand: &usize| {
        let position = parameters.iter().position(|at| at == operand);
        given_at(given, position.ok_or(NoCall::Unknown)?).map(Some)
    };
    let text =
        |(name, value): (&String, &String)| (name.clone(), AttributeValue::Text(value.clone()));
    Ok(Node {
        operator,
        version,
        attributes: attributes.iter().map(text).collect(),
        inputs: layer.operands.iter().map(input).collect::<Result<_, _>>()?,
        outputs: vec![true; version.outputs.len()],
    })
}
