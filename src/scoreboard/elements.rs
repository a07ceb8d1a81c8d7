//! The elements of a case side by side: what every backend returned, as far as reports tell.
//!
//! A report holds of an output the first elements that came back and the worst of those that differ
//! from the expected bits. Where it holds fewer of the worst than it would keep, and nothing was
//! left undecided, every other element has the expected bits; so an element that one report tells
//! to be expected is known of others too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::case_specs::{CaseSpec, Inputs};
use super::divergences;
use super::document::{Answer, Element as Row, Output as Rows};
use super::shown::{allowed, bits};
use crate::compare::{self, Element, WORST_KEPT};
use crate::dtype::DType;
use crate::oracle::Conforming;
use crate::report::document::{Case, Output, Worst};
use crate::report::text::decimal_and_bits;
use crate::suite::Suite;
use crate::tensor::{coordinates, element_count, row_major};
use reference::elementwise::Elementwise;
use reference::operator::Attributes;
use reference::operators;

/// The outputs of a case, from its cells in the reports.
pub(super) fn of(cells: &[Option<&Case>], spec: Option<&CaseSpec>) -> Vec<Rows> {
    let cases = || cells.iter().flatten();
    let mut names = Vec::<&str>::new();
    for output in cases().flat_map(|case| &case.outputs) {
        if !names.contains(&output.name.as_str()) {
            names.push(&output.name);
        }
    }
    let function = cases().find_map(|case| function(&case.operator, &case.suite));
    let only = names.len() == 1;
    let rows = |name: &&str| {
        let inputs = spec.and_then(|spec| spec.inputs.as_ref());
        Side::of(cells, name, function.as_deref(), spec.filter(|_| only), inputs.filter(|_| only))?
            .into_rows(name)
    };
    names.iter().filter_map(rows).collect()
}

/// The first elements of an output that cannot be set beside the others': it has another type or
/// shape than what they agree on.
pub(super) fn unaligned(case: &Case, outputs: &[Rows]) -> Vec<String> {
    let is_aligned = |output: &Output| {
        outputs.iter().any(|rows| {
            rows.name == output.name && rows.shape == output.shape && covers_its_shape(output)
        })
    };
    let others = case.outputs.iter().filter(|output| !is_aligned(output));
    others.flat_map(|output| output.returned.iter().cloned()).collect()
}

/// The function that a case's operands, where a report tells of them, went through: that of an
/// element-wise operator of ONNX without attributes. Reports do not tell those.
pub(super) fn function(operator: &str, suite: &str) -> Option<Box<dyn Elementwise>> {
    let known = operators::onnx().find(|known| known.name == operator)?;
    let specification = Suite::named(suite).ok()?.specification();
    known.reference.elementwise(specification, &Attributes::new())
}

/// One output in all reports.
struct Side<'a> {
    type_name: &'a str,
    shape: Vec<usize>,
    length: usize,
    /// The outputs of this shape by backend, each with its worst elements by place.
    outputs: BTreeMap<usize, (&'a Output, BTreeMap<usize, &'a Worst>)>,
    function: Option<&'a dyn Elementwise>,
    inputs: Option<&'a Inputs>,
    spec: Option<&'a CaseSpec>,
}

impl<'a> Side<'a> {
    fn of(
        cells: &[Option<&'a Case>],
        name: &str,
        function: Option<&'a dyn Elementwise>,
        spec: Option<&'a CaseSpec>,
        inputs: Option<&'a Inputs>,
    ) -> Option<Self> {
        let named = || {
            let outputs = cells.iter().enumerate().filter_map(|(at, cell)| Some((at, (*cell)?)));
            outputs.flat_map(|(at, case)| case.outputs.iter().map(move |output| (at, output)))
        };
        let aligned =
            |(_, output): &(usize, &Output)| output.name == name && covers_its_shape(output);
        let (_, first) = named().find(aligned)?;
        let shape = narrow(&first.shape)?;
        let of_shape = |(_, output): &(usize, &Output)| output.shape == first.shape;
        let outputs = named().filter(aligned).filter(of_shape).map(|(at, output)| {
            let place =
                |worst: &'a Worst| Some((row_major(&narrow(&worst.index)?, &shape)?, worst));
            (at, (output, output.worst.iter().filter_map(place).collect()))
        });
        Some(Self {
            type_name: &first.type_name,
            length: element_count(&shape).ok()?,
            outputs: outputs.collect(),
            function,
            inputs: inputs.filter(|inputs| inputs.shape == shape),
            spec,
            shape,
        })
    }

    fn into_rows(self, name: &str) -> Option<Rows> {
        let mut places = self.inputs.map_or_else(BTreeSet::new, divergences::places);
        for (output, worst) in self.outputs.values() {
            places.extend(0..output.returned.len().min(self.length));
            places.extend(worst.keys().copied());
        }
        Some(Rows {
            name: name.to_owned(),
            type_name: self.type_name.to_owned(),
            shape: widen(&self.shape),
            elements: places
                .into_iter()
                .map(|place| self.row(place))
                .filter(|row| !row.answers.is_empty())
                .collect(),
        })
    }

    fn row(&self, place: usize) -> Row {
        let expected = self.expected(place);
        let operands = self.operands(place);
        let dtype: Option<DType> = self.type_name.parse().ok();
        let known = self.inputs.and_then(|inputs| inputs.allowed.get(place).cloned());
        let conforming =
            known.or_else(|| Some(self.function?.conforming(dtype?, operands.as_deref()?)));
        let mut answers = BTreeMap::<String, Vec<usize>>::new();
        for (&backend, (output, worst)) in &self.outputs {
            let value = match worst.get(&place) {
                Some(worst) => Some(worst.actual.as_str()),
                None => output.returned.get(place).map(String::as_str),
            };
            let value = value.or(expected.as_deref().filter(|expected| implies(output, expected)));
            if let Some(value) = value {
                answers.entry(value.to_owned()).or_default().push(backend);
            }
        }
        let answer = |(value, backends): (String, Vec<usize>)| {
            let bits = dtype.and_then(|dtype| bits(dtype, &value));
            let conforms = conforming.as_ref().and_then(|known| accepts(known, bits?));
            Answer { value, backends, conforms }
        };
        let mut answers: Vec<_> = answers.into_iter().map(answer).collect();
        answers.sort_by_key(|answer| {
            (Reverse(answer.backends.len()), answer.backends.first().copied())
        });
        Row {
            index: widen(&coordinates(place, &self.shape)),
            inputs: operands.map_or_else(
                || self.recorded(place).map_or_else(Vec::new, |worst| worst.inputs.clone()),
                |operands| operands.iter().map(ToString::to_string).collect(),
            ),
            expected,
            oracle: dtype.zip(conforming.as_ref()).map(|(dtype, known)| allowed(dtype, known)),
            answers,
        }
    }

    /// What a report says of an element that differs in it.
    fn recorded(&self, place: usize) -> Option<&'a Worst> {
        self.outputs.values().find_map(|(_, worst)| worst.get(&place).copied())
    }

    fn operands(&self, place: usize) -> Option<Vec<Element>> {
        if let Some(inputs) = self.inputs {
            return inputs.operands.get(place).cloned();
        }
        let dtype: DType = self.type_name.parse().ok()?;
        let inputs = &self.recorded(place)?.inputs;
        let operand = |text: &String| Some(Element::Bits(dtype, bits(dtype, text)?.into()));
        Some(inputs.iter().map(operand).collect::<Option<Vec<_>>>()?).filter(|all| !all.is_empty())
    }

    fn expected(&self, place: usize) -> Option<String> {
        if let Some(expected) = self.spec.and_then(|spec| spec.expected.as_ref())
            && expected.shape() == self.shape
        {
            return compare::Element::of(expected, place).map(|element| element.to_string());
        }
        if let Some(worst) = self.recorded(place) {
            return Some(worst.expected.clone());
        }
        let complete = self.outputs.values().find(|(output, _)| is_complete(output));
        complete.and_then(|(output, _)| output.returned.get(place).cloned())
    }
}

/// Whether the output has an element for each place of its shape: another type or shape came back
/// otherwise.
fn covers_its_shape(output: &Output) -> bool {
    let length = narrow(&output.shape).and_then(|shape| element_count(&shape).ok());
    length.is_some_and(|length| {
        output.elements.checked_add(output.undecided) == Some(length as u64)
            && output.returned.len() <= length
            && (length == 0 || !output.returned.is_empty())
    })
}

/// Whether every element that differs from the expected bits is recorded.
const fn is_complete(output: &Output) -> bool {
    output.undecided == 0 && output.worst.len() < WORST_KEPT
}

/// Whether an element that an output's report does not hold has the expected bits. Where the report
/// holds all it keeps, the last one kept tells: if that conforms and is 0 ULP away, as only NaNs and
/// zeros of other bits are, no other kind of element differs.
fn implies(output: &Output, expected: &str) -> bool {
    let is_number = || !matches!(decimal_and_bits(expected).0, "NaN" | "0" | "-0");
    let only_signs = || {
        output.undecided == 0
            && output.mismatches < output.worst.len() as u64
            && output.worst.last().is_some_and(|last| last.ulp == Some(0))
    };
    is_complete(output) || (only_signs() && is_number())
}

/// Whether the reference allows an element; `None` where it leaves the result open, unless it is the
/// one value that a refusal stands beside.
fn accepts(conforming: &Conforming, bits: u64) -> Option<bool> {
    conforming.is_decided().then(|| conforming.accepts(bits))
}

fn narrow(dims: &[u64]) -> Option<Vec<usize>> {
    dims.iter().map(|&dim| usize::try_from(dim).ok()).collect()
}

fn widen(dims: &[usize]) -> Vec<u64> {
    dims.iter().map(|&dim| dim as u64).collect()
}
