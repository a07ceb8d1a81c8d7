//! The kill matrix: every defect against every column, and what was promised.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use onnx_conformance::backend::protocol_check;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::qualification::document::{self, Cell, CleanCell, ColumnKind};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::verdict::Verdict;
use rayon::prelude::*;

use crate::columns::{self, Column, Holds};
use crate::defect::{CLEAN, Clean, Defect, PATIENCE, Wrong, program};

/// The kit: what looks for defects, what is right, and the defects.
pub(crate) struct Kit {
    columns: Vec<Column>,
    clean: Vec<Found>,
    pub(crate) defects: Vec<Defect>,
    rows: Vec<OnceLock<Row>>,
}

/// The result of a clean one: for each column its cell, and the verdicts of its cases.
struct Found {
    cells: Vec<CleanCell>,
    verdicts: Vec<Vec<Verdict>>,
}

/// What the columns made of a defect.
#[derive(Default)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    /// Cases that find it and are of no type that it declares.
    undeclared: Vec<String>,
    /// Operators and types of the cases of this project's suites that find it.
    operators: BTreeSet<String>,
    types: BTreeSet<&'static str>,
}

impl Kit {
    /// The kit, once the clean ones have been found right.
    ///
    /// # Errors
    ///
    /// When there is nothing to look with, or a clean one is not found right.
    pub(crate) fn new() -> Result<Self, String> {
        let columns = columns::all()?;
        let clean = Clean::ALL.iter().map(|clean| found(*clean, &columns));
        let clean = clean.collect::<Result<_, _>>()?;
        let defects = Defect::all();
        let rows = defects.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { columns, clean, defects, rows })
    }

    /// The row of the defect at a place.
    pub(crate) fn row(&self, at: usize) -> &Row {
        self.rows[at].get_or_init(|| self.computed(&self.defects[at]))
    }

    fn computed(&self, defect: &Defect) -> Row {
        let mut row = Row::default();
        let time = defect.time();
        let clean = Clean::ALL.iter().position(|clean| *clean == defect.seeded_into()).unwrap();
        for (column, verdicts) in self.columns.iter().zip(&self.clean[clean].verdicts) {
            // A new one each time: what one column did to it is not for another to find.
            let backend = defect.backend();
            let cell = match &column.holds {
                Holds::Cases(cases) => {
                    let right = cases.iter().zip(verdicts);
                    let mut counts = Counts::default();
                    for (case, &right) in right.filter(|(case, _)| defect.is_of(&case.operator)) {
                        let is_declared = defect.is_anywhere()
                            || case.dtype.is_some_and(|dtype| defect.types.contains(&dtype));
                        let is_judged = matches!(right, Verdict::Pass | Verdict::OutOfDomain);
                        counts.cases += u64::from(is_declared && is_judged);
                        let now = column.verdict(case, &*backend, time);
                        if !counts.add(right, now, &case.id) {
                            continue;
                        }
                        if !is_declared {
                            row.undeclared.push(format!("{} ({now})", case.id));
                        }
                        if column.kind == ColumnKind::Suite {
                            row.operators.insert(case.operator.clone());
                            row.types.extend(case.dtype.map(DType::name));
                        }
                    }
                    counts.cell(column)
                }
                Holds::Campaigns(campaigns) => {
                    let mut counts = Counts::default();
                    for campaign in campaigns {
                        if defect.operators.contains(&campaign.operator.name)
                            && defect.types.contains(&campaign.dtype)
                        {
                            let swept = campaign.run(&backend, time);
                            counts.cases += swept.inputs;
                            counts.failed += swept.wrong;
                            counts.first = counts.first.or(swept.first);
                        }
                    }
                    counts.cell(column)
                }
                Holds::Protocol => match defect.wrong {
                    Wrong::Process(_) => looked_at(defect.id).cell(column),
                    Wrong::Elements(_) | Wrong::Tensors(_) | Wrong::Derived(_) => {
                        Counts::default().cell(column)
                    }
                },
            };
            row.cells.push(cell);
            backend.close();
        }
        row
    }

    /// The first case of a suite that finds the defect at a place.
    pub(crate) fn first(&self, at: usize, suite: Suite) -> Option<&str> {
        self.row(at).cells.iter().find(|cell| cell.column == suite.name())?.first.as_deref()
    }

    /// The kinds of the columns that find a defect.
    pub(crate) fn finders(&self, defect: &Defect) -> Vec<ColumnKind> {
        let cells = self.computed(defect).cells;
        let found = self.columns.iter().zip(cells).filter(|(_, cell)| cell.found() > 0);
        found.map(|(column, _)| column.kind).collect()
    }

    /// Whether the defect at a place is found as promised.
    ///
    /// # Errors
    ///
    /// In what it is not.
    pub(crate) fn check(&self, at: usize) -> Result<(), String> {
        let (defect, row) = (&self.defects[at], self.row(at));
        let mut problems = Vec::new();
        let described = self.described(at);
        let killers = described.killers().collect::<Vec<_>>().join(" ");
        let is_kept = match defect.is_derived() {
            true => described.killers().any(|killer| killer == defect.caught_by),
            false => killers == defect.caught_by,
        };
        if !is_kept {
            problems.push(format!("caught by [{killers}], promised [{}]", defect.caught_by));
        }
        let columns: Vec<_> = self.columns.iter().map(|column| column.described(0)).collect();
        if !described.is_killed_by(&columns, ColumnKind::is_own) {
            problems.push("nothing of this project finds it".to_owned());
        }
        if !row.undeclared.is_empty() {
            let first = row.undeclared.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
            problems.push(format!("found in what it does not declare: {first}"));
        }
        let is_of_suites = described.is_killed_by(&columns, |kind| kind == ColumnKind::Suite);
        let types: BTreeSet<&str> = defect.types().collect();
        let is_as_declared = |found: usize, is_superset: bool, declared: usize| {
            is_superset && (found == declared || defect.is_anywhere()) || defect.is_derived()
        };
        if is_of_suites
            && !is_as_declared(row.types.len(), row.types.is_superset(&types), types.len())
        {
            problems.push(format!("wrong in {:?}, declared {types:?}", row.types));
        }
        let operators: BTreeSet<String> =
            defect.operators.iter().map(|name| (*name).to_owned()).collect();
        if is_of_suites && !row.operators.is_superset(&operators) {
            problems.push(format!("wrong in {:?}, declared {operators:?}", row.operators));
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(format!("{}: {}", defect.id, problems.join("; "))),
        }
    }

    fn described(&self, at: usize) -> document::Defect {
        let (defect, row) = (&self.defects[at], self.row(at));
        // The committed document states all that find a derived one.
        let promised = match defect.is_derived() {
            true => {
                let found = row.cells.iter().filter(|cell| cell.found() > 0);
                found.map(|cell| cell.column.clone()).collect()
            }
            false => defect.caught_by.split_whitespace().map(str::to_owned).collect(),
        };
        document::Defect {
            id: defect.id.to_owned(),
            class: defect.class,
            says: defect.says.to_owned(),
            seeded_into: defect.seeded_into().id().to_owned(),
            operators: defect.operators.iter().map(|name| (*name).to_owned()).collect(),
            types: defect.types().map(str::to_owned).collect(),
            promised,
            cells: row.cells.clone(),
        }
    }

    /// The document of all of it.
    pub(crate) fn document(&self) -> document::Qualification {
        let checks = |found: &Found| found.cells.last().map(|cell| cell.passed);
        let checks = self.clean.iter().filter_map(checks).max().unwrap_or_default();
        let columns = self.columns.iter().map(|column| column.described(checks)).collect();
        let clean = Clean::ALL.iter().zip(&self.clean);
        let clean = clean.map(|(clean, found)| document::Clean {
            id: clean.id().to_owned(),
            says: clean.says().to_owned(),
            cells: found.cells.clone(),
        });
        let defects = (0..self.defects.len()).map(|at| self.described(at)).collect();
        document::Qualification::of(columns, clean.collect(), defects)
    }
}

/// What a column counts of a defect.
#[derive(Default)]
struct Counts {
    cases: u64,
    failed: u64,
    lost: u64,
    first: Option<String>,
}

impl Counts {
    /// Counts a case by its result with and without the defect; whether that finds the defect,
    /// as the gate would.
    fn add(&mut self, right: Verdict, now: Verdict, id: &str) -> bool {
        if now.is_failure() {
            self.failed += 1;
        } else if right == Verdict::Pass && now != Verdict::Pass {
            self.lost += 1;
        } else {
            return false;
        }
        self.first.get_or_insert_with(|| id.to_owned());
        true
    }

    fn cell(self, column: &Column) -> Cell {
        Cell::of(column.id, self.cases, self.failed, self.lost, self.first)
    }
}

/// What the check of the protocol finds in this program as an adapter.
fn looked_at(id: &str) -> Counts {
    let findings = protocol_check::check(program(id), PATIENCE, PATIENCE).unwrap();
    let mut counts = Counts { cases: findings.len() as u64, ..Counts::default() };
    for bad in findings.iter().filter(|finding| finding.result.is_err()) {
        counts.failed += 1;
        counts.first.get_or_insert_with(|| bad.check.to_owned());
    }
    counts
}

/// What the columns make of a clean one, all of which has to be right.
fn found(clean: Clean, columns: &[Column]) -> Result<Found, String> {
    let is_wrong = |what: &str| {
        format!("the qualification is void: {what} of `{}`, which has no defect", clean.id())
    };
    let backend = clean.backend();
    let (mut cells, mut verdicts) = (Vec::new(), Vec::new());
    for column in columns {
        let (mut passed, mut undecided, mut of_cases) = (0, 0, Vec::new());
        match &column.holds {
            Holds::Cases(cases) => {
                let asked = cases.par_iter();
                let judged: Vec<Verdict> =
                    asked.map(|case| column.verdict(case, &*backend, PATIENCE)).collect();
                for (case, verdict) in cases.iter().zip(judged) {
                    match verdict {
                        Verdict::Pass => passed += 1,
                        Verdict::OutOfDomain => undecided += 1,
                        other => {
                            return Err(is_wrong(&format!(
                                "{other} in {} ({})",
                                case.id, column.id
                            )));
                        }
                    }
                    of_cases.push(verdict);
                }
            }
            Holds::Campaigns(campaigns) => {
                let asked = campaigns.par_iter();
                let swept: Vec<_> =
                    asked.map(|campaign| campaign.run(&backend, PATIENCE)).collect();
                for swept in swept {
                    passed += swept.inputs;
                    if let Some(first) = swept.first {
                        return Err(is_wrong(&format!("a wrong result at {first}")));
                    }
                }
            }
            Holds::Protocol if clean == Clean::Adapter => {
                let counts = looked_at(CLEAN);
                passed = counts.cases;
                if let Some(first) = counts.first {
                    return Err(is_wrong(&format!("a failed check of the protocol (\"{first}\")")));
                }
            }
            Holds::Protocol => {}
        }
        cells.push(CleanCell { column: column.id.to_owned(), passed, undecided });
        verdicts.push(of_cases);
    }
    backend.close();
    Ok(Found { cells, verdicts })
}
