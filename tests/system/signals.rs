//! Signals: the first ends any command in any phase, with nothing left behind.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::{float32, write_case};

const SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT];

/// What is more than enough on a busy machine. A signal that is not heeded takes a minute.
const PATIENCE: Duration = Duration::from_secs(10);

/// An adapter that tells in which phase it is by a file, and there stays for a minute, whatever it is told; a
/// child of it does, too.
const ADAPTER: &str = r#"
trap "" HUP INT QUIT TERM
stay() { sleep 60 & (set -C; echo $$ > "$1/$2") 2> /dev/null; while :; do sleep 60; done; }
if [ "$2" = starting ]; then stay "$1" starting; fi
read -r line
echo '{"backend":{"name":"staying","version":"1","details":{}}}'
read -r line
stay "$1" asked
"#;

/// A folder of one's own for a test: cases, the adapter, and where temporary files go.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let values = [float32(&[1.0, 2.0])];
        for case in 0..3 {
            let case = folder.path().join(format!("cases/case_{case}"));
            write_case(&case, "Identity", &values, &values);
        }
        fs::write(folder.path().join("adapter.sh"), ADAPTER).unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        // Where `--allow-write` lets the adapter write.
        fs::create_dir(folder.path().join("phases")).unwrap();
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The command line of the adapter that stays in a phase.
    fn adapter(&self, phase: &str) -> String {
        let folder = self.path().display();
        format!("sh {folder}/adapter.sh {folder}/phases {phase}")
    }

    /// The tool, which hears every signal even if whoever started the tests does not.
    fn tool(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("env");
        command
            .args(["--default-signal=HUP,INT,QUIT,TERM", env!("CARGO_BIN_EXE_onnx-conformance")]);
        command.args(arguments).current_dir(self.path()).env("NO_COLOR", "1");
        command.env("TMPDIR", self.path().join("tmp"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Waits until the adapter is in a phase.
    #[track_caller]
    fn reach(&self, phase: &str, child: &mut Child) {
        wait_until(|| {
            let ended = child.try_wait().unwrap();
            assert_eq!(ended, None, "the tool is to be in the phase `{phase}`");
            !self.read(phase).is_empty()
        });
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join("phases").join(file))
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    /// The processes that were started in this folder and live, and what lies where temporary files go.
    fn left(&self) -> Vec<String> {
        let mark = self.path().display().to_string();
        let is_ours = |process: &Path| {
            let of = |file| fs::read(process.join(file)).unwrap_or_default();
            let own = Path::new("/proc").join(std::process::id().to_string());
            process != own
                && [of("cmdline"), of("environ")]
                    .iter()
                    .any(|text| String::from_utf8_lossy(text).contains(&mark))
        };
        let processes = entries("/proc").into_iter().filter(|process| is_ours(process));
        let folders = entries(self.path().join("tmp"));
        processes.chain(folders).map(|path| path.display().to_string()).collect()
    }

    /// The private folder whose mark the adapter carries.
    fn private_folder(&self, phase: &str) -> PathBuf {
        let environment = Path::new("/proc").join(self.read(phase)).join("environ");
        let environment = fs::read_to_string(environment).unwrap();
        let mark =
            |variable: &str| variable.strip_prefix("ONNX_CONFORMANCE_FOLDER=").map(Into::into);
        environment.split('\0').find_map(mark).unwrap()
    }

    #[track_caller]
    fn assert_nothing_is_left(&self) {
        let since = Instant::now();
        while !self.left().is_empty() && since.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(self.left(), Vec::<String>::new());
    }
}

fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[track_caller]
fn wait_until(mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(60), "waited in vain");
        thread::sleep(Duration::from_millis(10));
    }
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Sends a signal and waits for the end, which has to come soon.
#[track_caller]
fn ended(child: &mut Child, signal: Signal) -> ExitStatus {
    send(child, signal);
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            eprintln!("{signal:?} took {:?}", since.elapsed());
            return status;
        }
        assert!(since.elapsed() < PATIENCE, "{signal:?} was not heeded");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Each of these commands, in a phase of the adapter, ends at each signal.
#[track_caller]
fn assert_each_signal_ends(phase: &str, command: &[&str]) {
    for signal in SIGNALS {
        let place = Place::new();
        let adapter = place.adapter(phase);
        let arguments = [command, &["--allow-write", "phases", "--adapter", &adapter]].concat();
        let arguments = if command[0] == "adapter-check" {
            vec!["adapter-check", "--allow-write", "phases", &adapter]
        } else {
            arguments
        };
        let mut child = place.tool(&arguments).spawn().unwrap();
        place.reach(phase, &mut child);
        let folder = place.private_folder(phase);
        assert!(folder.is_dir());
        let status = ended(&mut child, signal);
        assert_eq!(status.code(), Some(130), "{arguments:?} at {signal:?}");
        place.assert_nothing_is_left();
        assert!(!folder.exists());
        for file in ["out/report.json", "out/campaign.json", "out/.onnx-conformance.lock"] {
            assert!(!place.path().join(file).exists(), "{file}");
        }
    }
}

const RUN: [&str; 5] = ["run", "--corpus", "cases", "--out", "out"];
const MATRIX: [&str; 5] = ["matrix", "--corpus", "cases", "--out", "out"];
const CAMPAIGN: [&str; 7] = ["campaign", "--op", "Sqrt", "--type", "float16", "--out", "out"];
const EXPLAIN: [&str; 4] = ["explain", "cases/case_1", "--corpus", "cases"];

#[test]
fn a_signal_ends_a_run_while_its_adapter_starts() {
    assert_each_signal_ends("starting", &RUN);
}

#[test]
fn a_signal_ends_a_run_while_a_case_is_asked() {
    assert_each_signal_ends("asked", &RUN);
}

#[test]
fn a_signal_ends_a_campaign_while_its_adapter_starts() {
    assert_each_signal_ends("starting", &CAMPAIGN);
}

#[test]
fn a_signal_ends_a_campaign_while_a_batch_is_asked() {
    assert_each_signal_ends("asked", &CAMPAIGN);
}

#[test]
fn a_signal_ends_an_explanation() {
    assert_each_signal_ends("starting", &EXPLAIN);
    assert_each_signal_ends("asked", &EXPLAIN);
}

#[test]
fn a_signal_ends_a_matrix() {
    assert_each_signal_ends("asked", &MATRIX);
}

#[test]
fn a_signal_ends_a_check_of_an_adapter() {
    assert_each_signal_ends("starting", &["adapter-check"]);
    assert_each_signal_ends("asked", &["adapter-check"]);
}

#[test]
fn a_signal_ends_a_run_of_the_builtin_backend_and_leaves_no_folder() {
    for signal in SIGNALS {
        let place = Place::new();
        let out = place.path().join("new/out");
        // So many cases that the signal comes before the last.
        let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites/onnx");
        let arguments = ["run", "--jobs", "1", "--corpus", suites.to_str().unwrap(), "--out"];
        let mut child = place.tool(&arguments).arg(&out).spawn().unwrap();
        wait_until(|| out.join(".onnx-conformance.lock").exists());
        assert_eq!(ended(&mut child, signal).code(), Some(130), "{signal:?}");
        assert_eq!(entries(place.path().join("new")), Vec::<PathBuf>::new());
        place.assert_nothing_is_left();
    }
}

#[test]
fn a_signal_ends_what_waits_for_a_file() {
    // Whatever reads a pipe that nobody writes to, or writes to one that nobody reads, waits.
    for arguments in [
        &["verify", "pack"][..],
        &["evidence", "--report", "pipe", "--out", "pack"],
        &["scoreboard", "pipe", "pipe", "--out", "out"],
        &["site", "pipe", "--out", "out"],
        &["gate", "--baseline", "pipe", "--report", "pipe"],
        &["merge", "pipe", "--out", "out"],
    ] {
        let place = Place::new();
        let made = Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap();
        assert!(made.success());
        let pack = place.path().join("pack");
        if arguments[0] == "verify" {
            fs::create_dir(&pack).unwrap();
            let made = Command::new("mkfifo").arg(pack.join("manifest.json")).status().unwrap();
            assert!(made.success());
        }
        let mut child = place.tool(arguments).spawn().unwrap();
        thread::sleep(Duration::from_millis(300));
        if child.try_wait().unwrap().is_some() {
            // It refuses pipes, which is no waiting either.
            continue;
        }
        assert_eq!(ended(&mut child, Signal::TERM).code(), Some(130), "{arguments:?}");
        assert!(!place.path().join("out").exists() && !place.path().join("pack/x").exists());
        place.assert_nothing_is_left();
    }
}

#[test]
fn a_signal_ends_a_campaign_with_a_checkpoint() {
    let place = Place::new();
    let campaign = ["campaign", "--op", "Div", "--type", "float16", "--jobs", "1", "--out", "out"];
    let mut child = place.tool(&campaign).spawn().unwrap();
    let checkpoint = place.path().join("out/campaign.partial.json");
    wait_until(|| checkpoint.exists());
    assert_eq!(ended(&mut child, Signal::TERM).code(), Some(130));
    assert_eq!(entries(place.path().join("out")), [checkpoint]);
}

#[test]
fn a_signal_leaves_no_half_of_a_pack() {
    let place = Place::new();
    let run = ["run", "--suite", "sonnx", "--out", "reports"];
    assert!(place.tool(&run).status().unwrap().success());
    let evidence = ["evidence", "--report", "reports/report.json", "--out", "packs/pack"];
    let packs = place.path().join("packs");
    let is_staged = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".evidence-"))
    };
    for _ in 0..3 {
        let mut child = place.tool(&evidence).spawn().unwrap();
        wait_until(|| entries(&packs).iter().any(is_staged) || child.try_wait().unwrap().is_some());
        let status = ended(&mut child, Signal::TERM);
        assert!(matches!(status.code(), Some(0 | 130)), "{status}");
        let left = entries(&packs);
        assert!(left.is_empty() || left == [packs.join("pack")], "{left:?}");
        if !left.is_empty() {
            let verify = place.tool(&["verify", "packs/pack"]).status().unwrap();
            assert!(verify.success(), "a pack is whole or is not there");
            fs::remove_dir_all(&packs).unwrap();
        }
    }
}

#[test]
fn a_signal_ends_a_fetch_from_a_server_that_says_nothing() {
    let place = Place::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/archive.tar.gz", server.local_addr().unwrap());
    for signal in SIGNALS {
        let home = place.path().join("home");
        let mut fetch = place.tool(&["fetch", "--release", "1.1.2", "--url", &url]);
        let mut child = fetch.env("ONNX_CONFORMANCE_HOME", &home).spawn().unwrap();
        let _connection = server.accept().unwrap();
        let staged = |path: &PathBuf| path.to_string_lossy().contains('~');
        assert!(entries(home.join("corpora")).iter().any(staged), "there is something to remove");
        assert_eq!(ended(&mut child, signal).code(), Some(130));
        assert!(!entries(home.join("corpora")).iter().any(staged));
    }
}

#[test]
fn a_signal_ends_the_python_of_a_fetch() {
    let place = Place::new();
    let python = place.path().join("python.sh");
    let script = format!(
        "#!/bin/sh\ntrap '' HUP INT QUIT TERM\nsleep 60 &\necho $$ > {}/phases/asked\nwait\nsleep 60\n",
        place.path().display()
    );
    fs::write(&python, script).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let home = place.path().join("home");
    let mut fetch = place.tool(&["fetch", "--release", "1.23.2", "--python"]);
    let mut child = fetch.arg(&python).env("ONNX_CONFORMANCE_HOME", &home).spawn().unwrap();
    place.reach("asked", &mut child);
    assert_eq!(ended(&mut child, Signal::TERM).code(), Some(130));
    place.assert_nothing_is_left();
    let left = entries(home.join("corpora"));
    assert!(left.iter().all(|path| !path.to_string_lossy().contains('~')), "{left:?}");
}

#[test]
fn a_second_signal_ends_a_command_at_once() {
    let place = Place::new();
    let adapter = place.adapter("asked");
    let mut child = place
        .tool(&[&RUN[..], &["--allow-write", "phases", "--adapter", &adapter]].concat())
        .spawn()
        .unwrap();
    place.reach("asked", &mut child);
    send(&child, Signal::INT);
    assert_eq!(ended(&mut child, Signal::TERM).code(), Some(130));
    place.assert_nothing_is_left();
}

#[test]
fn who_wants_the_hangup_to_be_ignored_has_it_ignored() {
    let place = Place::new();
    let adapter = place.adapter("asked");
    let tool =
        place.tool(&[&RUN[..], &["--allow-write", "phases", "--adapter", &adapter]].concat());
    let mut nohup = Command::new("env");
    nohup.args(["--ignore-signal=HUP", "env", "--default-signal=INT,QUIT,TERM"]);
    nohup.args(tool.get_args().skip(1)).current_dir(place.path());
    let mut child = nohup.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    place.reach("asked", &mut child);
    send(&child, Signal::HUP);
    thread::sleep(Duration::from_secs(1));
    assert_eq!(child.try_wait().unwrap(), None);
    assert_eq!(ended(&mut child, Signal::TERM).code(), Some(130));
}

#[test]
fn what_a_killed_tool_leaves_behind_goes_when_the_next_one_starts() {
    let place = Place::new();
    let adapter = place.adapter("asked");
    let mut child = place
        .tool(&[&RUN[..], &["--allow-write", "phases", "--adapter", &adapter]].concat())
        .spawn()
        .unwrap();
    place.reach("asked", &mut child);
    let folder = place.private_folder("asked");
    assert!(folder.is_dir());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.path().join("out/.onnx-conformance.lock").exists());

    let adapter = "sh -c 'exit 1'";
    let next = place.tool(&[&RUN[..], &["--adapter", adapter]].concat()).status().unwrap();
    assert_eq!(next.code(), Some(5), "a lock file that is left behind hinders nobody");
    place.assert_nothing_is_left();
    assert!(!folder.exists());
    assert!(!place.path().join("out/.onnx-conformance.lock").exists());
}

#[test]
fn only_private_folders_of_the_dead_are_swept() {
    let place = Place::new();
    let tmp = place.path().join("tmp");
    let folder = |name: &str, mode: u32, lock: bool| {
        let path = tmp.join(name);
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        fs::write(path.join("file"), "").unwrap();
        let lock = lock.then(|| fs::File::create(path.join("owner.lock")).unwrap());
        (path, lock)
    };
    let (dead, _) = folder("onnx-conformance-dead", 0o700, true);
    let (shared, _) = folder("onnx-conformance-shared", 0o755, true);
    let (unmarked, _) = folder("onnx-conformance-unmarked", 0o700, false);
    let (other, _) = folder("other", 0o700, true);
    let (living, owner) = folder("onnx-conformance-living", 0o700, true);
    owner.as_ref().unwrap().lock().unwrap();
    let link = tmp.join("onnx-conformance-link");
    std::os::unix::fs::symlink(&other, &link).unwrap();
    // A lock that is a link leads to no file of ours.
    let (tricky, _) = folder("onnx-conformance-tricky", 0o700, false);
    std::os::unix::fs::symlink(other.join("owner.lock"), tricky.join("owner.lock")).unwrap();

    let status = place.tool(&["list", "--corpus", "cases"]).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(!dead.exists());
    for kept in [shared, unmarked, other.join("file"), living, link, tricky] {
        assert!(fs::symlink_metadata(&kept).is_ok(), "{}", kept.display());
    }
}
