//! The gate on atlases: each kind of finding, what is none, and what the command says of two files.

use std::fs;
use std::process::{Command, Output};
use std::sync::LazyLock;

use onnx_conformance::document::style::Style;
use onnx_conformance::document::{JsonDocument, Sealed};
use onnx_conformance::documents::gate::atlas::{CompareError, RowChange, compared};
use onnx_conformance::documents::gate::{Change, Kind, Weight, markdown, text};
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::measure::atlas::{Atlas, Row};
use onnx_conformance::oracle::Ulps;
use tempfile::TempDir;

use super::*;
use crate::support::reports::{case, report};

/// The rows of Mul and Sigmoid of float16, of results that are changed; of Mul that of the sample.
fn of(change: fn(u64, u64, usize) -> u64) -> Atlas {
    let folder = tempfile::tempdir().unwrap();
    let mut atlas = filled(&three_rows(), folder.path(), change, usize::MAX).unwrap();
    atlas.rows.retain(|row| row.strategy != "hard");
    atlas.sealed().unwrap()
}

fn right() -> Atlas {
    static RIGHT: LazyLock<Atlas> = LazyLock::new(|| of(SAME));
    RIGHT.clone()
}

/// One result of Sigmoid, that of 1.5, is 3 less than it should be, and some of Mul.
fn wrong() -> Atlas {
    static WRONG: LazyLock<Atlas> = LazyLock::new(|| {
        of(|x, result, _| if x == 0x3e00 { result.saturating_sub(3) } else { result })
    });
    WRONG.clone()
}

/// An atlas of right results but for an edit of the row of Sigmoid.
fn edited(edit: impl FnOnce(&mut Row)) -> Atlas {
    let mut atlas = right();
    edit(&mut atlas.rows[1]);
    atlas
}

fn changes(then: &Atlas, now: &Atlas) -> Vec<Change<RowChange>> {
    compared(then, now).unwrap().changes
}

fn kinds(then: &Atlas, now: &Atlas) -> Vec<RowChange> {
    changes(then, now).into_iter().map(|change| change.kind).collect()
}

#[test]
fn an_atlas_differs_in_nothing_from_itself() {
    for atlas in [right(), wrong()] {
        assert_eq!(changes(&atlas, &atlas), []);
    }
}

#[test]
fn an_error_that_grew_is_a_finding_with_its_operand_and_one_that_shrank_an_improvement() {
    let (right, wrong) = (right(), wrong());
    let sigmoid = |changes: Vec<Change<RowChange>>| -> Vec<_> {
        changes.into_iter().filter(|change| change.what.starts_with("Sigmoid of float16")).collect()
    };
    let found = sigmoid(changes(&right, &wrong));
    let kinds: Vec<_> = found.iter().map(|change| change.kind).collect();
    let worse = [RowChange::LostLimit, RowChange::LargerError, RowChange::MoreWrong];
    assert_eq!(kinds, worse);
    let told: String = found
        .iter()
        .flat_map(Change::difference)
        .map(|(sign, line)| format!("{sign} {line}\n"))
        .collect();
    assert!(
        told.contains("- exact: exact, holds\n")
            && told.contains("+ exact: exact, does not hold\n"),
        "{told}"
    );
    assert!(told.contains("ULP at 1.5 (0x3e00)\n"), "{told}");
    assert!(told.contains("+ not correctly rounded: 1\n"), "{told}");
    assert!(told.contains("neighbours in the wrong order: 1\n"), "{told}");
    // What is better is so once a row.
    let better = sigmoid(changes(&wrong, &right));
    assert_eq!(better.len(), 1, "{better:?}");
    assert_eq!(better[0].kind, RowChange::NewLimit);
    assert_eq!(better[0].kind.weight(), Weight::Improvement);
    assert!(better[0].now.contains("not correctly rounded: 0\n"), "{better:?}");
}

#[test]
fn an_error_that_an_atlas_does_not_tell_from_another_did_not_grow() {
    let of = |more: u128| {
        let error = Ulps::new(3 * Ulps::ONE.steps() + more, true).with_fraction();
        edited(|row| row.max_error_ulp = Some(error))
    };
    let [one, alike, larger] = [1000, 1100, 3000].map(of);
    assert_eq!(kinds(&one, &alike), []);
    assert_eq!(kinds(&alike, &one), []);
    assert_eq!(kinds(&alike, &larger), [RowChange::LargerError]);
    assert_eq!(kinds(&larger, &alike), [RowChange::SmallerError]);
    let none = edited(|row| row.max_error_ulp = None);
    assert_eq!(kinds(&none, &one), [RowChange::LargerError]);
}

#[test]
fn every_count_that_grew_is_a_finding() {
    let counts: [fn(&mut Row); 9] = [
        |row| row.not_correctly_rounded += 1,
        |row| row.special_mismatches += 1,
        |row| row.flushed += 1,
        |row| row.not_monotone = row.not_monotone.map(|count| count + 1),
        |row| row.not_symmetric = Some(row.not_symmetric.map_or(0, |count| count + 1)),
        |row| row.clamps.as_mut().unwrap().operands += 1,
        |row| row.position_dependent = row.position_dependent.map(|count| count + 1),
        |row| row.size_dependent = row.size_dependent.map(|count| count + 1),
        |row| row.repetition_dependent = row.repetition_dependent.map(|count| count + 1),
    ];
    for (number, count) in counts.into_iter().enumerate() {
        let mut fewer = right();
        fewer.rows[1].not_symmetric = Some(0);
        let mut more = fewer.clone();
        count(&mut more.rows[1]);
        assert_eq!(kinds(&fewer, &more), [RowChange::MoreWrong], "{number}");
        assert_eq!(kinds(&more, &fewer), [RowChange::FewerWrong], "{number}");
    }
}

#[test]
fn a_limit_that_held_and_is_not_known_to_hold_is_a_finding_and_one_that_never_did_is_none() {
    let of = |holds| edited(|row| row.limits[0].holds = holds);
    let [yes, no, unknown] = [Some(true), Some(false), None].map(of);
    for worse in [&no, &unknown] {
        assert_eq!(kinds(&yes, worse), [RowChange::LostLimit]);
        assert_eq!(kinds(worse, &yes), [RowChange::NewLimit]);
    }
    assert_eq!(kinds(&no, &unknown), []);
    assert_eq!(kinds(&unknown, &no), []);
    let without = edited(|row| drop(row.limits.remove(0)));
    assert_eq!(kinds(&yes, &without), [RowChange::LostLimit]);
    assert_eq!(kinds(&without, &yes), []);
}

#[test]
fn rows_that_went_are_findings_and_rows_that_came_are_told() {
    let both = right();
    let mut one = both.clone();
    one.rows.remove(0);
    assert_eq!(kinds(&both, &one), [RowChange::LostRow]);
    assert_eq!(kinds(&one, &both), [RowChange::NewRow]);
    assert_eq!(RowChange::NewRow.weight(), Weight::Note);
}

#[test]
fn a_row_of_fewer_inputs_is_a_finding_and_no_better_for_it() {
    let whole = wrong();
    let mut cut = right();
    cut.rows[1].executed -= 1;
    cut.rows[1].failure = Some("the backend crashed".to_owned());
    let sigmoid = |changes: Vec<Change<RowChange>>| -> Vec<_> {
        let of = changes.into_iter().filter(|change| change.what.starts_with("Sigmoid"));
        of.map(|change| change.kind).collect()
    };
    assert_eq!(sigmoid(changes(&whole, &cut)), [RowChange::LostInputs]);
    // Nor does that hide what is worse.
    let worse = sigmoid(changes(&right(), &{
        let mut cut = wrong();
        cut.rows[1].executed -= 1;
        cut
    }));
    assert!(
        worse.contains(&RowChange::LostInputs) && worse.contains(&RowChange::LargerError),
        "{worse:?}"
    );
    let undecided = edited(|row| row.reference_undecided += 1);
    assert_eq!(kinds(&right(), &undecided), [RowChange::LostInputs]);
    assert_eq!(kinds(&undecided, &right()), [RowChange::MoreInputs]);
}

#[test]
fn a_row_of_other_inputs_is_one_finding_whatever_else_is_another() {
    let edits: [fn(&mut Row); 4] = [
        |row| row.strategy = "stratified".to_owned(),
        |row| drop(row.parameters.insert("seed".to_owned(), "1".to_owned())),
        |row| row.shard = Some("1/2".parse().unwrap()),
        |row| row.inputs += 1,
    ];
    for edit in edits {
        let other = edited(|row| {
            edit(row);
            row.flushed += 1;
        });
        assert_eq!(kinds(&right(), &other), [RowChange::OtherInputs]);
    }
    // Of two rows of one operator each is held against that of its strategy.
    let mut two = right();
    let sampled = Row { strategy: "stratified".to_owned(), ..two.rows[1].clone() };
    two.rows.push(sampled);
    assert_eq!(kinds(&two, &two), []);
    let mut one = two.clone();
    one.rows.remove(1);
    assert_eq!(kinds(&two, &one), [RowChange::LostRow]);
}

#[test]
fn a_figure_that_is_not_known_any_more_is_a_finding() {
    let unknown = edited(|row| row.position_dependent = None);
    assert_eq!(kinds(&right(), &unknown), [RowChange::LostFigure]);
    assert_eq!(kinds(&unknown, &right()), []);
}

#[test]
fn rows_that_were_never_executed_differ_in_what_kept_them_from_it() {
    let refused = |reason: &str| {
        edited(|row| {
            row.executed = 0;
            row.failure = Some(reason.to_owned());
        })
    };
    let found = kinds(&refused("unsupported"), &refused("crashed"));
    assert_eq!(found, [RowChange::ChangedFailure]);
    assert_eq!(RowChange::ChangedFailure.weight(), Weight::Note);
    assert_eq!(kinds(&refused("unsupported"), &wrong()).last(), Some(&RowChange::MoreInputs));
}

#[test]
fn versions_of_backends_are_compared_and_other_backends_are_not() {
    let renamed = |name: &str, version: &str| {
        let mut atlas = right();
        for row in &mut atlas.rows {
            (row.backend, row.version) = (name.to_owned(), version.to_owned());
        }
        atlas
    };
    let (one, two) = (renamed("mine", "1"), renamed("mine", "2"));
    assert_eq!(kinds(&one, &two), [RowChange::ChangedBackend]);
    let mut built = two.clone();
    built.tool.version = "99".to_owned();
    assert_eq!(kinds(&two, &built), [RowChange::ChangedTool]);
    let error = compared(&one, &renamed("yours", "1")).unwrap_err();
    let names = ["`mine`", "`yours`"].map(str::to_owned);
    let [baseline, atlas] = names;
    assert_eq!(error, CompareError::OtherBackends { baseline, atlas });
    let mut mixed = one.clone();
    mixed.rows.extend(two.rows);
    assert!(matches!(compared(&one, &mixed), Err(CompareError::Versions(..))));
    let mut nothing = one.clone();
    nothing.rows.iter_mut().for_each(|row| row.executed = 0);
    assert_eq!(compared(&nothing, &one).unwrap_err(), CompareError::NothingExecuted);
}

#[test]
fn the_terminal_and_a_jobs_page_read_as_those_of_reports() {
    let mut now = wrong();
    for row in &mut now.rows {
        row.version = "2".to_owned();
    }
    let mut then = right();
    then.tool = now.tool.clone();
    let comparison = compared(&then, &now).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let told = |text: String| text.replace(&format!("- version {version}"), "- version 1");
    let style = Style { width: 80, color: false };
    insta::assert_snapshot!("terminal", told(text::render(&comparison, style)));
    insta::assert_snapshot!("page", told(markdown::render(&comparison, 20)));
}

/// A folder with files for the command.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.write("right.json", &right().to_bytes().unwrap());
        files.write("wrong.json", &wrong().to_bytes().unwrap());
        let report = report(vec![case("onnx-1.22.0/node/test_a", "Div", Verdict::Pass)]);
        files.write("report.json", &report.to_bytes().unwrap());
        files
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    /// Exit code and what was printed, standard error included.
    fn gate(&self, baseline: &str, report: &str) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } =
            Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
                .args(["gate", "--baseline", baseline, "--report", report, "--markdown", "gate.md"])
                .env("NO_COLOR", "1")
                .env_remove("GITHUB_STEP_SUMMARY")
                .current_dir(self.0.path())
                .output()
                .unwrap();
        (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
    }
}

#[test]
fn the_command_exits_as_it_does_of_reports() {
    let files = Files::new();
    let (code, told) = files.gate("right.json", "right.json");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.ends_with("\nno finding\n"), "{told}");
    let (code, told) = files.gate("right.json", "wrong.json");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("larger errors in ULP: "), "{told}");
    let page = fs::read_to_string(files.0.path().join("gate.md")).unwrap();
    assert!(page.contains("### larger errors in ULP: "), "{page}");
    let (code, told) = files.gate("wrong.json", "right.json");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("improvements: a new baseline would keep them"), "{told}");
}

#[test]
fn a_report_is_not_compared_with_an_atlas_and_an_edited_or_cut_one_is_refused() {
    let files = Files::new();
    for (then, now) in [("right.json", "report.json"), ("report.json", "right.json")] {
        let (code, told) = files.gate(then, now);
        assert_eq!(code, Some(2), "{told}");
        let words = "`right.json` is an atlas and `report.json` is of reports";
        assert!(told.contains(words), "{told}");
    }
    let whole = fs::read_to_string(files.0.path().join("right.json")).unwrap();
    files.write("edited.json", whole.replacen("\"flushed\": 0", "\"flushed\": 1", 1).as_bytes());
    files.write("cut.json", &whole.as_bytes()[..whole.len() / 2]);
    for (name, words) in [("edited.json", "`digest` is"), ("cut.json", "is damaged")] {
        for (then, now) in [("right.json", name), (name, "right.json")] {
            let (code, told) = files.gate(then, now);
            assert_eq!(code, Some(4), "{told}");
            assert!(told.contains(name) && told.contains(words), "{told}");
        }
    }
}
