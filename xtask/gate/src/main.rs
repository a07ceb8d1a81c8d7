//! `cargo xtask ci`: every check that a change must pass, those that fail soonest first; with `--full` also
//! those that a change cannot wait for.
//!
//! A check is a [`Step`]: a name and lines for a shell. Two lanes run side by side: one has the compiler, which takes
//! all processors there are, the other what waits for a network or takes one processor. How long each step took, and
//! each test in it, is printed at the end and written to `target/ci.json`.

mod durations;
mod record;
mod steps;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use clap::Parser;

use self::durations::Durations;
use self::record::{Outcome, Record};
use self::steps::{Lane, STEPS, Step};

/// Run every check that a change must pass.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "cargo xtask ci",
    bin_name = "cargo xtask ci",
    max_term_width = 80,
    after_help = "\
Examples:
  cargo xtask ci                                every check that a change must pass
  cargo xtask ci --full                         these, and those that take hours
  cargo xtask ci --list                         the names of all steps, and what they do
  cargo xtask ci --only lints --only units      two steps, and what they need
  cargo xtask ci --full-only --list             the steps that `--full` adds

target/ci.json has the seconds of each step and of its slowest tests."
)]
struct Args {
    /// Also run what takes too long for every change: all cases on all runtimes, other systems, packages
    #[arg(long)]
    full: bool,
    /// Run only what `--full` adds, and what that needs
    #[arg(long, conflicts_with = "full")]
    full_only: bool,
    /// Run this step alone, and what it needs; may be repeated
    #[arg(long, value_name = "STEP", conflicts_with_all = ["full", "full_only"])]
    only: Vec<String>,
    /// List the steps instead of running them
    #[arg(long)]
    list: bool,
}

/// The checks did not pass, or could not be run.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("step `{0}` failed; repeat it with `cargo xtask ci --only {0}`")]
    Failed(&'static str),
    #[error("there is no step `{0}`; `cargo xtask ci --list` lists them")]
    NoStep(String),
    #[error("failed to run step `{step}`")]
    Run { step: &'static str, source: io::Error },
    #[error("failed to find the root of the checkout")]
    Root(#[source] io::Error),
    #[error("failed to write target/ci.json")]
    Record(#[source] io::Error),
    #[error("failed to read README.md")]
    Readme(#[source] io::Error),
    #[error("README.md has no fenced command after `{0}`")]
    NoCommand(&'static str),
}

impl Args {
    /// The steps to run, in the order of [`STEPS`].
    fn steps(&self) -> Result<Vec<&'static Step>, Error> {
        let find = |name: &String| STEPS.iter().find(|step| step.name == *name);
        let mut chosen: Vec<&Step> = if self.only.is_empty() {
            let is_chosen = |step: &&Step| {
                if step.full { self.full || self.full_only } else { !self.full_only }
            };
            STEPS.iter().filter(is_chosen).collect()
        } else {
            let steps =
                self.only.iter().map(|name| find(name).ok_or_else(|| Error::NoStep(name.clone())));
            steps.collect::<Result<_, _>>()?
        };
        let mut at = 0;
        while let Some(step) = chosen.get(at) {
            let needed = STEPS.iter().filter(|other| step.needs.contains(&other.name));
            chosen.extend(needed);
            at += 1;
        }
        let is_chosen = |step: &&Step| chosen.iter().any(|other| other.name == step.name);
        Ok(STEPS.iter().filter(is_chosen).collect())
    }
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match root.canonicalize().map_err(Error::Root).and_then(|root| run(&root, &Args::parse())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("error: {error}");
            let mut cause = std::error::Error::source(&error);
            while let Some(inner) = cause {
                eprint!("\n  caused by: {inner}");
                cause = inner.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

/// Runs the checks below `root`.
fn run(root: &Path, args: &Args) -> Result<(), Error> {
    let steps = args.steps()?;
    if args.list {
        for step in steps {
            let when = if step.full { "--full" } else { "" };
            println!("{:<14}{when:<8}{}", step.name, step.about);
        }
        return Ok(());
    }
    let gate = Gate {
        root,
        begun: Instant::now(),
        state: Mutex::new(Record::new(root, args.full, &steps)?),
        changed: Condvar::new(),
    };
    let done = std::thread::scope(|scope| {
        let aside = scope.spawn(|| gate.lane(&steps, Lane::Aside));
        let main = gate.lane(&steps, Lane::Main);
        main.and(aside.join().unwrap_or(Ok(())))
    });
    print!("{}", gate.state());
    done
}

/// A run of steps.
struct Gate<'a> {
    root: &'a Path,
    begun: Instant,
    state: Mutex<Record>,
    changed: Condvar,
}

impl Gate<'_> {
    fn state(&self) -> MutexGuard<'_, Record> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the steps of a lane one after another, until one of any lane fails.
    fn lane(&self, steps: &[&Step], lane: Lane) -> Result<(), Error> {
        for step in steps.iter().filter(|step| step.lane == lane) {
            let before = |record: &Record| {
                step.needs.iter().chain(step.after).all(|name| record.has_passed(name))
            };
            let waits = |record: &mut Record| !record.has_failed() && !before(record);
            let state = self.changed.wait_while(self.state(), waits);
            if state.unwrap_or_else(PoisonError::into_inner).has_failed() {
                return Ok(());
            }
            let begun = Instant::now();
            let (result, durations) = match self.step(step) {
                Ok((passed, durations)) => (Ok(passed), durations),
                Err(error) => (Err(error), Durations::default()),
            };
            let outcome =
                if matches!(result, Ok(true)) { Outcome::Passed } else { Outcome::Failed };
            let tests = durations.programs(self.root);
            let mut state = self.state();
            state.finish(step.name, outcome, begun.elapsed(), tests);
            // As far as it is known, whatever comes next.
            let written = state.write(self.root, self.begun.elapsed());
            if written.is_err() {
                // The other lane would wait for what never comes.
                state.finish(step.name, Outcome::Failed, begun.elapsed(), Vec::new());
            }
            drop(state);
            self.changed.notify_all();
            written.map_err(Error::Record)?;
            println!("  {} after {} s", step.name, begun.elapsed().as_secs());
            match result {
                Ok(true) => {}
                Ok(false) => return Err(Error::Failed(step.name)),
                Err(source) => return Err(Error::Run { step: step.name, source }),
            }
        }
        Ok(())
    }

    /// Runs a step: whether it passed, and how long its tests took. What is printed in the second lane is kept in a
    /// file, and shown where the step fails.
    fn step(&self, step: &Step) -> io::Result<(bool, Durations)> {
        let log = self.root.join("target/ci").join(step.name).with_extension("txt");
        std::fs::create_dir_all(self.root.join("target/ci"))?;
        let is_aside = step.lane == Lane::Aside;
        let mut kept = is_aside.then(|| File::create(&log)).transpose()?;
        let command = self.state().command(step.name);
        println!("\n== {}{}", step.name, if is_aside { ", aside" } else { "" });
        println!("+ {}", command.replace('\n', "\n+ "));
        let (output, input) = io::pipe()?;
        let mut child =
            shell(self.root, &command).stdout(input.try_clone()?).stderr(input).spawn()?;
        let (mut durations, begun) = (Durations::default(), Instant::now());
        for line in BufReader::new(output).split(b'\n') {
            let line = line?;
            match &mut kept {
                Some(file) => file.write_all(&[&line[..], b"\n"].concat())?,
                None => io::stdout().write_all(&[&line[..], b"\n"].concat())?,
            }
            durations.line(&String::from_utf8_lossy(&line), begun.elapsed());
        }
        let passed = child.wait()?.success();
        if is_aside && !passed {
            io::stdout().write_all(&std::fs::read(&log)?)?;
        }
        Ok((passed, durations))
    }
}

/// A shell that is about to run lines, and ends where a command of them fails.
fn shell(root: &Path, lines: &str) -> Command {
    let mut command = Command::new("sh");
    // The builders' messages are read as well as shown.
    command.env("CARGO_TERM_COLOR", "never").env_remove("RUST_TEST_THREADS");
    command.args(["-e", "-c", lines]).current_dir(root).stdin(Stdio::null());
    // Build scripts that look at the variables of this package would run anew.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}
