//! The system under test that the arguments choose.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox, SandboxMode};
use onnx_conformance::backend::catalogue::{self, Catalogue};
use onnx_conformance::backend::{Answer, Backend, Outcome, builtin};
use onnx_conformance::judge::expect::Expectations;
use onnx_conformance::limits::{self, TOML_LIMIT};

use super::sandbox::{self, Denied};
use super::{CommandError, exit};
use crate::cli::{Given, ProcessArgs};

/// A backend that was chosen, ready to run.
pub(super) struct Chosen {
    pub(super) backend: Arc<dyn Backend>,
    /// The name that it was chosen by, under which its known failures are stated; none where it was
    /// given as a command: nothing rests on what an adapter calls itself.
    pub(super) name: Option<String>,
}

/// What programs say of what the system refused them.
const REFUSALS: [&str; 3] = ["ermission denied", "peration not permitted", "PermissionError"];

/// Starts the backend that was given, for so many jobs, and has it introduce itself. It may be kept from this, besides
/// what it is kept from always.
pub(super) fn choose(
    given: Given<'_>,
    args: &ProcessArgs,
    jobs: NonZeroUsize,
    denied: Denied,
) -> Result<Chosen, CommandError> {
    let name = match given {
        Given::Name(name) => Some(name.to_owned()),
        _ => None,
    };
    let program = match given {
        Given::Name(builtin::NAME) => {
            return Ok(Chosen { backend: Arc::new(builtin::Builtin), name });
        }
        Given::Name(name) => named(name)?,
        Given::Command(command) => Program::parse(command)?,
        Given::Library(path) if !path.is_file() => {
            return Err(CommandError::misuse(format!(
                "there is no library `{}`; adapters/c/onnx_kernels.h says how one is compiled",
                path.display()
            )));
        }
        Given::Library(path) => Program::c_abi(path)
            .map_err(CommandError::io("find this program".to_owned(), exit::HARNESS))?,
        Given::Module(module) => Program::onnx_backend(module, &args.python),
    };
    let memory_limit = args.memory_limit.map(|mib| mib.saturating_mul(1 << 20));
    let sandbox = sandbox::of(&args.sandbox, denied)?;
    let program = Program { memory_limit, sandbox, ..program };
    let is_sandboxed = program.sandbox.mode() != SandboxMode::Off;
    let adapter = Adapter::start(program, jobs.get(), args.start_timeout)?;
    match adapter.greeting() {
        Ok(_) => Ok(Chosen { backend: Arc::new(adapter), name }),
        Err(answer) => Err(CommandError::harness(silent(answer, is_sandboxed))),
    }
}

/// What is said of a program that does not introduce itself, with its own last words.
fn silent(answer: &Answer, is_sandboxed: bool) -> String {
    let why = match &answer.outcome {
        Outcome::Crashed { message } | Outcome::Fault { message } => message.clone(),
        other => format!("{other:?}"),
    };
    let why = why.strip_prefix("the adapter did not introduce itself").unwrap_or(&why).trim_start();
    let mut text = format!("the adapter did not introduce itself: {why}");
    let said = answer.stderr.trim_end();
    if said.is_empty() {
        text += "\nIt wrote nothing to its standard error.";
    } else {
        text += "\nIts standard error:\n  ";
        text += &said.replace('\n', "\n  ");
    }
    let was_refused = REFUSALS.iter().any(|words| answer.stderr.contains(words));
    if is_sandboxed && was_refused {
        text += "\nThe sandbox may have refused that: --allow-path and --allow-write open it, --sandbox off is without one.";
    }
    text
}

/// The program of the backend of this name in the catalogue.
fn named(name: &str) -> Result<Program, CommandError> {
    let home = super::home()?;
    let root = home.checkout();
    let catalogue = root.map_or_else(Catalogue::embedded, Catalogue::read)?;
    let entry = catalogue.get(name).map_err(|_| {
        let names = catalogue.entries().iter().map(|entry| entry.name.as_str());
        let known = [builtin::NAME].into_iter().chain(names).collect::<Vec<_>>().join(", ");
        CommandError::misuse(format!(
            "unknown backend `{name}`; the backends are: {known}; use --adapter CMD for any other"
        ))
    })?;
    let no_checkout = || catalogue::CatalogueError::NoCheckout(name.to_owned());
    let root = root.ok_or_else(no_checkout)?;
    let mut words = entry.words(root)?.into_iter();
    let path = words.next().unwrap_or_default().into();
    let (folder, sandbox) = (Some(root.into()), Sandbox::default());
    Ok(Program { path, arguments: words.collect(), folder, memory_limit: None, sandbox })
}

/// The known failures that a run is given: those of the file, or of the backend that was chosen by
/// this name, where `testdata/expectations` has a list of it; else none.
pub(super) fn expectations(
    given: Option<&Path>,
    name: Option<&str>,
) -> Result<Arc<Expectations>, CommandError> {
    let list = match given {
        Some(path) => Some((path.to_owned(), limits::read_text(path, TOML_LIMIT))),
        None => name
            .map(|name| Ok::<_, CommandError>(super::home()?.expectations(name)))
            .transpose()?
            .flatten(),
    };
    let Some((path, text)) = list else { return Ok(Arc::default()) };
    let path = path.display().to_string();
    let unread = CommandError::io(format!("read the expectations `{path}`"), exit::USAGE);
    Ok(Arc::new(Expectations::parse(&path, &text.map_err(unread)?)?))
}
