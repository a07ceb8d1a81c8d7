//! The tool as `cargo install` leaves it: outside a checkout, with a home folder of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{Corpus, HOME_VARIABLE, Home};
use tempfile::TempDir;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// The smallest corpus that is fetched for the tests.
const RELEASE: &str = "1.1.2";

/// A user who has the tool and nothing else: an empty home, and an empty folder to work in.
struct User(TempDir);

impl User {
    fn new() -> Self {
        let user = Self(tempfile::tempdir().unwrap());
        fs::create_dir(user.work()).unwrap();
        fs::create_dir(user.0.path().join("home")).unwrap();
        let no_checkout = user.work().ancestors().all(|folder| !folder.join("testdata").exists());
        assert!(no_checkout, "the folder for temporary files is in a checkout");
        user
    }

    fn work(&self) -> PathBuf {
        self.0.path().join("work")
    }

    /// Where the convention of XDG has the user's caches.
    fn cache(&self) -> PathBuf {
        self.0.path().join("cache/onnx-conformance")
    }

    fn tool(&self, arguments: &[&str]) -> Command {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
        tool.args(arguments).current_dir(self.work()).env("NO_COLOR", "1");
        tool.env("HOME", self.0.path().join("home")).env_remove(HOME_VARIABLE);
        tool.env("XDG_CACHE_HOME", self.0.path().join("cache"));
        for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"] {
            tool.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        tool
    }

    /// What the tool prints when it succeeds.
    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.tool(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the tool complains of when it ends with this exit code.
    fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.tool(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        stderr(&output)
    }

    /// Fetches [`RELEASE`] from an archive.
    fn fetch(&self) {
        self.succeeds(&["fetch", "--release", RELEASE, "--archive", archive()]);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An archive of [`RELEASE`], exported in the checkout, as it would be brought along.
fn archive() -> &'static str {
    static ARCHIVE: OnceLock<(TempDir, String)> = OnceLock::new();
    let (_, path) = ARCHIVE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let corpus = committed().corpus(&format!("onnx-{RELEASE}"));
        let corpus = corpus.expect("the corpus is missing; run `cargo xtask fetch`");
        let exported = onnx_conformance::corpus::export::export(&corpus, folder.path()).unwrap();
        let path = exported.archive.to_str().unwrap().to_owned();
        (folder, path)
    });
    path
}

fn committed() -> Home {
    Home::at(Path::new(REPOSITORY).join("testdata"))
}

/// Names and digests of the cases.
fn content(corpus: &Corpus) -> Vec<(String, String)> {
    let digest = |dir: &onnx_conformance::corpus::CaseDir| dir.load().unwrap().digest().to_string();
    corpus.cases().iter().map(|dir| (dir.name().to_owned(), digest(dir))).collect()
}

#[test]
fn what_the_tool_carries_is_what_is_committed() {
    let (outside, committed) = (Home::outside("/nonexistent"), committed());
    for suite in Suite::ALL {
        let (carried, there) = (outside.suite(suite).unwrap(), committed.suite(suite).unwrap());
        assert_eq!(carried.name(), there.name());
        assert!(!carried.cases().is_empty());
        assert_eq!(content(&carried), content(&there), "{suite}");
    }
    let locks = committed.locks().unwrap();
    assert!(locks.len() >= 4, "{locks:?}");
    assert_eq!(outside.locks().unwrap(), locks);
    for name in locks {
        let cases = |home: &Home| home.lock(&name).unwrap().cases;
        assert_eq!(cases(&outside), cases(&committed));
    }
    // Known failures are those of backends that are set up by name, in a checkout alone.
    for backend in ["openvino", "onnxruntime", "onnx-reference", "numpy"] {
        assert!(committed.expectations(backend).unwrap().1.unwrap().contains("[[known]]"));
        assert!(outside.expectations(backend).is_none(), "{backend}");
    }
    for none in ["none", "../locks/onnx-1.22.0"] {
        assert!(committed.expectations(none).is_none(), "{none}");
    }
}

#[test]
fn the_own_suites_run_anywhere_and_give_the_report_of_a_checkout() {
    let user = User::new();
    let run = ["run", "--suite", "sonnx", "--suite", "openvino", "--out"];
    user.succeeds(&[&run[..], &["out"]].concat());
    let there = user.work().join("there");
    let in_checkout = user
        .tool(&[&run[..], &[there.to_str().unwrap()]].concat())
        .current_dir(REPOSITORY)
        .output();
    assert_eq!(in_checkout.unwrap().status.code(), Some(0));
    let report = |folder: &str| {
        let text = fs::read(user.work().join(folder).join("report.json")).unwrap();
        let mut report: serde_json::Value = serde_json::from_slice(&text).unwrap();
        report.as_object_mut().unwrap().remove("provenance").unwrap();
        report
    };
    assert!(report("out") == report("there"));
    assert!(!user.cache().exists(), "nothing was fetched, and nothing is left behind");
}

/// `spec-check` does, too: its tests ask it in an empty folder.
#[test]
fn every_command_that_needs_no_corpus_works() {
    let user = User::new();
    let explained = user.succeeds(&["explain", "sonnx/sqrt/float32/example_1"]);
    assert!(explained.contains("verifies"), "{explained}");
    assert!(user.succeeds(&["matrix", "--suite", "sonnx"]).contains("P_SQRT_FLOAT_FUNC_0050"));
    assert!(user.succeeds(&["list", "--suite", "openvino"]).starts_with("openvino/divide_1/"));
    user.succeeds(&["campaign", "--op", "Sqrt", "--type", "float16"]);
    user.succeeds(&["run", "--suite", "sonnx", "--filter", "sqrt"]);
    let report = "reports/latest/report.json";
    user.succeeds(&["gate", "--baseline", report, "--report", report]);
    user.succeeds(&["scoreboard", report]);
    assert!(!user.work().join("testdata").exists());
}

#[test]
fn a_corpus_that_is_not_there_names_the_command_that_fetches_it() {
    let user = User::new();
    for arguments in [&["run"][..], &["run", "--corpus", "onnx-1.22.0"], &["list"], &["matrix"]] {
        let complaint = user.fails(4, arguments);
        let remedy = "run `onnx-conformance fetch --release 1.22.0`";
        assert!(complaint.contains(remedy) && !complaint.contains("xtask"), "{complaint}");
    }
    let complaint = user.fails(2, &["run", "--corpus", "onnx-1.0.0"]);
    assert!(complaint.contains("onnx-1.22.0"), "{complaint}");
    let complaint = user.fails(2, &["fetch", "--release", "1.0.0"]);
    assert!(complaint.contains("`onnx-conformance fetch --write-lock`"), "{complaint}");
    let complaint = user.fails(2, &["fetch", "--archive", archive()]);
    assert!(complaint.contains("--release"), "{complaint}");
    let complaint = user.fails(5, &["fetch", "--release", "1.22.0", "--archive", "none.whl"]);
    assert!(complaint.contains("none.whl") && !complaint.contains("xtask"), "{complaint}");
    let complaint = user.fails(4, &["fetch", "--release", "1.22.0", "--archive", archive()]);
    assert!(complaint.contains("does not match the lock"), "{complaint}");
}

#[test]
fn a_corpus_is_fetched_into_the_users_caches_and_verified_at_each_use() {
    let user = User::new();
    user.fetch();
    let corpus = user.cache().join("corpora/onnx-1.1.2");
    assert!(corpus.join("node/test_div/model.onnx").is_file());
    let run = ["run", "--corpus", "onnx-1.1.2"];
    user.succeeds(&run);

    let file = corpus.join("node/test_div/test_data_set_0/output_0.pb");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let complaint = user.fails(4, &run);
    let remedy = "run `onnx-conformance fetch --release 1.1.2`";
    assert!(complaint.contains("node/test_div`") && complaint.contains(remedy), "{complaint}");

    user.fetch();
    user.succeeds(&run);
}

#[test]
fn a_variable_names_another_folder_but_a_checkout_comes_first() {
    let user = User::new();
    let elsewhere = user.0.path().join("elsewhere");
    let fetch = ["fetch", "--release", RELEASE, "--archive", archive()];
    let output = user.tool(&fetch).env(HOME_VARIABLE, &elsewhere).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(elsewhere.join("corpora/onnx-1.1.2").is_dir() && !user.cache().exists());

    fs::create_dir_all(user.work().join("testdata/locks")).unwrap();
    let list = ["list", "--corpus", "onnx-1.1.2"];
    let output = user.tool(&list).env(HOME_VARIABLE, &elsewhere).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "this checkout has no such lock");
}

#[test]
fn a_lock_that_is_made_outside_a_checkout_is_kept_and_used_there() {
    let user = User::new();
    // No release, but that is not what this is about.
    let release = "0.0.1";
    user.succeeds(&["fetch", "--release", release, "--archive", archive(), "--write-lock"]);
    assert!(user.cache().join("locks/onnx-0.0.1.toml").is_file());
    user.succeeds(&["run", "--corpus", "onnx-0.0.1"]);
    // One that the tool carries cannot be replaced so.
    let lock = user.cache().join("locks/onnx-1.1.2.toml");
    fs::write(lock, "format_version = 0").unwrap();
    user.fetch();
    user.succeeds(&["list", "--corpus", "onnx-1.1.2"]);
}

#[test]
fn a_backend_with_a_name_says_where_it_is_set_up() {
    let user = User::new();
    let complaint = user.fails(2, &["run", "--suite", "sonnx", "--backend", "onnxruntime"]);
    assert!(complaint.contains("in a checkout") && complaint.contains("--adapter"), "{complaint}");
    let complaint = user.fails(2, &["run", "--suite", "sonnx", "--backend", "none"]);
    assert!(complaint.contains("builtin, c-sample, numpy"), "{complaint}");
}

#[test]
fn known_failures_on_disk_are_not_used_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let expectations = folder.path().join("expectations");
    fs::create_dir(&expectations).unwrap();
    for name in ["mine.toml", "numpy.toml"] {
        fs::write(expectations.join(name), "not even TOML").unwrap();
    }
    let home = Home::outside(folder.path());
    assert!(home.expectations("mine").is_none());
    assert!(home.expectations("numpy").is_none());
}

#[test]
fn without_a_home_the_variable_is_named() {
    let user = User::new();
    // Where there is none at all is not to be had: the system looks it up. This one is unusable.
    let mut fetch = user.tool(&["fetch"]);
    let output = fetch.env("HOME", "nowhere").env_remove("XDG_CACHE_HOME").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(HOME_VARIABLE), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupted_fetch_says_so_and_leaves_nothing_behind() {
    let user = User::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/onnx.tar.gz", listener.local_addr().unwrap());
    // A server that goes on for as long as somebody listens.
    let server = thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let _ = client.read(&mut [0; 4096]);
        let _ = client.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        for _ in 0..6000 {
            if client.write_all(b".").is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    });
    let mut fetch = user.tool(&["fetch", "--release", RELEASE, "--url", &url]);
    let child = fetch.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let corpora = user.cache().join("corpora");
    let downloads = || {
        let entries = fs::read_dir(&corpora).into_iter().flatten();
        entries
            .filter(|entry| entry.as_ref().unwrap().path().join("download/archive").exists())
            .count()
    };
    while downloads() == 0 {
        thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("nothing of `onnx-1.1.2` was installed"));
    let left: Vec<_> = fs::read_dir(&corpora).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, [".onnx-1.1.2.lock"]);
    server.join().unwrap();
}
