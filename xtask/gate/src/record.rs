//! What a run of the checks found, and how long it took: `target/ci.json`, and the tables that are printed at the end.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Serialize;

use super::Error;
use super::durations::{Program, rounded};
use super::steps::Step;

/// The record of a run. Members are only added; a change of another kind counts the version up.
#[derive(Debug, Serialize)]
pub(super) struct Record {
    format_version: u32,
    /// The commit of the checkout, and whether files differ from it.
    commit: String,
    dirty: bool,
    /// When it began, in UTC.
    begun: String,
    /// Whether it was a run of everything.
    full: bool,
    outcome: Outcome,
    seconds: f64,
    steps: Vec<Entry>,
}

/// A step of it.
#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    /// The lines that a shell runs.
    command: String,
    outcome: Outcome,
    seconds: f64,
    /// Its programs of tests.
    tests: Vec<Program>,
}

/// What came of a step, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    NotRun,
    Passed,
    Failed,
}

impl Record {
    pub(super) fn new(root: &Path, full: bool, steps: &[&Step]) -> Result<Self, Error> {
        let output = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(root).output();
            output.map_or_else(
                |_| String::new(),
                |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            )
        };
        let entry = |step: &&Step| {
            Ok(Entry {
                name: step.name,
                command: step.command(root)?,
                outcome: Outcome::NotRun,
                seconds: 0.0,
                tests: Vec::new(),
            })
        };
        Ok(Self {
            format_version: 1,
            commit: output("git", &["rev-parse", "HEAD"]),
            dirty: !output("git", &["status", "--porcelain"]).is_empty(),
            begun: output("date", &["-u", "+%Y-%m-%dT%H:%M:%SZ"]),
            full,
            outcome: Outcome::NotRun,
            seconds: 0.0,
            steps: steps.iter().map(entry).collect::<Result<_, _>>()?,
        })
    }

    /// The lines that a shell runs for a step.
    pub(super) fn command(&self, name: &str) -> String {
        let step = self.steps.iter().find(|step| step.name == name);
        step.map_or_else(String::new, |step| step.command.clone())
    }

    pub(super) fn has_failed(&self) -> bool {
        self.steps.iter().any(|step| step.outcome == Outcome::Failed)
    }

    /// Whether a step has passed, or is none of this run.
    pub(super) fn has_passed(&self, name: &str) -> bool {
        self.steps.iter().all(|step| step.name != name || step.outcome == Outcome::Passed)
    }

    /// Enters what came of a step.
    pub(super) fn finish(
        &mut self,
        name: &str,
        outcome: Outcome,
        time: Duration,
        tests: Vec<Program>,
    ) {
        if let Some(step) = self.steps.iter_mut().find(|step| step.name == name) {
            (step.outcome, step.seconds, step.tests) = (outcome, rounded(time), tests);
        }
    }

    /// Writes it, this long after the begin, below `root`.
    pub(super) fn write(&mut self, root: &Path, time: Duration) -> io::Result<()> {
        self.seconds = rounded(time);
        let all = |outcome| self.steps.iter().all(|step| step.outcome == outcome);
        self.outcome = match self.has_failed() {
            true => Outcome::Failed,
            false if all(Outcome::Passed) => Outcome::Passed,
            false => Outcome::NotRun,
        };
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(root.join("target/ci.json"), text + "\n")
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nThe slowest tests of each program")?;
        for Program { program, tests, seconds, slowest } in
            self.steps.iter().flat_map(|step| &step.tests)
        {
            writeln!(f, "\n{seconds:9.1} s  {program}: {tests} tests")?;
            for test in slowest.iter().take_while(|test| test.seconds >= 0.1) {
                writeln!(f, "{:9.1} s    {}", test.seconds, test.name)?;
            }
        }
        writeln!(f, "\nThe slowest steps\n")?;
        let mut steps: Vec<_> = self.steps.iter().collect();
        steps.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        for Entry { name, outcome, seconds, .. } in steps {
            let outcome = match outcome {
                Outcome::NotRun => "not run",
                Outcome::Passed => "passed",
                Outcome::Failed => "FAILED",
            };
            writeln!(f, "{seconds:9.1} s  {name:<14}{outcome}")?;
        }
        writeln!(f, "\n{:9.1} s  in all; target/ci.json has it", self.seconds)
    }
}
