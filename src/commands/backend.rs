//! The system under test that the arguments choose.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use onnx_conformance::backend::adapter::{Adapter, Program};
use onnx_conformance::backend::catalogue::Catalogue;
use onnx_conformance::backend::{Backend, Identity, builtin};
use onnx_conformance::bounded::{self, TOML_LIMIT};
use onnx_conformance::corpus::Home;
use onnx_conformance::expect::Expectations;

use super::CommandError;
use crate::cli::BackendArgs;

/// A backend that was chosen, ready to run.
pub(super) struct Chosen {
    /// The backend.
    pub(super) backend: Arc<dyn Backend>,
    /// The name that its known failures are stated under.
    pub(super) name: String,
    /// Why it will answer nothing, where that is known already.
    pub(super) is_mute: bool,
}

/// Starts the backend that the arguments choose, for so many jobs.
pub(super) fn choose(args: &BackendArgs, jobs: NonZeroUsize) -> Result<Chosen, CommandError> {
    if args.adapter.is_none() && args.backend == builtin::NAME {
        let backend = Arc::new(builtin::Builtin);
        return Ok(Chosen { backend, name: builtin::NAME.to_owned(), is_mute: false });
    }
    let program = match &args.adapter {
        Some(command) => Program::parse(command)?,
        None => named(&args.backend)?,
    };
    let program = Program {
        memory_limit: args.memory_limit.map(|mib| mib.saturating_mul(1 << 20)),
        ..program
    };
    let adapter = Adapter::start(program, jobs.get(), args.start_timeout)?;
    let Identity { name, .. } = adapter.identity();
    let name = if args.adapter.is_some() { name } else { args.backend.clone() };
    let is_mute = adapter.greeting().is_err();
    Ok(Chosen { backend: Arc::new(adapter), name, is_mute })
}

/// The program of the backend of this name in the catalogue.
fn named(name: &str) -> Result<Program, CommandError> {
    let unknown = |known: String| CommandError::UnknownBackend { name: name.to_owned(), known };
    // Outside a checkout there is no catalogue.
    let home = Home::find().map_err(|_| unknown(builtin::NAME.to_owned()))?;
    let root = home.root().parent().unwrap_or(Path::new("."));
    let catalogue = Catalogue::read(root)?;
    let entry = catalogue.get(name).map_err(|_| {
        let names = catalogue.entries().iter().map(|entry| entry.name.as_str());
        unknown([builtin::NAME].into_iter().chain(names).collect::<Vec<_>>().join(", "))
    })?;
    let mut words = entry.command(root)?.into_iter();
    let path = words.next().unwrap_or_default().into();
    Ok(Program { path, arguments: words.collect(), folder: Some(root.into()), memory_limit: None })
}

/// The known failures of the backend of this name: those of the file that was given, or of the one
/// in `testdata/expectations`, where there is one.
pub(super) fn expectations(
    given: Option<&Path>,
    name: &str,
) -> Result<Arc<Expectations>, CommandError> {
    let read = |path: &Path| {
        let file = path.display().to_string();
        let text = bounded::read_text(path, TOML_LIMIT as u64)
            .map_err(|source| CommandError::ReadExpectations { path: file.clone(), source })?;
        Ok(Arc::new(Expectations::parse(&file, &text)?))
    };
    if let Some(path) = given {
        return read(path);
    }
    // Outside a checkout there are no known failures.
    let path = Home::find().ok().and_then(|home| home.expectations_path(name));
    match path.filter(|path| path.is_file()) {
        Some(path) => read(&path),
        None => Ok(Arc::default()),
    }
}
