//! The claim of a pack: an in-toto Statement v1 with the test-result predicate v0.1, and the envelope
//! (DSSE) that waits for signatures.
//!
//! The statement names the subject by its digest and, as the configuration, the manifest and the
//! profiles and locks of the pack. Everything else hangs on the manifest.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use super::canonical;
use super::document::Manifest;
use super::outcome::{Outcome, Result};
use super::sources::Sources;
use crate::corpus::Digest;

pub(super) const STATEMENT: &str = "statement.json";
pub(super) const ENVELOPE: &str = "statement.dsse.json";
pub(super) const MANIFEST: &str = "manifest.json";

const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

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
    digest: Digests,
}

#[derive(Serialize)]
struct Digests {
    sha256: Digest,
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

/// The bytes of `statement.json`.
pub(super) fn statement(
    sources: &Sources,
    manifest: &Manifest,
    manifest_digest: Digest,
) -> serde_json::Result<Vec<u8>> {
    let descriptor =
        |name: &str, sha256| Descriptor { name: name.to_owned(), digest: Digests { sha256 } };
    let (subject, digest) = sources.subject()?;
    let is_configuration = |path: &str| path.starts_with("profiles/") || path.starts_with("locks/");
    let files = manifest.files.iter().filter(|file| is_configuration(&file.path));
    let outcome = Outcome::of(sources);
    canonical::to_bytes(&Statement {
        statement_type: STATEMENT_TYPE,
        subject: vec![descriptor(&subject, digest)],
        predicate_type: PREDICATE_TYPE,
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
    canonical::to_bytes(&Envelope {
        payload_type: PAYLOAD_TYPE,
        payload: BASE64_STANDARD.encode(statement),
        signatures: [],
    })
}
