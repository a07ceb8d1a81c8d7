//! Campaign documents as files.

use std::path::Path;

use super::document::{Document, FORMAT_VERSION};
use super::record::Inconsistent;
use crate::document::{JsonDocument, ReadError};

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "campaign.json";
/// Name of the page for readers.
pub const PAGE: &str = "campaign.html";
/// Name of the document of a campaign that is under way.
pub const CHECKPOINT: &str = "campaign.partial.json";

/// Largest document that is read, in bytes: twice the largest that is written.
pub const SIZE_LIMIT: u64 = 1_500_000;

/// What the document of a campaign cannot say.
#[derive(Debug, thiserror::Error)]
pub enum Contradiction {
    /// Its digest is that of other contents.
    #[error("its contents do not match its digest")]
    Digest,
    /// One of its members cannot be what it is beside the others.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
}

impl JsonDocument for Document {
    const NAME: &'static str = "campaign";
    const FILE: &'static str = "`campaign.json`, or of a folder with one";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const SIZE_LIMIT: u64 = SIZE_LIMIT;
    const REMEDY: &'static str = "execute it anew";
    const SCHEMA: &'static str = "reports/schema/campaign.schema.json";
    type Contradiction = Contradiction;

    fn consistent(&self) -> Result<(), Contradiction> {
        match self.contents_digest() {
            Ok(digest) if digest == self.digest => Ok(self.state().map(drop)?),
            _ => Err(Contradiction::Digest),
        }
    }

    fn read(path: &Path) -> Result<Self, ReadError> {
        let path = if path.is_dir() { path.join(DOCUMENT) } else { path.to_owned() };
        Self::from_bytes(&path, &Self::read_bytes(&path)?)
    }
}
