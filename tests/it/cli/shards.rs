//! `run --shard I/N`, and `merge` of the reports.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use super::{float32, in_folder, run, stderr, stdout, three_cases, write_case};

/// Ten cases more: some pass, two fail, of which one is known to.
fn thirteen_cases() -> TempDir {
    let folder = three_cases();
    for k in 1..=10 {
        let expected = if k % 5 == 0 { 0.75 } else { 0.5 };
        let case = folder.path().join(format!("cases/half_{k}"));
        write_case(&case, "Div", &[float32(&[1.0]), float32(&[2.0])], &[float32(&[expected])]);
    }
    let known = "[[known]]\ncases = 'cases/half_*5'\nverdict = 'fail'\nreason = 'x'\n\
                 [[known]]\ncases = 'cases/half_1*'\nverdict = 'crash'\nreason = 'y'\n\
                 [[known]]\ncases = 'half_*'\nop = 'Sqrt'\nverdict = 'fail'\nreason = 'z'\n\
                 [[known]]\ncases = 'half_7'\nop = 'Div'\nverdict = 'skipped'\nreason = 'q'\n";
    fs::write(folder.path().join("known.toml"), known).unwrap();
    folder
}

const KNOWN: [&str; 2] = ["--expectations", "known.toml"];

/// Runs a shard into the folder `sI`.
fn shard(folder: &Path, shard: &str, more: &[&str]) -> Output {
    let out = format!("s{}", &shard[..1]);
    let base = ["run", "--corpus", "cases", "--shard", shard, "--out", &out];
    in_folder(folder, &[&base, more].concat())
}

fn merge(folder: &Path, shards: &[&str]) -> Output {
    in_folder(folder, &[&["merge", "--out", "whole"], shards].concat())
}

fn document(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A file of a folder of reports, up to what differs between runs on the same inputs.
fn but_for_provenance(folder: &Path, name: &str) -> String {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let end = match name {
        "report.json" => "  \"provenance\"",
        "report.html" => "<section id=\"provenance\"",
        _ => return text,
    };
    text.split_once(end).unwrap().0.to_owned()
}

fn ids(report: &Value) -> Vec<String> {
    let id = |case: &Value| case["id"].as_str().unwrap().replace("cases/", "");
    report["cases"].as_array().unwrap().iter().map(id).collect()
}

#[test]
fn a_shard_takes_every_nth_selected_case_in_natural_order_and_says_so() {
    let folder = thirteen_cases();
    let folder = folder.path();
    let more = ["--op", "Div", "--exclude", "half_2$", "--jobs", "3"];
    let output = shard(folder, "2/3", &more);
    assert!(stdout(&output).contains("\nshard 2/3 of the 11 cases selected\n"), "{output:?}");
    let report = document(&folder.join("s2/report.json"));
    assert_eq!(ids(&report), ["half_1", "half_5", "half_8", "pass"]);
    let list =
        in_folder(folder, &["list", "--corpus", "cases", "--op", "Div", "--exclude", "half_2$"]);
    let expected = onnx_conformance::corpus::Digest::of(&list.stdout).to_string();
    let shard = &report["shard"];
    assert_eq!(shard["selection"], expected, "`list | sha256sum` gives the same");
    let numbers = ["index", "count", "selected"].map(|member| shard[member].as_u64().unwrap());
    assert_eq!(numbers, [2, 3, 11]);
    let html = fs::read_to_string(folder.join("s2/report.html")).unwrap();
    assert!(html.contains("2/3 of the 11 cases selected"));
}

#[test]
fn three_shards_merged_are_what_one_run_writes_but_for_provenance() {
    let folder = thirteen_cases();
    let folder = folder.path();
    assert_eq!(run(folder, &KNOWN).status.code(), Some(1));
    for one in ["3/3", "1/3", "2/3"] {
        shard(folder, one, &KNOWN);
    }
    let output = merge(folder, &["s2/report.json", "s3", "s1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let files = ["report.json", "report.html", "junit.xml", "matrix.json", "matrix.html"];
    for name in files {
        let [one, merged] = ["out", "whole"].map(|of| but_for_provenance(&folder.join(of), name));
        assert!(one == merged, "{name}");
    }
    let whole = document(&folder.join("whole/report.json"));
    assert_eq!(ids(&whole).len(), 13);
    let known = &whole["expectations"];
    assert_eq!(known[0]["failures"], serde_json::json!(["cases/half_5"]));
    // No shard has a case of the third entry, and each knows of the others' that theirs are none.
    assert_eq!((&known[2]["stale"], &known[3]["stale"]), (&Value::Bool(true), &Value::Bool(false)));
    let durations = whole["provenance"]["durations"].as_object().unwrap();
    assert!(durations.contains_key("cases/half_8") && durations.contains_key("run"));
}

#[test]
fn the_exit_code_of_a_merge_is_that_of_a_run() {
    let folder = thirteen_cases();
    let folder = folder.path();
    let merged = |more: &[&str], strict: &[&str]| {
        for one in ["1/2", "2/2"] {
            shard(folder, one, more);
        }
        merge(folder, &[&["s1", "s2"], strict].concat()).status.code()
    };
    assert_eq!(merged(&["--filter", "half_[1-4]$"], &[]), Some(0));
    assert_eq!(merged(&["--filter", "half_"], &[]), Some(1));
    let passes = ["--filter", "half_[1-4]$", KNOWN[0], KNOWN[1]];
    assert_eq!(merged(&passes, &[]), Some(0));
    assert_eq!(merged(&passes, &["--strict"]), Some(1));
    let values = [float32(&[1.0])];
    write_case(&folder.join("cases/unsupported_2"), "Zeta", &values, &values);
    assert_eq!(merged(&["--filter", "unsupported"], &[]), Some(3));
}

#[test]
fn what_does_not_make_up_a_whole_is_refused_by_name() {
    let folder = thirteen_cases();
    let folder = folder.path();
    run(folder, &[]);
    for one in ["1/3", "2/3", "3/3"] {
        shard(folder, one, &[]);
    }
    let refused = |shards: &[&str], said: &str| {
        let output = merge(folder, shards);
        assert_eq!(output.status.code(), Some(2), "{said}: {}", stderr(&output));
        let told = stderr(&output).replace('\n', " ");
        assert!(told.contains(said), "{said}: {told}");
        assert!(!folder.join("whole/report.json").exists());
    };
    refused(&["s1", "s3"], "of 3 shards 2 is missing");
    refused(&["s3"], "of 3 shards 1, 2 are missing");
    refused(&["s1", "s2", "s3", "s2"], "`s2/report.json` and `s2/report.json` are both shard 2/3");
    refused(&["s1", "s2", "out"], "`out/report.json` is the report of a whole run");
    refused(&["s1", "--strict", "no-such-file"], "no-such-file");
    shard(folder, "2/3", &["--profile", "ieee754"]);
    refused(&["s1", "s2", "s3"], "`profile` is \"onnx, onnx-exact\" and \"ieee754\"");
    shard(folder, "2/3", &["--exclude", "unsupported"]);
    refused(&["s1", "s2", "s3"], "`shard.selected` is 13 and 12");
    shard(folder, "2/4", &[]);
    refused(&["s1", "s2", "s3"], "`shard.count` is 3 and 4");
    // Another selection of as many cases.
    fs::rename(folder.join("cases/half_1"), folder.join("cases/half_0")).unwrap();
    shard(folder, "2/3", &[]);
    refused(&["s1", "s2", "s3"], "`corpora[0].digest` is");
}

#[test]
fn a_shard_of_another_program_or_with_edited_cases_is_refused() {
    let folder = thirteen_cases();
    let folder = folder.path();
    for one in ["1/2", "2/2"] {
        shard(folder, one, &[]);
    }
    let untouched: Vec<_> = ["s1", "s2"]
        .map(|name| fs::read_to_string(folder.join(name).join("report.json")).unwrap())
        .into();
    let write = |edit: &dyn Fn(&str) -> String| {
        for (name, text) in ["s1", "s2"].iter().zip(&untouched) {
            let edited = edit(text);
            fs::write(folder.join(name).join("report.json"), edited).unwrap();
        }
        merge(folder, &["s1", "s2"])
    };
    let commit = document(&folder.join("s1/report.json"))["tool"]["commit"].to_string();
    let output = write(&|text| text.replacen(&commit, "\"other\"", 1));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`tool.commit` is \"other\" and"), "{}", stderr(&output));
    let output = write(&|text| text.replace("cases/half_1\"", "cases/half_0\""));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("do not match the selection"), "{}", stderr(&output));
    let output = write(&|text| text.replace("\"selected\": 13", "\"selected\": 10"));
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert_eq!(write(&str::to_owned).status.code(), Some(1));
}

#[test]
fn a_shard_that_does_not_exist_or_would_be_empty_exits_2() {
    let folder = three_cases();
    for (text, said) in [
        ("0/3", "shard 0/3 does not exist"),
        ("4/3", "shard 4/3 does not exist"),
        ("three", "`three` is not a shard"),
        ("1/4", "1/4 has more shards than the 3 selected cases"),
        ("auto", "no scheduler numbers this process"),
    ] {
        let output = run(folder.path(), &["--shard", text]);
        assert_eq!(output.status.code(), Some(2), "{text}: {}", stderr(&output));
        let told = stderr(&output).replace('\n', " ");
        assert!(told.contains(said), "{text}: {told}");
    }
    let output = run(folder.path(), &["--shard", "1/2", "--op", "Sqrt"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}
