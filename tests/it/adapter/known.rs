//! What lists of known failures say beyond failures, through runs of a misbehaving adapter.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::cases;
use super::command::{code, report, run};

/// An entry of a list.
fn entry(cases: &str, verdict: &str, more: &str) -> String {
    format!("[[known]]\ncases='{cases}'\nverdict='{verdict}'\nreason='known'\n{more}\n")
}

/// A run of a list, strictly.
fn strict(folder: &TempDir, list: &str) -> (i32, String, Value) {
    fs::write(folder.path().join("known.toml"), list).unwrap();
    let arguments = ["--expectations", "known.toml", "--strict", "--jobs", "1"];
    let output: Output = run(folder.path(), &arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (code(&output), text, report(folder.path()))
}

/// The case of a report by its place.
fn case(report: &Value, at: usize) -> Value {
    let case = &report["cases"][at];
    json!([case["verdict"], case["expected"], case["flaky"]])
}

/// How many models the adapter was given.
fn models(folder: &Path) -> usize {
    let told = fs::read_to_string(folder.join("models")).unwrap_or_default();
    told.lines().count()
}

#[test]
fn what_is_to_be_skipped_is_not_run_and_is_in_the_report_with_the_reason() {
    let folder = cases(&["SayAndExit"]);
    let (status, text, report) = strict(&folder, &entry("case_*b", "skipped", ""));
    assert_eq!((status, models(folder.path())), (0, 2), "{text}");
    assert_eq!(case(&report, 1), json!(["skipped", "skipped", false]));
    assert_eq!(report["cases"][1]["message"], "known");
    let summary = &report["summary"];
    assert_eq!([&summary["cases"], &summary["pass"], &summary["skipped"]], [3, 2, 1]);
    assert!(text.contains("1  skipped"), "{text}");
    let junit = fs::read_to_string(folder.path().join("out/junit.xml")).unwrap();
    assert!(junit.contains(r#"<skipped message="known" type="skipped"/>"#), "{junit}");
    // A case that cannot even be read is one of them.
    fs::write(folder.path().join("case_0b/model.onnx"), "no model").unwrap();
    assert_eq!(strict(&folder, &entry("case_*b", "skipped", "")).0, 0);
    assert_eq!(strict(&folder, "").0, 1);
    // Where all are skipped, nothing was compared.
    let (status, _, report) = strict(&folder, &entry("*", "skipped", ""));
    assert_eq!((status, &report["summary"]["skipped"]), (3, &3.into()));
}

#[test]
fn a_pass_of_what_is_known_to_be_unsupported_is_unexpected_and_a_failure_of_it_fails() {
    let folder = cases(&["Abs"]);
    let (status, text, report) = strict(&folder, &entry("case_*b", "unsupported", ""));
    assert_eq!((status, case(&report, 1)), (0, json!(["unsupported", "unsupported", false])));
    assert_eq!(report["summary"]["pass"], 2, "{text}");
    let (status, text, report) = strict(&folder, &entry("*", "unsupported", ""));
    assert_eq!(status, 1);
    assert_eq!(report["expectations"][0]["unexpected_passes"].as_array().unwrap().len(), 2);
    assert!(text.contains("/case_0a is known to be unsupported"), "{text}");
    let crashing = cases(&["SayAndExit"]);
    assert_eq!(strict(&crashing, &entry("case_*b", "unsupported", "")).0, 1);
}

#[test]
fn what_is_flaky_may_pass_or_fail_as_named_and_not_otherwise() {
    let folder = cases(&["SayAndExit"]);
    let (status, text, report) = strict(&folder, &entry("*", "crash", "flaky=true"));
    assert_eq!(status, 0, "{text}");
    assert_eq!(case(&report, 0), json!(["pass", "crash", true]));
    assert_eq!(case(&report, 1), json!(["crash", "crash", true]));
    assert!(report["expectations"][0]["unexpected_passes"].as_array().unwrap().is_empty());
    assert!(text.contains("flaky: 3 cases, this time 2 pass, 1 crash"), "{text}");
    assert!(text.contains("/case_0b (flaky)"), "{text}");
    let junit = fs::read_to_string(folder.path().join("out/junit.xml")).unwrap();
    assert!(junit.contains(r#"<property name="flaky" value="flaky, known to crash or pass"/>"#));
    assert!(!junit.contains("<error") && junit.contains(r#"type="crash""#), "{junit}");
    assert_eq!(strict(&folder, &entry("*", "fail", "flaky=true")).0, 1);
    // What is wrong with the case itself is told whatever is flaky.
    fs::write(folder.path().join("case_0b/model.onnx"), "no model").unwrap();
    let (status, _, report) = strict(&folder, &entry("*", "crash", "flaky=true"));
    assert_eq!((status, case(&report, 1)), (1, json!(["fault", "crash", true])));
}

#[test]
fn entries_may_speak_of_any_corpus_and_of_operators_types_and_opsets_alone() {
    let folder = cases(&["SayAndExit"]);
    for more in
        ["op='SayAndExit'", "type='float32'\nop='sayandexit'", "op='SayAndExit'\nsince_opset=1"]
    {
        for cases in ["*", "case_0*", "*/case_0*"] {
            let (status, text, report) = strict(&folder, &entry(cases, "crash", more));
            assert_eq!((status, &report["expectations"][0]["matched"]), (0, &1.into()), "{text}");
        }
    }
    let stale = |list: &str| {
        let (status, text, report) = strict(&folder, list);
        (status, report["expectations"][0]["stale"] == true, text)
    };
    for more in ["type='int8'", "op='Div'", "until_opset=1", "since_opset=1000"] {
        let known = entry("case_0b", "skipped", more) + &entry("case_0b", "crash", "");
        let (status, is_stale, text) = stale(&known);
        assert_eq!((status, is_stale), (1, true), "{more}: {text}");
        assert!(text.contains("stale expectation: case_0b ("), "{text}");
    }
    // Of what is not selected it is not known whether it is meant.
    fs::write(folder.path().join("known.toml"), entry("case_0b", "crash", "op='Div'")).unwrap();
    let filtered = ["--expectations", "known.toml", "--strict", "--filter", "case_0a"];
    assert_eq!(code(&run(folder.path(), &filtered)), 0);
}
