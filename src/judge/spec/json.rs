//! The findings as JSON, for programs: as they are, and in SARIF 2.1.0 (OASIS, Static Analysis Results
//! Interchange Format), for editors and for continuous integration.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Finding, Revision, Unreadable, revisions};
use crate::document::{JsonDocument, to_bytes};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 2;

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
    /// What newer revisions of documents change.
    pub revisions: Vec<Revision>,
}

/// All findings, and what newer revisions of documents change. The same at every call.
pub fn check_all() -> Result<Findings, Unreadable> {
    let findings = super::check()?;
    let revisions = revisions(&findings)?;
    Ok(Findings { format_version: FORMAT_VERSION, findings, revisions })
}

impl JsonDocument for Findings {
    const NAME: &'static str = "list of findings";
    const FILE: &'static str = "`findings.json`";
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const REMEDY: &'static str = "run `spec-check --json` again";
    const SCHEMA: &'static str = "reports/schema/findings.schema.json";
}

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings as a SARIF log with a line feed at the end. The same findings give the same bytes.
pub fn to_sarif(findings: &[Finding]) -> Result<Vec<u8>, serde_json::Error> {
    let ids: BTreeSet<&str> = findings.iter().map(|finding| &*finding.requirement).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let driver = json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        // The requirements: what is wrong with one is a result of its rule.
        "rules": ids.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>(),
    });
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &ids)).collect();
    let tool = json!({ "driver": driver });
    let run = json!({ "tool": tool, "columnKind": "unicodeCodePoints", "results": results });
    to_bytes(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

fn result(finding: &Finding, ids: &[&str]) -> Value {
    let uri = format!("{}.md", finding.document);
    let name = format!("{uri}#{}", finding.section);
    json!({
        "ruleId": finding.requirement,
        // The list is sorted and holds every tag, so the place to insert one is its index.
        "ruleIndex": ids.partition_point(|id| **id < *finding.requirement),
        "level": finding.level,
        "message": { "text": format!("{}. Example: {}", finding.message, finding.example) },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": uri } },
            "logicalLocations": [{ "name": finding.section, "fullyQualifiedName": name }],
        }],
        "occurrenceCount": finding.count,
        "partialFingerprints": { "finding/v1": fingerprint(finding) },
    })
}

/// What stays the same of a finding while its wording or its count changes.
fn fingerprint(finding: &Finding) -> String {
    let mut digest = Sha256::new();
    let kind = format!("{:?}", finding.kind);
    for part in [
        &*finding.document,
        &*finding.section,
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
