//! `cargo test` in a crate of its own: `examples/runtime`, built as a stranger builds it, with and without defects.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use onnx_conformance::corpus::HOME_VARIABLE;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/runtime")
}

/// The programs of the example's tests, built once.
static TESTS: LazyLock<String> = LazyLock::new(|| {
    let mut build = Command::new(env!("CARGO"));
    build.args(["test", "--no-run", "--locked", "--message-format", "json", "--target-dir"]);
    build.args(["../../target", "--test", "conformance", "--test", "onnx"]).current_dir(example());
    // Which crates of this project are optimised is stated in its own checkout alone.
    for part in ["values", "reference", "judge"] {
        let package = format!("profile.dev.package.onnx-conformance-{part}");
        build.args(["--config", &format!("{package}.opt-level=0")]);
    }
    let output = build.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
});

/// A test of the example, by its name.
fn test(name: &str) -> Command {
    let executable = TESTS.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let is_it = message["target"]["name"] == name;
        message["executable"].as_str().filter(|_| is_it).map(str::to_owned)
    });
    let mut test = Command::new(executable.unwrap());
    test.current_dir(example()).env_remove("NEXTEST").env_remove("TOY_DEFECT");
    test
}

fn run(test: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = test.output().unwrap();
    let text = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (status.code(), text)
}

/// The names of the tests that a text shows with this result.
fn with<'t>(text: &'t str, result: &str) -> Vec<&'t str> {
    let line = |line: &'t str| {
        let (name, shown) = line.strip_prefix("test ")?.split_once(" ... ")?;
        shown.starts_with(result).then(|| name.trim_end())
    };
    let mut names: Vec<_> = text.lines().filter_map(line).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_runtime_that_is_as_its_list_says_passes_and_what_it_lacks_is_ignored() {
    let (code, text) = run(&mut test("conformance"));
    assert_eq!(code, Some(0), "{text}");
    assert!(with(&text, "FAILED").is_empty());
    assert!(with(&text, "ok").contains(&"sonnx/add/float32/special_nan"), "{text}");
    for (name, why) in [
        ("sonnx/relu/float32/special", " (fail, as is known: f32::max gives 0 for NaN"),
        ("sonnx/add/int32/refused_attribute", " (out of domain: accepts more than"),
        // It is not run.
        ("sonnx/add/float64/far", ""),
    ] {
        assert!(with(&text, &format!("ignored{why}")).contains(&name), "{name} in {text}");
    }
    let (code, text) = run(test("conformance").arg("--include-ignored"));
    assert_eq!(code, Some(0), "{text}");
    let why = "ignored (unsupported: there is no Add of float64)";
    assert!(with(&text, why).contains(&"sonnx/add/float64/far"), "{text}");
}

#[test]
fn a_defect_fails_the_cases_that_find_it_with_the_elements_that_differ() {
    let (code, text) = run(test("conformance").env("TOY_DEFECT", "sign"));
    assert_eq!(code, Some(101), "{text}");
    let failed = with(&text, "FAILED");
    assert!(failed.contains(&"sonnx/abs/float32/special"), "{text}");
    assert!(failed.iter().all(|name| name.starts_with("sonnx/abs/float32/")), "{failed:?}");
    assert!(
        text.contains("Y[13]: expected 0 (0x00000000), got -0 (0x80000000), from -0"),
        "{text}"
    );
}

#[test]
fn a_crash_costs_the_cases_that_crash_and_no_other() {
    let passed = with(&run(&mut test("conformance")).1, "ok").len();
    let (code, text) = run(test("conformance").env("TOY_DEFECT", "crash"));
    assert_eq!(code, Some(101), "{text}");
    let failed = with(&text, "FAILED");
    assert!(failed.contains(&"sonnx/sqrt/float32/negative"), "{text}");
    assert!(failed.iter().all(|name| name.starts_with("sonnx/sqrt/float32/")), "{failed:?}");
    assert_eq!(with(&text, "ok").len() + failed.len(), passed);
    assert!(text.contains("terminated by signal 6"), "{text}");
}

#[test]
fn a_case_that_hangs_has_its_time_and_no_more() {
    let case = ["--exact", "sonnx/neg/int32/example_1"];
    let (code, text) = run(test("conformance").args(case).env("TOY_DEFECT", "hang"));
    assert_eq!(code, Some(101), "{text}");
    assert!(text.contains("timeout under the profile `sonnx`: no answer within 10 s"), "{text}");
}

#[test]
fn a_runtime_that_supports_nothing_is_not_one_that_passes() {
    let (code, text) = run(test("conformance").env("TOY_DEFECT", "nothing"));
    assert_eq!((code, with(&text, "ok").len()), (Some(1), 0), "{text}");
    assert!(text.contains("error: nothing was compared"), "{text}");
    let why = "ignored (unsupported: there is no Add)";
    assert!(with(&text, why).contains(&"sonnx/add/float32/special_nan"), "{text}");
}

/// What `cargo nextest` does: it lists all tests and those that are ignored, and runs each in a process.
#[test]
fn tests_are_listed_and_run_one_by_one_as_nextest_does() {
    let lines = |arguments: &[&str]| {
        // To make the runtime would crash.
        let (code, text) = run(test("conformance").args(arguments).env("TOY_DEFECT", "start"));
        assert_eq!(code, Some(0), "{text}");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&["--list", "--format", "terse"]);
    let ignored = lines(&["--list", "--format", "terse", "--ignored"]);
    assert!(all.iter().all(|line| line.ends_with(": test")), "{all:?}");
    assert!(all.contains(&"sonnx/add/float32/special_nan: test".to_owned()));
    assert!(ignored.len() < all.len() && ignored.iter().all(|line| all.contains(line)));
    assert!(ignored.contains(&"sonnx/add/float64/far: test".to_owned()));
    assert!(!ignored.contains(&"sonnx/relu/float32/special: test".to_owned()));
    let (code, text) = run(test("conformance").args(["int32"]).env("TOY_DEFECT", "start"));
    assert_eq!((code, with(&text, "ok").len()), (Some(101), 0), "{text}");
    let single = |defect| {
        let mut test = test("conformance");
        test.args(["--exact", "sonnx/add/float32/special_nan", "--nocapture"]);
        run(test.env("NEXTEST", "1").env("TOY_DEFECT", defect))
    };
    let (code, text) = single("none");
    assert_eq!((code, with(&text, "ok").len()), (Some(0), 1), "{text}");
    let (code, text) = single("nothing");
    assert_eq!(code, Some(101), "{text}");
    let entry = "cases = \"sonnx/add/float32/special_nan\"\nverdict = \"unsupported\"";
    assert!(text.contains(entry), "{text}");
}

#[test]
fn a_release_is_tested_where_it_was_fetched_and_fails_where_it_was_not() {
    let (code, text) = run(&mut test("onnx"));
    assert_eq!(code, Some(0), "{text}");
    assert!(with(&text, "ok").contains(&"onnx-1.22.0/node/test_abs"), "{text}");
    assert!(with(&text, "ok").contains(&"onnx-1.22.0 matches its lock"), "{text}");

    let elsewhere = tempfile::tempdir().unwrap();
    let mut test = test("onnx");
    let (code, text) = run(test.current_dir(elsewhere.path()).env(HOME_VARIABLE, elsewhere.path()));
    assert_eq!(code, Some(101), "{text}");
    assert_eq!(with(&text, "FAILED"), ["onnx-1.22.0 matches its lock"]);
    assert!(text.contains("run `onnx-conformance fetch --release 1.22.0`"), "{text}");
}
