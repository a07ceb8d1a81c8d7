//! `--variant`: the same cases with models that say the same in another way.

use std::fs;

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::variant::Variant;
use onnx_conformance::model::{Format, Model};

use super::{float32, in_folder, report, run, stderr, stdout, three_cases, verdicts, write_case};
use crate::support::suites;

#[test]
fn inputs_but_the_first_become_constants_and_results_stay() {
    let folder = three_cases();
    let output = run(folder.path(), &["--variant", "constant-inputs"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("variant constant-inputs: 1 of 3 cases are the same in it"),
        "{}",
        stderr(&output)
    );
    let report = report(folder.path());
    assert_eq!(
        verdicts(&report),
        [("cases+constant-inputs/fail", "fail"), ("cases+constant-inputs/pass", "pass")]
    );
    let corpora = report["corpora"].as_array().unwrap();
    assert_eq!(corpora[0]["name"], "cases+constant-inputs");
    assert_eq!(corpora[0]["cases"], 2);
}

#[test]
fn an_input_that_is_not_the_same_in_all_data_sets_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("cases/two");
    let (six, two, three) = (float32(&[6.0]), float32(&[2.0]), float32(&[3.0]));
    write_case(&case, "Div", &[six.clone(), two.clone()], std::slice::from_ref(&three));
    let other = tempfile::tempdir().unwrap();
    write_case(&other.path().join("x"), "Div", &[six, three], &[two]);
    fs::rename(other.path().join("x/test_data_set_0"), case.join("test_data_set_1")).unwrap();
    let output = run(folder.path(), &["--variant", "constant-inputs"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("changes no case of these corpora"));
}

#[test]
fn a_known_failure_of_a_case_is_one_of_its_variants() {
    let folder = three_cases();
    let known = "[[known]]\ncases = 'cases/fail'\nverdict = 'fail'\nreason = 'x'\n";
    fs::write(folder.path().join("known.toml"), known).unwrap();
    let options = ["--variant", "constant-inputs", "--expectations", "known.toml"];
    let output = run(folder.path(), &options);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let failures = &report(folder.path())["expectations"][0]["failures"];
    assert_eq!(failures.as_array().unwrap().len(), 1);
}

#[test]
fn a_case_of_a_variant_is_listed_and_explained_by_its_id() {
    let folder = three_cases();
    let list = ["list", "--corpus", "cases", "--variant", "constant-inputs", "--op", "Div"];
    let output = in_folder(folder.path(), &list);
    let ids: Vec<_> = stdout(&output).lines().collect();
    assert_eq!(ids, ["cases+constant-inputs/fail", "cases+constant-inputs/pass"]);
    let output = in_folder(folder.path(), &["explain", "--corpus", "cases", ids[0]]);
    assert!(stdout(&output).contains("0.25"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn an_unknown_variant_and_that_of_a_challenge_are_mistakes() {
    let folder = three_cases();
    let output = run(folder.path(), &["--variant", "static"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("they are constant-inputs and dynamic-shapes"),
        "{}",
        stderr(&output)
    );
    let challenge = ["run", "--challenge", "1", "--variant", "dynamic-shapes"];
    assert_eq!(in_folder(folder.path(), &challenge).status.code(), Some(2));
}

/// What the models of a suite's own cases are in a variant, and that there are some of it and not all.
fn varied(variant: Variant, suite: Suite, holds: impl Fn(&Model, &[u8])) {
    let corpus = onnx_conformance::corpus::Home::find().unwrap().suite(suite).unwrap();
    let varied = variant.corpus(suite, &corpus).unwrap();
    assert!((corpus.cases().len() / 8..corpus.cases().len()).contains(&varied.cases().len()));
    for case in varied.cases() {
        let bytes = case.load().unwrap().files()[Format::Onnx.file()].clone();
        holds(&Model::decode(Format::Onnx, case.name(), bytes.clone()).unwrap(), &bytes);
    }
}

#[test]
fn of_the_suite_sonnx_every_model_has_one_input_of_tensors_or_no_dimension_that_is_a_number() {
    varied(Variant::ConstantInputs, Suite::Sonnx, |model, _| assert_eq!(model.inputs().len(), 1));
    varied(Variant::DynamicShapes, Suite::Sonnx, |_, bytes| {
        let again = values::onnx::with_symbolic_shapes(&bytes::Bytes::copy_from_slice(bytes));
        assert_eq!(again, Ok(None));
    });
}

#[test]
fn refusals_that_rest_on_what_a_variant_leaves_out_are_not_in_it() {
    let corpus = onnx_conformance::corpus::Home::find().unwrap().suite(Suite::Sonnx).unwrap();
    let left = |variant: Variant| -> Vec<String> {
        let varied = variant.corpus(Suite::Sonnx, &corpus).unwrap();
        let names: Vec<_> = varied.cases().iter().map(|case| case.name().to_owned()).collect();
        let refused = suites::cases(Suite::Sonnx).iter().map(|case| case.name.clone());
        refused.filter(|name| name.contains("/refused_") && !names.contains(name)).collect()
    };
    let of_shapes = left(Variant::DynamicShapes);
    assert!(of_shapes.contains(&"add/float32/refused_shape_output".to_owned()), "{of_shapes:?}");
    let of_constants = left(Variant::ConstantInputs);
    assert!(of_constants.contains(&"add/float32/refused_untyped_b".to_owned()), "{of_constants:?}");
}
