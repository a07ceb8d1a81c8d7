//! Known divergences, on the project's own suites.

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::report::document::Case;
use onnx_conformance::documents::scoreboard::document::{Behaviour, DivergentCases};
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::tensor::Value;

use crate::support;

use super::synthetic::{case, on_suite, report, returned, scoreboard, worst};

fn divergence<'a>(divergences: &'a [DivergentCases], id: &str) -> &'a DivergentCases {
    divergences.iter().find(|divergence| divergence.id == id).unwrap()
}

fn of_type(case: Case, type_name: &str) -> Case {
    let mut case = case;
    case.outputs[0].type_name = type_name.to_owned();
    case
}

#[test]
fn every_divergence_is_shown_by_a_case_of_the_own_suites() {
    let sonnx = [
        "int8/minimum_by_minus_one",
        "int32/zero_divisor",
        "float32/normal_by_zero",
        "int64/beyond_float64",
        "float32/hardest",
    ]
    .map(|name| case(&format!("sonnx/div/{name}"), "Div", Verdict::Unsupported));
    let openvino = case("openvino/divide_1/int32/floor_signs", "Divide", Verdict::Unsupported);
    let mut all = on_suite("a", "sonnx", sonnx.to_vec());
    let other = on_suite("a", "openvino", vec![openvino]);
    all.corpora.extend(other.corpora);
    all.cases.extend(other.cases);
    let scoreboard = scoreboard(vec![all]);
    let asked: Vec<_> = scoreboard
        .hard_questions
        .iter()
        .map(|divergence| {
            let cases = divergence.cases.iter().map(|case| case.case.rsplit('/').next().unwrap());
            (divergence.id.as_str(), cases.collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(
        asked,
        [
            ("minimum_by_minus_one", vec!["minimum_by_minus_one"]),
            ("integer_by_zero", vec!["zero_divisor"]),
            ("float_by_zero", vec!["normal_by_zero"]),
            ("beyond_2_53", vec!["beyond_float64"]),
            ("pythondiv", vec!["floor_signs"]),
            ("float32_quotients", vec!["hardest"]),
        ]
    );
}

#[test]
fn what_each_backend_did_is_counted_and_its_operands_are_shown() {
    let id = "sonnx/div/int8/minimum_by_minus_one";
    let value =
        |verdict, value: &str| of_type(returned(id, "Div", verdict, &[value], vec![]), "int8");
    let mut wrong = value(Verdict::Fail, "127");
    wrong.outputs[0].worst = vec![worst(0, &["-128", "-1"], "-128", "127")];
    let reports = vec![
        on_suite("wraps", "sonnx", vec![value(Verdict::Pass, "-128")]),
        on_suite("refuses", "sonnx", vec![case(id, "Div", Verdict::Pass)]),
        on_suite("crashes", "sonnx", vec![case(id, "Div", Verdict::Crash)]),
        on_suite("saturates", "sonnx", vec![wrong]),
        on_suite("was not asked", "sonnx", vec![]),
    ];
    let scoreboard = scoreboard(reports);
    let divergence = divergence(&scoreboard.hard_questions, "minimum_by_minus_one");
    let [case] = &divergence.cases[..] else { panic!() };
    assert_eq!(case.elements[0].inputs, ["-128", "-1"]);
    assert_eq!(case.elements[0].oracle.as_deref(), Some("a refusal, or -128"));
    let values: Vec<_> = case.elements[0].answers.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(values, ["-128", "127"]);
    let did = [
        Behaviour::Conforms,
        Behaviour::Refuses,
        Behaviour::Crash,
        Behaviour::Differs,
        Behaviour::NotAsked,
    ];
    assert_eq!(case.backends, did);
    for (counts, behaviour) in divergence.backends.iter().zip(did) {
        assert_eq!(counts.clone().into_iter().collect::<Vec<_>>(), [(behaviour, 1)]);
    }
}

#[test]
fn what_is_returned_for_a_zero_divisor_is_shown_and_not_judged() {
    let id = "sonnx/div/uint8/zero_divisor";
    let mut case = of_type(returned(id, "Div", Verdict::OutOfDomain, &["255"; 3], vec![]), "uint8");
    (case.outputs[0].elements, case.outputs[0].undecided) = (0, 3);
    let scoreboard = scoreboard(vec![on_suite("a", "sonnx", vec![case])]);
    let divergence = divergence(&scoreboard.hard_questions, "integer_by_zero");
    assert_eq!(divergence.cases[0].backends, [Behaviour::Returns]);
    let element = &divergence.cases[0].elements[0];
    assert_eq!((element.answers[0].value.as_str(), element.answers[0].conforms), ("255", None));
    assert_eq!(element.inputs[1], "0");
}

#[test]
fn operands_are_not_taken_from_a_suite_of_another_digest() {
    let id = "sonnx/div/int8/minimum_by_minus_one";
    let mut other = on_suite("a", "sonnx", vec![case(id, "Div", Verdict::Pass)]);
    other.corpora[0].digest = "0".repeat(64);
    let scoreboard = scoreboard(vec![other]);
    assert!(scoreboard.hard_questions.iter().all(|divergence| divergence.cases.is_empty()));
}

#[test]
fn recorded_operands_ask_too() {
    let by_zero =
        worst(0, &["1 (0x3f800000)", "0 (0x00000000)"], "inf (0x7f800000)", "0 (0x00000000)");
    let wrong = returned("c/div", "Div", Verdict::Fail, &["0 (0x00000000)"], vec![by_zero]);
    let scoreboard = scoreboard(vec![report("a", vec![wrong])]);
    let divergence = divergence(&scoreboard.hard_questions, "float_by_zero");
    assert_eq!(divergence.cases[0].backends, [Behaviour::Differs]);
}

#[test]
fn truncation_where_the_model_asks_to_round_down_differs() {
    let id = "openvino/divide_1/int32/floor_signs";
    let files = support::suites::files(Suite::OpenVino, id.split_once('/').unwrap().1);
    let set = onnx_conformance::corpus::case::Case::decode(id, &files).unwrap().data_sets.remove(0);
    let Value::Tensor(expected) = &set.outputs[0] else { panic!() };
    let mut truncated = of_type(returned(id, "Divide", Verdict::Pass, &[], vec![]), "int32");
    let output = &mut truncated.outputs[0];
    output.shape = expected.shape().iter().map(|&dim| dim as u64).collect();
    output.elements = expected.elements() as u64;
    // Rounded up where the quotient is negative and not whole.
    let integers = |value: &Value, at: usize| match value {
        Value::Tensor(tensor) => tensor.element(at).unwrap() as i32,
        _ => panic!(),
    };
    let at = (0..expected.elements())
        .find(|&at| {
            let [a, b] = [0, 1].map(|input| integers(&set.inputs[input], at));
            b != 0 && (a < 0) != (b < 0) && a % b != 0
        })
        .unwrap();
    let floor = integers(&set.outputs[0], at);
    let actual = (floor + 1).to_string();
    let first = integers(&set.outputs[0], 0).to_string();
    output.returned = vec![if at == 0 { actual.clone() } else { first }];
    output.worst = vec![worst(at as u64, &[], &floor.to_string(), &actual)];
    let scoreboard = scoreboard(vec![on_suite("a", "openvino", vec![truncated])]);
    let divergence = divergence(&scoreboard.hard_questions, "pythondiv");
    assert_eq!(divergence.cases[0].backends, [Behaviour::Differs]);
}
