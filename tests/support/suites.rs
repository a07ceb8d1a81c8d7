//! The cases of the project's own suites.

use std::path::{Path, PathBuf};

use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, Corpus};

/// A case of a suite, by its name in it.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) case: Case,
    pub(crate) suite: Suite,
}

/// The cases of a suite.
pub(crate) fn cases(suite: Suite) -> Vec<Loaded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites").join(suite.name());
    let corpus = Corpus::open_dir(&folder).unwrap();
    let load = |dir: &CaseDir| Loaded {
        name: dir.name().to_owned(),
        path: dir.path().to_owned(),
        case: Case::decode(dir.name(), dir.load().unwrap().files()).unwrap(),
        suite,
    };
    corpus.cases().iter().map(load).collect()
}
