//! The document: statuses, order, what is linked and what is not.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::matrix::{MatrixError, Source};
use onnx_conformance::judge::requirements::{Catalogue, Status, Support};
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::measure::campaign::Campaign;

use super::reports;
use super::synthetic::{campaign, catalogue, conducted, everything, of_report, report};

/// What a campaign that was changed says.
fn said(change: impl FnOnce(&mut Campaign)) -> Support {
    let mut document = campaign(&[]);
    change(&mut document);
    document.support()
}

#[test]
fn a_campaign_passes_only_where_all_that_was_asked_for_was_executed_and_conforms() {
    assert_eq!(said(|_| ()), Support::Passed);
    assert_eq!(said(|one| one.executed -= 1), Support::Partial);
    assert_eq!(said(|one| one.executed = 0), Support::NotRun);
    assert_eq!(said(|one| one.violations = Some(1)), Support::Failed);
    let half = said(|one| {
        one.shard = Some(serde_json::from_str("{\"index\": 1, \"count\": 2}").unwrap());
        (one.promised, one.executed) = (32768, 32768);
    });
    assert_eq!(half, Support::Partial, "one of two shards is not the whole");
    let tolerated = |violations| said(|one| (one.mismatches, one.violations) = (3, violations));
    assert_eq!(tolerated(Some(0)), Support::Passed, "the profile allows it");
    assert_eq!(tolerated(None), Support::Failed, "the profile decides nothing");
    let broken_off = said(|one| (one.executed, one.violations) = (9, Some(1)));
    assert_eq!(broken_off, Support::Failed);
}

#[test]
fn a_campaign_that_computed_nothing_the_specification_decides_is_no_pass() {
    // By operands: zero divided by zero.
    let whole = conducted(None);
    assert!(whole.classes.out_of_domain > 0 && whole.support() == Support::Passed);
    let undecided = (0..whole.inputs).find_map(|at| {
        let one = conducted(Some(at..at + 1));
        (one.classes.out_of_domain == 1).then_some(one)
    });
    assert_eq!(undecided.unwrap().support(), Support::Undecided);
}

/// Lets some results of a campaign be incorrect within the limits of a profile.
fn forgiven(one: &mut Campaign, profile: &str) {
    (one.mismatches, one.violations) = (3, Some(0));
    (one.profile, one.type_name) = (profile.to_owned(), "float32".to_owned());
}

#[test]
fn a_campaign_verifies_what_asks_for_no_more_than_its_profile_does() {
    let verified_under = |profile: &str, asked: &str| {
        let text = format!(
            "key = 'one'\ntitle = 'x'\nsource = 'x'\nstrictness = '{asked}'\n\
             [[requirement]]\nid = 'P_A'\nsection = 'x'\naliases = []\nkind = 'function'\n\
             aspect = ['accuracy']\nprovisional = true\nstatement = 'It is near.'\n"
        );
        let catalogue = Catalogue::from_files(&[("one.toml", &text)]).unwrap();
        let mut one = campaign(&["P_A"]);
        forgiven(&mut one, profile);
        let campaigns = [Source { document: &one, page: None }];
        Matrix::of(&catalogue, &[], &campaigns).unwrap().requirements[0].status
    };
    for (profile, asked, status) in [
        ("opencl-full", "2.5 ULP or flushed", Status::Verified),
        ("opencl-full", "2.5 ULP", Status::Partly),
        ("opencl-full", "2 ULP or flushed", Status::Partly),
        ("opencl-full", "accumulated", Status::Partly),
        ("opencl-full", "close", Status::Verified),
        ("mine@0123456789abcdef", "close", Status::Partly),
    ] {
        assert_eq!(verified_under(profile, asked), status, "{profile}, {asked}");
    }
}

/// The status of `P_A`, or of `P_D` where it is untestable, by cases and campaigns.
fn status(untestable: bool, verdicts: &[Verdict], campaigns: &[Support]) -> Status {
    let id = if untestable { "P_D" } else { "P_A" };
    let ids: Vec<_> = (0..verdicts.len()).map(|at| format!("onnx-1.22.0/{at}")).collect();
    let names = [id];
    let cases: Vec<_> =
        ids.iter().zip(verdicts).map(|(case, &verdict)| (&**case, verdict, &names[..])).collect();
    let report = report(&cases);
    let campaigns: Vec<_> = campaigns
        .iter()
        .map(|support| {
            let mut one = campaign(&[id]);
            match support {
                Support::Passed => (),
                Support::Partial => one.executed -= 1,
                Support::Undecided => one.classes.out_of_domain = one.executed,
                Support::NotRun => one.executed = 0,
                Support::Failed => one.violations = Some(1),
                // The requirement asks for more than what the profile lets pass.
                Support::Lax => forgiven(&mut one, "webgpu"),
            }
            let own = if *support == Support::Lax { Support::Passed } else { *support };
            assert_eq!(one.support(), own);
            one
        })
        .collect();
    let campaigns: Vec<_> =
        campaigns.iter().map(|document| Source { document, page: None }).collect();
    let reports = [Source { document: &report, page: None }];
    let matrix = Matrix::of(&catalogue(), &reports, &campaigns).unwrap();
    matrix.requirements.iter().find(|requirement| requirement.id == id).unwrap().status
}

#[test]
fn cases_and_campaigns_give_a_status_together() {
    use Support::{Failed, Lax, NotRun, Partial, Passed, Undecided};
    use Verdict::{Crash, Fail, Fault, OutOfDomain, Pass, Skipped, Timeout, Unsupported};
    for (verdicts, campaigns, expected) in [
        (&[][..], &[][..], Status::Uncovered),
        (&[Pass], &[], Status::Verified),
        (&[], &[Passed], Status::Verified),
        (&[OutOfDomain], &[], Status::OutOfDomain),
        (&[], &[Undecided], Status::OutOfDomain),
        (&[OutOfDomain], &[Passed], Status::Verified),
        (&[Pass], &[Undecided], Status::Verified),
        (&[], &[Partial], Status::Partly),
        (&[Pass], &[Passed, Partial], Status::Partly),
        (&[], &[Lax], Status::Partly),
        (&[Pass], &[Passed, Lax], Status::Partly),
        (&[Pass], &[NotRun], Status::Partly),
        (&[Unsupported], &[Passed], Status::Partly),
        (&[Skipped], &[Undecided], Status::Partly),
        (&[Unsupported, Skipped], &[NotRun], Status::Uncovered),
        (&[Pass], &[Passed, Failed], Status::Failed),
        (&[Fail], &[Passed], Status::Failed),
        (&[Crash, Pass], &[Passed], Status::Failed),
        (&[Timeout], &[Partial], Status::Failed),
        (&[Fault], &[NotRun], Status::Failed),
    ] {
        assert_eq!(status(false, verdicts, campaigns), expected, "{verdicts:?} {campaigns:?}");
        let untestable =
            if expected == Status::Failed { Status::Failed } else { Status::Untestable };
        assert_eq!(status(true, verdicts, campaigns), untestable, "{verdicts:?} {campaigns:?}");
    }
}

#[test]
fn what_names_a_requirement_is_listed_in_natural_order_and_with_its_report() {
    let matrix = everything();
    let of = |id: &str| matrix.requirements.iter().find(|one| one.id == id).unwrap();
    let cases = |id: &str| -> Vec<_> {
        of(id).cases.iter().map(|case| (case.id.as_str(), case.report)).collect()
    };
    assert_eq!(cases("P_A"), [("onnx-1.22.0/node/test_9", 0), ("onnx-1.22.0/node/test_10", 0)]);
    assert_eq!(cases("P_B"), [("onnx-1.22.0/node/test_9", 0), ("onnx-1.22.0/node/test_9", 1)]);
    assert_eq!(of("P_B").status, Status::Failed, "what fails in one report fails");
    assert_eq!((of("P_C").status, &*of("P_C").campaigns), (Status::Partly, &[1, 2][..]));
    assert_eq!(matrix.unlinked.len(), 1);
    let unknown: Vec<_> = matrix.unknown.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(unknown, ["P_X", "p <b>"]);
    assert_eq!(matrix.summary.requirements, 4);
    let sum = |count: fn(&onnx_conformance::documents::matrix::document::Summary) -> u64| {
        matrix.documents.iter().map(|document| count(&document.summary)).sum::<u64>()
    };
    assert_eq!(sum(|summary| summary.requirements), 4);
    assert_eq!(sum(|summary| summary.failed), matrix.summary.failed);
}

#[test]
fn cases_that_name_no_requirement_are_listed_in_natural_order() {
    let matrix = of_report(&report(&[
        ("onnx-1.22.0/d10", Verdict::Pass, &[]),
        ("onnx-1.22.0/d9", Verdict::Fail, &[]),
    ]));
    let unlinked: Vec<_> = matrix.unlinked.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(unlinked, ["onnx-1.22.0/d9", "onnx-1.22.0/d10"]);
}

#[test]
fn a_case_that_names_a_requirement_twice_counts_once() {
    let matrix = of_report(&report(&[("onnx-1.22.0/a", Verdict::Pass, &["P_A", "P_B", "P_A"])]));
    assert_eq!(matrix.requirements[0].cases.len(), 1);
}

#[test]
fn what_a_report_lists_beyond_the_catalogue_is_seen() {
    let matrix = of_report(&reports::hostile());
    assert_eq!(matrix.unknown.len(), reports::HOSTILE.len() + 1);
}

#[test]
fn documents_of_two_backends_make_no_matrix() {
    let report = report(&[]);
    let mut other = campaign(&["P_A"]);
    let both = |other: &Campaign| {
        let reports = [Source { document: &report, page: None }];
        Matrix::of(&catalogue(), &reports, &[Source { document: other, page: None }])
    };
    assert!(both(&other).is_ok());
    other.backend.details.insert("device".to_owned(), "CPU".to_owned());
    assert!(matches!(both(&other), Err(MatrixError::OtherBackend { .. })));
    assert_eq!(Matrix::of(&catalogue(), &[], &[]), Err(MatrixError::Empty));
}

#[test]
fn a_matrix_that_is_written_reads_back() {
    let bytes = everything().to_bytes().unwrap();
    assert_eq!(serde_json::from_slice::<Matrix>(&bytes).unwrap(), everything());
}
