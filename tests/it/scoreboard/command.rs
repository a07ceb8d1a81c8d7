//! `onnx-conformance scoreboard`, as a user meets it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::{FORMAT_VERSION, Report};

use super::synthetic::full;

fn scoreboard(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .arg("scoreboard")
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output()
        .unwrap()
}

fn reports(folder: &Path) -> Vec<String> {
    let write = |(at, report): (usize, Report)| {
        let name = format!("{at}.json");
        fs::write(folder.join(&name), report.to_bytes().unwrap()).unwrap();
        name
    };
    full().into_iter().enumerate().map(write).collect()
}

#[test]
fn a_scoreboard_is_written_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let reports = reports(folder.path());
    let arguments: Vec<&str> =
        reports.iter().map(String::as_str).chain(["--out", "deep/out"]).collect();
    let output = scoreboard(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4 backends on 4 cases of c"), "{text}");
    let first = ["scoreboard.html", "scoreboard.json"]
        .map(|name| fs::read(folder.path().join("deep/out").join(name)).unwrap());
    scoreboard(folder.path(), &arguments);
    let second = ["scoreboard.html", "scoreboard.json"]
        .map(|name| fs::read(folder.path().join("deep/out").join(name)).unwrap());
    assert!(first == second, "two runs, the same bytes");
}

#[test]
fn a_report_that_cannot_be_used_is_refused_by_name_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let good = &reports(folder.path())[0];
    let text = fs::read_to_string(folder.path().join(good)).unwrap();
    let written = format!("\"format_version\": {FORMAT_VERSION}");
    let foreign = format!("{{{written}, \"scores\": []}}");
    let other_version = text.replace(&written, "\"format_version\": 1");
    for (name, content, words) in [
        ("damaged.json", &text[..text.len() / 2], "damaged or was not written by this tool"),
        ("foreign.json", &foreign, "not written by this tool"),
        ("old.json", &other_version, "it has format version 1"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
        let output = scoreboard(folder.path(), &[good, name]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(name) && error.contains(words), "{error}");
    }
    let output = scoreboard(folder.path(), &[good, "missing.json"]);
    assert_eq!(output.status.code(), Some(2));
    let output = scoreboard(folder.path(), &[good, good]);
    assert_eq!(output.status.code(), Some(2), "the same report twice");
    assert_eq!(scoreboard(folder.path(), &[]).status.code(), Some(2));
    assert!(!folder.path().join("reports").exists());
}
