//! The values that are known in a graph while it is walked, and in those around it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::TraceError;
use crate::models::file::ModelFile;
use crate::models::graph::{Graph, Step};
use crate::models::inputs::Input;
use crate::onnx::decode_tensor;
use crate::onnx::proto::ValueInfoProto;
use crate::tensor::{Tensor, Value};

/// A value of a graph.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    /// Whether it is the same whatever the model is given.
    pub(super) is_constant: bool,
}

/// The values of a graph.
pub(super) struct Scope<'a> {
    file: &'a ModelFile,
    graph: &'a Graph,
    around: Option<&'a Scope<'a>>,
    values: BTreeMap<String, Known>,
    /// The initialisers that were read and are needed still, decoded.
    decoded: RefCell<BTreeMap<String, Tensor>>,
    /// How many nodes have yet to read each value.
    waiting: BTreeMap<&'a str, usize>,
}

impl<'a> Scope<'a> {
    /// The values that the model is given.
    pub(super) fn of(file: &'a ModelFile, graph: &'a Graph, given: &[Input]) -> Self {
        let values = given.iter().map(|input| {
            let known = Known { value: input.value.clone(), is_constant: false };
            (input.name.clone(), known)
        });
        Self::within(file, graph, None, values.collect())
    }

    /// The values of a graph that a node holds.
    pub(super) fn inner<'b>(
        &'b self,
        graph: &'b Graph,
        values: BTreeMap<String, Known>,
    ) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope::within(self.file, graph, Some(self), values)
    }

    fn within(
        file: &'a ModelFile,
        graph: &'a Graph,
        around: Option<&'a Self>,
        values: BTreeMap<String, Known>,
    ) -> Self {
        let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
        let reads = graph.steps.iter().flat_map(|step| &step.reads).map(String::as_str);
        // What the graph gives is needed to the end.
        for name in reads.chain(graph.outputs.iter().map(ValueInfoProto::name)) {
            *waiting.entry(name).or_default() += 1;
        }
        Self { file, graph, around, values, decoded: RefCell::default(), waiting }
    }

    /// The value of this name; `None` where there is none, or not yet.
    pub(super) fn get(&self, name: &str) -> Result<Option<Known>, TraceError> {
        if let Some(known) = self.values.get(name) {
            return Ok(Some(known.clone()));
        }
        let of_tensor = |tensor: Tensor| Known { value: tensor.into(), is_constant: true };
        if let Some(tensor) = self.decoded.borrow().get(name) {
            return Ok(Some(of_tensor(tensor.clone())));
        }
        if let Some(initialiser) = self.graph.initialisers.get(name) {
            let decoded = decode_tensor(self.file.whole(initialiser)?);
            let tensor = decoded
                .map_err(|source| TraceError::Initialiser { name: name.to_owned(), source })?;
            self.decoded.borrow_mut().insert(name.to_owned(), tensor.clone());
            return Ok(Some(of_tensor(tensor)));
        }
        self.around.map_or(Ok(None), |around| around.get(name))
    }

    /// Adds a value.
    pub(super) fn insert(&mut self, name: &str, known: Known) {
        // What nobody reads is not kept.
        if self.waiting.contains_key(name) {
            self.values.insert(name.to_owned(), known);
        }
    }

    /// Drops what no node reads any more, now that one has read these.
    pub(super) fn have_read(&mut self, names: &[String]) {
        for name in names {
            if let Some(left) = self.waiting.get_mut(name.as_str()) {
                *left -= 1;
                if *left == 0 {
                    self.values.remove(name);
                    self.decoded.borrow_mut().remove(name);
                }
            }
        }
    }

    /// The names of a graph's initialisers.
    pub(super) fn of_constants(graph: &Graph) -> BTreeSet<String> {
        graph.initialisers.keys().cloned().collect()
    }

    /// The names of all values that graphs within this one may read.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let mut names = self.around.map_or_else(BTreeSet::new, Self::names);
        let computed = self.graph.steps.iter().flat_map(Step::writes);
        names.extend(computed.map(str::to_owned));
        names.extend(self.graph.inputs.iter().map(|input| input.name().to_owned()));
        names.extend(self.graph.initialisers.keys().cloned());
        names
    }
}
