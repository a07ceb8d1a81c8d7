//! The elements of a case side by side: what every backend returned, as far as reports tell.
//!
//! A report holds of an output the first elements that came back and the worst of those that differ
//! from the expected bits. Where it holds fewer of the worst than it would keep, and nothing was
//! left undecided, every other element has the expected bits; so an element that one report tells
//! to be expected is known of others too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::divergences::KnownDivergences;
use super::document::{Answer, Element as Row, Output as Rows};
use super::known::{self, CaseSpec, Function, bits, read};
use crate::document::text::decimal_and_bits;
use crate::documents::report::document::{Case, Output, Worst};
use crate::dtype::DType;
use crate::judge::compare::{Element, WORST_KEPT, operands_shown};
use crate::judge::verdict::allowed;
use crate::oracle::Conforming;
use crate::run::widen;
use crate::tensor::{Value, coordinates, element_count, row_major};

/// The outputs of a case, from its cells in the reports, with the elements that known divergences are about.
pub(super) fn of(
    cells: &[Option<&Case>],
    spec: Option<&CaseSpec>,
    divergences: &KnownDivergences,
) -> Vec<Rows> {
    let cases = || cells.iter().flatten();
    let mut names = Vec::<&str>::new();
    for output in cases().flat_map(|case| &case.outputs) {
        if !names.contains(&output.name.as_str()) {
            names.push(&output.name);
        }
    }
    let function = cases().find_map(|case| Function::named(&case.operator, &case.suite));
    let single = spec.filter(|_| names.len() == 1);
    let asked = single.map_or_else(BTreeSet::new, |spec| divergences.places(spec));
    let rows = |name: &&str| {
        let at = spec.and_then(|spec| Some((spec, spec.place(name, names.len() == 1)?)));
        Some(Side::of(cells, name, function.as_ref(), at)?.into_rows(name, &asked))
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

struct Side<'a> {
    type_name: &'a str,
    dtype: Option<DType>,
    shape: Vec<usize>,
    length: usize,
    /// The outputs of this shape by backend, each with its worst elements by place.
    outputs: BTreeMap<usize, (&'a Output, BTreeMap<usize, &'a Worst>)>,
    function: Option<&'a Function>,
    known: Option<known::Output<'a>>,
    /// What the case expects of it.
    asked: Option<&'a Value>,
}

impl<'a> Side<'a> {
    fn of(
        cells: &[Option<&'a Case>],
        name: &str,
        function: Option<&'a Function>,
        at: Option<(&'a CaseSpec, usize)>,
    ) -> Option<Self> {
        let named = || {
            let outputs = cells.iter().enumerate().filter_map(|(at, cell)| Some((at, (*cell)?)));
            outputs
                .flat_map(|(at, case)| case.outputs.iter().map(move |output| (at, output)))
                .filter(|(_, output)| output.name == name && covers_its_shape(output))
        };
        let (_, first) = named().next()?;
        let shape = narrow(&first.shape)?;
        let of_shape = named().filter(|(_, output)| output.shape == first.shape);
        let outputs = of_shape.map(|(at, output)| {
            let place =
                |worst: &'a Worst| Some((row_major(&narrow(&worst.index)?, &shape)?, worst));
            (at, (output, output.worst.iter().filter_map(place).collect()))
        });
        Some(Self {
            type_name: &first.type_name,
            dtype: first.type_name.parse().ok(),
            length: element_count(&shape).ok()?,
            outputs: outputs.collect(),
            function,
            known: at
                .and_then(|(spec, place)| spec.output_at(place))
                .filter(|output| output.shape == shape && output.dtype.name() == first.type_name),
            asked: at.and_then(|(spec, place)| spec.expected_at(place)),
            shape,
        })
    }

    fn into_rows(self, name: &str, asked: &BTreeSet<usize>) -> Rows {
        let mut places = self.known.as_ref().map_or_else(BTreeSet::new, |_| asked.clone());
        for (output, worst) in self.outputs.values() {
            places.extend(0..output.returned.len().min(self.length));
            places.extend(worst.keys().copied());
        }
        let rows = places.into_iter().map(|place| self.row(place));
        Rows {
            name: name.to_owned(),
            type_name: self.type_name.to_owned(),
            shape: widen(&self.shape),
            elements: rows.filter(|row| !row.answers.is_empty()).collect(),
        }
    }

    fn row(&self, place: usize) -> Row {
        let expected = self.expected(place);
        let recorded = self.outputs.values().find_map(|(_, worst)| worst.get(&place).copied());
        let oracle = self.oracle(place, recorded);
        let mut answers = BTreeMap::<&str, Vec<usize>>::new();
        for (&backend, (output, worst)) in &self.outputs {
            let value = match worst.get(&place) {
                Some(worst) => Some(worst.actual.as_str()),
                None => output.returned.get(place).map(String::as_str),
            };
            let value = value.or(expected.as_deref().filter(|expected| implies(output, expected)));
            if let Some(value) = value {
                answers.entry(value).or_default().push(backend);
            }
        }
        let answer = |(value, backends): (&str, Vec<usize>)| {
            let bits = self.dtype.and_then(|dtype| bits(dtype, value));
            // Where the reference leaves the result open, it decides nothing but the one value that a
            // refusal stands beside.
            let decided = oracle.as_ref().filter(|(_, conforming)| conforming.is_decided());
            let conforms = decided.and_then(|(_, conforming)| Some(conforming.accepts(bits?)));
            Answer { value: value.to_owned(), backends, conforms }
        };
        let mut answers: Vec<_> = answers.into_iter().map(answer).collect();
        answers.sort_by_key(|answer| {
            (Reverse(answer.backends.len()), answer.backends.first().copied())
        });
        let inputs = match (&oracle, recorded) {
            (Some((operands, _)), _) => operands_shown(operands),
            (None, Some(worst)) => worst.inputs.clone(),
            (None, None) => Vec::new(),
        };
        let allowed = |(dtype, (_, conforming)): (_, &(_, Conforming))| {
            allowed(&Element::Bits(dtype, 0), conforming)
        };
        Row {
            index: widen(&coordinates(place, &self.shape)),
            inputs,
            expected,
            oracle: self.dtype.zip(oracle.as_ref()).map(allowed),
            answers,
        }
    }

    /// The operands of an element, and what conforms: by the reference where it knows the case, else by
    /// the function of the operands that a report tells of an element that differs.
    fn oracle(&self, place: usize, recorded: Option<&Worst>) -> Option<(Vec<Element>, Conforming)> {
        if let Some(known) = &self.known {
            return Some((known.allowed.operands(place), known.allowed.at(place)));
        }
        let dtype = self.dtype?;
        let operands = read(dtype, &recorded?.inputs).filter(|operands| !operands.is_empty())?;
        let conforming = self.function?.elementwise.conforming(dtype, &operands);
        Some((operands, conforming))
    }

    fn expected(&self, place: usize) -> Option<String> {
        if let Some(Value::Tensor(expected)) = self.asked
            && expected.shape() == self.shape
        {
            return Element::of(expected, place).map(|element| element.to_string());
        }
        if let Some(worst) = self.outputs.values().find_map(|(_, worst)| worst.get(&place)) {
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

fn narrow(dims: &[u64]) -> Option<Vec<usize>> {
    dims.iter().map(|&dim| usize::try_from(dim).ok()).collect()
}
