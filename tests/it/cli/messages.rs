//! `run --message-format json`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{float32, report, run, stderr, stdout, three_cases, write_case};

const JSON: [&str; 2] = ["--message-format", "json"];

/// The messages of a run with these options.
fn messages(folder: &Path, more: &[&str]) -> Vec<Value> {
    let output = run(folder, &[&JSON, more].concat());
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn of<'a>(messages: &'a [Value], event: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["event"] == event).collect()
}

#[test]
fn a_run_tells_line_by_line_what_it_does_and_its_summary_goes_to_standard_error() {
    let folder = three_cases();
    let folder = folder.path();
    let output = run(folder, &JSON);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("fail cases/fail"), "{}", stderr(&output));
    let messages = messages(folder, &[]);
    let events: Vec<_> = messages.iter().map(|message| &message["event"]).collect();
    let case = "case_finished";
    assert_eq!(events, ["run_started", case, case, case, "run_finished"]);
    let started = &messages[0];
    assert_eq!((&started["format_version"], &started["cases"]), (&json!(1), &json!(3)));
    assert_eq!(started["backend"], report(folder)["backend"]);
    let finished = &messages[4];
    assert_eq!(finished["summary"], report(folder)["summary"]);
    assert_eq!(finished["exit_code"], 1);
    for path in finished["reports"].as_object().unwrap().values() {
        assert!(folder.join(path.as_str().unwrap()).is_file(), "{path}");
    }
}

#[test]
fn the_messages_say_of_each_case_what_the_report_says_in_its_order_and_no_more_depends_on_time() {
    let folder = three_cases();
    let folder = folder.path();
    for k in 0..20 {
        let case = folder.join(format!("cases/wrong_{k}"));
        write_case(&case, "Div", &[float32(&[1.0]), float32(&[2.0])], &[float32(&[0.75])]);
    }
    for more in [&[][..], &["--maxfail", "7"], &["--shard", "2/3"]] {
        let mut runs = Vec::new();
        for jobs in ["1", "8"] {
            let mut messages = messages(folder, &[more, &["--jobs", jobs]].concat());
            let report = report(folder);
            let cases = report["cases"].as_array().unwrap();
            let told = of(&messages, "case_finished");
            assert_eq!(told.len(), cases.len());
            for (told, case) in told.into_iter().zip(cases) {
                for member in ["id", "verdict", "expected", "message"] {
                    assert_eq!(told[member], case[member], "{told}");
                }
                assert_eq!(told["unexpected"], case["verdict"] == "fail", "{told}");
            }
            for message in &mut messages {
                assert!(message.as_object_mut().unwrap().remove("provenance").is_some());
            }
            runs.push(messages);
        }
        assert!(runs[0] == runs[1], "{more:?}");
    }
}

#[test]
fn a_run_without_a_result_has_no_last_message() {
    let folder = three_cases();
    fs::write(folder.path().join("cases/unsupported/case.json"), "{").unwrap();
    let messages = messages(folder.path(), &[]);
    assert_eq!(of(&messages, "run_started").len(), 1);
    assert_eq!(of(&messages, "run_finished").len(), 0);
    let output = run(folder.path(), &["--message-format", "xml"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_strangers_write_is_told_whole_and_acts_on_nothing() {
    let folder = three_cases();
    let folder = folder.path();
    let name = "x\u{202e} ##[error] ###vso[task]\u{ad}\u{e0041}";
    let operator = "Soft\u{1b}[2J\u{9b}sign";
    let values = [float32(&[1.0])];
    write_case(&folder.join("cases").join(name), operator, &values, &values);
    let output = run(folder, &JSON);
    let text = stdout(&output);
    assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{ad}', '\u{e0041}']), "{text}");
    assert!(!text.contains("##"), "{text}");
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = lines.find(|line| line["id"] == format!("cases/{name}")).unwrap();
    assert_eq!(told["message"], report(folder)["cases"][3]["message"], "{text}");
}
