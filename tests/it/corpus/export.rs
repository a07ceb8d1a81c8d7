//! Exports: the same bytes from the same corpus, and the same corpus from the archive.

use std::fs;

use onnx_conformance::corpus::export::{Exported, export};
use onnx_conformance::corpus::fetch::Source;
use onnx_conformance::corpus::{Corpus, CorpusError, Digest};

use super::synthetic::{CASES, NAME, TestHome};

fn exported(home: &TestHome, folder: &str) -> Exported {
    export(&home.corpus(), &home.path(folder)).unwrap()
}

#[test]
fn an_export_has_the_same_bytes_whenever_and_wherever_it_is_made() {
    let (one, other) = (TestHome::installed(), TestHome::installed());
    let first = exported(&one, "a");
    let bytes = fs::read(&first.archive).unwrap();
    assert_eq!(first.digest, Digest::of(&bytes));
    // Times of other files, another folder, and a file that is there already.
    for (home, folder) in [(&one, "a"), (&one, "b"), (&other, "c/d")] {
        let again = exported(home, folder);
        assert_eq!(fs::read(&again.archive).unwrap(), bytes);
        assert_eq!(fs::read(&again.lock).unwrap(), fs::read(one.home.lock_path(NAME)).unwrap());
    }
    let files = fs::read_dir(one.path("a")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["onnx-0.0.1-node.tar.gz", "onnx-0.0.1-node.toml"]);
}

#[test]
fn an_archive_holds_sorted_plain_files_without_times_and_users_and_the_lock() {
    let home = TestHome::installed();
    let archive = fs::read(exported(&home, "out").archive).unwrap();
    // RFC 1952: no name or comment, no time, unknown system.
    assert_eq!(archive[3..8], [0; 5]);
    assert_eq!(archive[9], 255);
    let mut unpacked = tar::Archive::new(flate2::read::GzDecoder::new(archive.as_slice()));
    let mut paths = Vec::new();
    for entry in unpacked.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        assert_eq!(header.entry_type(), tar::EntryType::Regular);
        assert_eq!((header.mode().unwrap(), header.mtime().unwrap()), (0o644, 0));
        assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
        assert_eq!(
            (header.username_bytes(), header.groupname_bytes()),
            (Some(&b""[..]), Some(&b""[..]))
        );
        paths.push(entry.path().unwrap().to_str().unwrap().to_owned());
    }
    assert!(paths.is_sorted(), "{paths:?}");
    assert_eq!(paths.len(), 1 + 10 + 2);
    for path in ["lock.toml", "node/test_add/test_data_set_0/input_1.pb", "schema/onnx.proto"] {
        assert!(paths.contains(&format!("{NAME}/{path}")), "{path} in {paths:?}");
    }
}

#[test]
fn an_export_is_fetched_back_packed_and_unpacked() {
    let home = TestHome::installed();
    let archive = exported(&home, "out").archive;
    let unpacked = home.path("unpacked");
    let file = flate2::read::GzDecoder::new(fs::File::open(&archive).unwrap());
    tar::Archive::new(file).unpack(&unpacked).unwrap();
    let verified = home.corpus().verify().unwrap();
    for source in [archive, unpacked.join(NAME)] {
        fs::remove_dir_all(home.corpus_path()).unwrap();
        let fetched = home.fetch_from(Source::Archive(source)).unwrap();
        assert_eq!(fetched.verified, verified);
        assert_eq!(home.corpus().verify().unwrap(), verified);
    }
}

#[test]
fn a_corpus_that_differs_from_its_lock_is_not_exported() {
    let home = TestHome::installed();
    let corpus = home.corpus();
    fs::write(home.corpus_path().join(CASES[2]).join("model.onnx"), b"other").unwrap();
    let error = export(&corpus, &home.path("out")).unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert_eq!(fs::read_dir(home.path("out")).unwrap().count(), 0);
}

#[test]
fn a_folder_without_a_lock_is_not_exported() {
    let home = TestHome::installed();
    let corpus = Corpus::open_dir(&home.corpus_path().join("node")).unwrap();
    let error = export(&corpus, &home.path("out")).unwrap_err();
    assert!(matches!(error, CorpusError::Unlocked(_)), "{error}");
    assert_eq!(error.exit_code(), 2);
}
