//! The claim of a pack: an in-toto Statement v1 with the test-result predicate v0.1, and the envelope
//! (DSSE) that waits for signatures.
//!
//! The statement names the subject and the models that were inspected by their digests and, as the configuration, the
//! manifest and the profiles and locks of the pack. Everything else hangs on the manifest.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use super::document::Manifest;
use super::outcome::{Outcome, Result};
use super::sources::Sources;
use crate::corpus::Digest;
use crate::document::to_bytes;

pub(super) const STATEMENT: &str = "statement.json";
pub(super) const ENVELOPE: &str = "statement.dsse.json";
pub(super) const MANIFEST: &str = "manifest.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    #[serde(rename = "_type")]
    statement_type: &'static str,
    subject: Vec<Descriptor>,
    predicate_type: &'static str,
    predicate: Predicate,
}

#[derive(Serialize)]
struct Descriptor {
    name: String,
    /// By the name of its algorithm.
    digest: BTreeMap<&'static str, Digest>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Predicate {
    result: Result,
    configuration: Vec<Descriptor>,
    passed_tests: Vec<String>,
    warned_tests: Vec<String>,
    failed_tests: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload_type: &'static str,
    payload: String,
    signatures: [(); 0],
}

pub(super) fn statement(
    sources: &Sources,
    manifest: &Manifest,
    manifest_digest: Digest,
) -> serde_json::Result<Vec<u8>> {
    let descriptor = |name: &str, sha256| Descriptor {
        name: name.to_owned(),
        digest: [("sha256", sha256)].into(),
    };
    let (subject, digest) = sources.subject()?;
    let is_configuration = |path: &str| path.starts_with("profiles/") || path.starts_with("locks/");
    let files = manifest.files.iter().filter(|file| is_configuration(&file.path));
    let outcome = Outcome::of(sources);
    let models = sources.models.iter();
    let models = models.filter_map(|it| Some(descriptor(&it.document.model.name, it.digest()?)));
    to_bytes(&Statement {
        statement_type: "https://in-toto.io/Statement/v1",
        subject: std::iter::once(descriptor(&subject, digest)).chain(models).collect(),
        predicate_type: "https://in-toto.io/attestation/test-result/v0.1",
        predicate: Predicate {
            result: outcome.result(),
            configuration: std::iter::once(descriptor(MANIFEST, manifest_digest))
                .chain(files.map(|file| descriptor(&file.path, file.sha256)))
                .collect(),
            passed_tests: outcome.passed,
            warned_tests: outcome.warned,
            failed_tests: outcome.failed,
        },
    })
}

/// The bytes of `statement.dsse.json`: the statement, ready to be signed.
pub(super) fn envelope(statement: &[u8]) -> serde_json::Result<Vec<u8>> {
    to_bytes(&Envelope {
        payload_type: "application/vnd.in-toto+json",
        payload: BASE64_STANDARD.encode(statement),
        signatures: [],
    })
}
