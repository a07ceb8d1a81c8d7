//! `cargo xtask codegen`: the protobuf messages, from the fetched schema, the JSON Schemas of the machine formats, and
//! tables and counts in pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use onnx_conformance::document::{JsonDocument, ReadError};
use onnx_conformance::documents::audit::document::Audit;
use onnx_conformance::documents::evidence;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::qualification::Qualification;
use onnx_conformance::documents::report::baseline::Baseline;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::messages::Message;
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use onnx_conformance::documents::site::document as site;
use onnx_conformance::judge::spec::Findings;
use onnx_conformance::measure::atlas::Atlas;
use onnx_conformance::measure::atlas::markdown::{overview, table};
use onnx_conformance::measure::campaign::Campaign;
use onnx_conformance::measure::sums::Sums;
use onnx_conformance::models::inspect::document::Inspection;
use onnx_conformance::models::trace::document::Trace;

use crate::{counts, generated, tool};

/// The errors of runtimes that were measured, and the chapter that has them as tables, between these lines.
const ERRORS: [&str; 9] = [
    "reports/atlas/builtin.json",
    "reports/atlas/onnx-reference.json",
    "reports/atlas/onnxruntime.json",
    "reports/atlas/openvino.json",
    "reports/atlas/rten.json",
    "reports/atlas/tract.json",
    "reports/atlas/exact.json",
    "reports/atlas/rounded.json",
    "reports/atlas/cuda.json",
];
const CHAPTER: &str = "docs/largest-errors.md";
const TABLE: [&str; 2] = ["<!-- The tables of ", "<!-- The end of the tables. -->"];

/// The messages cannot be generated, or are not as committed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Messages(#[from] tool::Error),
    #[error("failed to make the JSON Schema, or to read what makes the messages")]
    JsonSchema(#[from] serde_json::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{} has no markers for the beginning and end of its table", .0.display())]
    Place(PathBuf),
    #[error(transparent)]
    Counts(#[from] counts::Error),
    #[error(transparent)]
    Generated(#[from] generated::Error),
}

/// Generates the files below `root`, or with `check` compares them.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let messages = tool::messages(root, &root.join("testdata/corpora"))?;
    for (path, contents) in serde_json::from_slice::<BTreeMap<PathBuf, String>>(&messages)? {
        generated::write_or_check(&root.join(path), &contents, check)?;
    }
    let schemas = [Report::schema()?, Baseline::schema()?, Campaign::schema()?, Matrix::schema()?];
    let others =
        [Qualification::schema()?, Scoreboard::schema()?, Findings::schema()?, Audit::schema()?];
    let sites = [site::Site::schema()?, site::Backend::schema()?, site::Operator::schema()?];
    let schemas = schemas.into_iter().chain(others).chain(sites);
    let schemas = schemas.chain([
        Message::schema()?,
        Atlas::schema()?,
        Sums::schema()?,
        Inspection::schema()?,
        Trace::schema()?,
    ]);
    for (path, contents) in schemas.chain(evidence::document::schemas()?) {
        generated::write_or_check(&root.join(path), &contents, check)?;
    }
    let atlases = ERRORS.map(|path| Atlas::read(&root.join(path)));
    let atlases = atlases.into_iter().collect::<Result<Vec<_>, _>>()?;
    let chapter = root.join(CHAPTER);
    generated::write_or_check(&chapter, &with_tables(&atlases, &chapter)?, check)?;
    Ok(counts::run(root, check)?)
}

/// A chapter with the tables of atlases in the place of those that it has.
fn with_tables(atlases: &[Atlas], chapter: &Path) -> Result<String, Error> {
    let text = fs::read_to_string(chapter).map_err(|source| generated::Error::Io {
        action: "read",
        path: chapter.to_owned(),
        source,
    })?;
    let place = || {
        let (before, rest) = text.split_once(TABLE[0])?;
        let (name, rest) = rest.split_once('\n')?;
        let (_, after) = rest.split_once(TABLE[1])?;
        let tables = [&overview(atlases), "\n", &table(atlases)].concat();
        Some([before, TABLE[0], name, "\n\n", &tables, "\n", TABLE[1], after].concat())
    };
    place().ok_or_else(|| Error::Place(chapter.to_owned()))
}
