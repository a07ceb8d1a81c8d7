//! Statements on profiles and aspects that cannot both be true.

use onnx_conformance::document::{Contradiction, JsonDocument};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::profile::Strictness;
use onnx_conformance::judge::verdict::{AspectResult, Aspects, Verdict};

use super::synthetic;

/// What is found in a report of one case of every verdict after a change, of which the case of this
/// verdict takes part.
fn found(verdict: Verdict, change: impl Fn(&mut Report, usize)) -> Result<(), Contradiction> {
    let mut report = synthetic::every_verdict();
    let at = report.cases.iter().position(|case| case.verdict == verdict).unwrap();
    change(&mut report, at);
    report.consistent()
}

fn says(error: &Contradiction, what: &str) -> bool {
    error.to_string().contains(what)
}

#[test]
fn a_report_of_every_verdict_agrees_with_itself() {
    assert_eq!(found(Verdict::Pass, |_, _| ()), Ok(()));
}

#[test]
fn aspects_are_those_of_the_verdict_and_of_the_mismatches() {
    use AspectResult::{Failed, NotAsked, NotJudged, Passed, Undecided};
    for (verdict, aspects) in [
        (Verdict::Pass, Aspects { shape: Failed, ..synthetic::aspects(Verdict::Pass) }),
        (Verdict::Pass, Aspects { value: NotJudged, ..synthetic::aspects(Verdict::Pass) }),
        (Verdict::Pass, Aspects::all(NotAsked)),
        (Verdict::Fail, synthetic::aspects(Verdict::Pass)),
        (Verdict::Fail, Aspects { shape: Failed, ..Aspects::all(Passed) }),
        (Verdict::Unsupported, Aspects::all(Passed)),
        (Verdict::OutOfDomain, Aspects::all(Passed)),
        (Verdict::Crash, Aspects { refusal: Passed, ..Aspects::all(Failed) }),
        (Verdict::Timeout, Aspects::all(Undecided)),
    ] {
        let error = found(verdict, |report, at| report.cases[at].aspects = aspects).unwrap_err();
        assert!(says(&error, "the `aspects` of"), "{verdict} {aspects:?}: {error}");
    }
}

#[test]
fn a_case_is_judged_by_the_profile_of_its_suite_and_no_more_strictly_than_that_does() {
    let named = |report: &mut Report, name: &str| {
        report.profile = name.to_owned();
        report.suites[0].profile = name.to_owned();
        report.cases.iter_mut().for_each(|case| case.profile = name.to_owned());
    };
    let pass = |change: &dyn Fn(&mut Report, usize)| found(Verdict::Pass, change);
    let error = pass(&|report, _| report.profile = "onnx".to_owned()).unwrap_err();
    assert!(says(&error, "`profile` is \"onnx\""), "{error}");
    let error = pass(&|report, at| report.cases[at].profile = "onnx".to_owned()).unwrap_err();
    assert!(says(&error, "does not have the `profile` of its suite"), "{error}");
    let error = pass(&|report, _| named(report, "onnx")).unwrap_err();
    assert!(says(&error, "a `strictness` that"), "it says exact: {error}");
    let lax = pass(&|report, _| {
        named(report, "onnx");
        report.cases.iter_mut().for_each(|case| case.strictness = Some(Strictness::Close));
    });
    assert!(says(&lax.unwrap_err(), "a `strictness` that"), "cases without outputs have none");
    let lax = pass(&|report, _| {
        named(report, "onnx");
        let judged = report.cases.iter_mut().filter(|case| case.strictness.is_some());
        judged.for_each(|case| case.strictness = Some(Strictness::Close));
    });
    assert_eq!(lax, Ok(()));
    assert_eq!(pass(&|report, _| named(report, "mine@0123456789abcdef")), Ok(()));
}
