//! The schema of the campaign document.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::measure::campaign::Campaign;
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
        ("/format_version", json!(3)),
        ("/executed", json!(-1)),
        ("/violations", json!("none")),
        ("/shard", json!({"index": 1})),
        ("/shard/index", json!(0)),
        ("/shard/count", json!(0)),
        ("/inputs", json!(0)),
        ("/promised", json!(0)),
        ("/range/end", json!(0)),
        ("/ranges/0/first", json!(1.5)),
        ("/heat_map/stride", json!(0)),
        ("/heat_map/group", json!(0)),
        ("/heat_map/group", json!(65_535)),
        ("/heat_map/cells/0/a", json!(65)),
        ("/heat_map/cells/0/b", json!(u64::MAX)),
        ("/digest", json!("none")),
        ("/classes", json!({})),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert!(!errors::<Campaign>(&changed).is_empty(), "{member}");
    }
    let schema: Value = serde_json::from_str(&Campaign::schema().unwrap().1).unwrap();
    assert!(numbers_without_range(&schema).is_empty(), "{:?}", numbers_without_range(&schema));
    for path in ["", "/backend", "/range", "/histogram/0", "/heat_map/cells/0", "/provenance"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert_eq!(errors::<Campaign>(&changed).len(), 1, "{path}");
    }
}

/// The schemas of numbers that do not say which is the least and the greatest.
fn numbers_without_range(schema: &Value) -> Vec<&Value> {
    let (own, below) = match schema {
        Value::Object(members) => {
            let is_number = match members.get("type") {
                Some(Value::String(name)) => name == "integer",
                Some(Value::Array(names)) => names.contains(&json!("integer")),
                _ => false,
            };
            let has_range = members.contains_key("const")
                || (members.contains_key("minimum") && members.contains_key("maximum"));
            // Any number of 64 bits is a seed.
            let below = members.iter().filter(|(name, _)| *name != "additionalProperties");
            let below = below.map(|(_, below)| below).collect::<Vec<_>>();
            ((is_number && !has_range).then_some(schema), below)
        }
        Value::Array(values) => (None, values.iter().collect()),
        _ => (None, Vec::new()),
    };
    own.into_iter().chain(below.into_iter().flat_map(numbers_without_range)).collect()
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
