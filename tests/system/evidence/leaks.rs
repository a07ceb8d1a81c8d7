//! Nothing in a pack tells of the machine it was made on.

use std::fs;
use std::path::Path;
use std::process::Command;

use onnx_conformance::documents::evidence::Inputs;
use onnx_conformance::documents::report::document::{Expectation, Report};
use onnx_conformance::judge::verdict::Verdict;

use super::packs::{Written, files, pack_of, problems, read, told, under, write};
use super::synthetic::every_verdict;

/// Paths of every kind; each leads through folders that must not be told.
const PATHS: [&str; 12] = [
    "/home/alice/secret-folder/model.onnx",
    "/srv/secret-folder/a b/lib.so",
    "C:\\Users\\Alice Secret-Folder\\x\\y.dll",
    "D:/secret-folder/z.onnx",
    "\\\\secret-folder\\share\\f.txt",
    "file:///opt/secret-folder/m.onnx",
    "~alice/secret-folder/n.onnx",
    "-L/opt/secret-folder/lib",
    "PATH=/usr/secret-folder/bin:/secret-folder/sbin",
    "//secret-folder/share/file",
    "[/secret-folder/a/b](/secret-folder/c/d)",
    "\"/tmp/secret-folder/with space/e\"",
];

/// A report in which every text of strangers holds all these paths.
fn full_of_paths() -> Report {
    let text = PATHS.map(|path| format!("'{path}' {path}, {path}\n")).concat();
    // A path with a space is told from the words after it by its quotes alone.
    let text = text
        .replace(" /srv/secret-folder/a b/lib.so,", "")
        .replace(" /srv/secret-folder/a b/lib.so\n", "");
    let mut report = every_verdict();
    // What an adapter says of itself has a grammar: no line in it ends.
    let details =
        text.lines().enumerate().map(|(k, line)| (format!("library {k}"), line.to_owned()));
    report.backend.details = details.collect();
    report.backend.details.insert("/opt/secret-folder/key".to_owned(), "x".to_owned());
    report.backend.name = "/home/alice/secret-folder/runtime".to_owned();
    let mut report = under(&text, report);
    report.tool.commit.clone_from(&text);
    for case in &mut report.cases {
        // A pass has no message, and numbers hold no paths.
        if case.verdict != Verdict::Pass {
            case.message = Some(text.clone());
        }
        case.operator.clone_from(&text);
        for output in &mut case.outputs {
            output.name.clone_from(&text);
        }
    }
    report.expectations_list = Some(super::synthetic::list(&text));
    report.expectations = vec![Expectation {
        cases: "onnx-1.22.0/none".to_owned(),
        verdict: Verdict::Fail,
        reason: text.clone(),
        link: Some("https://example.org/kept/in/full".to_owned()),
        matched: 0,
        failures: vec![],
        unexpected_passes: vec![],
        stale: true,
        ..Expectation::default()
    }];
    let provenance = &mut report.provenance;
    provenance.host = [("target", &*text), ("hostname", "secret-folder")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    provenance.toolchain.clone_from(&text);
    provenance.stderr = [("onnx-1.22.0/node/test_crash".to_owned(), text)].into();
    report
}

#[test]
fn paths_in_any_text_of_a_report_keep_their_last_part_alone() {
    let report = full_of_paths();
    let (_folder, path) = write(&report);
    let pack = pack_of(&Inputs { reports: vec![path], ..Inputs::default() });
    for (path, bytes) in files(pack.path()) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for secret in ["secret-folder", "alice"] {
            if let Some(at) = text.find(secret) {
                let around: String = text[at.saturating_sub(60)..].chars().take(120).collect();
                panic!("{path} holds {secret}: {around}");
            }
        }
    }
    let name =
        fs::read_dir(pack.path().join("reports")).unwrap().next().unwrap().unwrap().file_name();
    let told = read(pack.path(), &format!("reports/{}/report.json", name.to_str().unwrap()));
    let message = told["cases"][0]["message"].as_str().unwrap();
    for kept in ["<path>/model.onnx", "<path>/y.dll", "<path>/z.onnx", "<path>/m.onnx", "<path>/e"]
    {
        assert!(message.contains(kept), "{kept}: {message}");
    }
    assert_eq!(told["cases"][0]["id"], report.cases[0].id);
    assert_eq!(told["expectations"][0]["link"], "https://example.org/kept/in/full");
    assert_eq!(problems(pack.path()), [""; 0]);
    let page = fs::read_to_string(pack.path().join("index.html")).unwrap();
    assert!(page.contains("were taken out of"));
}

#[test]
fn the_real_command_tells_no_host_user_home_or_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home-of-zaphod");
    let work = home.join("work-in-progress");
    fs::create_dir_all(&work).unwrap();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    let text = fs::read_to_string(Written::shared().report()).unwrap();
    let mut report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let work_path = work.display();
    let message = format!("{work_path} and {work_path}/x, x{work_path}/y as zaphod_b on {host}");
    report["backend"]["details"]["where"] = message.clone().into();
    report["provenance"]["stderr"]["sonnx/x"] = message.into();
    fs::write(work.join("report.json"), report.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .args(["evidence", "--report", "report.json", "--out", "pack"])
        .current_dir(&work)
        .env("HOME", &home)
        .env("USER", "zaphod_b")
        .output()
        .unwrap();
    let (code, _, complaint) = told(&output);
    assert_eq!(code, 0, "{complaint}");
    let temporary = folder.path().file_name().unwrap().to_str().unwrap();
    let mut secrets = vec!["zaphod", "work-in-progress/", temporary];
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).to_str().unwrap();
    secrets.push(checkout);
    if host.len() > 2 && !["localhost", "runner", "ubuntu", "debian", "linux"].contains(&host) {
        secrets.push(host);
    }
    for (path, bytes) in files(&work.join("pack")) {
        let text = String::from_utf8_lossy(&bytes);
        for secret in &secrets {
            assert!(!text.contains(secret), "{path} holds {secret}");
        }
    }
}
