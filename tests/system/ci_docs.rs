//! The jobs of `docs/ci.md`, as the author of a runtime would copy them: their steps are run here by a
//! shell, in a repository that holds what the page asks for.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use yaml_rust2::{Yaml, YamlLoader};

const CHECKOUT: &str = env!("CARGO_MANIFEST_DIR");

/// The adapter of the page, and the one of a runtime in C, which it stands for here.
const ADAPTER: [&str; 2] =
    ["python3 conformance/adapter.py", "onnx-conformance c-abi ./libkernels.so"];

/// A division as compilers make it where they are told to be fast.
const RECIPROCAL: [&str; 2] = ["c[i] = a[i] / b[i];", "c[i] = a[i] * ((T)1 / b[i]);"];

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(CHECKOUT).join("docs/ci.md")).unwrap();
    let start = format!("```{language}\n");
    let blocks = page.split(&start).skip(1);
    blocks.map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// The two jobs: of GitHub, of GitLab.
fn jobs() -> [Yaml; 2] {
    let parsed = |block: &String| YamlLoader::load_from_str(block).unwrap().remove(0);
    let jobs: Vec<Yaml> = blocks("yaml").iter().map(parsed).collect();
    jobs.try_into().unwrap()
}

/// What runs the cases and what gates, of GitHub's job.
fn of_github(job: &Yaml) -> [String; 2] {
    let steps = job["jobs"]["onnx"]["steps"].as_vec().unwrap();
    ["Run the cases", "Gate"].map(|name| {
        let step = steps.iter().find(|step| step["name"].as_str() == Some(name));
        step.and_then(|step| step["run"].as_str()).unwrap().to_owned()
    })
}

/// What runs the cases and what gates, of GitLab's job.
fn of_gitlab(job: &Yaml) -> [String; 2] {
    let lines = job["conformance"]["script"].as_vec().unwrap();
    let lines: Vec<String> = lines.iter().map(|line| line.as_str().unwrap().to_owned()).collect();
    lines.try_into().unwrap()
}

/// The repository of a runtime.
struct Repository(TempDir);

impl Repository {
    /// Where there is what it takes: a C compiler. `None`, loudly, where there is not.
    fn new() -> Option<Self> {
        if Command::new("cc").arg("--version").output().is_err() {
            eprintln!("skipped: there is no `cc`");
            return None;
        }
        let repository = Self(tempfile::tempdir().unwrap());
        fs::create_dir(repository.path("conformance")).unwrap();
        fs::write(repository.path("conformance/known.toml"), "").unwrap();
        Some(repository)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Builds the runtime.
    fn make(&self, sources: &str) {
        fs::write(self.path("kernels.c"), sources).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c11", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]);
        compiler.arg("-I").arg(Path::new(CHECKOUT).join("adapters/c"));
        compiler.args(["-o", "libkernels.so", "kernels.c", "-lm"]).current_dir(&self.0);
        assert!(compiler.status().unwrap().success());
    }

    /// The exit code of a script, with the tool as if it were installed and had fetched its corpora.
    fn sh(&self, script: &str) -> i32 {
        let tool = Path::new(env!("CARGO_BIN_EXE_onnx-conformance")).parent().unwrap();
        let others = env::var_os("PATH").unwrap_or_default();
        let path = [tool.to_owned()].into_iter().chain(env::split_paths(&others));
        let mut shell = Command::new("sh");
        let script = script.replace(ADAPTER[0], ADAPTER[1]);
        shell.args(["-e", "-c", &script]).current_dir(&self.0);
        shell.env("PATH", env::join_paths(path).unwrap());
        shell.env("ONNX_CONFORMANCE_HOME", Path::new(CHECKOUT).join("testdata"));
        shell.env("GITHUB_STEP_SUMMARY", self.path("summary.md"));
        let output = shell.output().unwrap();
        println!("{script}{}", String::from_utf8_lossy(&output.stdout));
        println!("{}", String::from_utf8_lossy(&output.stderr));
        output.status.code().unwrap()
    }
}

/// A script without the marks of where its lines were broken.
fn in_one_line(script: &str) -> String {
    script.replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The way of a runtime's author: a first baseline, a job that passes, and one that does not after the
/// division was made faster.
#[test]
fn the_jobs_pass_until_the_runtime_is_worse() {
    let [github, gitlab] = jobs();
    let [run, gate] = of_github(&github);
    let [same_run, gate_of_gitlab] = of_gitlab(&gitlab);
    assert_eq!(in_one_line(&run), in_one_line(&same_run));
    let Some(repository) = Repository::new() else { return };
    let sample = fs::read_to_string(Path::new(CHECKOUT).join("adapters/c/sample.c")).unwrap();
    repository.make(&sample);
    let baseline = blocks("sh").remove(0);
    let (_, baseline) = baseline.split_once("onnx-conformance fetch\n").unwrap();
    assert_eq!(repository.sh(baseline), 0);
    let gates = || [&gate, &gate_of_gitlab].map(|gate| repository.sh(gate));
    assert_eq!((repository.sh(&run), gates()), (0, [0; 2]));
    for file in ["report.json", "report.html", "junit.xml"] {
        assert!(repository.path("conformance-report").join(file).is_file(), "{file}");
    }
    let summaries = || {
        ["summary.md", "conformance-report/gate.md"]
            .map(|file| fs::read_to_string(repository.path(file)).unwrap())
    };
    assert!(!summaries().concat().contains("test_div"), "{:#?}", summaries());
    assert!(sample.contains(RECIPROCAL[0]));
    repository.make(&sample.replace(RECIPROCAL[0], RECIPROCAL[1]));
    assert_eq!((repository.sh(&same_run), gates()), (0, [1; 2]));
    let told = |summary: &String| summary.contains("onnx-1.22.0/node/test_div");
    assert!(summaries().iter().all(told), "{:#?}", summaries());
    assert!(gitlab["conformance"]["artifacts"]["reports"]["junit"].as_str().is_some());
}
