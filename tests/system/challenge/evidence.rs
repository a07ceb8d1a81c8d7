//! What a pack of a challenge says, and how its seed is checked.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::documents::report::document::Report;
use serde_json::{Value, json};
use tempfile::TempDir;

fn tool(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("NO_COLOR", "1").args(arguments).current_dir(folder.path());
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A folder with the report of a challenge of the smallest suite.
fn challenged() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = tool(
        &folder,
        &["run", "--suite", "sonnx-draft", "--challenge", "audit \"7\"", "--out", "report"],
    );
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert!(stdout(&run).contains("challenge, made from the seed audit \"7\""), "{run:?}");
    folder
}

/// Rewrites the report with one member changed.
fn edited(folder: &TempDir, name: &str, change: impl Fn(&mut Value)) -> PathBuf {
    let path = folder.path().join("report/report.json");
    let mut report: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut report);
    let path = folder.path().join(name);
    fs::write(&path, serde_json::to_vec(&report).unwrap()).unwrap();
    path
}

#[test]
fn a_pack_of_a_challenge_names_the_seed_and_holds_what_follows_from_it() {
    let folder = challenged();
    let junit = fs::read_to_string(folder.path().join("report/junit.xml")).unwrap();
    assert!(junit.contains("\"challenge\" value=\"audit &quot;7&quot;\""), "{junit:.600}");
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("made at run time from the seed"));
    let report = folder.path().join("report/report.json");
    let packed =
        tool(&folder, &["evidence", "--report", report.to_str().unwrap(), "--out", "pack"]);
    assert_eq!(packed.status.code(), Some(0), "{packed:?}");
    let front = fs::read_to_string(folder.path().join("pack/index.html")).unwrap();
    assert!(front.contains("cases made at run time from the seed"));
    assert!(front.contains("which pins them instead of a lock"));
    assert!(!front.contains("The tool has no lock of the corpus"));
    let verified = tool(&folder, &["verify", "pack"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

#[test]
fn a_report_whose_cases_are_not_those_of_its_seed_makes_no_pack() {
    let folder = challenged();
    let corpus = |report: &mut Value| report["corpora"][0]["digest"] = json!("0".repeat(64));
    for (edit, problem) in [
        (
            edited(&folder, "0.json", |report| report["challenge"] = json!("other")),
            "not those that the seed",
        ),
        (edited(&folder, "corpus.json", corpus), "not those that the seed"),
        (
            edited(&folder, "1.json", |report| report["challenge"] = Value::Null),
            "`challenge` is null",
        ),
        (
            edited(&folder, "2.json", |report| report["challenge"] = json!("a\u{1b}")),
            "is not a valid seed",
        ),
    ]
    .map(|(path, problem)| (fs::read(path).unwrap(), problem))
    {
        let report = Report::from_bytes("edited.json".as_ref(), &edit).unwrap();
        let found = Challenge::contradiction(&report).unwrap().unwrap();
        assert!(found.contains(problem), "{found}");
    }
    let other = edited(&folder, "3.json", |report| report["challenge"] = json!("other"));
    let packed = tool(&folder, &["evidence", "--report", other.to_str().unwrap(), "--out", "pack"]);
    assert_eq!(packed.status.code(), Some(2), "{packed:?}");
}

#[test]
fn a_pack_whose_seed_was_edited_does_not_verify() {
    let folder = challenged();
    let report = folder.path().join("report/report.json");
    let packed =
        tool(&folder, &["evidence", "--report", report.to_str().unwrap(), "--out", "pack"]);
    assert_eq!(packed.status.code(), Some(0), "{packed:?}");
    let files = walkdir::WalkDir::new(folder.path().join("pack/reports")).into_iter();
    let document = files
        .map(|entry| entry.unwrap().into_path())
        .find(|path| path.file_name().is_some_and(|name| name == "report.json"));
    let document = document.unwrap();
    let text = fs::read_to_string(&document).unwrap();
    fs::write(&document, text.replace("audit \\\"7\\\"", "audit \\\"8\\\"")).unwrap();
    let verified = tool(&folder, &["verify", "pack"]);
    assert_eq!(verified.status.code(), Some(4), "{verified:?}");
    let text = stdout(&verified).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("not those that the seed"), "{text}");
}

#[test]
fn cases_of_a_challenge_are_listed_and_explained_by_its_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let listed = tool(&folder, &["list", "--suite", "sonnx-draft", "--challenge", "x"]);
    let ids = stdout(&listed);
    let first = ids.lines().next().unwrap();
    assert!(first.starts_with("sonnx-draft-challenge/div/") && ids.lines().count() == 53, "{ids}");
    let explained = tool(&folder, &["explain", first, "--challenge", "x"]);
    assert_eq!(explained.status.code(), Some(0), "{explained:?}");
    assert!(stdout(&explained).contains("expected"));
    for (arguments, words) in [
        (&["explain", first][..], "give its seed with --challenge"),
        (
            &["explain", "sonnx/div/float32/overflow", "--challenge", "x"],
            "is not a case of a challenge",
        ),
        (&["run", "--challenge", "x", "--corpus", "."], "cannot be used with"),
        (&["run", "--challenge", ""], "1 to 128 printable characters"),
    ] {
        let refused = tool(&folder, arguments);
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.split_whitespace().collect::<Vec<_>>().join(" ").contains(words),
            "{stderr}"
        );
    }
}
