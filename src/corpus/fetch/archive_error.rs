//! Why an archive is refused, or cannot be read.

use std::io;
use std::path::PathBuf;

use zip::result::ZipError;

/// An archive is unreadable, hostile, or of something else.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive cannot be opened.
    #[error("failed to open `{}`", path.display())]
    Open {
        /// The archive.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The first bytes are those of no known format.
    #[error("`{}` is neither a wheel, zip, tar, tar.gz nor a folder", .0.display())]
    UnknownFormat(PathBuf),
    /// The archive is damaged or cut short.
    #[error("the archive is damaged")]
    Read(#[source] io::Error),
    /// The zip's structure is damaged or of an unsupported kind.
    #[error("the zip archive is unusable")]
    Zip(#[source] ZipError),
    /// An entry that no release has.
    #[error("refused the archive: its entry `{entry}` {problem}")]
    Hostile {
        /// Path of the entry, made printable and short.
        entry: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More than any release needs.
    #[error("refused the archive: it exceeds the limit of {0}")]
    Limit(String),
    /// Nothing in it is node data.
    #[error(
        "the archive has neither `onnx/backend/test/data/node` nor `node`; is it a release of onnx \
         before 1.23, or an export?"
    )]
    NoNodeData,
    /// Whoever asked for the content does not want it any more.
    #[error("interrupted")]
    Interrupted,
    /// The disk is full or the folder unwritable.
    #[error("failed to write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
}

impl ArchiveError {
    /// That an entry has a problem.
    pub(super) fn hostile(entry: &str, problem: &'static str) -> Self {
        Self::Hostile {
            entry: entry.chars().take(200).collect::<String>().escape_debug().collect(),
            problem,
        }
    }
}
