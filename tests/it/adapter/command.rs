//! Adapters from the command line: exit codes, reports, known failures, and Ctrl-C.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{cases, left_behind, misbehaving};

fn tool(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command
}

/// The command line that starts the misbehaving script for a folder.
fn adapter(folder: &Path) -> String {
    let program = misbehaving(folder);
    let words = program.arguments.iter().map(|word| format!("'{}'", word.display()));
    format!("sh {}", words.collect::<Vec<_>>().join(" "))
}

pub(crate) fn run(folder: &Path, more: &[&str]) -> Output {
    let adapter = adapter(folder);
    // The script notes what it is given in the folder of the cases, where a sandbox lets it write nothing.
    let arguments =
        ["run", "--corpus", ".", "--out", "out", "--sandbox", "off", "--adapter", adapter.as_str()];
    tool(folder, &[&arguments, more].concat()).output().unwrap()
}

pub(super) fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

pub(super) fn report(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("out/report.json")).unwrap()).unwrap()
}

#[test]
fn a_run_with_an_adapter_names_it_and_exits_by_its_verdicts() {
    let folder = cases(&["Identity", "Abs"]);
    assert_eq!(code(&run(folder.path(), &[])), 0);
    let report = report(folder.path());
    assert_eq!(report["backend"]["name"], "misbehaving");
    assert_eq!(report["backend"]["details"]["shell"], "sh");
    assert_eq!(
        (&report["summary"]["pass"], &report["summary"]["unsupported"]),
        (&5.into(), &1.into())
    );
    let crashing = cases(&["SayAndExit"]);
    assert_eq!(code(&run(crashing.path(), &[])), 1);
}

#[test]
fn standard_error_is_in_the_provenance_of_the_report() {
    let folder = cases(&["SayAndExit"]);
    run(folder.path(), &[]);
    let report = report(folder.path());
    let said = report["provenance"]["stderr"].as_object().unwrap();
    assert_eq!(said.values().collect::<Vec<_>>(), ["last words\n"]);
}

#[test]
fn an_adapter_that_does_not_introduce_itself_stops_the_run_with_its_last_words_and_overwrites_nothing()
 {
    let folder = cases(&["Identity"]);
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/report.json"), "of before").unwrap();
    let asked = |adapter: &str| {
        let arguments = ["run", "--corpus", ".", "--out", "out", "--adapter", adapter];
        let output = tool(folder.path(), &arguments).output().unwrap();
        assert_eq!((code(&output), output.stdout.len()), (5, 0));
        assert_eq!(fs::read(folder.path().join("out/report.json")).unwrap(), b"of before");
        String::from_utf8(output.stderr).unwrap()
    };
    let text = asked("false");
    assert!(
        text.contains("did not introduce itself: the adapter ended with exit status 1"),
        "{text}"
    );
    assert!(text.contains("wrote nothing to its standard error"), "{text}");
    let text = asked("sh -c 'echo first >&2; echo second >&2; exit 3'");
    assert!(text.contains("Its standard error:\n    first\n    second\n"), "{text}");
    assert!(!text.contains("sandbox"), "{text}");
    let text = asked("sh -c 'echo cannot open x: Permission denied >&2; exit 3'");
    assert!(text.contains("The sandbox may have refused that"), "{text}");
    let text = asked("sh -c 'echo {}; sleep 60'");
    assert!(text.contains("did not introduce itself: ("), "{text}");
}

#[test]
fn commands_that_cannot_be_started_exit_2_and_say_so() {
    let folder = cases(&["Identity"]);
    for (arguments, message) in [
        (["--adapter", "no/such/program"], "failed to start the adapter `no/such/program`"),
        (["--adapter", ""], "the adapter's command is empty"),
        (["--adapter", "a 'b"], "has a quote that is not closed"),
        (["--backend", "nonesuch"], "unknown backend `nonesuch`; the backends are: builtin"),
    ] {
        let arguments = [&["run", "--corpus", "."], &arguments[..]].concat();
        let output = tool(folder.path(), &arguments).output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(message), "{stderr}");
    }
    let help = ["run", "--backend", "builtin", "--adapter", "cat"];
    assert_eq!(code(&tool(folder.path(), &help).output().unwrap()), 2);
}

#[test]
fn known_failures_are_run_and_fail_a_strict_run_when_they_pass_or_are_stale() {
    let folder = cases(&["SayAndExit"]);
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let known = |text: &str| {
        let text = text.replace("CORPUS", name);
        fs::write(folder.path().join("known.toml"), text).unwrap();
        let plain = run(folder.path(), &["--expectations", "known.toml"]);
        let strict = run(folder.path(), &["--expectations", "known.toml", "--strict"]);
        (code(&plain), code(&strict), String::from_utf8(strict.stdout).unwrap())
    };
    let entry = |cases: &str, verdict: &str| {
        format!("[[known]]\ncases = \"{cases}\"\nverdict = \"{verdict}\"\nreason = \"exits\"\n")
    };
    let (plain, strict, text) = known(&entry("CORPUS/case_0b", "crash"));
    assert_eq!((plain, strict), (0, 0));
    assert!(text.contains("(as expected)"), "{text}");
    // Crashing is not failing.
    assert_eq!(known(&entry("CORPUS/case_0b", "fail")).0, 1);
    let (plain, strict, text) = known(&entry("CORPUS/*", "crash"));
    assert_eq!((plain, strict), (0, 1));
    assert!(text.contains(&format!("unexpected pass: {name}/case_0a")), "{text}");
    assert_eq!(
        report(folder.path())["expectations"][0]["unexpected_passes"].as_array().unwrap().len(),
        2
    );
    let stale = entry("CORPUS/case_0b", "crash") + &entry("CORPUS/case_9", "fail");
    let (plain, strict, text) = known(&stale);
    assert_eq!((plain, strict), (0, 1));
    assert!(text.contains(&format!("stale expectation: {name}/case_9")), "{text}");
    // What is known of another corpus says nothing here.
    let other = entry("CORPUS/case_0b", "crash") + &entry("elsewhere/case_9", "fail");
    assert_eq!((known(&other).0, known(&other).1), (0, 0));
    assert_eq!(known("[[known]]\ncases = 1").0, 2);
}

/// An adapter that introduces itself by a name, and dies of whatever it is asked.
fn dying(folder: &Path, name: &str) {
    let hello = format!(r#"{{"backend":{{"name":"{name}","version":"1","details":{{}}}}}}"#);
    let text = format!("read -r line\necho '{hello}'\nread -r line\nexit 3\n");
    fs::write(folder.join("dying.sh"), text).unwrap();
}

#[test]
fn known_failures_come_with_the_backends_name_or_a_file_and_never_with_what_an_adapter_calls_itself()
 {
    let (folder, cases) = (tempfile::tempdir().unwrap(), cases(&["SayAndExit"]));
    let root = folder.path();
    for dir in ["adapters", "testdata/locks", "testdata/expectations"] {
        fs::create_dir_all(root.join(dir)).unwrap();
    }
    let known = format!(
        "[[known]]\ncases = \"{}/*\"\nverdict = \"crash\"\nreason = \"dies\"\n",
        cases.path().file_name().unwrap().display()
    );
    let list = serde_json::json!({
        "name": "known.toml",
        "sha256": onnx_conformance::corpus::Digest::of(known.as_bytes()).to_string(),
    });
    fs::write(root.join("testdata/expectations/known.toml"), &known).unwrap();
    let backend =
        "[known]\ntitle = \"x\"\ncommand = [\"sh\", \"dying.sh\"]\nsetup = { cargo = \"x\" }\n";
    fs::write(root.join("adapters/backends.toml"), backend).unwrap();
    let corpus = cases.path().to_str().unwrap();
    let ask = |called: &str, arguments: &[&str]| {
        dying(root, called);
        let all = [&["run", "--corpus", corpus, "--out", "out"], arguments].concat();
        let told = String::from_utf8(tool(root, &all).output().unwrap().stdout).unwrap();
        let report = report(root);
        let expected: Vec<_> = report["cases"].as_array().unwrap().iter().collect();
        let expected = expected.iter().map(|case| case["expected"].as_str().unwrap()).collect();
        let expected: std::collections::BTreeSet<&str> = expected;
        let expected = expected.into_iter().collect::<Vec<_>>().join(" ");
        (report["expectations_list"].clone(), expected, told)
    };
    let (used, expected, told) = ask("known", &["--adapter", "sh dying.sh"]);
    assert_eq!((used, expected.as_str()), (Value::Null, "pass"));
    assert!(!told.contains("known failures"), "only a list that was used is told: {told}");
    // The name that counts is the one that was asked for.
    for called in ["known", "another"] {
        let (used, expected, told) = ask(called, &["--backend", "known"]);
        assert_eq!((&used, expected.as_str()), (&list, "crash"));
        let digest = &list["sha256"].as_str().unwrap()[..16];
        assert!(
            told.contains(&format!("known failures of known.toml, SHA-256 {digest}")),
            "{told}"
        );
    }
    let file = ["--adapter", "sh dying.sh", "--expectations", "testdata/expectations/known.toml"];
    let (used, expected, _) = ask("another", &file);
    assert_eq!((used, expected.as_str()), (list, "crash"));
}

#[test]
fn an_adapter_cannot_pass_for_the_programs_own_kernels() {
    let (corpus, folder) = (cases(&["Identity"]), tempfile::tempdir().unwrap());
    dying(folder.path(), "builtin");
    let corpus = corpus.path().display().to_string();
    let arguments = ["run", "--corpus", &corpus, "--out", "out", "--adapter", "sh dying.sh"];
    let output = tool(folder.path(), &arguments).output().unwrap();
    assert_eq!(code(&output), 5);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("calls itself `builtin`"), "{message}");
    assert!(!folder.path().join("out/report.json").exists());
}

#[test]
fn ctrl_c_ends_the_adapters_and_removes_their_folders() {
    let folder = cases(&["Fork"]);
    let adapter = adapter(folder.path());
    let arguments =
        ["run", "--corpus", ".", "--out", "out", "--sandbox", "off", "--adapter", &adapter];
    let mut child = tool(folder.path(), &arguments).stderr(Stdio::piped()).spawn().unwrap();
    let since = Instant::now();
    let is_forking = || {
        let models = fs::read_to_string(folder.path().join("models")).unwrap_or_default();
        models.lines().any(|model| {
            fs::read(model).is_ok_and(|bytes| bytes.windows(4).any(|word| word == b"Fork"))
        })
    };
    while !is_forking() {
        assert!(since.elapsed() < Duration::from_secs(60), "the adapter was never asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(left_behind(folder.path()), Vec::<String>::new());
    assert!(!folder.path().join("out").exists());
}

#[test]
fn adapter_check_tells_adapters_that_follow_the_protocol_from_others() {
    let folder = cases(&["Identity"]);
    let right = tool(folder.path(), &["adapter-check", &adapter(folder.path())]);
    let output = { right }.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(code(&output), 0, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), 8, "{text}");
    let greeting = r#"printf "%s\n" "{\"backend\":{\"name\":\"x\",\"version\":\"1\"}}""#;
    for (script, bad) in [
        ("cat".to_owned(), "introduces itself"),
        (format!("{greeting}; read -r a; read -r b; exit 1"), "answers a division"),
        (format!("trap : TERM; {greeting}; while :; do sleep 1; done"), "ends by itself"),
    ] {
        let command = format!("sh -c '{script}'");
        let arguments = ["adapter-check", &command, "--timeout", "0.3"];
        let output = tool(folder.path(), &arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(code(&output), 5, "{text}");
        assert!(text.contains(&format!("BAD  {bad}")), "{text}");
    }
}

/// The exit status of a command that ends within a minute.
fn ends(mut command: Command) -> i32 {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it hangs: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait().unwrap().code().unwrap()
}

#[test]
fn pipes_in_the_place_of_inputs_hang_no_command() {
    let folder = cases(&["Div"]);
    let root = folder.path();
    let sets = root.join("case_0b");
    fs::create_dir(sets.join("test_data_set_1")).unwrap();
    for file in ["input_0.pb", "output_0.pb"] {
        let copy = sets.join("test_data_set_1").join(file);
        fs::copy(sets.join("test_data_set_0").join(file), copy).unwrap();
    }
    let script = r#"
        field() { rest=${line#*"\"$1\":["}; rest=${rest#*\"}; printf '%s' "${rest%%\"*}"; }
        read -r line
        echo '{"backend":{"name":"planting","version":"1"}}'
        while read -r line; do
          id=${line#*\"id\":} model=${line#*\"model\":\"}
          for input in "$(field inputs)" "${model%/*/*}/input_0.pb" "${model%/*}/input_0.pb"; do
            rm -f "$input" && mkfifo "$input"
          done
          echo asked >>asked
          printf '{"id":%s,"refused":{"stage":"run","kind":"error","message":"no"}}\n' "${id%%,*}"
        done
    "#;
    fs::write(root.join("planting.sh"), script).unwrap();
    let case = format!("{}/case_0b", root.file_name().unwrap().to_str().unwrap());
    let asked = || {
        let asked = fs::read_to_string(root.join("asked")).unwrap_or_default().lines().count();
        let _ = fs::remove_file(root.join("asked"));
        asked
    };
    // It counts its requests in the folder of the cases.
    let planting = ["--adapter", "sh planting.sh", "--sandbox", "off"];
    let explain = ["explain", &case, "--corpus", "."];
    assert_eq!(ends(tool(root, &[&explain[..], &planting].concat())), 0);
    assert_eq!(asked(), 2);
    ends(tool(root, &["adapter-check", "sh planting.sh", "--sandbox", "off"]));
    assert!(asked() > 4);
    let campaign = ["campaign", "--op", "Sqrt", "--type", "float16", "--out", "campaign"];
    ends(tool(root, &[&campaign[..], &planting].concat()));
    assert!(asked() > 0);
}
