//! The reference of the element-wise operators against implementations that share nothing with it: NumPy, ONNX's
//! evaluator, decimal numbers and mpmath, which the Python in `ONNX_CONFORMANCE_PYTHON` computes with; LLVM's `APFloat`; and
//! the machine's integers. `docs/independent-checks.md` says what is checked against what.
//!
//! What takes minutes is ignored by default and runs with `cargo xtask ci --full-only`.

mod ask;
mod checks;
mod composed;
mod disagreements;
mod drawn;
mod float;
mod integers;
mod layers;
mod multiprecision;
mod operands;
mod parts;
mod recurrent;
mod resize;
mod sums;

use std::collections::BTreeMap;

use onnx_conformance::dtype::DType;
use onnx_conformance::oracle::{Conforming, Deviation, Ulps};
use onnx_conformance::reference::operator::{Allowed, Operator, OperatorKind};
use rayon::prelude::*;

use self::ask::{Answer, Answers};
use self::checks::{Check, checked, checks, types};
use self::disagreements::{DISAGREEMENTS, Disagreement, Seen};
use crate::support;

/// How far functions that are approximated may be from the exact result.
const APPROXIMATED: Ulps = Ulps::new(4 << Ulps::FRACTION_BITS, true);

/// What was checked of an operator and a type.
#[derive(Default)]
struct Figures {
    /// The disagreements that are known.
    known: &'static [Disagreement],
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
            if let Answer::Refused(reason) = answer {
                self.by.entry(source.clone()).or_default()[2] += elements;
                let seen = Seen { source, check, operands: &[], answer: Err(reason) };
                let attributes = &call.attributes;
                let told =
                    || format!("{source}: {} {types} {attributes:?}: {reason}", call.operator);
                self.disagrees(&seen, told, elements);
            }
        }
        let is_computed = answers.values().any(|answer| matches!(answer, Answer::Elements(_)));
        *(if is_computed { &mut self.computed } else { &mut self.refused }) += elements;
        let mut at = 0;
        for (output, allowed) in check.outputs.iter().zip(&allowed) {
            for index in 0..output.shape.iter().product() {
                let conforming = allowed.at(index);
                self.decided += usize::from(conforming.is_decided());
                if let Some(wrong) = also(at, &conforming, (&**allowed, index)) {
                    let operands: Vec<_> = allowed.operands(index);
                    self.wrong.push(format!(
                        "{} {types} {:?} at {index} of {operands:?}: {wrong}",
                        call.operator, call.attributes
                    ));
                }
                for (source, answer) in answers {
                    let Answer::Elements(elements) = answer else { continue };
                    let actual = elements[at];
                    let counts = self.by.entry(source.clone()).or_default();
                    counts[0] += 1;
                    let accepts = match u64::try_from(actual) {
                        Ok(actual) => conforming.accepts(actual),
                        Err(_) => conforming.example() == Some(actual),
                    };
                    let is_approximated = call.operator.kind == OperatorKind::Approximated;
                    if accepts
                        || is_approximated
                            && source != "decimal"
                            && allowed.deviation(index, actual as u64)
                                <= Deviation::Ulps(APPROXIMATED)
                    {
                        continue;
                    }
                    counts[1] += 1;
                    let operands: Vec<_> = allowed.operands(index);
                    let bits: Vec<u128> = call
                        .inputs
                        .iter()
                        .flatten()
                        .filter_map(|input| input.element(index.min(input.elements().max(1) - 1)))
                        .collect();
                    let told = || {
                        format!(
                            "{source}: {} {types} {:?} of {operands:?} is {actual:#x}, not {conforming:x?}",
                            call.operator, call.attributes
                        )
                    };
                    let seen = Seen { source, check, operands: &bits, answer: Ok(actual) };
                    self.disagrees(&seen, told, 1);
                }
                at += 1;
            }
        }
        assert_eq!(at, elements, "{} {types}", call.operator);
    }
}

/// How many operands of these types there are.
fn combinations(check: &Check) -> usize {
    let width = |dtype: DType| if dtype == DType::Bool { 1 } else { dtype.bits().unwrap() };
    let bits = check.call.inputs.iter().flatten().map(|input| width(input.dtype())).sum::<u32>();
    1_usize.checked_shl(bits).unwrap_or(usize::MAX)
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
            let lengths: Vec<usize> = made.iter().map(Vec::len).collect();
            let made: Vec<Check> = made.into_iter().flatten().collect();
            let mut answered = made.iter().zip(ask::answers(&python, &made));
            let figures = |(length, (operator, dtype)): (usize, &(&Operator, DType))| {
                let mut figures = Figures { known: DISAGREEMENTS, ..Figures::default() };
                let mut least = wanted;
                for (check, answers) in answered.by_ref().take(length) {
                    figures.check(check, &answers);
                    least = least.min(combinations(check));
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
            lengths.into_iter().zip(chunk).map(figures).collect::<Vec<_>>()
        })
        .collect();
    judge(&all, &figures, DISAGREEMENTS, true);
}

/// Tells the figures, and fails where an element is neither allowed nor a stated disagreement, one of these is no
/// longer seen where all have to be, or an element that was planned was not computed.
fn judge(
    all: &[(&'static Operator, DType)],
    figures: &[Figures],
    known: &'static [Disagreement],
    all_are_seen: bool,
) {
    assert_eq!(all.len(), figures.len());
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<(usize, &str, DType), usize> = BTreeMap::new();
    let mut total = [0; 4];
    for ((operator, dtype), figures) in all.iter().zip(figures) {
        total[0] += figures.planned;
        total[1] += figures.decided;
        total[3] += figures.refused;
        total[2] += figures.by.values().map(|counts| counts[0]).sum::<usize>();
        assert!(figures.computed > 0, "{operator} {dtype} is computed by nothing");
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
    for (at, Disagreement { source, operators, types, reason, .. }) in known.iter().enumerate() {
        for operator in operators.iter().filter(|name| is_asked_for(name)) {
            for dtype in *types {
                match seen.get(&(at, operator, *dtype)) {
                    Some(count) => {
                        eprintln!("{source} on {operator} of {dtype}, {count}: {reason}");
                    }
                    None if !all_are_seen => {}
                    None => {
                        wrong.push(format!("{source} on {operator} of {dtype} agrees: {reason}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn thousands_of_elements_are_as_numpy_and_the_evaluator_have_them() {
    against_python(2_000, 24);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --full-only"]
fn a_hundred_thousand_elements_are_as_numpy_and_the_evaluator_have_them() {
    against_python(100_000, 1);
}
