//! Archives in the place of folders: the same cases, by the same names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, Corpus, CorpusError, Home};
use onnx_conformance::suites::archive::ArchiveError;
use onnx_conformance::suites::canonical;
use tempfile::TempDir;

use super::synthetic::{Files, gzip, tar, write_folder, zip};
use crate::support::{float32, suites, write_case};

/// The files below a folder, by their paths in it.
fn files_below(root: &Path) -> Files {
    let files = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file()).map(|entry| {
        let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        (path, fs::read(entry.path()).unwrap())
    });
    files.collect()
}

/// The files of two cases, one in the folder of the other's kind.
fn two_cases(top: &str) -> Files {
    let folder = TempDir::new().unwrap();
    let [three, six] = [[3.0], [6.0]].map(|values| [float32(&values)]);
    write_case(&folder.path().join(format!("{top}node/test_abs")), "Abs", &three, &three);
    write_case(&folder.path().join(format!("{top}node/test_neg")), "Neg", &six, &six);
    files_below(folder.path())
}

fn written(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

fn names(corpus: &Corpus) -> Vec<&str> {
    corpus.cases().iter().map(CaseDir::name).collect()
}

fn digests(corpus: &Corpus) -> BTreeMap<&str, String> {
    let digest =
        |case: &onnx_conformance::corpus::CaseDir| case.load().unwrap().digest().to_string();
    corpus.cases().iter().map(|case| (case.name(), digest(case))).collect()
}

/// The files as `pack` wants them.
fn stored(files: &Files) -> Vec<u8> {
    let members: Vec<_> = files.iter().map(|(path, it)| (path.as_str(), &it[..])).collect();
    canonical::pack(&members).unwrap()
}

#[test]
fn an_archive_of_any_kind_holds_the_cases_of_its_folder() {
    let folder = TempDir::new().unwrap();
    let files = two_cases("");
    let root = folder.path().join("mine");
    write_folder(&root, &files);
    let expected = Corpus::open(&root).unwrap();
    assert_eq!(names(&expected), ["node/test_abs", "node/test_neg"]);
    for (name, content) in [
        ("mine.zip", zip(&files)),
        ("mine.tar.gz", gzip(&tar(&files, "mine"))),
        ("mine.tgz", gzip(&tar(&files, "mine"))),
        ("mine.tar", tar(&files, "mine")),
        ("mine.zip", stored(&files)),
        // One folder with the name of the file, or with how it begins.
        ("mine.zip", zip(&two_cases("mine/"))),
        ("mine-2.zip", zip(&two_cases("mine/"))),
    ] {
        let corpus = Corpus::open(&written(&folder, name, &content)).unwrap();
        assert_eq!((corpus.name(), digests(&corpus)), ("mine", digests(&expected)), "{name}");
    }
    // Of another folder the corpus is not named.
    let corpus = Corpus::open(&written(&folder, "other.zip", &zip(&two_cases("mine/")))).unwrap();
    assert_eq!(corpus.name(), "other");
    assert_eq!(names(&corpus), ["mine/node/test_abs", "mine/node/test_neg"]);
    let place = folder.path().canonicalize().unwrap().join("other.zip/mine/node/test_abs");
    assert_eq!(corpus.cases()[0].path(), place);
}

#[test]
fn an_archive_of_one_case_is_named_as_its_folder_is() {
    let folder = TempDir::new().unwrap();
    let files: Files = two_cases("")
        .into_iter()
        .filter_map(|(path, it)| Some((path.strip_prefix("node/test_abs/")?.to_owned(), it)))
        .collect();
    let root = folder.path().join("abs");
    write_folder(&root, &files);
    let corpus = Corpus::open(&root).unwrap();
    let archive = Corpus::open(&written(&folder, "abs.zip", &zip(&files))).unwrap();
    assert_eq!(names(&archive), ["abs"]);
    assert_eq!(digests(&archive), digests(&corpus));
}

#[test]
fn a_zip_among_folders_is_one_of_them_and_may_not_be_another() {
    let folder = TempDir::new().unwrap();
    write_folder(folder.path(), &two_cases("a/"));
    written(&folder, "b.zip", &zip(&two_cases("")));
    written(&folder, "c.zip", &zip(&Files::from([("README".to_owned(), Vec::new())])));
    let corpus = Corpus::open(folder.path()).unwrap();
    let expected = ["a/node/test_abs", "a/node/test_neg", "b/node/test_abs", "b/node/test_neg"];
    assert_eq!(names(&corpus), expected);
    // What is named as it is, or so with more, is not within another folder.
    let versions = two_cases("d_1/").into_iter().chain(two_cases("d_13/")).collect();
    written(&folder, "d.zip", &zip(&versions));
    written(&folder, "e.zip", &zip(&two_cases("e/")));
    written(&folder, "f.zip", &zip(&two_cases("f1/")));
    let corpus = Corpus::open(folder.path()).unwrap();
    let added = ["d_1", "d_13", "e", "f/f1"];
    let added = added.map(|folder| ["abs", "neg"].map(|case| format!("{folder}/node/test_{case}")));
    assert_eq!(names(&corpus)[4..], *added.as_flattened());
    written(&folder, "a.zip", &zip(&two_cases("")));
    let error = Corpus::open(folder.path()).unwrap_err();
    assert!(matches!(&error, CorpusError::SameCase(_, case) if case == "a/node/test_abs"));
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn the_suites_of_a_checkout_are_those_that_the_program_carries() {
    let carried = Home::outside("none").suite(Suite::Sonnx).unwrap();
    assert_eq!(digests(suites::corpus(Suite::Sonnx)), digests(&carried));
}

#[test]
fn what_is_no_archive_of_cases_is_refused_by_its_name() {
    let folder = TempDir::new().unwrap();
    let files = two_cases("");
    let mut wrong = stored(&files);
    let at = wrong.windows(4).position(|bytes| bytes == b"\0\0@@").unwrap();
    wrong[at + 3] ^= 1;
    let mut climbing = files.clone();
    climbing.insert("../x/model.onnx".to_owned(), Vec::new());
    let deep = Files::from([("a/b/c/d/e/f/g/h/i/model.onnx".to_owned(), Vec::new())]);
    let none = Files::from([("README.md".to_owned(), Vec::new())]);
    for (content, code, part) in [
        (b"text".to_vec(), 2, "neither a zip"),
        (zip(&none), 2, "failed to find a case"),
        (zip(&deep), 2, "exceeds the limit of 8 folders"),
        (wrong, 4, "damaged"),
        (zip(&files)[..300].to_vec(), 4, "unusable"),
        (stored(&climbing), 4, "climbs out"),
    ] {
        let path = written(&folder, "mine.zip", &content);
        let error = Corpus::open(&path).unwrap_err();
        let text = format!("{error}: {}", cause(&error));
        assert!(text.contains(part) && text.contains("mine.zip"), "{text}");
        assert_eq!(error.exit_code(), code, "{text}");
    }
}

fn cause(error: &CorpusError) -> String {
    match error {
        CorpusError::Unreadable(_, cause @ ArchiveError::Damaged(_)) => cause.to_string(),
        CorpusError::Unreadable(_, cause) => cause.to_string(),
        _ => String::new(),
    }
}

fn tool(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.args(words).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

#[test]
fn every_command_that_takes_a_folder_of_cases_takes_an_archive() {
    let folder = TempDir::new().unwrap();
    let files = two_cases("");
    write_folder(&folder.path().join("mine"), &files);
    written(&folder, "mine.zip", &zip(&files));
    for command in [
        &["list"][..],
        &["explain", "mine/node/test_neg"],
        &["audit"],
        &["run", "--out", "out"],
        &["matrix"],
    ] {
        let [of_folder, of_archive] = ["mine", "mine.zip"].map(|corpus| {
            let output = tool(folder.path(), &[command, &["--corpus", corpus]].concat());
            let report = fs::read(folder.path().join("out/report.json")).unwrap_or_default();
            let report: serde_json::Value = serde_json::from_slice(&report).unwrap_or_default();
            let text = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<_> =
                text.lines().filter(|line| !line.contains(" s")).map(str::to_owned).collect();
            (output.status.code(), lines, report["cases"].clone(), report["corpora"].clone())
        });
        assert_eq!(of_archive, of_folder, "{command:?}");
        assert!(matches!(of_folder.0, Some(0 | 1)), "{command:?}: {of_folder:?}");
    }
}

#[test]
fn what_is_exported_is_the_same_corpus_and_no_other_folder_is_written_to() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let output = tool(root, &["export", "--suite", "sonnx-draft", "--out", "new/cases"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("53 cases, ") && told.contains("run --corpus new/cases"), "{told}");
    let exported = Home::at(root).folder(&root.join("new/cases/sonnx-draft")).unwrap();
    assert_eq!(digests(&exported), digests(suites::corpus(Suite::SonnxDraft)));
    let before = files_below(&root.join("new"));
    assert!(
        before.contains_key("cases/sonnx-draft/div/float16/example_1/model.onnx"),
        "{before:?}"
    );
    // A second export gives the same bytes, and none is written over anything.
    let words = ["export", "--suite", "sonnx-draft", "--out", "again"];
    assert_eq!(tool(root, &words).status.code(), Some(0));
    assert_eq!(files_below(&root.join("again")), files_below(&root.join("new/cases")));
    let output = tool(root, &words);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("name a new one, or remove it"));
    assert_eq!(files_below(&root.join("new")), before);
    // By operator and version, and into an empty folder.
    fs::create_dir(root.join("empty")).unwrap();
    let words = ["export", "--suite", "onnx", "--op", "Div", "--opset", "7-13", "--out", "empty"];
    assert_eq!(tool(root, &words).status.code(), Some(0));
    let corpus = Corpus::open(&root.join("empty")).unwrap();
    assert!(corpus.cases().iter().all(|case| case.name().starts_with("onnx/div_")));
    let none = ["export", "--suite", "onnx", "--op", "Divide", "--out", "none"];
    assert_eq!(tool(root, &none).status.code(), Some(3));
    assert!(!root.join("none").exists());
}
