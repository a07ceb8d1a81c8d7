//! The kinds of cases that a release has beside those of nodes.

use std::fs;

use onnx_conformance::corpus::export::export;
use onnx_conformance::corpus::fetch::{Fetched, Request, Source};
use onnx_conformance::corpus::{CaseDir, CaseKind, CorpusError};

use super::synthetic::{CASES, NAME, RELEASE, TestHome, files, write_folder, zip};

const SIMPLE: &str = "onnx-0.0.1-simple";

fn fetch_simple(home: &TestHome, source: Source) -> Result<Fetched, CorpusError> {
    home.fetch(&Request::of_kind(RELEASE, CaseKind::Simple).from(source))
}

/// With the lock and the corpus of the nodes, and those of what is simple.
fn with_both() -> TestHome {
    let home = TestHome::installed();
    let wheel = home.archive("onnx.whl", &zip(&files()));
    let request = Request::of_kind(RELEASE, CaseKind::Simple).from(wheel);
    let fetched = home.fetch(&Request { write_lock: true, ..request }).unwrap();
    assert_eq!(fetched.new_lock, Some(home.home.lock_path(SIMPLE)));
    home
}

#[test]
fn each_kind_of_a_release_is_a_corpus_of_its_own() {
    let nodes = TestHome::installed().corpus().verify().unwrap();
    let home = with_both();
    assert_eq!(home.in_corpora(), [NAME, SIMPLE]);
    assert_eq!(home.corpus().verify().unwrap(), nodes);
    let simple = home.home.corpus(SIMPLE).unwrap();
    assert_eq!(simple.cases().iter().map(CaseDir::name).collect::<Vec<_>>(), ["simple/test_a"]);
    assert_eq!(simple.release(), Some(RELEASE));
    assert_eq!(simple.schema().unwrap(), home.corpus().schema().unwrap());
    let folders = fs::read_dir(simple.path()).unwrap();
    let mut folders: Vec<_> = folders.map(|folder| folder.unwrap().file_name()).collect();
    folders.sort();
    assert_eq!(folders, ["schema", "simple"]);
}

#[test]
fn a_folder_gives_the_kind_that_is_asked_for() {
    let home = with_both();
    write_folder(&home.path("folder"), &files());
    let fetched = fetch_simple(&home, Source::Archive(home.path("folder"))).unwrap();
    assert_eq!(fetched.name, SIMPLE);
    assert_eq!(fetched.verified, home.home.corpus(SIMPLE).unwrap().verify().unwrap());
}

#[test]
fn an_export_of_a_kind_is_named_after_it_and_is_that_kind_alone() {
    let home = with_both();
    let corpus = home.home.corpus(SIMPLE).unwrap();
    let exported = export(&corpus, &home.path("out")).unwrap();
    assert_eq!(exported.archive, home.path("out").join("onnx-0.0.1-simple.tar.gz"));
    assert_eq!(exported.lock, home.path("out").join("onnx-0.0.1-simple.toml"));
    fs::remove_dir_all(corpus.path()).unwrap();
    fetch_simple(&home, Source::Archive(exported.archive.clone())).unwrap();
    home.home.corpus(SIMPLE).unwrap().verify().unwrap();

    let error = home.fetch_from(Source::Archive(exported.archive)).unwrap_err().to_string();
    assert!(error.contains("has neither `onnx/backend/test/data/node` nor `node`"), "{error}");
    let nodes = export(&home.corpus(), &home.path("out")).unwrap();
    let error = fetch_simple(&home, Source::Archive(nodes.archive)).unwrap_err().to_string();
    assert!(error.contains("has neither `onnx/backend/test/data/simple` nor `simple`"), "{error}");
}

#[test]
fn a_corpus_of_a_kind_that_is_amiss_says_how_it_is_fetched() {
    let home = with_both();
    for (name, case, with) in [
        (NAME, CASES[0], "--release 0.0.1"),
        (SIMPLE, "simple/test_a", "--release 0.0.1 --kind simple"),
    ] {
        fs::remove_dir_all(home.home.corpus_path(name).join(case)).unwrap();
        let error = home.home.corpus(name).unwrap_err().to_string();
        assert!(error.ends_with(&format!("run `cargo xtask fetch {with}`")), "{error}");
    }
    let error = fetch_simple(&home, home.archive("text", b"none")).unwrap_err().to_string();
    assert!(error.contains("--release 0.0.1 --kind simple --archive FILE"), "{error}");
}
