//! How long each test of a program took, from what Cargo and the programs print.
//!
//! Stable Rust does not report it. But tests are begun in the order in which they are listed, as many at a time as there
//! are processors, and reported when they end: so the first few begin with the program, and each other one when one
//! before it ends.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Serialize;

/// How many tests of a program are kept.
const SLOWEST: usize = 20;

/// What was read of the programs that a step runs.
#[derive(Debug, Default)]
pub(super) struct Durations(Vec<Running>);

/// A program of tests, and when its tests ended.
#[derive(Debug)]
struct Running {
    program: String,
    executable: String,
    begun: Option<Duration>,
    ended: Vec<(String, Duration)>,
}

/// A program of tests.
#[derive(Debug, Serialize)]
pub(super) struct Program {
    /// Its source.
    pub(super) program: String,
    /// Number of tests that were run.
    pub(super) tests: usize,
    /// From the first test to the last.
    pub(super) seconds: f64,
    /// Its slowest tests, the slowest first.
    pub(super) slowest: Vec<Test>,
}

/// A test.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) seconds: f64,
}

impl Durations {
    /// Reads the next line, which was printed at this time.
    pub(super) fn line(&mut self, line: &str, at: Duration) {
        if let Some((program, executable)) = running(line) {
            let (begun, ended) = (None, Vec::new());
            self.0.push(Running { program, executable, begun, ended });
        }
        let Some(last) = self.0.last_mut() else { return };
        if line.starts_with("running ") && line.trim_end().ends_with(['t', 's']) {
            last.begun.get_or_insert(at);
        } else if let Some(name) = ended(line) {
            last.ended.push((name.to_owned(), at));
        }
    }

    /// The programs that were run, which are in folders below `root`.
    pub(super) fn programs(self, root: &Path) -> Vec<Program> {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let ran = self.0.into_iter().filter(|running| !running.ended.is_empty());
        ran.map(|running| running.finished(&listed(root, &running.executable), threads)).collect()
    }
}

impl Running {
    /// The durations of its tests, which are begun in this order.
    fn finished(&self, order: &[String], threads: usize) -> Program {
        let begun = self.begun.unwrap_or_default();
        let last = self.ended.last().map_or(begun, |(_, at)| *at);
        let ended =
            |name: &String| self.ended.iter().find(|(other, _)| other == name).map(|(_, at)| *at);
        let ran = order.iter().filter_map(|name| Some((name, ended(name)?)));
        let mut tests: Vec<Test> = ran
            .enumerate()
            .map(|(at, (name, ended))| {
                let free = at.checked_sub(threads).map_or(begun, |at| self.ended[at].1);
                let seconds = rounded(ended.saturating_sub(free));
                Test { name: name.clone(), seconds }
            })
            .collect();
        tests.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        tests.truncate(SLOWEST);
        let seconds = rounded(last.saturating_sub(begun));
        Program { program: self.program.clone(), tests: self.ended.len(), seconds, slowest: tests }
    }
}

/// The source and the path of a program that Cargo is about to run.
fn running(line: &str) -> Option<(String, String)> {
    let line = line.trim_start().strip_prefix("Running ")?.strip_suffix(')')?;
    let (source, executable) = line.rsplit_once(" (")?;
    // Those of several packages have sources of one name.
    let name = executable.rsplit('/').next()?.rsplit_once('-')?.0;
    let program = match source.strip_prefix("unittests ") {
        Some(source) => format!("{name} ({source})"),
        None => name.to_owned(),
    };
    Some((program, executable.to_owned()))
}

/// The name of a test that has ended.
fn ended(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let is_result = ["ok", "FAILED", "ignored"].iter().any(|one| result.starts_with(one));
    is_result.then(|| name.trim_end_matches(" - should panic").trim_end())
}

/// The tests of a program in the order in which it begins them; none where it does not list them.
fn listed(root: &Path, executable: &str) -> Vec<String> {
    let mut program = Command::new(root.join(executable));
    let Ok(output) = program.args(["--list", "--format", "terse"]).current_dir(root).output()
    else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// In milliseconds.
pub(super) fn rounded(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_test_begins_when_a_processor_is_free_for_it() {
        let mut durations = Durations::default();
        for (at, line) in [
            (0, "   Compiling it"),
            (5, "     Running tests/it/main.rs (target/debug/deps/it-0123456789abcdef)"),
            (6, "running 5 tests"),
            (7, "test a ... ok"),
            (10, "test c - should panic ... ok"),
            (12, "test d ... ignored, takes long"),
            (13, "error: test x ... is no test"),
            (16, "test b ... FAILED"),
            (17, "test e ... ok"),
        ] {
            durations.line(line, Duration::from_secs(at));
        }
        let [running] = <[Running; 1]>::try_from(durations.0).unwrap();
        assert_eq!(running.executable, "target/debug/deps/it-0123456789abcdef");
        let order = ["a", "b", "c", "d", "e", "f"].map(str::to_owned);
        let program = running.finished(&order, 2);
        // `c` begins when `a` ends, `d` when `c` does, and `e` when `d` does.
        let expected = [("b", 10.0), ("e", 5.0), ("c", 3.0), ("d", 2.0), ("a", 1.0)];
        let expected = expected.map(|(name, seconds)| Test { name: name.to_owned(), seconds });
        assert_eq!(program.slowest, expected);
        assert_eq!((program.program.as_str(), program.tests, program.seconds), ("it", 5, 11.0));
    }

    #[test]
    fn programs_of_units_are_told_apart() {
        let line =
            "     Running unittests src/lib.rs (target/debug/deps/onnx_conformance_values-01)";
        assert_eq!(running(line).unwrap().0, "onnx_conformance_values (src/lib.rs)");
        assert!(running("     Running `target/debug/onnx-conformance run`").is_none());
    }
}
