//! Adapters that do all the harm they can: each has its own verdict, all other verdicts are as without
//! it, nothing is left behind, and nothing elsewhere is changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use onnx_conformance::backend::adapter::{Adapter, Program};
use onnx_conformance::backend::{Answer, Backend, Outcome, Task};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::judge::verdict::Verdict::{self, Crash, Fail, Fault, Pass, Timeout};
use onnx_conformance::run::{Run, run};
use tempfile::TempDir;

use super::{left_behind, options, shell};
use crate::support::{float32, write_case};

/// What an adapter does, the verdict on the case that it does it to, and what the message says. Where two
/// verdicts are there, the adapter and the harness race.
type Kind = (&'static str, &'static [Verdict], &'static str);

/// Those that answer, or end.
const QUICK: &[Kind] = &[
    ("DoRemoveModel", &[Pass], ""),
    ("DoTruncateModel", &[Pass], ""),
    ("DoReplaceModelByLink", &[Pass], ""),
    ("DoRemoveInput", &[Pass], ""),
    ("DoTruncateInput", &[Pass], ""),
    ("DoReplaceInputByFolder", &[Pass], ""),
    ("DoReplaceInputByPipe", &[Pass], ""),
    ("DoReplaceInputByLink", &[Pass], ""),
    ("DoWriteNothing", &[Fault], "output_0.pb (output `y0`) was not written"),
    ("DoWriteHalf", &[Fault], "output_0.pb (output `y0`)"),
    ("DoWriteFolder", &[Fault], "is no regular file"),
    ("DoWritePipe", &[Fault], "is no regular file"),
    ("DoWriteLink", &[Fault], "is no regular file"),
    ("DoWriteLinkToZeros", &[Fault], "is no regular file"),
    ("DoWriteHardLinkToModel", &[Fault], "output_0.pb (output `y0`)"),
    ("DoWriteSparse", &[Fault], "far more than was expected"),
    ("DoGrowWhileRead", &[Fault, Fail, Pass], ""),
    ("DoSwapAfterwards", &[Pass, Fault], ""),
    ("DoPlantPipes", &[Pass], ""),
    ("DoPlantLinks", &[Pass], ""),
    ("DoRemoveFolder", &[Fault], "was not written"),
    ("DoRemoveModelFolder", &[Pass], ""),
    ("DoRemovePrivateFolder", &[Fault], "was not written"),
    ("DoRemovePrivateFolderLater", &[Pass], ""),
    ("DoMoveFolder", &[Fault], "was not written"),
    ("DoMovePrivateFolder", &[Fault], "was not written"),
    ("DoReplaceFolderByLink", &[Fault], "was not written"),
    ("DoReplacePrivateFolderByLink", &[Fault], "was not written"),
    ("DoLockFolder", &[Fault], "output_0.pb (output `y0`)"),
    ("DoLockPrivateFolder", &[Pass], ""),
    ("DoFill", &[Pass], ""),
    ("DoNest", &[Pass], ""),
    ("DoNestLocked", &[Pass], ""),
    ("DoCloseStdin", &[Pass], ""),
    ("DoCloseStdout", &[Fault], "the adapter did not answer"),
    ("DoCloseStdoutAfterwards", &[Pass], ""),
    ("DoCloseStderr", &[Pass], ""),
    ("DoFloodStdout", &[Fault], "a line without an end"),
    ("DoFloodStderr", &[Pass], ""),
    ("DoHalfALine", &[Fault], "half a line"),
    ("DoEmptyLine", &[Fault], "none of the protocol"),
    ("DoZeros", &[Fault], "none of the protocol"),
    ("DoBadUtf8", &[Fault], "none of the protocol"),
    ("DoNestBrackets", &[Fault], "none of the protocol"),
    ("DoAnswerTwice", &[Fault], "wrote more than its answer"),
    ("DoAnswerAndSay", &[Fault], "wrote more than its answer: \"surplus\""),
    ("DoAnswerAhead", &[Fault], "wrote more than its answer"),
    ("DoOtherId", &[Fault], "answered request 999999999 instead of"),
    ("DoNegativeId", &[Fault], "none of the protocol"),
    ("DoHugeId", &[Fault], "none of the protocol"),
    ("DoFractionalId", &[Fault], "none of the protocol"),
    ("DoTextId", &[Fault], "none of the protocol"),
    ("DoTwoIds", &[Fault], "none of the protocol"),
    ("DoTwoOks", &[Fault], "none of the protocol"),
    ("DoTrail", &[Fault], "none of the protocol"),
    ("DoAddMember", &[Fault], "none of the protocol"),
    ("DoAnswerHello", &[Fault], "none of the protocol"),
    ("DoTalk", &[Fail], "000 ... and 95904 more bytes"),
    ("DoExit", &[Fault], "did not answer and ended"),
    ("DoExitAfterwards", &[Pass], ""),
    ("DoFailAfterwards", &[Pass], ""),
    ("DoFailLater", &[Pass], ""),
    ("DoLeaveDaemonAndFail", &[Crash], "ended with exit status 3"),
    ("DoLeaveDaemonAndExit", &[Fault], "did not answer and ended"),
    ("DoLeaveDaemon", &[Pass], ""),
    ("DoAnswerWithDaemonAndExit", &[Pass], ""),
    ("DoFork", &[Pass], ""),
    ("DoKillGroup", &[Crash], "signal 9 (SIGKILL)"),
    ("DoSignalILL", &[Crash], "signal 4 (SIGILL)"),
    ("DoSignalABRT", &[Crash], "signal 6 (SIGABRT)"),
    ("DoSignalFPE", &[Crash], "signal 8 (SIGFPE)"),
    ("DoSignalKILL", &[Crash], "signal 9 (SIGKILL)"),
    ("DoSignalUSR1", &[Crash], "signal 10"),
    ("DoSignalSEGV", &[Crash], "signal 11 (SIGSEGV)"),
    ("DoSignalPIPE", &[Crash], "signal 13 (SIGPIPE)"),
    ("DoSignalALRM", &[Crash], "signal 14"),
    ("DoSignalTERM", &[Crash], "signal 15 (SIGTERM)"),
    ("DoRenice", &[Pass], ""),
];

/// Those that never answer.
const SILENT: &[Kind] = &[
    ("DoHang", &[Timeout], "no answer within 5 s"),
    ("DoHangWithHalfALine", &[Timeout], "no answer within 5 s"),
    ("DoHangWithDaemon", &[Timeout], "no answer within 5 s"),
    ("DoHangWithChildren", &[Timeout], "no answer within 5 s"),
    ("DoHangDeafToSignals", &[Timeout], "no answer within 5 s"),
    ("DoReadForEver", &[Timeout], "no answer within 5 s"),
    ("DoStop", &[Timeout], "no answer within 5 s"),
    ("DoJoinOtherGroup", &[Timeout], "no answer within 5 s"),
];

/// The script, for a folder that holds its cases.
fn hostile(folder: &Path) -> Program {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/adapter/hostile.sh");
    Program { arguments: vec![script.into(), folder.into()], ..shell("") }
}

/// Two cases in a row of each kind, between cases of `Identity`, which pass.
fn cases(kinds: &[Kind]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0, 2.0])];
    for (k, (op_type, ..)) in kinds.iter().enumerate() {
        for (place, op_type) in ["Identity", op_type, op_type, "Identity"].iter().enumerate() {
            let case = format!("cases/{k:03}_{place}");
            write_case(&folder.path().join(case), op_type, &values, &values);
        }
    }
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    fs::write(folder.path().join("elsewhere/file"), "kept").unwrap();
    folder
}

fn run_with(adapter: Adapter, folder: &Path, jobs: usize, timeout: Duration) -> Run {
    let backend: Arc<dyn Backend> = Arc::new(adapter);
    let corpus = Corpus::open_dir(&folder.join("cases")).unwrap();
    run(&[(Suite::Onnx, corpus)], &backend, &options(jobs, timeout), &mut |_| ()).unwrap()
}

/// Runs the cases of these kinds and looks at all verdicts, and at what is left.
fn each_costs_itself_alone(kinds: &[Kind], jobs: usize, timeout: Duration) {
    let folder = cases(kinds);
    let root = folder.path();
    let adapter = Adapter::start(hostile(root), jobs, Duration::from_secs(60)).unwrap();
    let run = run_with(adapter, root, jobs, timeout);
    let kinds: BTreeMap<_, _> =
        kinds.iter().map(|(kind, verdicts, says)| (*kind, (*verdicts, *says))).collect();
    let mut wrong = Vec::new();
    assert_eq!(run.cases.len(), 4 * kinds.len());
    for case in &run.cases {
        let (verdicts, says) = kinds.get(&*case.operator).unwrap_or(&(&[Pass], ""));
        let message = case.message.as_deref().unwrap_or("");
        if !verdicts.contains(&case.verdict) || !message.contains(says) {
            wrong.push(format!("{} {}: {} {message}", case.id, case.operator, case.verdict));
        }
    }
    assert!(wrong.is_empty(), "{jobs} jobs:\n{}", wrong.join("\n"));
    assert_eq!(left_behind(root), Vec::<String>::new(), "{jobs} jobs");
    let elsewhere: Vec<_> = fs::read_dir(root.join("elsewhere")).unwrap().collect();
    assert_eq!(elsewhere.len(), 1, "{elsewhere:?}");
    assert_eq!(fs::read(root.join("elsewhere/file")).unwrap(), b"kept");
}

#[test]
fn a_case_of_a_hostile_adapter_costs_itself_and_no_other() {
    assert!(QUICK.len() + SILENT.len() >= 40);
    each_costs_itself_alone(QUICK, 1, Duration::from_secs(60));
}

#[test]
fn a_case_of_a_hostile_adapter_costs_no_other_beside_it_either() {
    each_costs_itself_alone(QUICK, 2, Duration::from_secs(60));
}

#[test]
fn a_case_of_a_silent_adapter_ends_in_time_and_costs_no_other() {
    std::thread::scope(|scope| {
        for kind in SILENT {
            for jobs in [1, 2] {
                scope.spawn(move || {
                    each_costs_itself_alone(&[*kind], jobs, Duration::from_secs(5));
                });
            }
        }
    });
}

/// An adapter that introduces itself by the lines in the script.
fn greeting_of(script: &str) -> Result<String, String> {
    let adapter = Adapter::start(shell(script), 1, Duration::from_secs(20)).unwrap();
    match adapter.greeting() {
        Ok(identity) => Ok(identity.name.clone()),
        Err(Answer { outcome: Outcome::Fault { message }, .. }) => Err(message.clone()),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn an_introduction_against_the_grammar_is_refused_with_the_rule() {
    let said = |name: &str, version: &str, details: &str| {
        let line = format!(
            r#"{{"backend":{{"name":"{name}","version":"{version}","details":{{{details}}}}}}}"#
        );
        greeting_of(&format!("read -r line; printf '%s\\n' '{line}'; cat"))
    };
    assert_eq!(said("mine", "1", r#""threads":"1""#), Ok("mine".to_owned()));
    let long = "n".repeat(65);
    let many: Vec<_> = (0..65).map(|k| format!(r#""{k}":"""#)).collect();
    for (name, version, details, rule) in [
        ("builtin", "1", "", "the name of this program's own kernels"),
        ("Built-In", "1", "", "the name of this program's own kernels"),
        ("", "1", "", "its name is empty"),
        (&long, "1", "", "its name has 65 bytes; at most 64 are allowed"),
        (" mine", "1", "", "its name begins or ends with a blank"),
        (r"mi\u001b[2Jne", "1", "", "its name has the character U+001B"),
        (r"\u0435", "1", "", "its name has the character U+0435, and only printable ASCII"),
        ("::warning", "1", "", "its name has `::`"),
        ("mine", "", "", "its version is empty"),
        ("mine", r"1\n2", "", "its version has the character U+000A"),
        ("mine", "1", r#""":"x""#, "its detail's name is empty"),
        ("mine", "1", r#""a":"b\u202ec""#, "its detail has the character U+202E"),
        ("mine", "1", &many.join(","), "it has 65 details; at most 64 are allowed"),
    ] {
        let refused = said(name, version, details).unwrap_err();
        assert!(refused.contains(rule), "{refused}");
    }
    for script in [
        r#"echo '{"backend":{"name":"a","name":"b","version":"1"}}'; cat"#,
        r#"echo '{"backend":{"name":"a","version":"1","score":"1"}}'; cat"#,
        r#"printf '{"backend":'; exit 0"#,
        "setsid sleep 98765 & sleep 0.1; exit 0",
    ] {
        assert!(greeting_of(script).unwrap_err().contains("did not introduce itself"), "{script}");
    }
    let unknown = format!(r#"echo '{{"{}":1}}'; cat"#, "x".repeat(100_000));
    let refused = greeting_of(&unknown).unwrap_err();
    assert!(refused.len() < 10_000 && refused.contains("more bytes"), "{}", refused.len());
}

/// An adapter that introduces itself by `$name`, which the script in front sets.
fn named(before: &str) -> Program {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/adapter/hostile.sh");
    let script = fs::read_to_string(script).unwrap();
    let script = script.replace(r#""version":"1""#, r#""version":"'"$version"'""#);
    shell(&format!("{before}\n{}", script.replace("folder=$1", "")))
}

#[test]
fn a_process_with_another_identity_than_the_first_is_a_fault_that_shows_both() {
    let folder = cases(&[("DoExit", &[Fault], "")]);
    let root = folder.path();
    let version = format!(
        "folder='{0}'; version=1; [ -e '{0}/started' ] && version=2; : >'{0}/started'",
        root.display()
    );
    let adapter = Adapter::start(named(&version), 1, Duration::from_secs(60)).unwrap();
    let run = run_with(adapter, root, 1, Duration::from_secs(60));
    assert_eq!((run.backend.name.as_str(), run.backend.version.as_str()), ("hostile", "1"));
    let verdicts: Vec<_> = run.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Pass, Fault, Fault, Fault]);
    for case in &run.cases[2..] {
        assert_eq!(
            case.message.as_deref(),
            Some("the adapter introduced itself as `hostile 1` first, and now as `hostile 2`")
        );
    }
}

/// Runs a case of `Identity`, and tells how and where its model lay.
fn where_the_model_lay(roots: &[&Path], folder: &Path, output_limit: u64) -> (Answer, PathBuf) {
    let roots = roots.iter().map(|root| root.to_path_buf()).collect();
    let start_time = Duration::from_secs(60);
    let adapter = Adapter::start_in(roots, hostile(folder), 1, start_time).unwrap();
    let corpus = Corpus::open_dir(&folder.join("cases")).unwrap();
    let case = &corpus.cases()[0];
    let case = Case::decode("case", case.load().unwrap().files()).unwrap();
    let answer = adapter.run(&Task {
        model: &case.model,
        file: &case.file,
        inputs: &case.data_sets[0].inputs,
        suite: Suite::Onnx,
        time: Duration::from_secs(60),
        output_limit,
    });
    let models = fs::read_to_string(folder.join("models")).unwrap();
    (answer, models.lines().next_back().unwrap().into())
}

#[test]
fn a_folder_without_room_is_passed_over_and_so_is_one_that_is_not_there() {
    let (first, last) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = cases(&[("DoNothing", &[Fail], "")]);
    let nowhere = first.path().join("nowhere");
    for (roots, output_limit, taken) in [
        ([first.path(), last.path()], 1 << 20, first.path()),
        ([&nowhere, last.path()], 1 << 20, last.path()),
        // There is no room for outputs that large: the last folder is tried all the same.
        ([first.path(), last.path()], u64::MAX, last.path()),
    ] {
        let (answer, model) = where_the_model_lay(&roots, folder.path(), output_limit);
        assert!(matches!(answer.outcome, Outcome::Outputs(_)), "{answer:?}");
        assert!(model.starts_with(taken.canonicalize().unwrap()), "{}", model.display());
        for root in [&first, &last] {
            assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_full_file_system_costs_no_verdict() {
    let (full, spare) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mount = ["-t", "tmpfs", "-o", "size=64k", "tmpfs"];
    let mounted = Command::new("mount").args(mount).arg(full.path()).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        return; // Only root may mount one; the test above does without.
    }
    fs::write(full.path().join("file"), vec![1; 60 << 10]).unwrap();
    let folder = cases(&[("DoNothing", &[Fail], "")]);
    let (answer, model) = where_the_model_lay(&[full.path(), spare.path()], folder.path(), 1 << 20);
    Command::new("umount").arg(full.path()).status().unwrap();
    assert!(matches!(answer.outcome, Outcome::Outputs(_)), "{answer:?}");
    assert!(model.starts_with(spare.path().canonicalize().unwrap()), "{}", model.display());
}

#[test]
fn a_folder_that_is_gone_for_good_is_a_fault_that_names_it_and_the_remedy() {
    let folder = cases(&[("DoNothing", &[Fail], "")]);
    let root = tempfile::tempdir().unwrap();
    let adapter = Adapter::start_in(
        vec![root.path().into()],
        hostile(folder.path()),
        1,
        Duration::from_secs(60),
    )
    .unwrap();
    fs::remove_dir_all(root.path()).unwrap();
    let run = run_with(adapter, folder.path(), 1, Duration::from_secs(60));
    for case in run.cases {
        assert_eq!(case.verdict, Fault);
        let message = case.message.unwrap();
        assert!(message.contains(&root.path().display().to_string()), "{message}");
        assert!(message.contains("make room there, or set TMPDIR to another"), "{message}");
    }
}

#[test]
fn a_large_request_to_an_adapter_that_does_not_read_ends_in_time() {
    let folder = cases(&[("DoNothing", &[Fail], "")]);
    let mute = shell(r#"echo '{"backend":{"name":"mute","version":"1"}}'; exec sleep 98765"#);
    let adapter = Adapter::start(mute, 1, Duration::from_secs(60)).unwrap();
    let corpus = Corpus::open_dir(&folder.path().join("cases")).unwrap();
    let case = &corpus.cases()[0];
    let case = Case::decode("case", case.load().unwrap().files()).unwrap();
    // The names of that many inputs are more than a pipe holds.
    let inputs = vec![case.data_sets[0].inputs[0].clone(); 3000];
    let since = Instant::now();
    let answer = adapter.run(&Task {
        model: &case.model,
        file: &case.file,
        inputs: &inputs,
        suite: Suite::Onnx,
        time: Duration::from_secs(2),
        output_limit: 1 << 20,
    });
    assert_eq!(answer.outcome, Outcome::TimedOut(Duration::from_secs(2)));
    assert!(since.elapsed() < Duration::from_secs(30));
}
