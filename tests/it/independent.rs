//! The reference of the exact and the element-wise operators against implementations that share nothing with it: NumPy, ONNX's
//! evaluator, decimal numbers and mpmath, which the Python in `ONNX_CONFORMANCE_PYTHON` computes with; LLVM's `APFloat`; and
//! the machine's integers. `docs/independent-checks.md` says what is checked against what.
//!
//! Each test has two sizes, of which `cargo xtask ci --full` takes the larger one.

mod ask;
mod check;
mod checks;
mod choosing;
mod composed;
mod constants;
mod conversions;
mod disagreements;
mod drawn;
mod float;
mod indexing;
mod integers;
mod layers;
mod moving;
mod multiprecision;
mod operands;
mod parts;
mod quantized;
mod recurrent;
mod resize;
mod shaping;
mod strings;
mod sums;
mod terms;

use std::collections::BTreeMap;

use onnx_conformance::dtype::DType;
use onnx_conformance::oracle::{Conforming, Deviation, Ulps};
use onnx_conformance::reference::operator::{Allowed, Operator, OperatorKind};
use rayon::prelude::*;
use values::element::Element;

use self::ask::{Answer, Answers};
use self::check::Check;
use self::checks::{checked, checks, least, types};
use self::disagreements::{Disagreement, Seen};
use crate::support;
use crate::support::extent::size;

/// How far functions that are approximated may be from the exact result.
const APPROXIMATED: Ulps = Ulps::new(4 << Ulps::FRACTION_BITS, true);

/// What was checked of an operator and a type.
#[derive(Debug, Default)]
struct Figures {
    /// The disagreements that are known.
    known: Vec<&'static Disagreement>,
    planned: usize,
    /// Elements that one source at least computed, and that every one refused.
    computed: usize,
    refused: usize,
    decided: usize,
    /// Of each source the elements that it computed, that it disagreed with, and that it refused.
    by: BTreeMap<String, [usize; 3]>,
    /// How often each of the stated disagreements was seen.
    stated: BTreeMap<usize, usize>,
    /// What else is counted, by a name.
    counts: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Figures {
    /// Those of nothing, where these disagreements are known.
    fn knowing(known: impl Iterator<Item = &'static Disagreement>) -> Self {
        Self { known: known.collect(), ..Self::default() }
    }

    /// Enters a disagreement: whether it is one of those that are stated.
    fn disagrees(&mut self, seen: &Seen<'_>, told: impl FnOnce() -> String, elements: usize) {
        let mut known = self.known.iter().enumerate();
        match known.find(|(_, stated)| stated.covers(seen)) {
            Some((at, _)) => *self.stated.entry(at).or_default() += elements,
            None => self.wrong.push(told()),
        }
    }

    fn check(&mut self, check: &Check, answers: &Answers) {
        self.check_also(check, answers, |_, _, _| None);
    }

    /// The same, and what else has to hold of each element: at its place among all, by what conforms, and by what is
    /// allowed at an index. What does not hold is told.
    fn check_also(
        &mut self,
        check: &Check,
        answers: &Answers,
        mut also: impl FnMut(usize, &Conforming, (&dyn Allowed, usize)) -> Option<String>,
    ) {
        let (call, types) = (&check.call, check.types());
        let allowed = call.operator.reference.allowed(call, &check.outputs);
        let elements = check.elements();
        self.planned += elements;
        for (source, answer) in answers {
            let counts = self.by.entry(source.clone()).or_default();
            let reason = match answer {
                Answer::Elements(_) => continue,
                Answer::Refused(reason) => {
                    counts[2] += elements;
                    reason
                }
                Answer::Misshapen(reason) => {
                    counts[0] += elements;
                    counts[1] += elements;
                    reason
                }
            };
            let seen = Seen { source, check, operands: &[], answer: Err(reason) };
            let told = || format!("{source}: {}: {reason}", check.told());
            self.disagrees(&seen, told, elements);
        }
        let is_computed = answers.values().any(|answer| matches!(answer, Answer::Elements(_)));
        *(if is_computed { &mut self.computed } else { &mut self.refused }) += elements;
        let mut at = 0;
        for (output, allowed) in check.outputs.iter().zip(&allowed) {
            for index in 0..output.shape.iter().product() {
                let conforming = allowed.at(index);
                self.decided += usize::from(conforming.is_decided());
                if let Some(wrong) = also(at, &conforming, (&**allowed, index)) {
                    let (told, operands) = (check.told(), allowed.operands(index));
                    self.wrong.push(format!("{told} at {index} of {operands:?}: {wrong}"));
                }
                for (source, answer) in answers {
                    let Answer::Elements(elements) = answer else { continue };
                    let actual = &elements[at];
                    let counts = self.by.entry(source.clone()).or_default();
                    counts[0] += 1;
                    let is_approximated = call.operator.kind == OperatorKind::Approximated;
                    let deviates = |actual: &Element| match actual {
                        Element::Bits(_, bits) => {
                            allowed.deviation(index, *bits as u64) > Deviation::Ulps(APPROXIMATED)
                        }
                        Element::String(_) => true,
                    };
                    if conforming.accepts_element(actual)
                        || is_approximated && source != "decimal" && !deviates(actual)
                    {
                        continue;
                    }
                    counts[1] += 1;
                    let operands: Vec<_> = allowed.operands(index);
                    let told = || {
                        format!(
                            "{source}: {} at {index} of {output}, of {operands:?}, is {actual}, not \
                             {conforming:x?}",
                            check.told()
                        )
                    };
                    let seen = Seen { source, check, operands: &operands, answer: Ok(actual) };
                    self.disagrees(&seen, told, 1);
                }
                at += 1;
            }
        }
        assert_eq!(at, elements, "{} {types}", call.operator);
    }
}

/// Names the only operators to hold against the Python, separated by commas.
const ONLY: &str = "ONNX_CONFORMANCE_OPERATORS";

/// Whether an operator is among those of the environment variable, where it is set.
fn is_asked_for(operator: &str) -> bool {
    std::env::var(ONLY).map_or(true, |names| names.split(',').any(|name| name == operator))
}

/// Holds every operator and type against what the Python computes, so many elements of each, and so many operators
/// and types at a time.
fn against_python(wanted: usize, at_a_time: usize) {
    let Some(python) = support::python("onnx and numpy") else { return };
    let all: Vec<(&Operator, DType)> = checked()
        .filter(|operator| is_asked_for(operator.name))
        .flat_map(|operator| types(operator).into_iter().map(move |dtype| (operator, dtype)))
        .collect();
    assert!(!all.is_empty(), "{ONLY} names no operator that is checked");
    let figures: Vec<Figures> = all
        .par_chunks(at_a_time)
        .flat_map_iter(|chunk| {
            let made: Vec<Vec<Check>> =
                chunk.iter().map(|(operator, dtype)| checks(operator, *dtype, wanted)).collect();
            let expected: Vec<(usize, usize)> = made
                .iter()
                .zip(chunk)
                .map(|(made, (operator, _))| (made.len(), least(operator, made, wanted)))
                .collect();
            let made: Vec<Check> = made.into_iter().flatten().collect();
            let mut answered = made.iter().zip(ask::answers(&python, &made));
            let figures = |((length, least), (operator, dtype)): ((usize, usize), &(&Operator, DType))| {
                let mut figures = Figures::knowing(disagreements::all());
                for (check, answers) in answered.by_ref().take(length) {
                    figures.check(check, &answers);
                }
                assert!(figures.planned >= least, "{} of {least}", figures.planned);
                // As soon as they are there, since all of them take long.
                eprintln!(
                    "{operator} {dtype}: {} elements, {} refused by all, {} decided; computed, disagreeing, \
                     refused: {:?}",
                    figures.planned, figures.refused, figures.decided, figures.by
                );
                figures
            };
            expected.into_iter().zip(chunk).map(figures).collect::<Vec<_>>()
        })
        .collect();
    judge(&all, &figures, true);
}

/// Tells the figures, and fails where an element is neither allowed nor a stated disagreement, one of these is no
/// longer seen where all have to be, or an element that was planned was not computed.
fn judge(all: &[(&'static Operator, DType)], figures: &[Figures], all_are_seen: bool) {
    assert_eq!(all.len(), figures.len());
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<(usize, &str, DType), usize> = BTreeMap::new();
    let mut total = [0; 4];
    for ((operator, dtype), figures) in all.iter().zip(figures) {
        total[0] += figures.planned;
        total[1] += figures.decided;
        total[3] += figures.refused;
        total[2] += figures.by.values().map(|counts| counts[0]).sum::<usize>();
        assert!(figures.computed > 0, "{operator} {dtype} is computed by nothing: {figures:?}");
        assert_eq!(figures.computed + figures.refused, figures.planned, "{operator} {dtype}");
        for (at, count) in &figures.stated {
            *seen.entry((*at, operator.name, *dtype)).or_default() += count;
        }
        wrong.extend(figures.wrong.iter().take(40).cloned());
        if figures.wrong.len() > 40 {
            wrong.push(format!("... {operator} {dtype}: {} in all", figures.wrong.len()));
        }
    }
    let [elements, decided, computed, refused] = total;
    eprintln!(
        "{elements} elements, {refused} refused by all, {decided} decided, {computed} results compared"
    );
    let known = figures.first().map_or(&[][..], |figures| &figures.known);
    for (at, Disagreement { source, operators, types, reason, .. }) in known.iter().enumerate() {
        for operator in operators.iter().filter(|name| is_asked_for(name)) {
            let of_operator =
                seen.iter().filter(|((stated, name, _), _)| *stated == at && name == operator);
            let shown: BTreeMap<DType, usize> =
                of_operator.map(|((_, _, dtype), count)| (*dtype, *count)).collect();
            for (dtype, count) in &shown {
                eprintln!("{source} on {operator} of {dtype}, {count}: {reason}");
            }
            if !all_are_seen {
                continue;
            }
            for dtype in types.iter().filter(|dtype| !shown.contains_key(dtype)) {
                wrong.push(format!("{source} on {operator} of {dtype} agrees: {reason}"));
            }
            if shown.is_empty() && types.is_empty() {
                wrong.push(format!("{source} on {operator} agrees: {reason}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn thousands_of_elements_are_as_numpy_and_the_evaluator_have_them() {
    let (wanted, at_a_time) = size((2_000, 64), (100_000, 1));
    against_python(wanted, at_a_time);
}
