//! The cases of the project's own suites, from the archives of this checkout.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, Corpus, Home};
use tempfile::TempDir;

/// A case of a suite, by its name in it.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) files: BTreeMap<String, Bytes>,
    pub(crate) case: Case,
    pub(crate) suite: Suite,
}

/// A suite, opened once.
pub(crate) fn corpus(suite: Suite) -> &'static Corpus {
    static OPENED: [OnceLock<Corpus>; Suite::ALL.len()] =
        [const { OnceLock::new() }; Suite::ALL.len()];
    static HOME: LazyLock<Home> =
        LazyLock::new(|| Home::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")));
    OPENED[suite as usize].get_or_init(|| HOME.suite(suite).unwrap())
}

/// The cases of a suite, which are read once.
pub(crate) fn cases(suite: Suite) -> &'static [Loaded] {
    static READ: Mutex<BTreeMap<&str, &[Loaded]>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.entry(suite.name()).or_insert_with(|| Box::leak(self::read(suite).into_boxed_slice()))
}

fn read(suite: Suite) -> Vec<Loaded> {
    let load = |dir: &CaseDir| {
        let files = dir.load().unwrap().files().clone();
        let case = Case::decode(dir.name(), &files).unwrap();
        Loaded { name: dir.name().to_owned(), files, case, suite }
    };
    corpus(suite).cases().iter().map(load).collect()
}

/// The files of a case of a suite, by their paths within it.
pub(crate) fn files(suite: Suite, case: &str) -> BTreeMap<String, Bytes> {
    let mut cases = corpus(suite).cases().iter();
    cases.find(|dir| dir.name() == case).unwrap().load().unwrap().files().clone()
}

/// A temporary folder with cases of all suites in ONNX's layout, for programs that read no archives: those whose names
/// in their suite are meant.
pub(crate) fn unpacked(is_meant: impl Fn(&str) -> bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for suite in Suite::ALL {
        for dir in corpus(suite).cases().iter().filter(|dir| is_meant(dir.name())) {
            let place = folder.path().join(suite.name()).join(dir.name());
            for (path, content) in dir.load().unwrap().files() {
                let path = place.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, content).unwrap();
            }
        }
    }
    folder
}
