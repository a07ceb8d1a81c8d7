//! Any bytes as each of the documents that this tool writes and reads. What is read is written and
//! read again, to the same document; what reads as consistent does so again.

#![no_main]

use std::fmt::Debug;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::gate::Comparison;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::report::baseline;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use onnx_conformance::limits;
use onnx_conformance::measure::campaign;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("document.json");
    let report = Report::from_bytes(path, bytes);
    if let Ok(report) = &report {
        let again = report.to_bytes().expect("it was JSON");
        assert_eq!(Report::from_bytes(path, &again).as_ref().ok(), Some(report));
    }
    if let Ok(known) = baseline::from_bytes(path, bytes) {
        let again = known.to_bytes().expect("it was JSON");
        assert_eq!(baseline::from_bytes(path, &again).ok().as_ref(), Some(&known));
        // A report against itself has no finding.
        if let Ok(report) = &report
            && let Ok(comparison) = Comparison::of(&known, report)
        {
            let _ = onnx_conformance::documents::gate::markdown::render(&comparison, 10);
        }
    }
    if let Ok(document) = campaign::Campaign::from_bytes(path, bytes) {
        let again = document.to_bytes().expect("it was JSON");
        assert_eq!(campaign::Campaign::from_bytes(path, &again).ok().as_ref(), Some(&document));
        let _ = campaign::merge(vec![("one".to_owned(), document)]);
    }
    // A campaign that was edited has another digest: with the right one, what lies behind is reached.
    if let Ok(edited) = limits::from_json::<campaign::Campaign>(bytes) {
        let sealed = edited.sealed().and_then(|sealed| sealed.to_bytes()).expect("it was JSON");
        if let Ok(document) = campaign::Campaign::from_bytes(path, &sealed) {
            let _ = (document.conforms(), document.part(), document.duration());
            let _ = campaign::merge(vec![("one".to_owned(), document)]);
        }
    }
    reads_again::<Scoreboard>(path, bytes);
    reads_again::<Matrix>(path, bytes);
});

/// Whatever type it is read as, a document that agrees with itself does so again.
fn reads_again<D: JsonDocument + PartialEq + Debug>(path: &Path, bytes: &[u8]) {
    if let Ok(edited) = limits::from_json::<D>(bytes) {
        let again = edited.to_bytes().expect("it was JSON");
        assert_eq!(limits::from_json(&again).as_ref().ok(), Some(&edited));
        assert_eq!(D::from_bytes(path, &again).is_ok(), D::from_bytes(path, bytes).is_ok());
    }
}
