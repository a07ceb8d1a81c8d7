//! OpenVINO's intermediate representation (IR): models read from and written as `model.xml`.
//!
//! Only the graph is read: its layers, the edges between them, and what each layer states of itself.
//! Which layers can be executed is for a backend to say. The weights beside the XML file are not
//! read, nor are the types and shapes that ports repeat: they follow from the parameters.

mod read;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use crate::dtype::DType;
use crate::onnx::{Port, ValueType};

pub use read::{MAX_BYTES, ReadError};
pub use write::{TensorType, write_model};

/// The names of the element types in the IR: in attributes, and in the `precision` of ports.
const ELEMENT_TYPES: [(DType, &str, &str); 13] = [
    (DType::Float16, "f16", "FP16"),
    (DType::Bfloat16, "bf16", "BF16"),
    (DType::Float32, "f32", "FP32"),
    (DType::Float64, "f64", "FP64"),
    (DType::Int8, "i8", "I8"),
    (DType::Int16, "i16", "I16"),
    (DType::Int32, "i32", "I32"),
    (DType::Int64, "i64", "I64"),
    (DType::Uint8, "u8", "U8"),
    (DType::Uint16, "u16", "U16"),
    (DType::Uint32, "u32", "U32"),
    (DType::Uint64, "u64", "U64"),
    (DType::Bool, "boolean", "BOOL"),
];

/// A model: layers that read each other's values, without a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    layers: Vec<Layer>,
    order: Vec<usize>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

/// A layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its name, which need not be the only one of its kind.
    pub name: String,
    /// The operation.
    pub operation: Operation,
    /// For each of its inputs, the position of the layer that computes it.
    pub operands: Vec<usize>,
    /// Number of its outputs.
    pub results: usize,
}

/// What a layer does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Takes an input of the model.
    Parameter {
        /// Its element type; `None` for one that is not ONNX's or not known here.
        dtype: Option<DType>,
        /// Its shape; `None` where a dimension is not fixed.
        shape: Option<Vec<usize>>,
    },
    /// Gives an output of the model.
    Result,
    /// Computes.
    Operator {
        /// Its type, such as `Divide`.
        op_type: String,
        /// Number of the operator set, 1 for `opset1`; `None` for any other set.
        opset: Option<i64>,
        /// Its attributes as they are written, by name.
        attributes: BTreeMap<String, String>,
    },
}

impl Model {
    /// The layers, in the order of the file.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The positions of all layers, each after those whose values it reads.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The inputs: the parameters, in the order of the file.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs: the results, in the order of the file. An element type is stated where all the
    /// operands that a result was computed from have it.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The types of the layers that compute, in order of first use.
    pub fn operators(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let op_types = self.computing().map(|(op_type, _)| op_type);
        op_types.filter(|op_type| seen.insert(*op_type)).map(str::to_owned).collect()
    }

    /// The number of the first operator's operator set, 0 where it is none of OpenVINO's.
    pub fn first_opset(&self) -> i64 {
        self.computing().next().and_then(|(_, opset)| opset).unwrap_or_default()
    }

    fn computing(&self) -> impl Iterator<Item = (&str, Option<i64>)> {
        self.layers.iter().filter_map(|layer| match &layer.operation {
            Operation::Operator { op_type, opset, .. } => Some((op_type.as_str(), *opset)),
            Operation::Parameter { .. } | Operation::Result => None,
        })
    }

    /// A model of layers, given in the order of the file, and the order to compute them in.
    fn new(layers: Vec<Layer>, order: Vec<usize>) -> Self {
        let mut types = vec![None; layers.len()];
        for &at in &order {
            types[at] = match &layers[at].operation {
                Operation::Parameter { dtype, .. } => *dtype,
                Operation::Result | Operation::Operator { .. } => {
                    let mut operands = layers[at].operands.iter().map(|&operand| types[operand]);
                    let first = operands.next().flatten();
                    first.filter(|_| operands.all(|other| other == first))
                }
            };
        }
        let ports = |wanted: fn(&Operation) -> bool| -> Vec<Port> {
            layers
                .iter()
                .zip(&types)
                .filter(|(layer, _)| wanted(&layer.operation))
                .map(|(layer, dtype)| Port {
                    name: layer.name.clone(),
                    value_type: ValueType::Tensor(*dtype),
                })
                .collect()
        };
        let inputs = ports(|operation| matches!(operation, Operation::Parameter { .. }));
        let outputs = ports(|operation| matches!(operation, Operation::Result));
        Self { layers, order, inputs, outputs }
    }
}
