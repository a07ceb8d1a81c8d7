//! What exact arithmetic on a model, or on a part of it, may give, whatever a backend computes.
//!
//! The reference [encloses](reference::graph) each node's results from those of the nodes before it. Where it cannot, the enclosure
//! ends, and what depends on the node is not known. Values are dropped with their last use.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use reference::graph::span::Span;
use reference::graph::{Between, Enclosed, Enclosures, Permitted};
use reference::operator::Call;

use super::TraceError;
use super::document::{Decided, Decisions, Ended};
use super::effect::{FIRST, first};
use super::values::Scope;
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::judge::compare::Element;
use crate::judge::profile::{Profile, Rule};
use crate::models::file::ModelFile;
use crate::models::graph::{Graph, Step};
use crate::models::inputs::Input;
use crate::onnx::proto::ValueInfoProto;
use crate::oracle::Ulps;
use crate::tensor::{Tensor, Value};

/// How deep graphs of nodes are entered.
const DEPTH: usize = 8;

/// A value that is enclosed, or why it is not.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) value: Result<Enclosed, Rc<Ended>>,
    /// How wide what is permitted is, as a share of the largest magnitude.
    width: f64,
    /// The node before it that widened that most, and by what factor.
    widened: Option<(Rc<str>, f64)>,
}

/// Encloses values of a model.
pub(super) struct Encloser<'a> {
    file: &'a ModelFile,
    profile: &'a Profile,
    rules: Enclosures,
}

/// The values of a graph that are known, and of those around it.
struct Level<'a> {
    scope: Scope<'a>,
    own: RefCell<BTreeMap<String, Rc<Found>>>,
    around: Option<&'a Level<'a>>,
}

impl Level<'_> {
    fn get(&self, name: &str) -> Result<Option<Rc<Found>>, TraceError> {
        if let Some(found) = self.own.borrow().get(name) {
            return Ok(Some(Rc::clone(found)));
        }
        if let Some(around) = self.around
            && let Some(found) = around.get(name)?
        {
            return Ok(Some(found));
        }
        let known = self.scope.get(name)?.map(|known| match known.value {
            Value::Tensor(tensor) => Found::known(tensor),
            other => Found::ended(Ended {
                node: None,
                operator: None,
                why: format!("`{name}` is a {}", other.kind()),
            }),
        });
        Ok(known.map(Rc::new))
    }
}

impl Found {
    fn known(tensor: Tensor) -> Self {
        Self { value: Ok(Enclosed::Known(tensor)), width: 0.0, widened: None }
    }

    fn ended(why: Ended) -> Self {
        Self { value: Err(Rc::new(why)), width: 0.0, widened: None }
    }
}

impl<'a> Encloser<'a> {
    pub(super) fn new(file: &'a ModelFile, profile: &'a Profile) -> Self {
        Self { file, profile, rules: Enclosures::default() }
    }

    /// The outputs of a model that is given these inputs; `None` where the trace was interrupted.
    pub(super) fn outputs(
        &self,
        graph: &Graph,
        given: &[Input],
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Rc<Found>>>, TraceError> {
        let wanted: Vec<String> = graph.outputs.iter().map(|it| it.name().to_owned()).collect();
        let scope = Scope::of(self.file, graph, given);
        let level = Level { scope, own: RefCell::default(), around: None };
        self.run(graph, &graph.steps, level, &wanted, 0, is_interrupted)
    }

    /// Values that some nodes compute one after the other from these.
    pub(super) fn part(
        &self,
        graph: &Graph,
        steps: &[Step],
        at: &BTreeMap<String, Value>,
        wanted: &[String],
    ) -> Result<Vec<Rc<Found>>, TraceError> {
        let scope = Scope::of(self.file, graph, &[]);
        let known = |(name, value): (&String, &Value)| match value {
            Value::Tensor(tensor) => Some((name.clone(), Rc::new(Found::known(tensor.clone())))),
            _ => None,
        };
        let own = RefCell::new(at.iter().filter_map(known).collect());
        let level = Level { scope, own, around: None };
        Ok(self.run(graph, steps, level, wanted, 0, &|| false)?.unwrap_or_default())
    }

    fn run(
        &self,
        graph: &Graph,
        steps: &[Step],
        mut level: Level<'_>,
        wanted: &[String],
        depth: usize,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Rc<Found>>>, TraceError> {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for name in steps.iter().flat_map(|step| &step.reads).chain(wanted) {
            *left.entry(name).or_default() += 1;
        }
        for step in steps {
            if is_interrupted() {
                return Ok(None);
            }
            let Some(found) = self.of_step(graph, step, &level, depth, is_interrupted)? else {
                return Ok(None);
            };
            for (name, found) in step.writes().zip(found) {
                if left.contains_key(name) {
                    level.own.borrow_mut().insert(name.to_owned(), Rc::new(found));
                }
            }
            for name in &step.reads {
                if let Some(count) = left.get_mut(name.as_str()) {
                    *count -= 1;
                    if *count == 0 {
                        level.own.borrow_mut().remove(name);
                    }
                }
            }
            level.scope.have_read(&step.reads);
        }
        let mut outputs = Vec::new();
        for name in wanted {
            let missing = || {
                let why = format!("there is no value of `{name}`");
                Rc::new(Found::ended(Ended { node: None, operator: None, why }))
            };
            outputs.push(level.get(name)?.unwrap_or_else(missing));
        }
        Ok(Some(outputs))
    }

    /// The values that a node computes; `None` where the trace was interrupted.
    fn of_step(
        &self,
        graph: &Graph,
        step: &Step,
        level: &Level<'_>,
        depth: usize,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Found>>, TraceError> {
        let ends = |why: String| {
            let ended = || Ended {
                node: Some(step.name.clone()),
                operator: Some(step.operator()),
                why: why.clone(),
            };
            step.writes().map(|_| Found::ended(ended())).collect::<Vec<_>>()
        };
        let mut operands: Vec<Option<Rc<Found>>> = Vec::new();
        for name in &step.node.input {
            operands.push(if name.is_empty() { None } else { level.get(name)? });
            if operands.last().is_some_and(Option::is_none) && !name.is_empty() {
                return Ok(Some(ends(format!("there is no value of `{name}`"))));
            }
        }
        let before = || operands.iter().flatten();
        if let Some(why) = before().find_map(|found| found.value.as_ref().err()) {
            let same = || Found { value: Err(Rc::clone(why)), width: 0.0, widened: None };
            return Ok(Some(step.writes().map(|_| same()).collect()));
        }
        if step.is_standard() && step.node.op_type() == "If" && depth < DEPTH {
            return self.of_branch(graph, step, level, &operands, depth, is_interrupted);
        }
        let Some(opset) = step.opset().filter(|_| step.is_standard()) else {
            return Ok(Some(ends("the reference does not know the operator".to_owned())));
        };
        let values: Vec<Option<&Enclosed>> = operands
            .iter()
            .map(|found| found.as_ref().and_then(|found| found.value.as_ref().ok()))
            .collect();
        let permitted = |call: &Call, dtype: DType| permitted(self.profile, call, dtype);
        let found = match self.rules.of_node(&step.node, opset, &values, &permitted) {
            Ok(found) => found,
            Err(why) => return Ok(Some(ends(why.to_string()))),
        };
        // What an exact operand has of width is half a unit in the last place of float32.
        let least = 0.5_f64.powi(24);
        let width_before = before().map(|found| found.width).fold(least, f64::max);
        let widest = before().filter_map(|found| found.widened.clone());
        let widest = widest.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let found = found.into_iter().map(|value| {
            let width = width_of(&value);
            let growth = width / width_before;
            let own = (growth > 1.0).then(|| (Rc::from(step.name.as_str()), growth));
            let own = own.filter(|(_, own)| widest.as_ref().is_none_or(|(_, most)| own > most));
            Found { value: Ok(value), width, widened: own.or_else(|| widest.clone()) }
        });
        Ok(Some(found.collect()))
    }

    /// What an If gives whose condition is certain.
    fn of_branch(
        &self,
        graph: &Graph,
        step: &Step,
        level: &Level<'_>,
        operands: &[Option<Rc<Found>>],
        depth: usize,
        is_interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Found>>, TraceError> {
        let condition = operands.first().and_then(Option::as_ref);
        let condition = condition.and_then(|found| found.value.as_ref().ok()?.tensor());
        let taken = condition.and_then(|condition| Some(condition.element(0)? == 1));
        let taken = taken.and_then(|is_true| {
            let name = if is_true { "then_branch" } else { "else_branch" };
            step.graphs().find(|(own, _)| *own == name).map(|(_, graph)| graph)
        });
        let Some(taken) = taken else {
            let why = "its condition is not certain".to_owned();
            let (node, operator) = (Some(step.name.clone()), Some(step.operator()));
            let ended = Rc::new(Ended { node, operator, why });
            let same = || Found { value: Err(Rc::clone(&ended)), width: 0.0, widened: None };
            return Ok(Some(step.writes().map(|_| same()).collect()));
        };
        let inner = graph.inner(step, taken, &level.scope.names());
        let inner =
            inner.map_err(|source| TraceError::Graph { model: self.file.path.clone(), source })?;
        let wanted: Vec<String> =
            inner.outputs.iter().map(ValueInfoProto::name).map(str::to_owned).collect();
        let scope = level.scope.inner(&inner, BTreeMap::new());
        let within = Level { scope, own: RefCell::default(), around: Some(level) };
        let found = self.run(&inner, &inner.steps, within, &wanted, depth + 1, is_interrupted)?;
        let unwrap = |found: Rc<Found>| match &found.value {
            Ok(value) => Found {
                value: Ok(value.clone()),
                width: found.width,
                widened: found.widened.clone(),
            },
            Err(why) => Found { value: Err(Rc::clone(why)), width: 0.0, widened: None },
        };
        Ok(found.map(|found| found.into_iter().map(unwrap).collect()))
    }
}

/// How far the elements of a node's output may be off under a profile.
fn permitted(profile: &Profile, call: &Call, dtype: DType) -> Permitted {
    let own = |ulps: f64| Permitted { ulps, ..Permitted::default() };
    match &profile.decision(Some(call.operator), dtype).rule {
        Rule::ExpectedBits | Rule::Exact { .. } | Rule::Accumulated => own(0.5),
        Rule::Close => Permitted { ulps: 0.5, relative: 1e-3, absolute: 1e-7 },
        Rule::CloseWidened => Permitted { ulps: 0.5, relative: 0.015_625, absolute: 1e-7 },
        // Limits that grow, or hold besides, are not followed through a graph.
        Rule::Ulp(rule) if rule.growth.is_none() && rule.absolute.is_none() => {
            own(rule.limit.as_f64())
        }
        Rule::Ulp(_) | Rule::NotApplicable { .. } => own(f64::INFINITY),
    }
}

/// How wide what is permitted is at most, as a share of the largest magnitude.
fn width_of(value: &Enclosed) -> f64 {
    let Enclosed::Between(Between { exact, allowed, .. }) = value else { return 0.0 };
    let largest = exact.iter().map(|it| it.magnitude()).fold(0.0, f64::max);
    let widths =
        allowed.iter().map(|it| if it.is_unknown() { f64::INFINITY } else { it.upper - it.lower });
    let width = widths.fold(0.0, f64::max);
    if width == 0.0 { 0.0 } else { width / largest }
}

/// What is known of an output of the model.
#[derive(Debug, Default)]
pub(super) struct OfOutput {
    pub(super) max_error_ulp: Option<String>,
    pub(super) enclosure_width_ulp: Option<String>,
    pub(super) widened_by: Option<String>,
    pub(super) enclosure_ends: Option<Ended>,
    pub(super) decisions: Option<Decisions>,
}

impl OfOutput {
    /// An output's enclosure, and what a backend gives in its place.
    pub(super) fn of(found: &Found, actual: Option<&Value>, threshold: Option<f64>) -> Self {
        let value = match &found.value {
            Ok(value) => value,
            Err(why) => {
                return Self { enclosure_ends: Some((**why).clone()), ..Self::default() };
            }
        };
        let widened_by = found.widened.as_ref().map(|(node, _)| node.to_string());
        let Some(between) = value.between() else { return Self { widened_by, ..Self::default() } };
        let actual = match actual {
            Some(Value::Tensor(actual))
                if actual.dtype() == between.dtype && actual.shape() == between.shape =>
            {
                Some(actual)
            }
            _ => None,
        };
        let numbers = actual.and_then(numbers);
        let error = numbers.as_ref().map(|numbers| error(&between, numbers));
        Self {
            max_error_ulp: error.map(Ulps::with_fraction),
            enclosure_width_ulp: width(&between).map(|width| width.to_string()),
            widened_by,
            enclosure_ends: None,
            decisions: numbers.map(|numbers| decisions(&between, &numbers, threshold)),
        }
    }
}

/// The elements of a tensor of real numbers, infinities and NaN included.
fn numbers(tensor: &Tensor) -> Option<Vec<f64>> {
    let number = |index| match Element::of(tensor, index)? {
        Element::Bits(dtype, bits) => match dtype.kind() {
            Kind::Float(format) => Some(format.to_f64(u64::try_from(bits).ok()?)),
            Kind::Int { signed, bits: width } => {
                Some(crate::dtype::integer(bits, signed, width) as f64)
            }
            Kind::Bool => Some(f64::from(u8::from(bits != 0))),
            Kind::Complex(_) | Kind::String => None,
        },
        Element::String(_) => None,
    };
    (0..tensor.elements()).map(number).collect()
}

/// Whether values are within what is permitted, each of its own; `None` where that is not known of all.
pub(super) fn hold<'v>(all: impl Iterator<Item = (&'v Rc<Found>, &'v Value)>) -> Option<bool> {
    let each: Vec<Option<bool>> = all.map(|(found, actual)| holds(found, actual)).collect();
    if each.contains(&Some(false)) { Some(false) } else { (!each.contains(&None)).then_some(true) }
}

/// Whether each number of a value is within what is permitted.
fn holds(found: &Found, actual: &Value) -> Option<bool> {
    let between = found.value.as_ref().ok()?.between()?;
    let Value::Tensor(actual) = actual else { return None };
    if actual.dtype() != between.dtype || actual.shape() != between.shape {
        return Some(false);
    }
    let numbers = numbers(actual)?;
    let mut is_known = true;
    for (span, number) in between.allowed.iter().zip(&numbers) {
        is_known &= !span.is_unknown();
        if !span.is_unknown() && !span.contains(*number) {
            return Some(false);
        }
    }
    is_known.then_some(true)
}

/// The largest distance of numbers from the nearest that exact arithmetic may give: none has a smaller error.
fn error(between: &Between, actual: &[f64]) -> Ulps {
    let each = between.exact.iter().zip(actual).map(|(span, actual)| {
        let away = (span.lower - actual).max(actual - span.upper);
        // Nothing is known of a NaN, and of what is not enclosed.
        if away > 0.0 { away.next_down() / unit(between.dtype, span.magnitude()) } else { 0.0 }
    });
    let most = each.fold(0.0, f64::max).min(2_f64.powi(100));
    Ulps::new((most * 2_f64.powi(20)).floor() as u128, true)
}

/// The unit in the last place of a number of a type; 1 of integers.
fn unit(dtype: DType, number: f64) -> f64 {
    let Kind::Float(format) = dtype.kind() else { return 1.0 };
    let least = 1 - format.bias - format.significand_bits as i32;
    let exponent = (number.abs().to_bits() >> 52) as i32 - 1023 - format.significand_bits as i32;
    2_f64.powi(exponent.max(least))
}

/// The most steps from one number of the type to the next within what an element may be; `None` where an element is not
/// enclosed, or by an infinity.
fn width(between: &Between) -> Option<u64> {
    let mut most = 0;
    for span in &between.allowed {
        if !(span.upper - span.lower).is_finite() {
            return None;
        }
        let steps = match between.dtype.kind() {
            Kind::Float(format) => {
                ordinal(format, span.upper).abs_diff(ordinal(format, span.lower))
            }
            _ => (span.upper - span.lower) as u64,
        };
        most = most.max(steps);
    }
    Some(most)
}

/// The place of the number of a format that is next to zero from here, as formats count them.
fn ordinal(format: &FloatFormat, number: f64) -> i64 {
    let unit = match format.width() {
        64 => return number.abs().to_bits().cast_signed() * if number < 0.0 { -1 } else { 1 },
        _ => {
            let least = 1 - format.bias - format.significand_bits as i32;
            let exponent = (number.abs().to_bits() >> 52) as i32 - 1023;
            (exponent - format.significand_bits as i32).max(least)
        }
    };
    let least = 1 - format.bias - format.significand_bits as i32;
    // Within a binade, the places are steps of its unit; each binade begins where the one below ends.
    let steps = (number.abs() / 2_f64.powi(unit)).floor() as i64;
    let magnitude = i64::from(unit - least) * (1 << format.significand_bits) + steps;
    if number < 0.0 { -magnitude } else { magnitude }
}

/// What is decided of an output whatever exact arithmetic gives within its enclosure.
fn decisions(between: &Between, actual: &[f64], threshold: Option<f64>) -> Decisions {
    let width = between.shape.last().copied().unwrap_or(1).max(1);
    let mut found = Decisions {
        rows: 0,
        argmax: Decided::default(),
        order: Decided::default(),
        threshold: None,
    };
    for (spans, actual) in between.exact.chunks(width).zip(actual.chunks(width)) {
        found.rows += 1;
        if actual.iter().any(|it| it.is_nan()) {
            found.argmax.add(None);
            found.order.add(None);
            continue;
        }
        let first = first(actual);
        found.argmax.add(keeps_order(spans, first.get(..1).unwrap_or_default()));
        found.order.add(keeps_order(spans, &first));
    }
    found.threshold = threshold.map(|limit| {
        let mut decided = Decided::default();
        for (span, actual) in between.exact.iter().zip(actual) {
            let is_above = *actual >= limit;
            decided.add(match () {
                () if actual.is_nan() => None,
                () if span.lower >= limit => Some(is_above),
                () if span.upper < limit => Some(!is_above),
                () => None,
            });
        }
        decided
    });
    found
}

/// Whether elements come in this order before all others; `None` where the enclosure does not decide it. Of equal ones the first
/// comes first.
fn keeps_order(spans: &[Span], first: &[usize]) -> Option<bool> {
    let comes_before = |one: usize, other: usize| -> Option<bool> {
        let (a, b) = (spans.get(one)?, spans.get(other)?);
        match () {
            () if a.lower > b.upper || a.lower == b.upper && one < other => Some(true),
            () if a.upper < b.lower || a.upper == b.lower && one > other => Some(false),
            () => None,
        }
    };
    debug_assert!(first.len() <= FIRST);
    let pairs = first.windows(2).map(|pair| (pair[0], pair[1]));
    let last = first.last().copied()?;
    let others = (0..spans.len()).filter(|at| !first.contains(at)).map(|at| (last, at));
    let mut decided = Some(true);
    for (one, other) in pairs.chain(others) {
        match comes_before(one, other) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => decided = None,
        }
    }
    decided
}

#[cfg(test)]
mod tests;
