//! `docs/adapter-protocol.md` and the adapters say and do the same.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::path::Path;
use std::process::Command;

use onnx_conformance::backend::catalogue::{Catalogue, Setup};
use onnx_conformance::backend::protocol::{Greeting, Reply, Request};
use onnx_conformance::tensor::Value;
use serde::de::DeserializeOwned;

use crate::support::{self, float32, int32, write_case};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn root() -> &'static Path {
    Path::new(ROOT)
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The contents of the fenced blocks of a language in the document.
fn blocks(language: &str) -> Vec<String> {
    let text = read("docs/adapter-protocol.md");
    let opening = format!("```{language}\n");
    let blocks = text.split(&opening).skip(1);
    blocks.map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
}

#[test]
fn the_document_holds_the_example_as_it_is() {
    assert_eq!(blocks("python"), [read("adapters/python/example.py")]);
}

#[test]
fn the_example_has_at_most_50_lines() {
    assert!(read("adapters/python/example.py").lines().count() <= 50);
}

#[test]
fn every_message_in_the_document_is_one_of_the_protocol() {
    fn is<T: DeserializeOwned>(line: &str) -> bool {
        serde_json::from_str::<T>(line).is_ok()
    }
    let lines = blocks("json").concat();
    let kinds = lines.lines().map(|line| match line {
        _ if is::<Request>(line) => "request",
        _ if is::<Greeting>(line) => "greeting",
        _ if is::<Reply>(line) => "reply",
        _ => panic!("{line}"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["request", "greeting", "request", "reply", "reply"]);
}

#[test]
fn every_requirement_of_an_adapter_is_pinned() {
    let catalogue = Catalogue::read(root()).unwrap();
    let mut seen = 0;
    for entry in catalogue.entries() {
        let Setup::Python(file) = &entry.setup else { continue };
        for line in read(file).lines().filter(|line| !line.starts_with('#')) {
            let pin = line.split_once("==");
            let digits = |version: &str| version.chars().all(|c| c.is_ascii_digit() || c == '.');
            assert!(pin.is_some_and(|(_, version)| digits(version)), "{}: {line}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// The result of a run of the example on one case, by name of the verdict.
fn verdict_of_the_example(python: &str, op_type: &str, inputs: &[Value], output: Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    write_case(&folder.path().join("cases/case"), op_type, inputs, &[output]);
    let out = folder.path().join("out");
    let adapter = format!("{python} {}", root().join("adapters/python/example.py").display());
    let run = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .args(["run", "--profile", "ieee754", "--adapter", &adapter, "--corpus"])
        .arg(folder.path().join("cases"))
        .arg("--out")
        .arg(&out)
        .current_dir(root())
        .output()
        .unwrap();
    let report = std::fs::read(out.join("report.json"));
    let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["backend"]["name"], "numpy");
    report["cases"][0]["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn the_example_is_an_adapter() {
    let Some(python) = support::python("numpy and onnx") else { return };
    let modules = Command::new(&python).args(["-c", "import numpy, onnx"]).output();
    if !modules.is_ok_and(|output| output.status.success()) {
        eprintln!(
            "SKIPPED: {python} has no numpy and onnx; install \
             testdata/numpy/requirements.txt and name that Python in ONNX_CONFORMANCE_PYTHON"
        );
        return;
    }
    let verdict =
        |op_type, inputs: &[_], output| verdict_of_the_example(&python, op_type, inputs, output);
    let quotient = [float32(&[1.0, 3.0]), float32(&[4.0, 2.0])];
    assert_eq!(verdict("Div", &quotient, float32(&[0.25, 1.5])), "pass");
    assert_eq!(verdict("Div", &quotient, float32(&[0.25, 1.25])), "fail");
    assert_eq!(verdict("Add", &quotient, float32(&[5.0, 5.0])), "unsupported");
    assert_eq!(verdict("Sqrt", &[float32(&[9.0])], float32(&[3.0])), "pass");
    // As the document says: NumPy rounds down.
    assert_eq!(verdict("Div", &[int32(&[7]), int32(&[2])], int32(&[3])), "pass");
    assert_eq!(verdict("Div", &[int32(&[-7]), int32(&[2])], int32(&[-3])), "fail");
}
