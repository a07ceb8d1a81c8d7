//! What a verdict is aspect by aspect, in cases that are made up for tests.

use onnx_conformance::corpus::case::Expect;
use onnx_conformance::judge::verdict::{AspectResult, Aspects, Verdict};

/// The aspects of a case that expects values: a failure is one of its values.
pub(crate) fn aspects(verdict: Verdict) -> Aspects {
    let asked = |result| Aspects::asked(Expect::Values, result);
    match verdict {
        Verdict::Pass => asked(AspectResult::Passed),
        Verdict::Fail => Aspects {
            value: AspectResult::Failed,
            accuracy: AspectResult::Failed,
            ..asked(AspectResult::Passed)
        },
        Verdict::OutOfDomain => asked(AspectResult::Undecided),
        Verdict::Unsupported | Verdict::Skipped => asked(AspectResult::NotJudged),
        Verdict::Crash | Verdict::Timeout | Verdict::Fault => Aspects::all(AspectResult::Failed),
    }
}
