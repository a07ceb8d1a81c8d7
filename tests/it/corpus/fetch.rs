//! Fetching: sources, their order, and installations that are interrupted or compete.

use std::fs;
use std::thread;

use onnx_conformance::corpus::fetch::{Event, Request, Source, fetch};

use super::synthetic::{
    CASES, Files, NAME, NODE, RELEASE, TestHome, files, gzip, tar, write_folder, zip,
};

#[test]
fn a_wheel_a_source_archive_and_a_folder_give_the_same_corpus() {
    let home = TestHome::locked();
    write_folder(&home.path("folder"), &files());
    let sources = [
        home.archive("onnx.whl", &zip(&files())),
        home.archive("onnx.tar", &tar(&files(), "onnx-0.0.1")),
        home.archive("onnx.tar.gz", &gzip(&tar(&files(), "onnx-0.0.1"))),
        home.archive("onnx-with-dots.tar.gz", &gzip(&tar(&files(), "."))),
        Source::Archive(home.path("folder")),
    ];
    for source in sources {
        let fetched = home.fetch_from(source.clone()).unwrap();
        assert_eq!(fetched.source, Some(source));
        assert_eq!(fetched.verified, home.corpus().verify().unwrap());
        assert_eq!(home.in_corpora(), [NAME]);
        fs::remove_dir_all(home.corpus_path()).unwrap();
    }
}

#[test]
fn a_wheel_for_windows_gives_the_same_corpus_whatever_its_lines_end_with() {
    let home = TestHome::new();
    let mut files = files();
    let schema = "onnx/onnx.proto";
    files.insert(schema.into(), b"syntax = \"proto2\";\npackage onnx;\n".to_vec());
    let request = Request::from_source(RELEASE, home.archive("linux.whl", &zip(&files)));
    home.fetch(&Request { write_lock: true, ..request }).unwrap();
    let windows = b"syntax = \"proto2\";\r\npackage onnx;\r\n";
    files.insert(schema.into(), windows.to_vec());
    home.fetch_from(home.archive("windows.whl", &zip(&files))).unwrap();
    home.corpus().verify().unwrap();
    // What is in a case is no text, and stays as it is.
    files.insert(format!("{NODE}/test_add/model.onnx"), b"\r\n".to_vec());
    home.fetch_from(home.archive("cases.whl", &zip(&files))).unwrap_err();
}

#[test]
fn only_node_data_and_schema_are_installed() {
    let home = TestHome::installed();
    let corpus = fs::read_dir(home.corpus_path()).unwrap();
    let mut names: Vec<_> = corpus.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["node", "schema"]);
    let schema = home.corpus().schema().unwrap();
    assert_eq!(schema.keys().collect::<Vec<_>>(), ["onnx-ml.proto", "onnx.proto"]);
}

#[test]
fn a_long_path_in_a_source_archive_is_read_from_its_extension_header() {
    let home = TestHome::new();
    let case = format!("test_{}", "long_".repeat(30));
    let mut files = files();
    files.insert(format!("onnx/backend/test/data/node/{case}/model.onnx"), b"model".to_vec());
    let source = home.archive("onnx.tar.gz", &gzip(&tar(&files, "onnx-0.0.1")));
    let request = Request::from_source(RELEASE, source);
    home.fetch(&Request { write_lock: true, ..request }).unwrap();
    let names: Vec<_> = home.corpus().cases().iter().map(|case| case.name().to_owned()).collect();
    assert!(names.contains(&format!("node/{case}")), "{names:?}");
}

#[test]
fn a_verified_copy_is_kept_without_asking_any_source() {
    let home = TestHome::installed();
    let fetched = home.fetch(&Request { sources: vec![], ..Request::new(RELEASE) }).unwrap();
    assert_eq!(fetched.source, None);
    assert_eq!(fetched.verified.cases, 3);
}

#[test]
fn a_corrupt_copy_is_replaced_as_a_whole() {
    let home = TestHome::installed();
    fs::write(home.corpus_path().join(CASES[0]).join("model.onnx"), b"corrupt").unwrap();
    fs::create_dir(home.corpus_path().join("node/test_more")).unwrap();
    let sources = vec![home.archive("onnx.whl", &zip(&files()))];
    let request = Request { sources, ..Request::new(RELEASE) };
    let unusable = std::cell::Cell::new(0);
    let fetched = fetch(&home.home, &request, &|event| {
        if let Event::Unusable(_) = event {
            unusable.set(unusable.get() + 1);
        }
    });
    assert!(fetched.unwrap().source.is_some());
    assert_eq!(unusable.get(), 1);
    home.corpus().verify().unwrap();
    assert_eq!(home.in_corpora(), [NAME]);
}

#[test]
fn other_content_is_an_integrity_error_and_leaves_what_was_there() {
    let home = TestHome::installed();
    let edits: [fn(&mut Files); 4] = [
        |files| files.values_mut().for_each(|content| content.push(0)),
        |files| files.retain(|path, _| !path.contains("/test_add_2/")),
        |files| drop(files.insert("onnx/backend/test/data/node/test_b/model.onnx".into(), vec![])),
        |files| drop(files.remove("onnx/onnx.proto")),
    ];
    for edit in edits {
        let mut files = files();
        edit(&mut files);
        let error = home.fetch_from(home.archive("onnx.whl", &zip(&files))).unwrap_err();
        assert_eq!(error.exit_code(), 4, "{error}");
        assert!(error.to_string().contains("does not match the lock"), "{error}");
        home.corpus().verify().unwrap();
        assert_eq!(home.in_corpora(), [NAME]);
    }
}

#[test]
fn sources_are_tried_in_order_and_each_says_why_it_failed() {
    let home = TestHome::locked();
    let missing = Source::Archive(home.path("missing.whl"));
    let text = home.archive("text", b"this is no archive");
    let empty = home.archive("empty.whl", &zip(&Files::new()));
    let ftp = Source::Url("ftp://localhost/onnx.whl".into());
    let bad = vec![missing, text, ftp, empty];
    let error = home.fetch(&Request { sources: bad.clone(), ..Request::new(RELEASE) }).unwrap_err();
    assert_eq!(error.exit_code(), 5);
    let text = error.to_string();
    for reason in ["missing.whl", "is neither a wheel", "begins with neither", "--archive FILE"] {
        assert!(text.contains(reason), "{reason} in {text}");
    }

    let good = home.archive("onnx.whl", &zip(&files()));
    let sources = bad.iter().chain([&good]).cloned().collect();
    let fetched = home.fetch(&Request { sources, ..Request::new(RELEASE) }).unwrap();
    assert_eq!(fetched.source, Some(good));
    assert_eq!(
        fetched.failed.iter().map(|(source, _)| source).collect::<Vec<_>>(),
        bad.iter().collect::<Vec<_>>()
    );
}

#[test]
fn a_release_without_a_lock_is_refused_unless_a_lock_is_to_be_made() {
    let home = TestHome::new();
    let source = home.archive("onnx.whl", &zip(&files()));
    let request = Request::from_source(RELEASE, source);
    let error = home.fetch(&request).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("--write-lock"), "{error}");

    let fetched = home.fetch(&Request { write_lock: true, ..request }).unwrap();
    assert_eq!(fetched.new_lock, Some(home.home.lock_path(NAME)));
    assert_eq!(fetched.verified, home.corpus().verify().unwrap());
}

#[test]
fn a_lock_is_never_overwritten() {
    let home = TestHome::installed();
    let lock = fs::read(home.home.lock_path(NAME)).unwrap();
    let mut files = files();
    let same = Request::from_source(RELEASE, home.archive("same.whl", &zip(&files)));
    let same = home.fetch(&Request { write_lock: true, ..same }).unwrap();
    assert_eq!(same.new_lock, None);

    files.values_mut().for_each(|content| content.push(0));
    let other = Request::from_source(RELEASE, home.archive("other.whl", &zip(&files)));
    let error = home.fetch(&Request { write_lock: true, ..other }).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("remove `"), "{error}");
    assert_eq!(fs::read(home.home.lock_path(NAME)).unwrap(), lock);
}

#[test]
fn what_is_not_written_like_a_release_is_refused() {
    let home = TestHome::new();
    for release in ["", "../1.0", "-1", "1/2", "1.0~x", ".1", "v1.0", &"1".repeat(33)] {
        let error = home.fetch(&Request::new(release)).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{release}: {error}");
        assert!(error.to_string().contains("is not a release"), "{error}");
    }
}

#[test]
fn what_a_killed_fetch_left_is_no_corpus_and_is_removed_by_the_next() {
    let home = TestHome::installed();
    let corpora = home.home.corpora();
    let left = corpora.join(format!(".{NAME}~abc123"));
    fs::create_dir(&left).unwrap();
    // Killed between moving the old corpus aside and the new one into place.
    fs::rename(home.corpus_path(), left.join("old")).unwrap();
    let of_another = corpora.join(".onnx-0.0.10~abc123");
    fs::create_dir(&of_another).unwrap();
    assert_eq!(home.home.corpus(NAME).unwrap_err().exit_code(), 4);

    home.fetch_from(home.archive("onnx.whl", &zip(&files()))).unwrap();
    home.corpus().verify().unwrap();
    assert_eq!(home.in_corpora(), [".onnx-0.0.10~abc123", NAME], "another fetch may be at work");
}

#[test]
fn concurrent_fetches_all_succeed_and_one_installs() {
    let home = TestHome::locked();
    let sources = vec![home.archive("onnx.whl", &zip(&files()))];
    let request = Request { sources, ..Request::new(RELEASE) };
    let fetched: Vec<_> = thread::scope(|scope| {
        let fetches: Vec<_> = (0..8).map(|_| scope.spawn(|| home.fetch(&request))).collect();
        fetches.into_iter().map(|fetch| fetch.join().unwrap().unwrap()).collect()
    });
    assert_eq!(fetched.iter().filter(|fetched| fetched.source.is_some()).count(), 1);
    home.corpus().verify().unwrap();
    assert_eq!(home.in_corpora(), [NAME]);
}

#[test]
fn concurrent_installations_never_show_a_corpus_that_is_not_whole() {
    let home = TestHome::installed();
    let source = home.archive("onnx.whl", &zip(&files()));
    thread::scope(|scope| {
        let install = || (0..20).for_each(|_| drop(home.fetch_from(source.clone()).unwrap()));
        let installs = [scope.spawn(install), scope.spawn(install)];
        while installs.iter().any(|install| !install.is_finished()) {
            // Between two renames there is none at all; a part of one must never be seen. A reader
            // in the middle of the listing may find it gone, which is an error of reading.
            if let Ok(corpus) = home.home.corpus(NAME) {
                assert_eq!(corpus.cases().len(), 3);
            }
        }
    });
    home.corpus().verify().unwrap();
    assert_eq!(home.in_corpora(), [NAME]);
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let home = TestHome::new();
    fs::write(home.home.corpora(), b"a file").unwrap();
    let request = Request::from_source(RELEASE, home.archive("onnx.whl", &zip(&files())));
    let error = home.fetch(&Request { write_lock: true, ..request }).unwrap_err();
    assert_eq!(error.exit_code(), 5);
    assert!(error.to_string().starts_with("failed to create `"), "{error}");
}
