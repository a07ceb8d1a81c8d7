//! The schema of the findings about the specifications.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::judge::spec::{self, Findings};
use serde_json::Value;

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Findings>();
}

#[test]
fn the_findings_are_valid_and_those_that_differ_are_not() {
    let bytes = spec::check_all().unwrap().to_bytes().unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(errors::<Findings>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", 3.into()),
        ("/findings/0/kind", "doubt".into()),
        ("/findings/0/count", "1".into()),
        ("/revisions/0/changes/0/change", "new".into()),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert_eq!(errors::<Findings>(&changed).len(), 1, "{member}");
    }
    for path in ["", "/findings/0", "/revisions/0"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = 1.into();
        assert_eq!(errors::<Findings>(&changed).len(), 1, "{path}");
    }
}
