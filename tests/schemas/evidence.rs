//! The schemas of the documents in packs of evidence.

use std::ffi::OsStr;
use std::fs;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::evidence::{self, Inputs, Redactor, document};
use onnx_conformance::report::document::Report;
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
    let [report, campaign, pack] =
        ["report.json", "campaign.json", "pack"].map(|name| folder.path().join(name));
    let conducted = conducted(None);
    let reported = Report { backend: conducted.backend.clone(), ..every_verdict() };
    fs::write(&report, reported.to_bytes().unwrap()).unwrap();
    fs::write(&campaign, conducted.to_bytes().unwrap()).unwrap();
    let inputs = Inputs { reports: vec![report], campaigns: vec![campaign], ..Inputs::default() };
    let redactor = Redactor::of_this_machine().unwrap();
    let gathered = evidence::gather(&inputs, &redactor).unwrap();
    evidence::pack(&gathered, &pack, &redactor).unwrap();

    let mut valid = 0;
    for entry in WalkDir::new(&pack) {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(&pack).unwrap();
        let schema = match (path.iter().next().and_then(OsStr::to_str), path.file_name()) {
            (_, Some(name)) if name == "report.json" => "report",
            (_, Some(name)) if name == "campaign.json" => "campaign",
            (_, Some(name)) if name == "matrix.json" => "matrix",
            (_, Some(name)) if name == "qualification.json" => "qualification",
            (_, Some(name)) if name == "manifest.json" => "evidence-manifest",
            (_, Some(name)) if name == "platform.json" => "evidence-platform",
            (_, Some(name)) if name == "limitations.json" => "evidence-limitations",
            (_, Some(name)) if name == "seeds.json" => "evidence-seeds",
            (_, Some(name)) if name == "provenance.json" => "evidence-provenance",
            (Some("tool"), Some(name)) if name == "tool.json" => "evidence-tool",
            (Some("subjects"), _) if entry.file_type().is_file() => "evidence-subject",
            _ => continue,
        };
        let schema = file(&format!("reports/schema/{schema}.schema.json"));
        let schema = fs::read_to_string(schema).unwrap();
        let document = serde_json::from_slice(&fs::read(entry.path()).unwrap()).unwrap();
        assert_eq!(errors_by(&schema, &document), Vec::<String>::new(), "{}", path.display());
        valid += 1;
    }
    assert_eq!(valid, 11);
}
