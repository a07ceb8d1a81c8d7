//! Whether a report or baseline is consistent.

mod outputs;
mod own_cases;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use rayon::prelude::*;

use super::baseline::{self, Baseline, BaselineCase};
use super::document::{
    Case, Corpus, Expectation, ExpectationsList, FORMAT_VERSION, Report, Requirement, Suite,
    Summary,
};
use crate::backend::{Identity, Isolation};
use crate::corpus::{Digest, KnownCorpus, natural_order};
use crate::document::provenance;
use crate::document::{Contradiction, JsonDocument, agrees, all_agree, ensure, ensure_all};
use crate::dtype::DType;
use crate::judge::profile::{Profile, Strictness};
use crate::judge::requirements::{Catalogue, Row, Status};
use crate::judge::verdict::{AspectResult, Aspects, Verdict};
use reference::operators::OPERATORS;

/// About as many bytes as a case has.
const CASE_BYTES: usize = 1280;

impl JsonDocument for Report {
    const NAME: &'static str = "report";
    const FILE: &'static str = "`report.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    /// A case takes one line.
    const LEVELS: usize = 2;
    const SCHEMA: &'static str = "reports/schema/report.schema.json";

    fn room(&self) -> usize {
        self.cases.len().saturating_mul(CASE_BYTES)
    }

    fn consistent(&self) -> Result<(), Contradiction> {
        of_baseline(&Baseline::of(self))?;
        of_profiles(self)?;
        of_shard(self)?;
        let is_partial = self.isolation == Isolation::Partial;
        agrees("whether `isolation` is partial", &is_partial, &!self.isolation_gaps.is_empty())?;
        self.cases.iter().try_for_each(of_aspects)?;
        of_all(&self.cases, outputs::check)?;
        of_expectations(self)?;
        of_requirements(self)?;
        own_cases::check(self)
    }
}

impl JsonDocument for Baseline {
    const NAME: &'static str = "baseline";
    const FILE: &'static str = "baseline or a `report.json`";
    const FORMAT_VERSION: u32 = baseline::FORMAT_VERSION;
    const KIND: Option<&'static str> = Some(baseline::KIND);
    const SCHEMA: &'static str = "reports/schema/baseline.schema.json";

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
        let fails = *verdict != Verdict::Pass;
        let decided = outputs.iter().any(|output| output.elements > 0);
        let undecided = outputs.iter().any(|output| output.undecided > 0);
        let few = outputs.iter().all(|output| output.mismatches <= output.elements);
        let was_run = *expected != Verdict::Skipped;
        ensure_all(
            format_args!("the case `{id}`"),
            [
                (
                    was_run || *verdict == Verdict::Skipped,
                    "was to be skipped, but has another `verdict`",
                ),
                (
                    !flaky || expected.comes_and_goes(),
                    "is `flaky`, but `expected` never comes and goes",
                ),
                (
                    fails || decided || !undecided,
                    "has `verdict` pass, but all its elements are undecided",
                ),
                (few, "has more `mismatches` than `elements` in an output"),
                (
                    fails || outputs.iter().all(|output| output.mismatches == 0),
                    "has `verdict` pass, but `mismatches` in an output",
                ),
            ],
        )?;
    }
    let results = baseline.cases.iter().map(|case| (case.verdict, case.elements_compared()));
    agrees("summary", &baseline.summary, &Summary::of_results(results))
}

/// No backend introduces itself otherwise.
pub(crate) fn of_backend(backend: &Identity) -> Result<(), Contradiction> {
    let wrong = |error| Contradiction::Impossible(format!("`backend` is none: {error}"));
    backend.check().map_err(wrong)
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
    path: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), Contradiction> {
    let names: Vec<&str> = names.collect();
    let mut ordered = names.clone();
    ordered.sort_by(|a, b| natural_order(a, b));
    ordered.dedup();
    all_agree(path, &names, ordered)
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
    let wrong = |error| Contradiction::Impossible(format!("the digest of the {of}: {error}"));
    text.parse().map_err(wrong)
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
    agrees("profile", &report.profile, &Suite::profiles(&report.suites))?;
    for own_cases in [false, true] {
        let suites = report.suites.iter().filter(|suite| suite.own_cases == own_cases);
        distinct("suites", suites.map(|suite| suite.name.as_str()))?;
    }
    report.cases.iter().try_for_each(|case| {
        let judged = |suite: &Suite| suite.name == case.suite && suite.profile == case.profile;
        // The rules of a profile of the user's own are not known here.
        let may = match (case.strictness, Profile::named(&case.profile)) {
            (Some(stored), Ok(profile)) => strictness(&profile, case).contains(&stored),
            _ => true,
        };
        ensure_all(
            format_args!("the case `{}`", case.id),
            [
                (
                    report.suites.iter().any(judged),
                    "does not have the `profile` of its suite in `suites`",
                ),
                (may, "has a `strictness` that its profile has for none of its outputs"),
            ],
        )
    })
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
    ensure(!case.is_allowed || case.verdict == Verdict::Fail, || {
        format!("the case `{}` `is_allowed`, but its `verdict` is no fail", case.id)
    })?;
    ensure(conforms && (case.mismatches() == 0 || case.aspects.value == Failed), || {
        format!(
            "the `aspects` of the case `{}` are not those of its `verdict` and `outputs`",
            case.id
        )
    })
}

/// The first entry that matches a case decides what is expected of it, and the results of an entry are those of the
/// cases that it decides.
fn of_expectations(report: &Report) -> Result<(), Contradiction> {
    let Report { expectations, expectations_list, corpora, cases, .. } = report;
    ensure(expectations_list.is_some() || expectations.is_empty(), || {
        "there are `expectations`, but `expectations_list` is null: they come from no list"
            .to_owned()
    })?;
    let entries: Vec<_> = expectations.iter().map(Expectation::entry).collect();
    for entry in &entries {
        let is_there = |name: &str| corpora.iter().any(|corpus| corpus.name == name);
        let is_of_them = entry.corpus().is_none_or(is_there);
        let stranger = || (!is_of_them).then(|| "is of none of `corpora`".to_owned());
        if let Some(problem) = entry.problem().or_else(stranger) {
            let of = format!("the entry `{}` of `expectations` {problem}", entry.cases);
            return Err(Contradiction::Impossible(of));
        }
    }
    for case in cases {
        let facts = case.facts();
        let is_expected = match entries.iter().find(|entry| entry.matches(&facts)) {
            None => !case.expected.can_be_known() && !case.flaky,
            Some(entry) => (case.expected, case.flaky) == (entry.verdict, entry.flaky),
        };
        ensure(is_expected, || {
            let (id, expected) = (&case.id, case.expected);
            let flaky = if case.flaky { " and is `flaky`" } else { "" };
            format!(
                "the case `{id}` has `expected` {expected}{flaky}, which no entry of `expectations` gives"
            )
        })?;
    }
    all_agree("expectations", expectations, Expectation::recomputed(expectations, cases))
}

/// The requirements are those that cases name, and, where this version of the program wrote the report, those of its
/// catalogues, with the statuses that follow from the cases. The catalogues of other versions are not known here.
fn of_requirements(report: &Report) -> Result<(), Contradiction> {
    let stored: BTreeMap<&str, &Requirement> =
        report.requirements.iter().map(|one| (one.id.as_str(), one)).collect();
    let is_own = !stored.is_empty() && report.tool.version == provenance::tool().version;
    let catalogue = CATALOGUE.as_ref().filter(|_| is_own);
    let mut naming: HashMap<&str, Vec<&Case>> = stored.keys().map(|id| (*id, Vec::new())).collect();
    for case in &report.cases {
        for id in &case.requirements {
            let naming = naming.entry(id).or_default();
            // One that names the requirement twice counts once.
            if naming.last().is_none_or(|last| last.id != case.id) {
                naming.push(case);
            }
        }
    }
    for requirement in catalogue.iter().flat_map(|all| all.requirements()) {
        naming.entry(&requirement.id).or_default();
    }
    let mut naming: Vec<_> = naming.into_iter().collect();
    naming.sort_by(|(a, _), (b, _)| natural_order(a, b));
    let derived = naming.into_iter().map(|(id, cases)| {
        if let Some(requirement) = catalogue.and_then(|all| all.get(id)) {
            let cases = cases.into_iter().map(Case::tested).collect();
            return Requirement::of(Row::of(requirement, cases));
        }
        let (status, reason) = match stored.get(id) {
            Some(stored) => (stored.status.clone(), stored.reason.clone()),
            None => Default::default(),
        };
        let cases = cases.into_iter().map(|case| case.id.clone()).collect();
        Requirement { id: id.to_owned(), status, reason, cases }
    });
    all_agree("requirements", &report.requirements, derived)?;
    report.requirements.iter().try_for_each(|Requirement { id, status, reason, .. }| {
        let known = Status::ALL.into_iter().find(|known| known.to_string() == *status);
        ensure(known.is_some() && (reason.is_none() || known == Some(Status::Partly)), || {
            format!("`{id}` in `requirements` has a `status` that is none, or a `reason` for another one")
        })
    })
}

/// The catalogues of this program.
static CATALOGUE: LazyLock<Option<Catalogue>> = LazyLock::new(|| Catalogue::embedded().ok());
