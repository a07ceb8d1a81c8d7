//! Has `compute.py`, or another script, compute calls, with NumPy, ONNX's evaluator, and decimal numbers.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use bytes::Bytes;
use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{AttributeValue, TensorType};
use onnx_conformance::tensor::Tensor;
use serde::Deserialize;
use serde_json::{Value, json};
use values::element::Element;

use super::check::Check;

/// What a source makes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The elements of all outputs.
    Elements(Vec<Element>),
    /// What it refused the call with.
    Refused(String),
    /// That it gave outputs of other shapes.
    Misshapen(String),
}

/// The answers to a call, by the sources that have a function for it.
pub(crate) type Answers = BTreeMap<String, Answer>;

#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    /// The shapes of the outputs, and how many bytes each has in the file of the source.
    Given(Vec<(Vec<usize>, usize)>),
    Refused(String),
}

/// Bytes of an element in the files, in which none is packed.
fn width(dtype: DType) -> usize {
    dtype.bits().unwrap().div_ceil(8) as usize
}

/// What a file has of a tensor: a list of its strings, or its elements one after the other.
fn bytes(tensor: &Tensor) -> Vec<u8> {
    if let Some(strings) = tensor.strings() {
        let texts = strings.iter().map(|string| std::str::from_utf8(string).unwrap());
        return serde_json::to_vec(&texts.collect::<Vec<_>>()).unwrap();
    }
    let element =
        |at| tensor.element(at).unwrap().to_le_bytes().into_iter().take(width(tensor.dtype()));
    (0..tensor.elements()).flat_map(element).collect()
}

fn attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Int(value) => json!(value),
        AttributeValue::Ints(values) => json!(values),
        AttributeValue::Float(bits) => json!({ "bits": bits }),
        AttributeValue::Floats(bits) => json!({ "bits": bits }),
        AttributeValue::Text(text) => json!(text),
        AttributeValue::Texts(texts) => json!(texts),
        AttributeValue::Tensor(tensor) => {
            let hex: String = bytes(tensor).iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "tensor": [tensor.dtype().name(), tensor.shape(), hex] })
        }
        other => panic!("{other:?}"),
    }
}

/// What is asked, while the elements of the inputs are added to those of the calls before.
fn stated(check: &Check, elements: &mut Vec<u8>) -> Value {
    let call = &check.call;
    let input = |input: &Option<Tensor>| {
        input.as_ref().map(|tensor| {
            let start = elements.len();
            elements.extend(bytes(tensor));
            json!([tensor.dtype().name(), tensor.shape(), [start, elements.len()]])
        })
    };
    let inputs: Vec<_> = call.inputs.iter().map(input).collect();
    let attributes: BTreeMap<_, _> =
        call.attributes.iter().map(|(name, value)| (name, attribute(value))).collect();
    json!({
        "operator": call.operator.name,
        "version": call.version.since,
        "attributes": attributes,
        "inputs": inputs,
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
    let mut elements = Vec::new();
    let plan: Vec<Value> = checks.iter().map(|check| stated(check, &mut elements)).collect();
    std::fs::write(folder.path().join("plan.json"), serde_json::to_vec(&plan).unwrap()).unwrap();
    std::fs::write(folder.path().join("inputs"), elements).unwrap();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/independent");
    let script = scripts.join(script);
    let output = Command::new(python).arg("-B").arg(script).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let outcome = std::fs::read(folder.path().join("outcome.json")).unwrap();
    let outcome: Vec<BTreeMap<String, Option<Told>>> = serde_json::from_slice(&outcome).unwrap();
    assert_eq!(outcome.len(), checks.len());
    // What each source has given that is not read yet, in the order of the calls.
    let mut files: BTreeMap<String, Bytes> = BTreeMap::new();
    let mut read = |(told, check): (BTreeMap<String, Option<Told>>, &Check)| {
        let given = told.into_iter().filter_map(|(source, told)| {
            let told = told?;
            let file = files.entry(source.clone()).or_insert_with_key(|source| {
                std::fs::read(folder.path().join(source)).unwrap().into()
            });
            Some((source, answer(check, told, file)))
        });
        given.collect()
    };
    let answers = outcome.into_iter().zip(checks).map(&mut read).collect();
    (answers, folder)
}

/// The answer that was told, and whose outputs a file begins with.
fn answer(check: &Check, told: Told, file: &mut Bytes) -> Answer {
    let given = match told {
        Told::Refused(reason) => return Answer::Refused(reason),
        Told::Given(given) => given,
    };
    let outputs: Vec<Bytes> = given.iter().map(|(_, length)| file.split_to(*length)).collect();
    let shapes: Vec<&Vec<usize>> = given.iter().map(|(shape, _)| shape).collect();
    if !shapes.iter().copied().eq(check.outputs.iter().map(|output| &output.shape)) {
        return Answer::Misshapen(format!("it gives the shapes {shapes:?}"));
    }
    let mut all = Vec::with_capacity(check.elements());
    for (output, bytes) in check.outputs.iter().zip(&outputs) {
        all.extend(elements(output, bytes));
    }
    Answer::Elements(all)
}

/// The elements that these bytes are, of which there have to be those of the output.
fn elements(output: &TensorType, bytes: &[u8]) -> Vec<Element> {
    let dtype = output.dtype;
    let elements: Vec<Element> = match dtype {
        DType::String => {
            let texts: Vec<String> = serde_json::from_slice(bytes).unwrap();
            texts.into_iter().map(|text| Element::String(text.into())).collect()
        }
        _ => {
            let element = |chunk: &[u8]| {
                let mut bits = [0; 16];
                bits[..chunk.len()].copy_from_slice(chunk);
                Element::Bits(dtype, u128::from_le_bytes(bits))
            };
            bytes.chunks(width(dtype)).map(element).collect()
        }
    };
    assert_eq!(elements.len(), output.shape.iter().product::<usize>(), "{output}");
    elements
}
