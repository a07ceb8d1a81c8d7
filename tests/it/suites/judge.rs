//! The suites' cases, and what a backend makes of one under the profile `sonnx`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::case::Case;
use onnx_conformance::corpus::{CaseDir, Corpus};
use onnx_conformance::profile::Profile;
use onnx_conformance::run::{CaseResult, execute};
use onnx_conformance::suite::Suite;
use onnx_conformance::verdict::Verdict;

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

/// Runs a case and judges it as the harness does.
fn judge(backend: &dyn Backend, loaded: &Loaded) -> CaseResult {
    let profile: Arc<Profile> = Profile::named("sonnx").unwrap();
    let Loaded { name, case, suite, .. } = loaded;
    let time = Duration::from_secs(60);
    execute(backend, case, *suite, &profile, time, CaseResult::not_run(name, *suite, case)).0
}

#[test]
fn the_built_in_backend_fails_no_case() {
    for suite in Suite::ALL {
        for case in cases(suite) {
            let result = judge(&Builtin, &case);
            let decided = matches!(result.verdict, Verdict::Pass | Verdict::OutOfDomain);
            assert!(decided, "{suite}/{}: {:?} {:?}", case.name, result.verdict, result.message);
        }
    }
}
