//! `expect`, and a run by the list that it writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::adapter;

fn expect(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let arguments = ["expect", "--update", "known.toml", "--report", "out/report.json"];
    command.args(arguments).args(more).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

fn told(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_run_by_the_list_that_was_written_has_nothing_unexpected() {
    let folder = adapter::cases(&["SayAndExit", "OtherType", "Abs", "NoOutput"]);
    let at = folder.path();
    let run = |more: &[&str]| adapter::command::run(at, more).status.code();
    assert_eq!(run(&[]), Some(1));
    let (code, text) = told(&expect(at, &["--check"]));
    assert!(code == Some(1) && text.contains("0 entries kept, 0 dropped, 0 narrowed"), "{text}");
    assert!(!at.join("known.toml").exists(), "--check writes nothing");

    let (code, text) = told(&expect(at, &[]));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let list = ["--expectations", "known.toml", "--strict"];
    assert_eq!(run(&list), Some(0), "{text}");
    let written = fs::read_to_string(at.join("known.toml")).unwrap();
    assert!(written.contains("verdict = \"crash\"") && written.contains("verdict = \"fail\""));
    // The report of that run says the same.
    assert_eq!(told(&expect(at, &["--check"])).0, Some(0));
    assert_eq!(fs::read_to_string(at.join("known.toml")).unwrap(), written);

    // An entry that does not hold is found by the run, and goes by its report.
    let more = written.clone() + "\n[[known]]\ncases = 'case_0a'\nverdict = 'fail'\nreason = 'x'\n";
    fs::write(at.join("known.toml"), more).unwrap();
    assert_eq!(run(&list), Some(1));
    let (code, text) = told(&expect(at, &[]));
    assert!(code == Some(0) && text.contains("dropped   case_0a"), "{text}");
    assert_eq!(fs::read_to_string(at.join("known.toml")).unwrap(), written);
}

#[test]
fn what_another_project_lists_is_printed_or_set_against_reports() {
    let folder = adapter::cases(&["SayAndExit"]);
    let at = folder.path();
    adapter::command::run(at, &[]);
    let theirs = r#"{ "current_failing_tests": ["^case_0b_cpu", "^case_0c", "^case_[a-z0-9]"] }"#;
    fs::write(at.join("theirs.jsonc"), theirs).unwrap();
    let mut printed = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let printed =
        printed.args(["expect", "--from", "theirs.jsonc"]).current_dir(at).output().unwrap();
    let (list, told_of) = (String::from_utf8(printed.stdout).unwrap(), printed.stderr);
    assert!(printed.status.success() && list.contains("cases = \"case_0c*\""), "{list}");
    assert!(list.contains("# Not taken over: current_failing_tests: ^case_[a-z0-9]: "), "{list}");
    let told_of = String::from_utf8(told_of).unwrap();
    assert!(
        told_of.contains("2 converted") && told_of.contains("^case_[a-z0-9]: no `*`"),
        "{told_of}"
    );

    let (code, text) = told(&expect(at, &["--from", "theirs.jsonc"]));
    assert!(code == Some(0) && text.contains("dropped   case_0c*"), "{text}");
    // It fails otherwise than a filter can say.
    assert!(text.contains("dropped   case_0b\n          1 of 1 case failed otherwise"), "{text}");
    let list = ["--expectations", "known.toml", "--strict"];
    assert_eq!(adapter::command::run(at, &list).status.code(), Some(0));

    let mut alone = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let alone = alone.args(["expect", "--update", "known.toml"]).current_dir(at).output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn a_list_that_cannot_be_read_or_written_is_left_alone() {
    let folder = adapter::cases(&["SayAndExit"]);
    let at = folder.path();
    adapter::command::run(at, &[]);
    fs::write(at.join("known.toml"), "known = 1").unwrap();
    let (code, text) = told(&expect(at, &[]));
    assert!(code == Some(2) && text.contains("known.toml"), "{text}");
    assert_eq!(fs::read_to_string(at.join("known.toml")).unwrap(), "known = 1");
    fs::remove_file(at.join("known.toml")).unwrap();
    fs::create_dir(at.join("known.toml")).unwrap();
    assert_eq!(told(&expect(at, &[])).0, Some(2));
    fs::remove_dir(at.join("known.toml")).unwrap();
    let (code, text) = told(&expect(at, &["--report", "none.json"]));
    assert!(code == Some(2) && text.contains("none.json"), "{text}");
}
