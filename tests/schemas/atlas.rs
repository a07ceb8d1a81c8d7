//! The schema of the atlas document.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::dtype::DType;
use onnx_conformance::measure::atlas::{Atlas, Choice, Sheet, Subject, chart, sheets};
use onnx_conformance::measure::campaign::{Implementation, Kernels};
use serde_json::{Value, json};

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Atlas>();
}

/// A row of the built-in kernels, as it is written.
fn valid() -> Value {
    let operators = vec!["Sigmoid".to_owned()];
    let choice = Choice { operators, types: vec![DType::Float16], ..Choice::default() };
    let sheet = |check| Sheet::all(&check, &choice);
    let implementation = |sheet: &Sheet| -> Box<dyn Implementation> {
        Box::new(Kernels::new(sheet.plan.check.operator(), sheet.plan.check.dtype()))
    };
    let folder = tempfile::tempdir().unwrap();
    let charted = chart(
        sheets(&choice).into_iter().map(sheet),
        &[Subject { identity: Builtin.identity(), implementation: Box::new(implementation) }],
        folder.path(),
        NonZeroUsize::MIN,
        &mut |_, _| ControlFlow::Continue(()),
    );
    serde_json::from_slice(&charted.unwrap().document.to_bytes().unwrap()).unwrap()
}

#[test]
fn an_atlas_is_valid_and_one_that_differs_is_not() {
    let document = valid();
    assert_eq!(errors::<Atlas>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", json!(6)),
        ("/rows/0/executed", json!(-1)),
        ("/rows/0/at", json!("0")),
        ("/rows/0/not_monotone", json!("none")),
        ("/rows/0/clamps/operands", json!(null)),
        ("/rows/0/binades/0/binade", json!(0.5)),
        ("/rows/0/limits/0/holds", json!(1)),
        ("/digest", json!("0")),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert_eq!(errors::<Atlas>(&changed).len(), 1, "{member}");
    }
    for path in ["", "/rows/0", "/rows/0/clamps", "/rows/0/limits/0", "/rows/0/binades/0"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert_eq!(errors::<Atlas>(&changed).len(), 1, "{path}");
    }
}
