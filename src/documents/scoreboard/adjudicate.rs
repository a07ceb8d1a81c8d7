//! Who is right where backends disagree, and by what.
//!
//! Two NaNs are one value here: no rule of this project tells them apart. The order of the judges
//! is fixed: the specification's silence, the oracle, a majority, the second reference.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{
    Answer, Case, Cell, Column, DecidedBy, Difference, Disagreement, Element, Outlier, Output,
};
use super::known::CaseSpec;
use crate::corpus::case::Expect;
use crate::document::text::{bracketed, decimal_and_bits};
use crate::judge::verdict::Verdict;
use reference::operators::OPERATORS;

/// Name of the backend that is the second reference: the ONNX reference evaluator.
const SECOND_REFERENCE: &str = "onnx-reference";

/// Fewest backends of which more than half make a majority.
const QUORUM: usize = 3;

pub(super) fn disagreement(
    columns: &[Column],
    case: &Case,
    spec: Option<&CaseSpec>,
) -> Option<Disagreement> {
    let comparison = Comparison::of(columns, case, spec)?;
    if comparison.differ_in.is_empty() {
        return None;
    }
    let (decided_by, reason, outliers) = comparison
        .unspecified()
        .or_else(|| comparison.oracle())
        .or_else(|| comparison.majority())
        .or_else(|| comparison.second_reference())
        .unwrap_or_else(|| comparison.undecided());
    let (case, differ_in) = (case.id.clone(), comparison.differ_in);
    Some(Disagreement { case, differ_in, decided_by, reason, outliers })
}

/// How interesting a disagreement is, the most interesting being the least: deaths, then what the
/// oracle decides, then what the specification leaves open, then verdicts, then bits alone; and each
/// time operators that the oracle knows before others.
pub(super) fn rank(
    disagreement: &Disagreement,
    case: &Case,
    spec: Option<&CaseSpec>,
) -> (u8, bool) {
    let differs = |in_what| disagreement.differ_in.contains(&in_what);
    let died = |cell: &Cell| matches!(cell.verdict, Verdict::Crash | Verdict::Timeout);
    let tells = differs(Difference::Values) || differs(Difference::Answer);
    let is_outside = spec.is_some_and(|spec| spec.manifest.expect == Expect::Refusal);
    let rank = match disagreement.decided_by {
        _ if case.backends.iter().flatten().any(died) => 0,
        DecidedBy::Oracle if disagreement.outliers.is_empty() => 8,
        DecidedBy::Oracle => 1,
        DecidedBy::NoSpecification if is_outside => 6,
        DecidedBy::NoSpecification if tells => 2,
        DecidedBy::NoSpecification => 9,
        DecidedBy::Majority if differs(Difference::Verdict) => 3,
        DecidedBy::SecondReference if differs(Difference::Verdict) => 4,
        DecidedBy::Undecided if differs(Difference::Verdict) => 5,
        DecidedBy::Majority | DecidedBy::SecondReference | DecidedBy::Undecided => 7,
    };
    (rank, OPERATORS.iter().all(|known| known.name != case.operator))
}

/// A value with all NaNs made one.
fn canonical(value: &str) -> &str {
    if decimal_and_bits(value).0 == "NaN" { "NaN" } else { value }
}

/// What a judge says: what decides, how, and who is not right by that.
type Ruling = (DecidedBy, String, Vec<Outlier>);

/// The backends that answered a case, two at least.
struct Comparison<'a> {
    columns: &'a [Column],
    spec: Option<&'a CaseSpec>,
    answering: Vec<(usize, &'a Cell)>,
    /// All elements, by output.
    elements: Vec<(&'a str, &'a Element)>,
    /// Those of which the values differ, not only the bits of NaNs.
    material: Vec<(&'a str, &'a Element)>,
    differ_in: Vec<Difference>,
}

impl<'a> Comparison<'a> {
    fn of(columns: &'a [Column], case: &'a Case, spec: Option<&'a CaseSpec>) -> Option<Self> {
        // Whoever has no implementation, or was not run, does not answer.
        let silent = |cell: &Cell| matches!(cell.verdict, Verdict::Unsupported | Verdict::Skipped);
        let cells = case.backends.iter().enumerate();
        let answering: Vec<_> = cells
            .filter_map(|(at, cell)| Some((at, cell.as_ref().filter(|cell| !silent(cell))?)))
            .collect();
        if answering.len() < 2 {
            return None;
        }
        let of = |output: &'a Output| output.elements.iter().map(|one| (output.name.as_str(), one));
        let elements: Vec<_> = case.outputs.iter().flat_map(of).collect();
        let differ_materially = |(_, element): &(&str, &Element)| {
            let values: BTreeSet<_> =
                element.answers.iter().map(|answer| canonical(&answer.value)).collect();
            values.len() > 1
        };
        let material: Vec<_> = elements.iter().copied().filter(differ_materially).collect();
        let differing = elements.iter().filter(|(_, one)| one.answers.len() > 1).count();
        let pairs = || answering.windows(2).map(|two| (two[0].1, two[1].1));
        let unaligned = answering.iter().any(|(_, cell)| !cell.unaligned.is_empty());
        let differences = [
            (Difference::Verdict, pairs().any(|(a, b)| a.verdict != b.verdict)),
            (Difference::Answer, pairs().any(|(a, b)| a.returned != b.returned)),
            (Difference::Values, !material.is_empty() || unaligned),
            (Difference::NanBits, material.len() < differing),
        ];
        let differ_in =
            differences.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect();
        Some(Self { columns, spec, answering, elements, material, differ_in })
    }

    /// Where no specification says what is right, nobody is an outlier.
    fn unspecified(&self) -> Option<Ruling> {
        let allows = |oracle: &str| format!("the specification allows {oracle}");
        let undecided = self.undecided_element().map(allows);
        let reason = match self.spec.map(|spec| &spec.manifest) {
            Some(manifest) => match manifest.expect {
                Expect::Undecided => {
                    undecided.unwrap_or_else(|| "the specification decides nothing here".to_owned())
                }
                Expect::ValuesOrRefusal => manifest.note.clone(),
                Expect::Refusal => {
                    "the case is outside the specification, which does not say what a more general \
                     implementation does"
                        .to_owned()
                }
                Expect::Values if self.differ_in == [Difference::NanBits] => NAN_BITS.to_owned(),
                Expect::Values if self.may_be_refused() => REFUSED.to_owned(),
                Expect::Values => return None,
            },
            None if self.differ_in == [Difference::NanBits] => NAN_BITS.to_owned(),
            None if self.is_out_of_domain() => {
                "no report's profile decides what came back".to_owned()
            }
            None if self.may_be_refused() => REFUSED.to_owned(),
            None => undecided.filter(|_| !self.differ_in.contains(&Difference::Verdict))?,
        };
        Some((DecidedBy::NoSpecification, reason, Vec::new()))
    }

    /// What the oracle says where it leaves every value that differs open.
    fn undecided_element(&self) -> Option<&'a str> {
        let is_open = |(_, element): &(&str, &Element)| {
            element.oracle.is_some()
                && element.answers.iter().all(|answer| answer.conforms.is_none())
        };
        let (_, element) = self.material.first()?;
        element.oracle.as_deref().filter(|_| self.material.iter().all(is_open))
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

    /// Whether a refusal decides nothing, as the case itself is not what its operator's document allows.
    fn may_be_refused(&self) -> bool {
        let mut cells = self.answering.iter().map(|(_, cell)| cell);
        cells.any(|cell| cell.verdict == Verdict::OutOfDomain && !cell.returned)
    }

    /// By exact arithmetic: whoever returned an element that does not conform, and, as the oracle
    /// has a result, whoever returned none.
    fn oracle(&self) -> Option<Ruling> {
        let decides = |(_, element): &(&str, &Element)| {
            element.answers.iter().any(|answer| answer.conforms.is_some())
        };
        let expects_values = self
            .spec
            .is_some_and(|spec| spec.manifest.expect == Expect::Values && spec.output().is_some());
        if !self.elements.iter().any(decides) && !expects_values {
            return None;
        }
        let right = |element: &'a Element| Some(element.oracle.as_deref().unwrap_or_default());
        let is_wrong = |answer: &Answer, _: &str| answer.conforms == Some(false);
        let (_, mut reasons) = wrong(&self.elements, right, is_wrong);
        for (backend, cell) in &self.answering {
            let because = match cell {
                _ if !cell.returned => with_message(did_not_return(cell), cell),
                _ if !cell.unaligned.is_empty() => first_line(cell).to_owned(),
                _ => continue,
            };
            reasons.entry(*backend).or_insert_with(|| vec![because]);
        }
        let reason = if reasons.is_empty() {
            "every element that reports hold conforms exactly"
        } else {
            "exact arithmetic on the operands"
        };
        Some((DecidedBy::Oracle, reason.to_owned(), outliers(reasons)))
    }

    /// By a strict majority of at least three backends: of passes, where verdicts under one profile
    /// differ; else, element by element, of the values that came back.
    fn majority(&self) -> Option<Ruling> {
        if self.passes_tell() {
            let votes = self.backends(self.answering.iter().filter(|(_, cell)| passes(cell)));
            let voters = self.backends(self.answering.iter());
            if is_majority(votes, voters) {
                let reason = format!("{votes} of {voters} backends pass");
                return Some((DecidedBy::Majority, reason, self.not_passing()));
            }
        }
        let returned = self.backends(self.answering.iter().filter(|(_, cell)| cell.returned));
        let (decided, outliers) = self.against(|element| self.elected(element));
        let reason = format!(
            "more than half of {returned} backends agree on {decided} of the {} elements that differ in \
             these reports",
            self.material.len()
        );
        (decided > 0).then_some((DecidedBy::Majority, reason, outliers))
    }

    /// On how many elements somebody tells the right value, and who returned another.
    fn against(&self, right: impl Fn(&'a Element) -> Option<&'a str>) -> (usize, Vec<Outlier>) {
        let is_wrong = |answer: &Answer, right: &str| canonical(&answer.value) != right;
        let (decided, reasons) = wrong(&self.material, right, is_wrong);
        (decided, outliers(reasons))
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
    fn second_reference(&self) -> Option<Ruling> {
        let (reference, cell) = self.reference().filter(|(_, cell)| cell.returned)?;
        let outliers = match self.passes_tell() {
            true if passes(cell) => self.not_passing(),
            true => Vec::new(),
            false => self.against(|one| Some(canonical(&one.answer(reference)?.value))).1,
        };
        let reason = format!("no majority; compared with {SECOND_REFERENCE}");
        (!outliers.is_empty()).then_some((DecidedBy::SecondReference, reason, outliers))
    }

    fn reference(&self) -> Option<(usize, &'a Cell)> {
        let is_reference = |(backend, _): &&(usize, &Cell)| {
            self.columns.get(*backend).is_some_and(|column| column.name == SECOND_REFERENCE)
        };
        self.answering.iter().find(is_reference).copied()
    }

    fn undecided(&self) -> Ruling {
        let reason = if self.reference().is_some_and(|(_, cell)| !passes(cell)) {
            "no oracle, no majority, and the second reference does not pass"
        } else if !self.material.is_empty() {
            "no oracle, no majority, no second reference"
        } else if self.have_one_profile() {
            "the reports hold no element that tells the backends apart"
        } else {
            "the profiles differ, and no element in these reports does"
        };
        (DecidedBy::Undecided, reason.to_owned(), Vec::new())
    }

    fn not_passing(&self) -> Vec<Outlier> {
        let others = self.answering.iter().filter(|(_, cell)| !passes(cell));
        let outlier = |&(backend, cell): &(usize, &Cell)| Outlier {
            backend,
            because: with_message(&cell.verdict.to_string(), cell),
        };
        others.map(outlier).collect()
    }

    /// Whether verdicts differ that were made under one profile.
    fn passes_tell(&self) -> bool {
        self.differ_in.contains(&Difference::Verdict) && self.have_one_profile()
    }

    fn have_one_profile(&self) -> bool {
        self.answering.windows(2).all(|two| two[0].1.profile == two[1].1.profile)
    }

    /// A backend has one vote, however many profiles it ran under.
    fn identity(&self, column: usize) -> Option<(&'a str, &'a str)> {
        let column = self.columns.get(column)?;
        Some((&column.name, &column.version))
    }

    fn backends<'c>(&self, cells: impl Iterator<Item = &'c (usize, &'c Cell)>) -> usize {
        cells.map(|(at, _)| self.identity(*at)).collect::<BTreeSet<_>>().len()
    }
}

/// What is said of cases of others that ask what they may not ask.
const REFUSED: &str =
    "the case asks what its operator's document does not allow, so that it may be refused";

/// Why nobody is wrong where only the bits of NaNs differ.
const NAN_BITS: &str = "IEEE 754 leaves the sign and the payload of a NaN open";

/// Why backends are not right: what each did, or of each element that it is wrong on what it returned.
type Reasons = BTreeMap<usize, Vec<String>>;

/// On how many elements the right value is known, and who returned a wrong one.
fn wrong<'a>(
    elements: &[(&str, &'a Element)],
    right: impl Fn(&'a Element) -> Option<&'a str>,
    is_wrong: impl Fn(&Answer, &str) -> bool,
) -> (usize, Reasons) {
    let known =
        elements.iter().filter_map(|(name, element)| Some((name, element, right(element)?)));
    let known: Vec<_> = known.collect();
    let mut reasons = Reasons::new();
    for (name, Element { index, answers, .. }, right) in &known {
        for answer in answers.iter().filter(|answer| is_wrong(answer, right)) {
            let because = format!("{name}{}: {}, not {right}", bracketed(index), answer.value);
            for &backend in &answer.backends {
                reasons.entry(backend).or_default().push(because.clone());
            }
        }
    }
    (known.len(), reasons)
}

/// The outliers, each with the first of its reasons and the number of the others.
fn outliers(reasons: Reasons) -> Vec<Outlier> {
    let outlier = |(backend, mut reasons): (usize, Vec<String>)| {
        let first = reasons.swap_remove(0);
        let more = reasons.len();
        let because = if more > 0 { format!("{first}; and {more} more") } else { first };
        Outlier { backend, because }
    };
    reasons.into_iter().map(outlier).collect()
}

const fn is_majority(votes: usize, voters: usize) -> bool {
    voters >= QUORUM && votes > voters / 2
}

const fn passes(cell: &Cell) -> bool {
    matches!(cell.verdict, Verdict::Pass)
}

fn first_line(cell: &Cell) -> &str {
    cell.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default()
}

/// What a backend did, and what is said of it.
fn with_message(did: &str, cell: &Cell) -> String {
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
        _ => "returned no values",
    }
}
