//! What all documents have in common: how they are written, read again and described.
//!
//! A document is JSON, with its members in the order of its type and a line feed at the end. It says in
//! `format_version` which form it has, and most say in `kind` what they are. One that is read is within a
//! limit of size, of the form that this program knows, and does not contradict itself.

mod consistency;
pub(crate) mod layout;
pub mod page;
pub mod provenance;
pub mod style;
pub(crate) mod text;
pub mod write;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};

use crate::limits;

pub use consistency::{Contradiction, Sealed};
pub(crate) use consistency::{agrees, all_agree, ascend, difference, ensure, ensure_all};

/// A document of this tool.
pub trait JsonDocument: Serialize + DeserializeOwned + JsonSchema {
    /// What it is called in messages, such as `report`.
    const NAME: &'static str;
    /// Its file, as a reader looks for it.
    const FILE: &'static str;
    /// Version of its format; counts up on any change.
    const FORMAT_VERSION: u32;
    /// What its member `kind` says; none where it has no such member.
    const KIND: Option<&'static str> = None;
    /// Whether it has to be intact to be what it is: one that cannot be read was damaged.
    const SEALED: bool = false;
    /// Largest file that is read, in bytes.
    const SIZE_LIMIT: u64 = 32 << 20;
    /// How one that cannot be read is had anew.
    const REMEDY: &'static str = "write it anew";
    /// Lists and objects at more levels than these are written on one line.
    const LEVELS: usize = usize::MAX;
    /// Path of its committed JSON Schema in the checkout.
    const SCHEMA: &'static str;
    /// Name of its file in a folder, where the path of the folder will do.
    const IN_FOLDER: Option<&'static str> = None;

    /// Derives again whatever follows from the primary facts, and gives the first contradiction; nothing is derived
    /// of a document that nothing rests on.
    fn consistent(&self) -> Result<(), Contradiction> {
        Ok(())
    }

    /// Somewhat more bytes than its file will have, of one that is large.
    fn room(&self) -> usize {
        0
    }

    /// The bytes of its file. The same document gives the same bytes. One that no reader would take, as it
    /// is too large, is refused here.
    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let bytes = layout::to_bytes(self, Self::LEVELS, self.room())?;
        if bytes.len() as u64 > Self::SIZE_LIMIT {
            let (name, limit) = (Self::NAME, Self::SIZE_LIMIT / 1000);
            let problem =
                format!("the {name} would be larger than {limit} kB, which no reader takes");
            return Err(serde_json::Error::custom(
                problem + "; choose fewer cases, as with --filter",
            ));
        }
        limits::has_room_for_json(&bytes).map_err(serde_json::Error::custom)?;
        Ok(bytes)
    }

    /// The file that a path leads to, which may be that of its folder.
    fn file(path: &Path) -> PathBuf {
        match Self::IN_FOLDER {
            Some(name) if path.is_dir() => path.join(name),
            _ => path.to_owned(),
        }
    }

    /// Reads a file that holds one.
    fn read(path: &Path) -> Result<Self, ReadError> {
        let path = Self::file(path);
        Self::from_bytes(&path, &Self::read_bytes(&path)?)
    }

    /// The bytes of a file that may hold one.
    fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
        limits::read(path, Self::SIZE_LIMIT).map_err(|source| match source.kind() {
            io::ErrorKind::FileTooLarge => {
                ReadError::of::<Self>(path, Flaw::TooLarge { limit: Self::SIZE_LIMIT })
            }
            _ => ReadError::of::<Self>(path, Flaw::Io(source)),
        })
    }

    /// The document in the bytes of a file; `path` names it in errors.
    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, ReadError> {
        let flaw = |flaw| ReadError::of::<Self>(path, flaw);
        let malformed = |source| flaw(Flaw::Malformed(source));
        // The head first: what else a document of another form holds is not known here.
        let head = Head::of(bytes).map_err(malformed)?;
        if head.kind.as_deref() != Self::KIND {
            return Err(flaw(Flaw::Kind(head.kind)));
        }
        if head.format_version != u64::from(Self::FORMAT_VERSION) {
            return Err(flaw(Flaw::Version {
                found: head.format_version,
                known: Self::FORMAT_VERSION,
            }));
        }
        let document: Self = limits::from_json(bytes).map_err(malformed)?;
        document.consistent().map_err(|source| flaw(Flaw::Contradiction(source.into())))?;
        Ok(document)
    }

    /// The path and the text of its JSON Schema (draft 2020-12): every member that is written is
    /// required, none may be added.
    fn schema() -> serde_json::Result<(&'static str, String)> {
        Ok((Self::SCHEMA, schema_of::<Self>()?))
    }
}

/// The bytes of a document: indented, members in their order, and a line feed at the end.
pub(crate) fn to_bytes<T: Serialize>(document: &T) -> serde_json::Result<Vec<u8>> {
    layout::to_bytes(document, usize::MAX, 0)
}

/// The JSON Schema of a type.
pub(crate) fn schema_of<T: JsonSchema>() -> serde_json::Result<String> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

/// What a document says of itself.
#[derive(Deserialize)]
pub(crate) struct Head {
    pub(crate) format_version: u64,
    pub(crate) kind: Option<String>,
}

impl Head {
    pub(crate) fn of(bytes: &[u8]) -> serde_json::Result<Self> {
        limits::from_json(bytes)
    }
}

/// A file holds no document that can be used.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub flaw: Flaw,
    name: &'static str,
    file: &'static str,
    remedy: &'static str,
    is_sealed: bool,
}

/// What is wrong with the file of a document.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum Flaw {
    #[error("it cannot be opened or read")]
    Io(#[source] io::Error),
    #[error("it is larger than {} kB, so no document of this tool", .limit / 1000)]
    TooLarge { limit: u64 },
    #[error("it has format version {found}, and this program reads version {known}")]
    Version { found: u64, known: u32 },
    #[error("it is a document of {}", .0.as_ref().map_or("no kind".into(), |kind| format!("the kind `{kind}`")))]
    Kind(Option<String>),
    #[error("it is damaged or was not written by this tool")]
    Malformed(#[source] serde_json::Error),
    #[error("it contradicts itself, so it was edited or is damaged")]
    Contradiction(#[source] Box<Contradiction>),
}

impl ReadError {
    pub(crate) fn of<D: JsonDocument>(path: &Path, flaw: Flaw) -> Self {
        Self {
            path: path.to_owned(),
            flaw,
            name: D::NAME,
            file: D::FILE,
            remedy: D::REMEDY,
            is_sealed: D::SEALED,
        }
    }

    /// Whether the file is not as it was written.
    pub const fn is_of_integrity(&self) -> bool {
        match self.flaw {
            Flaw::Io(_) | Flaw::Version { .. } | Flaw::Kind(_) => false,
            Flaw::TooLarge { .. } | Flaw::Malformed(_) => self.is_sealed,
            Flaw::Contradiction(_) => true,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { flaw, name, file, remedy, .. } = self;
        write!(f, "failed to read the {name} `{}`", self.path.display())?;
        if let Flaw::Io(_) = flaw {
            return write!(f, "; is this the path of a {file}?");
        }
        write!(f, ": {flaw}")?;
        match flaw {
            Flaw::Version { .. } => {
                write!(f, "; {remedy}, or read it with the program that wrote it")
            }
            Flaw::Malformed(_) | Flaw::Contradiction(_) => write!(f, "; {remedy}"),
            Flaw::Io(_) | Flaw::TooLarge { .. } | Flaw::Kind(_) => Ok(()),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.flaw.source()
    }
}
