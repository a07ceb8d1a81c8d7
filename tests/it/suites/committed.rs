//! What is committed: traced to requirements, and valid ONNX.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use onnx_conformance::corpus::case::Expect;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::judge::requirements::Catalogue;
use reference::operator::Call;
use reference::operators::OPERATORS;
use reference::operators::div::DIV;

use crate::backends::newest_onnx;
use crate::support::suites::cases;

#[test]
fn cases_name_known_requirements_and_every_testable_requirement_has_a_case() {
    let catalogue = Catalogue::embedded().unwrap();
    let mut named = BTreeSet::new();
    for case in Suite::ALL.into_iter().flat_map(cases) {
        let manifest = &case.case.manifest;
        assert!(!manifest.requirements.is_empty(), "{} verifies nothing", case.name);
        assert!(!manifest.class.is_empty() && !manifest.note.is_empty(), "{}", case.name);
        for id in &manifest.requirements {
            assert!(catalogue.get(id).is_some(), "{} names {id}, which is unknown", case.name);
        }
        named.extend(manifest.requirements.iter().cloned());
    }
    let uncovered: Vec<&str> = catalogue
        .requirements()
        .iter()
        .filter(|requirement| requirement.untestable.is_none() && !named.contains(&requirement.id))
        .map(|requirement| requirement.id.as_str())
        .collect();
    assert_eq!(uncovered, Vec::<&str>::new());
    let untestable = named.iter().find(|id| catalogue.get(id).unwrap().untestable.is_some());
    assert_eq!(untestable, None);
}

#[test]
fn every_operator_of_the_registry_has_a_case_that_passes_values() {
    let mut asked = BTreeSet::new();
    for case in Suite::ALL.into_iter().flat_map(cases) {
        let (model, inputs) = (&case.case.model, &case.case.data_sets[0].inputs);
        if let (Ok((call, _)), Expect::Values) =
            (Call::of(model, inputs, case.suite), case.case.manifest.expect)
        {
            asked.insert((call.operator.domain, call.operator.name));
        }
    }
    let known = OPERATORS.iter().map(|operator| (operator.domain, operator.name));
    assert_eq!(asked, known.collect());
}

#[test]
fn undecided_cases_hold_no_element_that_is_decided() {
    let mut zeros = 0;
    for case in Suite::ALL.into_iter().flat_map(cases) {
        let inputs = &case.case.data_sets[0].inputs;
        if case.case.manifest.expect != Expect::Undecided {
            continue;
        }
        let (call, types) = Call::of(&case.case.model, inputs, case.suite).unwrap();
        let allowed = call.operator.reference.allowed(&call, &types);
        let count = types[0].shape.iter().product();
        let decided = (0..count).find(|&k| allowed[0].at(k).is_decided());
        assert_eq!((decided, count > 0), (None, true), "{}", case.name);
        // Of quotients those by zero, told without the reference.
        if call.operator.judged_as == DIV.name {
            let divisors = inputs[1].tensors()[0];
            let is_zero = |bits: u128| match divisors.dtype().kind() {
                Kind::Float(format) => format.class(bits as u64) == Class::Zero,
                _ => bits == 0,
            };
            let mut all = (0..divisors.elements()).map(|k| divisors.element(k).unwrap());
            assert!(all.all(is_zero), "{}", case.name);
            zeros += divisors.elements();
        }
    }
    assert!(zeros > 100, "{zeros} zeros");
}

/// What the checker says against ONNX's own documents, by two parts of it each, and why that is no fault of a model.
const AGAINST_ITSELF: [(&str, &str, &str); 7] = [
    (
        "Attention",
        "Inferred shape and existing shape differ in dimension 3: (1) vs (3)",
        "the inference leaves a past out of the scores' shape where the present outputs are left out",
    ),
    (
        "GroupNormalization",
        "is deprecated",
        "a later version replaces it, and it is in the operator set all the same",
    ),
    (
        "MeanVarianceNormalization",
        "inconsistent type tensor(float)",
        "the constants of its function are float32 whatever its type is",
    ),
    (
        "MeanVarianceNormalization",
        "(op_type:Constant)",
        "a constant of its function is of no attribute that the checker knows",
    ),
    (
        "RMSNormalization",
        "Y has inconsistent type",
        "the inference gives Y the type of X, the schema that of the scale",
    ),
    (
        "Scatter",
        "is deprecated",
        "ScatterElements replaces it, and version 11 states it all the same",
    ),
    ("Upsample", "is deprecated", "Resize replaces it, and version 10 states it all the same"),
];

/// Checks each model whose path is a line of the input, and prints the paths of the invalid ones.
const CHECKER: &str = "
import sys
import onnx
for path in sys.stdin.read().splitlines():
    try:
        onnx.checker.check_model(onnx.load(path), full_check=True)
    except Exception as error:
        print(path, ' '.join(str(error).split()))
";

#[test]
fn models_that_are_meant_to_be_valid_are_so_to_the_checker_of_onnx() {
    let Some(python) = newest_onnx() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut paths = String::new();
    let mut models = 0;
    for case in Suite::ALL.into_iter().flat_map(cases) {
        let model = case.files.get("model.onnx");
        // An undecided case may be one of which ONNX's text states two shapes.
        let is_valid = !matches!(case.case.manifest.expect, Expect::Refusal | Expect::Undecided);
        if let Some(model) = model.filter(|_| is_valid) {
            let path =
                folder.path().join(format!("{}_{}", case.suite, case.name.replace('/', "_")));
            std::fs::write(&path, model).unwrap();
            paths.push_str(path.to_str().unwrap());
            paths.push('\n');
            models += 1;
        }
    }
    assert!(models > 400, "{models} models");
    let mut checker = Command::new(python)
        .args(["-c", CHECKER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    checker.stdin.take().unwrap().write_all(paths.as_bytes()).unwrap();
    let output = checker.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let (mut seen, mut others) = ([false; AGAINST_ITSELF.len()], Vec::new());
    for line in text.lines() {
        let is_it = |(operator, words, _): &(&str, &str, &str)| {
            line.contains(operator) && line.contains(words)
        };
        match AGAINST_ITSELF.iter().position(is_it) {
            Some(at) => seen[at] = true,
            None => others.push(line),
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    for ((operator, words, why), seen) in AGAINST_ITSELF.iter().zip(seen) {
        assert!(seen, "the checker no longer says `{words}` of {operator}: {why}");
    }
}

#[test]
fn expected_outputs_come_from_no_kernel() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src/corpus/generate", "crates/reference/src"].map(|folder| root.join(folder));
    let sources = folders.iter().flat_map(walkdir::WalkDir::new).map(Result::unwrap);
    let files =
        sources.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let mut read = 0;
    for path in files.chain([root.join("src/corpus/generate.rs")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("kernels::"), "{} imports kernels", path.display());
        read += 1;
    }
    assert!(read > 100, "{read} sources");
}
