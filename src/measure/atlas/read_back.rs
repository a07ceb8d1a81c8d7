//! What the document of an atlas cannot say.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::conduct::{DOCUMENT, SIZE_LIMIT};
use super::document::{Atlas, FORMAT_VERSION, Row};
use crate::document::{JsonDocument, ReadError};
use crate::limits;

/// What an atlas says that cannot be so.
#[derive(Debug, thiserror::Error)]
pub enum Contradiction {
    /// Its digest is that of other contents.
    #[error("its contents do not match its digest")]
    Digest,
    /// A member of a row cannot be what it is beside the others.
    #[error("the {member} of {row} cannot be as they are")]
    Row {
        /// Which row.
        row: String,
        /// Which member.
        member: &'static str,
    },
    /// Rows are not in order, or there are two of one.
    #[error("its rows are not in order, or {0} is there twice")]
    Order(String),
}

impl Contradiction {
    pub(super) fn of(row: &Row, member: &'static str) -> Self {
        Self::Row { row: name(row), member }
    }
}

/// A row as readers know it.
pub(crate) fn name(row: &Row) -> String {
    let hard = if row.is_hard() { ", hard inputs," } else { "" };
    format!("{} of {}{hard} on {}", row.operator, row.applied_to(), row.backend)
}

/// Whether a file, or a folder with one, holds an atlas, of whatever version: it has its name, or rows beside the version of its form.
pub fn is_atlas(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Marks {
        #[serde(rename = "rows")]
        _rows: IgnoredAny,
        #[serde(rename = "format_version")]
        _version: IgnoredAny,
    }
    let path = file(path);
    path.is_file()
        && (path.file_name().is_some_and(|name| name == DOCUMENT)
            || Atlas::read_bytes(&path)
                .is_ok_and(|bytes| limits::from_json::<Marks>(&bytes).is_ok()))
}

/// The document in a folder, or the file itself.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(DOCUMENT) } else { path.to_owned() }
}

impl JsonDocument for Atlas {
    const NAME: &'static str = "atlas";
    const FILE: &'static str = "`atlas.json`, or of a folder with one";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const SIZE_LIMIT: u64 = SIZE_LIMIT;
    const REMEDY: &'static str = "chart it anew";
    const SCHEMA: &'static str = "reports/schema/atlas.schema.json";
    type Contradiction = Contradiction;

    fn consistent(&self) -> Result<(), Contradiction> {
        if !self.contents_digest().is_ok_and(|digest| digest == self.digest) {
            return Err(Contradiction::Digest);
        }
        let mut before: Option<&Row> = None;
        for row in &self.rows {
            if before.is_some_and(|before| before.key() >= row.key()) {
                return Err(Contradiction::Order(name(row)));
            }
            row.state()?;
            before = Some(row);
        }
        Ok(())
    }

    fn read(path: &Path) -> Result<Self, ReadError> {
        let path = file(path);
        Self::from_bytes(&path, &Self::read_bytes(&path)?)
    }
}
