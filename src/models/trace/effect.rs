//! What a node that is wrong does to the model's outputs: the rest of the model, once on the node's values and once on
//! those that the reference expects.

use super::TraceError;
use std::collections::{BTreeMap, BTreeSet};

use super::alone::{Ran, Tracer, why};
use super::difference::{between, number};
use super::document::Effect;
use super::values::{Known, Scope};
use crate::backend::Outcome;
use crate::float;
use crate::judge::compare::Element;
use crate::judge::{Trial, operands_of};
use crate::models::cut::{self, Ports, type_of};
use crate::models::graph::{Graph, Step};
use crate::onnx::proto::ValueInfoProto;
use crate::tensor::{Tensor, Value, element_count};

/// How many operands of a node are evaluated to have all of its values exactly.
const OPERANDS: u64 = 1 << 22;

/// The most that the outputs may take, in bytes.
const OUTPUT_LIMIT: u64 = 1 << 31;

/// How many of the largest elements of a row have to keep their order.
pub(super) const FIRST: usize = 5;

/// What the node at a place does to each output; empty where that cannot be tried.
pub(super) fn find(
    tracer: &Tracer<'_, '_>,
    graph: &Graph,
    place: usize,
    scope: &Scope<'_>,
    ran: &Ran,
) -> Result<Vec<Effect>, TraceError> {
    let Some(expected) = ran.expected.clone() else { return Ok(Vec::new()) };
    let names = ran.values.iter().map(|(name, _)| name.as_str());
    let expected: Vec<(&str, Value)> = names.clone().zip(expected).collect();
    let actual: Vec<(&str, Value)> =
        ran.values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let rest = |own: &[(&str, Value)]| rest(tracer, graph, place, scope, own);
    let (Some(expected), Some(actual)) = (rest(&expected)?, rest(&actual)?) else {
        return Ok(Vec::new());
    };
    let threshold = tracer.options.threshold;
    let pairs = graph.outputs.iter().zip(actual.iter().zip(&expected));
    let effect = |(output, (actual, expected)): (&ValueInfoProto, _)| {
        of_output(output.name(), actual, expected, threshold)
    };
    Ok(pairs.map(effect).collect())
}

/// The values that the reference expects of a node, where they do not take long and are of the form of its own.
pub(super) fn expected(ran: &Ran) -> Option<Vec<Value>> {
    let (call, types) = ran.call.as_ref()?;
    let allowed = call.operator.reference.allowed(call, types);
    let mut operands = 0_u64;
    for (allowed, of) in allowed.iter().zip(types) {
        let elements = element_count(&of.shape).ok()?;
        operands = operands.saturating_add(operands_of(call.operator.kind, &**allowed, elements));
    }
    drop(allowed);
    if operands > OPERANDS || ran.values.len() != types.len() {
        return None;
    }
    let expected = Trial::of_call(call.clone(), types.clone()).conforming()?;
    let fits = expected.iter().zip(&ran.values).all(|(a, (_, b))| match (a, b) {
        (Value::Tensor(a), Value::Tensor(b)) => a.dtype() == b.dtype() && a.shape() == b.shape(),
        _ => false,
    });
    fits.then_some(expected)
}

/// The outputs of the nodes behind a place, on the values there and these of the node itself; `None` where the backend gives
/// none.
fn rest(
    tracer: &Tracer<'_, '_>,
    graph: &Graph,
    place: usize,
    scope: &Scope<'_>,
    own: &[(&str, Value)],
) -> Result<Option<Vec<Value>>, TraceError> {
    let steps = graph.steps.get(place + 1..).unwrap_or_default();
    let known = |name: &str| -> Result<Option<Known>, TraceError> {
        match own.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => Ok(Some(Known { value: value.clone(), is_constant: false })),
            None => scope.get(name),
        }
    };
    let computed = wanted(graph, steps);
    let Ok(outputs) = segment(tracer, graph, steps, &known, &computed)? else { return Ok(None) };
    let given: BTreeMap<String, Value> = computed.into_iter().zip(outputs).collect();
    let mut all = Vec::new();
    for output in &graph.outputs {
        let value = match given.get(output.name()) {
            Some(value) => Some(value.clone()),
            None => known(output.name())?.map(|known| known.value),
        };
        let Some(value) = value else { return Ok(None) };
        all.push(value);
    }
    Ok(Some(all))
}

/// The outputs of a graph that these of its nodes compute.
fn wanted(graph: &Graph, steps: &[Step]) -> Vec<String> {
    let names = graph.outputs.iter().map(ValueInfoProto::name);
    let is_computed = |name: &&str| steps.iter().flat_map(Step::writes).any(|it| it == *name);
    names.filter(is_computed).map(str::to_owned).collect()
}

/// What some nodes that follow each other compute as one model, or why they do not.
pub(super) type Computed = Result<Vec<Value>, String>;

/// What some nodes that follow each other compute as one model, of which these values are wanted.
pub(super) fn segment(
    tracer: &Tracer<'_, '_>,
    graph: &Graph,
    steps: &[Step],
    known: &dyn Fn(&str) -> Result<Option<Known>, TraceError>,
    wanted: &[String],
) -> Result<Computed, TraceError> {
    if wanted.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let computed: BTreeSet<&str> = steps.iter().flat_map(Step::writes).collect();
    let mut read: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for name in steps.iter().flat_map(|step| &step.reads) {
        if !computed.contains(name.as_str()) && seen.insert(name.as_str()) {
            read.push(name);
        }
    }
    let no_value = |name: &str| Ok(Err(format!("there is no value of `{name}`")));
    let no_type = |name: &str| Ok(Err(format!("the type of `{name}` is not known")));
    let (mut ports, mut inputs) = (Ports::default(), Vec::new());
    for name in read {
        match known(name)? {
            Some(Known { value: Value::Tensor(tensor), is_constant: true }) => {
                ports.constants.push(cut::constant(name, &tensor));
            }
            Some(Known { value, .. }) => {
                let stated = || graph.types.get(name).cloned();
                let Some(of) = type_of(&value).or_else(stated) else { return no_type(name) };
                ports.inputs.push((name.to_owned(), of));
                inputs.push(value);
            }
            None => return no_value(name),
        }
    }
    for name in wanted {
        let Some(of) = tracer.type_of(graph, name) else { return no_type(name) };
        ports.outputs.push((name.clone(), of));
    }
    // Functions of other operator sets cannot be one model with the rest.
    let cut = match cut::cut(graph, steps, ports) {
        Ok(cut) => cut,
        Err(error) => return Ok(Err(error.to_string())),
    };
    Ok(match tracer.ask(&cut.model, &cut.file, &inputs, OUTPUT_LIMIT) {
        Outcome::Outputs(values) if values.len() == wanted.len() => Ok(values),
        outcome => Err(why(&outcome)),
    })
}

fn of_output(name: &str, actual: &Value, expected: &Value, threshold: Option<f64>) -> Effect {
    let difference = between(actual, expected);
    let mut effect = Effect {
        output: name.to_owned(),
        max_ulp: difference.max_ulp,
        max_abs: difference.max_abs.map(float::with_bits),
        rows: 0,
        argmax_changed: 0,
        order_changed: 0,
        threshold_crossed: None,
    };
    let (Value::Tensor(actual), Value::Tensor(expected)) = (actual, expected) else {
        return effect;
    };
    if actual.shape() != expected.shape() {
        return effect;
    }
    let [a, b] = [actual, expected].map(numbers);
    let (Some(a), Some(b)) = (a, b) else { return effect };
    let width = actual.shape().last().copied().unwrap_or(1).max(1);
    for (a, b) in a.chunks(width).zip(b.chunks(width)) {
        effect.rows += 1;
        let [a, b] = [a, b].map(first);
        effect.argmax_changed += u64::from(a.first() != b.first());
        effect.order_changed += u64::from(a != b);
    }
    effect.threshold_crossed = threshold.map(|limit| {
        let crossed = a.iter().zip(&b).filter(|(a, b)| (**a >= limit) != (**b >= limit));
        crossed.count() as u64
    });
    effect
}

/// The elements of a tensor as numbers, where all are.
fn numbers(tensor: &Tensor) -> Option<Vec<f64>> {
    (0..tensor.elements()).map(|index| number(&Element::of(tensor, index)?)).collect()
}

/// The places of the largest elements of a row, the largest first, the first of equal ones before the others.
pub(super) fn first(row: &[f64]) -> Vec<usize> {
    let mut first: Vec<usize> = Vec::with_capacity(FIRST + 1);
    for (place, value) in row.iter().enumerate() {
        let at = first.partition_point(|&known| row[known] >= *value);
        if at < FIRST {
            first.insert(at, place);
            first.truncate(FIRST);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_of_an_output_are_counted_where_they_change() {
        let of = |values: [f32; 6]| Tensor::from_vec(vec![2, 3], values.to_vec()).unwrap().into();
        let expected: Value = of([0.1, 0.5, 0.4, 0.2, 0.3, 0.9]);
        let actual: Value = of([0.1, 0.4, 0.5, 0.3, 0.2, 0.9]);
        let effect = of_output("y", &actual, &expected, Some(0.45));
        assert_eq!((effect.rows, effect.argmax_changed, effect.order_changed), (2, 1, 2));
        assert_eq!(effect.threshold_crossed, Some(2));
        let same = of_output("y", &expected, &expected, None);
        assert_eq!((same.argmax_changed, same.order_changed, same.max_ulp), (0, 0, Some(0)));
        assert_eq!(same.threshold_crossed, None);
    }

    #[test]
    fn of_equal_elements_the_first_is_the_largest() {
        assert_eq!(first(&[1.0, 3.0, 3.0, 2.0]), [1, 2, 3, 0]);
        assert_eq!(first(&[7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 8.0]), [6, 0, 1, 2, 3]);
    }
}
