//! The schemas of the documents in packs of evidence.

use std::fs;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::evidence::{self, Inputs, Redactor, document};
use onnx_conformance::documents::report::document::Report;
use walkdir::WalkDir;

use crate::matrices::conducted;
use crate::reports::every_verdict;
use crate::{errors_by, file};

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    for (path, generated) in document::schemas().unwrap() {
        let committed = fs::read_to_string(file(path)).unwrap();
        assert_eq!(committed, generated, "renew {path} with `cargo xtask codegen`");
    }
}

#[test]
fn the_documents_in_a_pack_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let [report, first, second, pack] =
        ["report.json", "first.json", "second.json", "pack"].map(|name| folder.path().join(name));
    let halves = [0..1 << 15, 1 << 15..1 << 16].map(|range| conducted(Some(range)));
    let reported = Report { backend: halves[0].backend.clone(), ..every_verdict() };
    fs::write(&report, reported.to_bytes().unwrap()).unwrap();
    fs::write(&first, halves[0].to_bytes().unwrap()).unwrap();
    fs::write(&second, halves[1].to_bytes().unwrap()).unwrap();
    let inputs =
        Inputs { reports: vec![report], campaigns: vec![first, second], ..Inputs::default() };
    let redactor = Redactor::of_this_machine().unwrap();
    let gathered = evidence::gather(&inputs, &redactor).unwrap();
    evidence::pack(&gathered, &pack, &redactor).unwrap();

    let mut valid = 0;
    for entry in WalkDir::new(&pack).into_iter().map(Result::unwrap) {
        let path = entry.path().strip_prefix(&pack).unwrap().to_str().unwrap();
        let schema = match (path.split('/').next().unwrap(), path.rsplit('/').next().unwrap()) {
            (_, "report.json") => "report",
            (_, "campaign.json") => "campaign",
            (_, "matrix.json") => "matrix",
            (_, "qualification.json") => "qualification",
            ("subjects", _) if entry.file_type().is_file() => "evidence-subject",
            ("tool", "tool.json") => "evidence-tool",
            (_, "manifest.json") => "evidence-manifest",
            (_, "platform.json") => "evidence-platform",
            (_, "limitations.json") => "evidence-limitations",
            (_, "seeds.json") => "evidence-seeds",
            (_, "provenance.json") => "evidence-provenance",
            _ => continue,
        };
        let schema = file(&format!("reports/schema/{schema}.schema.json"));
        let schema = fs::read_to_string(schema).unwrap();
        let document = serde_json::from_slice(&fs::read(entry.path()).unwrap()).unwrap();
        assert_eq!(errors_by(&schema, &document), Vec::<String>::new(), "{path}");
        valid += 1;
    }
    assert_eq!(valid, 12);
}
