//! An atlas read back, and whether it is consistent.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::document::{Atlas, FORMAT_VERSION, Row};
use super::driver::{DOCUMENT, SIZE_LIMIT};
use crate::document::{Contradiction, JsonDocument, Sealed, agrees, ascend};
use crate::limits;

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
    let path = Atlas::file(path);
    path.is_file()
        && (path.file_name().is_some_and(|name| name == DOCUMENT)
            || Atlas::read_bytes(&path)
                .is_ok_and(|bytes| limits::from_json::<Marks>(&bytes).is_ok()))
}

impl JsonDocument for Atlas {
    const NAME: &'static str = "atlas";
    const FILE: &'static str = "`atlas.json`, or of a folder with one";
    const IN_FOLDER: Option<&'static str> = Some(DOCUMENT);
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const SIZE_LIMIT: u64 = SIZE_LIMIT;
    const REMEDY: &'static str = "chart it anew";
    const SCHEMA: &'static str = "reports/schema/atlas.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        agrees("digest", &self.digest, &self.contents_digest()?)?;
        ascend("rows", &self.rows, Row::key)?;
        let within = |(at, row): (usize, &Row)| {
            row.state().map(drop).map_err(|found| found.within(format_args!("rows[{at}]")))
        };
        self.rows.iter().enumerate().try_for_each(within)
    }
}
