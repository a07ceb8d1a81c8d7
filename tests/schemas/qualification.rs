//! The schema of the qualification.

use onnx_conformance::documents::qualification::{self, Qualification};
use serde_json::{Value, json};

use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Qualification>();
}

#[test]
fn the_committed_qualification_is_valid_and_one_with_a_member_too_many_is_not() {
    let mut document: Value = serde_json::from_slice(qualification::bytes()).unwrap();
    assert_eq!(errors::<Qualification>(&document), Vec::<String>::new());
    document["defects"][0]["cells"][0]["more"] = json!(1);
    assert!(!errors::<Qualification>(&document).is_empty());
}
