//! Any bytes as each of the documents that this tool writes and reads. What is read is written and
//! read again, to the same document; what reads as consistent does so again.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use onnx_conformance::campaign;
use onnx_conformance::gate::Comparison;
use onnx_conformance::report::{baseline, json};
use onnx_conformance::scoreboard::{self, document::Scoreboard};

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("document.json");
    let report = json::from_bytes(path, bytes);
    let consistent = json::consistent_from_bytes(path, bytes);
    if let Ok(report) = &report {
        let again = json::to_bytes(report).expect("it was JSON");
        assert_eq!(json::from_bytes(path, &again).as_ref().ok(), Some(report));
        assert_eq!(json::consistent_from_bytes(path, &again).is_ok(), consistent.is_ok());
    }
    if let Ok(known) = baseline::from_bytes(path, bytes) {
        let again = baseline::to_text(&known).expect("it was JSON");
        assert_eq!(baseline::from_bytes(path, again.as_bytes()).ok().as_ref(), Some(&known));
        // A report against itself has no finding.
        if let Ok(report) = &consistent
            && let Ok(comparison) = Comparison::of(&known, report)
        {
            let _ = onnx_conformance::gate::markdown::render(&comparison, 10);
        }
    }
    if let Ok(document) = campaign::Document::from_bytes(path, bytes) {
        let again = document.to_bytes().expect("it was JSON");
        assert_eq!(campaign::Document::from_bytes(path, &again).ok().as_ref(), Some(&document));
        let _ = campaign::merge(vec![("one".to_owned(), document)]);
    }
    // A campaign that was edited has another digest: with the right one, what lies behind is reached.
    if let Ok(edited) = serde_json::from_slice::<campaign::Document>(bytes) {
        let sealed = edited.sealed().and_then(|sealed| sealed.to_bytes()).expect("it was JSON");
        if let Ok(document) = campaign::Document::from_bytes(path, &sealed) {
            let _ = (document.conforms(), document.part(), document.duration());
            let _ = campaign::merge(vec![("one".to_owned(), document)]);
        }
    }
    if let Ok(board) = onnx_conformance::limits::from_json::<Scoreboard>(bytes) {
        let again = scoreboard::json::to_bytes(&board).expect("it was JSON");
        assert_eq!(serde_json::from_slice(&again).ok(), Some(board));
    }
});
