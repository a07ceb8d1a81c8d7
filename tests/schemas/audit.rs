//! The schema of audits.

use std::sync::atomic::AtomicBool;

use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::audit::audit;
use onnx_conformance::documents::audit::document::Audit;
use serde_json::Value;

use crate::{assert_committed, errors, file};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Audit>();
}

#[test]
fn an_audit_is_valid_and_one_that_differs_is_not() {
    let suite = Corpus::open_dir(&file("testdata/suites/onnx")).unwrap();
    let selection = Selection::matching("onnx/exp_13/float32/".parse().unwrap());
    let interrupted = AtomicBool::new(false);
    let made = audit(&[(Suite::Onnx, suite)], &selection, &interrupted, &mut |_| ()).unwrap();
    let document: Value = serde_json::from_slice(&made.to_bytes().unwrap()).unwrap();
    assert_eq!(errors::<Audit>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", 2.into()),
        ("/kind", "report".into()),
        ("/cases/0/status", "fair".into()),
        ("/summary/elements", "1".into()),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert_eq!(errors::<Audit>(&changed).len(), 1, "{member}");
    }
    for path in ["", "/summary", "/operators/0", "/cases/0", "/cases/0/outputs/0"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = 1.into();
        assert_eq!(errors::<Audit>(&changed).len(), 1, "{path}");
    }
}
