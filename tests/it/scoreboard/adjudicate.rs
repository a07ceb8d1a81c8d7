//! Who is right where backends disagree, and by what.

use onnx_conformance::corpus::Home;
use onnx_conformance::documents::report::document::{Case, Report, Worst};
use onnx_conformance::documents::scoreboard::document::{DecidedBy, Difference, Disagreement};
use onnx_conformance::judge::verdict::Verdict;

use super::synthetic::{
    case, corpus, disagreement, full, of_one_case, on_suite, report, returned, scoreboard, under,
    worst,
};

const ONE: &str = "1 (0x3f800000)";
const TWO: &str = "2 (0x40000000)";
const THREE: &str = "3 (0x40400000)";
const THIRD: &str = "0.33333334 (0x3eaaaaab)";
const BELOW: &str = "0.3333333 (0x3eaaaaaa)";
const NAN: &str = "NaN (0x7fc00000)";
const MINUS_NAN: &str = "NaN (0xffc00000)";

/// A passed case of `Exp` that returned one element, of operands that nobody tells.
fn exp(value: &str) -> Option<Case> {
    Some(returned("c/exp", "Exp", Verdict::Pass, &[value], vec![]))
}

fn outliers(disagreement: &Disagreement) -> Vec<usize> {
    disagreement.outliers.iter().map(|outlier| outlier.backend).collect()
}

#[test]
fn the_oracle_names_whoever_is_not_exact_even_where_the_profile_lets_it_pass() {
    let differs = vec![worst(0, &[ONE, THREE], THIRD, BELOW)];
    let found = disagreement(vec![
        ("a", Some(returned("c/div", "Div", Verdict::Pass, &[BELOW], differs.clone()))),
        ("b", Some(returned("c/div", "Div", Verdict::Pass, &[BELOW], differs))),
        ("c", Some(returned("c/div", "Div", Verdict::Pass, &[THIRD], vec![]))),
    ])
    .unwrap();
    assert_eq!(found.decided_by, DecidedBy::Oracle, "no majority outvotes exact arithmetic");
    assert_eq!(outliers(&found), [0, 1]);
    assert_eq!(
        found.outliers[0].because,
        "z[0]: 0.3333333 (0x3eaaaaaa), not 0.33333334 (0x3eaaaaab)"
    );
    assert_eq!(found.differ_in, [Difference::Values]);
}

#[test]
fn the_oracle_trusts_the_operands_and_not_what_the_case_expects() {
    let wrongly_expected = vec![worst(0, &[ONE, THREE], BELOW, THIRD)];
    let found = disagreement(vec![
        ("a", Some(returned("c/div", "Div", Verdict::Fail, &[THIRD], wrongly_expected))),
        ("b", Some(returned("c/div", "Div", Verdict::Pass, &[BELOW], vec![]))),
    ])
    .unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Oracle, vec![1]));
}

#[test]
fn whoever_returns_nothing_where_the_oracle_has_a_result_is_an_outlier() {
    let differs = vec![worst(0, &[ONE, THREE], THIRD, BELOW)];
    let found = disagreement(vec![
        ("a", Some(returned("c/div", "Div", Verdict::Fail, &[BELOW], differs))),
        ("b", Some(case("c/div", "Div", Verdict::Crash))),
        ("c", Some(returned("c/div", "Div", Verdict::Pass, &[THIRD], vec![]))),
        ("d", Some(case("c/div", "Div", Verdict::Unsupported))),
    ])
    .unwrap();
    assert_eq!(outliers(&found), [0, 1]);
    assert_eq!(found.outliers[1].because, "crashed: it is a crash");
    assert_eq!(found.differ_in, [Difference::Verdict, Difference::Answer, Difference::Values]);
}

#[test]
fn without_an_oracle_more_than_half_of_three_backends_decide() {
    let found = disagreement(vec![("a", exp(ONE)), ("b", exp(TWO)), ("c", exp(ONE))]).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Majority, vec![1]));
    let half = vec![("a", exp(ONE)), ("b", exp(TWO)), ("c", exp(ONE)), ("d", exp(TWO))];
    assert_eq!(disagreement(half).unwrap().decided_by, DecidedBy::Undecided);
    let two = vec![("a", exp(ONE)), ("b", exp(TWO)), ("c", None)];
    let found = disagreement(two).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Undecided, vec![]));
}

#[test]
fn a_backend_has_one_vote_however_many_profiles_it_ran_under() {
    let mut reports = of_one_case(vec![("a", exp(ONE)), ("a", exp(ONE)), ("b", exp(TWO))]);
    reports[1] = under("ieee754", reports[1].clone());
    let found = scoreboard(reports).disagreements;
    assert_eq!(found[0].decided_by, DecidedBy::Undecided);
}

#[test]
fn a_majority_of_passes_decides_where_verdicts_differ_under_one_profile() {
    let fail = || {
        let mut case = returned("c/exp", "Exp", Verdict::Fail, &[TWO], vec![]);
        case.message = Some("output `z`: 1 of 1 elements differ".to_owned());
        Some(case)
    };
    // All three differ in bits; two are within the tolerance.
    let found = disagreement(vec![("a", exp(ONE)), ("b", fail()), ("c", exp(THREE))]).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Majority, vec![1]));
    assert_eq!(found.reason, "2 of 3 backends pass");
    assert_eq!(found.outliers[0].because, "fail: output `z`: 1 of 1 elements differ");
    let failing = disagreement(vec![("a", exp(ONE)), ("b", fail()), ("c", fail())]).unwrap();
    assert_eq!(outliers(&failing), [0], "failing is no opinion; what came back is");
}

#[test]
fn the_second_reference_decides_where_no_majority_does() {
    let found = disagreement(vec![("a", exp(ONE)), ("onnx-reference", exp(TWO))]).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::SecondReference, vec![0]));
    let outvoted = vec![("a", exp(ONE)), ("b", exp(ONE)), ("onnx-reference", exp(TWO))];
    let found = disagreement(outvoted).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Majority, vec![2]));
    let refused = Some(case("c/exp", "Exp", Verdict::Fail));
    let found = disagreement(vec![("a", exp(ONE)), ("onnx-reference", refused)]).unwrap();
    assert_eq!(found.decided_by, DecidedBy::Undecided, "it has nothing to compare with");
}

#[test]
fn nans_of_other_bits_are_a_disagreement_that_nobody_loses() {
    let found =
        disagreement(vec![("a", exp(NAN)), ("b", exp(MINUS_NAN)), ("c", exp(NAN))]).unwrap();
    assert_eq!(found.differ_in, [Difference::NanBits]);
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::NoSpecification, vec![]));
    let found =
        disagreement(vec![("a", exp(NAN)), ("b", exp(MINUS_NAN)), ("c", exp(ONE))]).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::Majority, vec![2]));
}

#[test]
fn agreement_and_answers_of_one_backend_alone_are_no_disagreement() {
    assert_eq!(disagreement(vec![("a", exp(ONE)), ("b", exp(ONE))]), None);
    for verdict in [Verdict::Unsupported, Verdict::Skipped] {
        let silent = Some(case("c/exp", "Exp", verdict));
        assert_eq!(disagreement(vec![("a", exp(ONE)), ("b", silent), ("c", None)]), None);
    }
}

#[test]
fn what_the_specification_leaves_open_has_no_outlier() {
    let open = |value: &str| {
        let mut case = returned("c/div", "Div", Verdict::OutOfDomain, &[value], vec![]);
        (case.outputs[0].elements, case.outputs[0].undecided) = (0, 1);
        Some(case)
    };
    let crash = Some(case("c/div", "Div", Verdict::Crash));
    let found = disagreement(vec![("a", open(ONE)), ("b", open(TWO)), ("c", crash)]).unwrap();
    assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::NoSpecification, vec![]));
}

#[test]
fn nobody_is_wrong_on_a_case_that_may_be_refused_whatever_others_return() {
    let refused = case("c/exp", "Exp", Verdict::OutOfDomain);
    for third in [exp(ONE), exp(TWO), None] {
        let reports =
            vec![("a", Some(refused.clone())), ("onnx-reference", exp(ONE)), ("c", third)];
        let found = disagreement(reports).unwrap();
        assert_eq!((found.decided_by, outliers(&found)), (DecidedBy::NoSpecification, vec![]));
        assert!(found.reason.ends_with("so that it may be refused"), "{}", found.reason);
    }
}

#[test]
fn the_own_suites_say_whether_values_are_due() {
    let id = "sonnx/div/int8/minimum_by_minus_one";
    let wrapped = || {
        let mut case = returned(id, "Div", Verdict::Pass, &["-128"], vec![]);
        case.outputs[0].type_name = "int8".to_owned();
        case
    };
    let cells = [wrapped(), case(id, "Div", Verdict::Pass), case(id, "Div", Verdict::Crash)];
    let reports = ["a", "b", "c"].into_iter().zip(cells);
    let reports = reports.map(|(name, case)| on_suite(name, "sonnx", vec![case])).collect();
    let found = &scoreboard(reports).disagreements[0];
    assert_eq!((found.decided_by, outliers(found)), (DecidedBy::NoSpecification, vec![]));
    assert_eq!(
        found.reason,
        "no value of the type is the quotient; a refusal conforms, and so does the quotient wrapped to the \
         minimum",
        "in the words of the case"
    );

    let id = "sonnx/div/float32/exact";
    let refused = case(id, "Div", Verdict::Fail);
    let conforms = on_exact(id, None);
    let reports =
        vec![on_suite("a", "sonnx", vec![refused]), on_suite("b", "sonnx", vec![conforms])];
    let found = &scoreboard(reports).disagreements[0];
    assert_eq!((found.decided_by, outliers(found)), (DecidedBy::Oracle, vec![0]));
    assert_eq!(found.outliers[0].because, "returned no values: it is a fail");
}

/// What conforms to the case `exact` of 64 elements, as far as a report tells.
fn on_exact(id: &str, differs: Option<Worst>) -> Case {
    let mut case = returned(id, "Div", Verdict::Pass, &[], differs.into_iter().collect());
    let output = &mut case.outputs[0];
    (output.shape, output.elements) = (vec![64], 64);
    output.returned = vec!["3210 (0x4548a000)".to_owned()];
    case
}

#[test]
fn an_element_that_one_report_tells_of_is_known_of_those_that_have_no_difference() {
    let id = "sonnx/div/float32/exact";
    let odd = worst(40, &[ONE, ONE], THREE, TWO);
    let reports = vec![
        on_suite("a", "sonnx", vec![on_exact(id, Some(odd))]),
        on_suite("b", "sonnx", vec![on_exact(id, None)]),
    ];
    let scoreboard = scoreboard(reports);
    let elements = &scoreboard.cases[0].outputs[0].elements;
    let element = elements.iter().find(|element| element.index == [40]).unwrap();
    let of = |backend: usize| {
        element.answers.iter().find(|answer| answer.backends == [backend]).unwrap()
    };
    assert_eq!((of(0).value.as_str(), of(0).conforms), (TWO, Some(false)));
    assert_eq!((Some(&of(1).value), of(1).conforms), (element.oracle.as_ref(), Some(true)));
    assert_ne!(element.inputs, [ONE, ONE], "the operands are the suite's own");
}

/// What came back for the first of the 60 elements of an official case of Softmax, whose report tells no operands.
fn softmax(backend: &str, first: &str, differs: Option<Worst>) -> Report {
    let id = "onnx-1.22.0/node/test_softmax_axis_0";
    let mut case = returned(id, "Softmax", Verdict::Pass, &[first], differs.into_iter().collect());
    let output = &mut case.outputs[0];
    (output.name, output.shape, output.elements) = ("y".to_owned(), vec![3, 4, 5], 60);
    let digest = Home::find().unwrap().lock("onnx-1.22.0").unwrap().digest.to_string();
    Report { corpora: vec![corpus("onnx-1.22.0", &digest)], ..report(backend, vec![case]) }
}

#[test]
fn the_reference_decides_on_the_cases_of_a_fetched_release_whatever_a_majority_returned() {
    // What the case expects, one ULP from it, and too much: 0.25, 0.25, and what is right within its bound.
    let (right, near) = ("0.2710024 (0x3e8ac0d4)", "0.27100244 (0x3e8ac0d5)");
    let quarter = "0.25 (0x3e800000)";
    let differs = |value| Some(Worst { index: vec![0, 0, 0], ..worst(0, &[], right, value) });
    let wrong = |backend| softmax(backend, quarter, differs(quarter));
    let board = scoreboard(vec![wrong("a"), softmax("b", near, differs(near)), wrong("c")]);
    let found = &board.disagreements[0];
    assert_eq!((found.decided_by, outliers(found)), (DecidedBy::Oracle, vec![0, 2]));
    let element = &board.cases[0].outputs[0].elements[0];
    assert_eq!(element.expected.as_deref(), Some(right));
    assert_eq!(element.inputs.len(), 4, "the element of the input, and all of its column");
    let board = scoreboard(vec![softmax("a", right, None), softmax("b", near, differs(near))]);
    let found = &board.disagreements[0];
    assert_eq!((found.decided_by, outliers(found)), (DecidedBy::Oracle, vec![]));
}

#[test]
fn deaths_come_before_what_the_oracle_decides_and_that_before_bits() {
    let scoreboard = scoreboard(full());
    let order: Vec<_> =
        scoreboard.disagreements.iter().map(|one| (one.case.as_str(), one.decided_by)).collect();
    assert_eq!(
        order,
        [
            ("c/crash", DecidedBy::Majority),
            ("c/div", DecidedBy::Oracle),
            ("c/exp", DecidedBy::SecondReference),
        ]
    );
}

#[test]
fn operators_that_the_oracle_knows_come_before_others() {
    let returned = |operator: &str, value| {
        returned(&format!("c/{operator}"), operator, Verdict::Pass, &[value], vec![])
    };
    let cases = |value| ["Zeta", "Exp", "Where"].map(|operator| returned(operator, value)).to_vec();
    let reports = [("a", ONE), ("b", TWO)].map(|(name, value)| report(name, cases(value)));
    let scoreboard = scoreboard(reports.to_vec());
    let order: Vec<_> = scoreboard.disagreements.iter().map(|one| one.case.as_str()).collect();
    assert_eq!(order, ["c/Exp", "c/Where", "c/Zeta"]);
}

#[test]
fn verdicts_under_other_profiles_outvote_nobody() {
    let cells = [Verdict::Pass, Verdict::Pass, Verdict::Fail]
        .map(|verdict| Some(returned("c/exp", "Exp", verdict, &[ONE], vec![])));
    let mut reports = of_one_case(["a", "b", "c"].into_iter().zip(cells).collect());
    reports[2] = under("ieee754", reports[2].clone());
    let found = &scoreboard(reports).disagreements[0];
    assert_eq!((found.decided_by, outliers(found)), (DecidedBy::Undecided, vec![]));
    assert_eq!(found.reason, "the profiles differ, and no element in these reports does");
}

#[test]
fn a_backend_that_contradicts_itself_is_no_majority() {
    let mut reports = of_one_case(vec![("a", exp(ONE)), ("a", exp(TWO))]);
    reports[1] = under("ieee754", reports[1].clone());
    assert_eq!(scoreboard(reports).disagreements[0].decided_by, DecidedBy::Undecided);
}

/// What is known of the element 40, expected to be `expected`, in a report that holds only other
/// elements: `worst`, of which each is `ulp` away.
fn known_of_40(expected: &str, worst_elements: u64, ulp: u64, undecided: u64) -> Option<String> {
    let mut one = returned("c/exp", "Exp", Verdict::Pass, &[ONE], vec![]);
    let mut other = one.clone();
    for case in [&mut one, &mut other] {
        (case.outputs[0].shape, case.outputs[0].elements) = (vec![64], 64);
    }
    one.outputs[0].worst = vec![worst(40, &[], expected, "7 (0x40e00000)")];
    let differs = |at| Worst { ulp: Some(ulp), ..worst(at, &[], NAN, MINUS_NAN) };
    other.outputs[0].worst = (0..worst_elements).map(differs).collect();
    (other.outputs[0].elements, other.outputs[0].undecided) = (64 - undecided, undecided);
    let scoreboard = scoreboard(of_one_case(vec![("a", Some(one)), ("b", Some(other))]));
    let elements = &scoreboard.cases[0].outputs[0].elements;
    let answers = &elements.iter().find(|element| element.index == [40]).unwrap().answers;
    answers.iter().find(|answer| answer.backends == [1]).map(|answer| answer.value.clone())
}

#[test]
fn an_element_is_known_only_where_its_report_would_hold_it_if_it_differed() {
    assert_eq!(known_of_40(THREE, 7, 1, 0).as_deref(), Some(THREE));
    assert_eq!(known_of_40(THREE, 8, 1, 0), None, "a ninth may differ");
    assert_eq!(known_of_40(THREE, 7, 1, 1), None, "an undecided one is not held");
    assert_eq!(known_of_40(THREE, 8, 0, 0).as_deref(), Some(THREE), "only NaNs and zeros differ");
    assert_eq!(known_of_40(NAN, 8, 0, 0), None);
    assert_eq!(known_of_40("-0 (0x80000000)", 8, 0, 0), None);
    assert_eq!(known_of_40(THREE, 8, 0, 1), None);
}
