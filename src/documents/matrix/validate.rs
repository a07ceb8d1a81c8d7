//! Whether a matrix is consistent.

use std::collections::{BTreeMap, HashMap};

use super::build::Named;
use super::document::{Campaign, Case, FORMAT_VERSION, KIND, Matrix, Report, Requirement};
use crate::document::provenance;
use crate::document::{Contradiction, JsonDocument, agrees, all_agree, ensure, ensure_all};
use crate::documents::report::validate::{of_backend, of_corpora, of_list, of_names};
use crate::foundation::text::natural_order;
use crate::judge::profile::Strictness;
use crate::judge::requirements::{self, Catalogue, SourceDocument, Support};
use crate::judge::verdict::Verdict;

/// About as many bytes as a requirement has, or a case of one.
const LINE_BYTES: usize = 192;

impl JsonDocument for Matrix {
    const NAME: &'static str = "matrix";
    const FILE: &'static str = "`matrix.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const KIND: Option<&'static str> = Some(KIND);
    /// A requirement takes one line, or a few.
    const LEVELS: usize = 3;
    const SCHEMA: &'static str = "reports/schema/matrix.schema.json";

    fn room(&self) -> usize {
        let lines = self.requirements.iter().map(|requirement| 1 + requirement.cases.len());
        lines.sum::<usize>().saturating_mul(LINE_BYTES)
    }

    fn consistent(&self) -> Result<(), Contradiction> {
        of_backend(&self.backend)?;
        self.campaigns.iter().try_for_each(of_campaign)?;
        of_links(self)?;
        let derived = self.rebuilt();
        all_agree("requirements", &self.requirements, derived.requirements)?;
        all_agree("documents", &self.documents, derived.documents)?;
        all_agree("unknown", &self.unknown, derived.unknown)?;
        agrees("summary", &self.summary, &derived.summary)
    }
}

impl Matrix {
    /// What follows from the cases and campaigns: by the catalogues of this version of the program where it made the
    /// matrix, else by the requirements as they are.
    fn rebuilt(&self) -> Self {
        let mut named = HashMap::<&str, Named<'_>>::new();
        let rows = self.requirements.iter().map(|row| (&row.id, &row.cases, &row.campaigns));
        let unknown = self.unknown.iter().map(|one| (&one.id, &one.cases, &one.campaigns));
        for (id, cases, campaigns) in rows.chain(unknown) {
            let named = named.entry(id).or_default();
            // The profiles of cases are not known here, and with them the words of a reason.
            named.cases.extend(cases.iter().map(|case| (case.clone(), "unknown")));
            named.campaigns.extend(campaigns);
        }
        let is_known = |all: &Catalogue| {
            self.tool.version == provenance::tool().version
                && self.requirements.iter().any(|row| all.get(&row.id).is_some())
        };
        let catalogue = Catalogue::embedded().ok().filter(is_known);
        let catalogue = catalogue.unwrap_or_else(|| {
            let documents = self.documents.iter().map(|one| SourceDocument {
                key: one.key.clone(),
                title: one.title.clone(),
                source: one.source.clone(),
                sha256: one.sha256,
            });
            Catalogue::of(documents.collect(), self.requirements.iter().map(requirement).collect())
        });
        let sources = Self {
            requirements: Vec::new(),
            documents: Vec::new(),
            unlinked: Vec::new(),
            unknown: Vec::new(),
            kind: self.kind.clone(),
            tool: self.tool.clone(),
            backend: self.backend.clone(),
            reports: Vec::new(),
            campaigns: self.campaigns.clone(),
            ..*self
        };
        let mut derived = sources.derived(&catalogue, named);
        for (row, stored) in derived.requirements.iter_mut().zip(&self.requirements) {
            if let (Some(reason), Some(stored)) = (&mut row.reason, &stored.reason) {
                reason.clone_from(stored);
            }
        }
        derived
    }
}

/// No more of a campaign was executed than was to be, and no more of it is wrong than was executed.
fn of_campaign(campaign: &Campaign) -> Result<(), Contradiction> {
    let Campaign { operator, type_name, inputs, range, promised, executed, .. } = campaign;
    let wrong = campaign.mismatches.max(campaign.violations.unwrap_or(0));
    let is_complete = executed == promised && campaign.failure.is_none();
    let may = match campaign.support {
        Support::Passed => is_complete && range.first.checked_add(*executed) == Some(range.end),
        Support::NotRun => *executed == 0,
        Support::Lax => false,
        Support::Partial | Support::Undecided | Support::Failed => *executed > 0,
    };
    ensure_all(
        format_args!("the campaign of {operator} on {type_name}"),
        [
            (range.first <= range.end && range.end <= *inputs, "has a `range` beyond its `inputs`"),
            (
                *promised <= range.end.saturating_sub(range.first) && executed <= promised,
                "has more `promised` than its `range`, or more `executed`",
            ),
            (wrong <= *executed, "has more `mismatches` or `violations` than `executed`"),
            (may, "has a `support` that is not that of its counts"),
        ],
    )
}

/// What names requirements, and what does not, are the cases of the reports and the campaigns.
fn of_links(matrix: &Matrix) -> Result<(), Contradiction> {
    let mut verdicts = BTreeMap::<(usize, &str), Verdict>::new();
    let named = matrix.requirements.iter().map(|row| (row.id.as_str(), &row.cases, &row.campaigns));
    let unknown = matrix.unknown.iter().map(|one| (one.id.as_str(), &one.cases, &one.campaigns));
    for (id, cases, campaigns) in named.chain(unknown) {
        of_cases(id, cases)?;
        let are_there = campaigns.iter().all(|&at| at < matrix.campaigns.len());
        ensure(are_there && campaigns.is_sorted_by(|a, b| a < b), || {
            format!("the `campaigns` of `{id}` are not places in `campaigns`, in their order")
        })?;
        for Case { id: case, report, verdict, .. } in cases {
            let other = verdicts.insert((*report, case), *verdict);
            ensure(other.is_none_or(|other| other == *verdict), || {
                format!("the case `{case}` has two verdicts")
            })?;
        }
    }
    of_cases("unlinked", &matrix.unlinked)?;
    let open = matrix.unknown.iter().flat_map(|unknown| &unknown.cases).chain(&matrix.unlinked);
    { open }.try_for_each(|case| {
        ensure(case.support.is_none(), || {
            format!("the case `{}` has `support` for no requirement", case.id)
        })
    })?;
    for Case { id, report, verdict, .. } in &matrix.unlinked {
        let is_new = verdicts.insert((*report, id), *verdict).is_none();
        ensure(is_new, || format!("the case `{id}` is in `unlinked`, and names a requirement"))?;
    }
    for (at, Report { corpora, cases, expectations_list, .. }) in matrix.reports.iter().enumerate()
    {
        let ids = || verdicts.range((at, "")..(at + 1, "")).map(|((_, id), _)| *id);
        let listed = ids().count() as u64;
        ensure(listed == *cases, || {
            format!("a report has {cases} `cases`, but {listed} of them are in the matrix")
        })?;
        of_names(corpora, ids())?;
        of_corpora(corpora, &ids())?;
        of_list(expectations_list.as_ref())?;
    }
    let stranger = verdicts.keys().find(|(report, _)| *report >= matrix.reports.len());
    stranger.map_or(Ok(()), |(_, id)| {
        ensure(false, || format!("the case `{id}` is of none of `reports`"))
    })
}

/// Cases stand in their natural order, those of one id in that of their reports, and a verdict gives the support.
fn of_cases(of: &str, cases: &[Case]) -> Result<(), Contradiction> {
    use Verdict::{Crash, Fail, Fault, OutOfDomain, Pass, Skipped, Timeout, Unsupported};
    let precedes =
        |a: &Case, b: &Case| natural_order(&a.id, &b.id).then(a.report.cmp(&b.report)).is_lt();
    ensure(cases.is_sorted_by(precedes), || {
        format!("the `cases` of `{of}` are not in their order")
    })?;
    let gives = |case: &Case| match (case.verdict, case.support) {
        (_, None) | (Fail, Some(_)) => true,
        (Pass, Some(support)) => matches!(support, Support::Passed | Support::Lax),
        (Crash | Timeout | Fault, Some(support)) => support == Support::Failed,
        (Unsupported | Skipped | OutOfDomain, Some(support)) => support != Support::Failed,
    };
    cases.iter().find(|case| !gives(case)).map_or(Ok(()), |Case { id, .. }| {
        ensure(false, || {
            format!("the case `{id}` has a `support` for `{of}` that its `verdict` does not give")
        })
    })
}

/// The requirement that a row is about.
fn requirement(row: &Requirement) -> requirements::Requirement {
    requirements::Requirement {
        id: row.id.clone(),
        document: row.document.clone(),
        section: row.section.clone(),
        aliases: Vec::new(),
        kind: row.kind,
        aspects: row.aspects.clone(),
        strictness: row.strictness.unwrap_or(Strictness::Undecided),
        provisional: row.provisional,
        statement: row.statement.clone(),
        untestable: row.untestable.clone(),
    }
}
