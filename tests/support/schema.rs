//! The committed schema of a document, and what it says of a value.

use std::fs;
use std::path::Path;

use onnx_conformance::document::JsonDocument;
use serde_json::Value;

/// Why a value is not a document of this kind by the schema of its type.
pub(crate) fn errors<D: JsonDocument>(value: &Value) -> Vec<String> {
    let schema = serde_json::from_str(&D::schema().unwrap().1).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}

/// Panics unless the committed schema is the one of the type.
pub(crate) fn assert_committed<D: JsonDocument>() {
    let (path, generated) = D::schema().unwrap();
    let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    assert!(
        committed.is_ok_and(|committed| committed == generated),
        "{path} is not what the type says; renew it with `cargo xtask codegen`"
    );
}
