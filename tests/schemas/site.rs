//! The schemas of the documents of a site.

use std::fs;
use std::path::PathBuf;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::site::document::{Backend, Operator, Site};
use onnx_conformance::documents::site::make;
use onnx_conformance::judge::verdict::Verdict;
use serde_json::Value;

use crate::scoreboards::{case, report};
use crate::{assert_committed, errors};

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    assert_committed::<Site>();
    assert_committed::<Backend>();
    assert_committed::<Operator>();
}

#[test]
fn every_document_of_a_site_is_valid_and_one_with_a_member_too_many_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = [Verdict::Pass, Verdict::Crash]
        .into_iter()
        .enumerate()
        .map(|(at, verdict)| {
            let mut report = report("runtime", vec![case("c/div", "Div", verdict)]);
            report.provenance.clock = format!("2026-11-0{}T08:00:00Z", at + 1);
            let path = folder.path().join(format!("{at}.json"));
            fs::write(&path, report.to_bytes().unwrap()).unwrap();
            path
        })
        .collect();
    let files = make(&paths).unwrap().files;
    for (path, errors) in [
        ("index.json", errors::<Site> as fn(&Value) -> Vec<String>),
        ("backends/runtime/index.json", errors::<Backend>),
        ("operators/Div.json", errors::<Operator>),
    ] {
        let mut value: Value = serde_json::from_slice(&files[path]).unwrap();
        assert_eq!(errors(&value), Vec::<String>::new(), "{path}");
        value["surplus"] = 1.into();
        assert!(!errors(&value).is_empty(), "{path}");
    }
}
