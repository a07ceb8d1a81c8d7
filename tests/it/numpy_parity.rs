//! The profiles `onnx` and `onnx-1.23` give the verdicts of ONNX's official runner of 1.22.0 and
//! 1.23.2, recorded in `testdata/numpy`.
//!
//! `elements.txt` holds its versions and the number of pairs in the first line; then, after a line
//! `type rtol atol`, lines of one expected element and the elements it was compared with, each with
//! its verdict: `3f800000 +3f804187 -3f804188`. bfloat16, on which alone the two runners differ, has
//! a file of the same kind for each. `values.jsonl` holds pairs of whole values.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bytes::Bytes;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::compare::{OutputComparison, compare};
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::tensor::{Tensor, Value};

use crate::support;

/// Each profile, with the release whose runner it follows.
const RELEASES: [(&str, &str); 2] = [("onnx", "1.22.0"), ("onnx-1.23", "1.23.2")];

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/numpy")
}

fn read(name: &str) -> String {
    let path = testdata().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn tensor(dtype: DType, shape: Vec<usize>, elements: &[u128]) -> Value {
    Tensor::from_elements(dtype, shape, elements.iter().copied()).unwrap().into()
}

fn bits(hex: &str) -> u128 {
    u128::from_str_radix(hex, 16).unwrap()
}

fn bfloat16(release: &str) -> String {
    format!("bfloat16-{release}.txt")
}

#[test]
fn every_pair_of_elements_gets_the_official_verdict() {
    for (profile, release) in RELEASES {
        for file in ["elements.txt", &bfloat16(release)] {
            elements_get_the_recorded_verdicts(&Profile::named(profile).unwrap(), &read(file));
        }
    }
}

fn elements_get_the_recorded_verdicts(profile: &Profile, text: &str) {
    let mut lines = text.lines();
    let promised: usize = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let mut executed = 0;
    let mut wrong = Vec::new();
    let mut section = None;
    for line in lines {
        let fields: Vec<&str> = line.split(' ').collect();
        if !fields[1].starts_with(['+', '-']) {
            let [dtype, rtol, atol] = fields[..] else { panic!("no section: {line}") };
            let tolerance = Tolerance { rtol: rtol.parse().unwrap(), atol: atol.parse().unwrap() };
            section = Some((dtype.parse::<DType>().unwrap(), tolerance));
            continue;
        }
        let (dtype, tolerance) = section.unwrap();
        let expected = bits(fields[0]);
        for field in &fields[1..] {
            let actual = bits(&field[1..]);
            let outputs = compare(
                profile,
                tolerance,
                "y",
                &tensor(dtype, vec![1], &[expected]),
                &tensor(dtype, vec![1], &[actual]),
                None,
            );
            assert_eq!((outputs.len(), outputs[0].elements), (1, 1));
            if outputs[0].conforms() != field.starts_with('+') {
                wrong.push(format!("{dtype} {tolerance:?}: {expected:x} {field}"));
            }
            executed += 1;
        }
        // The same pairs as one tensor: no element depends on its neighbours.
        let actual: Vec<u128> = fields[1..].iter().map(|field| bits(&field[1..])).collect();
        let shape = vec![actual.len()];
        let expected = tensor(dtype, shape.clone(), &vec![expected; actual.len()]);
        let actual = tensor(dtype, shape, &actual);
        let outputs = compare(profile, tolerance, "y", &expected, &actual, None);
        let mismatches = fields[1..].iter().filter(|field| field.starts_with('-')).count();
        if outputs[0].mismatches != mismatches as u64 {
            wrong.push(format!("{} mismatches, not {mismatches}: {line}", outputs[0].mismatches));
        }
    }
    let name = profile.name();
    assert!(wrong.is_empty(), "{name}: {} wrong, such as\n{}", wrong.len(), sample(&wrong));
    assert_eq!(executed, promised);
}

fn sample(wrong: &[String]) -> String {
    wrong[..wrong.len().min(20)].join("\n")
}

/// A value of `values.jsonl`.
fn value(json: &serde_json::Value) -> Value {
    if let Some(values) = json.get("sequence") {
        return Value::Sequence(values.as_array().unwrap().iter().map(value).collect());
    }
    let texts = |key: &str| -> Option<Vec<&str>> {
        json.get(key)?.as_array()?.iter().map(serde_json::Value::as_str).collect()
    };
    let shape = json["shape"].as_array().unwrap();
    let shape = shape.iter().map(|dim| dim.as_u64().unwrap() as usize).collect();
    if let Some(strings) = texts("strings") {
        let strings = strings.into_iter().map(|text| Bytes::from(text.to_owned())).collect();
        return Tensor::from_strings(shape, strings).unwrap().into();
    }
    let elements: Vec<u128> = texts("bits").unwrap().into_iter().map(bits).collect();
    tensor(json["type"].as_str().unwrap().parse().unwrap(), shape, &elements)
}

#[test]
fn every_pair_of_values_gets_the_official_verdict_or_the_stated_other() {
    for (name, _) in RELEASES {
        let profile = Profile::named(name).unwrap();
        let (mut rows, mut differences) = (0, 0);
        for line in read("values.jsonl").lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let (expected, actual) = (value(&row["expected"]), value(&row["actual"]));
            let outputs = compare(&profile, Tolerance::default(), "y", &expected, &actual, None);
            let conforms = outputs.iter().all(OutputComparison::conforms);
            let verdict = row.get("here").unwrap_or(&row["official"]);
            assert_eq!(verdict, if conforms { "pass" } else { "fail" }, "{name}: {line}");
            assert!(!outputs.is_empty(), "{name}: {line}");
            rows += 1;
            differences += usize::from(row.get("here").is_some());
        }
        assert_eq!((rows, differences), (178, 9), "{name}");
    }
}

#[test]
fn the_recorded_verdicts_are_those_of_the_recorded_versions() {
    let recorded = RELEASES.map(|(_, release)| {
        let text = read(&bfloat16(release));
        (release, text.lines().next().unwrap().split_once(" by ").unwrap().1.to_owned())
    });
    let Some(python) = support::python("testdata/numpy/requirements.txt") else { return };
    let generate = |argument: &Path| {
        Command::new(&python).arg(testdata().join("generate.py")).arg(argument).output()
    };
    let found = match generate(Path::new("--versions")) {
        Ok(Output { status, stdout, .. }) if status.success() => {
            String::from_utf8(stdout).unwrap().trim_end().to_owned()
        }
        Ok(_) => format!("`{python}` without them"),
        Err(error) => format!("no `{python}`: {error}"),
    };
    let Some((release, _)) = recorded.iter().find(|(_, versions)| *versions == found) else {
        let [(_, older), (_, newer)] = recorded;
        eprintln!(
            "skipped: the verdicts need {older}, or {newer}, but there is {found}; install \
             testdata/numpy/requirements.txt and name that Python in ONNX_CONFORMANCE_PYTHON"
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let Output { status, stderr, .. } = generate(folder.path()).unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    for name in ["elements.txt", "values.jsonl", &bfloat16(release)] {
        let written = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let line = written.lines().zip(read(name).lines()).position(|(new, old)| new != old);
        assert!(written == read(name), "{name} differs from line {line:?} on");
    }
}
