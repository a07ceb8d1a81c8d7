//! `audit`: expected outputs beside what the reference allows.

use std::fs;
use std::path::Path;
use std::process::Command;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::audit::document::{Audit, Status};
use tempfile::TempDir;

use crate::support::{float32, int32, write_case};

/// What the program says of the cases in a folder, with its exit code.
fn audited(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_onnx-conformance");
    let arguments = [&["audit", "--corpus", "cases"], more].concat();
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// Cases that are right, wrong by a bit, of another shape, undecided, and of an unknown operator.
fn cases() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases");
    let case = |name: &str, operator: &str, inputs: &[_], output: _| {
        write_case(&cases.join(name), operator, inputs, &[output]);
    };
    let (one, three) = (float32(&[1.0, 6.0]), float32(&[3.0, 3.0]));
    let third = 1.0_f32 / 3.0;
    case("right", "Div", &[one.clone(), three.clone()], float32(&[third, 2.0]));
    case("wrong", "Div", &[one.clone(), three.clone()], float32(&[third.next_up(), 2.0]));
    case("shape", "Div", &[one.clone(), three], float32(&[third]));
    case("open", "Div", &[int32(&[1]), int32(&[0])], int32(&[7]));
    case("unknown", "Zeta", std::slice::from_ref(&one), one.clone());
    folder
}

#[test]
fn an_expected_element_that_is_off_by_a_bit_is_found_and_told_with_its_operands() {
    let folder = cases();
    let (code, text) = audited(folder.path(), &["--out", "audit"]);
    assert_eq!(code, Some(0), "{text}");
    for told in [
        "impossible cases/wrong",
        "y0[0], 1.333334 ULP off",
        "input     1 (0x3f800000)",
        "expected  0.33333337 (0x3eaaaaac)",
        "allowed   0.33333334 (0x3eaaaaab)",
        "invalid cases/shape",
        "Div                 rounded",
    ] {
        assert!(text.contains(told), "{told}:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let audit = Audit::read(&folder.path().join("audit/audit.json")).unwrap();
    let statuses: Vec<_> = audit.cases.iter().map(|case| (&*case.id, case.status)).collect();
    assert_eq!(
        statuses,
        [
            ("cases/open", Status::Undecided),
            ("cases/right", Status::Allowed),
            ("cases/shape", Status::Invalid),
            ("cases/unknown", Status::Unknown),
            ("cases/wrong", Status::Impossible),
        ]
    );
    let summary = &audit.summary;
    assert_eq!((summary.elements, summary.undecided_elements), (4, 1));
    assert_eq!((summary.cases, summary.impossible_elements), (5, 1));
    assert_eq!(summary.worst_case.as_deref(), Some("cases/wrong"));
    let page = fs::read_to_string(folder.path().join("audit/audit.html")).unwrap();
    assert!(page.contains("0.33333337 (0x3eaaaaac)"));
}

#[test]
fn the_same_cases_give_the_same_bytes_and_a_filter_takes_some_of_them() {
    let folder = cases();
    let document = || {
        audited(folder.path(), &["--out", "audit", "--filter", "right|wrong"]);
        fs::read(folder.path().join("audit/audit.json")).unwrap()
    };
    let first = document();
    assert_eq!(first, document());
    let audit = Audit::from_bytes("audit.json".as_ref(), &first).unwrap();
    assert_eq!((audit.summary.cases, audit.corpora[0].cases), (2, 5));
}

#[test]
fn where_nothing_is_decided_or_chosen_the_code_is_3() {
    let folder = cases();
    assert_eq!(audited(folder.path(), &["--filter", "unknown"]).0, Some(3));
    let (code, text) = audited(folder.path(), &["--filter", "nothing"]);
    assert_eq!(code, Some(3));
    assert!(text.contains("no case matches --filter nothing"), "{text}");
}

#[test]
fn a_case_that_cannot_be_read_costs_no_other() {
    let folder = cases();
    fs::write(folder.path().join("cases/wrong/model.onnx"), b"\x08\xff").unwrap();
    let (code, text) = audited(folder.path(), &["--out", "audit"]);
    assert_eq!(code, Some(0), "{text}");
    let audit = Audit::read(&folder.path().join("audit/audit.json")).unwrap();
    assert_eq!((audit.summary.unreadable, audit.summary.allowed), (1, 1));
}
