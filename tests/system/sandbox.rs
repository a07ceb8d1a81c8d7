//! The sandbox of adapters: what is kept from them, and what honest ones need. The adapters are shell
//! scripts.
//!
//! These tests need Linux with Landlock. Where a machine has none, `ONNX_CONFORMANCE_NO_LANDLOCK=1` says so.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox, SandboxError, SandboxMode};
use onnx_conformance::backend::{Backend, Isolation};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{self, float32, write_case};

const NO_LANDLOCK: &str = "ONNX_CONFORMANCE_NO_LANDLOCK";

/// Whether the sandbox can be tested. That it cannot has to be said, so that no gate is green without it.
fn has_landlock() -> bool {
    let sandbox = Sandbox::new(SandboxMode::Strict, [], &[], &[]);
    if std::env::var_os(NO_LANDLOCK).is_some() {
        assert!(matches!(sandbox, Err(SandboxError::Unsupported)), "{NO_LANDLOCK} is wrong");
        eprintln!("SKIPPED: {NO_LANDLOCK} is set, so nothing tests the sandbox");
        return false;
    }
    assert!(sandbox.is_ok(), "this machine has no Landlock; set {NO_LANDLOCK} to go without");
    true
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/system/sandbox").join(name)
}

/// A folder like a checkout, with cases, suites, reports and an adapter.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for file in [
        "testdata/locks/none",
        "testdata/suites/sonnx/case.json",
        "testdata/corpora/model.onnx",
        "reports/latest/report.json",
        "out/report.json",
        ".git/packed",
        "target/debug/deps/tool",
        "notes.txt",
        "conformance/baseline.json",
        "github/path",
        "adapter/module.py",
        "allowed/old",
        "readable/old",
    ] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), "content").unwrap();
    }
    std::os::unix::fs::symlink("../cases", root.join("adapter/link")).unwrap();
    for script in ["probe.sh", "copying.sh", "altering.sh", "attempts.txt"] {
        fs::copy(self::script(script), root.join("adapter").join(script)).unwrap();
    }
    for (name, values) in [("one", &[1.0][..]), ("six", &[1.0; 6]), ("two", &[1.0, -2.0])] {
        let values = [float32(values)];
        write_case(&root.join("cases").join(name), name, &values, &values);
    }
    folder
}

fn tool(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.args(words).current_dir(folder).env("NO_COLOR", "1");
    command
}

/// Runs an adapter of a checkout on its cases.
fn run(folder: &Path, adapter: &str, more: &[&str]) -> Output {
    let words = ["run", "--corpus", "cases", "--out", "out", "--jobs", "1", "--adapter", adapter];
    tool(folder, &[&words, more].concat()).output().unwrap()
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("out/report.json")).unwrap()).unwrap()
}

/// What the probe could do in a sandbox, by the names of its attempts.
fn could(sandbox: &str) -> BTreeMap<String, bool> {
    let (folder, other) = (checkout(), private_folder_of_another(sandbox));
    let name = other.path().file_name().unwrap();
    let words = ["run", "--corpus", "cases", "--out", "out", "--sandbox", sandbox];
    let adapter = "sh adapter/probe.sh adapter/attempts.txt";
    let more = ["--adapter", adapter, "--allow-path", "readable", "--jobs", "1"];
    let mut command = tool(folder.path(), &[&words[..], &more].concat());
    command.args(["--allow-write", "allowed"]);
    command.env("HERE", folder.path()).env("EXE", env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("OTHER", other.path()).env("NAME", name);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let report = report(folder.path());
    let details: BTreeMap<String, String> =
        serde_json::from_value(report["backend"]["details"].clone()).unwrap();
    let isolation = if sandbox == "off" { "none" } else { sandbox };
    assert_eq!(report["isolation"], isolation);
    details.into_iter().map(|(name, could)| (name, could == "yes")).collect()
}

/// A folder such as the processes of another run have, where those of this one have theirs.
fn private_folder_of_another(sandbox: &str) -> TempDir {
    let place = if sandbox == "off" { "/dev/shm" } else { "/var/tmp" };
    let other = tempfile::Builder::new().prefix("onnx-conformance-").tempdir_in(place).unwrap();
    fs::create_dir(other.path().join("process-x")).unwrap();
    fs::write(other.path().join("process-x/output_0.pb"), "content").unwrap();
    other
}

/// The attempts, each with who can do it.
fn attempts() -> Vec<(String, String)> {
    let text = fs::read_to_string(script("attempts.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let attempts = lines.map(|line| {
        let mut parts = line.splitn(3, ": ").map(str::to_owned);
        (parts.next().unwrap(), parts.next().unwrap())
    });
    attempts.collect()
}

/// Compares what the probe could do in a sandbox with what it should.
fn assert_only(sandbox: &str, can: &[&str]) {
    if !has_landlock() {
        return;
    }
    let expected = attempts().into_iter().map(|(who, name)| (name, can.contains(&&*who)));
    let expected: BTreeMap<String, bool> = expected.collect();
    let could = could(sandbox);
    let other: Vec<_> =
        expected.iter().filter(|(name, can)| could.get(*name) != Some(can)).collect();
    assert!(other.is_empty(), "in `{sandbox}` these should be, and are not: {other:#?}");
    assert_eq!(could.len(), expected.len());
}

#[test]
fn whoever_has_no_sandbox_can_do_all_of_it() {
    assert_only("off", &["nobody", "default", "anybody"]);
}

#[test]
fn the_default_sandbox_denies_what_results_are_judged_by_and_nothing_that_is_honest() {
    assert_only("default", &["default", "anybody"]);
}

#[test]
fn the_strict_sandbox_allows_the_system_the_adapter_and_what_is_named() {
    assert_only("strict", &["anybody"]);
}

#[test]
fn an_adapter_that_copies_what_is_expected_passes_nothing_in_the_sandbox() {
    if !has_landlock() {
        return;
    }
    for (sandbox, passed) in [("off", 3), ("default", 0), ("strict", 0)] {
        let folder = checkout();
        // Both the folder itself and the one that the tool is in.
        let adapter = "sh adapter/copying.sh cases";
        let output = run(folder.path(), adapter, &["--sandbox", sandbox]);
        let report = report(folder.path());
        assert_eq!(report["summary"]["cases"], 3);
        assert_eq!(report["summary"]["pass"], passed, "{sandbox}: {output:?}");
    }
}

#[test]
fn the_suites_of_a_checkout_cannot_be_copied_in_the_sandbox() {
    if !has_landlock() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let adapter = format!("sh '{}' testdata/suites/sonnx/div", script("copying.sh").display());
    let passed = |sandbox: &str| {
        let out = tempfile::tempdir().unwrap();
        let words =
            ["run", "--suite", "sonnx", "--filter", "/div/float32/exa", "--sandbox", sandbox];
        let more = ["--jobs", "1", "--adapter", &adapter, "--out"];
        let mut command = tool(root, &[&words[..], &more].concat());
        command.arg(out.path().join("out")).output().unwrap();
        report(out.path())["summary"]["pass"].as_u64().unwrap()
    };
    assert!(passed("off") > 0);
    assert_eq!(passed("default"), 0);
}

#[test]
fn a_case_without_a_lock_that_changes_while_the_adapter_runs_is_an_integrity_error() {
    // The one that it has, and one that is still to come.
    for case in ["six", "two"] {
        let folder = checkout();
        let file = format!("cases/{case}/test_data_set_0/output_0.pb");
        let adapter = format!("sh adapter/altering.sh {file}");
        let words = ["--sandbox", "off", "--filter", "six|two"];
        let output = run(folder.path(), &adapter, &words);
        let problem = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{case}: {problem}");
        assert!(problem.contains(&format!("cases/{case}")), "{problem}");
        assert!(problem.contains("was changed during the run"), "{problem}");
        assert_eq!(fs::read_to_string(folder.path().join("out/report.json")).unwrap(), "content");
    }
}

#[test]
fn a_program_that_carries_the_suites_is_isolated_in_part() {
    if !has_landlock() {
        return;
    }
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no `cc`");
        return;
    }
    let folder = checkout();
    let exe = env!("CARGO_BIN_EXE_onnx-conformance");
    let copy = folder.path().join("allowed/copy");
    fs::copy(exe, &copy).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/c");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-shared", "-fPIC", "-o", "adapter/kernels.so"]);
    compiler.arg("-I").arg(&sources).arg(sources.join("sample.c")).arg("-lm");
    assert!(compiler.current_dir(folder.path()).status().unwrap().success());
    for program in [Path::new(exe), &copy] {
        let adapter = format!("'{}' c-abi adapter/kernels.so", program.display());
        run(folder.path(), &adapter, &[]);
        assert_eq!(report(folder.path())["isolation"], "partial", "{adapter}");
    }
}

#[test]
fn a_program_that_lies_where_nothing_may_be_read_is_started_and_given_nothing_from_there() {
    if !has_landlock() {
        return;
    }
    let folder = checkout();
    let copy = folder.path().join("reports/copying.sh");
    fs::copy(script("copying.sh"), &copy).unwrap();
    fs::set_permissions(&copy, Permissions::from_mode(0o755)).unwrap();
    for sandbox in ["default", "strict"] {
        let output = run(folder.path(), "reports/copying.sh", &["--sandbox", sandbox]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert_eq!(report(folder.path())["summary"]["unsupported"], 3, "{sandbox}");
        let output = run(folder.path(), "sh reports/copying.sh", &["--sandbox", sandbox]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(problem.contains("reports` is denied; give the adapter a copy"), "{problem}");
    }
}

/// Runs the adapter that unpacks the suites out of its settings, which are a file of this name, with
/// a tool on cases of the suites. The number of passes, if there was a report, and what was said.
fn extract(
    exe: &Path,
    folder: &Path,
    settings: &str,
    more: &[&str],
) -> Option<(u64, Value, Output)> {
    let python = support::python("nothing")?;
    let adapter = format!("'{python}' extracting.py {settings}");
    fs::copy(script("extracting.py"), folder.join("extracting.py")).unwrap();
    let words = ["run", "--suite", "sonnx", "--filter", "/div/float32/exa", "--out", "out"];
    let mut command = Command::new(exe);
    command.args(words).args(["--adapter", &adapter]).args(more).current_dir(folder);
    let mark: String = suites::embedded::mark().iter().map(|byte| format!("{byte:02x}")).collect();
    let output = command.env("MARK", mark).env("TOOL", exe).output().unwrap();
    let report = fs::read(folder.join("out/report.json")).unwrap_or_default();
    let report: Value = serde_json::from_slice(&report).unwrap_or_default();
    Some((report["summary"]["pass"].as_u64().unwrap_or(0), report, output))
}

#[test]
fn a_word_of_the_command_that_is_replaced_by_a_link_to_the_tool_opens_nothing() {
    if !has_landlock() {
        return;
    }
    let exe = Path::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    for (sandbox, jobs) in [("off", "1"), ("default", "1"), ("default", "2"), ("strict", "1")] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("own")).unwrap();
        fs::write(folder.path().join("own/settings"), "fast").unwrap();
        let more = ["--sandbox", sandbox, "--jobs", jobs, "--allow-write", "own"];
        let more = if sandbox == "off" { &more[..4] } else { &more };
        let Some((passed, report, output)) = extract(exe, folder.path(), "own/settings", more)
        else {
            return;
        };
        if sandbox == "off" {
            assert!(passed > 0, "{output:?}");
            continue;
        }
        assert_eq!(passed, 0, "{sandbox}: {output:?}");
        let cases = report["cases"].as_array().unwrap();
        let last = &cases.last().unwrap();
        assert_eq!(last["verdict"], "fault", "{last}");
        let message = last["message"].as_str().unwrap();
        assert!(
            message.contains("own/settings` in the adapter's command was replaced"),
            "{message}"
        );
    }
}

#[test]
fn a_word_of_the_command_that_leads_to_the_tool_or_is_a_name_of_it_is_refused() {
    if !has_landlock() {
        return;
    }
    let (_home, exe) = copy_of_the_tool();
    for sandbox in ["default", "strict"] {
        for is_link in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let settings = folder.path().join("settings");
            match is_link {
                true => symlink(&exe, &settings).unwrap(),
                false => fs::hard_link(&exe, &settings).unwrap(),
            }
            let more = ["--sandbox", sandbox];
            let Some((_, report, output)) = extract(&exe, folder.path(), "settings", &more) else {
                return;
            };
            let problem = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{problem}");
            assert_eq!(report, Value::Null);
            let text = "settings` in the adapter's command is a file that the sandbox keeps";
            assert!(problem.contains(text), "{problem}");
        }
    }
}

#[test]
fn a_further_name_of_the_tool_is_denied_where_it_is_found_and_named_where_not() {
    if !has_landlock() {
        return;
    }
    let (_home, exe) = copy_of_the_tool();
    // Beside its script; and in a folder of nobody's.
    for is_found in [true, false] {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let own = if is_found { folder.path() } else { other.path() };
        fs::create_dir(own.join("own")).unwrap();
        fs::hard_link(&exe, own.join("own/settings")).unwrap();
        let settings = own.join("own").display().to_string();
        let Some((passed, report, output)) = extract(&exe, folder.path(), &settings, &[]) else {
            return;
        };
        assert_eq!(passed == 0, is_found, "{output:?}");
        let isolation = if is_found { "default" } else { "partial" };
        assert_eq!(report["isolation"], isolation, "{output:?}");
        let gaps = report["isolation_gaps"].to_string();
        assert_eq!(gaps.contains("(hard links) that were not found: 1"), !is_found, "{gaps}");
    }
}

#[test]
fn what_installers_and_checkouts_elsewhere_have_of_the_suites_is_denied() {
    if !has_landlock() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let denied = [
        "built/testdata/suites/sonnx/div.zip",
        "built/target/release/deps/tool",
        "built/target/debug-with-lines/deps/tool",
        "built/target/aarch64-unknown-linux-gnu/release/deps/tool",
        "built/target/package/onnx-conformance-suites-1.crate",
        "built/target/wheel/onnx_conformance-1.whl",
        "built/fuzz/corpus/pack/seed",
        "built/.git/packed",
        "linked/testdata/suites/sonnx/div.zip",
        "linked/target/release/deps/tool",
        "action/testdata/suites/sonnx/div.zip",
        "action/reports/report.json",
        "cargo/bin/onnx-conformance",
        "cargo/git/checkouts/onnx-conformance-1/a/testdata/suites/sonnx/div.zip",
        "cargo/git/db/onnx-conformance-1/packed",
        "cargo/registry/src/index/onnx-conformance-suites-1/suites/sonnx/div.zip",
        "cargo/registry/cache/index/onnx-conformance-suites-1.crate",
        "caches/onnx-conformance/corpora/onnx-1.1.2/case",
        "pip/http/wheel",
        "path/onnx-conformance",
        "venv/lib/python3.9/site-packages/onnx/backend/test/data/node/case",
    ];
    let readable = [
        "built/adapters/example.py",
        "built/target/adapters/tract/release/deps/module.so",
        "built/target/wheel/environment/bin/python",
        "action/action.yml",
        "cargo/registry/src/index/another-1/lib.rs",
        "caches/another",
        "path/another",
        "venv/lib/python3.9/site-packages/onnx/__init__.py",
        "venv/lib/python3.9/site-packages/onnx/backend/test/__init__.py",
    ];
    let mut attempts = String::new();
    for (kind, files) in [("denied", &denied[..]), ("readable", &readable)] {
        for (number, file) in files.iter().enumerate() {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "content").unwrap();
            attempts.push_str(&format!("nobody: {kind} {number}: cat '{}'\n", path.display()));
        }
    }
    for checkout in ["built", "action", "linked"] {
        fs::create_dir_all(root.join(checkout).join("testdata/locks")).unwrap();
    }
    for folder in ["venv/bin", "here", "built/.git/worktrees/linked"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let gitdir = root.join("built/.git/worktrees/linked/gitdir");
    fs::write(gitdir, format!("{}\n", root.join("linked/.git").display())).unwrap();
    let exe = root.join("built/target/release/onnx-conformance");
    fs::copy(env!("CARGO_BIN_EXE_onnx-conformance"), &exe).unwrap();
    fs::copy(script("probe.sh"), root.join("venv/bin/probe.sh")).unwrap();
    fs::write(root.join("here/attempts.txt"), attempts).unwrap();
    let adapter = format!("sh '{}' attempts.txt", root.join("venv/bin/probe.sh").display());
    let paths = std::env::var("PATH").unwrap();
    let mut command = Command::new(exe);
    command.args(["run", "--suite", "sonnx", "--filter", "/div/float32/exact", "--out", "out"]);
    command.args(["--adapter", &adapter, "--jobs", "1"]).current_dir(root.join("here"));
    command.env("PATH", format!("{paths}:{}", root.join("path").display()));
    for (variable, path) in [
        ("GITHUB_ACTION_PATH", "action"),
        ("CARGO_HOME", "cargo"),
        ("XDG_CACHE_HOME", "caches"),
        ("PIP_CACHE_DIR", "pip"),
    ] {
        command.env(variable, root.join(path));
    }
    let output = command.output().unwrap();
    let details = report(&root.join("here"))["backend"]["details"].clone();
    let details: BTreeMap<String, String> = serde_json::from_value(details).unwrap();
    assert_eq!(details.len(), denied.len() + readable.len(), "{output:?}");
    let wrong: Vec<_> =
        details.iter().filter(|(name, could)| (*could == "yes") != name.starts_with("r")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// An adapter that reports whether it finds a seed where processes show what they were started with.
const SEEKING: &str = r#"
found=no
for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/$PPID/fd/* /proc/self/fd/* "$SEED" seed.txt; do
  if [ -f "$file" ] && grep -qs 'the hidden [s]eed' "$file"; then found="in ${file##*/}"; fi
done
while read -r line; do
  case $line in
  '{"hello":{"protocol":1}}')
    printf '{"backend":{"name":"seeking","version":"1","details":{"seed":"%s"}}}
' "$found"
    continue
    ;;
  esac
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  printf '{"id":%s,"refused":{"stage":"load","kind":"unsupported","message":"none"}}
' "$id"
done
"#;

#[test]
fn the_seed_of_a_challenge_in_a_file_is_seen_by_no_adapter_and_one_on_the_command_line_is_named() {
    if !has_landlock() {
        return;
    }
    let seed = "the hidden seed";
    for (source, isolation, found) in [
        ("file", "default", "no"),
        ("pipe", "default", "no"),
        ("argument", "partial", "in cmdline"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seed.txt");
        fs::write(
            &path,
            format!(
                "{seed}
"
            ),
        )
        .unwrap();
        fs::write(folder.path().join("seeking.sh"), SEEKING).unwrap();
        let words = ["run", "--suite", "sonnx", "--filter", "/div/float32/exact", "--out", "out"];
        let mut command = tool(folder.path(), &words);
        command.args(["--adapter", "sh seeking.sh", "--jobs", "1"]);
        match source {
            "file" => command.arg("--challenge-from").arg(&path).env("SEED", &path),
            "pipe" => command.args(["--challenge-from", "/dev/stdin"]),
            _ => command.args(["--challenge", seed]),
        };
        if source != "file" {
            fs::remove_file(&path).unwrap();
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(
                format!(
                    "{seed}
"
                )
                .as_bytes(),
            )
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{source}");
        let report = report(folder.path());
        assert_eq!(report["challenge"], seed);
        assert_eq!(report["backend"]["details"]["seed"], found, "{source}");
        assert_eq!(report["isolation"], isolation, "{source}");
        let is_named = report["isolation_gaps"].to_string().contains("challenge's seed");
        assert_eq!(is_named, source == "argument");
    }
}

/// A copy of the tool, which no other test sees the names of.
fn copy_of_the_tool() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("onnx-conformance");
    fs::copy(env!("CARGO_BIN_EXE_onnx-conformance"), &copy).unwrap();
    (home, copy)
}

#[test]
fn what_is_denied_cannot_be_allowed_and_what_is_not_there_neither() {
    if !has_landlock() {
        return;
    }
    let folder = checkout();
    for (path, problem) in [("cases/one", "it lies in"), ("no/such", "failed to find `no/such`")] {
        let output = run(folder.path(), "sh adapter/copying.sh", &["--allow-path", path]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(problem), "{text}");
    }
    // What lies above is allowed but for what is denied.
    let words = ["--sandbox", "strict", "--allow-path", ".", "--allow-write", "."];
    run(folder.path(), "sh adapter/copying.sh cases", &words);
    assert_eq!(report(folder.path())["summary"]["pass"], 0);
}

#[test]
fn the_summary_the_page_and_junit_say_what_isolated_an_adapter() {
    let folder = checkout();
    let output = run(folder.path(), "sh adapter/copying.sh", &["--sandbox", "off"]);
    let said = "none: it may read what is expected of it";
    assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("\nisolation {said}\n")));
    for file in ["report.html", "junit.xml"] {
        let text = fs::read_to_string(folder.path().join("out").join(file)).unwrap();
        assert!(text.contains(said), "{file}");
    }
}

#[test]
fn starting_a_process_in_the_sandbox_leaves_this_one_as_it_was() {
    if !has_landlock() {
        return;
    }
    let privileges = || {
        let status = |of: &str| fs::read_to_string(format!("/proc/{of}/status")).unwrap();
        let line =
            |of| status(of).lines().find(|line| line.starts_with("NoNewPrivs")).map(str::to_owned);
        ["self", "thread-self"].map(line)
    };
    let (before, folder) = (privileges(), checkout());
    let denied = folder.path().join("reports");
    let sandbox = Sandbox::new(SandboxMode::Default, [denied.clone()], &[], &[]).unwrap();
    let program = Program {
        sandbox,
        ..Program::parse("sh -c 'read -r line; grep NoNewPrivs /proc/self/status >&2; exit 9'")
            .unwrap()
    };
    let adapter = Adapter::start(program, 1, Duration::from_secs(60)).unwrap();
    assert_eq!(adapter.isolation(), Isolation::Default);
    assert_eq!(adapter.greeting().unwrap_err().stderr, "NoNewPrivs:\t1\n");
    assert_eq!(privileges(), before);
    assert_eq!(fs::read_to_string(denied.join("latest/report.json")).unwrap(), "content");
}

/// What Python's own library needs: modules beside the script, processes, semaphores and shared memory, sockets.
#[test]
fn python_finds_in_the_sandbox_what_it_needs() {
    let Some(python) = support::python("nothing").filter(|_| has_landlock()) else { return };
    let folder = checkout();
    fs::write(folder.path().join("adapter/module.py"), "value = 1\n").unwrap();
    let script = r#"
import json, os, socket, subprocess, sys, tempfile
from multiprocessing import Lock, Process, shared_memory
import module

if __name__ == "__main__":
    os.listdir(".")
    subprocess.run(["true"], check=True)
    server = socket.create_server(("127.0.0.1", 0))
    socket.create_connection(server.getsockname())
    with tempfile.TemporaryDirectory() as folder:
        socket.socket(socket.AF_UNIX).bind(folder + "/s")
    shared = shared_memory.SharedMemory(create=True, size=8)
    shared.close()
    shared.unlink()
    with Lock():
        process = Process(target=os.getpid)
        process.start()
        process.join()
    assert process.exitcode == 0
    print("all of it", file=sys.stderr)
"#;
    fs::write(folder.path().join("adapter/honest.py"), script).unwrap();
    let program = Program::parse(&format!("'{python}' adapter/honest.py")).unwrap();
    let sandbox =
        Sandbox::new(SandboxMode::Default, [folder.path().join("reports")], &[], &[]).unwrap();
    let program = Program { sandbox, folder: Some(folder.path().into()), ..program };
    let adapter = Adapter::start(program, 1, Duration::from_secs(60)).unwrap();
    let said = &adapter.greeting().unwrap_err().stderr;
    assert!(said.ends_with("all of it\n"), "{:?}", adapter.greeting());
}
