//! The hard questions: matters in which implementations are known to differ, and what each backend
//! did with the cases that ask them.
//!
//! A case asks a question where an element's operands do. Operands are known of the project's own
//! suites, and elsewhere of the elements that some report shows as different.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::adjudicate;
use super::case_specs::{CaseSpec, Inputs};
use super::document::{Behaviour, Case, Cell, Element, HardCase, HardQuestion};
use super::shown::{allowed, bits};
use crate::case::Expect;
use crate::compare;
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;
use crate::tensor::coordinates;
use crate::verdict::Verdict;
use reference::operator::{AttributeValue, Attributes};
use reference::operator::{Domain, Operator};
use reference::operators::{self, div::DIV};

/// Elements of a case that are shown.
const SHOWN: usize = 3;

/// How a division rounds the quotients of integers.
#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    Down,
    TowardsZero,
}

/// A kind of operands.
struct KnownDivergence {
    id: &'static str,
    title: &'static str,
    explanation: &'static str,
    matches: fn(Rounding, DType, u64, u64) -> bool,
}

const KNOWN: [KnownDivergence; 6] = [
    KnownDivergence {
        id: "minimum_by_minus_one",
        title: "The minimum of a signed type divided by -1",
        explanation: "No value of the type is the quotient, and no document decides. The wrapped \
                      value and a refusal conform by this project's decision.",
        matches: |_, dtype, a, b| {
            int(dtype, a, b).is_some_and(|[a, b]| b == -1 && Some(a) == minimum(dtype))
        },
    },
    KnownDivergence {
        id: "integer_by_zero",
        title: "Integers divided by zero",
        explanation: "Outside the domain of every specification here: whatever comes back is \
                      recorded and not judged.",
        matches: |_, dtype, a, b| int(dtype, a, b).is_some_and(|[_, b]| b == 0),
    },
    KnownDivergence {
        id: "float_by_zero",
        title: "Floating-point numbers divided by zero",
        explanation: "By IEEE 754 an infinity of the sign of both operands, or NaN where the \
                      dividend is zero or NaN. Divide-1 leaves it undecided, and the SONNX draft 0/0.",
        matches: |_, dtype, _, b| matches!(dtype.kind(), Kind::Float(format) if format.class(b) == Class::Zero),
    },
    KnownDivergence {
        id: "beyond_2_53",
        title: "64-bit integers beyond 2^53",
        explanation: "The quotient is that of the integers. An implementation that goes through \
                      binary64 loses their last bits.",
        matches: |_, dtype, a, b| {
            let is_large = |value: i128| value.unsigned_abs() > 1 << 53;
            matches!(dtype.kind(), Kind::Int { bits: 64, .. })
                && int(dtype, a, b).is_some_and(|[a, b]| {
                    (is_large(a) || is_large(b))
                        && b != 0
                        && !(b == -1 && Some(a) == minimum(dtype))
                })
        },
    },
    KnownDivergence {
        id: "pythondiv",
        title: "m_pythondiv: negative quotients rounded down",
        explanation: "Divide-1 with m_pythondiv, which is its default, rounds the quotient of \
                      integers down: -7 / 2 is -4. Elsewhere it is -3.",
        matches: |rounding, dtype, a, b| {
            rounding == Rounding::Down
                && int(dtype, a, b).is_some_and(|[a, b]| b != 0 && (a < 0) != (b < 0) && a % b != 0)
        },
    },
    KnownDivergence {
        id: "float32_quotients",
        title: "float32 quotients, rounded correctly",
        explanation: "Finite operands have one conforming float32 quotient, rounded from the exact \
                      one. Multiplication by a reciprocal and flushing of subnormal numbers miss it.",
        matches: |_, dtype, a, b| {
            let Kind::Float(format) = dtype.kind() else { return false };
            let is_number = |x| matches!(format.class(x), Class::Normal | Class::Subnormal);
            dtype == DType::Float32 && is_number(a) && is_number(b)
        },
    },
];

/// The hard questions, with the cases that ask them.
pub(super) fn hard_questions(
    columns: usize,
    cases: &[Case],
    specs: &BTreeMap<String, CaseSpec>,
) -> Vec<HardQuestion> {
    let question = |divergence: &KnownDivergence| {
        let cases: Vec<HardCase> = cases
            .iter()
            .filter_map(|case| {
                let spec = specs.get(&case.id);
                // What is refused for its types or shapes asks nothing of its operands.
                if spec.is_some_and(|spec| spec.expect == Expect::Refusal) {
                    return None;
                }
                let inputs = spec.and_then(|spec| spec.inputs.as_ref());
                divergence.of_case(case, inputs)
            })
            .collect();
        let counts = |column: usize| {
            let mut counts = BTreeMap::new();
            for case in &cases {
                if let Some(behaviour) = case.backends.get(column) {
                    *counts.entry(*behaviour).or_default() += 1;
                }
            }
            counts
        };
        HardQuestion {
            id: divergence.id.to_owned(),
            title: divergence.title.to_owned(),
            explanation: divergence.explanation.to_owned(),
            backends: (0..columns).map(counts).collect(),
            cases,
        }
    };
    KNOWN.iter().map(question).collect()
}

/// The first few elements that ask each question: those that are looked at in any case.
pub(super) fn places(inputs: &Inputs) -> BTreeSet<usize> {
    KNOWN.iter().flat_map(|divergence| divergence.places(inputs)).collect()
}

impl KnownDivergence {
    /// Whether a division of these elements asks it.
    fn is_matched(&self, division: Division<'_>, operands: &[compare::Element]) -> bool {
        let [compare::Element::Bits(dtype, a), compare::Element::Bits(other, b)] = operands else {
            return false;
        };
        division.operator.judged_as == DIV.name
            && dtype == other
            && (self.matches)(division.rounding(), *dtype, *a as u64, *b as u64)
    }

    /// The first few elements that ask the question.
    fn places(&self, inputs: &Inputs) -> impl Iterator<Item = usize> {
        let places = inputs.operands.iter().enumerate();
        let asks = |(_, operands): &(usize, &Vec<_>)| self.is_matched(inputs.into(), operands);
        places.filter(asks).map(|(at, _)| at).take(SHOWN)
    }

    /// The case, where it asks the question.
    fn of_case(&self, case: &Case, inputs: Option<&Inputs>) -> Option<HardCase> {
        let recorded = case.outputs.iter().flat_map(|output| {
            let dtype: Option<DType> = output.type_name.parse().ok();
            let asks = move |element: &&Element| {
                let known = dtype.and_then(|dtype| division(case, inputs, dtype, element));
                known.is_some_and(|(division, operands)| self.is_matched(division, &operands))
            };
            output.elements.iter().filter(asks)
        });
        let mut elements: Vec<Element> = recorded.cloned().collect();
        if let Some(inputs) = inputs.filter(|_| elements.is_empty()) {
            elements = self.places(inputs).map(|at| unanswered(inputs, at)).collect();
        }
        if elements.is_empty() {
            return None;
        }
        let behaviour = |(at, cell): (usize, &Option<Cell>)| match cell {
            Some(cell) => behaviour(cell, at, &elements),
            None => Behaviour::NotAsked,
        };
        let backends = case.backends.iter().enumerate().map(behaviour).collect();
        elements.sort_by_key(|element| Reverse(element.answers.len()));
        elements.truncate(SHOWN);
        Some(HardCase { case: case.id.clone(), backends, elements })
    }
}

/// An operator that may be a division, with the attributes that are known.
#[derive(Clone, Copy)]
struct Division<'a> {
    operator: &'static Operator,
    attributes: Option<&'a Attributes>,
}

impl<'a> From<&'a Inputs> for Division<'a> {
    fn from(inputs: &'a Inputs) -> Self {
        Self { operator: inputs.operator, attributes: Some(&inputs.attributes) }
    }
}

impl Division<'_> {
    /// Divide rounds down unless its attribute says otherwise.
    fn rounding(&self) -> Rounding {
        let text = self.attributes.and_then(|attributes| attributes.get("m_pythondiv"));
        let truncates = matches!(text, Some(AttributeValue::Text(text)) if text == "false");
        let rounds_down = self.operator.domain == Domain::OpenVino && !truncates;
        if rounds_down { Rounding::Down } else { Rounding::TowardsZero }
    }
}

/// The operator and operands of an element that a report holds.
fn division<'a>(
    case: &Case,
    inputs: Option<&'a Inputs>,
    dtype: DType,
    element: &Element,
) -> Option<(Division<'a>, Vec<compare::Element>)> {
    let by_name = || operators::onnx().find(|known| known.name == case.operator);
    let division = match inputs {
        Some(inputs) => inputs.into(),
        None => Division { operator: by_name()?, attributes: None },
    };
    let operand = |text: &String| Some(compare::Element::Bits(dtype, bits(dtype, text)?.into()));
    Some((division, element.inputs.iter().map(operand).collect::<Option<Vec<_>>>()?))
}

/// An element that no report holds.
fn unanswered(inputs: &Inputs, at: usize) -> Element {
    let operands = inputs.operands.get(at).into_iter().flatten();
    Element {
        index: coordinates(at, &inputs.shape).into_iter().map(|at| at as u64).collect(),
        inputs: operands.map(ToString::to_string).collect(),
        expected: None,
        oracle: inputs.allowed.get(at).map(|conforming| allowed(inputs.dtype, conforming)),
        answers: Vec::new(),
    }
}

/// What a backend did, told from the elements that ask the question where reports hold them.
fn behaviour(cell: &Cell, backend: usize, elements: &[Element]) -> Behaviour {
    let conforms = |wanted: bool| {
        let mut answers =
            elements.iter().filter_map(|element| adjudicate::answer_of(element, backend));
        answers.any(|answer| answer.conforms == Some(wanted))
    };
    match (cell.verdict, cell.returned) {
        (Verdict::Unsupported, _) => Behaviour::Unsupported,
        (Verdict::Skipped, _) => Behaviour::Skipped,
        (Verdict::Crash, _) => Behaviour::Crash,
        (Verdict::Timeout, _) => Behaviour::Timeout,
        (Verdict::Fault, _) => Behaviour::Fault,
        (Verdict::Fail, false) => Behaviour::NoValues,
        (Verdict::Pass | Verdict::OutOfDomain, false) => Behaviour::Refuses,
        (_, true) if conforms(false) => Behaviour::Differs,
        (Verdict::Fail, true) if !conforms(true) => Behaviour::Differs,
        (Verdict::OutOfDomain, true) if !conforms(true) => Behaviour::Returns,
        (Verdict::Pass | Verdict::Fail | Verdict::OutOfDomain, true) => Behaviour::Conforms,
    }
}

/// The operands as integers, of an integer type.
fn int(dtype: DType, a: u64, b: u64) -> Option<[i128; 2]> {
    match dtype.kind() {
        Kind::Int { signed, bits } => Some([a, b].map(|x| integer(x.into(), signed, bits))),
        Kind::Float(_) | Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// The least value of a signed integer type.
fn minimum(dtype: DType) -> Option<i128> {
    match dtype.kind() {
        Kind::Int { signed: true, bits } => Some(-(1 << (bits - 1))),
        _ => None,
    }
}
