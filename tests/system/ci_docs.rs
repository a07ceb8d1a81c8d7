//! The jobs of `docs/ci.md`, as the author of a runtime would copy them: their steps, and those of `action.yml` with
//! a job's inputs, are run here by a shell, in a repository that holds what the page asks for.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use yaml_rust2::{Yaml, YamlLoader};

use crate::support::extent::size;

const CHECKOUT: &str = env!("CARGO_MANIFEST_DIR");

/// The adapter of the page, and the one of a runtime in C, which it stands for here.
const ADAPTER: [&str; 2] =
    ["python3 conformance/adapter.py", "onnx-conformance c-abi ./libkernels.so"];

/// What the jobs run, and the operators that every change waits for: the one that gets worse, and another one.
const RUN: [&str; 2] = ["onnx-conformance run ", "onnx-conformance run --op=Div --op=Sqrt "];

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

/// What runs the cases and what gates, of the action that GitHub's job uses with its inputs: each step after the
/// variables that it gets.
fn of_github(job: &Yaml) -> [String; 2] {
    let steps = job["jobs"]["onnx"]["steps"].as_vec().unwrap();
    let uses = |step: &&Yaml| step["uses"].as_str().is_some_and(|uses| uses.contains("OWNER"));
    let given = &steps.iter().find(uses).unwrap()["with"];
    let action = fs::read_to_string(Path::new(CHECKOUT).join("action.yml")).unwrap();
    let action = YamlLoader::load_from_str(&action).unwrap().remove(0);
    let inputs = action["inputs"].as_hash().unwrap();
    for input in given.as_hash().unwrap().keys() {
        assert!(inputs.contains_key(input), "{input:?} is no input of the action");
    }
    let steps = action["runs"]["steps"].as_vec().unwrap();
    ["Run the cases", "Gate"].map(|name| {
        let step = steps.iter().find(|step| step["name"].as_str() == Some(name)).unwrap();
        let mut script = String::new();
        for (variable, value) in step["env"].as_hash().unwrap() {
            let value = value.as_str().unwrap();
            let Some(input) = value.strip_prefix("${{ inputs.") else { continue };
            let input = input.strip_suffix(" }}").unwrap();
            assert!(inputs.contains_key(&Yaml::from_str(input)), "{input} is no input");
            let value = given[input].as_str().or(action["inputs"][input]["default"].as_str());
            script += &format!("export {}='{}'\n", variable.as_str().unwrap(), value.unwrap());
        }
        script + step["run"].as_str().unwrap()
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

    /// What a script asks of the tool, word by word, in any order.
    fn asked(&self, script: &str) -> String {
        let instead = r#"onnx-conformance() { printf '%s\n' "$@" | sort; };"#;
        let asked = self.shell(&format!("{instead} {script}")).output().unwrap();
        String::from_utf8(asked.stdout).unwrap()
    }

    /// The exit code of a script.
    fn sh(&self, script: &str) -> i32 {
        let output = self.shell(script).output().unwrap();
        println!("{script}{}", String::from_utf8_lossy(&output.stdout));
        println!("{}", String::from_utf8_lossy(&output.stderr));
        output.status.code().unwrap()
    }

    /// A shell with the tool as if it were installed and had fetched its corpora.
    fn shell(&self, script: &str) -> Command {
        let tool = Path::new(env!("CARGO_BIN_EXE_onnx-conformance")).parent().unwrap();
        let others = env::var_os("PATH").unwrap_or_default();
        let path = [tool.to_owned()].into_iter().chain(env::split_paths(&others));
        let mut shell = Command::new("bash");
        let script = script.replace(ADAPTER[0], ADAPTER[1]).replace(RUN[0], size(RUN[1], RUN[0]));
        shell.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &script]);
        shell.current_dir(&self.0);
        shell.env("PATH", env::join_paths(path).unwrap());
        shell.env("ONNX_CONFORMANCE_HOME", Path::new(CHECKOUT).join("testdata"));
        shell.env("GITHUB_STEP_SUMMARY", self.path("summary.md"));
        shell
    }
}

/// The way of a runtime's author: a first baseline, a job that passes, and one that does not after the
/// division was made faster.
#[test]
fn the_jobs_pass_until_the_runtime_is_worse() {
    let [github, gitlab] = jobs();
    let [run, gate] = of_github(&github);
    let [run_of_gitlab, gate_of_gitlab] = of_gitlab(&gitlab);
    let Some(repository) = Repository::new() else { return };
    let sample = fs::read_to_string(Path::new(CHECKOUT).join("adapters/c/sample.c")).unwrap();
    repository.make(&sample);
    let baseline = blocks("sh").remove(0);
    let (_, baseline) = baseline.split_once("onnx-conformance fetch\n").unwrap();
    assert_eq!(repository.sh(baseline), 0);
    let gates = || [&gate, &gate_of_gitlab].map(|gate| repository.sh(gate));
    assert_eq!(repository.asked(&run), repository.asked(&run_of_gitlab));
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
    assert_eq!((repository.sh(&run), gates()), (0, [1; 2]));
    // Without a baseline, whatever fails ends the job.
    let no_baseline = run.replace("conformance/baseline.json", "");
    let no_baseline = no_baseline.replace("OPTIONS=''", "OPTIONS='--op=Div'");
    assert_eq!(repository.sh(&no_baseline), 1);
    let told = |summary: &String| summary.contains("onnx-1.22.0/node/test_div");
    assert!(summaries().iter().all(told), "{:#?}", summaries());
    assert!(gitlab["conformance"]["artifacts"]["reports"]["junit"].as_str().is_some());
}
