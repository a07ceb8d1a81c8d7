//! The integration tests, in one binary, as each binary is linked anew after every change:
//! `cargo test --test it NAME` runs those whose path holds a name.
//!
//! Beside it stand only what cannot be part of it: tests with a harness of their own (`conformance`,
//! `qualification`), and those that measure an allocator (`memory`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod adapter;
mod adapters_docs;
mod architecture;
mod backends;
mod c_abi;
mod campaign;
#[cfg(unix)]
mod ci_docs;
mod cli;
mod compare_properties;
mod corpora;
mod corpus;
mod deploy;
mod documents;
mod evidence;
mod gate;
mod installed;
mod malformed;
mod matrix;
mod numpy_parity;
mod official_parity;
mod openvino;
mod oracle_validation;
mod profiles;
mod python_protocol;
mod qualification_docs;
mod report;
mod requirements;
mod round_trips;
mod run;
mod scoreboard;
mod spec_check;
mod suites;
mod support;
mod sweep;
mod witnesses;

use std::collections::BTreeSet;
use std::path::Path;

/// The modules that a file declares.
fn declared(source: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(source).unwrap();
    let names = text.lines().filter_map(|line| {
        let (visibility, name) = line.strip_suffix(';')?.split_once("mod ")?;
        (visibility.is_empty() || visibility == "pub(crate) ").then(|| name.to_owned())
    });
    names.collect()
}

#[test]
fn every_file_of_tests_is_built() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut folders = vec![(root.join("main.rs"), root)];
    while let Some((source, folder)) = folders.pop() {
        let declared = declared(&source);
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if is_source && path != source && name != "mod" {
                let (path, by) = (path.display(), source.display());
                assert!(declared.contains(name), "{path} is declared by no line of {by}");
            }
            let own = folder.join(format!("{name}.rs"));
            if path.is_dir() && own.exists() {
                folders.push((own, path));
            }
        }
    }
}
