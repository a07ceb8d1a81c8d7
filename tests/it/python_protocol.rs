//! `adapters/python/onnx_conformance/protocol.py` keeps to the protocol whatever its runtime does. The runtime is
//! made up, so that any Python will do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use onnx_conformance::backend::protocol::{Greeting, Reply};
use onnx_conformance::backend::{RefusalKind, Stage};

const HELLO: &str = r#"{"hello":{"protocol":1}}"#;

/// A runtime that does as the name of the model says.
const RUNTIME: &str = r#"
import os, subprocess
from onnx_conformance.protocol import Refused, serve

print("printed before it is asked")

class Model:
    def __init__(self, path):
        self.path = path

    def run(self, inputs, outputs):
        print("printed as it runs")
        os.write(1, b"written to descriptor 1\n")
        subprocess.run(["echo", "of a child"])
        if "unsupported" in self.path:
            raise Refused("unsupported", "no Abs")
        if "raises" in self.path:
            raise ValueError(f"{self.path} at 0x7f00deadbeef")
        if "long" in self.path:
            raise ValueError("x" * 10_000)

class Runtime:
    name, version, details, formats = "made-up", "1", {"device": "none"}, [".onnx"]
    loads = 0

    def load(self, path):
        self.loads += 1
        if "third" in path:
            raise ValueError(f"{self.loads} loads")
        return Model(path)

    def refusal(self, error):
        return Refused("invalid", str(error))

serve(Runtime())
"#;

fn run_of(id: usize, model: &str) -> String {
    format!(r#"{{"run":{{"id":{id},"model":"/tmp/{model}","inputs":[],"outputs":["/tmp/o"]}}}}"#)
}

/// What the adapter does with requests after which its standard input ends; nothing where there is
/// no Python.
fn ask(requests: &[String]) -> Option<Output> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/python");
    let child = Command::new("python3")
        .args(["-c", RUNTIME])
        .env("PYTHONPATH", folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: there is no python3");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all((requests.join("\n") + "\n").as_bytes()).unwrap();
    drop(stdin);
    Some(child.wait_with_output().unwrap())
}

/// The answers to runs of these models, in order.
fn replies(models: &[&str]) -> Option<Vec<Reply>> {
    let runs = models.iter().enumerate().map(|(id, model)| run_of(id, model));
    let output = ask(&std::iter::once(HELLO.to_owned()).chain(runs).collect::<Vec<_>>())?;
    let stdout = String::from_utf8(output.stdout).unwrap();
    let mut lines = stdout.lines();
    let greeting: Greeting = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(
        (&*greeting.backend.name, &*greeting.backend.details["device"]),
        ("made-up", "none")
    );
    Some(lines.map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// How a model is refused: when, why, and in which words.
fn refusal(model: &str) -> Option<(Stage, RefusalKind, String)> {
    match replies(&[model])?.pop().unwrap() {
        Reply::Refused { refused, .. } => Some((refused.stage, refused.kind, refused.message)),
        Reply::Ok { .. } => panic!("{model} was not refused"),
    }
}

#[test]
fn standard_output_holds_answers_alone_and_the_end_of_input_ends_the_process() {
    let Some(output) = ask(&[HELLO.to_owned(), run_of(7, "a.onnx")]) else { return };
    assert!(output.status.success());
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{stdout}");
    assert_eq!(serde_json::from_str::<Reply>(lines[1]).unwrap(), Reply::ok(7));
    let stderr = String::from_utf8(output.stderr).unwrap();
    for text in ["before it is asked", "as it runs", "to descriptor 1", "of a child"] {
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn a_model_is_loaded_once_while_its_path_repeats() {
    let models = ["a.onnx", "a.onnx", "b.onnx", "a.onnx", "a.onnx", "third.onnx"];
    let Some(replies) = replies(&models) else { return };
    let (refused, done) = replies.split_last().unwrap();
    assert!(done.iter().zip(0..).all(|(reply, id)| *reply == Reply::ok(id)), "{done:?}");
    let Reply::Refused { id, refused } = refused else { panic!("{refused:?}") };
    assert_eq!((*id, &*refused.message), (5, "4 loads"));
    assert_eq!(refused.stage, Stage::Load);
}

#[test]
fn a_model_that_was_refused_leaves_none_behind() {
    let models = ["a.onnx", "third.onnx", "third.onnx", "a.onnx"];
    let Some(replies) = replies(&models) else { return };
    let messages = replies.iter().map(|reply| match reply {
        Reply::Refused { refused, .. } => refused.message.as_str(),
        Reply::Ok { .. } => "ok",
    });
    assert_eq!(messages.collect::<Vec<_>>(), ["ok", "2 loads", "3 loads", "ok"]);
}

#[test]
fn a_refusal_says_when_why_and_in_which_words() {
    let Some(unsupported) = refusal("unsupported.onnx") else { return };
    assert_eq!(unsupported, (Stage::Run, RefusalKind::Unsupported, "no Abs".to_owned()));
    let (stage, kind, message) = refusal("model.xml").unwrap();
    assert_eq!((stage, kind), (Stage::Load, RefusalKind::Unsupported));
    assert_eq!(message, "made-up reads no .xml models");
}

#[test]
fn a_message_has_no_path_no_address_and_an_end() {
    let Some((_, kind, message)) = refusal("raises.onnx") else { return };
    assert_eq!((kind, &*message), (RefusalKind::Invalid, "model.onnx at 0x..."));
    let (_, _, message) = refusal("long.onnx").unwrap();
    assert_eq!(message, "x".repeat(4000) + " ...");
}

#[test]
fn another_version_of_the_protocol_is_not_spoken() {
    let Some(output) = ask(&[r#"{"hello":{"protocol":2}}"#.to_owned()]) else { return };
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}
