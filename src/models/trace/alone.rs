//! One node alone: the model of it, what the backend does with it, and what the judge makes of that.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reference::call::NoCall;
use reference::operator::{Call, Invalid, TensorType};

use super::checkpoint::{Checkpoint, Judged};
use super::difference::specials;
use super::document::{Born, Node, WentOn, Worst};
use super::values::{Known, Scope};
use super::{Event, Options, TraceError};
use crate::backend::{Answer, Backend, Outcome, Refusal, RefusalKind, Task};
use crate::corpus::Digest;
use crate::corpus::suite::Suite;
use crate::dtype::Kind;
use crate::judge::compare::OutputComparison;
use crate::judge::verdict::Verdict;
use crate::judge::{Judgement, Trial};
use crate::model::Model;
use crate::models::cut::{self, Cut, Ports, tensor_type, type_of};
use crate::models::file::{ModelFile, is_external};
use crate::models::graph::{Graph, Step};
use crate::models::inputs::Input;
use crate::onnx::encode_value;
use crate::onnx::proto::TypeProto;
use crate::run::{self, OUTPUT_SLACK};
use crate::tensor::{Tensor, Value};
use values::text::bounded;

/// Longest message of a node that is kept, in bytes.
const MESSAGE_KEPT: usize = 2 << 10;

/// The most that a backend may return where nothing is known of it, in bytes.
const OUTPUT_LIMIT: u64 = 1 << 31;

/// A trace as far as it has come.
pub(super) struct Tracer<'a, 'e> {
    pub(super) file: &'a ModelFile,
    pub(super) backend: &'a dyn Backend,
    pub(super) options: &'a Options<'a>,
    pub(super) checkpoint: Checkpoint,
    pub(super) on_event: &'e mut dyn FnMut(Event<'_>),
    /// The nodes so far.
    pub(super) nodes: Vec<Node>,
    /// The time that the backend took, by node.
    pub(super) durations: BTreeMap<String, Duration>,
    /// Digests of the values of the model's graph that nodes computed one by one.
    pub(super) digests: BTreeMap<String, Digest>,
    /// Types of values that were computed.
    types: BTreeMap<String, TypeProto>,
    /// Of how many more nodes it is tried what they do to the outputs.
    pub(super) effects_left: usize,
    /// Files of cases.
    pub(super) cases: BTreeMap<String, Bytes>,
    pub(super) cases_left: usize,
}

/// A node that was run.
pub(super) struct Ran {
    pub(super) node: Node,
    /// What the nodes after it are given, by name.
    pub(super) values: Vec<(String, Value)>,
    /// What it was called with, where the reference knows the call.
    pub(super) call: Option<(Call, Vec<TensorType>)>,
    /// What the reference expects, where it was asked for it.
    pub(super) expected: Option<Vec<Value>>,
    /// Its model and the inputs of that.
    pub(super) alone: Option<(Cut, Vec<(String, Value)>)>,
    /// Whether all that it read is the same whatever the model is given.
    pub(super) is_constant: bool,
}

impl Ran {
    /// A node that was not run.
    const fn nothing(node: Node) -> Self {
        let values = Vec::new();
        Self { node, values, call: None, expected: None, alone: None, is_constant: false }
    }
}

impl<'a, 'e> Tracer<'a, 'e> {
    pub(super) fn new(
        file: &'a ModelFile,
        backend: &'a dyn Backend,
        options: &'a Options<'a>,
        checkpoint: Checkpoint,
        on_event: &'e mut dyn FnMut(Event<'_>),
    ) -> Self {
        Self {
            file,
            backend,
            options,
            checkpoint,
            on_event,
            nodes: Vec::new(),
            durations: BTreeMap::new(),
            digests: BTreeMap::new(),
            types: BTreeMap::new(),
            effects_left: options.effects,
            cases: BTreeMap::new(),
            cases_left: options.cases,
        }
    }

    /// What the backend does with a model on these inputs.
    pub(super) fn ask(&self, model: &Model, file: &Bytes, inputs: &[Value], limit: u64) -> Outcome {
        let (suite, time) = (Suite::Onnx, self.options.timeout);
        let task = Task { model, file, inputs, suite, time, output_limit: limit };
        let start = Instant::now();
        let Answer { outcome, .. } = run::ask(self.backend, &task);
        // An adapter ends a task by itself; what runs within this process cannot be ended.
        match outcome {
            Outcome::Outputs(_) if start.elapsed() > time.saturating_add(self.grace()) => {
                Outcome::TimedOut(time)
            }
            outcome => outcome,
        }
    }

    fn grace(&self) -> Duration {
        self.backend.grace().unwrap_or(Duration::ZERO)
    }

    /// The outputs of the model as a whole, or why there are none.
    pub(super) fn whole(
        &mut self,
        graph: &Graph,
        given: &[Input],
    ) -> Result<Result<Vec<Value>, String>, TraceError> {
        let inputs: Vec<Value> = given.iter().map(|input| input.value.clone()).collect();
        let start = Instant::now();
        let outcome = if graph.initialisers.values().any(is_external) {
            // An adapter is given a model without the files beside it.
            let mut constants = Vec::new();
            for initialiser in graph.initialisers.values() {
                constants.push(self.file.whole(initialiser)?);
            }
            let typed = |port: &crate::onnx::proto::ValueInfoProto| {
                (port.name().to_owned(), port.r#type.clone().unwrap_or_default())
            };
            let ports = Ports {
                inputs: graph.inputs.iter().map(typed).collect(),
                constants,
                outputs: graph.outputs.iter().map(typed).collect(),
            };
            match cut::cut(graph, &graph.steps, ports) {
                Ok(Cut { model, file }) => self.ask(&model, &file, &inputs, OUTPUT_LIMIT),
                Err(error) => return Ok(Err(error.to_string())),
            }
        } else {
            self.ask(&self.file.as_model(), &self.file.bytes, &inputs, OUTPUT_LIMIT)
        };
        self.durations.insert("the whole model".to_owned(), start.elapsed());
        Ok(match outcome {
            Outcome::Outputs(values) if values.len() == graph.outputs.len() => Ok(values),
            Outcome::Outputs(values) => {
                Err(format!("{} outputs, and the graph has {}", values.len(), graph.outputs.len()))
            }
            other => Err(why(&other)),
        })
    }

    /// Keeps the types of what the model as a whole returned.
    pub(super) fn returned_by_whole(&mut self, graph: &Graph, values: &[Value]) {
        let named = graph.outputs.iter().zip(values);
        named.for_each(|(output, value)| self.has_type(output.name(), value));
    }

    /// Keeps the type of a value.
    pub(super) fn has_type(&mut self, name: &str, value: &Value) {
        if let Some(of) = type_of(value) {
            self.types.insert(name.to_owned(), of);
        }
    }

    /// The type of a value, as far as it is known.
    pub(super) fn type_of(&self, graph: &Graph, name: &str) -> Option<TypeProto> {
        self.types.get(name).or_else(|| graph.types.get(name)).cloned()
    }

    /// Runs a node on the values of its scope, and judges what it does.
    pub(super) fn alone(
        &mut self,
        graph: &Graph,
        step: &Step,
        scope: &Scope<'_>,
        prefix: &str,
    ) -> Result<Ran, TraceError> {
        let mut node = row(step, prefix);
        let mut read: Vec<(String, Known)> = Vec::new();
        for name in &step.reads {
            let Some(known) = scope.get(name)? else {
                node.verdict = Verdict::Skipped;
                node.message = Some(format!("not run: there is no value of `{name}`"));
                return Ok(Ran::nothing(node));
            };
            read.push((name.clone(), known));
        }
        let call = called(step, &read);
        if let Ok((call, _)) = &call {
            node.since_version = Some(call.version.since);
        } else if let Some(version) = version(step) {
            node.since_version = Some(version);
        }
        let outputs = match self.output_types(graph, step, &call) {
            Ok(outputs) => outputs,
            Err(name) => {
                node.verdict = Verdict::Unsupported;
                node.message = Some(format!(
                    "not run: the reference does not know the operator, and the model does not state the type of \
                     `{name}`"
                ));
                return Ok(Ran::nothing(node));
            }
        };
        let (mut ports, mut inputs) = (Ports { outputs, ..Ports::default() }, Vec::new());
        for (name, known) in &read {
            if let Known { value: Value::Tensor(tensor), is_constant: true } = known {
                ports.constants.push(cut::constant(name, tensor));
            } else {
                let declared = || graph.types.get(name).cloned();
                let of = type_of(&known.value).or_else(declared).unwrap_or_default();
                ports.inputs.push((name.clone(), of));
                inputs.push((name.clone(), known.value.clone()));
            }
        }
        let cut = cut::cut(graph, std::slice::from_ref(step), ports)?;
        let given: Vec<Value> = inputs.iter().map(|(_, value)| value.clone()).collect();
        let limit = call.as_ref().map_or(OUTPUT_LIMIT, |(_, types)| limit(types));
        let start = Instant::now();
        let outcome = self.ask(&cut.model, &cut.file, &given, limit);
        *self.durations.entry(node.node.clone()).or_default() += start.elapsed();
        let judged = self.judged(step, &cut, &given, &call, &outcome)?;
        judged.fill(&mut node);
        let values = match outcome {
            Outcome::Outputs(values) if values.len() == step.writes().count() => Some(values),
            _ => None,
        };
        if let Some(values) = &values {
            node.types = values.iter().map(form).collect();
            node.elements =
                values.iter().flat_map(Value::tensors).map(|it| it.elements() as u64).sum();
            (node.born, node.nan_lost) = specials_of(&read, values);
            node.went_on_with = WentOn::Backend;
        }
        let call = call.ok();
        let values = match values {
            Some(values) => values,
            None => {
                let call = call.as_ref().filter(|_| self.options.substitutes);
                let conforming = call.and_then(|(call, types)| {
                    Trial::of_call(call.clone(), types.clone()).conforming()
                });
                if conforming.is_some() {
                    node.went_on_with = WentOn::Reference;
                }
                conforming.unwrap_or_default()
            }
        };
        let values = step.writes().map(str::to_owned).zip(values).collect();
        let is_constant = read.iter().all(|(_, known)| known.is_constant);
        Ok(Ran { node, values, call, expected: None, alone: Some((cut, inputs)), is_constant })
    }

    /// The types of a node's outputs: by the reference, else by the model; or the first that is not known.
    fn output_types(
        &self,
        graph: &Graph,
        step: &Step,
        call: &Result<(Call, Vec<TensorType>), NoCall>,
    ) -> Result<Vec<(String, TypeProto)>, String> {
        if let Ok((_, types)) = call {
            let typed = |(name, of): (&str, &TensorType)| {
                (name.to_owned(), tensor_type(of.dtype, Some(&of.shape)))
            };
            return Ok(step.writes().zip(types).map(typed).collect());
        }
        let stated = |name: &str| {
            let of = graph.types.get(name).or_else(|| self.types.get(name));
            of.map(|of| (name.to_owned(), of.clone())).ok_or_else(|| name.to_owned())
        };
        step.writes().map(stated).collect()
    }

    /// The judgement of what the backend did, or the one that was made before of the same.
    fn judged(
        &mut self,
        step: &Step,
        cut: &Cut,
        given: &[Value],
        call: &Result<(Call, Vec<TensorType>), NoCall>,
        outcome: &Outcome,
    ) -> Result<Judged, TraceError> {
        // All of it is read for the key, which nothing asks for where nothing is kept.
        let key = self.checkpoint.is_kept().then(|| self.key(step, cut, given, outcome));
        if let Some(judged) = key.as_ref().and_then(|key| self.checkpoint.find(key)) {
            return Ok(judged);
        }
        let trial = match call {
            Ok((call, types)) => Trial::of_call(call.clone(), types.clone())
                .with_names(step.writes().map(str::to_owned).collect()),
            Err(_) => Trial::of_model(&cut.model, given, Suite::Onnx),
        };
        let judgement = match (call, outcome) {
            (Err(NoCall::Invalid(Invalid(why))), Outcome::Outputs(_)) => Judgement {
                message: Some(format!("by the reference the call is invalid: {why}")),
                ..trial.judge(self.options.profile, outcome)
            },
            _ => trial.sampling(self.options.sample).judge(self.options.profile, outcome),
        };
        let judged = Judged::of(judgement);
        if let Some(key) = key {
            self.checkpoint.keep(key, &judged)?;
        }
        Ok(judged)
    }

    /// What the judgement of a node is a function of.
    fn key(&self, step: &Step, cut: &Cut, given: &[Value], outcome: &Outcome) -> String {
        let mut parts = vec![Digest::of(&cut.file)];
        parts.extend(given.iter().map(|value| Digest::of(&encode_value("", value))));
        match outcome {
            Outcome::Outputs(values) => {
                parts.extend(values.iter().map(|value| Digest::of(&encode_value("", value))));
            }
            other => parts.push(Digest::of(format!("{other:?}").as_bytes())),
        }
        let options = format!(
            "{} {:?} {} {:?}",
            step.name,
            self.options.sample,
            self.options.profile.name(),
            env!("BUILD_COMMIT")
        );
        parts.push(Digest::of(options.as_bytes()));
        let parts: String = parts.iter().map(ToString::to_string).collect();
        Digest::of(parts.as_bytes()).to_string()
    }
}

/// A node of which nothing is known yet.
fn row(step: &Step, prefix: &str) -> Node {
    Node {
        node: format!("{prefix}{}", step.name),
        within: None,
        same_as_inner: None,
        outputs: step.writes().map(str::to_owned).collect(),
        inputs: step.reads.clone(),
        operator: step.operator(),
        since_version: None,
        verdict: Verdict::Skipped,
        known: None,
        message: None,
        types: Vec::new(),
        elements: 0,
        judged: 0,
        mismatches: 0,
        max_error_ulp: None,
        share_of_bound: None,
        max_abs_error: None,
        worst: None,
        born: None,
        nan_lost: false,
        went_on_with: WentOn::Nothing,
        effects: Vec::new(),
        case: None,
    }
}

/// The call that a node makes of what it reads.
fn called(step: &Step, read: &[(String, Known)]) -> Result<(Call, Vec<TensorType>), NoCall> {
    let opset = step.opset().filter(|_| step.is_standard()).ok_or(NoCall::Unknown)?;
    let operand = |name: &String| -> Result<Option<Tensor>, NoCall> {
        match read.iter().find(|(known, _)| known == name) {
            Some((_, Known { value: Value::Tensor(tensor), .. })) => Ok(Some(tensor.clone())),
            None if name.is_empty() => Ok(None),
            _ => Err(NoCall::Unknown),
        }
    };
    let operands = step.node.input.iter().map(operand).collect::<Result<_, _>>()?;
    Call::of_node(&step.node, opset, operands)
}

/// The version of a node's operator, where the reference knows it.
fn version(step: &Step) -> Option<i64> {
    use reference::operator::Domain;
    let operator = reference::operators::find(Domain::Onnx, step.node.op_type())?;
    let opset = step.opset().filter(|_| step.is_standard())?;
    Some(operator.version(opset)?.since)
}

/// What a backend may return for outputs of these types, in bytes.
fn limit(types: &[TensorType]) -> u64 {
    let bytes = types.iter().map(|of| {
        let elements = of.shape.iter().fold(1_u64, |all, &size| all.saturating_mul(size as u64));
        elements.saturating_mul(u64::from(of.dtype.bits().unwrap_or(1 << 10))) / 8
    });
    bytes.fold(OUTPUT_SLACK, |all, bytes| all.saturating_add(bytes.saturating_mul(4)))
}

/// Why there are no outputs.
pub(super) fn why(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Outputs(_) => "it returned outputs".to_owned(),
        Outcome::Refused(Refusal { kind: RefusalKind::Unsupported, message, .. }) => {
            format!("it is not supported: {message}")
        }
        Outcome::Refused(refusal) => refusal.to_string(),
        Outcome::TimedOut(time) => crate::judge::outcome::no_answer_within(*time),
        Outcome::Crashed { message } | Outcome::Fault { message } => message.clone(),
    }
}

/// Element type and shape of a value.
fn form(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => format!("{}{:?}", tensor.dtype(), tensor.shape()),
        other => other.kind().to_owned(),
    }
}

/// What is in the outputs and was not in the inputs, and whether a NaN was in the inputs and is in no output.
fn specials_of(read: &[(String, Known)], values: &[Value]) -> (Option<Born>, bool) {
    let any = |found: &mut dyn Iterator<Item = (bool, bool)>| {
        found.fold((false, false), |(nan, infinite), one| (nan || one.0, infinite || one.1))
    };
    let (nan, infinite) = any(&mut read.iter().map(|(_, known)| specials(&known.value)));
    let (has_nan, has_infinity) = any(&mut values.iter().map(specials));
    let born = match (has_nan && !nan, has_infinity && !infinite && !nan) {
        (true, _) => Some(Born::Nan),
        (false, true) => Some(Born::Infinity),
        (false, false) => None,
    };
    let has_floats = values
        .iter()
        .flat_map(Value::tensors)
        .any(|it| matches!(it.dtype().kind(), Kind::Float(_)));
    (born, nan && !has_nan && has_floats)
}

impl Judged {
    /// What a judgement says of a node.
    fn of(judgement: Judgement) -> Self {
        let Judgement { verdict, message, outputs, .. } = judgement;
        let sum = |of: fn(&OutputComparison) -> u64| outputs.iter().map(of).sum();
        let (judged, mismatches) = (sum(|it| it.elements), sum(|it| it.mismatches));
        let shown: Vec<run::Output> = outputs.iter().map(run::Output::of).collect();
        let error = outputs.iter().filter_map(|it| it.max_error).max();
        let share = run::Output::largest_share(&shown);
        let absolute = outputs.iter().filter_map(|it| it.max_abs_error).max_by(f64::total_cmp);
        // Of the outputs that do not conform the one with the largest distance, else of all.
        let worst = shown
            .iter()
            .filter_map(|output| Some((output, output.worst.first()?)))
            .max_by_key(|(output, worst)| (output.mismatches > 0, worst.ulp.is_none(), worst.ulp));
        let worst = worst.map(|(output, worst)| Worst {
            output: output.name.clone(),
            index: worst.index.clone(),
            inputs: worst.inputs.clone(),
            expected: worst.expected.clone(),
            actual: worst.actual.clone(),
            ulp: worst.ulp,
        });
        Self {
            verdict,
            message: message.map(|message| bounded(message, MESSAGE_KEPT)),
            judged,
            mismatches,
            max_error_ulp: error.map(crate::oracle::Ulps::with_fraction),
            share_of_bound: share.map(|share| share.to_string()),
            max_abs_error: absolute.map(crate::float::with_bits),
            worst,
        }
    }

    fn fill(self, node: &mut Node) {
        node.verdict = self.verdict;
        node.message = self.message;
        node.judged = self.judged;
        node.mismatches = self.mismatches;
        node.max_error_ulp = self.max_error_ulp;
        node.share_of_bound = self.share_of_bound;
        node.max_abs_error = self.max_abs_error;
        node.worst = self.worst;
    }
}
