//! The walk over a graph: its nodes one by one, and those of the graphs that nodes hold.
//!
//! The graph that an If takes is walked, and those of the first runs of a Loop or a Scan, each run on the values that the
//! nodes of the one before it computed one by one.

use std::collections::BTreeMap;

use super::alone::{Ran, Tracer};
use super::difference::between;
use super::document::{Node, WentOn};
use super::values::{Known, Scope};
use super::{Event, TraceError, effect, known, write};
use crate::corpus::Digest;
use crate::dtype::DType;
use crate::models::graph::{Graph, Step};
use crate::onnx::encode_value;
use crate::onnx::proto::GraphProto;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::tensor::{Tensor, Value, element_count};

/// How deep graphs of nodes are entered.
const DEPTH: usize = 8;

/// How many runs of a Loop's or Scan's graph are entered.
const RUNS: usize = 3;

/// Where a walk is: which node holds the graph, and what the names of its nodes begin with.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    within: Option<&'a str>,
    prefix: &'a str,
    depth: usize,
}

impl Place<'_> {
    /// The model's own graph.
    pub(super) const OUTERMOST: Self = Self { within: None, prefix: "", depth: 0 };
}

/// Runs the nodes of a graph, each on the values of those before it.
pub(super) fn walk(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    scope: &mut Scope<'_>,
    place: Place<'_>,
) -> Result<(), TraceError> {
    let is_outermost = place.within.is_none();
    for (at, step) in graph.steps.iter().enumerate() {
        if tracer.options.is_interrupted() {
            return Err(TraceError::Interrupted { done: tracer.nodes.len() });
        }
        let mut ran = tracer.alone(graph, step, scope, place.prefix)?;
        ran.node.within = place.within.map(str::to_owned);
        if let Some(list) = tracer.options.expectations {
            ran.node.known = known::find(list, &tracer.file.path, &ran.node, step.opset());
        }
        if ran.node.is_unexpected() && tracer.effects_left + tracer.cases_left > 0 {
            ran.expected = effect::expected(&ran);
            if is_outermost && tracer.effects_left > 0 {
                ran.node.effects = effect::find(tracer, graph, at, scope, &ran)?;
                tracer.effects_left -= usize::from(!ran.node.effects.is_empty());
            }
            if tracer.cases_left > 0 {
                write::add_case(tracer, step, &mut ran);
            }
        }
        let Ran { node, values, is_constant, .. } = ran;
        (tracer.on_event)(Event::Node { node: &node, is_outermost });
        if is_outermost {
            values.iter().for_each(|(name, value)| tracer.has_type(name, value));
        }
        if is_outermost && node.went_on_with == WentOn::Backend {
            for (name, value) in &values {
                tracer.digests.insert(name.clone(), Digest::of(&encode_value("", value)));
            }
        }
        let (name, row) = (node.node.clone(), tracer.nodes.len());
        tracer.nodes.push(node);
        let prefix = format!("{name}/");
        let inner = Place { within: Some(&name), prefix: &prefix, depth: place.depth + 1 };
        if let Some(given) = enter(tracer, graph, step, scope, inner)? {
            let is_same = given.len() == values.len()
                && given.iter().zip(&values).all(|(a, (_, b))| between(a, b).is_same);
            if let Some(node) = tracer.nodes.get_mut(row) {
                said_of(node, is_same);
            }
        }
        for (name, value) in values {
            scope.insert(&name, Known { value, is_constant });
        }
        scope.have_read(&step.reads);
    }
    Ok(())
}

/// What is said of a node whose graph was walked.
fn said_of(node: &mut Node, is_same: bool) {
    node.same_as_inner = Some(is_same);
    if node.went_on_with == WentOn::Backend && !node.verdict.is_failure() {
        let beside = if is_same { "gives the same" } else { "gives other bits" };
        node.message = Some(format!("the nodes of its graph are judged; it {beside}"));
    }
}

/// Walks the graphs that a node runs. Gives what they compute, where all their runs were entered.
fn enter(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    step: &Step,
    scope: &Scope<'_>,
    place: Place<'_>,
) -> Result<Option<Vec<Value>>, TraceError> {
    if !step.is_standard() || place.depth > DEPTH || step.graphs().next().is_none() {
        return Ok(None);
    }
    let mut read = Vec::new();
    for name in &step.node.input {
        read.push(scope.get(name)?.map(|known| known.value));
    }
    let graph_of = |name: &str| step.graphs().find(|(own, _)| *own == name).map(|(_, graph)| graph);
    let mut held = Held { tracer, graph, step, scope, place };
    match step.node.op_type() {
        "If" => {
            let Some(Some(Value::Tensor(condition))) = read.first() else { return Ok(None) };
            let is_true = condition.element(0) == Some(1);
            let taken = graph_of(if is_true { "then_branch" } else { "else_branch" });
            taken.map_or(Ok(None), |taken| held.run(taken, Vec::new(), None))
        }
        "Loop" => graph_of("body").map_or(Ok(None), |body| held.repeat(body, &read)),
        "Scan" => graph_of("body").map_or(Ok(None), |body| held.scan(body, &read)),
        _ => Ok(None),
    }
}

/// The graph that a node holds, about to be walked.
struct Held<'h, 'a, 'e> {
    tracer: &'h mut Tracer<'a, 'e>,
    graph: &'h Graph,
    step: &'h Step,
    scope: &'h Scope<'h>,
    place: Place<'h>,
}

impl Held<'_, '_, '_> {
    /// One run of a graph on these inputs; `None` where it does not compute all of its outputs.
    fn run(
        &mut self,
        graph: &GraphProto,
        given: Vec<Value>,
        run: Option<usize>,
    ) -> Result<Option<Vec<Value>>, TraceError> {
        let inner = self.graph.inner(self.step, graph, &self.scope.names());
        let inner = inner
            .map_err(|source| TraceError::Graph { model: self.tracer.file.path.clone(), source })?;
        if given.len() != inner.inputs.len() {
            return Ok(None);
        }
        let prefix = match run {
            Some(run) => format!("{}{run}/", self.place.prefix),
            None => self.place.prefix.to_owned(),
        };
        let known = |value| Known { value, is_constant: false };
        let named = inner.inputs.iter().map(|input| input.name().to_owned());
        let values: BTreeMap<_, _> = named.zip(given.into_iter().map(known)).collect();
        let mut scope = self.scope.inner(&inner, values);
        walk(self.tracer, &inner, &mut scope, Place { prefix: &prefix, ..self.place })?;
        let mut outputs = Vec::new();
        for output in &inner.outputs {
            let Some(known) = scope.get(output.name())? else { return Ok(None) };
            outputs.push(known.value);
        }
        Ok(Some(outputs))
    }

    /// The first runs of a Loop.
    fn repeat(
        &mut self,
        body: &GraphProto,
        read: &[Option<Value>],
    ) -> Result<Option<Vec<Value>>, TraceError> {
        let number = |value: &Option<Value>| match value {
            Some(Value::Tensor(tensor)) => tensor.element(0).map(|bits| bits as u64),
            _ => None,
        };
        let most = read.first().and_then(number).map_or(u64::MAX, |most| most);
        let mut goes_on = read.get(1).and_then(number) != Some(0);
        let carried: Option<Vec<Value>> = read.iter().skip(2).cloned().collect();
        let Some(mut carried) = carried else { return Ok(None) };
        let mut scanned = vec![Vec::new(); body.output.len().saturating_sub(carried.len() + 1)];
        for run in 0.. {
            if !goes_on || run as u64 >= most.min(i64::MAX as u64) {
                return Ok(followed(carried, &scanned));
            }
            if run == RUNS {
                return Ok(None);
            }
            let counter = scalar(DType::Int64, &(run as i64).to_le_bytes());
            let mut given: Vec<Value> =
                counter.into_iter().chain(scalar(DType::Bool, &[1])).collect();
            given.append(&mut carried);
            let kept = given.len() - 2;
            let Some(outputs) = self.run(body, given, Some(run))? else { return Ok(None) };
            let mut outputs = outputs.into_iter();
            goes_on = matches!(outputs.next(), Some(Value::Tensor(it)) if it.element(0) == Some(1));
            carried = outputs.by_ref().take(kept).collect();
            scanned.iter_mut().zip(outputs).for_each(|(all, own)| all.push(own));
        }
        Ok(None)
    }

    /// The first runs of a Scan in its form of version 9 and later, along the first axis and forwards.
    fn scan(
        &mut self,
        body: &GraphProto,
        read: &[Option<Value>],
    ) -> Result<Option<Vec<Value>>, TraceError> {
        let attributes = &self.step.node.attribute;
        let count = attributes.iter().find(|it| it.name() == "num_scan_inputs");
        let is_plain = attributes.iter().all(|attribute| {
            attribute.r#type() != AttributeType::Ints || attribute.ints.iter().all(|&it| it == 0)
        });
        let scanned = count.and_then(|count| usize::try_from(count.i()).ok());
        let Some(states) = scanned.and_then(|scanned| read.len().checked_sub(scanned)) else {
            return Ok(None);
        };
        let all: Option<Vec<Value>> = read.iter().cloned().collect();
        let Some(mut state) = all.filter(|_| is_plain && self.step.opset() >= Some(9)) else {
            return Ok(None);
        };
        let scanned = state.split_off(states);
        let length = scanned.first().and_then(|value| match value {
            Value::Tensor(tensor) => tensor.shape().first().copied(),
            _ => None,
        });
        let mut stacked = vec![Vec::new(); body.output.len().saturating_sub(states)];
        for run in 0..length.unwrap_or(0).min(RUNS) {
            let slices: Option<Vec<Value>> =
                scanned.iter().map(|value| slice(value, run)).collect();
            let Some(slices) = slices else { return Ok(None) };
            let given = state.iter().cloned().chain(slices).collect();
            let Some(outputs) = self.run(body, given, Some(run))? else { return Ok(None) };
            let mut outputs = outputs.into_iter();
            state = outputs.by_ref().take(states).collect();
            stacked.iter_mut().zip(outputs).for_each(|(all, own)| all.push(own));
        }
        let is_all = length.is_some_and(|length| length <= RUNS);
        Ok(is_all.then(|| followed(state, &stacked)).flatten())
    }
}

fn scalar(dtype: DType, bytes: &[u8]) -> Option<Value> {
    let tensor = Tensor::from_bits(dtype, Vec::new(), bytes.to_vec().into());
    tensor.ok().map(Value::from)
}

/// What is carried, followed by what was scanned, of each output the tensors of all runs one after the other along a new first axis;
/// none where that cannot be told, as without runs.
fn followed(mut carried: Vec<Value>, scanned: &[Vec<Value>]) -> Option<Vec<Value>> {
    for runs in scanned {
        let tensors: Option<Vec<&Tensor>> = runs
            .iter()
            .map(|run| if let Value::Tensor(it) = run { Some(it) } else { None })
            .collect();
        let tensors = tensors?;
        let first = *tensors.first()?;
        let is_alike = |it: &&Tensor| it.dtype() == first.dtype() && it.shape() == first.shape();
        // Elements of less than a byte would have to be packed anew.
        first.dtype().bits().filter(|bits| bits % 8 == 0)?;
        if !tensors.iter().all(is_alike) {
            return None;
        }
        let parts: Option<Vec<&[u8]>> =
            tensors.iter().map(|it| it.bits().map(|it| &it[..])).collect();
        let shape = [&[tensors.len()], first.shape()].concat();
        let stacked = Tensor::from_bits(first.dtype(), shape, parts?.concat().into());
        carried.push(stacked.ok()?.into());
    }
    Some(carried)
}

/// The part of a tensor at a place of its first axis.
fn slice(value: &Value, place: usize) -> Option<Value> {
    let Value::Tensor(tensor) = value else { return None };
    let shape = tensor.shape().get(1..)?.to_vec();
    let width = tensor.dtype().bits().filter(|bits| bits % 8 == 0)? as usize / 8;
    let bytes = element_count(&shape).ok()?.checked_mul(width)?;
    let from = place.checked_mul(bytes)?;
    let bits = tensor.bits()?;
    if from + bytes > bits.len() {
        return None;
    }
    Tensor::from_bits(tensor.dtype(), shape, bits.slice(from..from + bytes)).ok().map(Value::from)
}
