//! Lock files: their text, what makes one invalid, and that coreutils agree with them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use onnx_conformance::corpus::{CorpusError, Home, Lock};

use super::synthetic::{CASES, NAME, TestHome};

#[test]
fn the_committed_locks_are_valid_and_written_as_they_would_be_again() {
    let home = Home::find().unwrap();
    let names = home.locks().unwrap();
    assert!(!names.is_empty());
    for name in names {
        let text = fs::read_to_string(home.lock_path(&name)).unwrap();
        assert_eq!(home.lock(&name).unwrap().to_toml().unwrap(), text, "{name}");
    }
}

#[test]
fn a_lock_lists_the_cases_in_natural_order() {
    let home = TestHome::installed();
    let text = fs::read_to_string(home.home.lock_path(NAME)).unwrap();
    let listed: Vec<_> = text.lines().filter(|line| line.starts_with("\"node/")).collect();
    assert_eq!(listed.len(), CASES.len());
    for (line, case) in listed.iter().zip(CASES) {
        assert!(line.starts_with(&format!("\"{case}\" = \"")), "{line}");
    }
}

#[test]
fn a_lock_that_was_tampered_with_is_refused() {
    let home = TestHome::installed();
    let path = home.home.lock_path(NAME);
    let text = fs::read_to_string(&path).unwrap();
    let digest = Lock::read(&path, NAME).unwrap().digest.to_string();
    let edits = [
        ("a case less", text.lines().take(text.lines().count() - 1).collect::<Vec<_>>().join("\n")),
        ("another digest", text.replace(&digest, &"0".repeat(64))),
        ("a digest too short", text.replace(&digest, "00")),
        ("another version", text.replace("format_version = 2", "format_version = 3")),
        ("another name", text.replace("name = \"onnx-0.0.1\"", "name = \"onnx-0.0.2\"")),
        ("an unknown key", format!("unknown = 1\n{text}")),
        ("no TOML", "[".to_owned()),
        ("nothing", String::new()),
    ];
    for (edit, tampered) in edits {
        assert_ne!(tampered, text, "{edit}");
        fs::write(&path, tampered).unwrap();
        let error = home.home.corpus(NAME).unwrap_err();
        assert!(matches!(error, CorpusError::BadLock(..)), "{edit}: {error}");
        assert_eq!(error.exit_code(), 4, "{edit}");
    }
}

#[test]
fn an_unknown_corpus_is_a_usage_error_that_lists_the_known_ones() {
    let home = TestHome::installed();
    for name in ["onnx-1.10", "onnx-1.9"] {
        fs::write(home.home.lock_path(name), b"").unwrap();
    }
    let error = home.home.corpus("onnx-9").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown corpus `onnx-9`; there are: onnx-0.0.1, onnx-1.9, onnx-1.10"
    );
    assert_eq!(error.exit_code(), 2);
}

/// The digest that a shell command prints in a folder; `None` where its tools are missing.
fn digest_by_shell(folder: &std::path::Path, command: &str, input: &str) -> Option<String> {
    let mut shell = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    shell.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = shell.wait_with_output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.get(..64).map(str::to_owned)
}

#[test]
fn coreutils_give_the_digests_of_the_lock() {
    const CASE: &str =
        "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum";
    let home = TestHome::installed();
    if digest_by_shell(
        home.home.root(),
        "set -e; sort -z </dev/null; find . -maxdepth 0 -printf ''; sha256sum",
        "",
    )
    .is_none()
    {
        eprintln!("SKIPPED: there is no GNU find, sort and sha256sum to compare with");
        return;
    }
    let lock = home.home.lock(NAME).unwrap();
    let mut lines = String::new();
    for (case, digest) in &lock.cases {
        let printed = digest_by_shell(&home.corpus_path().join(case), CASE, "").unwrap();
        assert_eq!(printed, digest.to_string(), "{case}");
        lines = format!("{printed}  {case}\n{lines}");
    }
    let printed = digest_by_shell(home.home.root(), "LC_ALL=C sort -k 2 | sha256sum", &lines);
    assert_eq!(printed.unwrap(), lock.digest.to_string());
}
