//! What a report or baseline cannot say without contradicting itself: the marks of a file that was
//! edited or damaged and is still well-formed.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::{self, Baseline, BaselineCase, Measures};
use super::document::{Case, Corpus, FORMAT_VERSION, Report, Suite, Summary};
use crate::document::JsonDocument;
use crate::dtype::DType;
use crate::profile::{Profile, Strictness};
use crate::verdict::{AspectResult, Aspects, Verdict};
use reference::operators::OPERATORS;

/// Two statements of a document that cannot both be true, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Contradiction(String);

fn ensure(holds: bool, contradiction: impl FnOnce() -> String) -> Result<(), Contradiction> {
    if holds { Ok(()) } else { Err(Contradiction(contradiction())) }
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
    of_names(&baseline.corpora, baseline.cases.iter().map(|case| case.id.as_str()))?;
    for BaselineCase { id, verdict, outputs, .. } in &baseline.cases {
        for Measures { name, elements, mismatches, .. } in outputs {
            ensure(mismatches <= elements, || {
                format!(
                    "the case `{id}` has more `mismatches` than `elements` in the output `{name}`"
                )
            })?;
            ensure(*verdict != Verdict::Pass || *mismatches == 0, || {
                format!(
                    "the case `{id}` has `verdict` pass, but `mismatches` in the output `{name}`"
                )
            })?;
        }
    }
    let results = baseline.cases.iter().map(|case| (case.verdict, case.elements_compared()));
    of_summary(&baseline.summary, &Summary::of_results(results))
}

/// Whether each corpus and each case is there once, and each case of a corpus.
pub(crate) fn of_names<'a>(
    corpora: &[Corpus],
    cases: impl Iterator<Item = &'a str>,
) -> Result<(), Contradiction> {
    let corpora = distinct("corpora", corpora.iter().map(|corpus| corpus.name.as_str()))?;
    distinct("cases", cases)?.iter().try_for_each(|case| {
        let lies_in =
            |corpus: &&str| case.strip_prefix(*corpus).is_some_and(|it| it.starts_with('/'));
        ensure(corpora.iter().any(lies_in), || format!("the case `{case}` is of none of `corpora`"))
    })
}

fn distinct<'a>(
    member: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, Contradiction> {
    let mut known = BTreeSet::new();
    for name in names {
        ensure(known.insert(name), || format!("`{member}` has `{name}` twice"))?;
    }
    Ok(known)
}

fn of_summary(says: &Summary, derived: &Summary) -> Result<(), Contradiction> {
    let verdicts = Verdict::ALL
        .map(|verdict| (verdict.to_string(), says.count(verdict), derived.count(verdict)));
    let totals = [
        ("cases".to_owned(), says.cases, derived.cases),
        ("elements_compared".to_owned(), says.elements_compared, derived.elements_compared),
    ];
    verdicts.into_iter().chain(totals).try_for_each(|(member, says, derived)| {
        ensure(says == derived, || {
            format!("`summary.{member}` is {says}, but its cases add up to {derived}")
        })
    })
}

/// Every case is judged by the profile of its suite, and no more strictly than that does.
fn of_profiles(report: &Report) -> Result<(), Contradiction> {
    ensure(report.profile == Suite::profiles(&report.suites), || {
        "`profile` and `suites` do not name the same profiles".to_owned()
    })?;
    for own_cases in [false, true] {
        let suites = report.suites.iter().filter(|suite| suite.own_cases == own_cases);
        distinct("suites", suites.map(|suite| suite.name.as_str()))?;
    }
    for case in &report.cases {
        let id = &case.id;
        let judged = |suite: &Suite| suite.name == case.suite && suite.profile == case.profile;
        ensure(report.suites.iter().any(judged), || {
            format!("the case `{id}` does not have the `profile` of its suite in `suites`")
        })?;
        // What a profile of the user's own says is not known here.
        if let (Some(says), Ok(profile)) = (case.strictness, Profile::named(&case.profile)) {
            ensure(strictness(&profile, case).contains(&says), || {
                format!(
                    "the case `{id}` has a `strictness` that its profile has for none of its outputs"
                )
            })?;
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
    ensure(conforms && (case.mismatches() == 0 || case.aspects.value == Failed), || {
        format!(
            "the `aspects` of the case `{}` are not those of its `verdict` and `outputs`",
            case.id
        )
    })
}

/// A pass has an answer for every element of every output.
fn of_shapes(case: &Case) -> Result<(), Contradiction> {
    let mut outputs = case.outputs.iter().filter(|_| case.verdict == Verdict::Pass);
    outputs.try_for_each(|output| {
        let promised = output.shape.iter().try_fold(1_u64, |all, &dim| all.checked_mul(dim));
        let answered = output.elements.checked_add(output.undecided);
        ensure(promised.is_some() && promised == answered, || {
            format!(
                "the case `{}` has `verdict` pass, but `elements` and `undecided` of the output \
                 `{}` are not those of its `shape`",
                case.id, output.name
            )
        })
    })
}

fn of_expectations(report: &Report) -> Result<(), Contradiction> {
    ensure(report.expectations_list.is_some() || report.expectations.is_empty(), || {
        "there are `expectations`, but `expectations_list` is null: they come from no list"
            .to_owned()
    })?;
    let known = || report.cases.iter().filter(|case| case.expected.is_failure());
    let expected = known().count() as u64;
    let matched = report.expectations.iter().fold(0, |sum: u64, e| sum.saturating_add(e.matched));
    ensure(matched == expected, || {
        format!("`expectations` match {matched} cases, but {expected} have a failure as `expected`")
    })?;
    let passed = known().filter(|case| case.verdict == Verdict::Pass);
    let failed = known().filter(|case| case.is_known_failure());
    let told = || report.expectations.iter();
    ensure(are(passed, told().flat_map(|known| &known.unexpected_passes)), || {
        "the `unexpected_passes` of `expectations` are not the known failures that pass".to_owned()
    })?;
    ensure(are(failed, told().flat_map(|known| &known.failures)), || {
        "the `failures` of `expectations` are not the known failures that fail so".to_owned()
    })
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
    let other =
        |id: &str| format!("the `cases` of `{id}` in `requirements` are not those that name it");
    let mut named = BTreeMap::<&str, BTreeSet<&str>>::new();
    for case in &report.cases {
        for id in &case.requirements {
            named.entry(id).or_default().insert(&case.id);
        }
    }
    for requirement in &report.requirements {
        let listed = requirement.cases.iter().map(String::as_str).collect();
        let naming = named.remove(requirement.id.as_str()).unwrap_or_default();
        ensure(naming == listed, || other(&requirement.id))?;
    }
    named.keys().try_for_each(|id| ensure(false, || other(id)))
}
