//! The committed suites: as generated, with a case on every side of every boundary, and all conformed to by the
//! built-in backend.

mod boundaries;
mod judge;

use onnx_conformance::corpus::generate;
use onnx_conformance::corpus::suite::Suite;

use crate::support::suites;

#[test]
fn generating_gives_the_bytes_that_are_committed() {
    let files = generate::files().unwrap();
    let mut rest = files.iter().collect::<std::collections::BTreeMap<_, _>>();
    for suite in Suite::ALL {
        for case in suites::corpus(suite).cases() {
            for (path, content) in case.load().unwrap().files() {
                let path = format!("{suite}/{}/{path}", case.name());
                assert_eq!(rest.remove(&path), Some(content), "{path}: run `cargo xtask generate`");
            }
        }
    }
    assert_eq!(rest.keys().next(), None, "run `cargo xtask generate`");
    let bytes: usize = files.values().map(bytes::Bytes::len).sum();
    assert!(bytes < 30_000_000, "the suites are meant to be 30 MB at most: {bytes} bytes");
}
