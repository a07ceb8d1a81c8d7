//! Known divergences: matters in which implementations differ, and what each backend did with the cases
//! that show them.
//!
//! A case shows one where the operands of an element match. Operands are known of the project's own
//! suites, and elsewhere of the elements that some report shows as different.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use serde::Deserialize;

use super::document::{Behaviour, Case, Cell, DivergentCase, DivergentCases, Element};
use super::known::{CaseSpec, Function, read};
use crate::corpus::case::Expect;
use crate::dtype::DType;
use crate::judge::compare;
use crate::judge::verdict::Verdict;
use crate::oracle::Conforming;
use crate::oracle::real::{Rational, value};

/// Elements of a case that are shown.
const SHOWN: usize = 3;

/// The known divergences; the file says what each member is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownDivergences {
    divergence: Vec<KnownDivergence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownDivergence {
    id: String,
    title: String,
    explanation: String,
    operator: String,
    types: Vec<String>,
    matches: Vec<Condition>,
}

/// What may hold of an element.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Condition {
    RefusalOrValue,
    OneValue,
    ZeroDivisor,
    #[serde(rename = "beyond_2_53")]
    Beyond2To53,
    NonzeroNumbers,
    NegativeRoundedDown,
}

impl Condition {
    fn holds(self, function: &Function, dtype: DType, operands: &[compare::Element]) -> bool {
        let number = |operand: &compare::Element| match operand {
            compare::Element::Bits(of, bits) if *of == dtype => value(dtype, *bits as u64),
            compare::Element::Bits(..) | compare::Element::String(_) => None,
        };
        let conforming = || function.elementwise.conforming(dtype, operands);
        let mut numbers = operands.iter().map(number);
        match self {
            Self::RefusalOrValue => matches!(conforming(), Conforming::RefusalOr(_)),
            Self::OneValue => matches!(conforming(), Conforming::One(_)),
            Self::ZeroDivisor => numbers.last().flatten().is_some_and(|last| last.is_zero()),
            Self::Beyond2To53 => {
                let limit = Rational::from(BigInt::from(1_u64 << 53));
                numbers.flatten().any(|number| number.abs() > limit)
            }
            Self::NonzeroNumbers => {
                numbers.all(|number| number.is_some_and(|number| !number.is_zero()))
            }
            Self::NegativeRoundedDown => {
                let exact = function.elementwise.real(dtype, operands, u64::BITS);
                let Conforming::One(bits) = conforming() else { return false };
                exact.zip(value(dtype, bits)).is_some_and(|(exact, one)| {
                    exact.enclosure.lower.is_negative() && one < exact.enclosure.lower
                })
            }
        }
    }
}

impl KnownDivergences {
    pub(super) fn embedded() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("known_divergences.toml"))
    }

    /// The first few elements that match each: those that are looked at in any case.
    pub(super) fn places(&self, spec: &CaseSpec) -> BTreeSet<usize> {
        self.divergence.iter().filter_map(|divergence| divergence.places(spec)).flatten().collect()
    }

    /// The divergences with the cases that show them.
    pub(super) fn shown_by(
        &self,
        columns: usize,
        cases: &[Case],
        specs: &BTreeMap<String, CaseSpec>,
    ) -> Vec<DivergentCases> {
        let shown_by = |divergence: &KnownDivergence| {
            let of = |case: &Case| divergence.of_case(case, specs.get(&case.id));
            let cases: Vec<DivergentCase> = cases.iter().filter_map(of).collect();
            let mut backends = vec![BTreeMap::new(); columns];
            for case in &cases {
                for (counts, behaviour) in backends.iter_mut().zip(&case.backends) {
                    *counts.entry(*behaviour).or_default() += 1;
                }
            }
            let KnownDivergence { id, title, explanation, .. } = divergence;
            let [id, title, explanation] = [id, title, explanation].map(Clone::clone);
            DivergentCases { id, title, explanation, backends, cases }
        };
        self.divergence.iter().map(shown_by).collect()
    }
}

impl KnownDivergence {
    /// Whether it is about results of an operator and a type.
    fn is_about(&self, function: &Function, dtype: DType) -> bool {
        self.operator == function.operator.judged_as
            && self.types.iter().any(|name| name == dtype.name())
    }

    /// Whether an element that is computed from these operands matches.
    fn is_match(&self, function: &Function, dtype: DType, operands: &[compare::Element]) -> bool {
        self.is_about(function, dtype)
            && operands.len() == function.operator.arity()
            && self.matches.iter().all(|condition| condition.holds(function, dtype, operands))
    }

    /// The first few elements that match.
    fn places(&self, spec: &CaseSpec) -> Option<Vec<usize>> {
        let (function, output) = (spec.function()?, spec.output()?);
        let matches =
            |at: &usize| self.is_match(&function, output.dtype, &output.allowed.operands(*at));
        let is_about = self.is_about(&function, output.dtype);
        is_about.then(|| (0..output.count).filter(matches).take(SHOWN).collect())
    }

    /// The case, where it shows the divergence.
    fn of_case(&self, case: &Case, spec: Option<&CaseSpec>) -> Option<DivergentCase> {
        // What is refused for its types or shapes is not about its operands.
        if spec.is_some_and(|spec| spec.manifest.expect == Expect::Refusal) {
            return None;
        }
        let function = match spec.and_then(CaseSpec::function) {
            Some(function) => function,
            None => Function::named(&case.operator, &case.suite)?,
        };
        let recorded = case.outputs.iter().flat_map(|output| {
            let dtype: Option<DType> = output.type_name.parse().ok();
            let matches = |element: &&Element| {
                let operands = dtype.and_then(|dtype| Some((dtype, read(dtype, &element.inputs)?)));
                operands.is_some_and(|(dtype, operands)| self.is_match(&function, dtype, &operands))
            };
            output.elements.iter().filter(matches).collect::<Vec<_>>()
        });
        let mut elements: Vec<Element> = recorded.cloned().collect();
        if let Some(spec) = spec.filter(|_| elements.is_empty()) {
            let output = spec.output();
            let of = |at| output.as_ref().map(|output| output.element(at));
            elements = self.places(spec).into_iter().flatten().filter_map(of).collect();
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
        Some(DivergentCase { case: case.id.clone(), backends, elements })
    }
}

/// What a backend did, told from the matching elements where reports hold them.
fn behaviour(cell: &Cell, backend: usize, elements: &[Element]) -> Behaviour {
    let conforms = |wanted: bool| {
        let mut answers = elements.iter().filter_map(|element| element.answer(backend));
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

#[cfg(test)]
mod tests {
    use reference::operator::Domain;
    use reference::operators;

    use super::*;

    #[test]
    fn every_divergence_is_about_operators_and_types_that_the_oracle_knows() {
        for KnownDivergence { id, operator, types, .. } in
            KnownDivergences::embedded().unwrap().divergence
        {
            let known = operators::find(Domain::Onnx, &operator).unwrap();
            for name in types {
                let dtype: DType = name.parse().unwrap();
                assert!(known.types().contains(&dtype), "{id}: {dtype}");
            }
        }
    }
}
