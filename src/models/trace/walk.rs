//! The walk over a graph: its nodes one by one, and those of the graphs that nodes hold.

use std::collections::BTreeMap;

use super::alone::{Ran, Tracer};
use super::document::WentOn;
use super::values::{Known, Scope};
use super::{Event, TraceError, effect, write};
use crate::corpus::Digest;
use crate::models::graph::{Graph, Step};
use crate::onnx::encode_value;
use crate::onnx::proto::GraphProto;
use crate::tensor::Value;

/// How deep graphs of nodes are entered.
const DEPTH: usize = 8;

/// Runs the nodes of a graph, each on the values of those before it.
pub(super) fn walk(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    scope: &mut Scope<'_>,
    prefix: &str,
) -> Result<(), TraceError> {
    let is_outermost = prefix.is_empty();
    for (place, step) in graph.steps.iter().enumerate() {
        if tracer.options.is_interrupted() {
            let (done, nodes) = (place, graph.steps.len());
            return Err(TraceError::Interrupted { done, nodes });
        }
        let mut ran = tracer.alone(graph, step, scope, prefix)?;
        if ran.node.verdict.is_failure() {
            if is_outermost && tracer.effects_left > 0 {
                ran.node.effects = effect::find(tracer, graph, place, scope, &ran)?;
                tracer.effects_left -= usize::from(!ran.node.effects.is_empty());
            }
            if tracer.cases_left > 0 {
                write::add_case(tracer, step, &mut ran);
            }
        }
        let Ran { node, values, .. } = ran;
        (tracer.on_event)(Event::Node(&node));
        let all_constant = step.reads.iter().try_fold(true, |all, name| {
            Ok::<_, TraceError>(all && scope.get(name)?.is_some_and(|known| known.is_constant))
        })?;
        if is_outermost {
            values.iter().for_each(|(name, value)| tracer.has_type(name, value));
        }
        if is_outermost && node.went_on_with == WentOn::Backend {
            for (name, value) in &values {
                tracer.digests.insert(name.clone(), Digest::of(&encode_value("", value)));
            }
        }
        tracer.nodes.push(node);
        enter(tracer, graph, step, scope, prefix)?;
        for (name, value) in values {
            scope.insert(&name, Known { value, is_constant: all_constant });
        }
        scope.have_read(&step.reads);
    }
    Ok(())
}

/// Walks the graph of an If that is taken.
fn enter(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    step: &Step,
    scope: &Scope<'_>,
    prefix: &str,
) -> Result<(), TraceError> {
    if !step.is_standard() || step.node.op_type() != "If" || prefix.matches('/').count() >= DEPTH {
        return Ok(());
    }
    let condition = step.node.input.first().map_or(Ok(None), |name| scope.get(name))?;
    let Some(Known { value: Value::Tensor(condition), .. }) = condition else { return Ok(()) };
    let taken = if condition.element(0) == Some(1) { "then_branch" } else { "else_branch" };
    let Some((_, inner)) = step.graphs().find(|(name, _)| *name == taken) else { return Ok(()) };
    walk_inner(
        tracer,
        graph,
        step,
        inner,
        scope,
        BTreeMap::new(),
        &format!("{prefix}{}/", step.name),
    )
}

fn walk_inner(
    tracer: &mut Tracer<'_, '_>,
    graph: &Graph,
    step: &Step,
    inner: &GraphProto,
    scope: &Scope<'_>,
    given: BTreeMap<String, Known>,
    prefix: &str,
) -> Result<(), TraceError> {
    let inner = graph
        .inner(step, inner, &scope.names())
        .map_err(|source| TraceError::Graph { model: tracer.file.path.clone(), source })?;
    let mut scope = scope.inner(&inner, given);
    walk(tracer, &inner, &mut scope, prefix)
}
