//! Whatever is changed in a corpus is noticed, and said of the right case.

use std::fs;
use std::path::PathBuf;

use onnx_conformance::corpus::{CorpusError, Digest, Discrepancy, MAX_FILE_BYTES};
use walkdir::WalkDir;

use super::synthetic::{CASES, NAME, TestHome};

/// The first difference that opening and verifying the corpus finds.
fn discrepancy(home: &TestHome) -> Discrepancy {
    let verified = home.home.corpus(NAME).and_then(|corpus| corpus.verify());
    match verified.unwrap_err() {
        CorpusError::Integrity { corpus, discrepancy, .. } => {
            assert_eq!(corpus, NAME);
            *discrepancy
        }
        other => panic!("{other}"),
    }
}

/// The case that is said to differ.
fn differing_case(home: &TestHome) -> String {
    match discrepancy(home) {
        Discrepancy::Case(case, ..) => case,
        other => panic!("{other}"),
    }
}

fn case_files(home: &TestHome, case: &str) -> Vec<PathBuf> {
    WalkDir::new(home.corpus_path().join(case))
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

#[test]
fn an_untouched_corpus_verifies_and_loads() {
    let home = TestHome::installed();
    let corpus = home.corpus();
    let names: Vec<_> = corpus.cases().iter().map(|case| case.name().to_owned()).collect();
    assert_eq!(names, CASES, "in natural order");
    let verified = corpus.verify().unwrap();
    assert_eq!((verified.cases, verified.files), (3, 10));
    let loaded = corpus.cases()[1].load().unwrap();
    assert_eq!(loaded.files()["model.onnx"].as_ref(), b"model.onnx of case 1");
    assert!(!loaded.files().contains_key("test_data_set_0/input_9.pb"));
}

#[test]
fn a_changed_byte_in_any_file_is_noticed_by_verification_and_by_loading() {
    let home = TestHome::installed();
    for (index, case) in CASES.iter().enumerate() {
        for path in case_files(&home, case) {
            let original = fs::read(&path).unwrap();
            for position in 0..original.len() {
                let mut content = original.clone();
                content[position] ^= 1;
                fs::write(&path, &content).unwrap();
                assert_eq!(differing_case(&home), *case, "{}", path.display());
                assert!(home.corpus().cases()[index].load().is_err(), "{}", path.display());
            }
            fs::write(&path, &original).unwrap();
        }
    }
    home.corpus().verify().unwrap();
}

#[test]
fn a_file_that_is_removed_added_renamed_or_emptied_is_noticed() {
    let home = TestHome::installed();
    let case = CASES[0];
    for path in case_files(&home, case) {
        let original = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(differing_case(&home), case, "removed {}", path.display());
        fs::write(path.with_extension("new"), &original).unwrap();
        assert_eq!(differing_case(&home), case, "renamed {}", path.display());
        fs::write(&path, &original).unwrap();
        assert_eq!(differing_case(&home), case, "added beside {}", path.display());
        fs::remove_file(path.with_extension("new")).unwrap();
        if !original.is_empty() {
            fs::write(&path, b"").unwrap();
            assert_eq!(differing_case(&home), case, "emptied {}", path.display());
            fs::write(&path, &original).unwrap();
        }
    }
    home.corpus().verify().unwrap();
}

#[test]
fn two_files_that_change_places_are_noticed() {
    let home = TestHome::installed();
    let folder = home.corpus_path().join(CASES[1]).join("test_data_set_0");
    fs::rename(folder.join("input_0.pb"), folder.join("swap")).unwrap();
    fs::rename(folder.join("output_0.pb"), folder.join("input_0.pb")).unwrap();
    fs::rename(folder.join("swap"), folder.join("output_0.pb")).unwrap();
    assert_eq!(differing_case(&home), CASES[1]);
}

#[test]
fn the_first_bad_case_in_natural_order_is_named() {
    let home = TestHome::installed();
    for case in &CASES[1..] {
        fs::write(home.corpus_path().join(case).join("model.onnx"), b"other").unwrap();
    }
    for _ in 0..20 {
        assert_eq!(differing_case(&home), "node/test_add_2");
    }
    fs::remove_dir_all(home.corpus_path().join("node/test_add_2")).unwrap();
    fs::create_dir(home.corpus_path().join("node/test_add_3")).unwrap();
    assert_eq!(discrepancy(&home), Discrepancy::MissingCase("node/test_add_2".into(), 2, 3));
    fs::create_dir(home.corpus_path().join("node/test_add_1")).unwrap();
    assert_eq!(discrepancy(&home), Discrepancy::ExtraCase("node/test_add_1".into()));
}

#[test]
fn a_missing_corpus_is_an_integrity_error_that_names_the_command_to_run() {
    let home = TestHome::locked();
    let error = home.home.corpus(NAME).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().ends_with("run `cargo xtask fetch --release 0.0.1`"), "{error}");
}

#[test]
fn a_changed_removed_or_added_schema_file_is_noticed() {
    let home = TestHome::installed();
    let schema = home.corpus_path().join("schema");
    let problem = || match discrepancy(&home) {
        Discrepancy::Schema(file, problem) => format!("{file} {problem}"),
        other => panic!("{other}"),
    };
    fs::write(schema.join("onnx-ml.proto"), b"other").unwrap();
    assert_eq!(problem(), "onnx-ml.proto has other content");
    fs::remove_file(schema.join("onnx-ml.proto")).unwrap();
    assert_eq!(problem(), "onnx-ml.proto is missing");
    fs::write(schema.join("a.proto"), b"").unwrap();
    assert_eq!(problem(), "a.proto is not in the lock");
    fs::remove_dir_all(schema).unwrap();
    assert_eq!(problem(), "onnx-ml.proto is missing");
}

#[test]
fn a_stray_file_beside_the_cases_is_refused() {
    let home = TestHome::installed();
    for path in ["README.md", "node/README.md"] {
        let path = home.corpus_path().join(path);
        fs::write(&path, b"").unwrap();
        let error = home.home.corpus(NAME).unwrap_err();
        assert!(matches!(error, CorpusError::NotPlain(..)), "{error}");
        assert_eq!(error.exit_code(), 4);
        fs::remove_file(path).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn links_are_refused_even_where_their_target_has_the_right_content() {
    let home = TestHome::installed();
    let model = home.corpus_path().join(CASES[0]).join("model.onnx");
    let elsewhere = home.path("model.onnx");
    fs::rename(&model, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &model).unwrap();
    let error = home.corpus().verify().unwrap_err();
    assert!(matches!(error, CorpusError::NotPlain(..)), "{error}");

    let case = home.corpus_path().join(CASES[1]);
    fs::rename(&case, home.path("case")).unwrap();
    std::os::unix::fs::symlink(home.path("case"), &case).unwrap();
    let error = home.home.corpus(NAME).unwrap_err();
    assert!(matches!(error, CorpusError::NotPlain(..)), "{error}");
}

#[test]
fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
    let home = TestHome::installed();
    let model = home.corpus_path().join(CASES[0]).join("model.onnx");
    fs::File::create(&model).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    let error = home.corpus().verify().unwrap_err();
    assert!(matches!(error, CorpusError::TooLarge(..)), "{error}");
}

#[test]
fn the_digest_of_a_run_is_compared_with_the_lock() {
    let home = TestHome::installed();
    let corpus = home.corpus();
    let mut cases: Vec<_> =
        corpus.cases().iter().map(|case| (case.name(), case.load().unwrap().digest())).collect();
    let expected = corpus.lock().unwrap().digest;
    assert_eq!(corpus.digest(cases.iter().copied()).unwrap(), expected);
    cases.reverse();
    assert_eq!(corpus.digest(cases.iter().copied()).unwrap(), expected, "in any order");
    cases[0].1 = Digest::of(b"");
    assert_eq!(corpus.digest(cases).unwrap_err().exit_code(), 4);
}
