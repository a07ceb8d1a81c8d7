//! Has `compute.py` compute calls, with NumPy, ONNX's evaluator, and decimal numbers.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use onnx_conformance::reference::operator::AttributeValue;
use onnx_conformance::tensor::Tensor;
use serde::Deserialize;
use serde_json::{Value, json};

use super::checks::Check;

/// What a source makes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The bits of the elements of all outputs.
    Elements(Vec<u128>),
    /// What it refused the call with.
    Refused(String),
}

/// The answers to a call, by the sources that have a function for it.
pub(crate) type Answers = BTreeMap<String, Answer>;

#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Done(bool),
    Refused(String),
}

/// Bytes of an element in the files, in which none is packed.
fn width(dtype: onnx_conformance::dtype::DType) -> usize {
    dtype.bits().unwrap().div_ceil(8) as usize
}

fn bytes(tensor: &Tensor) -> Vec<u8> {
    let element =
        |at| tensor.element(at).unwrap().to_le_bytes().into_iter().take(width(tensor.dtype()));
    (0..tensor.elements()).flat_map(element).collect()
}

fn attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Int(value) => json!(value),
        AttributeValue::Float(bits) => json!({ "bits": bits }),
        AttributeValue::Ints(values) => json!(values),
        AttributeValue::Text(text) => json!(text),
        other => panic!("{other:?}"),
    }
}

fn stated(check: &Check) -> Value {
    let call = &check.call;
    let input = |input: &Option<Tensor>| {
        input.as_ref().map(|tensor| json!([tensor.dtype().name(), tensor.shape()]))
    };
    let attributes: BTreeMap<_, _> =
        call.attributes.iter().map(|(name, value)| (name, attribute(value))).collect();
    json!({
        "operator": call.operator.name,
        "version": call.version.since,
        "attributes": attributes,
        "inputs": call.inputs.iter().map(input).collect::<Vec<_>>(),
        "outputs": check.outputs.iter().map(|output| output.dtype.name()).collect::<Vec<_>>(),
        "shapes": check.outputs.iter().map(|output| &output.shape).collect::<Vec<_>>(),
    })
}

/// The answers of every source, check by check.
pub(crate) fn answers(python: &str, checks: &[Check]) -> Vec<Answers> {
    answers_of(python, "compute.py", checks).0
}

/// The answers of a script, and the folder in which it has left them and what else it tells.
pub(crate) fn answers_of(
    python: &str,
    script: &str,
    checks: &[Check],
) -> (Vec<Answers>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let plan: Vec<Value> = checks.iter().map(stated).collect();
    std::fs::write(folder.path().join("plan.json"), serde_json::to_vec(&plan).unwrap()).unwrap();
    for (at, check) in checks.iter().enumerate() {
        for (place, input) in check.call.inputs.iter().enumerate() {
            if let Some(input) = input {
                std::fs::write(folder.path().join(format!("{at}.{place}")), bytes(input)).unwrap();
            }
        }
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/independent");
    let output =
        Command::new(python).arg(scripts.join(script)).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let outcome = std::fs::read(folder.path().join("outcome.json")).unwrap();
    let outcome: Vec<BTreeMap<String, Option<Told>>> = serde_json::from_slice(&outcome).unwrap();
    assert_eq!(outcome.len(), checks.len());
    let read = |(at, (told, check)): (usize, (BTreeMap<String, Option<Told>>, &Check))| {
        let given = told.into_iter().filter_map(|(source, told)| {
            let answer = match told? {
                Told::Refused(reason) => Answer::Refused(reason),
                Told::Done(done) => {
                    assert!(done);
                    let path = folder.path().join(format!("{at}.{source}"));
                    Answer::Elements(elements(check, &std::fs::read(path).unwrap()))
                }
            };
            Some((source, answer))
        });
        given.collect()
    };
    let answers = outcome.into_iter().zip(checks).enumerate().map(read).collect();
    (answers, folder)
}

/// The elements of a file, of which there have to be those of the outputs.
fn elements(check: &Check, mut bytes: &[u8]) -> Vec<u128> {
    let mut elements = Vec::with_capacity(check.elements());
    for output in &check.outputs {
        let width = width(output.dtype);
        for _ in 0..output.shape.iter().product() {
            let (element, rest) = bytes.split_at(width);
            let mut bits = [0; 16];
            bits[..width].copy_from_slice(element);
            elements.push(u128::from_le_bytes(bits));
            bytes = rest;
        }
    }
    let call = &check.call;
    assert!(
        bytes.is_empty(),
        "{} bytes too many of {} {:?}",
        bytes.len(),
        call.operator,
        call.attributes
    );
    elements
}
