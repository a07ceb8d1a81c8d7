//! The inputs and outputs of graphs, and the types of their values.

use super::proto::TypeProto;
use super::proto::type_proto::Value as TypeValue;
use crate::dtype::DType;

/// An input or output of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the graph.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
}

/// Type of a value, as a graph declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A dense tensor; `None` where the element type is left open.
    Tensor(Option<DType>),
    /// A sequence of values of one type.
    Sequence(Box<ValueType>),
    /// A value that may be absent.
    Optional(Box<ValueType>),
    /// A kind of value that the harness does not handle, by name.
    Unsupported(&'static str),
}

impl ValueType {
    /// The type that a message states; `None` where it states none.
    pub fn of(proto: &TypeProto) -> Option<Self> {
        let element =
            |element: &Option<Box<TypeProto>>| element.as_deref().and_then(Self::of).map(Box::new);
        Some(match proto.value.as_ref()? {
            TypeValue::TensorType(tensor) => {
                Self::Tensor(DType::from_onnx(tensor.elem_type.unwrap_or_default()))
            }
            TypeValue::SequenceType(sequence) => Self::Sequence(element(&sequence.elem_type)?),
            TypeValue::OptionalType(optional) => Self::Optional(element(&optional.elem_type)?),
            TypeValue::MapType(_) => Self::Unsupported("map"),
            TypeValue::SparseTensorType(_) => Self::Unsupported("sparse tensor"),
            TypeValue::OpaqueType(_) => Self::Unsupported("opaque"),
        })
    }

    /// The element type of the tensors within, where it is stated.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Self::Tensor(dtype) => *dtype,
            Self::Sequence(element) | Self::Optional(element) => element.dtype(),
            Self::Unsupported(_) => None,
        }
    }
}
