//! Attributes of nodes, as kernels take them.

use std::collections::BTreeMap;

use values::onnx::proto::attribute_proto::AttributeType;
use values::onnx::proto::{AttributeProto, NodeProto};
use values::onnx::{Sparse, decode_sparse, decode_tensor};
use values::tensor::Tensor;

/// Value of an operator's attribute, as far as the operators here have any.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// `INT`
    Int(i64),
    /// `INTS`
    Ints(Vec<i64>),
    /// `FLOAT`
    Float(f32),
    /// `FLOATS`
    Floats(Vec<f32>),
    /// `STRING`, and what OpenVINO writes every attribute as.
    Text(String),
    /// `STRINGS`
    Texts(Vec<String>),
    /// `TENSOR`
    Tensor(Tensor),
    /// `SPARSE_TENSOR`
    Sparse(Sparse),
    /// Any other kind.
    Other,
}

/// Attributes of a node by name.
pub type Attributes = BTreeMap<String, Attribute>;

/// The attributes of a node of ONNX.
pub fn attributes(node: &NodeProto) -> Attributes {
    node.attribute.iter().map(|own| (own.name().to_owned(), Attribute::of(own))).collect()
}

impl Attribute {
    fn of(attribute: &AttributeProto) -> Self {
        match attribute.r#type() {
            AttributeType::Int => Self::Int(attribute.i()),
            AttributeType::Ints => Self::Ints(attribute.ints.clone()),
            AttributeType::Float => Self::Float(attribute.f()),
            AttributeType::Floats => Self::Floats(attribute.floats.clone()),
            AttributeType::String => {
                String::from_utf8(attribute.s().to_vec()).map_or(Self::Other, Self::Text)
            }
            AttributeType::Strings => {
                let texts = attribute.strings.iter().map(|text| String::from_utf8(text.to_vec()));
                texts.collect::<Result<_, _>>().map_or(Self::Other, Self::Texts)
            }
            AttributeType::Tensor => {
                let tensor = attribute.t.clone().and_then(|tensor| decode_tensor(tensor).ok());
                tensor.map_or(Self::Other, Self::Tensor)
            }
            AttributeType::SparseTensor => {
                let sparse = attribute.sparse_tensor.clone();
                let sparse = sparse.and_then(|sparse| decode_sparse(*sparse).ok());
                sparse.map_or(Self::Other, Self::Sparse)
            }
            _ => Self::Other,
        }
    }
}
