//! Folders that no lock describes.

use std::collections::BTreeMap;
use std::fs;

use onnx_conformance::corpus::{Corpus, CorpusError};
use tempfile::TempDir;

use super::synthetic::write_folder;

/// Opens a folder `suite` with these files; gives the names of its cases.
fn cases(files: &[&str]) -> Result<Vec<String>, CorpusError> {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("suite");
    fs::create_dir(&root).unwrap();
    let files: BTreeMap<_, _> =
        files.iter().map(|file| ((*file).to_owned(), file.as_bytes().to_vec())).collect();
    write_folder(&root, &files);
    let corpus = Corpus::open_dir(&root)?;
    assert_eq!(corpus.name(), "suite");
    for case in corpus.cases() {
        case.load()?;
    }
    Ok(corpus.cases().iter().map(|case| case.name().to_owned()).collect())
}

#[test]
fn a_single_case_is_named_after_its_folder() {
    assert_eq!(cases(&["model.onnx", "test_data_set_0/input_0.pb"]).unwrap(), ["suite"]);
}

#[test]
fn cases_at_any_depth_are_named_by_their_path_in_natural_order() {
    let files =
        ["b_10/model.onnx", "b_9/model.onnx", "div/float32/corner_0007/model.onnx", "README.md"];
    assert_eq!(cases(&files).unwrap(), ["b_9", "b_10", "div/float32/corner_0007"]);
}

#[test]
fn a_case_without_its_model_is_not_silently_absent() {
    let files = ["node/a/model.onnx", "node/b/test_data_set_0/input_0.pb", "node/c/case.json"];
    assert_eq!(cases(&files).unwrap(), ["node/a", "node/b", "node/c"]);
}

#[test]
fn a_folder_without_cases_is_a_usage_error() {
    let error = cases(&["a/README.md"]).unwrap_err();
    assert!(matches!(error, CorpusError::NoCases(..)), "{error}");
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn folders_that_are_nested_without_end_are_refused() {
    let error = cases(&["a/b/c/d/e/f/g/h/i/model.onnx"]).unwrap_err();
    assert!(matches!(error, CorpusError::TooLarge(..)), "{error}");
}

#[test]
#[cfg(unix)]
fn names_that_cannot_be_printed_are_refused() {
    for file in ["a\nb/model.onnx", "a/test_data_set_0/in\\put.pb"] {
        let error = cases(&["a/model.onnx", file]).unwrap_err();
        assert!(matches!(error, CorpusError::BadName(..)), "{error}");
    }
}
