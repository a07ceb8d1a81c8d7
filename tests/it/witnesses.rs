//! Two witnesses: what a case of an own suite expects is held against the reference, whatever a backend
//! answers; and the reference finds operands by itself.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{
    Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
};
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::explain::explain;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::onnx::{ValueType, decode_value, encode_value};
use onnx_conformance::run::{CaseResult, execute};
use onnx_conformance::tensor::{Tensor, Value};

use crate::support::suites::{cases, files};
use crate::support::{float32, write_case};

/// The files of a case in a folder.
fn files_in(folder: &Path) -> BTreeMap<String, Bytes> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file()).map(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        (path, std::fs::read(entry.path()).unwrap().into())
    });
    files.collect()
}

fn run(suite: Suite, files: &BTreeMap<String, Bytes>, backend: &dyn Backend) -> CaseResult {
    let case = Case::decode("case", files).unwrap();
    let known = CaseResult::not_run("case", suite, &case);
    let profile = Profile::named("sonnx").unwrap();
    execute(backend, &case, suite, &profile, Duration::from_secs(60), known).0
}

/// A tensor with one bit of its first element the other way.
fn altered(tensor: &Tensor) -> Tensor {
    let mut bytes = tensor.bits().unwrap().to_vec();
    bytes[0] ^= 1;
    Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bytes.into()).unwrap()
}

/// The case with another expected output.
fn with_output(
    files: &BTreeMap<String, Bytes>,
    change: impl Fn(&Tensor) -> Tensor,
) -> BTreeMap<String, Bytes> {
    const OUTPUT: &str = "test_data_set_0/output_0.pb";
    let mut files = files.clone();
    let any = ValueType::Tensor(None);
    let Value::Tensor(tensor) = decode_value(OUTPUT, files[OUTPUT].clone(), &any).unwrap() else {
        panic!("the output is a tensor");
    };
    files.insert(OUTPUT.to_owned(), encode_value("C", &change(&tensor).into()));
    files
}

/// A backend that does as it is told.
struct Doing<F>(F);

impl<F: Fn(&Task<'_>) -> Outcome + Send + Sync> Backend for Doing<F> {
    fn identity(&self) -> Identity {
        Identity { name: "doing".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        (self.0)(task).into()
    }
}

fn refusing(kind: RefusalKind) -> Doing<impl Fn(&Task<'_>) -> Outcome> {
    Doing(move |_: &Task<'_>| {
        Outcome::Refused(Refusal { stage: Stage::Run, kind, message: "no".to_owned() })
    })
}

#[test]
fn an_altered_expected_element_makes_an_own_case_a_fault_that_names_it_whatever_is_answered() {
    let whole = files(Suite::Sonnx, "div/float32/example_1");
    assert_eq!(run(Suite::Sonnx, &whole, &Builtin).verdict, Verdict::Pass);
    let broken = with_output(&whole, altered);
    let unsupported = refusing(RefusalKind::Unsupported);
    let returning =
        |values: Vec<Value>| Doing(move |_: &Task<'_>| Outcome::Outputs(values.clone()));
    let of = |dtype, shape, bytes| Tensor::from_bits(dtype, shape, vec![0; bytes].into()).unwrap();
    let shape = returning(vec![of(DType::Float32, vec![6], 24).into()]);
    let dtype = returning(vec![of(DType::Float64, vec![3, 2], 48).into()]);
    let nothing = returning(Vec::new());
    let backends: [&dyn Backend; 5] = [&Builtin, &unsupported, &shape, &dtype, &nothing];
    for backend in backends {
        let result = run(Suite::Sonnx, &broken, backend);
        assert_eq!(result.verdict, Verdict::Fault);
        let message = result.message.unwrap();
        assert!(message.contains("element [0, 0] of output `C`"), "{message}");
        assert!(message.contains("which the reference does not allow"), "{message}");
    }
}

#[test]
fn an_expected_output_of_another_shape_makes_an_own_case_a_fault() {
    let whole = files(Suite::Sonnx, "div/float32/example_1");
    let flat = |tensor: &Tensor| {
        let bits = tensor.bits().unwrap().clone();
        Tensor::from_bits(tensor.dtype(), vec![tensor.elements()], bits).unwrap()
    };
    let result = run(Suite::Sonnx, &with_output(&whole, flat), &Builtin);
    assert_eq!(result.verdict, Verdict::Fault);
    let message = result.message.unwrap();
    assert!(message.contains("float32 of shape [3, 2]"), "{message}");
}

#[test]
fn a_case_that_expects_what_the_reference_contradicts_is_a_fault() {
    let expecting = |case: &str, from: &str, to: &str| {
        let mut files = files(Suite::Sonnx, case);
        let manifest = String::from_utf8(files["case.json"].to_vec()).unwrap();
        assert!(manifest.contains(from));
        files.insert("case.json".to_owned(), manifest.replace(from, to).into_bytes().into());
        files
    };
    let refusal = expecting("div/float32/example_1", "\"values\"", "\"refusal\"");
    let result = run(Suite::Sonnx, &refusal, &refusing(RefusalKind::Invalid));
    assert_eq!(result.verdict, Verdict::Fault, "{:?}", result.message);

    let undecided = expecting("div/float32/example_1", "\"values\"", "\"undecided\"");
    let result = run(Suite::Sonnx, &undecided, &Builtin);
    assert_eq!(result.verdict, Verdict::Fault, "{:?}", result.message);
    assert!(result.message.unwrap().contains("the reference decides an element"));

    let case = "div/float32/refused_shape_transposed";
    let mut values = expecting(case, "\"refusal\"", "\"values\"");
    let input = values["test_data_set_0/input_0.pb"].clone();
    values.insert("test_data_set_0/output_0.pb".to_owned(), input);
    let result = run(Suite::Sonnx, &values, &Builtin);
    assert_eq!(result.verdict, Verdict::Fault);
    assert!(result.message.unwrap().contains("by the reference the call is invalid"));
}

#[test]
fn an_altered_expected_element_of_others_is_recorded_and_no_fault() {
    let mut files = with_output(&files(Suite::Sonnx, "div/float32/example_1"), altered);
    files.remove("case.json");
    let result = run(Suite::Onnx, &files, &Builtin);
    assert_eq!(result.verdict, Verdict::Pass, "the reference decides, not the file");
    let output = &result.outputs[0];
    let ulp = |error: &Option<String>| -> f64 {
        error.as_ref().unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    assert!(ulp(&output.max_error_ulp) <= 0.5);
    assert!(ulp(&output.expected_max_error_ulp) > 0.5);
}

/// Every refused case of the own suites is invalid by the reference, and every other is valid.
#[test]
fn the_reference_refuses_what_the_own_suites_expect_to_be_refused_and_nothing_else() {
    let builtin: Arc<dyn Backend> = Arc::new(Builtin);
    for suite in Suite::ALL {
        let cases = cases(suite);
        for case in cases {
            let result = run(suite, &case.files, &*builtin);
            assert_ne!(result.verdict, Verdict::Fault, "{}: {:?}", case.name, result.message);
        }
        assert!(cases.len() > 50, "{suite}");
    }
}

/// The elements of the output as if the second operand were not stepped through along one dimension.
fn with_a_wrong_stride(task: &Task<'_>) -> Outcome {
    let Outcome::Outputs(outputs) = Builtin.run(task).outcome else {
        return Builtin.run(task).outcome;
    };
    let [Value::Tensor(output)] = &outputs[..] else { return Outcome::Outputs(outputs) };
    let shapes: Vec<&[usize]> = task
        .inputs
        .iter()
        .filter_map(|input| match input {
            Value::Tensor(tensor) => Some(tensor.shape()),
            _ => None,
        })
        .collect();
    let (Some(bits), true) = (output.bits(), shapes.windows(2).any(|pair| pair[0] != pair[1]))
    else {
        return Outcome::Outputs(outputs);
    };
    // The first row stands for all.
    let row = output.shape().last().copied().unwrap_or(1).max(1);
    let width = bits.len() / output.elements().max(1);
    let bytes: Vec<u8> = (0..bits.len()).map(|at| bits[at % (row * width).max(1)]).collect();
    let wrong = Tensor::from_bits(output.dtype(), output.shape().to_vec(), bytes.into()).unwrap();
    Outcome::Outputs(vec![wrong.into()])
}

#[test]
fn a_backend_that_steps_wrongly_through_a_broadcast_operand_fails() {
    let wrong = Doing(with_a_wrong_stride);
    for case in ["divide_1/float32/numpy_row_by_column", "divide_1/float32/numpy_both_rank_4"] {
        let files = files(Suite::OpenVino, case);
        assert_eq!(run(Suite::OpenVino, &files, &Builtin).verdict, Verdict::Pass, "{case}");
        assert_eq!(run(Suite::OpenVino, &files, &wrong).verdict, Verdict::Fail, "{case}");
    }
}

fn explained(suite: Suite, case: &str, backend: &dyn Backend) -> String {
    explained_of(suite, &files(suite, case), backend)
}

fn explained_of(suite: Suite, files: &BTreeMap<String, Bytes>, backend: &dyn Backend) -> String {
    let case = Case::decode("case", files).unwrap();
    let known = CaseResult::not_run("case", suite, &case);
    let profile = Profile::named("sonnx").unwrap();
    explain(backend, &case, suite, &profile, Duration::from_secs(60), known, None).unwrap()
}

/// The lines of an explanation from the one on an element up to the next empty one.
fn of_element<'a>(text: &'a str, element: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != element);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_refusal_is_explained_by_what_was_expected_answered_and_broken() {
    let text = explained(Suite::Sonnx, "div/float32/refused_type_divisor_int32", &Builtin);
    assert!(text.contains("expected          a refusal"), "{text}");
    assert!(text.contains("answered          refused on"), "{text}");
    assert!(text.contains("invalid           Div-14 takes inputs of one type"), "{text}");
    assert!(!text.contains("exact"), "the operands of a refused call have no result: {text}");
}

#[test]
fn the_rows_that_apply_are_those_of_the_documents_on_the_call() {
    let draft = explained(Suite::SonnxDraft, "div/uint16/zero_divisor", &Builtin);
    assert!(
        draft.contains("sonnx-div-draft   row 2 (inf otherwise): P_DIVDRAFT_FUNC_0020"),
        "{draft}"
    );
    let rounded_down = "row 2 (A/B rounded down otherwise): P_OV_DIVIDE1_PYTHONDIV_0010";
    let formula = "row 2 (A/B otherwise): P_OV_DIVIDE1_FUNC_0010";
    for (case, shown, others) in [
        ("int8/truncate_signs", "P_OV_DIVIDE1_PYTHONDIV_0020", "P_OV_DIVIDE1_PYTHONDIV_0010"),
        ("int8/default_signs", rounded_down, "P_OV_DIVIDE1_PYTHONDIV_0020"),
        ("float32/truncate_elements", formula, "PYTHONDIV_00"),
        ("float16/default_elements", formula, "PYTHONDIV_00"),
    ] {
        let text = explained(Suite::OpenVino, &format!("divide_1/{case}"), &Builtin);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains(" row ")).collect();
        assert!(rows.iter().any(|row| row.ends_with(shown)), "{case}: {text}");
        assert!(!rows.iter().any(|row| row.contains(others)), "{case}: {text}");
    }
}

#[test]
fn elements_are_explained_with_expected_beside_actual() {
    let wrong = Doing(|task: &Task<'_>| match Builtin.run(task).outcome {
        Outcome::Outputs(outputs) => {
            let [Value::Tensor(tensor)] = &outputs[..] else { panic!("one tensor") };
            Outcome::Outputs(vec![altered(tensor).into()])
        }
        other => other,
    });
    let text = explained(Suite::Sonnx, "div/float32/example_1", &wrong);
    let expected = text.lines().find(|line| line.contains("expected   ")).unwrap();
    assert!(text.contains("element [0, 0] of C"), "{text}");
    assert!(expected.len() <= 80, "{expected}");
    assert!(text.contains("does not conform"), "{text}");
}

#[test]
fn an_element_of_a_product_is_explained_by_the_operands_of_its_terms() {
    let two = explained(Suite::Sonnx, "matmul/float32/example_1", &Builtin);
    let lines = [
        "element [0, 0] of Y",
        "  A                 1 (0x3f800000), normal",
        "  B                 5 (0x40a00000), normal",
        "  A                 2 (0x40000000), normal",
        "  B                 7 (0x40e00000), normal",
        "  exact             19",
    ];
    assert_eq!(of_element(&two, lines[0])[..lines.len()], lines, "{two}");

    let long = explained(Suite::Sonnx, "matmul/float32/long", &Builtin);
    let (a, b) = (
        "  A                 3 (0x40400000), normal",
        "  B                 1 (0x3f800000), normal",
    );
    let cut = "                    and 1,028 more terms";
    let lines = ["element [0, 0] of Y", a, b, a, b, a, b, cut, "  exact             3093"];
    assert_eq!(of_element(&long, lines[0])[..lines.len()], lines, "{long}");
}

#[test]
fn an_output_of_another_type_or_shape_is_told_beside_what_was_expected() {
    let returning = |dtype, shape: &[usize], bytes| {
        let tensor = Tensor::from_bits(dtype, shape.to_vec(), vec![0; bytes].into()).unwrap();
        Doing(move |_: &Task<'_>| Outcome::Outputs(vec![tensor.clone().into()]))
    };
    let unknown = tempfile::tempdir().unwrap();
    let value: Value =
        Tensor::from_bits(DType::Float32, vec![3, 2], vec![0; 24].into()).unwrap().into();
    let values = std::slice::from_ref(&value);
    write_case(unknown.path(), "Zeta", values, values);
    let known = files(Suite::Sonnx, "div/float32/example_1");
    for files in [known, files_in(unknown.path())] {
        for (dtype, shape, bytes, told) in [
            (DType::Float64, &[3, 2][..], 48, "float64 of shape [3, 2]"),
            (DType::Float32, &[6], 24, "float32 of shape [6]"),
            (DType::Float64, &[], 8, "float64 of shape []"),
        ] {
            let text = explained_of(Suite::Sonnx, &files, &returning(dtype, shape, bytes));
            let told = format!("  actual            {told}");
            let beside = "                    where float32 of shape [3, 2] was expected";
            let lines: Vec<_> = text.lines().collect();
            assert!(lines.windows(2).any(|two| two == [told.as_str(), beside]), "{text}");
            assert!(!text.contains("nothing was returned"), "{text}");
        }
        let sequence = Doing(|_: &Task<'_>| Outcome::Outputs(vec![Value::Sequence(Vec::new())]));
        let text = explained_of(Suite::Sonnx, &files, &sequence);
        assert!(text.contains("  actual            sequence\n"), "{text}");
        let none = Doing(|_: &Task<'_>| Outcome::Outputs(Vec::new()));
        let text = explained_of(Suite::Sonnx, &files, &none);
        assert!(text.contains("  actual            nothing was returned\n"), "{text}");
    }
}

#[test]
fn the_elements_that_are_shown_are_the_worst_of_the_very_output() {
    let folder = tempfile::tempdir().unwrap();
    let (ones, first, second) =
        (float32(&[1.0; 3]), float32(&[1.0, 2.0, 1.0]), float32(&[1.0, 1.0, 2.0]));
    let values = std::slice::from_ref(&ones);
    write_case(folder.path(), "Zeta", values, values);
    let mut files = files_in(folder.path());
    for (file, value) in [("input_0.pb", &second), ("output_0.pb", &ones)] {
        files.insert(format!("test_data_set_1/{file}"), encode_value("x", value));
    }
    files.insert("test_data_set_0/input_0.pb".to_owned(), encode_value("x", &first));
    let echo = Doing(|task: &Task<'_>| Outcome::Outputs(task.inputs.to_vec()));
    let text = explained_of(Suite::Onnx, &files, &echo);
    let shown: Vec<&str> = text.lines().filter(|line| line.starts_with("element ")).collect();
    assert_eq!(shown, ["element [1] of `y0`", "element [2] of `test_data_set_1:y0`"], "{text}");
}
