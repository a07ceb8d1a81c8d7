//! From the text of `model.xml` to a model. Everything malformed is an error that names the file.
//!
//! The file's size, its elements, and the attributes of one element are limited before anything is
//! made of them, and neither entities nor namespaces are defined by an IR: time and memory stay in
//! proportion to the file.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

use crate::limits::Budget;

use super::{ELEMENT_TYPES, Layer, Model, Operation};

/// Largest file that is read, in bytes.
pub const MAX_BYTES: usize = 8 << 20;

/// What an element or text takes at most in memory: as a node of the document, and as a layer, port
/// or edge of the model.
const NODE: usize = 400;

/// What an attribute takes at most in memory, alone in its map.
const ATTRIBUTE: usize = 600;

/// Most equals signs of an element, and with that of its attributes, which the XML library compares
/// with each other.
const MAX_ATTRIBUTES: usize = 512;

/// A file does not hold an OpenVINO model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to read {file}: {problem}")]
pub struct ReadError {
    /// The file, as the caller names it.
    pub file: String,
    /// What is wrong in it.
    pub problem: String,
}

impl Model {
    /// The model that a file's bytes hold.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read_within(file, bytes, &mut Budget::default())
    }

    /// As [`Self::read`], of a file that is a part of an input.
    pub fn read_within(file: &str, bytes: &[u8], budget: &mut Budget) -> Result<Self, ReadError> {
        Self::from_bytes(bytes, budget)
            .map_err(|problem| ReadError { file: file.to_owned(), problem })
    }

    fn from_bytes(bytes: &[u8], budget: &mut Budget) -> Result<Self, String> {
        let too_many = |limit, what| {
            Err(format!("more than {limit} {what}, which is no model that is handled here"))
        };
        if bytes.len() > MAX_BYTES {
            return too_many(MAX_BYTES, "bytes");
        }
        budget.admit(bytes.len());
        let count = |mark: u8| bytes.iter().filter(|&&byte| byte == mark).count();
        let cost = 2 * bytes.len() + count(b'<') * NODE + count(b'=') * ATTRIBUTE;
        budget.take(cost).map_err(|error| error.to_string())?;
        let text = std::str::from_utf8(bytes).map_err(|_| "not UTF-8; save it as UTF-8")?;
        // A `<` cannot be within an attribute's value, so an element's tag lies between two.
        if text.split('<').any(|tag| tag.matches('=').count() > MAX_ATTRIBUTES) {
            return too_many(MAX_ATTRIBUTES, "attributes");
        }
        if text.contains("xmlns") {
            return Err("XML namespaces are not part of an OpenVINO model; remove them".to_owned());
        }
        let document = Document::parse(text)
            .map_err(|error| format!("not well-formed XML ({error}); is the file truncated?"))?;
        let net = document.root_element();
        if !net.has_tag_name("net") {
            let root = net.tag_name().name();
            return Err(format!(
                "the root element is <{root}>, not <net>; is it an OpenVINO model?"
            ));
        }
        let mut graph = Graph::default();
        for layer in children(child(net, "layers")?, "layer") {
            graph.add_layer(layer)?;
        }
        for edge in children(child(net, "edges")?, "edge") {
            graph.add_edge(edge)?;
        }
        graph.into_model()
    }
}

/// What is known of a model while its edges are read.
#[derive(Default)]
struct Graph<'x> {
    layers: Vec<Unjoined<'x>>,
    positions: BTreeMap<&'x str, usize>,
}

/// A layer whose operands are not all known.
struct Unjoined<'x> {
    name: &'x str,
    operation: Operation,
    /// Its input ports by their ids, each with its position among them.
    inputs: BTreeMap<&'x str, usize>,
    /// For each input port, the layer that the edge to it comes from.
    operands: Vec<Option<usize>>,
    outputs: BTreeSet<&'x str>,
}

impl<'x> Graph<'x> {
    fn add_layer(&mut self, node: Node<'x, 'x>) -> Result<(), String> {
        let id = attribute(node, "id")?;
        let name = node.attribute("name").unwrap_or(id);
        if self.positions.insert(id, self.layers.len()).is_some() {
            return Err(format!("two layers have the id {id}"));
        }
        let mut outputs = BTreeSet::new();
        let same = |port| format!("two ports of layer `{name}` have the id {port}");
        for port in ports(node, "output")? {
            if !outputs.insert(port) {
                return Err(same(port));
            }
        }
        let mut inputs = BTreeMap::new();
        for port in ports(node, "input")? {
            if inputs.insert(port, inputs.len()).is_some() {
                return Err(same(port));
            }
        }
        let operation = operation(node, name)?;
        let (kind, wanted) = match operation {
            Operation::Parameter { .. } => ("Parameter", (0, 1)),
            Operation::Result => ("Result", (1, outputs.len())),
            Operation::Operator { .. } => ("layer", (inputs.len(), outputs.len())),
        };
        if (inputs.len(), outputs.len()) != wanted {
            let (inputs, results) = (inputs.len(), outputs.len());
            return Err(format!(
                "layer `{name}` is a {kind} with {inputs} inputs and {results} outputs"
            ));
        }
        let operands = vec![None; inputs.len()];
        self.layers.push(Unjoined { name, operation, inputs, operands, outputs });
        Ok(())
    }

    fn add_edge(&mut self, node: Node<'x, 'x>) -> Result<(), String> {
        let from = (attribute(node, "from-layer")?, attribute(node, "from-port")?);
        let to = (attribute(node, "to-layer")?, attribute(node, "to-port")?);
        let missing = |port, (layer, id): (&str, &str)| {
            let position = position(node);
            format!("the <edge> at {position} has no {port} {id} of layer {layer} to join")
        };
        let source = self.positions.get(from.0).copied();
        let source = source
            .filter(|&source| self.layers[source].outputs.contains(from.1))
            .ok_or_else(|| missing("output port", from))?;
        let target = self.positions.get(to.0).map(|&target| &mut self.layers[target]);
        let target = target.ok_or_else(|| missing("input port", to))?;
        let input = target.inputs.get(to.1).ok_or_else(|| missing("input port", to))?;
        if target.operands[*input].replace(source).is_some() {
            let (port, layer) = (to.1, target.name);
            return Err(format!("two edges lead to the input port {port} of layer `{layer}`"));
        }
        Ok(())
    }

    fn into_model(self) -> Result<Model, String> {
        let mut layers = Vec::with_capacity(self.layers.len());
        for Unjoined { name, operation, inputs, operands, outputs } in self.layers {
            if let Some((port, _)) = inputs.iter().find(|(_, input)| operands[**input].is_none()) {
                return Err(format!("no edge leads to the input port {port} of layer `{name}`"));
            }
            let (name, operands) = (name.to_owned(), operands.into_iter().flatten().collect());
            layers.push(Layer { name, operation, operands, results: outputs.len() });
        }
        let order = order(&layers)?;
        Ok(Model::new(layers, order))
    }
}

/// The layers' positions, each after those of its operands, else in ascending order.
fn order(layers: &[Layer]) -> Result<Vec<usize>, String> {
    let mut readers = vec![Vec::new(); layers.len()];
    let mut waits_for: Vec<usize> = Vec::with_capacity(layers.len());
    for (position, layer) in layers.iter().enumerate() {
        waits_for.push(layer.operands.len());
        for &operand in &layer.operands {
            readers[operand].push(position);
        }
    }
    let mut ready: BTreeSet<usize> = (0..layers.len()).filter(|&at| waits_for[at] == 0).collect();
    let mut order = Vec::with_capacity(layers.len());
    while let Some(position) = ready.pop_first() {
        order.push(position);
        for &reader in &readers[position] {
            waits_for[reader] -= 1;
            if waits_for[reader] == 0 {
                ready.insert(reader);
            }
        }
    }
    match waits_for.iter().position(|&operands| operands > 0) {
        Some(stuck) => {
            let name = &layers[stuck].name;
            Err(format!("layer `{name}` reads a value that is computed from its own"))
        }
        None => Ok(order),
    }
}

fn operation(node: Node<'_, '_>, name: &str) -> Result<Operation, String> {
    let data = node.children().find(|child| child.has_tag_name("data"));
    match attribute(node, "type")? {
        "Parameter" => {
            let data = data.ok_or_else(|| no_element(node, "data"))?;
            let element_type = attribute(data, "element_type")?;
            let known = ELEMENT_TYPES.iter().find(|(_, name, _)| *name == element_type);
            let shape = attribute(data, "shape")?;
            Ok(Operation::Parameter {
                dtype: known.map(|known| known.0),
                shape: dimensions(shape, name)?,
            })
        }
        "Result" => Ok(Operation::Result),
        op_type => {
            let number = attribute(node, "version")?.strip_prefix("opset");
            Ok(Operation::Operator {
                op_type: op_type.to_owned(),
                opset: number.and_then(|number| number.parse().ok()),
                attributes: data
                    .iter()
                    .flat_map(Node::attributes)
                    .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
                    .collect(),
            })
        }
    }
}

/// A shape such as `2,3`, empty for a scalar; `None` where a dimension is not fixed: `?`, `-1`, or
/// a range such as `1..8`.
fn dimensions(text: &str, layer: &str) -> Result<Option<Vec<usize>>, String> {
    if text.trim().is_empty() {
        return Ok(Some(Vec::new()));
    }
    let dimension = |text: &str| match text.trim() {
        text if text == "?" || text == "-1" || text.contains("..") => Ok(None),
        text => {
            text.parse().map(Some).map_err(|_| format!("layer `{layer}`: `{text}` is no dimension"))
        }
    };
    text.split(',').map(dimension).collect()
}

/// The ids of a layer's input or output ports.
fn ports<'x>(layer: Node<'x, 'x>, side: &'static str) -> Result<Vec<&'x str>, String> {
    let side = layer.children().filter(|child| child.has_tag_name(side));
    side.flat_map(|side| children(side, "port")).map(|port| attribute(port, "id")).collect()
}

fn children<'x>(node: Node<'x, 'x>, name: &'static str) -> impl Iterator<Item = Node<'x, 'x>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn child<'x>(node: Node<'x, 'x>, name: &'static str) -> Result<Node<'x, 'x>, String> {
    children(node, name).next().ok_or_else(|| no_element(node, name))
}

fn no_element(node: Node<'_, '_>, child: &'static str) -> String {
    format!("the <{}> at {} lacks <{child}>", node.tag_name().name(), position(node))
}

fn attribute<'x>(node: Node<'x, 'x>, name: &'static str) -> Result<&'x str, String> {
    node.attribute(name).ok_or_else(|| {
        let (element, position) = (node.tag_name().name(), position(node));
        format!("the <{element}> at {position} lacks the attribute `{name}`")
    })
}

/// Where an element begins in the text.
fn position(node: Node<'_, '_>) -> roxmltree::TextPos {
    node.document().text_pos_at(node.range().start)
}
