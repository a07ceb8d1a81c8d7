//! `sums`: exit codes, and what is told.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::measure::sums::Sums;

use super::{in_folder, stderr, stdout};

#[test]
fn sums_of_the_built_in_runtime_are_written_and_told_within_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["sums", "--op", "ReduceSum,MatMul", "--type", "float16", "--out", "sums"];
    let output = in_folder(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = stdout(&output);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.contains("MatMul            float16"), "{table}");
    let document = Sums::read(&folder.path().join("sums")).unwrap();
    assert_eq!(document.rows.len(), 2);
    let other = ["sums", "--op", "ReduceSum", "--type", "float16", "--seed", "7", "--out", "other"];
    assert_eq!(in_folder(folder.path(), &other).status.code(), Some(0));
    let other = Sums::read(&folder.path().join("other")).unwrap();
    assert_eq!(other.seed, 7);
    assert_ne!(other.rows[0].decades, document.rows[1].decades);
}

#[test]
fn operators_and_types_without_sums_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (["--op", "MatMull"], "did you mean `MatMul`?"),
        (["--type", "int8"], "none of these operators has sums of any of these types"),
    ] {
        let output = in_folder(folder.path(), &["sums", arguments[0], arguments[1]]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
