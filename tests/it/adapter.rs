//! Adapters that misbehave: each of their cases gets its verdict, all others theirs, and nothing is
//! left behind. The adapters are shell scripts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

pub(crate) mod command;
mod hostile;
mod known;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox, SandboxMode, StartError};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::onnx::encode_value;
use onnx_conformance::run::{CaseResult, Options, Profiles, Run, run};
use tempfile::TempDir;

use crate::support::{float32, int32, write_case};

/// The script, with the argument that makes its processes and folder known.
fn misbehaving(folder: &Path) -> Program {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/adapter/misbehaving.sh");
    fs::write(folder.join("other.pb"), encode_value("y", &int32(&[1, 2]))).unwrap();
    Program {
        path: "sh".into(),
        arguments: vec![script.into(), folder.into()],
        folder: None,
        memory_limit: None,
        sandbox: Sandbox::default(),
    }
}

fn shell(script: &str) -> Program {
    Program {
        path: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: None,
        memory_limit: None,
        sandbox: Sandbox::default(),
    }
}

/// A folder with a case of each operator between two of `Identity`.
pub(crate) fn cases(op_types: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0, 2.0])];
    for (k, op_type) in op_types.iter().enumerate() {
        write_case(&folder.path().join(format!("case_{k}a")), "Identity", &values, &values);
        write_case(&folder.path().join(format!("case_{k}b")), op_type, &values, &values);
        write_case(&folder.path().join(format!("case_{k}c")), "Identity", &values, &values);
    }
    folder
}

fn options(jobs: usize, timeout: Duration) -> Options {
    Options {
        profiles: Profiles::all(Profile::named("ieee754").unwrap()),
        selection: Selection::default(),
        catalogue: Some(Arc::new(Catalogue::embedded().unwrap())),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::new(jobs).unwrap(),
        timeout,
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    }
}

fn run_with(program: Program, folder: &Path, options: &Options) -> Run {
    let adapter = Adapter::start(program, options.jobs.get(), Duration::from_secs(60)).unwrap();
    let backend: Arc<dyn Backend> = Arc::new(adapter);
    let corpus = Corpus::open_dir(folder).unwrap();
    run(&[(Suite::Onnx, corpus)], &backend, options, &mut |_| ()).unwrap()
}

/// The result of a case of this operator, where all others have passed.
fn result_of(op_type: &str, timeout: Duration) -> CaseResult {
    result_in(SandboxMode::Off, op_type, timeout)
}

fn result_in(mode: SandboxMode, op_type: &str, timeout: Duration) -> CaseResult {
    let folder = cases(&[op_type]);
    // It writes down there what models it has seen.
    let (denied, writable) = (["/dev/nowhere".into()], [folder.path().to_owned()]);
    let sandbox = Sandbox::new(mode, denied, &[], &writable).unwrap();
    let program = Program { sandbox, ..misbehaving(folder.path()) };
    let run = run_with(program, folder.path(), &options(1, timeout));
    assert_eq!(run.backend.name, "misbehaving");
    assert_eq!(left_behind(folder.path()), Vec::<String>::new(), "{op_type}");
    let (mut asked, others): (Vec<_>, Vec<_>) =
        run.cases.into_iter().partition(|case| case.operator == op_type);
    assert_eq!(others.len(), 2);
    for case in others {
        assert_eq!(case.verdict, Verdict::Pass, "{op_type} spoilt {}: {:?}", case.id, case.message);
    }
    asked.remove(0)
}

/// What the script's processes left behind: folders that models lay in, and command lines. A
/// process that was killed may take a moment to be gone.
fn left_behind(folder: &Path) -> Vec<String> {
    let since = Instant::now();
    loop {
        let left = there_now(folder);
        if left.is_empty() || since.elapsed() > Duration::from_secs(10) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn there_now(folder: &Path) -> Vec<String> {
    let models = fs::read_to_string(folder.join("models")).unwrap();
    let private = models.lines().map(|model| Path::new(model).ancestors().nth(2).unwrap());
    let mut found: Vec<_> =
        private.filter(|path| path.exists()).map(|path| path.display().to_string()).collect();
    let mark = format!("folder={}", folder.display());
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        if String::from_utf8_lossy(&environment).split('\0').any(|variable| variable == mark) {
            found.push(fs::read_to_string(process.path().join("cmdline")).unwrap_or_default());
        }
    }
    found
}

fn verdict_of(op_type: &str) -> (Verdict, String) {
    let result = result_of(op_type, Duration::from_secs(60));
    (result.verdict, result.message.unwrap_or_default())
}

fn fault_of(op_type: &str) -> String {
    let (verdict, message) = verdict_of(op_type);
    assert_eq!(verdict, Verdict::Fault, "{op_type}: {message}");
    message
}

#[test]
fn a_process_that_ends_with_a_status_or_a_signal_has_crashed() {
    let result = result_of("SayAndExit", Duration::from_secs(60));
    assert_eq!(result.verdict, Verdict::Crash);
    assert_eq!(result.message.unwrap(), "the adapter ended with exit status 3");
    assert_eq!(result.stderr, "last words\n");
    assert_eq!(
        verdict_of("Segfault"),
        (Verdict::Crash, "the adapter was terminated by signal 11 (SIGSEGV)".to_owned())
    );
    assert_eq!(
        verdict_of("HalfAndCrash"),
        (Verdict::Crash, "the adapter ended with exit status 1".to_owned())
    );
}

#[test]
fn a_process_that_leaves_quietly_is_at_fault() {
    assert_eq!(fault_of("LeaveQuietly"), "the adapter did not answer and ended");
    assert_eq!(
        fault_of("HalfALine"),
        r#"the adapter did not answer and ended, half a line: "{\"id\":""#
    );
}

#[test]
fn what_is_no_answer_is_a_fault() {
    assert_eq!(
        fault_of("Garbage"),
        r#"the adapter's answer is none of the protocol: "hello, world""#
    );
    assert!(fault_of("OtherId").starts_with("the adapter answered request 999 instead of"));
    assert_eq!(fault_of("Flood"), "the adapter did not answer, a line without an end");
}

#[test]
fn outputs_that_cannot_be_read_are_a_fault() {
    assert_eq!(fault_of("NoOutput"), "the adapter's output_0.pb (output `y0`) was not written");
    let truncated = fault_of("Truncated");
    assert!(truncated.contains("output_0.pb (output `y0`)"), "{truncated}");
    let huge = fault_of("Huge");
    assert!(huge.ends_with("bytes, far more than was expected"), "{huge}");
    for op_type in ["Link", "Pipe"] {
        assert!(fault_of(op_type).ends_with("is no regular file"));
    }
}

#[test]
fn outputs_of_another_type_are_compared_and_fail() {
    let (verdict, message) = verdict_of("OtherType");
    assert_eq!(verdict, Verdict::Fail);
    assert_eq!(message, "output `y0`: expected type float32, got int32");
}

#[test]
fn a_process_that_does_not_answer_in_time_is_killed_with_its_children() {
    // Side by side, as they wait.
    std::thread::scope(|scope| {
        for op_type in ["Hang", "Fork", "Stubborn"] {
            scope.spawn(move || {
                let result = result_of(op_type, Duration::from_secs(3));
                assert_eq!(result.verdict, Verdict::Timeout, "{op_type}");
                assert_eq!(result.message.unwrap(), "no answer within 3 s");
            });
        }
    });
}

#[test]
fn a_process_in_a_sandbox_is_killed_with_its_children_too() {
    for (op_type, verdict) in [("Fork", Verdict::Timeout), ("Segfault", Verdict::Crash)] {
        let result = result_in(SandboxMode::Default, op_type, Duration::from_secs(3));
        assert_eq!(result.verdict, verdict, "{:?}", result.message);
    }
}

#[test]
fn refusals_are_told_apart_and_cut_to_a_length() {
    assert_eq!(verdict_of("Abs"), (Verdict::Unsupported, "no such operator".to_owned()));
    assert_eq!(
        verdict_of("Invalid"),
        (Verdict::Fail, "refused on run (invalid): not a model".to_owned())
    );
    let (_, message) = verdict_of("LongWinded");
    assert!(message.len() < 5000 && message.ends_with(" ... and 95904 more bytes"), "{message}");
}

#[test]
fn the_name_of_the_private_folder_does_not_show() {
    assert_eq!(verdict_of("NameFolder").1, "refused on run (error): no such thing in input_0.pb");
}

#[test]
fn a_line_too_many_is_a_fault_of_the_case_that_was_answered() {
    let folder = cases(&["OneTooMany"]);
    let options = options(1, Duration::from_secs(60));
    let run = run_with(misbehaving(folder.path()), folder.path(), &options);
    let verdicts: Vec<_> = run.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Fault, Verdict::Pass]);
    let message = run.cases[1].message.as_deref();
    assert_eq!(message, Some(r#"the adapter wrote more than its answer: "surplus""#));
}

#[test]
fn a_suite_of_bad_cases_is_complete_whatever_the_jobs() {
    let bad = ["SayAndExit", "Garbage", "Segfault", "NoOutput", "LeaveQuietly", "Abs"];
    let folder = cases(&bad);
    for jobs in [1, 3] {
        let options = options(jobs, Duration::from_secs(60));
        let run = run_with(misbehaving(folder.path()), folder.path(), &options);
        let count = |verdict| run.cases.iter().filter(|case| case.verdict == verdict).count();
        let expected = [
            (Verdict::Pass, 2 * bad.len()),
            (Verdict::Crash, 2),
            (Verdict::Fault, 3),
            (Verdict::Unsupported, 1),
        ];
        for (verdict, cases) in expected {
            assert_eq!(count(verdict), cases, "{verdict}, {jobs} jobs");
        }
    }
}

#[test]
fn killing_processes_loses_no_other_verdict() {
    let folder = cases(&["Identity"; 60]);
    let mut all_kills = 0;
    while all_kills <= 2 {
        let (kills, run) = run_under_fire(folder.path());
        let mut verdicts = BTreeMap::new();
        for case in &run.cases {
            *verdicts.entry(case.verdict).or_insert(0) += 1;
        }
        let crashes = verdicts.remove(&Verdict::Crash).unwrap_or(0);
        assert!(crashes <= kills, "{crashes} crashes of {kills} kills");
        assert_eq!(verdicts, BTreeMap::from([(Verdict::Pass, 180 - crashes)]));
        all_kills += kills;
    }
}

/// A run of the folder's cases while processes are killed, and how many were. On a busy machine
/// these may be few: one is killed only after another case was asked, as a program that is killed again and again
/// before it has introduced itself is given up.
fn run_under_fire(folder: &Path) -> (usize, Run) {
    let done = Arc::new(AtomicBool::new(false));
    let (flag, name) = (Arc::clone(&done), folder.display().to_string());
    let models = folder.join("models");
    let asked = move || fs::metadata(&models).map_or(0, |models| models.len());
    let killer = std::thread::spawn(move || {
        let (mut kills, mut last) = (0, asked());
        while !flag.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(30));
            let now = asked();
            if now > last && kill_one(&name) {
                (kills, last) = (kills + 1, now);
            }
        }
        kills
    });
    let run = run_with(misbehaving(folder), folder, &options(2, Duration::from_secs(60)));
    done.store(true, Ordering::Relaxed);
    (killer.join().unwrap(), run)
}

/// Kills an adapter, known by the folder in its command line. Those that it forks have the same line until they run another
/// program: without one of them it would answer, only wrongly.
fn kill_one(name: &str) -> bool {
    let is_ours = |process: &Path| {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.contains(&format!("\nPPid:\t{}\n", std::process::id()))
    };
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(name)
            && is_ours(&entry.path())
            && let Some(pid) = entry.file_name().to_str().and_then(|pid| pid.parse().ok())
            && let Some(pid) = rustix::process::Pid::from_raw(pid)
        {
            return rustix::process::kill_process(pid, rustix::process::Signal::KILL).is_ok();
        }
    }
    false
}

#[test]
fn a_program_that_is_not_there_is_no_backend() {
    let program = Program { path: "no/such/program".into(), ..shell("") };
    let error = Adapter::start(program, 1, Duration::from_secs(1)).err().unwrap();
    assert!(matches!(error, StartError::Spawn { .. }));
    assert!(error.to_string().contains("no/such/program"));
}

#[test]
fn a_program_that_never_introduces_itself_is_given_up() {
    for (script, verdict, message) in [
        ("exit 7", Verdict::Crash, "exit status 7"),
        ("exit 0", Verdict::Fault, "did not introduce itself and ended"),
        ("echo hello; cat", Verdict::Fault, "hello"),
        ("sleep 98765", Verdict::Fault, "did not introduce itself within 2 s"),
    ] {
        let folder = cases(&["Identity"]);
        let adapter = Adapter::start(shell(script), 2, Duration::from_secs(2)).unwrap();
        assert!(adapter.greeting().is_err());
        let backend: Arc<dyn Backend> = Arc::new(adapter);
        let corpus = Corpus::open_dir(folder.path()).unwrap();
        let options = options(2, Duration::from_secs(60));
        let run = run(&[(Suite::Onnx, corpus)], &backend, &options, &mut |_| ()).unwrap();
        assert_eq!(run.cases.len(), 3);
        for case in run.cases {
            let text = case.message.unwrap();
            assert_eq!(case.verdict, verdict, "{script}: {text}");
            assert!(text.contains(message), "{text}");
        }
    }
}

#[test]
fn the_address_space_can_be_limited() {
    let script = "read -r line; ulimit -v; echo '{}'; cat";
    let program = Program { memory_limit: Some(512 << 20), ..shell(script) };
    let adapter = Adapter::start(program, 1, Duration::from_secs(60)).unwrap();
    let answer = adapter.greeting().unwrap_err();
    // The shell tells the limit in KiB where it should introduce itself.
    assert!(format!("{answer:?}").contains(&format!("{}", 512 << 10)), "{answer:?}");
}
