//! What the built-in backend makes of the suites' cases under the profile `sonnx`.

use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::{CaseResult, execute};

use crate::support::suites::{Loaded, cases};

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
            let result = judge(&Builtin, case);
            let decided = matches!(result.verdict, Verdict::Pass | Verdict::OutOfDomain);
            assert!(decided, "{suite}/{}: {:?} {:?}", case.name, result.verdict, result.message);
        }
    }
}
