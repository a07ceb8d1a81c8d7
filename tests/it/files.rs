//! Files that are named on the command line: what is no file is written to or refused, never replaced, and
//! one process at a time writes to a folder.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::{float32, write_case};

fn tool(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    tool(folder, arguments).output().unwrap()
}

#[track_caller]
fn assert_refused(output: &Output, code: i32, said: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(said), "{stderr}");
}

/// A folder with a report.
fn reported() -> TempDir {
    let folder = cases();
    let run = ["run", "--suite", "sonnx", "--filter", "example_1$", "--out", "."];
    assert_eq!(output(folder.path(), &run).status.code(), Some(0));
    folder
}

/// Compares the report with itself, and writes the page to a path.
fn compared(path: &str) -> [&str; 7] {
    ["gate", "--baseline", "report.json", "--report", "report.json", "--markdown", path]
}

/// How the page begins.
const PAGE: &str = "## Conformance: ";

#[test]
fn a_device_is_written_to_and_stays_a_device() {
    let folder = reported();
    // One of our own where the system lets us make it; a link to one else.
    let null = folder.path().join("null");
    let made = Command::new("mknod").arg(&null).args(["c", "1", "3"]).output().unwrap();
    if !made.status.success() {
        symlink("/dev/null", &null).unwrap();
    }
    let before = fs::symlink_metadata(&null).unwrap().file_type();
    let output = output(folder.path(), &compared("null"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::symlink_metadata(&null).unwrap().file_type(), before);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_pipe_is_written_to() {
    let folder = reported();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = tool(folder.path(), &compared("pipe")).stdout(Stdio::null()).spawn().unwrap();
    assert!(fs::read_to_string(&pipe).unwrap().starts_with(PAGE));
    assert!(child.wait().unwrap().success());
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn standard_output_takes_a_file_wherever_it_goes() {
    let folder = reported();
    let printed = output(folder.path(), &compared("page.md")).stdout;
    let page = fs::read(folder.path().join("page.md")).unwrap();
    let both = [page, printed].concat();
    let named = fs::read_link("/dev/stdout").unwrap();
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let piped = output(folder.path(), &compared(path));
        assert_eq!(piped.status.code(), Some(0), "{path}: {piped:?}");
        assert!(piped.stdout == both, "{path}");
        // A file behind it is neither replaced nor written over by what is printed.
        let file = folder.path().join("file");
        let into = fs::File::create(&file).unwrap();
        let mut command = tool(folder.path(), &compared(path));
        assert!(command.stdout(into).status().unwrap().success());
        assert!(fs::read(&file).unwrap() == both, "{path}");
    }
    assert_eq!(fs::read_link("/dev/stdout").unwrap(), named);
}

#[test]
fn folders_and_links_are_refused_and_stay_what_they_were() {
    let folder = reported();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("file"), "old").unwrap();
    symlink("file", at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("folder", at("to_folder")).unwrap();
    for (name, said) in [
        ("folder", "`folder`: a folder has that name"),
        ("link", "`link`: a symbolic link has that name"),
        ("dangling", "`dangling`: a symbolic link has that name"),
        ("to_folder", "`to_folder`: a symbolic link has that name"),
    ] {
        assert_refused(&output(folder.path(), &compared(name)), 5, said);
    }
    assert_eq!(fs::read(at("file")).unwrap(), b"old");
    assert!(!at("nowhere").exists());
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
}

#[test]
fn a_report_that_is_a_link_leaves_all_reports_as_they_were() {
    let folder = cases();
    fs::create_dir(folder.path().join("out")).unwrap();
    symlink("../precious", folder.path().join("out/report.html")).unwrap();
    fs::write(folder.path().join("precious"), "old").unwrap();
    fs::write(folder.path().join("told/go"), "").unwrap();
    let output = output(folder.path(), &RUN);
    assert_refused(&output, 5, "report.html`: a symbolic link has that name");
    assert_eq!(fs::read(folder.path().join("precious")).unwrap(), b"old");
    assert!(!folder.path().join("out/report.json").exists());
}

/// A folder with cases and an adapter that tells when it is asked, and waits for the file `go`.
fn cases() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0, 2.0])];
    write_case(&folder.path().join("cases/case"), "Identity", &values, &values);
    let script = "read -r line\n\
        echo '{\"backend\":{\"name\":\"waiting\",\"version\":\"1\",\"details\":{}}}'\n\
        while read -r line; do\n\
          echo > told/asked\n\
          while ! [ -e told/go ]; do sleep 0.02; done\n\
          id=${line#*\\\"id\\\":}; id=${id%%[!0-9]*}\n\
          echo \"{\\\"id\\\":$id,\\\"refused\\\":{\\\"stage\\\":\\\"run\\\",\\\"kind\\\":\\\"unsupported\\\",\\\"message\\\":\\\"no\\\"}}\"\n\
        done\n";
    fs::write(folder.path().join("waiting.sh"), script).unwrap();
    // Where `--allow-write` lets the adapter write.
    fs::create_dir(folder.path().join("told")).unwrap();
    folder
}

const RUN: [&str; 9] = [
    "run",
    "--corpus",
    "cases",
    "--adapter",
    "sh waiting.sh",
    "--allow-write",
    "told",
    "--out",
    "out",
];
const CAMPAIGN: [&str; 11] = [
    "campaign",
    "--op",
    "Sqrt",
    "--type",
    "float16",
    "--adapter",
    "sh waiting.sh",
    "--allow-write",
    "told",
    "--out",
    "out",
];

/// Starts a command and waits until its adapter is asked.
fn under_way(folder: &Path, arguments: &[&str]) -> Child {
    let mut child =
        tool(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let since = Instant::now();
    while !folder.join("told/asked").exists() {
        assert!(child.try_wait().unwrap().is_none() && since.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_second_process_is_told_at_once_and_the_first_finishes_unharmed() {
    for (command, document) in [(&RUN[..], "report.json"), (&CAMPAIGN, "campaign.json")] {
        let folder = cases();
        let mut first = under_way(folder.path(), command);
        for second in [
            command,
            &["scoreboard", "a", "b", "--out", "out"],
            &["matrix", "--corpus", "cases", "--out", "out"],
            &["merge", "a", "b", "--out", "./out"],
            &["regress", "a", "--out", "out"],
        ] {
            let output = output(folder.path(), second);
            if second[0] == "merge" || second[0] == "regress" {
                // They read what is not there first.
                assert_eq!(output.status.code(), Some(2));
                continue;
            }
            let said = "another process is writing to `out`; wait until it ends, or choose another \
                        folder with --out";
            assert_refused(&output, 2, said);
        }
        // Other folders are nobody's business.
        let mut other = command.to_vec();
        other[command.len() - 1] = "other";
        fs::remove_file(folder.path().join("told/asked")).unwrap();
        let mut beside = under_way(folder.path(), &other);

        fs::write(folder.path().join("told/go"), "").unwrap();
        for child in [&mut first, &mut beside] {
            // Nothing is supported, so nothing was compared.
            let status = child.wait().unwrap();
            let mut stderr = String::new();
            child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            assert_eq!(status.code(), Some(3), "{stderr}");
        }
        for out in ["out", "other"] {
            assert!(folder.path().join(out).join(document).is_file(), "{out}/{document}");
            let lock = folder.path().join(out).join(".onnx-conformance.lock");
            assert!(!lock.exists(), "{}", lock.display());
        }
    }
}

#[test]
fn a_pack_is_locked_from_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join(".pack.onnx-conformance.lock");
    let held = fs::File::create(&lock).unwrap();
    held.lock().unwrap();
    let evidence = ["evidence", "--report", "absent.json", "--out", "pack"];
    assert_refused(&output(folder.path(), &evidence), 2, "another process is writing to `pack`");
    drop(held);
    // The file that is left hinders nobody, and goes.
    assert_refused(&output(folder.path(), &evidence), 2, "absent.json");
    assert!(!lock.exists() && !folder.path().join("pack").exists());
}

#[test]
fn a_lock_that_is_a_link_is_not_followed() {
    let folder = cases();
    fs::create_dir(folder.path().join("out")).unwrap();
    symlink("../precious", folder.path().join("out/.onnx-conformance.lock")).unwrap();
    let output = output(folder.path(), &RUN);
    assert_refused(&output, 5, "failed to write to the folder `out`");
    assert!(!folder.path().join("precious").exists());
}

#[test]
fn a_killed_process_holds_no_folder() {
    let folder = cases();
    let mut first = under_way(folder.path(), &RUN);
    kill_process(Pid::from_child(&first), Signal::KILL).unwrap();
    first.wait().unwrap();
    fs::write(folder.path().join("told/go"), "").unwrap();
    assert_eq!(output(folder.path(), &RUN).status.code(), Some(3));
}

#[test]
fn what_a_killed_process_did_not_finish_goes_with_the_next_that_writes_there() {
    let folder = cases();
    fs::create_dir(folder.path().join("out")).unwrap();
    let [old, new] = [".report-old.tmp", ".report-new.tmp"].map(|name| {
        let path = folder.path().join("out").join(name);
        (fs::File::create(&path).unwrap(), path)
    });
    old.0.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).unwrap();
    fs::write(folder.path().join("told/go"), "").unwrap();
    assert_eq!(output(folder.path(), &RUN).status.code(), Some(3));
    assert!(!old.1.exists() && new.1.exists(), "somebody may be writing the new one");
}
