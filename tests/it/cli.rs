//! The command line: exit codes, messages and files, as a user or a CI job meets them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod atlas;
mod color;
mod config;
mod guide;
mod manual;
mod maxfail;
mod messages;
mod mistakes;
mod shards;
mod sums;
mod variants;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use onnx_conformance::judge::profile::Profile;
use tempfile::TempDir;

use crate::support::{float32, int32, write_case};

const REPORTS: [&str; 3] = ["report.json", "report.html", "junit.xml"];

fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("NO_COLOR", "1");
    command
}

/// Runs the tool in a folder and gives what it printed.
pub(crate) fn in_folder(folder: &Path, arguments: &[&str]) -> Output {
    tool().args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A folder with cases in `cases`: one that passes, one that fails, one without a kernel.
fn three_cases() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases");
    let (six, three) = (float32(&[6.0, 1.0]), float32(&[3.0, 3.0]));
    let thirds = float32(&[2.0, 1.0 / 3.0]);
    write_case(&cases.join("pass"), "Div", &[six.clone(), three.clone()], &[thirds]);
    write_case(&cases.join("fail"), "Div", &[six.clone(), three], &[float32(&[2.0, 0.25])]);
    write_case(
        &cases.join("unsupported"),
        "Zeta",
        std::slice::from_ref(&six),
        std::slice::from_ref(&six),
    );
    folder
}

fn run(folder: &Path, more: &[&str]) -> Output {
    in_folder(folder, &[&["run", "--corpus", "cases", "--out", "out"], more].concat())
}

fn report(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("out/report.json")).unwrap()).unwrap()
}

/// The cases of a report, each with its verdict.
fn verdicts(report: &serde_json::Value) -> Vec<(&str, &str)> {
    let cases = report["cases"].as_array().unwrap().iter();
    cases.map(|case| (case["id"].as_str().unwrap(), case["verdict"].as_str().unwrap())).collect()
}

#[test]
fn a_passing_run_exits_0_and_writes_three_reports() {
    let folder = three_cases();
    let output = run(folder.path(), &["--filter", "pass"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for file in REPORTS {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
    let summary = &report(folder.path())["summary"];
    assert_eq!((&summary["pass"], &summary["elements_compared"]), (&1.into(), &2.into()));
}

#[test]
fn a_failing_run_exits_1_and_writes_the_reports_all_the_same() {
    let folder = three_cases();
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("cases/fail"), "{}", stdout(&output));
    let report = report(folder.path());
    assert_eq!(
        verdicts(&report),
        [("cases/fail", "fail"), ("cases/pass", "pass"), ("cases/unsupported", "unsupported")]
    );
    let worst = &report["cases"][0]["outputs"][0]["worst"][0];
    assert_eq!(worst["actual"], "0.33333334 (0x3eaaaaab)");
    assert_eq!(worst["inputs"][1], "3 (0x40400000)");
}

#[test]
fn the_summary_shows_as_many_failures_as_are_asked_for() {
    let folder = three_cases();
    for (failures, is_shown) in [("0", false), ("1", true), ("all", true)] {
        let output = run(folder.path(), &["--failures", failures]);
        let text = stdout(&output);
        assert_eq!(text.contains("fail cases/fail"), is_shown, "{failures}: {text}");
        assert_eq!(text.contains("... and 1 more"), !is_shown, "{failures}: {text}");
    }
    let output = run(folder.path(), &["--failures", "most"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nor `all`"), "{}", stderr(&output));
}

#[test]
fn comparing_nothing_exits_3() {
    let folder = three_cases();
    let output = run(folder.path(), &["--filter", "unsupported"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("nothing was compared"));
    assert!(folder.path().join("out/report.json").is_file());
}

#[test]
fn a_filter_without_a_match_exits_3_and_shows_what_ids_look_like() {
    let folder = three_cases();
    let output = run(folder.path(), &["--filter", "no-such-case"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("`cases/fail` .. `cases/unsupported`"), "{}", stderr(&output));
    assert!(!folder.path().join("out").exists());
}

/// The names of the cases that `list` gives.
fn listed(folder: &Path, more: &[&str]) -> Vec<String> {
    let output = in_folder(folder, &[&["list", "--corpus", "cases"], more].concat());
    stdout(&output).lines().map(|id| id.trim_start_matches("cases/").to_owned()).collect()
}

#[test]
fn cases_are_chosen_by_patterns_operators_types_and_operator_sets() {
    let folder = three_cases();
    let folder = folder.path();
    let all = ["fail", "pass", "unsupported"];
    write_case(&folder.join("cases/whole"), "Div", &[int32(&[6]), int32(&[3])], &[int32(&[2])]);
    assert_eq!(listed(folder, &["--filter", "FAIL", "--filter", "^cases/p"]), ["fail", "pass"]);
    assert_eq!(listed(folder, &["--exclude", "s$", "--exclude", "Fail|whole"]), ["unsupported"]);
    assert_eq!(listed(folder, &["--op", "div"]), ["fail", "pass", "whole"]);
    assert_eq!(listed(folder, &["--op", "Div", "--op", "Zeta", "--type", "float32"]), all);
    assert_eq!(listed(folder, &["--op", "Div", "--type", "int32"]), ["whole"]);
    assert_eq!(listed(folder, &["--opset", "-3", "--opset", "1000-"]), [""; 0]);
    assert_eq!(listed(folder, &["--opset", "1-999"]).len(), 4);
    // A run takes the same ones, and its report holds no others.
    let output = run(folder, &["--op", "Div", "--type", "int32"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(report(folder)["cases"].as_array().unwrap().len(), 1);
    let output = run(folder, &["--op", "Dvi", "--type", "float16"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn what_failed_in_a_report_is_run_again_alone() {
    let folder = three_cases();
    let folder = folder.path();
    assert_eq!(run(folder, &[]).status.code(), Some(1));
    let failed = ["--failed-in", "out/report.json"];
    assert_eq!(listed(folder, &failed), ["fail"]);
    let again = ["run", "--corpus", "cases", "--out", "again", "--failed-in", "out/report.json"];
    assert_eq!(in_folder(folder, &again).status.code(), Some(1));
    let output = in_folder(folder, &["list", "--corpus", "cases", "--failed-in", "none.json"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("none.json"), "{}", stderr(&output));
}

#[test]
fn a_profile_may_be_a_file_and_a_wrong_one_exits_2_with_its_line() {
    let folder = three_cases();
    let valid = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/judge/profiles/ieee754.toml");
    let text = fs::read_to_string(valid).unwrap().replacen("ieee754", "mine", 1);
    fs::write(folder.path().join("mine.toml"), &text).unwrap();
    fs::write(folder.path().join("wrong.toml"), text.replace("title", "tilte")).unwrap();
    fs::write(folder.path().join("lax.toml"), text.replace("\"mine\"", "\"sonnx\"")).unwrap();
    let output = run(folder.path(), &["--profile", "mine.toml", "--filter", "pass"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mark = Profile::mark(&text);
    assert_eq!(report(folder.path())["profile"], format!("mine@{mark}"));
    for (name, message) in [
        ("wrong.toml", "wrong.toml:4: unknown field `tilte`"),
        ("absent.toml", "failed to read the profile `absent.toml`"),
        ("lax.toml", "lax.toml:3: `sonnx` is the name of a profile of this tool"),
    ] {
        let output = run(folder.path(), &["--profile", name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn a_profile_may_judge_single_cases_by_a_rule_of_their_own_and_the_report_says_so() {
    let folder = three_cases();
    let exact = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/judge/profiles/ieee754.toml");
    let text = fs::read_to_string(exact).unwrap().replacen("ieee754", "mine", 1);
    for (cases, verdict, strictness) in
        [("*/fail", "out_of_domain", "undecided"), ("*/pass", "fail", "exact")]
    {
        let entry = format!(
            "\n[[case]]\ncases = '{cases}'\nrule.not_applicable.reason = 'x'\nsource = 'a test'\n"
        );
        fs::write(folder.path().join("mine.toml"), text.clone() + &entry).unwrap();
        run(folder.path(), &["--profile", "mine.toml", "--filter", "fail"]);
        let report = report(folder.path());
        assert_eq!(report["cases"][0]["verdict"], verdict, "{cases}");
        assert_eq!(report["cases"][0]["strictness"], strictness, "{cases}");
        assert_eq!(report["suites"][0]["laxer"], true, "{cases}");
    }
}

#[test]
fn a_profile_with_limits_judges_by_the_operands_and_not_by_the_recorded_output() {
    let folder = three_cases();
    for (profile, verdict) in [("ieee754", "fail"), ("opencl-full", "pass"), ("sonnx", "pass")] {
        run(folder.path(), &["--profile", profile, "--filter", "fail"]);
        assert_eq!(report(folder.path())["cases"][0]["verdict"], verdict, "{profile}");
    }
}

#[test]
fn unknown_names_exit_2_and_show_the_valid_ones() {
    let folder = three_cases();
    for (arguments, valid) in [
        (["--profile", "sloppy"], "onnx, onnx-1.23, onnx-exact, exact, ieee754, sonnx"),
        (["--backend", "nobody"], "builtin"),
        (["--suite", "nothing"], "onnx"),
        (["--corpus", "nowhere"], "onnx-1.22.0"),
        (["--corpus", "onnx-1.22.0-real"], "onnx-V-simple, onnx-V-pytorch-operator, "),
        (["--filter", "("], "`(` is not a valid regular expression"),
        (["--timeout", "0"], "more than 0"),
        (["--jobs", "0"], "--jobs"),
    ] {
        // In the checkout, where the locks are.
        let output = tool().arg("run").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(valid), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn own_takes_the_cases_of_suites_where_nothing_was_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let list = |arguments: &[&str]| {
        let list = ["list", "--suite", "onnx", "--suite", "openvino", "--op", "Gelu"];
        let mut command = tool();
        command.args([&list, arguments].concat()).current_dir(folder.path());
        command.env("ONNX_CONFORMANCE_HOME", folder.path()).output().unwrap()
    };
    let all = list(&[]);
    assert_eq!(all.status.code(), Some(4), "{}", stderr(&all));
    assert!(stderr(&all).contains("run `onnx-conformance fetch"), "{}", stderr(&all));
    let own = list(&["--own"]);
    assert_eq!(own.status.code(), Some(0), "{}", stderr(&own));
    let mut ids = stdout(&own).lines().peekable();
    assert!(ids.peek().is_some() && ids.all(|id| id.starts_with("onnx/")), "{}", stdout(&own));
    for other in [["--corpus", "."], ["--challenge", "1"]] {
        let output = list(&[&["--own"], &other[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

#[test]
fn an_unknown_kind_of_cases_exits_2_and_shows_those_there_are() {
    let output = tool().args(["fetch", "--kind", "real"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let kinds = "[possible values: node, simple, pytorch-operator, pytorch-converted]";
    assert!(stderr(&output).contains(kinds), "{}", stderr(&output));
}

#[test]
fn what_can_be_fetched_is_listed_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let listed = |arguments: &[&str]| {
        let output = tool()
            .args([&["fetch", "--list"], arguments].concat())
            .current_dir(folder.path())
            .env("ONNX_CONFORMANCE_HOME", folder.path())
            .output()
            .unwrap();
        (output.status.code(), stdout(&output).to_owned())
    };
    fs::create_dir_all(folder.path().join("corpora/onnx-1.22.0-simple")).unwrap();
    let (code, all) = listed(&[]);
    let locks = onnx_conformance::corpus::Home::find().unwrap().locks().unwrap();
    assert_eq!((code, all.lines().count()), (Some(0), locks.len()));
    let (_, some) = listed(&["--release", "1.22.0", "--kind", "node", "--kind", "simple"]);
    assert_eq!(some, "onnx-1.22.0          1765 cases\nonnx-1.22.0-simple     23 cases  fetched\n");
    assert_eq!(listed(&["--release", "0.0.1"]), (Some(2), String::new()));
}

#[test]
fn a_wrong_case_json_exits_2_with_file_and_line() {
    let folder = three_cases();
    let write = |text: &str| fs::write(folder.path().join("cases/pass/case.json"), text).unwrap();
    for (requirement, expect, said) in [
        (
            "P_NO_SUCH_0010",
            "values",
            "cases/pass/case.json:2: unknown requirement `P_NO_SUCH_0010`",
        ),
        ("GR1", "perhaps", "cases/pass/case.json:4: unknown variant `perhaps`"),
    ] {
        write(&format!(
            "{{\n\"requirements\": [\"{requirement}\"],\n\"class\": \"c\",\n\"expect\": \"{expect}\",\n\"note\": \"n\"\n}}"
        ));
        let output = run(folder.path(), &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn two_corpora_of_one_name_exit_2() {
    let folder = three_cases();
    let output = run(folder.path(), &["--corpus", "./cases"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("two corpora are named `cases`"));
}

#[test]
fn a_truncated_file_is_named_and_its_case_a_fault() {
    let folder = three_cases();
    let file = folder.path().join("cases/pass/test_data_set_0/output_0.pb");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let output = run(folder.path(), &["--filter", "pass"]);
    assert_eq!(output.status.code(), Some(1));
    let message = report(folder.path())["cases"][0]["message"].to_string();
    assert!(message.contains("cases/pass/test_data_set_0/output_0.pb"), "{message}");
}

#[test]
fn an_unwritable_output_folder_is_an_error_that_names_it() {
    let folder = three_cases();
    fs::write(folder.path().join("out"), "a file").unwrap();
    let output = run(folder.path(), &["--filter", "pass"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(stderr(&output).contains("`out`"), "{}", stderr(&output));
}

#[test]
fn a_refused_division_by_zero_is_no_pass_and_names_the_element() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (int32(&[7, 8]), int32(&[2, 0]));
    write_case(&folder.path().join("cases/zero"), "Div", &[a, b], &[int32(&[3, 0])]);
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let message = report(folder.path())["cases"][0]["message"].to_string();
    assert!(message.contains("element [1]: 8 / 0"), "{message}");
}

#[test]
fn two_runs_give_the_same_bytes_but_for_provenance() {
    let folder = three_cases();
    let mut runs = Vec::new();
    for jobs in ["1", "7"] {
        run(folder.path(), &["--jobs", jobs]);
        let mut document = report(folder.path());
        document.as_object_mut().unwrap().remove("provenance").unwrap();
        let junit = fs::read(folder.path().join("out/junit.xml")).unwrap();
        runs.push((document, junit));
    }
    assert!(runs[0] == runs[1]);
}

#[test]
fn list_prints_ids_in_natural_order() {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0])];
    for k in [10, 9, 1] {
        write_case(&folder.path().join(format!("cases/case_{k}")), "Zeta", &values, &values);
    }
    let output = in_folder(folder.path(), &["list", "--corpus", "cases"]);
    assert_eq!(stdout(&output), "cases/case_1\ncases/case_9\ncases/case_10\n");
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_error() {
    let mut child = tool()
        .args(["list", "--corpus", "onnx-1.22.0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A checkout with its own `testdata`: the real locks, and 1.1.2 in a copy that can be tampered with.
fn checkout_with_a_corpus() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let copy = folder.path().join("testdata");
    fs::create_dir_all(copy.join("locks")).unwrap();
    let lock = "locks/onnx-1.1.2.toml";
    fs::copy(real.join(lock), copy.join(lock)).unwrap();
    let corpus = copy.join("corpora/onnx-1.1.2");
    for entry in walkdir::WalkDir::new(real.join("corpora/onnx-1.1.2")) {
        let entry = entry.expect("the corpus is missing; run `cargo xtask fetch`");
        let to = corpus.join(entry.path().strip_prefix(real.join("corpora/onnx-1.1.2")).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    (folder, corpus)
}

fn run_corpus(folder: &Path) -> Output {
    let run = ["run", "--corpus", "onnx-1.1.2", "--profile", "onnx", "--out", "out"];
    in_folder(folder, &run)
}

#[test]
fn a_tampered_corpus_exits_4_and_names_the_first_bad_case_and_the_remedy() {
    let (folder, corpus) = checkout_with_a_corpus();
    assert_eq!(run_corpus(folder.path()).status.code(), Some(0));
    fs::remove_dir_all(folder.path().join("out")).unwrap();

    // Two cases, so that the first in natural order has to be found.
    for case in ["test_sqrt", "test_div"] {
        let file = corpus.join("node").join(case).join("test_data_set_0/output_0.pb");
        let mut bytes = fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    let output = run_corpus(folder.path());
    assert_eq!(output.status.code(), Some(4));
    let text = stderr(&output);
    assert!(text.contains("node/test_div`") && text.contains("cargo xtask fetch"), "{text}");
    assert!(!folder.path().join("out").exists(), "no report rests on a tampered corpus");
}

#[test]
fn a_case_outside_the_filter_is_verified_too() {
    let (folder, corpus) = checkout_with_a_corpus();
    let file = corpus.join("node/test_abs/model.onnx");
    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    let run = ["run", "--corpus", "onnx-1.1.2", "--filter", "test_div"];
    assert_eq!(in_folder(folder.path(), &run).status.code(), Some(4));
}

#[test]
fn a_deleted_added_or_missing_case_or_corpus_exits_4() {
    let (folder, corpus) = checkout_with_a_corpus();
    fs::rename(corpus.join("node/test_div"), corpus.join("node/test_dav")).unwrap();
    let output = run_corpus(folder.path());
    assert_eq!(output.status.code(), Some(4));
    assert!(
        stderr(&output).contains("node/test_dav`") || stderr(&output).contains("node/test_div`")
    );

    fs::remove_dir_all(corpus.join("node/test_dav")).unwrap();
    assert!(stderr(&run_corpus(folder.path())).contains("`node/test_div`"));

    fs::remove_dir_all(&corpus).unwrap();
    let output = run_corpus(folder.path());
    assert_eq!(output.status.code(), Some(4));
    let remedy = "run `cargo xtask fetch --release 1.1.2`";
    assert!(stderr(&output).contains(remedy), "{}", stderr(&output));
}

#[test]
fn a_folder_with_the_name_of_a_known_corpus_is_that_one_or_exits_4() {
    let folder = three_cases();
    for name in ["onnx-1.22.0", "sonnx"] {
        let chosen = folder.path().join("my").join(name);
        fs::create_dir_all(chosen.parent().unwrap()).unwrap();
        fs::rename(folder.path().join("cases"), &chosen).unwrap();
        let path = format!("my/{name}");
        for command in [&["run", "--out", "out"][..], &["list"], &["explain", "x/y"]] {
            let output = in_folder(folder.path(), &[command, &["--corpus", &path]].concat());
            assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
            let told = stderr(&output);
            assert!(told.contains(&format!("has the name of the corpus `{name}`")), "{told}");
            assert!(told.contains("rename it"), "{told}");
        }
        assert!(!folder.path().join("out").exists());
        fs::rename(&chosen, folder.path().join("cases")).unwrap();
    }
    // The corpus itself may lie anywhere.
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites/sonnx-draft");
    let run =
        ["run", "--corpus", suite.to_str().unwrap(), "--suite", "sonnx-draft", "--out", "out"];
    let output = in_folder(folder.path(), &run);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_own_suites_pass_without_a_corpus_and_show_their_requirements() {
    let out = tempfile::tempdir().unwrap();
    let output = tool()
        .args(["run", "--suite", "sonnx", "--suite", "sonnx-draft", "--suite", "openvino", "--out"])
        .arg(out.path().join("out"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let report = report(out.path());
    assert_eq!(report["profile"], "sonnx");
    assert_eq!(report["summary"]["unsupported"], 0);
    let of_sonnx = |id: &str| {
        let rows = report["requirements"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap()["status"].as_str().unwrap().to_owned()
    };
    for id in ["E_DIV_FLOAT_FUNC_0010", "E_DIV_INT_FUNC_0010", "P_SQRT_FLOAT_FUNC_0050"] {
        assert_eq!(of_sonnx(id), "verified");
    }
    assert_eq!(of_sonnx("E_DIV_REAL_FUNC_0010"), "untestable");
}

#[test]
fn matrix_lists_every_document_within_80_columns() {
    let output = tool().args(["matrix", "--suite", "sonnx"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    for document in ["(sonnx-div)", "(sonnx-div-draft)", "(sonnx-sqrt)", "(openvino-divide-1)"] {
        assert!(stdout(&output).contains(document), "{document}");
    }
    assert!(stdout(&output).lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn the_examples_of_explain_can_be_followed() {
    let help = tool().args(["explain", "--help"]).output().unwrap();
    let example = |line: &'_ str| Some(line.trim().strip_prefix("onnx-conformance ")?.to_owned());
    let whole_lines = stdout(&help).replace("\\\n", "");
    let examples: Vec<String> = whole_lines.lines().filter_map(example).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let arguments = shlex::split(&example).unwrap();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = in_folder(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
        assert_eq!(output.status.code(), Some(0), "{example}: {}", stderr(&output));
    }
}

#[test]
fn explain_shows_exact_value_neighbours_result_and_rows() {
    let folder = three_cases();
    let explain = ["explain", "cases/fail", "--corpus", "cases", "--element", "1"];
    let output = in_folder(folder.path(), &explain);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for line in [
        "exact             0.3333333333333333333333333...",
        "below             0.3333333 (0x3eaaaaaa), normal",
        "above             0.33333334 (0x3eaaaaab), normal",
        "conforms          0.33333334 (0x3eaaaaab), normal",
        "P_DIV_FLOAT_FUNC_0011",
    ] {
        assert!(stdout(&output).contains(line), "{line}:\n{}", stdout(&output));
    }
    let unknown = in_folder(folder.path(), &["explain", "cases/nothing", "--corpus", "cases"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_path_in_the_place_of_an_id_is_no_corpus_without_a_name() {
    let folder = three_cases();
    let said = |case: &str| {
        let output = in_folder(folder.path(), &["explain", case]);
        assert_eq!(output.status.code(), Some(2), "{case}");
        stderr(&output).to_owned()
    };
    for case in ["/no/such/case", "/", ""] {
        assert!(!said(case).contains("corpus ``"), "{case}: {}", said(case));
    }
    assert!(
        said("/no/such/case").contains("`/no/such/case` is neither a file nor the id of a case")
    );
    let path = folder.path().join("cases/pass");
    assert!(said(path.to_str().unwrap()).contains("is a path, not the id of a case"));
}

#[test]
fn explain_judges_by_the_profile_of_the_suite_unless_one_is_named() {
    let folder = three_cases();
    let one = ["explain", "cases/pass", "--corpus", "cases"];
    let own = ["explain", "sonnx/sqrt/float32/example_1"];
    for (arguments, profile) in [
        (&one[..], "onnx"),
        (&[&one[..], &["--profile", "ieee754"]].concat(), "ieee754"),
        (&own, "sonnx"),
        (&[&own[..], &["--profile", "onnx"]].concat(), "onnx"),
    ] {
        let output = in_folder(folder.path(), arguments);
        let told = format!("verdict           pass under profile {profile}\n");
        assert!(stdout(&output).contains(&told), "{arguments:?}:\n{}", stdout(&output));
    }
    let help = tool().args(["explain", "--help"]).output().unwrap();
    assert!(stdout(&help).contains("[that of the case's suite]"), "{}", stdout(&help));
}

#[test]
fn the_version_identifies_the_program_as_reports_do() {
    let folder = three_cases();
    run(folder.path(), &["--filter", "pass"]);
    let tool_of_report = &report(folder.path())["tool"];
    let output = tool().arg("--version").output().unwrap();
    let lines: Vec<_> = str::from_utf8(&output.stdout).unwrap().lines().collect();
    let text = |member: &str| tool_of_report[member].as_str().unwrap().to_owned();
    assert_eq!(lines[0], format!("{} {}", text("name"), text("version")));
    assert_eq!(lines[1], format!("commit     {}", text("commit")));
    assert!(lines[3].starts_with("toolchain  rustc "), "{lines:?}");
    let short = tool().arg("-V").output().unwrap();
    assert_eq!(str::from_utf8(&short.stdout).unwrap().lines().collect::<Vec<_>>(), lines[..1]);
}

#[test]
fn help_fits_80_columns_and_has_examples() {
    for arguments in [&["--help"][..], &["run", "--help"], &["list", "--help"], &["gate", "--help"]]
    {
        let output = tool().args(arguments).output().unwrap();
        let text = stdout(&output);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{arguments:?}: {text}");
        assert!(text.contains("Exit codes") || text.contains("Examples"), "{arguments:?}");
    }
}
