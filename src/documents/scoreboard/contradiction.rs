//! What a scoreboard cannot say without contradicting itself.

use std::collections::BTreeMap;

use super::build;
use super::divergences::KnownDivergences;
use super::document::{Case, Cell, Column, FORMAT_VERSION, Operator, Passed, Scoreboard};
use super::known;
use crate::document::JsonDocument;
use crate::document::provenance;
use crate::documents::report::contradiction::{
    Contradiction, ensure, in_order, of_corpora, of_list, of_names, of_summary,
};
use crate::documents::report::document::Summary;
use crate::judge::verdict::Verdict;

impl JsonDocument for Scoreboard {
    const NAME: &'static str = "scoreboard";
    const FILE: &'static str = "`scoreboard.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SCHEMA: &'static str = "reports/schema/scoreboard.schema.json";
    type Contradiction = Contradiction;

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

/// The counts of a backend are those of its cells.
fn of_column(column: &Column, cases: &[Case], at: usize) -> Result<(), Contradiction> {
    let mut suites = BTreeMap::<&str, Vec<Verdict>>::new();
    for case in cases {
        if let Some(Some(Cell { verdict, .. })) = case.backends.get(at) {
            suites.entry(&case.suite).or_default().push(*verdict);
        }
    }
    let counted = |verdicts: &[Verdict], elements_compared| Summary {
        elements_compared,
        ..Summary::of_results(verdicts.iter().map(|&verdict| (verdict, 0)))
    };
    let elements = |suite: &Summary| suite.elements_compared;
    let all: Vec<Verdict> = suites.values().flatten().copied().collect();
    let compared = column.suites.values().map(elements).try_fold(0, u64::checked_add);
    of_summary(&column.summary, &counted(&all, compared.unwrap_or(u64::MAX)))?;
    ensure(suites.keys().copied().eq(column.suites.keys().map(String::as_str)), || {
        format!("the `suites` of the backend `{}` are not those of its cases", column.name)
    })?;
    suites.values().zip(column.suites.values()).try_for_each(|(verdicts, summary)| {
        of_summary(summary, &counted(verdicts, summary.elements_compared))
    })
}

/// What a backend passes of each operator is what its cells say. A case that one report could not decode is
/// asked of no operator there.
fn of_operators(board: &Scoreboard, at: usize) -> Result<(), Contradiction> {
    let mut passes = BTreeMap::<Option<&str>, Passed>::new();
    let mut asked = 0_u64;
    for case in &board.cases {
        let Some(Some(cell)) = case.backends.get(at) else { continue };
        asked += 1;
        let name = Some(case.operator.as_str()).filter(|name| !name.contains(", "));
        passes.entry(name).or_default().add(cell.verdict);
    }
    let mut said = 0_u64;
    for Operator { name, backends } in &board.operators {
        let Some(Passed { passed, undecided, asked }) = backends.get(at) else { continue };
        said = said.saturating_add(*asked);
        let found = passes.remove(&name.as_deref()).unwrap_or_default();
        let holds = *passed == found.passed && *undecided == found.undecided;
        ensure(holds && passed.saturating_add(*undecided) <= *asked, || {
            format!(
                "`operators` say that a backend passes {passed} cases of {} and {undecided} are undecided, but by \
                 `cases` it passes {} and {} are undecided",
                name.as_deref().unwrap_or("several operators"),
                found.passed,
                found.undecided
            )
        })?;
    }
    let is_none = |left: &Passed| left.passed == 0 && left.undecided == 0;
    ensure(said == asked && passes.values().all(is_none), || {
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
    ensure(board.disagreements == disagreements, || {
        "`disagreements` are not those that follow from `cases`".to_owned()
    })?;
    let shown = divergences.shown_by(board.backends.len(), &board.cases, &specs);
    ensure(board.hard_questions == shown, || {
        "`hard_questions` are not answered as `cases` say".to_owned()
    })
}
