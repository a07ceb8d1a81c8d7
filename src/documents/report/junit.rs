//! `junit.xml`: the cases for CI systems, one test suite per corpus.
//!
//! Without times, so that the same inputs give the same bytes.

use std::fmt::Write;

use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::document::{Case, Report};
use super::text::{expected, values};
use crate::document::text::{bracketed, distance, folder_and_name, visible};
use crate::judge::verdict::Verdict;

/// The bytes of `junit.xml`.
///
/// A `fail` is a failure; `crash`, `timeout` and `fault` are errors; `unsupported`,
/// `out_of_domain` and `skipped` are skipped, as is what was expected to come out as it did: such
/// a case does not fail the run. The verdict is the type of each.
pub fn to_bytes(report: &Report) -> Result<Vec<u8>, SerializeError> {
    let mut junit = quick_junit::Report::new(report.tool.name.as_str());
    // Natural order keeps the cases of a corpus together.
    for cases in report.cases.chunk_by(|a, b| visible(corpus(a)) == visible(corpus(b))) {
        let mut suite = test_suite(report, &cases[0]);
        suite.add_test_cases(cases.iter().map(test_case));
        junit.add_test_suite(suite);
    }
    let mut bytes = Vec::new();
    junit.serialize(&mut bytes)?;
    Ok(bytes)
}

/// A suite without cases, which says by which profile its first case was judged, as all are, whose
/// known failures are skipped in it, and what isolated the backend.
fn test_suite(report: &Report, first: &Case) -> TestSuite {
    let mut suite = TestSuite::new(&*visible(corpus(first)));
    suite.add_property(("profile", &*visible(&first.profile)));
    if let Some(seed) = &report.challenge {
        suite.add_property(("challenge", &*visible(seed)));
    }
    let list = report.expectations_list.as_ref().map_or("none".to_owned(), ToString::to_string);
    suite.add_property(("known failures", &*visible(&list)));
    suite.add_property(("isolation", report.isolation.meaning()));
    suite
}

/// The corpus or own suite a case belongs to: the first part of its id.
fn corpus(case: &Case) -> &str {
    case.id.split_once('/').map_or(case.suite.as_str(), |(corpus, _)| corpus)
}

fn test_case(case: &Case) -> TestCase {
    let mut test = TestCase::new(visible(folder_and_name(&case.id).1), status(case));
    if case.flaky {
        test.add_property(("flaky", &*expected(case.expected, true)));
    }
    // CI systems group by the parts of a class name between dots.
    let folder = folder_and_name(&case.id).0.trim_end_matches('/');
    let folder = if folder.is_empty() { &case.suite } else { folder };
    test.set_classname(visible(&folder.replace('/', ".")));
    test
}

fn status(case: &Case) -> TestCaseStatus {
    let mut status = match case.verdict {
        Verdict::Pass => return TestCaseStatus::success(),
        verdict if verdict == case.expected => TestCaseStatus::skipped(),
        Verdict::Unsupported | Verdict::OutOfDomain | Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Crash | Verdict::Timeout | Verdict::Fault => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
    };
    let message = case.message.as_deref().unwrap_or_default();
    status.set_type(case.verdict.to_string());
    status.set_message(visible(message.lines().next().unwrap_or_default()));
    if case.verdict.is_failure() {
        status.set_description(visible(&description(case, message)));
    }
    status
}

/// The whole message and the worst elements, a line each.
fn description(case: &Case, message: &str) -> String {
    let mut text = message.to_owned();
    for output in &case.outputs {
        for worst in &output.worst {
            let ulp = worst.ulp.map(|ulp| distance(&output.type_name, ulp));
            let ulp = ulp.unwrap_or_else(|| "no ULP".to_owned());
            // Writing to a string does not fail.
            let _ = write!(text, "\n{}{}: {ulp}", output.name, bracketed(&worst.index));
            for (role, decimal, bits) in values(worst) {
                let _ = write!(text, "\n  {role:<8} {bits:<18} {decimal}");
            }
        }
    }
    text
}
