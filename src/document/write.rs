//! Writing the files of documents: all of them or none, and never half a file under a final name.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

pub use crate::foundation::files::Obstacle;
use crate::foundation::files::{self, Pieces, Staged};
use crate::foundation::platform;

/// A file to be written: its name within the folder, and how its bytes are made.
pub struct Part<'a> {
    name: &'static str,
    render: Render<'a>,
}

enum Render<'a> {
    Whole(Box<dyn FnOnce() -> Rendered<Vec<u8>> + Send + 'a>),
    Pieces(Box<IntoPieces<'a>>),
}

type IntoPieces<'a> = dyn FnOnce(&mut Pieces<'_>) -> Rendered<()> + Send + 'a;

type Rendered<T> = Result<T, Box<dyn Error + Send + Sync>>;

impl<'a> Part<'a> {
    /// A file of this name with what is rendered.
    pub fn new<E>(
        name: &'static str,
        render: impl FnOnce() -> Result<Vec<u8>, E> + Send + 'a,
    ) -> Self
    where
        E: Error + Send + Sync + 'static,
    {
        Self { name, render: Render::Whole(Box::new(|| render().map_err(Into::into))) }
    }

    /// A file of this name with a long text, which is written while it is rendered.
    pub fn text<E>(
        name: &'static str,
        render: impl FnOnce(&mut Pieces<'_>) -> Result<(), E> + Send + 'a,
    ) -> Self
    where
        E: Error + Send + Sync + 'static,
    {
        let render = |pieces: &mut Pieces<'_>| render(pieces).map_err(Into::into);
        Self { name, render: Render::Pieces(Box::new(render)) }
    }
}

/// Why the reports could not be written. The files of an earlier run stay as they were, except
/// after [`WriteError::Replace`], which can strike between two files.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum WriteError {
    #[error("failed to create the report folder `{dir}`; {}", remedy(source))]
    Folder { dir: PathBuf, source: io::Error },
    #[error("failed to write the report `{path}`: {obstacle}; remove it or name another place")]
    Occupied { path: PathBuf, obstacle: Obstacle },
    #[error("failed to render the report `{path}`")]
    Render { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("failed to write the report `{path}`; {}", remedy(source))]
    Write { path: PathBuf, source: io::Error },
    #[error("failed to put the finished report in place as `{path}`; {}", remedy(source))]
    Replace { path: PathBuf, source: io::Error },
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: free some space or choose another folder with --out"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "the folder may not be written to: choose another with --out"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file has the name of the folder: choose another folder with --out"
        }
        _ => "choose another folder with --out",
    }
}

/// Writes files into the folder, which is created where it is missing. Each is complete on disk under
/// a temporary name (`.report-*.tmp`, which only a killed process leaves behind) before the first takes
/// its final name; they take theirs in the order given.
pub fn write_parts(parts: Vec<Part<'_>>, dir: &Path) -> Result<(), WriteError> {
    create_folder(dir)?;
    // While the disk takes one, others are rendered.
    let staged: Vec<_> = thread::scope(|scope| {
        let begun = parts.into_iter().map(|part| {
            let path = dir.join(part.name);
            let failed = |source| WriteError::Write { path: path.clone(), source };
            let (own, render) = (path.clone(), part.render);
            let thread = thread::Builder::new().spawn_scoped(scope, || stage(own, render));
            thread.map_err(failed)
        });
        let begun: Vec<_> = begun.collect();
        let ended = begun
            .into_iter()
            .map(|thread| thread?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        ended.collect()
    });
    install(staged.into_iter().collect::<Result<_, _>>()?)?;
    platform::sync_folder(dir);
    Ok(())
}

/// Creates a folder, and those that it is in, where they are missing.
pub fn create_folder(dir: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(dir).map_err(|source| WriteError::Folder { dir: dir.to_owned(), source })
}

/// Writes one file, whole or not at all, under a path that is replaced. A device or a pipe is written to.
pub fn write_file(path: &Path, contents: Vec<u8>) -> Result<(), WriteError> {
    install(vec![stage(path.to_owned(), Render::Whole(Box::new(|| Ok(contents))))?])
}

/// Renders a report into a temporary file beside its final path and flushes it to the disk.
fn stage(path: PathBuf, render: Render<'_>) -> Result<Staged, WriteError> {
    let refused = |path: &Path, obstacle| match obstacle {
        Obstacle::Io(source) => WriteError::Write { path: path.to_owned(), source },
        obstacle => WriteError::Occupied { path: path.to_owned(), obstacle },
    };
    files::check(&path).map_err(|obstacle| refused(&path, obstacle))?;
    let mut rendered = Ok(());
    let staged = match render {
        Render::Whole(render) => match render() {
            Ok(bytes) => Staged::new(&path, |out| out.write_all(&bytes)),
            Err(source) => return Err(WriteError::Render { path, source }),
        },
        Render::Pieces(render) => Staged::new(&path, |out| {
            let mut pieces = Pieces::new(out);
            rendered = render(&mut pieces);
            pieces.end()
        }),
    };
    let staged = staged.map_err(|obstacle| refused(&path, obstacle))?;
    match rendered {
        Ok(()) => Ok(staged),
        Err(source) => Err(WriteError::Render { path, source }),
    }
}

fn install(staged: Vec<Staged>) -> Result<(), WriteError> {
    files::install(staged).map_err(|(path, source)| WriteError::Replace { path, source })
}
