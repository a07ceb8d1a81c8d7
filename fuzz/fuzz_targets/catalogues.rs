//! Any text as each of the files that people write: catalogues, profiles, expectations, locks,
//! `case.json` and `data.json`. The first byte chooses.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use onnx_conformance::backend;
use onnx_conformance::corpus::Lock;
use onnx_conformance::corpus::case::Manifest;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::expect::import::Imported;
use onnx_conformance::judge::expect::{Expectations, Facts};
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::judge::requirements;
use onnx_conformance_reference::operators::OPERATORS;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    match kind {
        b'm' => drop(Manifest::from_json(bytes)),
        b't' => {
            if let Ok(Tolerance { rtol, atol }) = Tolerance::from_data_json(bytes) {
                assert!(rtol >= 0.0 && atol >= 0.0);
            }
        }
        kind => {
            let Ok(text) = std::str::from_utf8(bytes) else { return };
            toml(*kind, text);
        }
    }
});

fn toml(kind: u8, text: &str) {
    match kind {
        b'r' => {
            let Ok(catalogue) = requirements::Catalogue::from_files(&[("sonnx-div.toml", text)])
            else {
                return;
            };
            for requirement in catalogue.requirements() {
                assert_eq!(catalogue.get(&requirement.id), Some(requirement));
            }
        }
        b'p' => {
            let Ok(profile) = Profile::parse("profile.toml", text) else { return };
            for operator in OPERATORS {
                for dtype in DType::ALL {
                    let decision = profile.decision(Some(operator), dtype);
                    assert!(!decision.rule.to_string().is_empty());
                }
            }
        }
        b'e' => {
            let Ok(known) = Expectations::parse("expectations.toml", text) else { return };
            let mut text = String::new();
            for entry in known.entries() {
                let id = entry.cases.replace('*', "x");
                let case = Facts { id: &id, ..Facts::default() };
                let _ = (entry.corpus(), known.position(&case), known.possible(&id));
                text += &entry.to_toml();
            }
            if let Ok(again) = Expectations::parse("expectations.toml", &text) {
                assert_eq!(again.entries(), known.entries());
            }
        }
        b'i' => {
            let Ok(imported) = Imported::of("theirs", text, &[]) else { return };
            let Ok(list) = imported.added_to("", "mine.toml", "theirs") else { return };
            let known = Expectations::parse("mine.toml", &list).expect("it was a list");
            assert_eq!(known.entries(), imported.entries);
        }
        b'l' => {
            let Ok(lock) = Lock::parse(Path::new("lock.toml"), "onnx-1.22.0", text) else { return };
            let text = lock.to_toml().expect("it was TOML");
            assert_eq!(Lock::parse(Path::new("lock.toml"), "onnx-1.22.0", &text).ok(), Some(lock));
        }
        b'b' => drop(backend::catalogue::Catalogue::parse(Path::new("backends.toml"), text)),
        _ => {}
    }
}
