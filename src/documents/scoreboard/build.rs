//! The scoreboard document of joined reports.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::divergences::KnownDivergences;
use super::document::{
    Case, Cell, Column, Disagreement, FORMAT_VERSION, Operator, Passed, Requirement, Scoreboard,
};
use super::join::{Joined, Row};
use super::known::{self, CaseSpec, CaseSpecError, Fetched};
use super::{adjudicate, elements};
use crate::corpus::{Home, natural_order};
use crate::document::provenance;
use crate::documents::report::document::{self, Report, Summary};
use reference::operators::OPERATORS;

impl Scoreboard {
    /// The document that sets reports side by side and says who is right, by the reference also where a corpus is fetched. The names of
    /// those that are not come with it.
    pub fn of(joined: &Joined<'_>, home: &Home) -> Result<(Self, Vec<String>), CaseSpecError> {
        let specs = known::of(&joined.corpora)?;
        let Fetched { specs: fetched, missing } = known::fetched(&joined.corpora, home)?;
        let divergences = KnownDivergences::embedded().map_err(Box::from)?;
        let backends: Vec<Column> = joined.reports.iter().map(|report| column(report)).collect();
        let of_row = |row: &Row<'_>| {
            let spec = specs.get(row.id).or_else(|| fetched.get(row.id));
            case(row, spec, &divergences)
        };
        let cases: Vec<Case> = joined.rows.par_iter().map(of_row).collect();
        let board = Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            corpora: joined.corpora.iter().map(|corpus| (*corpus).clone()).collect(),
            operators: operators(joined),
            requirements: requirements(&joined.reports),
            disagreements: disagreements(&backends, &cases, &specs),
            hard_questions: divergences.shown_by(backends.len(), &cases, &specs),
            backends,
            cases,
        };
        Ok((board, missing))
    }
}

/// The cases on which backends disagree, the most interesting first.
pub(super) fn disagreements(
    backends: &[Column],
    cases: &[Case],
    specs: &BTreeMap<String, CaseSpec>,
) -> Vec<Disagreement> {
    let disagreement = |case: &Case| {
        let found = adjudicate::disagreement(backends, case, specs.get(&case.id))?;
        Some((adjudicate::rank(&found, case, specs.get(&case.id)), found))
    };
    let mut disagreements: Vec<_> = cases.iter().filter_map(disagreement).collect();
    // Stable: within a rank the cases stay in natural order of their ids.
    disagreements.sort_by_key(|(rank, _)| *rank);
    disagreements.into_iter().map(|(_, found)| found).collect()
}

fn column(report: &Report) -> Column {
    let mut suites = BTreeMap::<&str, Vec<_>>::new();
    for case in &report.cases {
        suites.entry(&case.suite).or_default().push(case);
    }
    let suites = suites.into_iter().map(|(suite, cases)| (suite.to_owned(), Summary::of(cases)));
    let backend = report.backend.clone();
    Column {
        name: backend.name,
        version: backend.version,
        details: backend.details,
        profile: report.profile.clone(),
        expectations_list: report.expectations_list.clone(),
        tool: report.tool.clone(),
        summary: Summary::of(&report.cases),
        suites: suites.collect(),
    }
}

fn case(row: &Row<'_>, spec: Option<&CaseSpec>, divergences: &KnownDivergences) -> Case {
    let outputs = elements::of(&row.cells, spec, divergences);
    let cell = |case: &document::Case| Cell {
        profile: case.profile.clone(),
        verdict: case.verdict,
        returned: !case.outputs.is_empty(),
        message: case.message.clone(),
        unaligned: elements::unaligned(case, &outputs),
    };
    // A case that could not be decoded says nothing of itself; another report may.
    let known = || row.cells.iter().flatten();
    let told = known().find(|case| !case.operator.is_empty()).or_else(|| known().next());
    let (suite, operator, opset, types) = told.map_or_else(Default::default, |case| {
        (case.suite.clone(), case.operator.clone(), case.opset, case.types.clone())
    });
    Case {
        id: row.id.to_owned(),
        suite,
        operator,
        opset,
        types,
        backends: row.cells.iter().map(|case| case.map(cell)).collect(),
        outputs,
    }
}

fn operators(joined: &Joined<'_>) -> Vec<Operator> {
    let mut rows = BTreeMap::<Option<&str>, Vec<Passed>>::new();
    for row in &joined.rows {
        for (at, case) in row.cells.iter().enumerate() {
            let Some(case) = case else { continue };
            let name = Some(case.operator.as_str()).filter(|name| !name.contains(", "));
            let backends =
                rows.entry(name).or_insert_with(|| vec![Passed::default(); row.cells.len()]);
            backends[at].add(case.verdict);
        }
    }
    // The operators that the oracle knows come before all others, and graphs of several last.
    let place = |name: Option<&str>| {
        OPERATORS.iter().position(|known| Some(known.name) == name).unwrap_or(OPERATORS.len())
    };
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|(a, _), (b, _)| {
        let by_name = natural_order(a.unwrap_or_default(), b.unwrap_or_default());
        a.is_none().cmp(&b.is_none()).then(place(*a).cmp(&place(*b))).then(by_name)
    });
    let operator =
        |(name, backends): (Option<&str>, _)| Operator { name: name.map(str::to_owned), backends };
    rows.into_iter().map(operator).collect()
}

fn requirements(reports: &[&Report]) -> Vec<Requirement> {
    let statuses: Vec<BTreeMap<&str, &str>> = reports
        .iter()
        .map(|report| {
            report.requirements.iter().map(|one| (one.id.as_str(), one.status.as_str())).collect()
        })
        .collect();
    let ids: BTreeSet<&str> = statuses.iter().flat_map(|status| status.keys().copied()).collect();
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_by(|a, b| natural_order(a, b));
    let requirement = |id: &str| Requirement {
        id: id.to_owned(),
        backends: statuses.iter().map(|of| of.get(id).map(|&status| status.to_owned())).collect(),
    };
    ids.into_iter().map(requirement).collect()
}
