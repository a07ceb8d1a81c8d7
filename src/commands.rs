//! What the commands do: from arguments to an exit code.

mod adapter_check;
mod backend;
mod c_abi;
mod evidence;
mod fetch;
mod gate;
mod matrix;
mod scoreboard;

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use onnx_conformance::backend::{adapter, catalogue};
use onnx_conformance::c_abi::OpenError;
use onnx_conformance::case::{Case, CaseError};
use onnx_conformance::corpus::export::ExportError;
use onnx_conformance::corpus::fetch::FetchError;
use onnx_conformance::corpus::{self, Corpus, CorpusError, Home};
use onnx_conformance::expect::ExpectError;
use onnx_conformance::gate::GateError;
use onnx_conformance::limits::{self, TOML_LIMIT};
use onnx_conformance::matrix::{MatrixError, write_with};
use onnx_conformance::profile::{NamedError, Profile, ProfileError};
use onnx_conformance::protocol_check::CheckError;
use onnx_conformance::report::document::Report;
use onnx_conformance::report::json::ReadError;
use onnx_conformance::report::{self, WriteError, summary};
use onnx_conformance::requirements::{Catalogue, CatalogueError, UnknownRequirement};
use onnx_conformance::run::{self, CaseResult, Options, Profiles, Run, RunError, case_id};
use onnx_conformance::scoreboard::{CaseSpecError, JoinError};
use onnx_conformance::serve::ServeError;
use onnx_conformance::suite::{Suite, UnknownSuite};
use onnx_conformance::{explain, spec};

use self::backend::Chosen;
use crate::cli::{Cli, Command, ExplainArgs, RunArgs, SelectArgs, SpecCheckArgs, TestArgs};
use crate::terminal::{self, Progress};

mod campaign;

/// Exit codes, as documented in the command line's help.
mod exit {
    pub(super) const FAILED: u8 = 1;
    pub(super) const USAGE: u8 = 2;
    pub(super) const NOTHING_COMPARED: u8 = 3;
    pub(super) const INTEGRITY: u8 = 4;
    pub(super) const HARNESS: u8 = 5;
    /// 128 + SIGINT, as shells have it.
    pub(super) const INTERRUPTED: u8 = 130;
}

/// A command ends without doing what it was asked to.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    UnknownSuite(#[from] UnknownSuite),
    #[error("the folders given with --corpus belong to one suite; give --suite once")]
    SeveralSuites,
    #[error(
        "unknown backend `{name}`; the backends are: {known}; any other goes behind --adapter CMD"
    )]
    UnknownBackend { name: String, known: String },
    #[error(transparent)]
    BackendCatalogue(#[from] catalogue::CatalogueError),
    #[error(transparent)]
    AdapterCommand(#[from] adapter::CommandError),
    #[error(transparent)]
    AdapterStart(#[from] adapter::StartError),
    #[error(transparent)]
    ProtocolCheck(#[from] CheckError),
    #[error("failed to read the expectations `{path}`")]
    ReadExpectations { path: String, source: std::io::Error },
    #[error(transparent)]
    Expectations(#[from] ExpectError),
    #[error("unknown corpus `{name}`: it is no folder, and the corpora are: {known}")]
    UnknownCorpus { name: String, known: String },
    #[error(transparent)]
    NamedProfile(#[from] NamedError),
    #[error("failed to read the profile `{path}`")]
    ReadProfile { path: String, source: std::io::Error },
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error("--archive and --url need exactly one --release")]
    OneRelease,
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("there is no case `{0}`; `onnx-conformance list` shows the ids")]
    UnknownCase(String),
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Documents(#[from] spec::Unreadable),
    #[error("failed to serialise the findings")]
    Serialise(#[from] serde_json::Error),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    UnknownRequirement(#[from] UnknownRequirement),
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    #[error(
        "the documents name requirements that no catalogue has: {0}; they count nowhere: make the \
         documents anew, or read them with the program that made them"
    )]
    UnknownRequirements(String),
    #[error(transparent)]
    Campaign(#[from] campaign::Error),
    #[error(transparent)]
    Evidence(#[from] evidence::Error),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    OpenLibrary(#[from] OpenError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    ReadReport(#[from] ReadError),
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error("failed to append to `{path}`, which GITHUB_STEP_SUMMARY names")]
    StepSummary { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Join(#[from] Box<JoinError>),
    #[error(transparent)]
    CaseSpec(Box<CaseSpecError>),
    #[error("failed to render the scoreboard")]
    Render(#[from] askama::Error),
    #[error("failed to print")]
    Print(#[from] std::io::Error),
}

impl From<CaseSpecError> for CommandError {
    fn from(error: CaseSpecError) -> Self {
        Self::CaseSpec(Box::new(error))
    }
}

impl CommandError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::UnknownSuite(_)
            | Self::SeveralSuites
            | Self::UnknownBackend { .. }
            | Self::BackendCatalogue(_)
            | Self::AdapterCommand(_)
            | Self::AdapterStart(_)
            | Self::ProtocolCheck(_)
            | Self::ReadExpectations { .. }
            | Self::Expectations(_)
            | Self::UnknownCorpus { .. }
            | Self::NamedProfile(_)
            | Self::ReadProfile { .. }
            | Self::Profile(_)
            | Self::OneRelease
            | Self::UnknownCase(_)
            | Self::Case(_)
            | Self::Catalogue(_)
            | Self::UnknownRequirement(_)
            | Self::Matrix(_)
            | Self::UnknownRequirements(_)
            | Self::OpenLibrary(_)
            | Self::Gate(GateError::OtherBackend { .. })
            | Self::Join(_) => exit::USAGE,
            Self::ReadReport(ReadError::Contradiction { .. }) => exit::INTEGRITY,
            Self::ReadReport(_) => exit::USAGE,
            Self::Campaign(error) => error.exit_code(),
            Self::Fetch(error) => error.exit_code(),
            Self::Export(error) => error.exit_code(),
            Self::Evidence(error) => error.exit_code(),
            Self::Corpus(error) | Self::Run(RunError::Corpus(error)) => error.exit_code(),
            Self::Run(RunError::SameName(_) | RunError::Manifest(_)) => exit::USAGE,
            Self::Run(RunError::NoCase { .. }) | Self::Gate(GateError::NothingCompared) => {
                exit::NOTHING_COMPARED
            }
            Self::Run(RunError::Interrupted { .. }) => exit::INTERRUPTED,
            Self::Run(RunError::Thread(_))
            | Self::Documents(_)
            | Self::Serialise(_)
            | Self::StepSummary { .. }
            | Self::CaseSpec(_)
            | Self::Render(_)
            | Self::Write(_)
            | Self::Serve(_)
            | Self::Print(_) => exit::HARNESS,
        }
    }
}

/// Does what the command line asks for.
pub(crate) fn execute(cli: Cli) -> ExitCode {
    let done = match cli.command {
        Command::Fetch(args) => fetch::fetch(&args),
        Command::Run(args) => run(&args),
        Command::Matrix(args) => matrix::matrix(&args),
        Command::Explain(args) => explain(&args),
        Command::AdapterCheck(args) => adapter_check::adapter_check(&args),
        Command::SpecCheck(args) => spec_check(&args),
        Command::Gate(args) => gate::gate(&args),
        Command::Scoreboard(args) => scoreboard::scoreboard(&args),
        Command::Campaign(args) => campaign::campaign(&args),
        Command::Merge(args) => campaign::merge(&args),
        Command::Regress(args) => campaign::regress(&args),
        Command::Evidence(args) => evidence::evidence(&args),
        Command::Verify(args) => evidence::verify(&args),
        Command::List(args) => list(&args),
        Command::CAbi(args) => c_abi::c_abi(&args),
    };
    done.unwrap_or_else(|error| {
        complain(&error);
        ExitCode::from(error.exit_code())
    })
}

/// Prints an error and what caused it to standard error.
fn complain(error: &dyn Error) {
    let mut text = format!("error: {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  caused by: {inner}");
        cause = inner.source();
    }
    eprintln!("{text}");
}

fn run(args: &RunArgs) -> Result<ExitCode, CommandError> {
    let catalogue = Arc::new(Catalogue::embedded()?);
    let Tested { run, handshake_failed } = test(&args.test, &[Suite::Onnx], &catalogue)?;
    let report = Report::of(&run, &run.matrix(&catalogue)?);
    let matrix = matrix::of_report(&report, &catalogue)?;
    let written = write_with(&report, &matrix, &args.out)?;
    terminal::print(&summary::render(&report, &written, terminal::style()))?;
    Ok(ExitCode::from(match verdict_of(&run) {
        _ if handshake_failed => exit::HARNESS,
        0 if args.strict && run.has_surprises() => exit::FAILED,
        code => code,
    }))
}

/// What a test found.
struct Tested {
    run: Run,
    /// Whether the backend never introduced itself.
    handshake_failed: bool,
}

/// Runs what the arguments choose, or all of these suites where they choose nothing.
fn test(
    args: &TestArgs,
    default: &[Suite],
    catalogue: &Arc<Catalogue>,
) -> Result<Tested, CommandError> {
    let chosen = args.profile.as_deref().map(profile).transpose()?;
    let corpora = corpora(&args.select, default)?;
    let jobs = args.jobs.unwrap_or_else(cpus);
    let interrupted = interrupted();
    let Chosen { backend, name, handshake_failed } = backend::choose(&args.backend, jobs)?;
    let expectations = backend::expectations(args.expectations.as_deref(), name.as_deref())?;
    let options = Options {
        profiles: Profiles::of(&corpora, chosen.as_ref())?,
        filter: args.select.filter.clone(),
        catalogue: Arc::clone(catalogue),
        expectations,
        jobs,
        timeout: args.backend.timeout,
        interrupted,
    };
    let mut progress = Progress::new();
    let run = run::run(&corpora, &backend, &options, &mut |event| progress.on(event));
    progress.clear();
    Ok(Tested { run: run?, handshake_failed })
}

/// The profile of this name, or in the file of this name.
fn profile(name: &str) -> Result<Arc<Profile>, CommandError> {
    if !name.ends_with(".toml") {
        return Ok(Profile::named(name)?);
    }
    let text = limits::read_text(Path::new(name), TOML_LIMIT)
        .map_err(|source| CommandError::ReadProfile { path: name.to_owned(), source })?;
    Ok(Arc::new(Profile::own(name, &text)?))
}

/// The exit code that tells what a run found.
fn verdict_of(run: &Run) -> u8 {
    if run.has_failed() {
        exit::FAILED
    } else if run.elements_compared() == 0 {
        eprintln!("error: nothing was compared; choose cases that the backend supports");
        exit::NOTHING_COMPARED
    } else {
        0
    }
}

fn list(args: &SelectArgs) -> Result<ExitCode, CommandError> {
    let corpora = corpora(args, &[Suite::Onnx])?;
    let mut ids: Vec<String> = corpora
        .iter()
        .flat_map(|(_, corpus)| corpus.cases().iter().map(|case| case_id(corpus, case.name())))
        .filter(|id| args.filter.as_ref().is_none_or(|filter| filter.is_match(id)))
        .collect();
    ids.sort_by(|a, b| corpus::natural_order(a, b));
    let lines = ids.into_iter().map(|id| id + "\n").collect::<String>();
    terminal::print(&lines)?;
    Ok(ExitCode::from(if lines.is_empty() { exit::NOTHING_COMPARED } else { 0 }))
}

fn explain(args: &ExplainArgs) -> Result<ExitCode, CommandError> {
    let profile = profile(&args.profile)?;
    let (corpus_name, case_name) = args.case.split_once('/').unwrap_or((args.case.as_str(), ""));
    let named = Suite::named(corpus_name).ok();
    let corpus = match (&args.corpus, named) {
        (Some(folder), _) => named_corpus(folder)?,
        (None, Some(suite)) => Home::find()?.suite(suite)?,
        (None, None) => named_corpus(corpus_name)?,
    };
    let suite = named.unwrap_or(Suite::Onnx);
    let unknown = || CommandError::UnknownCase(args.case.clone());
    let dir = corpus.cases().iter().find(|dir| dir.name() == case_name).ok_or_else(unknown)?;
    let case = Case::decode(&args.case, dir.load()?.files())?;
    let known = CaseResult::not_run(&args.case, suite, &case);
    let Chosen { backend, .. } = backend::choose(&args.backend, NonZeroUsize::MIN)?;
    let time = args.backend.timeout;
    let element = args.element.as_deref();
    let text = explain::explain(&*backend, &case, &profile, time, known, element)?;
    terminal::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn spec_check(args: &SpecCheckArgs) -> Result<ExitCode, CommandError> {
    let findings = spec::check()?;
    if let Some(path) = &args.json {
        report::write_file(path, spec::to_json(&findings)?)?;
    }
    if let Some(path) = &args.sarif {
        report::write_file(path, spec::to_sarif(&findings)?)?;
    }
    terminal::print(&spec::to_text(&findings, terminal::style().width))?;
    Ok(ExitCode::SUCCESS)
}

/// The corpora asked for, each with its suite: those named, or those of the suites, or those of
/// the default suites.
fn corpora(args: &SelectArgs, default: &[Suite]) -> Result<Vec<(Suite, Corpus)>, CommandError> {
    let suites =
        args.suite.iter().map(|name| Suite::named(name)).collect::<Result<BTreeSet<_>, _>>()?;
    if args.corpus.is_empty() {
        let home = Home::find()?;
        let suites = if suites.is_empty() { default.iter().copied().collect() } else { suites };
        let of_suite = suites.into_iter().map(|suite| suite_corpora(&home, suite));
        return Ok(of_suite.collect::<Result<Vec<_>, _>>()?.concat());
    }
    let suite = match suites.len() {
        0 => Suite::Onnx,
        1 => suites.into_iter().next().unwrap_or(Suite::Onnx),
        _ => return Err(CommandError::SeveralSuites),
    };
    args.corpus.iter().map(|name| Ok((suite, named_corpus(name)?))).collect()
}

/// The corpora of a suite: its own cases, and for ONNX the fetched releases before them.
fn suite_corpora(home: &Home, suite: Suite) -> Result<Vec<(Suite, Corpus)>, CommandError> {
    let mut corpora = Vec::new();
    if suite == Suite::Onnx {
        for release in corpus::DEFAULT_RELEASES {
            corpora.push((suite, home.corpus(&corpus::name_of_release(release))?));
        }
    }
    corpora.push((suite, home.suite(suite)?));
    Ok(corpora)
}

/// A corpus by its name, or the folder of that name.
fn named_corpus(name: &str) -> Result<Corpus, CommandError> {
    let known = match Home::find() {
        Ok(home) => {
            let known = home.locks()?;
            if known.iter().any(|known| known == name) {
                return Ok(home.corpus(name)?);
            }
            known
        }
        // Without a home there are folders still.
        Err(_) => Vec::new(),
    };
    if Path::new(name).is_dir() {
        return Ok(Corpus::open_dir(Path::new(name))?);
    }
    Err(CommandError::UnknownCorpus { name: name.to_owned(), known: known.join(", ") })
}

fn cpus() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A flag that the first Ctrl-C sets; a second one ends the process at once.
fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let handler = move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        eprintln!("warning: failed to watch for Ctrl-C: {error}");
    }
    flag
}
