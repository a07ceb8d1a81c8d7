//! The committed schemas: they are those of the types, every document that is written is valid by them, and one
//! that differs is not. `cargo test --package schemas`

#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod atlas;
mod audit;
mod campaign;
mod evidence;
mod findings;
mod inspect;
#[allow(dead_code, reason = "the tests of matrices use the rest")]
#[path = "../it/matrix/synthetic.rs"]
mod matrices;
mod matrix;
mod messages;
mod qualification;
mod report;
mod scoreboard;
#[allow(dead_code, reason = "the tests of scoreboards use the rest")]
#[path = "../it/scoreboard/synthetic.rs"]
mod scoreboards;
mod site;
mod sums;
#[allow(dead_code, reason = "each binary uses its part")]
#[path = "../support/mod.rs"]
mod support;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use onnx_conformance::document::JsonDocument;
use serde_json::Value;
use support::reports;

/// A file of the project.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Why a value is not a document of this kind by the schema of its type.
fn errors<D: JsonDocument>(value: &Value) -> Vec<String> {
    errors_by(&D::schema().unwrap().1, value)
}

/// Why a value is not valid by a schema.
fn errors_by(schema: &str, value: &Value) -> Vec<String> {
    let validator: Validator =
        jsonschema::draft202012::new(&serde_json::from_str(schema).unwrap()).unwrap();
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}

/// Panics unless the committed schema is the one of the type.
fn assert_committed<D: JsonDocument>() {
    let (path, generated) = D::schema().unwrap();
    let committed = fs::read_to_string(file(path));
    assert!(
        committed.is_ok_and(|committed| committed == generated),
        "{path} is not what the type says; renew it with `cargo xtask codegen`"
    );
}
