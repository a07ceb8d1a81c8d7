//! Requirements: the statements of the specifications, and which executed cases verify them.
//!
//! Each document has a catalogue in the folder of its operator, which is part of the binary.
//! The [`Catalogue`] holds them all; a [`Row`] sets one of them against executed cases. A requirement's [`Status`] is derived here and nowhere else; the module `matrix` above adds
//! campaigns, pages and links.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use reference::operators::OPERATORS;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::profile::Strictness;
use crate::verdict::Aspect;

mod read;
mod row;
mod status;

pub use read::CatalogueError;
pub use row::{Row, UnknownRequirement};
pub use status::{Status, Support, Tested, Verified};

/// The requirements of some documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    documents: Vec<SourceDocument>,
    /// In natural order of their ids.
    requirements: Vec<Requirement>,
    /// Where among them each id lies.
    places: HashMap<String, usize>,
}

/// A specification as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDocument {
    /// Name of its catalogue's file, without `.toml`.
    pub key: String,
    /// What it is called.
    pub title: String,
    /// Digest of its file; none where no copy of it is kept.
    pub sha256: Option<Digest>,
    /// Who issued it, and where it is found.
    pub source: String,
}

/// One statement of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Tag: `E_` and `GR` are the working group's, `P_` this project's.
    pub id: String,
    /// Key of the document.
    pub document: String,
    /// Where in the document it stands.
    pub section: String,
    /// The document's own labels for it, each unique in the document.
    pub aliases: Vec<String>,
    /// What sort of statement it is.
    pub kind: RequirementKind,
    /// What it states something about.
    pub aspects: BTreeSet<Aspect>,
    /// How strictly values and errors are to be judged to verify it.
    pub strictness: Strictness,
    /// Whether the tag is this project's, for want of one in the document.
    pub provisional: bool,
    /// What it says, in this project's words.
    pub statement: String,
    /// Why no execution can verify it, where that is so.
    pub untestable: Option<String>,
}

/// What sort of statement a requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// Which output belongs to which inputs.
    Function,
    /// What holds of the shapes, types and values of one operator's tensors.
    Constraint,
    /// What a profile rules out of what ONNX allows.
    Restriction,
    /// What happens where the operator has no ordinary result.
    ErrorCondition,
    /// How far a result may lie from the exact one.
    Accuracy,
}

impl fmt::Display for RequirementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Catalogue {
    /// The files of the catalogues of the binary, in the order of the operators: name and text.
    pub fn files() -> Vec<(String, &'static str)> {
        let documents = OPERATORS.iter().flat_map(|operator| operator.documents);
        documents.map(|document| (format!("{}.toml", document.key), document.catalogue)).collect()
    }

    /// The catalogues of the binary.
    pub fn embedded() -> Result<Self, CatalogueError> {
        Self::from_files(&Self::files())
    }

    /// The documents, in the order of the files.
    pub fn documents(&self) -> &[SourceDocument] {
        &self.documents
    }

    /// All requirements, in natural order of their ids.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// The requirement with this id.
    pub fn get(&self, id: &str) -> Option<&Requirement> {
        self.requirements.get(*self.places.get(id)?)
    }
}
