//! The schema of the requirement matrix.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::matrix::document::Matrix;
use serde_json::Value;

use crate::matrices::everything;
use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Matrix>();
}

#[test]
fn a_matrix_that_is_written_is_valid_and_one_that_differs_is_not() {
    let document: Value = serde_json::from_slice(&everything().to_bytes().unwrap()).unwrap();
    assert_eq!(errors::<Matrix>(&document), Vec::<String>::new());
    for (member, value) in [
        ("/format_version", 1.into()),
        ("/kind", "report".into()),
        ("/requirements/0/status", "passed".into()),
        ("/campaigns/0/support", "verified".into()),
        ("/reports/0/page", 1.into()),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(member).unwrap() = value;
        assert_eq!(errors::<Matrix>(&changed).len(), 1, "{member}");
    }
    for path in ["", "/reports/0", "/campaigns/0", "/summary", "/requirements/0", "/unknown/0"] {
        let mut changed = document.clone();
        changed.pointer_mut(path).unwrap()["surplus"] = 1.into();
        assert_eq!(errors::<Matrix>(&changed).len(), 1, "{path}");
    }
}
