//! Traces: every node of a model run alone on what the backend itself computed before it, and judged from these inputs.
//!
//! So an error is charged to the node that makes it, and not to those that pass it on. The model is run as it is besides;
//! where it gives other bits than its nodes one by one, the smallest groups of nodes that do so are found by bisection.
//!
//! [`trace`] makes the [document](document::Trace); [`text`] and [`html`] show it.

mod alone;
mod checkpoint;
mod difference;
pub mod document;
mod drawing;
pub mod dumps;
mod effect;
mod enclosure;
mod fusion;
pub mod html;
mod known;
mod layers;
pub mod text;
mod values;
mod walk;
mod words;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use self::alone::Tracer;
use self::checkpoint::Checkpoint;
use self::document::{FORMAT_VERSION, Input, Node, Output, Sample, Trace, TracedModel};
use self::enclosure::{Encloser, OfOutput};
use self::values::Scope;
use super::cut::CutError;
use super::file::{ExternalError, ModelFile};
use super::graph::{Graph, GraphError};
use super::inputs;
use crate::backend::Backend;
use crate::corpus::Digest;
use crate::document::text::counted;
use crate::document::write::WriteError;
use crate::document::{Sealed, provenance};
use crate::judge::expect::Expectations;
use crate::judge::profile::Profile;
use crate::judge::verdict::Verdict;
use crate::judge::{self, Extent};
use crate::onnx::{Problem, encode_value};
use crate::tensor::Value;

pub use known::entries;
pub use write::{Written, write};

/// How a model is traced.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the nodes are judged by.
    pub profile: &'a Profile,
    /// Which elements of large outputs are judged.
    pub sample: judge::Sample,
    /// Time that the backend has for each node, and for the model.
    pub timeout: Duration,
    /// A threshold that the outputs' elements are compared with.
    pub threshold: Option<f64>,
    /// Whether nodes behind one that gave nothing are run on what the reference expects of it.
    pub substitutes: bool,
    /// How many groups of nodes that differ together from one by one are looked for.
    pub fusions: usize,
    /// Of how many nodes that are wrong it is tried what they do to the outputs.
    pub effects: usize,
    /// Of how many nodes that are wrong a case is written.
    pub cases: usize,
    /// The nodes that are known to be wrong, by ids of the model's name and theirs; effects and cases are those of others.
    pub expectations: Option<&'a Expectations>,
    /// Where what was judged is kept until the trace is written, and looked up where the trace resumes; nowhere if there
    /// is no such path.
    pub checkpoint: Option<&'a Path>,
    /// Whether to resume.
    pub resume: bool,
    /// Set from outside to end it.
    pub interrupted: &'a AtomicBool,
}

/// What a trace tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The nodes will be run.
    Started {
        /// How many, those of graphs within nodes not counted.
        nodes: usize,
    },
    /// A node was run and judged.
    Node {
        /// The node.
        node: &'a Node,
        /// Whether it is of the model's own graph.
        is_outermost: bool,
    },
    /// The outputs are enclosed.
    Enclosing,
    /// The groups of nodes that differ together are looked for.
    Bisecting,
}

/// A trace has no result.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum TraceError {
    #[error("the graph of `{model}` cannot be computed")]
    Graph { model: PathBuf, source: GraphError },
    #[error(transparent)]
    External(#[from] ExternalError),
    #[error("initialiser `{name}` cannot be read")]
    Initialiser { name: String, source: Problem },
    #[error(transparent)]
    Cut(#[from] CutError),
    #[error("failed to keep what was judged in `{path}`; choose another folder with --out")]
    Checkpoint { path: PathBuf, source: std::io::Error },
    #[error("interrupted after {}; the same command with --resume goes on from there", counted(*.done as u64, "node"))]
    Interrupted { done: usize },
    #[error("failed to write the trace")]
    Document(#[from] serde_json::Error),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A trace, and the cases that show what is wrong.
#[derive(Debug)]
pub struct Traced {
    /// The document.
    pub trace: Trace,
    /// Files of the cases, by their paths below the folder of cases.
    pub cases: BTreeMap<String, bytes::Bytes>,
}

/// Traces a model on a backend.
pub fn trace(
    file: &ModelFile,
    given: &[inputs::Input],
    backend: &dyn Backend,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Traced, TraceError> {
    let start = Instant::now();
    let graph = Graph::of(&file.model)
        .map_err(|source| TraceError::Graph { model: file.path.clone(), source })?;
    on_event(Event::Started { nodes: graph.steps.len() });
    let checkpoint = Checkpoint::open(options.checkpoint, options.resume)?;
    let mut tracer = Tracer::new(file, backend, options, checkpoint, on_event);
    let whole = tracer.whole(&graph, given)?;
    if let Ok(values) = &whole {
        tracer.returned_by_whole(&graph, values);
    }
    let mut scope = Scope::of(file, &graph, given);
    walk::walk(&mut tracer, &graph, &mut scope, walk::Place::OUTERMOST)?;
    let one_by_one: Vec<Option<Value>> = graph
        .outputs
        .iter()
        .map(|output| Ok(scope.get(output.name())?.map(|known| known.value)))
        .collect::<Result<_, TraceError>>()?;
    drop(scope);
    (tracer.on_event)(Event::Enclosing);
    let enclosed = Encloser::new(file, options.profile)
        .outputs(&graph, given, &|| options.is_interrupted())?
        .ok_or(TraceError::Interrupted { done: tracer.nodes.len() })?;
    let outputs: Vec<Output> =
        outputs(&tracer.nodes, &graph, whole.as_deref().ok(), &one_by_one, |place, actual| {
            let found = enclosed.get(place).map(|it| OfOutput::of(it, actual, options.threshold));
            found.unwrap_or_default()
        });
    drop(enclosed);
    let is_fused = outputs.iter().any(|output| output.same_as_nodes == Some(false));
    let (fusions, fusions_left) = match &whole {
        Err(why) => (Vec::new(), Some(format!("the model as a whole gave nothing: {why}"))),
        Ok(_) if !is_fused => (Vec::new(), None),
        Ok(_) => {
            (tracer.on_event)(Event::Bisecting);
            fusion::find(&mut tracer, &graph, given)?
        }
    };
    let Tracer { nodes, cases, durations, checkpoint, .. } = tracer;
    let seconds = |(name, time): (String, Duration)| (name, provenance::seconds(time));
    let durations = durations.into_iter().map(seconds).collect();
    let trace = Trace {
        format_version: FORMAT_VERSION,
        kind: "trace".to_owned(),
        tool: provenance::tool(),
        model: TracedModel {
            name: file.path.file_name().map_or_else(String::new, |it| it.to_string_lossy().into()),
            digest: file.digest.to_string(),
            imports: imports(file),
        },
        backend: backend.identity(),
        isolation: backend.isolation(),
        profile: options.profile.name().to_owned(),
        expectations_list: options.expectations.and_then(|list| list.list().cloned()),
        inputs: given.iter().map(described).collect(),
        sample: sampled(options.sample),
        first_wrong: Trace::first_of(&nodes).map(|node| node.node.clone()),
        summary: Trace::counted(&nodes),
        outputs,
        fusions,
        fusions_left,
        nodes,
        digest: Digest::of(&[]),
        provenance: provenance::since(start.elapsed(), durations),
    };
    checkpoint.remove();
    Ok(Traced { trace: trace.sealed()?, cases })
}

fn imports(file: &ModelFile) -> BTreeMap<String, i64> {
    let imports = file.model.imports().iter();
    imports.map(|import| (import.domain().to_owned(), import.version())).collect()
}

fn described(input: &inputs::Input) -> Input {
    let (type_name, shape) = match &input.value {
        Value::Tensor(tensor) => (tensor.dtype().name(), crate::run::widen(tensor.shape())),
        other => (other.kind(), Vec::new()),
    };
    // The folder that a file lies in says nothing of the input.
    let source = Path::new(&input.source).file_name().map(|name| name.to_string_lossy().into());
    Input {
        name: input.name.clone(),
        type_name: type_name.to_owned(),
        shape,
        source: source.unwrap_or_else(|| input.source.clone()),
        digest: Digest::of(&encode_value(&input.name, &input.value)).to_string(),
    }
}

fn sampled(sample: judge::Sample) -> Sample {
    let (elements, operands) = match sample.extent {
        Extent::Elements(elements) => (Some(elements as u64), None),
        Extent::Operands(operands) => (None, Some(operands)),
    };
    Sample { elements, operands, seed: sample.seed }
}

/// The model's outputs: as it gives them as a whole, beside those of its nodes one by one.
fn outputs(
    nodes: &[Node],
    graph: &Graph,
    whole: Option<&[Value]>,
    one_by_one: &[Option<Value>],
    enclosed: impl Fn(usize, Option<&Value>) -> OfOutput,
) -> Vec<Output> {
    let verdicts = verdicts_of_values(nodes);
    let each = graph.outputs.iter().zip(one_by_one).enumerate();
    each.map(|(place, (output, alone))| {
        let whole = whole.and_then(|values| values.get(place));
        let difference = alone.as_ref().zip(whole).map(|(a, b)| difference::between(a, b));
        let same = difference.as_ref().map(|difference| difference.is_same);
        let of_nodes = verdicts.get(output.name()).copied().unwrap_or(Verdict::Pass);
        let verdict = match (of_nodes, same) {
            (Verdict::Pass, Some(true)) => Verdict::Pass,
            (Verdict::Fail, _) => Verdict::Fail,
            _ => Verdict::OutOfDomain,
        };
        let differs = difference.filter(|difference| !difference.is_same);
        let OfOutput { max_error_ulp, enclosure_width_ulp, widened_by, enclosure_ends, decisions } =
            enclosed(place, whole.or(alone.as_ref()));
        Output {
            name: output.name().to_owned(),
            verdict,
            max_error_ulp,
            enclosure_width_ulp,
            widened_by,
            enclosure_ends,
            decisions,
            same_as_nodes: same,
            whole_differs_ulp: differs.as_ref().and_then(|it| it.max_ulp),
            whole_differs_abs: differs
                .as_ref()
                .and_then(|it| it.max_abs.map(crate::float::with_bits)),
        }
    })
    .collect()
}

/// Of each value of the model's graph whether all nodes that it depends on pass, one of them is wrong, or neither is
/// known.
fn verdicts_of_values(nodes: &[Node]) -> BTreeMap<&str, Verdict> {
    let mut held: BTreeMap<&str, Verdict> = BTreeMap::new();
    for node in nodes.iter().rev() {
        let own = of_node(node, held.get(node.node.as_str()).copied());
        if let Some(holder) = &node.within {
            held.entry(holder).and_modify(|all| *all = worse(*all, own)).or_insert(own);
        }
    }
    let mut verdicts: BTreeMap<&str, Verdict> = BTreeMap::new();
    for node in nodes.iter().filter(|node| node.within.is_none()) {
        let own = of_node(node, held.get(node.node.as_str()).copied());
        let read = node.inputs.iter().filter_map(|name| verdicts.get(name.as_str()).copied());
        let verdict = read.fold(own, worse);
        verdicts.extend(node.outputs.iter().map(|name| (name.as_str(), verdict)));
    }
    verdicts
}

/// What is known of a node: by the reference, or by the nodes of the graph that it holds, where that gives the same.
fn of_node(node: &Node, held: Option<Verdict>) -> Verdict {
    match (node.verdict, held, node.same_as_inner) {
        (Verdict::Pass, ..) => Verdict::Pass,
        (verdict, ..) if verdict.is_failure() => Verdict::Fail,
        (_, Some(Verdict::Fail), _) => Verdict::Fail,
        (_, Some(inner), Some(true)) => inner,
        _ => Verdict::OutOfDomain,
    }
}

/// The worse of two, where nothing but a pass is a pass.
const fn worse(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
        (Verdict::Pass, Verdict::Pass) => Verdict::Pass,
        _ => Verdict::OutOfDomain,
    }
}

impl Options<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// How many nodes that are wrong are followed to the outputs where nothing else is asked for.
pub const EFFECTS: usize = 4;

/// How many groups of nodes are looked for where nothing else is asked for.
pub const FUSIONS: usize = 4;

/// Of how many nodes that are wrong a case is written where nothing else is asked for.
pub const CASES: usize = 10;

/// How many operands are evaluated for each output where nothing else is asked for: about a quarter of a second.
pub const OPERANDS: u64 = 1 << 20;

/// Name of the file of what was judged within the folder of a trace that is not written yet.
pub const CHECKPOINT: &str = "trace.checkpoint";
