//! The committed suites: as generated, with a case on every side of every boundary, and all conformed to by the
//! built-in backend.

mod boundaries;
mod judge;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use onnx_conformance::corpus::generate;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites")
}

#[test]
fn generating_gives_the_bytes_that_are_committed() {
    let files = generate::files().unwrap();
    let committed: BTreeMap<String, Vec<u8>> = walkdir::WalkDir::new(root())
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            (path, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    let names: Vec<_> = committed.keys().collect();
    assert_eq!(names, files.keys().collect::<Vec<_>>(), "run `cargo xtask generate`");
    let differs = files.iter().find(|(path, contents)| committed[*path] != contents[..]);
    assert_eq!(differs.map(|(path, _)| path), None, "run `cargo xtask generate`");
    let bytes: usize = files.values().map(bytes::Bytes::len).sum();
    assert!(bytes < 24_000_000, "the suites are meant to be 24 MB at most: {bytes} bytes");
}
