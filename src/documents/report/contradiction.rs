//! What a report or baseline cannot say without contradicting itself: the marks of a file that was
//! edited or damaged and is still well-formed.

mod expectations;
mod outputs;
mod own_cases;
mod requirements;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rayon::prelude::*;

use super::baseline::{self, Baseline, BaselineCase, Measures};
use super::document::{Case, Corpus, ExpectationsList, FORMAT_VERSION, Report, Suite, Summary};
use crate::backend::Identity;
use crate::corpus::{Digest, KnownCorpus, natural_order};
use crate::document::JsonDocument;
use crate::dtype::DType;
use crate::judge::profile::{Profile, Strictness};
use crate::judge::verdict::{AspectResult, Aspects, Verdict};
use reference::operators::OPERATORS;

/// Two statements of a document that cannot both be true, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Contradiction(String);

/// The contradiction, where something does not hold.
pub(crate) fn ensure(
    holds: bool,
    contradiction: impl FnOnce() -> String,
) -> Result<(), Contradiction> {
    if holds { Ok(()) } else { Err(Contradiction(contradiction())) }
}

/// About as many bytes as a case has.
const CASE_BYTES: usize = 1280;

impl JsonDocument for Report {
    const NAME: &'static str = "report";
    const FILE: &'static str = "`report.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    /// A case takes one line.
    const LEVELS: usize = 2;
    const SCHEMA: &'static str = "reports/schema/report.schema.json";
    type Contradiction = Contradiction;

    fn room(&self) -> usize {
        self.cases.len().saturating_mul(CASE_BYTES)
    }

    fn consistent(&self) -> Result<(), Contradiction> {
        of_baseline(&Baseline::of(self))?;
        of_profiles(self)?;
        of_shard(self)?;
        self.cases.iter().try_for_each(of_aspects)?;
        of_all(&self.cases, outputs::check)?;
        expectations::check(self)?;
        requirements::check(self)?;
        own_cases::check(self)
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
    let Baseline { corpora, cases, expectations_list, .. } = baseline;
    let ids = || cases.iter().map(|case| case.id.as_str());
    of_backend(&baseline.backend)?;
    of_names(corpora, ids())?;
    in_order("cases", ids())?;
    of_corpora(corpora, &ids())?;
    of_list(expectations_list.as_ref())?;
    let all = cases.iter().flat_map(|case| &case.outputs);
    let mut counts = all.map(|output| output.elements.checked_add(output.undecided));
    let total = counts.try_fold(0_u64, |sum, count| sum.checked_add(count?));
    ensure(total.is_some(), || "`cases` have more elements than can be counted".to_owned())?;
    for BaselineCase { id, verdict, expected, flaky, outputs } in cases {
        ensure(*expected != Verdict::Skipped || *verdict == Verdict::Skipped, || {
            format!("the case `{id}` has `verdict` {verdict}, but was to be skipped")
        })?;
        ensure(!flaky || expected.comes_and_goes(), || {
            format!("the case `{id}` is `flaky`, but was expected to be {expected}")
        })?;
        let decided = outputs.iter().any(|output| output.elements > 0);
        let undecided = outputs.iter().any(|output| output.undecided > 0);
        ensure(*verdict != Verdict::Pass || decided || !undecided, || {
            format!("the case `{id}` has `verdict` pass, but all its elements are undecided")
        })?;
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

/// No backend introduces itself otherwise.
pub(crate) fn of_backend(backend: &Identity) -> Result<(), Contradiction> {
    backend.check().map_err(|error| Contradiction(format!("`backend` is none: {error}")))
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

/// Names stand in their natural order, each once.
pub(crate) fn in_order<'a>(
    member: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> Result<(), Contradiction> {
    let Some(mut last) = names.next() else { return Ok(()) };
    names.try_for_each(|name| {
        let before = std::mem::replace(&mut last, name);
        ensure(natural_order(before, name) == Ordering::Less, || {
            format!("`{member}` has `{name}` after `{before}`, which is not their order")
        })
    })
}

/// Each corpus has a digest that is one. Its cases are no more than it has, and where the digest is that of a
/// corpus that this program knows, they are cases of that one.
pub(crate) fn of_corpora<'a>(
    corpora: &[Corpus],
    cases: &(impl Iterator<Item = &'a str> + Clone),
) -> Result<(), Contradiction> {
    corpora.iter().try_for_each(|corpus| {
        let Corpus { name, digest, cases: count } = corpus;
        let digest: Digest = is_digest(&format!("corpus `{name}`"), digest)?;
        let within =
            || cases.clone().filter_map(|id| id.strip_prefix(name.as_str())?.strip_prefix('/'));
        let listed = within().count() as u64;
        ensure(listed <= *count, || {
            format!("the corpus `{name}` has {count} `cases`, but {listed} are listed")
        })?;
        let Some(known) = KnownCorpus::of(digest) else { return Ok(()) };
        let holds = known.cases().len() as u64;
        ensure(*count == holds, || {
            format!("the corpus `{name}` has {count} `cases`, but by its `digest` it has {holds}")
        })?;
        let stranger = within().find(|case| !known.cases().contains(*case));
        stranger.map_or(Ok(()), |case| {
            ensure(false, || {
                format!("the case `{name}/{case}` is none of the corpus, by its `digest`")
            })
        })
    })
}

/// The digest of a list of known failures is one.
pub(crate) fn of_list(list: Option<&ExpectationsList>) -> Result<(), Contradiction> {
    let Some(list) = list else { return Ok(()) };
    is_digest(&format!("list `{}`", list.name), &list.sha256).map(|_| ())
}

fn is_digest(of: &str, text: &str) -> Result<Digest, Contradiction> {
    text.parse().map_err(|error| Contradiction(format!("the digest of the {of}: {error}")))
}

/// Looks at each case, and gives the first contradiction in their order.
fn of_all<T: Sync>(
    all: &[T],
    check: impl Fn(&T) -> Result<(), Contradiction> + Sync,
) -> Result<(), Contradiction> {
    all.par_iter().find_map_first(|one| check(one).err()).map_or(Ok(()), Err)
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

pub(crate) fn of_summary(says: &Summary, derived: &Summary) -> Result<(), Contradiction> {
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

/// A shard holds its share of the cases that it names.
fn of_shard(report: &Report) -> Result<(), Contradiction> {
    let Some(shard) = &report.shard else { return Ok(()) };
    is_digest("selection of the shard", &shard.selection)?;
    let is_one = (1..=shard.count).contains(&shard.index);
    let cases = report.cases.len() as u64;
    ensure(is_one && shard.shard().share(shard.selected) == cases, || {
        let (shard, selected) = (shard.shard(), shard.selected);
        format!("{cases} `cases` are not those of shard {shard} of {selected} cases")
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
        // Without a mismatch a type, a shape or a refusal is what failed.
        Verdict::Fail => {
            let is_of_values = case.aspects.value == Failed || case.aspects.accuracy == Failed;
            any(Failed)
                && (!is_of_values || case.mismatches() > 0 || case.aspects == Aspects::all(Failed))
        }
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
