//! What a matrix cannot say without contradicting itself.

use std::collections::{BTreeMap, BTreeSet};

use super::build::support_for;
use super::document::{
    Campaign, Case, FORMAT_VERSION, KIND, Matrix, Report, Requirement, Summary, Unknown,
};
use crate::document::JsonDocument;
use crate::document::provenance;
use crate::documents::report::contradiction::{
    Contradiction, ensure, in_order, of_backend, of_corpora, of_list, of_names,
};
use crate::foundation::text::natural_order;
use crate::judge::profile::Strictness;
use crate::judge::requirements::{self, Catalogue, Status, Support};
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
    type Contradiction = Contradiction;

    fn room(&self) -> usize {
        let lines = self.requirements.iter().map(|requirement| 1 + requirement.cases.len());
        lines.sum::<usize>().saturating_mul(LINE_BYTES)
    }

    fn consistent(&self) -> Result<(), Contradiction> {
        of_documents(self)?;
        self.campaigns.iter().try_for_each(of_campaign)?;
        of_links(self)?;
        self.requirements.iter().try_for_each(|row| of_status(row, &self.campaigns))?;
        of_catalogues(self)
    }
}

/// The requirements are those of the documents, and the summaries add them up.
fn of_documents(matrix: &Matrix) -> Result<(), Contradiction> {
    of_backend(&matrix.backend)?;
    let wrong = |what: &str| format!("the `summary` of {what} is not that of its requirements");
    ensure(matrix.summary == Summary::of(&matrix.requirements), || wrong("the matrix"))?;
    let mut all = Vec::new();
    for document in &matrix.documents {
        let key = &document.key;
        let own = || matrix.of_document(key);
        ensure(document.summary == Summary::of(own()), || wrong(&format!("the document `{key}`")))?;
        in_order("requirements", own().map(|row| row.id.as_str()))?;
        all.extend(own().map(|row| &row.id));
    }
    ensure(all.iter().copied().eq(matrix.requirements.iter().map(|row| &row.id)), || {
        "`requirements` are not those of `documents`, in their order".to_owned()
    })?;
    let distinct: BTreeSet<_> = all.iter().collect();
    ensure(distinct.len() == all.len(), || "`requirements` has one twice".to_owned())?;
    in_order("unknown", matrix.unknown.iter().map(|unknown| unknown.id.as_str()))?;
    let is_known = |unknown: &Unknown| all.contains(&&unknown.id);
    ensure(!matrix.unknown.iter().any(is_known), || {
        "`unknown` has one of `requirements`".to_owned()
    })
}

/// No more of a campaign was executed than was to be, and no more of it is wrong than was executed.
fn of_campaign(campaign: &Campaign) -> Result<(), Contradiction> {
    let Campaign { inputs, range, promised, executed, mismatches, violations, .. } = campaign;
    let holds = range.first <= range.end
        && range.end <= *inputs
        && *promised <= range.end - range.first
        && executed <= promised
        && mismatches <= executed
        && violations.is_none_or(|violations| violations <= *executed);
    ensure(holds, || {
        let Campaign { operator, type_name, .. } = campaign;
        format!("the counts of the campaign of {operator} on {type_name} exceed each other")
    })?;
    let is_complete = executed == promised && campaign.failure.is_none();
    let may = match campaign.support {
        Support::Passed => is_complete && *executed == range.end - range.first,
        Support::NotRun => *executed == 0,
        Support::Lax => false,
        Support::Partial | Support::Undecided | Support::Failed => *executed > 0,
    };
    ensure(may, || {
        let Campaign { operator, type_name, .. } = campaign;
        format!(
            "the `support` of the campaign of {operator} on {type_name} is not that of its counts"
        )
    })
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

/// Cases stand in their natural order, those of one id in that of their reports, and say no more than their
/// verdicts.
fn of_cases(of: &str, cases: &[Case]) -> Result<(), Contradiction> {
    let precedes =
        |a: &Case, b: &Case| natural_order(&a.id, &b.id).then(a.report.cmp(&b.report)).is_lt();
    ensure(cases.is_sorted_by(precedes), || {
        format!("the `cases` of `{of}` are not in their order")
    })?;
    cases.iter().try_for_each(|case| {
        let may = match (case.verdict, case.support) {
            (_, None) | (Verdict::Fail, Some(_)) => true,
            (Verdict::Pass, Some(support)) => matches!(support, Support::Passed | Support::Lax),
            (Verdict::Crash | Verdict::Timeout | Verdict::Fault, Some(support)) => {
                support == Support::Failed
            }
            (Verdict::Unsupported | Verdict::Skipped | Verdict::OutOfDomain, Some(support)) => {
                support != Support::Failed
            }
        };
        ensure(may, || {
            format!(
                "the case `{}` has a `support` for `{of}` that its `verdict` does not give",
                case.id
            )
        })
    })
}

/// The status of a requirement is what its cases and campaigns give.
fn of_status(row: &Requirement, campaigns: &[Campaign]) -> Result<(), Contradiction> {
    let Requirement { id, status, reason, .. } = row;
    let requirement = requirement(row);
    let by_cases = row.cases.iter().filter_map(|case| case.support);
    let by_campaigns = row.campaigns.iter().filter_map(|&at| campaigns.get(at));
    let by_campaigns = by_campaigns.map(|campaign| support_for(&requirement, campaign));
    let said: BTreeSet<Support> = by_cases.chain(by_campaigns).collect();
    let follows = Status::of(&requirement, said.iter().copied());
    ensure(*status == follows, || {
        format!("`{id}` has the `status` {status}, but by what names it it is {follows}")
    })?;
    let is_lax = follows == Status::Partly && said.contains(&Support::Lax);
    ensure(reason.is_some() == is_lax, || {
        format!("`{id}` has a `reason` where no laxer profile is one, or has none where one is")
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

/// Where this version of the program made it, what is said of requirements is what its catalogues say.
fn of_catalogues(matrix: &Matrix) -> Result<(), Contradiction> {
    let Ok(catalogue) = Catalogue::embedded() else { return Ok(()) };
    let is_known = |row: &Requirement| catalogue.get(&row.id).is_some();
    if matrix.tool.version != provenance::tool().version
        || !matrix.requirements.iter().any(is_known)
    {
        return Ok(());
    }
    let documents =
        matrix.documents.iter().map(|one| (&one.key, &one.title, &one.source, one.sha256));
    let known = catalogue.documents().iter();
    let are_known = documents.eq(known.map(|one| (&one.key, &one.title, &one.source, one.sha256)));
    ensure(are_known && matrix.requirements.len() == catalogue.requirements().len(), || {
        "`documents` and `requirements` are not those of the catalogues of this version".to_owned()
    })?;
    matrix.requirements.iter().try_for_each(|row| {
        let as_known = catalogue.get(&row.id).map(|known| requirements::Requirement {
            aliases: Vec::new(),
            strictness: if known.is_of_elements() {
                known.strictness
            } else {
                Strictness::Undecided
            },
            ..known.clone()
        });
        ensure(as_known == Some(requirement(row)), || {
            format!("what is said of `{}` is not what the catalogue of this version says", row.id)
        })
    })
}
