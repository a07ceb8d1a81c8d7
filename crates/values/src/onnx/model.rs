//! A model as the harness sees it: the graph, its ports, and the operators it needs.

use std::collections::BTreeSet;

use bytes::Bytes;

use super::decode::{DecodeError, Problem, message};
use super::fields;
use super::port::{Port, ValueType};
use super::proto::{
    FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use crate::limits::Budget;

/// A decoded model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    proto: ModelProto,
    graph: GraphProto,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

/// ONNX's own operator domain, which has two spellings.
pub fn is_default_domain(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

impl Model {
    /// The model that a file's bytes hold.
    pub fn decode(file: &str, bytes: Bytes) -> Result<Self, DecodeError> {
        Self::decode_within(file, bytes, &mut Budget::default())
    }

    /// As [`Self::decode`], of a file that is a part of an input.
    pub fn decode_within(
        file: &str,
        bytes: Bytes,
        budget: &mut Budget,
    ) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes, budget).map_err(|problem| problem.in_file(file))
    }

    fn from_bytes(bytes: Bytes, budget: &mut Budget) -> Result<Self, Problem> {
        let mut proto: ModelProto = message("ModelProto", bytes, &fields::MODEL_PROTO, budget)?;
        let graph = proto.graph.take().ok_or(Problem::NoGraph)?;
        // The names are kept twice: in the graph, and with its ports.
        for port in graph.input.iter().chain(&graph.output) {
            budget.take(port.name().len())?;
        }
        let initialisers: BTreeSet<&str> = graph
            .initializer
            .iter()
            .map(super::proto::TensorProto::name)
            .chain(graph.sparse_initializer.iter().filter_map(|s| Some(s.values.as_ref()?.name())))
            .collect();
        let inputs = graph
            .input
            .iter()
            .filter(|input| !initialisers.contains(input.name()))
            .map(|input| port("input", input))
            .collect::<Result<_, _>>()?;
        let outputs =
            graph.output.iter().map(|output| port("output", output)).collect::<Result<_, _>>()?;
        Ok(Self { proto, graph, inputs, outputs })
    }

    /// The inputs that a data set gives: those of the graph that are not initialisers.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs of the graph.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The graph's message.
    pub const fn graph(&self) -> &GraphProto {
        &self.graph
    }

    /// The functions that the model brings.
    pub fn functions(&self) -> &[FunctionProto] {
        &self.proto.functions
    }

    /// The operator sets that it imports.
    pub fn imports(&self) -> &[OperatorSetIdProto] {
        &self.proto.opset_import
    }

    /// The version of the format that it is written in.
    pub fn ir_version(&self) -> i64 {
        self.proto.ir_version()
    }

    /// The version of a domain's operator set that the model imports; models from before there
    /// were imports have version 1 of ONNX's own.
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let same =
            |other: &str| other == domain || is_default_domain(other) && is_default_domain(domain);
        let import = self.proto.opset_import.iter().find(|import| same(import.domain()));
        match import {
            Some(import) => Some(import.version()),
            None if is_default_domain(domain) && self.proto.opset_import.is_empty() => Some(1),
            None => None,
        }
    }

    /// Whether a node is one of ONNX's own operators and not a function that the model brings.
    pub fn is_standard(&self, node: &NodeProto) -> bool {
        is_default_domain(node.domain())
            && !self.proto.functions.iter().any(|function| {
                is_default_domain(function.domain()) && function.name() == node.op_type()
            })
    }

    /// The operators of the graph's nodes in order of first use, with the domain in front where it
    /// is not ONNX's own. Subgraphs belong to the operators that hold them.
    pub fn operators(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.graph.node.iter().map(operator_name).filter(|name| seen.insert(name.clone())).collect()
    }

    /// The imported version of the operator set that the first node belongs to (0 where the model
    /// does not import it).
    pub fn first_opset(&self) -> i64 {
        let domain = self.graph.node.first().map_or("", NodeProto::domain);
        self.opset(domain).unwrap_or_default()
    }
}

/// A node's operator, with the domain in front where it is not ONNX's own.
pub fn operator_name(node: &NodeProto) -> String {
    if is_default_domain(node.domain()) {
        node.op_type().to_owned()
    } else {
        format!("{}.{}", node.domain(), node.op_type())
    }
}

fn port(port: &'static str, proto: &ValueInfoProto) -> Result<Port, Problem> {
    let name = proto.name().to_owned();
    match proto.r#type.as_ref().and_then(ValueType::of) {
        Some(value_type) => Ok(Port { name, value_type }),
        None => Err(Problem::NoType { port, name }),
    }
}
