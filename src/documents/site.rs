//! Sites: static pages with the history of many reports, for any web server.
//!
//! [`make`] reads the reports, orders them by the time of their runs, compares each with the one before it
//! of the same backend and suites as the gate does, and gives the files of the site; [`publish`] has a
//! folder hold them, all or none. The files are a function of the reports, in whatever order they are named.

mod badge;
mod build;
pub mod document;
mod history;
mod html;
mod names;
mod publish;
pub mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;

use self::badge::Badge;
use self::build::Documents;
use self::document::Site;
use crate::document::{JsonDocument, ReadError};

pub use build::MOST_OPERATORS;
pub use history::{MOST_BACKENDS, MOST_REPORTS};
pub use publish::{PublishError, publish};

/// The document of the front page, by which a folder is known as a site.
pub const INDEX: &str = "index.json";

/// Why no site can be made of these reports.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum SiteError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "a site is made of at most {MOST_REPORTS} reports, and these are {0}; leave the oldest out"
    )]
    Reports(usize),
    #[error(
        "a site has at most {MOST_BACKENDS} backends, and the reports are of {0}; make several sites"
    )]
    Backends(usize),
    #[error(
        "failed to use `{0}`: with it the reports name more than {MOST_OPERATORS} operators; leave it out"
    )]
    Operators(PathBuf),
    #[error(
        "failed to use `{path}`: it gives the start of its run as `{clock}`, which is not in RFC 3339, so \
         it cannot be placed in a history; use the report that the run wrote, not the one in an evidence pack"
    )]
    Undated { path: PathBuf, clock: String },
    #[error(
        "failed to use `{path}`: it is of the shard {shard} alone; merge all shards first, with \
         `onnx-conformance merge`"
    )]
    Shard { path: PathBuf, shard: String },
    #[error(
        "failed to use `{0}`: it changed while it was read; try again when nothing writes to it"
    )]
    Altered(PathBuf),
    #[error("failed to make the documents of the site; leave the oldest reports out")]
    Serialise(#[from] serde_json::Error),
    #[error("failed to make the pages of the site")]
    Render(#[from] askama::Error),
}

/// The files of a site by their paths in it, and the document of its front page.
#[derive(Clone, Debug)]
pub struct Made {
    /// The document of the front page.
    pub site: Site,
    /// Every file.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Makes the site of the reports in these files.
pub fn make(reports: &[PathBuf]) -> Result<Made, SiteError> {
    let Documents { mut site, backends, operators } = Documents::of(reports)?;
    let mut files = BTreeMap::new();
    for (standing, backend) in site.backends.iter().zip(&backends) {
        let folder = standing.page.trim_end_matches("index.html");
        files.insert(standing.page.clone(), html::of_backend(standing, backend)?.into_bytes());
        files.insert(format!("{folder}{INDEX}"), backend.to_bytes()?);
        files.insert(format!("{folder}badge.json"), Badge::of_backend(standing).to_bytes()?);
    }
    for (row, operator) in site.operators.iter().zip(&operators) {
        let stem = row.page.trim_end_matches("html");
        files.insert(row.page.clone(), html::of_operator(operator)?.into_bytes());
        files.insert(format!("{stem}json"), operator.to_bytes()?);
    }
    files.insert("badge.json".to_owned(), Badge::of_site(&site).to_bytes()?);
    files.insert("index.html".to_owned(), html::of_site(&site)?.into_bytes());
    site.files = files.keys().cloned().collect();
    files.insert(INDEX.to_owned(), site.to_bytes()?);
    Ok(Made { site, files })
}
