//! The findings as JSON, for programs: as they are, and in SARIF 2.1.0 (OASIS, Static Analysis Results
//! Interchange Format), for editors and for continuous integration.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Finding, Level};
use crate::document::{JsonDocument, to_bytes};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What `spec-check --json` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance findings")]
pub struct Findings {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// All findings, document by document.
    pub findings: Vec<Finding>,
}

impl JsonDocument for Findings {
    const NAME: &'static str = "list of findings";
    const FILE: &'static str = "`findings.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const REMEDY: &'static str = "run `spec-check --json` again";
    const SCHEMA: &'static str = "reports/schema/findings.schema.json";
    type Contradiction = Infallible;
}

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: BTreeMap<&'static str, Driver>,
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    /// The requirements: what is wrong with one is a result of its rule.
    rules: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: Level,
    message: Value,
    locations: [Location<'a>; 1],
    occurrence_count: u64,
    partial_fingerprints: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Value,
    logical_locations: [LogicalLocation<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    name: &'a str,
    fully_qualified_name: String,
}

/// The findings as a SARIF log with a line feed at the end. The same findings give the same bytes.
pub fn to_sarif(findings: &[Finding]) -> Result<Vec<u8>, serde_json::Error> {
    let ids: BTreeSet<&str> = findings.iter().map(|finding| &*finding.requirement).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let results = findings
        .iter()
        .map(|finding| SarifResult {
            rule_id: &finding.requirement,
            // The list is sorted and holds every tag, so the place to insert one is its index.
            rule_index: ids.partition_point(|id| **id < *finding.requirement),
            level: finding.level,
            message: json!({ "text": format!("{}. Example: {}", finding.message, finding.example) }),
            locations: [location(finding)],
            occurrence_count: finding.count,
            partial_fingerprints: json!({ "finding/v1": fingerprint(finding) }),
        })
        .collect();
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        rules: ids.iter().map(|id| json!({ "id": id })).collect(),
    };
    let tool = BTreeMap::from([("driver", driver)]);
    let run = Run { tool, column_kind: "unicodeCodePoints", results };
    to_bytes(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })
}

fn location(finding: &Finding) -> Location<'_> {
    let uri = format!("{}.md", finding.document);
    let fully_qualified_name = format!("{uri}#{}", finding.section);
    Location {
        physical_location: json!({ "artifactLocation": { "uri": uri } }),
        logical_locations: [LogicalLocation { name: finding.section, fully_qualified_name }],
    }
}

/// What stays the same of a finding while its wording or its count changes.
fn fingerprint(finding: &Finding) -> String {
    let mut digest = Sha256::new();
    let kind = format!("{:?}", finding.kind);
    for part in [
        &*finding.document,
        finding.section,
        finding.domain,
        &finding.requirement,
        &kind,
        &finding.against,
        &finding.example,
    ] {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
