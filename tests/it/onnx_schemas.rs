//! The signatures of the registry are those of ONNX's schemas, version by version.
//!
//! They are those of the `onnx` package that ONNX's evaluator is set up with; skipped where it is not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::process::Command;

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{
    Attribute, AttributeType, Operator, Otherwise, Port, Presence, Version,
};
use onnx_conformance::reference::operators;
use serde::Deserialize;

use crate::backends::newest_onnx;

/// Prints the versions of operators: those of their types that are tensors.
const SCRIPT: &str = r#"
import json, sys
import onnx

def port(of, types):
    stated = [text for text in types.get(of.type_str, [of.type_str]) if text.startswith("tensor(")]
    return {"name": of.name.strip("."), "variable": of.type_str, "presence": str(of.option).split(".")[-1],
            "types": sorted(text[len("tensor("):-1] for text in stated)}

def attribute(of):
    default = of.default_value
    value = onnx.helper.get_attribute_value(default) if default.type else None
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    return {"kind": str(of.type).split(".")[-1], "required": of.required,
            "default": [text(each) for each in value] if isinstance(value, list) else text(value)}

schemas = {}
for schema in onnx.defs.get_all_schemas_with_history():
    if schema.domain == "" and schema.name in sys.argv[1:]:
        types = {of.type_param_str: of.allowed_type_strs for of in schema.type_constraints}
        schemas.setdefault(schema.name, {})[schema.since_version] = {
            "inputs": [port(of, types) for of in schema.inputs],
            "outputs": [port(of, types) for of in schema.outputs],
            "attributes": {name: attribute(of) for name, of in schema.attributes.items()},
        }
json.dump(schemas, sys.stdout)
"#;

type Schemas = BTreeMap<String, BTreeMap<i64, Schema>>;

#[derive(Debug, PartialEq, Deserialize)]
struct Schema {
    inputs: Vec<SchemaPort>,
    outputs: Vec<SchemaPort>,
    attributes: BTreeMap<String, SchemaAttribute>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct SchemaPort {
    name: String,
    variable: String,
    presence: String,
    types: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct SchemaAttribute {
    kind: String,
    required: bool,
    default: Option<serde_json::Value>,
}

/// The name of a type in ONNX's schemas.
fn type_name(dtype: DType) -> String {
    match dtype {
        DType::Float32 => "float".to_owned(),
        DType::Float64 => "double".to_owned(),
        other => other.name().to_owned(),
    }
}

fn port(port: &Port) -> SchemaPort {
    let presence = match port.presence {
        Presence::Required => "Single",
        Presence::Optional => "Optional",
        Presence::Variadic => "Variadic",
    };
    let mut types: Vec<String> = port.types.iter().copied().map(type_name).collect();
    types.sort();
    let (name, variable) = (port.name.to_owned(), port.variable.to_owned());
    SchemaPort { name, variable, presence: presence.to_owned(), types }
}

fn attribute(attribute: &Attribute) -> (String, SchemaAttribute) {
    let kind = match attribute.value {
        AttributeType::Int => "INT",
        AttributeType::Ints => "INTS",
        AttributeType::Float => "FLOAT",
        AttributeType::Floats => "FLOATS",
        AttributeType::Text(_) | AttributeType::AnyText => "STRING",
        AttributeType::Texts => "STRINGS",
        AttributeType::Tensor => "TENSOR",
        AttributeType::Sparse => "SPARSE_TENSOR",
    };
    let default = match attribute.otherwise {
        Otherwise::Invalid | Otherwise::Unstated => None,
        Otherwise::Int(value) => Some(value.into()),
        Otherwise::Float(bits) => Some(f64::from(f32::from_bits(bits)).into()),
        Otherwise::Ints(values) => Some(values.into()),
        Otherwise::Text(text) => Some(text.into()),
        Otherwise::Texts(texts) => Some(texts.into()),
    };
    let required = attribute.otherwise == Otherwise::Invalid;
    (attribute.name.to_owned(), SchemaAttribute { kind: kind.to_owned(), required, default })
}

/// A version with its type variables numbered in the order of its ports, as their names are free.
fn numbered(mut schema: Schema) -> Schema {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for port in schema.inputs.iter_mut().chain(&mut schema.outputs) {
        let next = numbers.len();
        let number = numbers.entry(port.variable.clone()).or_insert(next);
        port.variable = number.to_string();
    }
    schema
}

fn registered(version: &Version) -> Schema {
    numbered(Schema {
        inputs: version.inputs.iter().map(port).collect(),
        outputs: version.outputs.iter().map(port).collect(),
        attributes: version.attributes.iter().map(attribute).collect(),
    })
}

#[test]
fn every_version_of_every_operator_has_the_signature_of_its_schema() {
    let Some(python) = newest_onnx() else { return };
    let names = operators::onnx().map(|operator| operator.name);
    let output = Command::new(&python).args(["-c", SCRIPT]).args(names).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut schemas: Schemas = serde_json::from_slice(&output.stdout).unwrap();
    for operator in operators::onnx() {
        let stated = schemas.remove(operator.name).unwrap_or_else(|| panic!("{operator}"));
        compare(operator, stated);
    }
}

fn compare(operator: &Operator, stated: BTreeMap<i64, Schema>) {
    let versions: Vec<i64> = operator.versions.iter().map(|version| version.since).collect();
    let known: Vec<i64> = stated.keys().copied().collect();
    assert_eq!(versions, known, "{operator}");
    for (version, (since, schema)) in operator.versions.iter().zip(stated) {
        assert_eq!(registered(version), numbered(schema), "{operator}-{since}");
    }
}
