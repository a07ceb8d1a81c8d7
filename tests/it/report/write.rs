//! The files on disk.

use std::fs;
use std::path::Path;
use std::time::Instant;

use onnx_conformance::document::write::{WriteError, write_parts};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::{self, Written};

use super::synthetic;

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Writes a report as `run` does, without a matrix.
fn write(report: &Report, dir: &Path) -> Result<Written, WriteError> {
    write_parts(report::parts(report, None), dir)?;
    Ok(Written::within(dir))
}

#[test]
fn writing_creates_the_folder_and_leaves_the_three_reports_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("reports/latest");
    let written = write(&synthetic::every_verdict(), &out).unwrap();
    assert_eq!(written, Written::within(&out));
    assert_eq!(names(&out), ["junit.xml", "report.html", "report.json"]);
}

#[test]
fn the_same_report_is_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = || {
        write(&synthetic::hostile(), dir.path()).unwrap();
        ["report.json", "report.html", "junit.xml"]
            .map(|name| fs::read(dir.path().join(name)).unwrap())
    };
    assert!(bytes() == bytes());
}

#[test]
fn only_the_end_of_the_page_depends_on_provenance() {
    let dir = tempfile::tempdir().unwrap();
    let parts = |clock: &str| {
        let mut report = synthetic::every_verdict();
        clock.clone_into(&mut report.provenance.clock);
        report.provenance.durations = [("run".to_owned(), clock.to_owned())].into();
        write(&report, dir.path()).unwrap();
        let page = fs::read_to_string(dir.path().join("report.html")).unwrap();
        let (before, _) = page.split_once("id=\"provenance\"").unwrap();
        (before.to_owned(), fs::read(dir.path().join("junit.xml")).unwrap())
    };
    assert_eq!(parts("2026-11-20T15:20:00Z"), parts("2027-01-01T00:00:00Z"));
}

#[test]
fn a_folder_in_the_way_of_one_report_leaves_all_others_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("report.json")).unwrap();
    fs::write(dir.path().join("report.html"), "old").unwrap();
    let error = write(&synthetic::every_verdict(), dir.path()).unwrap_err();
    assert!(matches!(error, WriteError::Occupied { .. }), "{error}");
    assert_eq!(fs::read_to_string(dir.path().join("report.html")).unwrap(), "old");
    assert_eq!(names(dir.path()), ["report.html", "report.json"]);
}

#[test]
fn a_file_where_the_folder_should_be_is_an_error_that_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("latest");
    fs::write(&out, "").unwrap();
    let error = write(&synthetic::every_verdict(), &out).unwrap_err();
    let message = error.to_string().replace(&out.display().to_string(), "OUT");
    assert_eq!(
        message,
        "failed to create the report folder `OUT`; a file has the name of the folder: choose \
         another folder with --out"
    );
}

#[cfg(unix)]
#[test]
fn reports_are_readable_as_the_umask_allows() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let plain = dir.path().join("plain");
    fs::write(&plain, "").unwrap();
    let written = write(&synthetic::every_verdict(), dir.path()).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&written.json), mode(&plain));
}

/// For looking at and for measuring: `cargo test --release --test it report:: -- --ignored --nocapture`.
#[test]
#[ignore = "writes reports to look at"]
fn writes_reports_to_look_at() {
    for (name, report) in [
        ("large", synthetic::large()),
        ("hostile", synthetic::hostile()),
        ("verdicts", synthetic::every_verdict()),
    ] {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports").join(name);
        let start = Instant::now();
        let written = write(&report, &dir).unwrap();
        let took = start.elapsed();
        println!("{}: {} cases in {took:?}", dir.display(), report.cases.len());
        for path in [written.json, written.html, written.junit] {
            println!("  {} bytes {}", fs::metadata(&path).unwrap().len(), path.display());
        }
    }
}
