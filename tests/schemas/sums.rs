//! The schema of the document of sums.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::dtype::DType;
use onnx_conformance::measure::sums::{Choice, SEED, Subject, Sums, asked, drive, summations};
use serde_json::{Value, json};

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Sums>();
}

/// A row of the built-in kernels, as it is written.
fn valid() -> Value {
    let choice = Choice { operators: vec!["ReduceSum".to_owned()], types: vec![DType::Bfloat16] };
    let builtin: Arc<dyn Backend> = Arc::new(Builtin);
    let subject =
        Subject { identity: builtin.identity(), ask: asked(&builtin, Duration::from_secs(60)) };
    let folder = tempfile::tempdir().unwrap();
    let conducted = drive(
        &summations(&choice),
        &[subject],
        SEED,
        folder.path(),
        NonZeroUsize::MIN,
        &mut |_, _| ControlFlow::Continue(()),
    );
    serde_json::from_slice(&conducted.unwrap().document.to_bytes().unwrap()).unwrap()
}

#[test]
fn a_document_of_sums_is_valid_and_one_that_differs_is_not() {
    let document = valid();
    assert_eq!(errors::<Sums>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", json!(2)),
        ("/seed", json!(-1)),
        ("/rows/0/executed", json!(0.5)),
        ("/rows/0/max_error/length", json!("2")),
        ("/rows/0/max_share/share", json!(1)),
        ("/rows/0/decades/0/orders/0/vectors", json!(0)),
        ("/rows/0/accumulator/bits", json!(24)),
        ("/digest", json!("0")),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert!(!errors::<Sums>(&changed).is_empty(), "{member}");
    }
    for path in ["", "/rows/0", "/rows/0/max_error", "/rows/0/decades/0", "/rows/0/accumulator"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert!(!errors::<Sums>(&changed).is_empty(), "{path}");
    }
}
