//! Who is right where backends disagree, and by what.
//!
//! Two NaNs are one value here: no rule of this project tells them apart. The order of the judges
//! is fixed: the specification's silence, the oracle, a majority, the second reference.

use std::collections::{BTreeMap, BTreeSet};

use super::case_specs::CaseSpec;
use super::document::{
    Answer, Case, Cell, Column, DecidedBy, Difference, Disagreement, Element, Outlier,
};
use crate::case::Expect;
use crate::report::text::{bracketed, decimal_and_bits};
use crate::verdict::Verdict;

/// Name of the backend that is the second reference: the ONNX reference evaluator.
pub const SECOND_REFERENCE: &str = "onnx-reference";

/// Fewest backends of which more than half make a majority.
const QUORUM: usize = 3;

/// The disagreement on a case, if there is one.
pub(super) fn disagreement(
    columns: &[Column],
    case: &Case,
    spec: Option<&CaseSpec>,
) -> Option<Disagreement> {
    let comparison = Comparison::of(columns, case, spec)?;
    let differ_in = comparison.differences();
    if differ_in.is_empty() {
        return None;
    }
    let decision = comparison
        .unspecified(&differ_in)
        .or_else(|| comparison.oracle())
        .or_else(|| comparison.majority())
        .or_else(|| comparison.second_reference())
        .unwrap_or_else(|| comparison.undecided());
    Some(Disagreement {
        case: case.id.clone(),
        differ_in,
        decided_by: decision.by,
        reason: decision.reason,
        outliers: decision.outliers,
    })
}

/// How interesting a disagreement is, the most interesting being the least: deaths, then what the
/// oracle decides, then what the specification leaves open, then verdicts, then bits alone.
pub(super) fn rank(
    disagreement: &Disagreement,
    case: &Case,
    spec: Option<&CaseSpec>,
) -> (u8, bool) {
    let differs = |in_what| disagreement.differ_in.contains(&in_what);
    let died = |cell: &Cell| matches!(cell.verdict, Verdict::Crash | Verdict::Timeout);
    let is_outside = spec.is_some_and(|spec| spec.expect == Expect::Refusal);
    let rank = match disagreement.decided_by {
        _ if case.backends.iter().flatten().any(died) => 0,
        DecidedBy::Oracle if disagreement.outliers.is_empty() => 8,
        DecidedBy::Oracle => 1,
        DecidedBy::NoSpecification if is_outside => 6,
        DecidedBy::NoSpecification
            if differs(Difference::Values) || differs(Difference::Answer) =>
        {
            2
        }
        DecidedBy::NoSpecification => 9,
        DecidedBy::Majority if differs(Difference::Verdict) => 3,
        DecidedBy::SecondReference if differs(Difference::Verdict) => 4,
        DecidedBy::Undecided if differs(Difference::Verdict) => 5,
        DecidedBy::Majority | DecidedBy::SecondReference | DecidedBy::Undecided => 7,
    };
    let is_own = matches!(case.operator.as_str(), "Div" | "Sqrt" | "Divide");
    (rank, !is_own)
}

/// Whether a verdict is an answer: the backend was inputs and has an implementation.
const fn answers(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Unsupported | Verdict::Skipped)
}

/// A value with all NaNs made one.
fn canonical(value: &str) -> &str {
    if decimal_and_bits(value).0 == "NaN" { "NaN" } else { value }
}

/// What a judge says.
struct Decision {
    by: DecidedBy,
    reason: String,
    outliers: Vec<Outlier>,
}

/// The backends that answered a case, two at least.
struct Comparison<'a> {
    columns: &'a [Column],
    case: &'a Case,
    spec: Option<&'a CaseSpec>,
    answering: Vec<(usize, &'a Cell)>,
    /// The elements with several values, by output.
    differing: Vec<(&'a str, &'a Element)>,
}

impl<'a> Comparison<'a> {
    fn of(columns: &'a [Column], case: &'a Case, spec: Option<&'a CaseSpec>) -> Option<Self> {
        let cells = case.backends.iter().enumerate();
        let answering: Vec<_> = cells
            .filter_map(|(at, cell)| Some((at, cell.as_ref()?)))
            .filter(|(_, cell)| answers(cell.verdict))
            .collect();
        let elements = case.outputs.iter().flat_map(|output| {
            output.elements.iter().map(|element| (output.name.as_str(), element))
        });
        let differing = elements.filter(|(_, element)| element.answers.len() > 1).collect();
        (answering.len() > 1).then_some(Self { columns, case, spec, answering, differing })
    }

    /// The elements of which the values differ, not only the bits of NaNs.
    fn material(&self) -> impl Iterator<Item = (&'a str, &'a Element)> {
        self.differing.iter().copied().filter(|(_, element)| {
            let first = element.answers.first().map(|answer| canonical(&answer.value));
            element.answers.iter().any(|answer| Some(canonical(&answer.value)) != first)
        })
    }

    fn differ_in_verdict(&self) -> bool {
        self.answering.windows(2).any(|two| two[0].1.verdict != two[1].1.verdict)
    }

    fn differences(&self) -> Vec<Difference> {
        let answers =
            || self.answering.windows(2).any(|two| two[0].1.returned != two[1].1.returned);
        let unaligned = || self.answering.iter().any(|(_, cell)| !cell.unaligned.is_empty());
        let values = self.material().next().is_some();
        let nans = self.material().count() < self.differing.len();
        let differences = [
            (Difference::Verdict, self.differ_in_verdict()),
            (Difference::Answer, answers()),
            (Difference::Values, values || unaligned()),
            (Difference::NanBits, nans),
        ];
        differences.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect()
    }

    /// Where no specification says what is right, nobody is an outlier.
    fn unspecified(&self, differ_in: &[Difference]) -> Option<Decision> {
        let undecided = self.undecided_element();
        let reason = match self.spec.map(|spec| spec.expect) {
            Some(Expect::Undecided) => match undecided {
                Some(oracle) => format!("the specification allows {oracle}"),
                None => "the specification decides nothing here".to_owned(),
            },
            Some(Expect::ValuesOrRefusal) => {
                "no document decides the minimum divided by -1; the wrapped value and a refusal \
                 conform by this project's decision"
                    .to_owned()
            }
            Some(Expect::Refusal) => {
                "the case is outside the specification, which does not say what a more general \
                 implementation does"
                    .to_owned()
            }
            _ if *differ_in == [Difference::NanBits] => {
                "IEEE 754 leaves the sign and the payload of a NaN open".to_owned()
            }
            Some(Expect::Values) => return None,
            None if self.is_out_of_domain() => {
                "no report's profile decides what came back".to_owned()
            }
            None => match undecided {
                Some(oracle) if !self.differ_in_verdict() => {
                    format!("the specification allows {oracle}")
                }
                _ => return None,
            },
        };
        Some(Decision { by: DecidedBy::NoSpecification, reason, outliers: Vec::new() })
    }

    /// What the oracle says where it leaves every value that differs open.
    fn undecided_element(&self) -> Option<&'a str> {
        let is_open = |(_, element): (&str, &Element)| {
            element.oracle.is_some()
                && element.answers.iter().all(|answer| answer.conforms.is_none())
        };
        if !self.material().all(is_open) {
            return None;
        }
        let (_, element) = self.material().next()?;
        element.oracle.as_deref()
    }

    /// Whether all verdicts are that the result is undecided, but for refusals and deaths.
    fn is_out_of_domain(&self) -> bool {
        let verdicts = || self.answering.iter().map(|(_, cell)| (cell.verdict, cell.returned));
        verdicts().any(|(verdict, _)| verdict == Verdict::OutOfDomain)
            && verdicts().all(|(verdict, returned)| match verdict {
                Verdict::OutOfDomain | Verdict::Crash | Verdict::Timeout | Verdict::Fault => true,
                Verdict::Pass => !returned,
                Verdict::Fail | Verdict::Unsupported | Verdict::Skipped => false,
            })
    }

    /// By exact arithmetic: whoever returned an element that does not conform, and, as the oracle
    /// has a result, whoever returned none.
    fn oracle(&self) -> Option<Decision> {
        let elements = || {
            let outputs = self.case.outputs.iter();
            outputs.flat_map(|output| output.elements.iter().map(|element| (&output.name, element)))
        };
        let decides = |(_, element): (&String, &Element)| {
            element.answers.iter().any(|answer| answer.conforms.is_some())
        };
        let expects_values =
            self.spec.is_some_and(|spec| spec.expect == Expect::Values && spec.inputs.is_some());
        if !elements().any(decides) && !expects_values {
            return None;
        }
        let mut outliers = Vec::new();
        for &(backend, cell) in &self.answering {
            let wrong: Vec<_> = elements()
                .filter_map(|(name, element)| {
                    let answer = answer_of(element, backend)?;
                    (answer.conforms == Some(false)).then_some((name, element, answer))
                })
                .collect();
            let because = match wrong.first() {
                Some((name, element, answer)) => {
                    let right = element.oracle.as_deref().unwrap_or_default();
                    let more = more(wrong.len() - 1);
                    format!(
                        "{}{}: {}, not {right}{more}",
                        name,
                        bracketed(&element.index),
                        answer.value
                    )
                }
                None if !cell.returned => told(did_not_return(cell), cell),
                None if !cell.unaligned.is_empty() => first_line(cell).to_owned(),
                None => continue,
            };
            outliers.push(Outlier { backend, because });
        }
        let reason = if outliers.is_empty() {
            "every element that reports hold conforms exactly"
        } else {
            "exact arithmetic on the operands"
        };
        Some(Decision { by: DecidedBy::Oracle, reason: reason.to_owned(), outliers })
    }

    /// By a strict majority of at least three backends: of passes, where verdicts under one profile
    /// differ; else, element by element, of the values that came back.
    fn majority(&self) -> Option<Decision> {
        let decision =
            |reason: String, outliers| Some(Decision { by: DecidedBy::Majority, reason, outliers });
        if self.differ_in_verdict() && self.have_one_profile() {
            let votes = self.backends(self.answering.iter().filter(|(_, cell)| passes(cell)));
            let voters = self.backends(self.answering.iter());
            if is_majority(votes, voters) {
                let reason = format!("{votes} of {voters} backends pass");
                return decision(reason, self.not_passing());
            }
        }
        let returned = self.backends(self.answering.iter().filter(|(_, cell)| cell.returned));
        let mut outliers = Outliers::default();
        let (mut decided, mut differing) = (0, 0);
        for (name, element) in self.material() {
            differing += 1;
            let Some(right) = self.elected(element) else { continue };
            decided += 1;
            outliers.add_differing(name, element, right);
        }
        if decided == 0 {
            return None;
        }
        let reason = format!(
            "more than half of {returned} backends agree on {decided} of the {differing} elements \
             that differ in these reports"
        );
        decision(reason, outliers.into_list())
    }

    /// The value that a strict majority of the backends returned.
    fn elected(&self, element: &'a Element) -> Option<&'a str> {
        let mut votes = BTreeMap::<&str, BTreeSet<_>>::new();
        for answer in &element.answers {
            let voters = answer.backends.iter().map(|&backend| self.identity(backend));
            votes.entry(canonical(&answer.value)).or_default().extend(voters);
        }
        let voters: BTreeSet<_> = votes.values().flatten().copied().collect();
        let mut elected = votes.iter().filter(|(_, votes)| is_majority(votes.len(), voters.len()));
        elected.next().map(|(value, _)| *value)
    }

    /// By the ONNX reference evaluator: as by a majority.
    fn second_reference(&self) -> Option<Decision> {
        let (reference, cell) = self.reference().filter(|(_, cell)| cell.returned)?;
        let outliers = if self.differ_in_verdict() && self.have_one_profile() {
            if !passes(cell) {
                return None;
            }
            self.not_passing()
        } else {
            let mut outliers = Outliers::default();
            for (name, element) in self.material() {
                if let Some(answer) = answer_of(element, reference) {
                    outliers.add_differing(name, element, canonical(&answer.value));
                }
            }
            outliers.into_list()
        };
        let reason = format!("no majority; compared with {SECOND_REFERENCE}");
        (!outliers.is_empty()).then_some(Decision {
            by: DecidedBy::SecondReference,
            reason,
            outliers,
        })
    }

    fn reference(&self) -> Option<(usize, &'a Cell)> {
        let is_reference = |(backend, _): &&(usize, &Cell)| {
            self.columns.get(*backend).is_some_and(|column| column.name == SECOND_REFERENCE)
        };
        self.answering.iter().find(is_reference).copied()
    }

    fn undecided(&self) -> Decision {
        let reason = if self.reference().is_some_and(|(_, cell)| !passes(cell)) {
            "no oracle, no majority, and the second reference does not pass"
        } else if self.material().next().is_some() {
            "no oracle, no majority, no second reference"
        } else if self.have_one_profile() {
            "the reports hold no element that tells the backends apart"
        } else {
            "the profiles differ, and no element in these reports does"
        };
        Decision { by: DecidedBy::Undecided, reason: reason.to_owned(), outliers: Vec::new() }
    }

    fn not_passing(&self) -> Vec<Outlier> {
        let others = self.answering.iter().filter(|(_, cell)| !passes(cell));
        let outlier = |&(backend, cell): &(usize, &Cell)| Outlier {
            backend,
            because: told(cell.verdict.name(), cell),
        };
        others.map(outlier).collect()
    }

    fn have_one_profile(&self) -> bool {
        let profiles = self.answering.iter().map(|(_, cell)| &cell.profile);
        profiles.collect::<BTreeSet<_>>().len() == 1
    }

    /// A backend has one vote, however many profiles it ran under.
    fn identity(&self, column: usize) -> Option<(&'a str, &'a str)> {
        let column = self.columns.get(column)?;
        Some((&column.name, &column.version))
    }

    /// The number of different backends.
    fn backends<'c>(&self, cells: impl Iterator<Item = &'c (usize, &'c Cell)>) -> usize {
        cells.map(|(at, _)| self.identity(*at)).collect::<BTreeSet<_>>().len()
    }
}

/// Outliers by elements, with the first of each.
#[derive(Default)]
struct Outliers(BTreeMap<usize, (String, usize)>);

impl Outliers {
    /// Adds whoever returned another value than `right`.
    fn add_differing(&mut self, name: &str, element: &Element, right: &str) {
        for answer in element.answers.iter().filter(|answer| canonical(&answer.value) != right) {
            for &backend in &answer.backends {
                let because = || {
                    format!("{name}{}: {}, not {right}", bracketed(&element.index), answer.value)
                };
                self.0.entry(backend).or_insert_with(|| (because(), 0)).1 += 1;
            }
        }
    }

    fn into_list(self) -> Vec<Outlier> {
        let outlier = |(backend, (because, elements)): (usize, (String, usize))| Outlier {
            backend,
            because: because + &more(elements - 1),
        };
        self.0.into_iter().map(outlier).collect()
    }
}

const fn is_majority(votes: usize, voters: usize) -> bool {
    voters >= QUORUM && votes > voters / 2
}

const fn passes(cell: &Cell) -> bool {
    matches!(cell.verdict, Verdict::Pass)
}

/// What a backend returned for an element, where its report tells.
pub(super) fn answer_of(element: &Element, backend: usize) -> Option<&Answer> {
    element.answers.iter().find(|answer| answer.backends.contains(&backend))
}

fn more(elements: usize) -> String {
    if elements == 0 { String::new() } else { format!("; and {elements} more") }
}

fn first_line(cell: &Cell) -> &str {
    cell.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default()
}

/// What a backend did, and what is said of it.
fn told(did: &str, cell: &Cell) -> String {
    match first_line(cell) {
        "" => did.to_owned(),
        line => format!("{did}: {line}"),
    }
}

/// What a backend did that returned no values where they are due.
const fn did_not_return(cell: &Cell) -> &'static str {
    match cell.verdict {
        Verdict::Crash => "crashed",
        Verdict::Timeout => "did not answer in time",
        Verdict::Fault => "gave an answer that cannot be used",
        Verdict::Pass
        | Verdict::Fail
        | Verdict::OutOfDomain
        | Verdict::Unsupported
        | Verdict::Skipped => "returned no values",
    }
}
