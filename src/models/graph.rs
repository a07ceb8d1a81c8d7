//! The nodes of a model in the order in which they are computed, with the functions that the model brings expanded.
//!
//! A value that a function computes is named after the node that calls it: `call/value`. The graphs that a node holds,
//! as If and Loop do, stay with it; what they read of the graph around them is among what the node reads.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::onnx::proto::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, TensorProto,
    TypeProto, ValueInfoProto,
};
use crate::onnx::{Model, is_default_domain, operator_name};

/// The most nodes that a model may have once its functions are expanded, which may call each other many times.
pub const NODES_LIMIT: usize = 1 << 20;

/// A model's graph, ready to be walked.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The version of the format.
    pub ir_version: i64,
    /// The functions that the model brings, for nodes whose graphs call them.
    pub functions: Arc<[FunctionProto]>,
    /// What is given to the model: its inputs that are not initialisers.
    pub inputs: Vec<ValueInfoProto>,
    /// What it gives.
    pub outputs: Vec<ValueInfoProto>,
    /// Its initialisers, whose data may lie in other files.
    pub initialisers: BTreeMap<String, TensorProto>,
    /// The names of its sparse initialisers.
    pub sparse: BTreeSet<String>,
    /// The types that the model states of its values, wherever it does.
    pub types: BTreeMap<String, TypeProto>,
    /// The nodes, each after those that it reads from.
    pub steps: Vec<Step>,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The name that it is shown by: its own, else its place in the model; behind those of the functions it is in.
    pub name: String,
    /// The node, its values named as in the whole graph.
    pub node: NodeProto,
    /// The operator sets that it belongs to.
    pub imports: Arc<[OperatorSetIdProto]>,
    /// The values that it reads, each once: its inputs, and what the graphs that it holds read of those around them.
    pub reads: Vec<String>,
}

/// What is wrong with a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GraphError {
    #[error("node `{node}` reads `{value}`, which nothing computes")]
    Dangling { node: String, value: String },
    #[error("the values of node `{node}` depend on themselves")]
    Circle { node: String },
    #[error("node `{node}` computes `{value}`, which is there already")]
    Twice { node: String, value: String },
    #[error("no node computes the graph's output `{0}`")]
    NoOutput(String),
    #[error("function `{0}` calls itself")]
    Recursion(String),
    #[error("with its functions expanded, the model has more than {NODES_LIMIT} nodes")]
    TooMany,
}

impl Graph {
    /// The graph of a model.
    pub fn of(model: &Model) -> Result<Self, GraphError> {
        let around = Around {
            functions: model.functions().into(),
            imports: model.imports().into(),
            ir_version: model.ir_version(),
            values: &BTreeSet::new(),
        };
        Self::within(model.graph(), &around)
    }

    /// The graph that a node of another one holds, by the values that it may read of the graphs around it.
    pub fn inner(
        &self,
        step: &Step,
        graph: &GraphProto,
        values: &BTreeSet<String>,
    ) -> Result<Self, GraphError> {
        let (functions, imports) = (Arc::clone(&self.functions), Arc::clone(&step.imports));
        let ir_version = self.ir_version;
        Self::within(graph, &Around { functions, imports, ir_version, values })
    }

    fn within(graph: &GraphProto, around: &Around<'_>) -> Result<Self, GraphError> {
        let mut expanded = Expanded { functions: &around.functions, steps: Vec::new() };
        for (place, node) in graph.node.iter().enumerate() {
            expanded.add(node.clone(), "", place, &around.imports, &mut Vec::new())?;
        }
        let initialisers: BTreeMap<_, _> = graph
            .initializer
            .iter()
            .map(|tensor| (tensor.name().to_owned(), tensor.clone()))
            .collect();
        let sparse = graph.sparse_initializer.iter().filter_map(|sparse| sparse.values.as_ref());
        let sparse: BTreeSet<String> = sparse.map(|values| values.name().to_owned()).collect();
        let is_given = |input: &&ValueInfoProto| {
            !initialisers.contains_key(input.name()) && !sparse.contains(input.name())
        };
        let inputs: Vec<_> = graph.input.iter().filter(is_given).cloned().collect();
        let given = inputs.iter().map(ValueInfoProto::name);
        let given = given.chain(initialisers.keys().map(String::as_str));
        let given = given.chain(sparse.iter().map(String::as_str));
        let given: BTreeSet<&str> = given.collect();
        let steps = sorted(expanded.steps, &given, around.values)?;
        let computed: BTreeSet<&str> =
            steps.iter().flat_map(|step| step.node.output.iter().map(String::as_str)).collect();
        let is_missing = |name: &str| {
            !computed.contains(name) && !given.contains(name) && !around.values.contains(name)
        };
        if let Some(output) = graph.output.iter().find(|output| is_missing(output.name())) {
            return Err(GraphError::NoOutput(output.name().to_owned()));
        }
        let stated = graph.value_info.iter().chain(&graph.input).chain(&graph.output);
        let types = stated
            .filter_map(|value| Some((value.name().to_owned(), value.r#type.clone()?)))
            .collect();
        Ok(Self {
            ir_version: around.ir_version,
            functions: Arc::clone(&around.functions),
            outputs: graph.output.clone(),
            inputs,
            initialisers,
            sparse,
            types,
            steps,
        })
    }
}

/// What a graph has from around it.
struct Around<'a> {
    functions: Arc<[FunctionProto]>,
    imports: Arc<[OperatorSetIdProto]>,
    ir_version: i64,
    values: &'a BTreeSet<String>,
}

impl Step {
    /// The version of the operator set that the node belongs to; `None` where it is not imported.
    pub fn opset(&self) -> Option<i64> {
        let domain = self.node.domain();
        let is_same = |import: &&OperatorSetIdProto| {
            import.domain() == domain
                || is_default_domain(import.domain()) && is_default_domain(domain)
        };
        match self.imports.iter().find(is_same) {
            Some(import) => Some(import.version()),
            // Models from before there were imports.
            None => (self.imports.is_empty() && is_default_domain(domain)).then_some(1),
        }
    }

    /// Whether the node is of ONNX's own domain.
    pub fn is_standard(&self) -> bool {
        is_default_domain(self.node.domain())
    }

    /// Its operator, with the domain in front where it is not ONNX's own.
    pub fn operator(&self) -> String {
        operator_name(&self.node)
    }

    /// The values that it computes, without those that are left out.
    pub fn writes(&self) -> impl Iterator<Item = &str> {
        self.node.output.iter().map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The graphs that it holds, with the names of their attributes.
    pub fn graphs(&self) -> impl Iterator<Item = (&str, &GraphProto)> {
        graphs_of(&self.node)
    }
}

fn graphs_of(node: &NodeProto) -> impl Iterator<Item = (&str, &GraphProto)> {
    node.attribute.iter().flat_map(|attribute| {
        let graphs = attribute.g.iter().chain(&attribute.graphs);
        graphs.map(|graph| (attribute.name(), graph))
    })
}

/// Nodes with their functions expanded, in the order of the model.
struct Expanded<'a> {
    functions: &'a [FunctionProto],
    steps: Vec<Step>,
}

impl Expanded<'_> {
    /// Adds a node that is within these functions, or what it calls.
    fn add(
        &mut self,
        node: NodeProto,
        prefix: &str,
        place: usize,
        imports: &Arc<[OperatorSetIdProto]>,
        calling: &mut Vec<(String, String)>,
    ) -> Result<(), GraphError> {
        if self.steps.len() >= NODES_LIMIT {
            return Err(GraphError::TooMany);
        }
        let own = if node.name().is_empty() { place.to_string() } else { node.name().to_owned() };
        let name = format!("{prefix}{own}");
        let Some(function) = self.functions.iter().find(|function| is_called(function, &node))
        else {
            let reads = reads(&node);
            self.steps.push(Step { name, node, imports: Arc::clone(imports), reads });
            return Ok(());
        };
        let key = (function.domain().to_owned(), function.name().to_owned());
        if calling.contains(&key) {
            return Err(GraphError::Recursion(function.name().to_owned()));
        }
        calling.push(key);
        let prefix = format!("{name}/");
        let imports: Arc<[OperatorSetIdProto]> = match function.opset_import.is_empty() {
            true => Arc::clone(imports),
            false => function.opset_import.as_slice().into(),
        };
        let names = Names::of(function, &node, &prefix);
        for (place, inner) in function.node.iter().enumerate() {
            let inner = called(inner, function, &node, &names);
            self.add(inner, &prefix, place, &imports, calling)?;
        }
        calling.pop();
        Ok(())
    }
}

fn is_called(function: &FunctionProto, node: &NodeProto) -> bool {
    let is_same_domain = function.domain() == node.domain()
        || is_default_domain(function.domain()) && is_default_domain(node.domain());
    is_same_domain && function.name() == node.op_type() && function.overload() == node.overload()
}

/// What the values of a function are called where it is expanded.
struct Names<'a> {
    prefix: &'a str,
    ports: BTreeMap<&'a str, &'a str>,
}

impl<'a> Names<'a> {
    fn of(function: &'a FunctionProto, call: &'a NodeProto, prefix: &'a str) -> Self {
        let given = call.input.iter().map(String::as_str).chain(std::iter::repeat(""));
        let inputs = function.input.iter().map(String::as_str).zip(given);
        // An output that the call leaves out is a value of the function's own.
        let outputs = function.output.iter().zip(&call.output);
        let outputs = outputs.filter(|(_, name)| !name.is_empty());
        let outputs = outputs.map(|(formal, name)| (formal.as_str(), name.as_str()));
        Self { prefix, ports: inputs.chain(outputs).collect() }
    }

    fn renamed(&self, name: &str) -> String {
        match self.ports.get(name) {
            Some(name) => (*name).to_owned(),
            None if name.is_empty() => String::new(),
            None => format!("{}{name}", self.prefix),
        }
    }
}

/// A node of a function as a call of the function makes it: its values renamed, its attributes given.
fn called(
    node: &NodeProto,
    function: &FunctionProto,
    call: &NodeProto,
    names: &Names<'_>,
) -> NodeProto {
    let rename = |name: &String| names.renamed(name);
    let mut node = NodeProto {
        input: node.input.iter().map(rename).collect(),
        output: node.output.iter().map(rename).collect(),
        attribute: node.attribute.iter().filter_map(|own| given(own, function, call)).collect(),
        ..node.clone()
    };
    for attribute in &mut node.attribute {
        for graph in attribute.g.iter_mut().chain(&mut attribute.graphs) {
            rename_within(graph, function, call, names, &BTreeSet::new());
        }
    }
    node
}

/// An attribute of a function's node, as the call or the function's default gives it where it refers to one.
fn given(
    own: &AttributeProto,
    function: &FunctionProto,
    call: &NodeProto,
) -> Option<AttributeProto> {
    if own.ref_attr_name().is_empty() {
        return Some(own.clone());
    }
    let mut known = call.attribute.iter().chain(&function.attribute_proto);
    let value = known.find(|value| value.name() == own.ref_attr_name())?;
    Some(AttributeProto { name: own.name.clone(), ..value.clone() })
}

/// Renames what a graph within a function reads of the function; its own values keep their names.
fn rename_within(
    graph: &mut GraphProto,
    function: &FunctionProto,
    call: &NodeProto,
    names: &Names<'_>,
    around: &BTreeSet<String>,
) {
    let mut own = around.clone();
    own.extend(defined(graph).map(str::to_owned));
    let rename = |name: &mut String| {
        if !name.is_empty() && !own.contains(name) {
            *name = names.renamed(name);
        }
    };
    for node in &mut graph.node {
        node.input.iter_mut().for_each(rename);
        node.attribute =
            node.attribute.iter().filter_map(|one| given(one, function, call)).collect();
        for attribute in &mut node.attribute {
            for inner in attribute.g.iter_mut().chain(&mut attribute.graphs) {
                rename_within(inner, function, call, names, &own);
            }
        }
    }
    for output in &mut graph.output {
        output.name.iter_mut().for_each(rename);
    }
}

/// The names that a graph gives to values.
fn defined(graph: &GraphProto) -> impl Iterator<Item = &str> {
    let inputs = graph.input.iter().map(ValueInfoProto::name);
    let initialisers = graph.initializer.iter().map(TensorProto::name);
    let sparse = graph.sparse_initializer.iter().filter_map(|one| one.values.as_ref());
    let computed = graph.node.iter().flat_map(|node| node.output.iter().map(String::as_str));
    inputs.chain(initialisers).chain(sparse.map(TensorProto::name)).chain(computed)
}

/// What a node reads, each value once.
fn reads(node: &NodeProto) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |name: &str| {
        if !name.is_empty() && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    };
    node.input.iter().for_each(|name| add(name));
    graphs_of(node).for_each(|(_, graph)| free(graph, &BTreeSet::new(), &mut add));
    found
}

/// What a graph reads of those around it.
fn free(graph: &GraphProto, around: &BTreeSet<&str>, add: &mut dyn FnMut(&str)) {
    let mut own = around.clone();
    own.extend(defined(graph));
    for node in &graph.node {
        node.input.iter().filter(|name| !own.contains(name.as_str())).for_each(|name| add(name));
        graphs_of(node).for_each(|(_, inner)| free(inner, &own, add));
    }
    let outputs = graph.output.iter().map(ValueInfoProto::name);
    outputs.filter(|name| !own.contains(name)).for_each(add);
}

/// The nodes in an order in which each comes after those that it reads from: the model's own where that is one.
fn sorted(
    steps: Vec<Step>,
    given: &BTreeSet<&str>,
    around: &BTreeSet<String>,
) -> Result<Vec<Step>, GraphError> {
    let mut writers: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, step) in steps.iter().enumerate() {
        for value in step.writes() {
            if given.contains(value) || writers.insert(value, place).is_some() {
                let (node, value) = (step.name.clone(), value.to_owned());
                return Err(GraphError::Twice { node, value });
            }
        }
    }
    let mut waits = vec![0_usize; steps.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (place, step) in steps.iter().enumerate() {
        for value in &step.reads {
            match writers.get(value.as_str()) {
                Some(&writer) => {
                    readers[writer].push(place);
                    waits[place] += 1;
                }
                None if given.contains(value.as_str()) || around.contains(value) => {}
                None => {
                    let (node, value) = (step.name.clone(), value.clone());
                    return Err(GraphError::Dangling { node, value });
                }
            }
        }
    }
    let order = match steps.iter().enumerate().all(|(place, step)| {
        step.reads.iter().all(|value| writers.get(value.as_str()).is_none_or(|&at| at < place))
    }) {
        true => return Ok(steps),
        false => first_come(waits, &readers),
    };
    if order.len() < steps.len() {
        let placed: BTreeSet<usize> = order.into_iter().collect();
        let node = steps.iter().enumerate().find(|(place, _)| !placed.contains(place));
        let node = node.map_or_else(String::new, |(_, step)| step.name.clone());
        return Err(GraphError::Circle { node });
    }
    let mut steps: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|place| steps[place].take()).collect())
}

/// The places whose turn comes, as long as there is one that waits for nothing.
fn first_come(mut waits: Vec<usize>, readers: &[Vec<usize>]) -> Vec<usize> {
    let mut ready: VecDeque<usize> = (0..waits.len()).filter(|&place| waits[place] == 0).collect();
    let mut order = Vec::with_capacity(waits.len());
    while let Some(place) = ready.pop_front() {
        order.push(place);
        for &reader in &readers[place] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                ready.push_back(reader);
            }
        }
    }
    order
}
