//! An invocation of an operator, resolved from a model against the registry's signatures. No kernel
//! is asked.

use std::collections::BTreeMap;

use values::dtype::DType;
use values::model::Model;
use values::onnx::proto::attribute_proto::AttributeType as ProtoType;
use values::onnx::proto::tensor_shape_proto::dimension::Value as Dimension;
use values::onnx::proto::type_proto::Value as TypeValue;
use values::onnx::proto::{AttributeProto, NodeProto, ValueInfoProto};
use values::onnx::{self, decode_tensor};
use values::openvino;
use values::tensor::{Tensor, Value};

use crate::operator::{AttributeType, Domain, Invalid, Operator, TensorType, Version};
use crate::operators;

/// Which specification a call is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Specification {
    /// ONNX.
    Onnx,
    /// SONNX, the safety-related profile of ONNX.
    Sonnx,
    /// The earlier SONNX draft of Div.
    SonnxDraft,
    /// OpenVINO's operation sets.
    OpenVino,
}

impl Specification {
    /// Whether SONNX's general restrictions hold: dense tensors, explicit types, no conversion.
    #[must_use]
    pub const fn is_restricted(self) -> bool {
        matches!(self, Self::Sonnx | Self::SonnxDraft)
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// An integer.
    Int(i64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// Text, as which OpenVINO writes every attribute.
    Text(String),
    /// Any other kind.
    Other,
}

/// Attributes by name.
pub type Attributes = BTreeMap<String, AttributeValue>;

/// An invocation of an operator that keeps to its version's signature.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operator.
    pub operator: &'static Operator,
    /// Its version.
    pub version: &'static Version,
    /// What it is held to.
    pub specification: Specification,
    /// Its attributes, all of which the version has.
    pub attributes: Attributes,
    /// Its inputs in order; `None` where an optional one is left out.
    pub inputs: Vec<Option<Tensor>>,
}

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
}

impl Call {
    /// The call that a model makes of these inputs, and the types of its outputs.
    ///
    /// # Errors
    ///
    /// When the model is not a single known operator on given tensors, or when the call breaks the
    /// specification.
    pub fn of(
        model: &Model,
        inputs: &[Value],
        specification: Specification,
    ) -> Result<(Self, Vec<TensorType>), NoCall> {
        let node = match model {
            Model::Onnx(model) => onnx_node(model, inputs, specification)?,
            Model::OpenVino(model) => openvino_node(model, inputs)?,
        };
        let (call, outputs) = Self::checked(node, specification)?;
        if let (Model::Onnx(model), true) = (model, specification.is_restricted()) {
            check_declared(model, &outputs)?;
        }
        Ok((call, outputs))
    }

    /// The call of an operator's version, with the types of its outputs.
    ///
    /// # Errors
    ///
    /// When it breaks the specification.
    pub fn new(
        operator: &'static Operator,
        version: &'static Version,
        specification: Specification,
        attributes: Attributes,
        inputs: Vec<Option<Tensor>>,
    ) -> Result<(Self, Vec<TensorType>), Invalid> {
        Self::checked(Node { operator, version, attributes, inputs }, specification)
    }

    fn checked(
        node: Node,
        specification: Specification,
    ) -> Result<(Self, Vec<TensorType>), Invalid> {
        let Node { operator, version, attributes, inputs } = node;
        let call = Self { operator, version, specification, attributes, inputs };
        call.check_attributes()?;
        call.check_inputs()?;
        let outputs = operator.reference.infer(&call)?;
        Ok((call, outputs))
    }

    /// Number, presence and types of the inputs.
    fn check_inputs(&self) -> Result<(), Invalid> {
        let ports = self.version.inputs;
        if self.inputs.len() != ports.len() {
            let (wanted, given) = (ports.len(), self.inputs.len());
            return Err(self.invalid(&format!("takes {wanted} inputs, but {given} are given")));
        }
        let mut types = BTreeMap::<&str, DType>::new();
        for (port, input) in ports.iter().zip(&self.inputs) {
            let Some(input) = input else {
                return Err(self.invalid(&format!("is not given its input {}", port.name)));
            };
            let dtype = input.dtype();
            if !port.types.contains(&dtype) {
                return Err(self.invalid(&format!("takes no {} of {dtype}", port.name)));
            }
            let bound = *types.entry(port.variable).or_insert(dtype);
            if bound != dtype {
                return Err(self.invalid(&format!(
                    "takes inputs of one type, but is given {bound} and {dtype}"
                )));
            }
        }
        Ok(())
    }

    fn check_attributes(&self) -> Result<(), Invalid> {
        for (name, value) in &self.attributes {
            let spec = self.version.attributes.iter().find(|spec| spec.name == name);
            let Some(spec) = spec else {
                return Err(self.invalid(&format!("has no attribute `{name}`")));
            };
            let fits = match (spec.value, value) {
                (AttributeType::Int, AttributeValue::Int(_))
                | (AttributeType::Ints, AttributeValue::Ints(_)) => true,
                (AttributeType::Text(choices), AttributeValue::Text(text)) => {
                    choices.contains(&text.as_str())
                }
                _ => false,
            };
            if !fits {
                return Err(self.invalid(&format!("cannot take this value of `{name}`")));
            }
        }
        Ok(())
    }

    /// The refusal of this call, for a reason that the operator's name begins.
    #[must_use]
    pub fn invalid(&self, problem: &str) -> Invalid {
        Invalid(format!("{}-{} {problem}", self.operator, self.version.since))
    }

    /// The input at a place; the signature has made sure of it.
    pub(crate) fn input(&self, at: usize) -> Result<&Tensor, Invalid> {
        let input = self.inputs.get(at).and_then(Option::as_ref);
        input.ok_or_else(|| self.invalid("lacks an input"))
    }

    /// The shapes of all inputs that are given.
    pub(crate) fn shapes(&self) -> Vec<&[usize]> {
        self.inputs.iter().flatten().map(Tensor::shape).collect()
    }

    /// The value of an integer attribute.
    pub(crate) fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name)? {
            AttributeValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of an attribute that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.attributes.get(name)? {
            AttributeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Refuses an input of a type that the specification does not name, where it is a restricted one.
    pub(crate) fn restrict_types(&self, types: &[DType]) -> Result<(), Invalid> {
        let other =
            self.inputs.iter().flatten().map(Tensor::dtype).find(|dtype| !types.contains(dtype));
        match other {
            Some(dtype) => Err(self.invalid(&format!("of this specification has no {dtype}"))),
            None => Ok(()),
        }
    }
}

fn onnx_node(
    model: &onnx::Model,
    given: &[Value],
    specification: Specification,
) -> Result<Node, NoCall> {
    let [node] = model.graph().node.as_slice() else { return Err(NoCall::Unknown) };
    if !model.is_standard(node) {
        return Err(NoCall::Unknown);
    }
    let operator = operators::find(Domain::Onnx, node.op_type()).ok_or(NoCall::Unknown)?;
    let opset = model.opset(node.domain()).ok_or(NoCall::Unknown)?;
    let version = operator.version(opset).ok_or(NoCall::Unknown)?;
    if specification.is_restricted() {
        check_restricted(model)?;
    }
    let input = |name: &String| match name.as_str() {
        "" => Ok(None),
        name => operand(model, given, name).map(Some),
    };
    Ok(Node {
        operator,
        version,
        attributes: node.attribute.iter().map(attribute).collect(),
        inputs: node.input.iter().map(input).collect::<Result<_, _>>()?,
    })
}

/// The tensor of this name: an input of the model, or an initialiser.
fn operand(model: &onnx::Model, given: &[Value], name: &str) -> Result<Tensor, NoCall> {
    let position = model.inputs().iter().position(|port| port.name == name);
    if let Some(position) = position {
        return match given.get(position) {
            Some(Value::Tensor(tensor)) => Ok(tensor.clone()),
            Some(Value::Sequence(_) | Value::Optional(_)) | None => Err(NoCall::Unknown),
        };
    }
    let found = model.graph().initializer.iter().find(|initialiser| initialiser.name() == name);
    let decoded = found.and_then(|initialiser| decode_tensor(initialiser.clone()).ok());
    decoded.ok_or(NoCall::Unknown)
}

fn attribute(attribute: &AttributeProto) -> (String, AttributeValue) {
    let value = match attribute.r#type() {
        ProtoType::Int => AttributeValue::Int(attribute.i()),
        ProtoType::Ints => AttributeValue::Ints(attribute.ints.clone()),
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
    let shape = tensor.shape.as_ref().map(|shape| {
        let sizes = shape.dim.iter().map(|dim| match dim.value {
            Some(Dimension::DimValue(size)) => usize::try_from(size).ok(),
            Some(Dimension::DimParam(_)) | None => None,
        });
        sizes.collect::<Vec<_>>()
    });
    let agrees = |sizes: Vec<Option<usize>>| {
        sizes.len() == output.shape.len()
            && sizes
                .iter()
                .zip(&output.shape)
                .all(|(size, actual)| size.is_none_or(|s| s == *actual))
    };
    tensor.elem_type() == output.dtype.onnx_code() && shape.is_none_or(agrees)
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
        match position.and_then(|position| given.get(position)) {
            Some(Value::Tensor(tensor)) => Ok(Some(tensor.clone())),
            Some(Value::Sequence(_) | Value::Optional(_)) | None => Err(NoCall::Unknown),
        }
    };
    let text =
        |(name, value): (&String, &String)| (name.clone(), AttributeValue::Text(value.clone()));
    Ok(Node {
        operator,
        version,
        attributes: attributes.iter().map(text).collect(),
        inputs: layer.operands.iter().map(input).collect::<Result<_, _>>()?,
    })
}

/// A node's operator in the registry, whatever the rest of the model is.
#[must_use]
pub fn operator_of(model: &onnx::Model, node: &NodeProto) -> Option<&'static Operator> {
    if model.is_standard(node) { operators::find(Domain::Onnx, node.op_type()) } else { None }
}
