//! `run` and `matrix`, as a user meets them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::links::{Pages, followed};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn tool(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("NO_COLOR", "1").args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}

/// A folder with the report of a few cases in `r` and a campaign in `c`.
fn run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("r");
    let out = out.to_str().unwrap();
    let of_cases = ["run", "--suite", "sonnx", "--filter", "div/int8/", "--out", out];
    assert_code(&tool(Path::new(ROOT), &of_cases), 0);
    let of_campaign = ["campaign", "--op", "Div", "--type", "int8", "--out", "c"];
    assert_code(&tool(folder.path(), &of_campaign), 0);
    folder
}

fn pages(folder: &Path) -> Pages {
    let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn matrix(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("matrix.json")).unwrap()).unwrap()
}

const OF_FILES: [&str; 7] =
    ["matrix", "--report", "r/report.json", "--campaign", "c/campaign.json", "--out", "m"];

#[test]
fn a_run_and_a_matrix_of_files_link_to_each_other() {
    let folder = run();
    let output = tool(folder.path(), &OF_FILES);
    assert_code(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("\n  verified       E_DIV_INT_FUNC_0010 "), "{text}");
    assert!(text.ends_with("\nmatrix   m/matrix.html\n         m/matrix.json\n"), "{text}");
    let pages = pages(folder.path());
    assert_eq!(
        pages.keys().collect::<Vec<_>>(),
        ["c/campaign.html", "m/matrix.html", "r/matrix.html", "r/report.html"]
    );
    let links = followed(&pages);
    let count = |from: &str, to: &str| {
        links.iter().filter(|(page, path, _)| *page == from && path == to).count()
    };
    let cases = matrix(&folder.path().join("m"))["reports"][0]["cases"].as_u64().unwrap();
    assert!(cases > 3);
    for matrix in ["r/matrix.html", "m/matrix.html"] {
        assert!(count(matrix, "r/report.html") as u64 >= cases, "{matrix}");
    }
    assert_eq!(count("m/matrix.html", "c/campaign.html"), 1);
    // What an exhaustive campaign verifies, it verifies alone too.
    let document = matrix(&folder.path().join("m"));
    let requirements = document["requirements"].as_array().unwrap();
    let named = requirements.iter().filter(|one| one["cases"] != Value::from([0; 0]));
    let linked = count("r/report.html", "r/matrix.html");
    assert!(linked >= named.clone().count() && named.count() > 3, "{linked}");
    let one = requirements.iter().find(|one| one["id"] == "P_ONNX_DIV14_INT_0010").unwrap();
    assert_eq!(one["status"], "verified");
    assert_eq!((&one["cases"], &one["campaigns"]), (&Value::from([0; 0]), &[0].into()));
}

#[test]
fn the_same_files_are_the_same_bytes_which_hold_no_path_of_the_machine() {
    let folder = run();
    let bytes = || {
        assert_code(&tool(folder.path(), &OF_FILES), 0);
        ["html", "json"].map(|kind| {
            fs::read_to_string(folder.path().join("m").join(format!("matrix.{kind}"))).unwrap()
        })
    };
    let first = bytes();
    assert!(first == bytes());
    let here = folder.path().file_name().unwrap().to_str().unwrap();
    assert!(first.iter().all(|text| !text.contains(here)));
}

#[test]
fn pages_that_are_not_there_are_not_linked_to() {
    let folder = run();
    fs::remove_file(folder.path().join("r/report.html")).unwrap();
    fs::remove_file(folder.path().join("c/campaign.html")).unwrap();
    assert_code(&tool(folder.path(), &OF_FILES), 0);
    let document = matrix(&folder.path().join("m"));
    assert_eq!(document["reports"][0]["page"], Value::Null);
    assert_eq!(document["campaigns"][0]["page"], Value::Null);
}

#[test]
fn without_a_folder_nothing_is_written() {
    let folder = run();
    let before = pages(folder.path()).len();
    assert_code(&tool(folder.path(), &OF_FILES[..5]), 0);
    assert_eq!(pages(folder.path()).len(), before);
}

#[test]
fn cases_are_run_where_no_report_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let arguments = ["matrix", "--suite", "sonnx", "--filter", "div/int8/", "--out"];
    let output = tool(Path::new(ROOT), &[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert_code(&output, 0);
    assert!(stdout(&output).contains("verified"));
    assert_eq!(matrix(&out)["reports"][0]["page"], Value::Null);
    followed(&pages(folder.path()));
}

#[test]
fn files_that_cannot_be_used_are_refused_by_name_and_nothing_is_written() {
    let folder = run();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (report, campaign) = (read("r/report.json"), read("c/campaign.json"));
    let changed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    for (option, text, code, words) in [
        ("--report", report[..report.len() / 2].to_owned(), 2, "it is damaged"),
        ("--report", "{}".to_owned(), 2, "missing field `format_version`"),
        (
            "--report",
            changed(&report, "\"format_version\": 9", "\"format_version\": 10"),
            2,
            "format version 10",
        ),
        (
            "--report",
            changed(&report, "\"verdict\":\"pass\"", "\"verdict\":\"fail\""),
            4,
            "`summary.fail` is 0",
        ),
        // The first is that of a case, the second that of the list of requirements.
        (
            "--report",
            changed(&report, "\"E_DIV_INT_FUNC_0010\"", "\"P_DIV_INT_ACC_0010\""),
            4,
            "`requirements[",
        ),
        ("--report", read("r/matrix.json"), 2, "a document of the kind `matrix`"),
        ("--campaign", changed(&campaign, "\"mismatches\": 0", "\"mismatches\": 1"), 4, "digest"),
        ("--campaign", campaign[..99].to_owned(), 4, "it is damaged"),
        (
            "--campaign",
            changed(&campaign, "\"format_version\": 2", "\"format_version\": 3"),
            2,
            "format version 3",
        ),
        ("--campaign", report.clone(), 2, "format version 9"),
    ] {
        fs::write(folder.path().join("bad.json"), text).unwrap();
        let mut arguments = vec!["matrix", "--report", "r/report.json", "--out", "m"];
        arguments.extend([option, "bad.json"]);
        let output = tool(folder.path(), &arguments);
        assert_code(&output, code);
        let message = stderr(&output);
        assert!(message.contains("`bad.json`") && message.contains(words), "{words}: {message}");
        assert!(!folder.path().join("m").exists());
    }
}

#[test]
fn reports_of_two_backends_are_refused() {
    let folder = run();
    let report = fs::read_to_string(folder.path().join("r/report.json")).unwrap();
    let other = report.replacen("\"name\": \"builtin\"", "\"name\": \"other\"", 1);
    fs::write(folder.path().join("other.json"), other).unwrap();
    let arguments = ["matrix", "--report", "r/report.json", "other.json", "--out", "m"];
    let output = tool(folder.path(), &arguments);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("`builtin 0.1.0` and `other 0.1.0`"), "{}", stderr(&output));
    assert!(!folder.path().join("m").exists());
}

#[test]
fn a_requirement_of_no_catalogue_is_shown_and_told_of() {
    let folder = run();
    let report = fs::read_to_string(folder.path().join("r/report.json")).unwrap();
    let other = report.replace("E_DIV_INT_FUNC_0010", "E_DIV_INT_FUNC_0011");
    // Another version of the program may have had other catalogues and other cases.
    let mut other: Value = serde_json::from_str(&other).unwrap();
    other["tool"]["version"] = "0.0.9".into();
    other["corpora"][0]["digest"] = "0".repeat(64).into();
    let other = other.to_string();
    fs::write(folder.path().join("other.json"), other).unwrap();
    let output = tool(folder.path(), &["matrix", "--report", "other.json", "--out", "m"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("E_DIV_INT_FUNC_0011"), "{}", stderr(&output));
    let document = matrix(&folder.path().join("m"));
    assert_eq!(document["unknown"][0]["id"], "E_DIV_INT_FUNC_0011");
}

#[test]
fn what_is_run_and_what_was_run_do_not_go_together() {
    let folder = tempfile::tempdir().unwrap();
    for more in [
        &["--report", "r.json", "--suite", "sonnx"][..],
        &["--report", "r.json", "--profile", "onnx"],
        &["--report", "r.json", "--adapter", "true"],
        &["--campaign", "c.json"],
    ] {
        assert_code(&tool(folder.path(), &[&["matrix"], more].concat()), 2);
    }
}
