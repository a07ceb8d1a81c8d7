//! The messages of a run that goes on, format version 1: one JSON object a line, for editors, dashboards and CI.
//!
//! The cases come in natural order of their ids, whatever order they finish in, each once it is settled: as the
//! report will have it. So all of the messages but each one's `provenance` is a function of the inputs.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build;
use super::document::{Backend, Case, Report, Summary, Tool};
use super::parts::Written;
use crate::document;
use crate::document::provenance;
use crate::judge::verdict::Verdict;

/// Version of the messages' format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// Path of the committed JSON Schema of a message in the checkout.
const SCHEMA: &str = "reports/schema/message.schema.json";

/// A line: one message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(title = "onnx-conformance message")]
pub enum Message {
    /// The first line: what runs what.
    RunStarted {
        /// Version of this format.
        #[schemars(extend("const" = FORMAT_VERSION))]
        format_version: u32,
        /// The program that runs the cases.
        tool: Tool,
        /// The system under test.
        backend: Backend,
        /// Cases that are read, selected or not.
        cases: u64,
        /// Where and when.
        provenance: Begun,
    },
    /// A selected case has its result.
    CaseFinished {
        /// Its id, as in the report.
        id: String,
        /// Its verdict.
        verdict: Verdict,
        /// What was expected of this backend.
        expected: Verdict,
        /// Whether the result alone makes the run fail.
        unexpected: bool,
        /// Why, where the verdict is not a pass; may have several lines.
        message: Option<String>,
        /// How long it took.
        provenance: Spent,
    },
    /// The last line: the reports are written. A run without a result has none.
    RunFinished {
        /// The exit code that the program ends with.
        exit_code: u8,
        /// Cases by verdict, and what was compared.
        summary: Summary,
        /// Where the reports lie.
        reports: Paths,
        /// How long it took.
        provenance: Spent,
    },
}

/// When a run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// RFC 3339 in UTC.
    pub clock: String,
}

/// How long something took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    /// In seconds: of a case what the backend took, of a run the whole.
    pub duration: String,
}

/// The files of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paths {
    /// `report.json`.
    pub json: String,
    /// `report.html`.
    pub html: String,
    /// `junit.xml`.
    pub junit: String,
    /// `matrix.json`; null where there is none.
    pub matrix_json: Option<String>,
    /// `matrix.html`; null where there is none.
    pub matrix_html: Option<String>,
}

impl Message {
    /// The message that a run on a backend begins, which reads so many cases.
    pub fn started(backend: &Backend, cases: usize) -> Self {
        Self::RunStarted {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: backend.clone(),
            cases: cases as u64,
            provenance: Begun { clock: provenance::clock(Duration::ZERO) },
        }
    }

    /// The message that a case has its result.
    pub fn of(case: &Case) -> Self {
        Self::CaseFinished {
            id: case.id.clone(),
            verdict: case.verdict,
            expected: case.expected,
            unexpected: case.is_unexpected_failure(),
            message: case.message.clone(),
            provenance: Spent { duration: provenance::seconds(case.duration) },
        }
    }

    /// The message that a report is written, and with which code its run ends.
    pub fn finished(report: &Report, written: &Written, exit_code: u8) -> Self {
        let path = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
        let matrix = written.matrix.as_ref();
        let duration = report.provenance.durations.get(build::RUN);
        Self::RunFinished {
            exit_code,
            summary: report.summary,
            reports: Paths {
                json: path(&written.json),
                html: path(&written.html),
                junit: path(&written.junit),
                matrix_json: matrix.map(|[_, json]| path(json)),
                matrix_html: matrix.map(|[html, _]| path(html)),
            },
            provenance: Spent { duration: duration.cloned().unwrap_or_default() },
        }
    }

    /// The path and the text of the JSON Schema of a message.
    pub fn schema() -> serde_json::Result<(&'static str, String)> {
        Ok((SCHEMA, document::schema_of::<Self>()?))
    }
}
