//! The schema of the campaign document.

use onnx_conformance::campaign::Campaign;
use onnx_conformance::document::JsonDocument;
use serde_json::{Value, json};

use crate::matrices::conducted;
use crate::{assert_committed, errors};

/// A document of the first of two shards, as a campaign makes it.
fn valid() -> Value {
    let mut document = conducted(Some(0..1 << 15));
    document.shard = Some(serde_json::from_value(json!({"index": 1, "count": 2})).unwrap());
    serde_json::from_slice(&document.to_bytes().unwrap()).unwrap()
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Campaign>();
}

#[test]
fn a_document_that_is_written_is_valid_and_one_that_differs_is_not() {
    let document = valid();
    assert_eq!(errors::<Campaign>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", json!(2)),
        ("/executed", json!(-1)),
        ("/violations", json!("none")),
        ("/shard", json!({"index": 1})),
        ("/classes", json!({})),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert!(!errors::<Campaign>(&changed).is_empty(), "{member}");
    }
    for path in ["", "/backend", "/range", "/histogram/0", "/heat_map/cells/0", "/provenance"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert_eq!(errors::<Campaign>(&changed).len(), 1, "{path}");
    }
}

#[test]
fn floats_are_no_json_numbers() {
    fn numbers(value: &Value) -> Vec<&serde_json::Number> {
        match value {
            Value::Number(number) => vec![number],
            Value::Array(values) => values.iter().flat_map(numbers).collect(),
            Value::Object(members) => members.values().flat_map(numbers).collect(),
            Value::Null | Value::Bool(_) | Value::String(_) => Vec::new(),
        }
    }
    let document = valid();
    let numbers = numbers(&document);
    assert!(numbers.len() > 20 && numbers.iter().all(|number| number.is_u64()));
}
