//! Corpora as archives, for runners that have neither this tool nor Python.
//!
//! `NAME-node.tar.gz` holds `NAME/lock.toml`, `NAME/node/CASE/..` and `NAME/schema/..` in byte order
//! of the paths, without any time, user or host, so that the same corpus gives the same bytes. The
//! lock also lies beside it. [`super::fetch::Source::Archive`] takes the archive back.

use std::io;
use std::path::{Path, PathBuf};

use super::tarball::Tarball;
use super::{CaseDir, Corpus, CorpusError, Digest, SCHEMA_DIR};

/// A corpus in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The archive.
    pub archive: PathBuf,
    /// Its SHA-256.
    pub digest: Digest,
    /// Its lock.
    pub lock: PathBuf,
}

/// A corpus could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It has no lock to go with it.
    #[error("`{0}` has no lock; only a corpus that was fetched can be exported")]
    NoLock(String),
    /// It is not what its lock says, or cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The lock is not expressible in TOML.
    #[error("failed to write the lock")]
    Lock(#[from] toml::ser::Error),
    /// A file does not go into the archive.
    #[error("failed to pack the corpus")]
    Pack(#[from] io::Error),
    /// The folder cannot be written to.
    #[error("failed to write `{}`", path.display())]
    Write {
        /// File or folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
}

impl ExportError {
    /// Exit code of a command that ends with this error: 2 usage, 4 integrity, 5 any other.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoLock(_) => 2,
            Self::Corpus(error) => error.exit_code(),
            Self::Lock(_) | Self::Pack(_) | Self::Write { .. } => 5,
        }
    }
}

/// Writes a corpus and its lock into a folder, which is made where it is missing. Every file is
/// compared with the lock on its way; one that differs ends the export with nothing written.
pub fn export(corpus: &Corpus, folder: &Path) -> Result<Exported, ExportError> {
    let name = corpus.name();
    let lock = corpus.lock().ok_or_else(|| ExportError::NoLock(name.to_owned()))?.to_toml()?;
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let archive = packed(corpus, &lock)?;
    let digest = Digest::of(&archive);
    let beside = |file: String, content: &[u8]| {
        let path = folder.join(file);
        write(folder, &path, content).map_err(failed(&path)).map(|()| path)
    };
    let lock = beside(format!("{name}-node.toml"), lock.as_bytes())?;
    let archive = beside(format!("{name}-node.tar.gz"), &archive)?;
    Ok(Exported { archive, digest, lock })
}

fn packed(corpus: &Corpus, lock: &str) -> Result<Vec<u8>, ExportError> {
    let name = corpus.name();
    let mut archive = Tarball::new(Vec::new());
    archive.file(&format!("{name}/lock.toml"), lock.as_bytes())?;
    let mut cases: Vec<&CaseDir> = corpus.cases().iter().collect();
    cases.sort_by_key(|case| case.name());
    for case in cases {
        for (file, content) in case.load()?.files() {
            archive.file(&format!("{name}/{}/{file}", case.name()), content)?;
        }
    }
    for (file, content) in corpus.schema()? {
        archive.file(&format!("{name}/{SCHEMA_DIR}/{file}"), &content)?;
    }
    Ok(archive.finish()?)
}

/// Writes a file whole or not at all.
fn write(folder: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new();
    file.prefix(".export-");
    // Exports are for others to read: the user's umask decides, not the temporary file's 0600.
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(folder)?;
    io::Write::write_all(&mut file, content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ExportError + use<> {
    let path = path.to_owned();
    move |source| ExportError::Write { path, source }
}
