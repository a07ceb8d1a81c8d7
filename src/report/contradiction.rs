//! What a report or baseline cannot say without contradicting itself: the marks of a file that was
//! edited or damaged and is still well-formed.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::{self, Baseline, BaselineCase};
use super::document::{Case, FORMAT_VERSION, Report, Suite, Summary};
use crate::document::JsonDocument;
use crate::dtype::DType;
use crate::profile::{Profile, Strictness};
use crate::verdict::{AspectResult, Aspects, Verdict};
use reference::operators::OPERATORS;

/// Two statements of a document that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum Contradiction {
    #[error("`{member}` has `{name}` twice")]
    Twice { member: &'static str, name: String },
    #[error("the case `{case}` is of none of `corpora`")]
    NoCorpus { case: String },
    #[error("`summary.{member}` is {says}, but its cases add up to {comes_to}")]
    Summary { member: String, says: u64, comes_to: u64 },
    #[error("the case `{case}` has `verdict` pass, but `mismatches` in the output `{output}`")]
    Pass { case: String, output: String },
    #[error("the case `{case}` has more `mismatches` than `elements` in the output `{output}`")]
    Mismatches { case: String, output: String },
    #[error(
        "the case `{case}` has `verdict` pass, but `elements` and `undecided` of the output \
         `{output}` are not those of its `shape`"
    )]
    Elements { case: String, output: String },
    #[error("`expectations` match {matched} cases, but {expected} have a failure as `expected`")]
    Expected { matched: u64, expected: u64 },
    #[error("there are `expectations`, but `expectations_list` is null: they come from no list")]
    NoList,
    #[error("the `failures` of `expectations` are not the known failures that fail so")]
    KnownFailures,
    #[error("the `unexpected_passes` of `expectations` are not the known failures that pass")]
    UnexpectedPasses,
    #[error("`profile` and `suites` do not name the same profiles")]
    Profiles,
    #[error("the case `{case}` does not have the `profile` of its suite in `suites`")]
    Profile { case: String },
    #[error("the case `{case}` has a `strictness` that its profile has for none of its outputs")]
    Strictness { case: String },
    #[error("the `aspects` of the case `{case}` are not those of its `verdict` and `outputs`")]
    Aspects { case: String },
    #[error("the `cases` of `{id}` in `requirements` are not those that name it")]
    Requirement { id: String },
}

impl JsonDocument for Report {
    const NAME: &'static str = "report";
    const FILE: &'static str = "`report.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SCHEMA: &'static str = "reports/schema/report.schema.json";
    type Contradiction = Contradiction;

    fn consistent(&self) -> Result<(), Contradiction> {
        of_baseline(&Baseline::of(self))?;
        of_profiles(self)?;
        self.cases.iter().try_for_each(of_shapes)?;
        self.cases.iter().try_for_each(of_aspects)?;
        of_expectations(self)?;
        of_requirements(self)
    }
}

impl JsonDocument for Baseline {
    const NAME: &'static str = "baseline";
    const FILE: &'static str = "baseline or a `report.json`";
    const FORMAT_VERSION: u32 = baseline::FORMAT_VERSION;
    const KIND: Option<&'static str> = Some(baseline::KIND);
    const SCHEMA: &'static str = "reports/schema/baseline.schema.json";
    type Contradiction = Contradiction;

    fn consistent(&self) -> Result<(), Contradiction> {
        of_baseline(self)
    }

    /// A case takes one line.
    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let cases = self.cases.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        let outer = serde_json::to_string_pretty(&Self { cases: Vec::new(), ..self.clone() })?;
        // The cases are the last member, so these characters end their empty list and the document.
        let outer = outer.trim_end_matches("]\n}");
        Ok(format!("{outer}\n    {}\n  ]\n}}\n", cases.join(",\n    ")).into_bytes())
    }
}

fn of_baseline(baseline: &Baseline) -> Result<(), Contradiction> {
    let corpora = baseline.corpora.iter().map(|corpus| corpus.name.as_str());
    let corpora = distinct("corpora", corpora)?;
    distinct("cases", baseline.cases.iter().map(|case| case.id.as_str()))?;
    for case in &baseline.cases {
        if !corpora.iter().any(|corpus| lies_in(&case.id, corpus)) {
            return Err(Contradiction::NoCorpus { case: case.id.clone() });
        }
        of_measures(case)?;
    }
    let results = baseline.cases.iter().map(|case| (case.verdict, case.elements_compared()));
    of_summary(&baseline.summary, &Summary::of_results(results))
}

fn distinct<'a>(
    member: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, Contradiction> {
    let mut known = BTreeSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(Contradiction::Twice { member, name: name.to_owned() });
        }
    }
    Ok(known)
}

fn lies_in(id: &str, corpus: &str) -> bool {
    id.strip_prefix(corpus).is_some_and(|rest| rest.starts_with('/'))
}

fn of_measures(case: &BaselineCase) -> Result<(), Contradiction> {
    for output in &case.outputs {
        let at = || (case.id.clone(), output.name.clone());
        if output.mismatches > output.elements {
            let (case, output) = at();
            return Err(Contradiction::Mismatches { case, output });
        }
        if case.verdict == Verdict::Pass && output.mismatches > 0 {
            let (case, output) = at();
            return Err(Contradiction::Pass { case, output });
        }
    }
    Ok(())
}

fn of_summary(says: &Summary, comes_to: &Summary) -> Result<(), Contradiction> {
    let verdicts = Verdict::ALL
        .map(|verdict| (verdict.to_string(), says.count(verdict), comes_to.count(verdict)));
    let totals = [
        ("cases".to_owned(), says.cases, comes_to.cases),
        ("elements_compared".to_owned(), says.elements_compared, comes_to.elements_compared),
    ];
    for (member, says, comes_to) in verdicts.into_iter().chain(totals) {
        if says != comes_to {
            return Err(Contradiction::Summary { member, says, comes_to });
        }
    }
    Ok(())
}

/// Every case is judged by the profile of its suite, and no more strictly than that does.
fn of_profiles(report: &Report) -> Result<(), Contradiction> {
    if report.profile != Suite::profiles(&report.suites) {
        return Err(Contradiction::Profiles);
    }
    distinct("suites", report.suites.iter().map(|suite| suite.name.as_str()))?;
    for case in &report.cases {
        let suite = report.suites.iter().find(|suite| suite.name == case.suite);
        if suite.is_none_or(|suite| suite.profile != case.profile) {
            return Err(Contradiction::Profile { case: case.id.clone() });
        }
        // What a profile of the user's own says is not known here.
        if let (Some(says), Ok(profile)) = (case.strictness, Profile::named(&case.profile))
            && !strictness(&profile, case).contains(&says)
        {
            return Err(Contradiction::Strictness { case: case.id.clone() });
        }
    }
    Ok(())
}

/// How strictly a profile may judge the outputs of a case, whichever operator they are of.
fn strictness(profile: &Profile, case: &Case) -> Vec<Strictness> {
    let named = |name: &str| DType::ALL.into_iter().find(|dtype| dtype.name() == name);
    let dtypes: Vec<_> =
        case.outputs.iter().filter_map(|output| named(&output.type_name)).collect();
    let laxest = |operator| dtypes.iter().map(|&dtype| profile.strictness(operator, dtype)).min();
    let operators = OPERATORS.iter().copied().map(Some).chain([None]);
    operators.filter_map(laxest).collect()
}

/// The aspects of a case are as its verdict says, and a mismatch is one of its values.
fn of_aspects(case: &Case) -> Result<(), Contradiction> {
    use AspectResult::{Failed, NotJudged, Passed, Undecided};
    let any = |result| case.aspects.results().any(|(_, other)| other == result);
    let conforms = match case.verdict {
        Verdict::Pass => any(Passed) && !any(Undecided) && !any(NotJudged) && !any(Failed),
        Verdict::Fail => any(Failed),
        Verdict::Unsupported | Verdict::Skipped => any(NotJudged) && !any(Failed),
        Verdict::OutOfDomain => any(Undecided) && !any(NotJudged) && !any(Failed),
        Verdict::Crash | Verdict::Timeout | Verdict::Fault => case.aspects == Aspects::all(Failed),
    };
    if conforms && (case.mismatches() == 0 || case.aspects.value == Failed) {
        return Ok(());
    }
    Err(Contradiction::Aspects { case: case.id.clone() })
}

/// A pass has an answer for every element of every output.
fn of_shapes(case: &Case) -> Result<(), Contradiction> {
    for output in case.outputs.iter().filter(|_| case.verdict == Verdict::Pass) {
        let promised = output.shape.iter().try_fold(1_u64, |all, &dim| all.checked_mul(dim));
        if promised.is_none() || promised != output.elements.checked_add(output.undecided) {
            let (case, output) = (case.id.clone(), output.name.clone());
            return Err(Contradiction::Elements { case, output });
        }
    }
    Ok(())
}

fn of_expectations(report: &Report) -> Result<(), Contradiction> {
    if report.expectations_list.is_none() && !report.expectations.is_empty() {
        return Err(Contradiction::NoList);
    }
    let known = || report.cases.iter().filter(|case| case.expected.is_failure());
    let expected = known().count() as u64;
    let matched = report.expectations.iter().fold(0, |sum: u64, e| sum.saturating_add(e.matched));
    if matched != expected {
        return Err(Contradiction::Expected { matched, expected });
    }
    let passed = known().filter(|case| case.verdict == Verdict::Pass);
    let failed = known().filter(|case| case.is_known_failure());
    let told = || report.expectations.iter();
    if !are(passed, told().flat_map(|known| &known.unexpected_passes)) {
        return Err(Contradiction::UnexpectedPasses);
    }
    if !are(failed, told().flat_map(|known| &known.failures)) {
        return Err(Contradiction::KnownFailures);
    }
    Ok(())
}

/// Whether ids are those of these cases, each once.
fn are<'a>(
    cases: impl Iterator<Item = &'a Case>,
    ids: impl Iterator<Item = &'a String> + Clone,
) -> bool {
    let cases: BTreeSet<_> = cases.map(|case| &case.id).collect();
    ids.clone().count() == cases.len() && ids.collect::<BTreeSet<_>>() == cases
}

/// What a case says it verifies and what is said of the requirement are the same links.
fn of_requirements(report: &Report) -> Result<(), Contradiction> {
    let mut named = BTreeMap::<&str, BTreeSet<&str>>::new();
    for case in &report.cases {
        for id in &case.requirements {
            named.entry(id).or_default().insert(&case.id);
        }
    }
    for requirement in &report.requirements {
        let listed = requirement.cases.iter().map(String::as_str).collect();
        if named.remove(requirement.id.as_str()).unwrap_or_default() != listed {
            return Err(Contradiction::Requirement { id: requirement.id.clone() });
        }
    }
    match named.first_key_value() {
        None => Ok(()),
        Some((id, _)) => Err(Contradiction::Requirement { id: (*id).to_owned() }),
    }
}
