//! The matrix document of reports and campaigns.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::document::{
    Campaign, Case, DocumentCoverage, FORMAT_VERSION, KIND, Matrix, Report, Requirement, Summary,
    Unknown,
};
use crate::document::provenance;
use crate::documents::report::document::{self, Backend, Suite};
use crate::foundation::text::natural_order;
use crate::judge::profile::{Profile, Strictness};
use crate::judge::requirements::{self, Catalogue, Support, Verified};
use crate::measure::campaign;
use reference::operator::Domain;
use reference::operators;

/// A document that the matrix is made of.
#[derive(Debug)]
pub struct Source<'a, T> {
    /// The document.
    pub document: &'a T,
    /// Address of its page relative to the matrix's page, percent-encoded, with slashes; none where
    /// there is no page to link to.
    pub page: Option<&'a str>,
}

/// These documents make no matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// There is no document.
    #[error("there is no report and no campaign; a matrix is made of at least one")]
    Empty,
    /// What one backend did says nothing for another.
    #[error(
        "the documents are of two backends, `{one}` and `{other}`, or of one in two configurations; \
         make a matrix of each"
    )]
    OtherBackend {
        /// Name and version in the first document.
        one: String,
        /// Name and version in the one that differs.
        other: String,
    },
}

/// What names a requirement: cases with the profile of each, and campaigns.
#[derive(Default)]
pub(super) struct Named<'a> {
    pub(super) cases: Vec<(Case, &'a str)>,
    pub(super) campaigns: Vec<usize>,
}

impl Named<'_> {
    /// The cases in natural order of their ids; those of one id stay in the order of their reports.
    fn in_order(mut self) -> Self {
        self.cases.sort_by(|(a, _), (b, _)| natural_order(&a.id, &b.id));
        self
    }
}

impl Matrix {
    /// Sets reports and campaigns of one backend against the catalogue. A case that is in several
    /// reports counts in each.
    pub fn of(
        catalogue: &Catalogue,
        reports: &[Source<'_, document::Report>],
        campaigns: &[Source<'_, campaign::Campaign>],
    ) -> Result<Self, MatrixError> {
        let backend = backend(reports, campaigns)?.clone();
        let (named, unlinked) = links(catalogue, reports, campaigns);
        let sources = Self {
            format_version: FORMAT_VERSION,
            kind: KIND.to_owned(),
            tool: provenance::tool(),
            backend,
            reports: reports.iter().map(of_report).collect(),
            campaigns: campaigns.iter().map(of_campaign).collect(),
            summary: Summary::default(),
            documents: Vec::new(),
            requirements: Vec::new(),
            unlinked,
            unknown: Vec::new(),
        };
        Ok(sources.derived(catalogue, named))
    }

    /// What follows from what names the requirements of a catalogue, in the place of what stood there.
    pub(super) fn derived(
        self,
        catalogue: &Catalogue,
        mut named: HashMap<&str, Named<'_>>,
    ) -> Self {
        let campaigns = &self.campaigns;
        let linked = |one: &'_ requirements::Requirement| named.remove(one.id.as_str());
        let linked: Vec<_> = catalogue.requirements().iter().map(linked).collect();
        let linked = catalogue.requirements().par_iter().zip(linked);
        let rows = linked.map(|(one, named)| row(one, named.unwrap_or_default(), campaigns));
        let mut by_document: HashMap<String, Vec<_>> = HashMap::new();
        for row in rows.collect::<Vec<Requirement>>() {
            by_document.entry(row.document.clone()).or_default().push(row);
        }
        let (mut rows, mut documents) = (Vec::new(), Vec::new());
        for document in catalogue.documents() {
            let own = by_document.remove(&document.key).unwrap_or_default();
            documents.push(DocumentCoverage {
                key: document.key.clone(),
                title: document.title.clone(),
                source: document.source.clone(),
                sha256: document.sha256,
                summary: Summary::of(&own),
            });
            rows.extend(own);
        }
        let unknown = |(id, named): (&str, Named<'_>)| {
            let Named { cases, campaigns } = named.in_order();
            let cases = cases.into_iter().map(|(case, _)| case).collect();
            Unknown { id: id.to_owned(), cases, campaigns }
        };
        let mut unknown: Vec<_> = named.into_iter().map(unknown).collect();
        unknown.sort_by(|a, b| natural_order(&a.id, &b.id));
        Self { summary: Summary::of(&rows), documents, requirements: rows, unknown, ..self }
    }

    /// By which profiles the reports and campaigns were judged, in words.
    pub fn profiles(&self) -> String {
        let by_reports = self.reports.iter().map(|report| Suite::described(&report.suites));
        let by_campaigns = self.campaigns.iter().map(|campaign| campaign.profile.clone());
        let all: BTreeSet<_> = by_reports.chain(by_campaigns).collect();
        all.into_iter().collect::<Vec<_>>().join("; ")
    }

    /// The suites that are judged less strictly than by default, each in a sentence.
    pub fn laxer(&self) -> BTreeSet<String> {
        self.reports.iter().flat_map(|report| &report.suites).filter_map(Suite::laxer).collect()
    }

    /// The requirements of a specification.
    pub fn of_document<'m>(&'m self, key: &'m str) -> impl Iterator<Item = &'m Requirement> {
        self.requirements.iter().filter(move |requirement| requirement.document == key)
    }
}

fn backend<'a>(
    reports: &[Source<'a, document::Report>],
    campaigns: &[Source<'a, campaign::Campaign>],
) -> Result<&'a Backend, MatrixError> {
    let of_reports = reports.iter().map(|source| &source.document.backend);
    let mut all = of_reports.chain(campaigns.iter().map(|source| &source.document.backend));
    let first = all.next().ok_or(MatrixError::Empty)?;
    let name = |backend: &Backend| format!("{} {}", backend.name, backend.version);
    match all.find(|backend| *backend != first) {
        None => Ok(first),
        Some(other) => Err(MatrixError::OtherBackend { one: name(first), other: name(other) }),
    }
}

/// What names each requirement, and the cases that name none, in order.
fn links<'a>(
    catalogue: &Catalogue,
    reports: &[Source<'a, document::Report>],
    campaigns: &[Source<'a, campaign::Campaign>],
) -> (HashMap<&'a str, Named<'a>>, Vec<Case>) {
    let mut named = HashMap::<&str, Named<'_>>::new();
    let mut unlinked = Vec::new();
    for (report, source) in reports.iter().enumerate() {
        // A report lists what a case may name; what it lists beyond the catalogue is to be seen.
        for requirement in &source.document.requirements {
            named.entry(&requirement.id).or_default();
        }
        let linked = |case: &'a document::Case| {
            let link =
                |support| Case { id: case.id.clone(), report, verdict: case.verdict, support };
            // A case that names a requirement twice does not count twice.
            let linked = distinct(&case.requirements).into_iter().map(|id| {
                let requirement = catalogue.get(id);
                (id, link(requirement.and_then(|one| one.support(&case.tested()))))
            });
            let linked: Vec<_> = linked.collect();
            let of_none = linked.is_empty().then(|| link(None));
            (case, linked, of_none)
        };
        let cases: Vec<_> = source.document.cases.par_iter().map(linked).collect();
        for (case, linked, of_none) in cases {
            unlinked.extend(of_none);
            for (id, link) in linked {
                named.entry(id).or_default().cases.push((link, &case.profile));
            }
        }
    }
    for (at, source) in campaigns.iter().enumerate() {
        for id in distinct(&source.document.requirements) {
            named.entry(id).or_default().campaigns.push(at);
        }
    }
    unlinked.sort_by(|a, b| natural_order(&a.id, &b.id));
    (named, unlinked)
}

/// The names of a list, each once.
fn distinct(names: &[String]) -> Vec<&String> {
    let mut names: Vec<_> = names.iter().collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn row(requirement: &requirements::Requirement, named: Named<'_>, all: &[Campaign]) -> Requirement {
    let Named { cases, campaigns } = named.in_order();
    let by_cases = cases.iter().filter_map(|(case, profile)| Some((case.support?, *profile)));
    let by_campaigns = campaigns.iter().filter_map(|&at| all.get(at));
    let by_campaigns =
        by_campaigns.map(|one| (support_for(requirement, one), one.profile.as_str()));
    let Verified { status, reason } = Verified::of(requirement, by_cases.chain(by_campaigns));
    Requirement {
        id: requirement.id.clone(),
        document: requirement.document.clone(),
        section: requirement.section.clone(),
        kind: requirement.kind,
        aspects: requirement.aspects.clone(),
        strictness: requirement.is_of_elements().then_some(requirement.strictness),
        provisional: requirement.provisional,
        statement: requirement.statement.clone(),
        untestable: requirement.untestable.clone(),
        status,
        reason,
        cases: cases.into_iter().map(|(case, _)| case).collect(),
        campaigns,
    }
}

/// What a campaign says for a requirement. It checks every result exactly, so that one whose results
/// are all correct is as strict as any; one that conforms to its profile alone is as strict as that.
fn support_for(requirement: &requirements::Requirement, campaign: &Campaign) -> Support {
    let conforms = matches!(campaign.support, Support::Passed | Support::Partial);
    let is_lax = campaign.mismatches > 0
        && requirement.is_of_elements()
        && !strictness(campaign).is_at_least(requirement.strictness);
    if conforms && is_lax { Support::Lax } else { campaign.support }
}

/// How strictly the profile of a campaign judges its results. What a profile of the user's own says is
/// not known here.
fn strictness(campaign: &Campaign) -> Strictness {
    let profile = Profile::named(&campaign.profile).ok();
    let operator = operators::find(Domain::Onnx, &campaign.operator);
    match (profile, operator, campaign.type_name.parse()) {
        (Some(profile), Some(operator), Ok(dtype)) => profile.strictness(Some(operator), dtype),
        _ => Strictness::Undecided,
    }
}

fn of_report(&Source { document, page }: &Source<'_, document::Report>) -> Report {
    Report {
        page: page.map(str::to_owned),
        tool: document.tool.clone(),
        profile: document.profile.clone(),
        suites: document.suites.clone(),
        expectations_list: document.expectations_list.clone(),
        corpora: document.corpora.clone(),
        cases: document.cases.len() as u64,
    }
}

fn of_campaign(&Source { document, page }: &Source<'_, campaign::Campaign>) -> Campaign {
    Campaign {
        page: page.map(str::to_owned),
        tool: document.tool.clone(),
        profile: document.profile.clone(),
        operator: document.operator.clone(),
        type_name: document.type_name.clone(),
        strategy: document.strategy.clone(),
        inputs: document.inputs,
        range: document.range,
        shard: document.shard,
        promised: document.promised,
        executed: document.executed,
        mismatches: document.mismatches,
        violations: document.violations,
        failure: document.failure.clone(),
        digest: document.digest,
        support: document.support(),
    }
}
