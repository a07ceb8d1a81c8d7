//! Whether a scoreboard is consistent.

use std::collections::BTreeMap;

use super::build;
use super::divergences::KnownDivergences;
use super::document::{Case, Column, FORMAT_VERSION, Operator, Passed, Scoreboard};
use super::known;
use crate::document::provenance;
use crate::document::{Contradiction, JsonDocument, agrees, all_agree, ensure};
use crate::documents::report::document::Summary;
use crate::documents::report::validate::{in_order, of_corpora, of_list, of_names};
use crate::judge::verdict::Verdict;

impl JsonDocument for Scoreboard {
    const NAME: &'static str = "scoreboard";
    const FILE: &'static str = "`scoreboard.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SCHEMA: &'static str = "reports/schema/scoreboard.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        of_places(self)?;
        let ids = || self.cases.iter().map(|case| case.id.as_str());
        of_names(&self.corpora, ids())?;
        in_order("cases", ids())?;
        of_corpora(&self.corpora, &ids())?;
        in_order("requirements", self.requirements.iter().map(|one| one.id.as_str()))?;
        for (at, column) in self.backends.iter().enumerate() {
            of_list(column.expectations_list.as_ref())?;
            of_column(column, &self.cases, at)?;
            of_operators(self, at)?;
        }
        of_decisions(self)
    }

    /// One line, as it holds very many elements.
    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// Everything that is said of each backend is said of as many as there are.
fn of_places(board: &Scoreboard) -> Result<(), Contradiction> {
    let count = board.backends.len();
    let rows = board.operators.iter().map(|one| one.backends.len());
    let rows = rows.chain(board.requirements.iter().map(|one| one.backends.len()));
    let rows = rows.chain(board.cases.iter().map(|case| case.backends.len()));
    let hard = board.hard_questions.iter();
    let mut rows = rows.chain(hard.map(|one| one.backends.len()));
    let outputs = board.cases.iter().flat_map(|case| &case.outputs);
    let mut elements = outputs.flat_map(|output| &output.elements);
    let are_places = elements.all(|element| {
        let mut places: Vec<usize> =
            element.answers.iter().flat_map(|answer| answer.backends.iter().copied()).collect();
        places.sort_unstable();
        places.is_sorted_by(|a, b| a < b) && places.last().is_none_or(|&last| last < count)
    });
    ensure(rows.all(|row| row == count) && are_places, || {
        format!("there are {count} `backends`, but what is said of each is said of others")
    })
}

/// The counts of a backend are those of its cells; the numbers of elements are facts of its suites.
fn of_column(column: &Column, cases: &[Case], at: usize) -> Result<(), Contradiction> {
    let mut verdicts = BTreeMap::<&str, Vec<Verdict>>::new();
    for case in cases {
        if let Some(Some(cell)) = case.backends.get(at) {
            verdicts.entry(&case.suite).or_default().push(cell.verdict);
        }
    }
    let counted = |verdicts: &mut dyn Iterator<Item = &Verdict>, elements_compared| Summary {
        elements_compared,
        ..Summary::of_results(verdicts.map(|&verdict| (verdict, 0)))
    };
    let elements = column.suites.values().map(|suite| suite.elements_compared);
    let elements = elements.fold(0, u64::saturating_add);
    let path = |member| format!("backends[{at}].{member}");
    let whole = counted(&mut verdicts.values().flatten(), elements);
    agrees(path("summary"), &column.summary, &whole)?;
    let suites = verdicts.iter().map(|(&suite, verdicts)| {
        let elements = column.suites.get(suite).map_or(0, |stored| stored.elements_compared);
        (suite.to_owned(), counted(&mut verdicts.iter(), elements))
    });
    agrees(path("suites"), &column.suites, &suites.collect())
}

/// What a backend passes of each operator follows from its cells. How many cases it had is a fact: one that a report
/// could not decode is of no operator there.
fn of_operators(board: &Scoreboard, at: usize) -> Result<(), Contradiction> {
    let mut passes = BTreeMap::<Option<&str>, Passed>::new();
    for case in &board.cases {
        let Some(Some(cell)) = case.backends.get(at) else { continue };
        let name = Some(case.operator.as_str()).filter(|name| !name.contains(", "));
        passes.entry(name).or_default().add(cell.verdict);
    }
    let asked = passes.values().fold(0, |all: u64, one| all.saturating_add(one.asked));
    let mut stored = 0_u64;
    for (place, Operator { name, backends }) in board.operators.iter().enumerate() {
        let Some(counts) = backends.get(at) else { continue };
        let found = passes.remove(&name.as_deref()).unwrap_or_default();
        stored = stored.saturating_add(counts.asked);
        let derived = Passed { asked: counts.asked, ..found };
        agrees(format_args!("operators[{place}].backends[{at}]"), counts, &derived)?;
        ensure(counts.passed.saturating_add(counts.undecided) <= counts.asked, || {
            format!("`operators[{place}].backends[{at}]` has more cases than `asked`")
        })?;
    }
    let is_none = |left: &Passed| left.passed == 0 && left.undecided == 0;
    ensure(stored == asked && passes.values().all(is_none), || {
        "`operators` are not those of `cases`".to_owned()
    })
}

/// Disagreements and known divergences follow from the cases, by the rules of this version of the program.
fn of_decisions(board: &Scoreboard) -> Result<(), Contradiction> {
    if board.tool.version != provenance::tool().version {
        return Ok(());
    }
    let corpora: Vec<_> = board.corpora.iter().collect();
    let (Ok(specs), Ok(divergences)) = (known::of(&corpora), KnownDivergences::embedded()) else {
        return Ok(());
    };
    let disagreements = build::disagreements(&board.backends, &board.cases, &specs);
    all_agree("disagreements", &board.disagreements, disagreements)?;
    let shown = divergences.shown_by(board.backends.len(), &board.cases, &specs);
    all_agree("hard_questions", &board.hard_questions, shown)
}
