//! From the text of `model.xml` to a model. Everything malformed is an error that names the file.
//!
//! The file's size, its elements, and the attributes of one element are limited before anything is
//! made of them, and neither entities nor namespaces are defined by an IR: time and memory stay in
//! proportion to the file.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

use crate::limits::{Budget, TooMuch};

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
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("failed to read {file}: {problem}")]
pub struct ReadError {
    /// The file, as the caller names it.
    pub file: String,
    /// What is wrong in it.
    pub problem: Problem,
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum Problem {
    #[error("more than {limit} {what}, which is no model that is handled here")]
    TooLarge { limit: usize, what: &'static str },
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    #[error("not UTF-8; save it as UTF-8")]
    NotUtf8,
    #[error("not well-formed XML ({0}); is the file truncated?")]
    Xml(roxmltree::Error),
    #[error("XML namespaces are not part of an OpenVINO model; remove them")]
    Namespaces,
    #[error("the root element is <{0}>, not <net>; is it an OpenVINO model?")]
    Root(String),
    #[error("the <{element}> at {position} lacks <{child}>")]
    NoElement { element: String, child: &'static str, position: roxmltree::TextPos },
    #[error("the <{element}> at {position} lacks the attribute `{attribute}`")]
    NoAttribute { element: String, attribute: &'static str, position: roxmltree::TextPos },
    #[error("two layers have the id {0}")]
    SameLayer(String),
    #[error("two ports of layer `{layer}` have the id {port}")]
    SamePort { layer: String, port: String },
    #[error("layer `{layer}` is a {kind} with {inputs} inputs and {results} outputs")]
    Ports { layer: String, kind: &'static str, inputs: usize, results: usize },
    #[error("layer `{layer}`: `{dimension}` is no dimension")]
    Dimension { layer: String, dimension: String },
    #[error("the <edge> at {position} has no {port} {id} of layer {layer} to join")]
    NoPort { position: roxmltree::TextPos, port: &'static str, id: String, layer: String },
    #[error("two edges lead to the input port {port} of layer `{layer}`")]
    SameTarget { layer: String, port: String },
    #[error("no edge leads to the input port {port} of layer `{layer}`")]
    NoSource { layer: String, port: String },
    #[error("layer `{0}` reads a value that is computed from its own")]
    Cycle(String),
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

    fn from_bytes(bytes: &[u8], budget: &mut Budget) -> Result<Self, Problem> {
        if bytes.len() > MAX_BYTES {
            return Err(Problem::TooLarge { limit: MAX_BYTES, what: "bytes" });
        }
        budget.admit(bytes.len());
        let count = |mark: u8| bytes.iter().filter(|&&byte| byte == mark).count();
        budget.take(2 * bytes.len() + count(b'<') * NODE + count(b'=') * ATTRIBUTE)?;
        let text = std::str::from_utf8(bytes).map_err(|_| Problem::NotUtf8)?;
        // A `<` cannot be within an attribute's value, so an element's tag lies between two.
        if text.split('<').any(|tag| tag.matches('=').count() > MAX_ATTRIBUTES) {
            return Err(Problem::TooLarge { limit: MAX_ATTRIBUTES, what: "attributes" });
        }
        if text.contains("xmlns") {
            return Err(Problem::Namespaces);
        }
        let document = Document::parse(text).map_err(Problem::Xml)?;
        let net = document.root_element();
        if !net.has_tag_name("net") {
            return Err(Problem::Root(net.tag_name().name().to_owned()));
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
    fn add_layer(&mut self, node: Node<'x, 'x>) -> Result<(), Problem> {
        let id = attribute(node, "id")?;
        let name = node.attribute("name").unwrap_or(id);
        if self.positions.insert(id, self.layers.len()).is_some() {
            return Err(Problem::SameLayer(id.to_owned()));
        }
        let mut outputs = BTreeSet::new();
        let same = |port: &str| Problem::SamePort { layer: name.to_owned(), port: port.to_owned() };
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
            return Err(Problem::Ports { layer: name.to_owned(), kind, inputs, results });
        }
        let operands = vec![None; inputs.len()];
        self.layers.push(Unjoined { name, operation, inputs, operands, outputs });
        Ok(())
    }

    fn add_edge(&mut self, node: Node<'x, 'x>) -> Result<(), Problem> {
        let from = (attribute(node, "from-layer")?, attribute(node, "from-port")?);
        let to = (attribute(node, "to-layer")?, attribute(node, "to-port")?);
        let missing = |port, (layer, id): (&str, &str)| {
            let (id, layer) = (id.to_owned(), layer.to_owned());
            Problem::NoPort { position: position(node), port, id, layer }
        };
        let source = self.positions.get(from.0).copied();
        let source = source
            .filter(|&source| self.layers[source].outputs.contains(from.1))
            .ok_or_else(|| missing("output port", from))?;
        let target = self.positions.get(to.0).map(|&target| &mut self.layers[target]);
        let target = target.ok_or_else(|| missing("input port", to))?;
        let input = target.inputs.get(to.1).ok_or_else(|| missing("input port", to))?;
        if target.operands[*input].replace(source).is_some() {
            let (layer, port) = (target.name.to_owned(), to.1.to_owned());
            return Err(Problem::SameTarget { layer, port });
        }
        Ok(())
    }

    fn into_model(self) -> Result<Model, Problem> {
        let join = |layer: Unjoined<'_>| {
            let operands: Option<Vec<_>> = layer.operands.iter().copied().collect();
            let no_source = || {
                let open = layer.inputs.iter().find(|(_, input)| layer.operands[**input].is_none());
                let port = open.map_or("", |(port, _)| port).to_owned();
                Problem::NoSource { layer: layer.name.to_owned(), port }
            };
            Ok::<_, Problem>(Layer {
                operands: operands.ok_or_else(no_source)?,
                name: layer.name.to_owned(),
                operation: layer.operation,
                results: layer.outputs.len(),
            })
        };
        let layers = self.layers.into_iter().map(join).collect::<Result<Vec<_>, _>>()?;
        let order = order(&layers)?;
        Ok(Model::new(layers, order))
    }
}

/// The layers' positions, each after those of its operands, else in ascending order.
fn order(layers: &[Layer]) -> Result<Vec<usize>, Problem> {
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
        Some(stuck) => Err(Problem::Cycle(layers[stuck].name.clone())),
        None => Ok(order),
    }
}

fn operation(node: Node<'_, '_>, name: &str) -> Result<Operation, Problem> {
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
fn dimensions(text: &str, layer: &str) -> Result<Option<Vec<usize>>, Problem> {
    if text.trim().is_empty() {
        return Ok(Some(Vec::new()));
    }
    let dimension = |text: &str| match text.trim() {
        text if text == "?" || text == "-1" || text.contains("..") => Ok(None),
        text => text.parse().map(Some).map_err(|_| Problem::Dimension {
            layer: layer.to_owned(),
            dimension: text.to_owned(),
        }),
    };
    text.split(',').map(dimension).collect()
}

/// The ids of a layer's input or output ports.
fn ports<'x>(layer: Node<'x, 'x>, side: &'static str) -> Result<Vec<&'x str>, Problem> {
    let side = layer.children().filter(|child| child.has_tag_name(side));
    side.flat_map(|side| children(side, "port")).map(|port| attribute(port, "id")).collect()
}

fn children<'x>(node: Node<'x, 'x>, name: &'static str) -> impl Iterator<Item = Node<'x, 'x>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn child<'x>(node: Node<'x, 'x>, name: &'static str) -> Result<Node<'x, 'x>, Problem> {
    children(node, name).next().ok_or_else(|| no_element(node, name))
}

fn no_element(node: Node<'_, '_>, child: &'static str) -> Problem {
    Problem::NoElement {
        element: node.tag_name().name().to_owned(),
        child,
        position: position(node),
    }
}

fn attribute<'x>(node: Node<'x, 'x>, name: &'static str) -> Result<&'x str, Problem> {
    node.attribute(name).ok_or_else(|| Problem::NoAttribute {
        element: node.tag_name().name().to_owned(),
        attribute: name,
        position: position(node),
    })
}

/// Where an element begins in the text.
fn position(node: Node<'_, '_>) -> roxmltree::TextPos {
    node.document().text_pos_at(node.range().start)
}
