//! Corpora of the releases since 1.23, whose cases their Python package computes: here a program that
//! stands in for Python, and, where there is one that has the package, that itself.

use std::f32::consts::SQRT_2;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use onnx_conformance::corpus::fetch::{Fetched, Request, Source, fetch};
use onnx_conformance::corpus::{CorpusError, Digest, Discrepancy, Home, Lock, name_of_release};

use super::synthetic::{Files, TestHome, write_folder};
use crate::support::{self, float32, int32, write_case};

const RELEASE: &str = "1.23.2";
const LATER: &str = "1.23.3";

/// What the stand-in gives: a case of floats, one of integers and the schema.
fn package() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let (floats, ints) = (folder.path().join("test_float"), folder.path().join("test_int"));
    write_case(&floats, "Sqrt", &[float32(&[9.0, 2.0])], &[float32(&[3.0, SQRT_2])]);
    write_case(&ints, "Neg", &[int32(&[7, -1])], &[int32(&[-7, 1])]);
    let mut files = Files::new();
    for name in ["test_float", "test_int"] {
        for file in ["model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb"] {
            let content = fs::read(folder.path().join(name).join(file)).unwrap();
            files.insert(format!("node/{name}/{file}"), content);
        }
    }
    files.insert("schema/onnx.proto".to_owned(), b"syntax = \"proto2\";".to_vec());
    files
}

const FLOATS: &str = "node/test_float/test_data_set_0/output_0.pb";

/// A home with the packages of the releases pinned.
fn home() -> TestHome {
    let home = TestHome::new();
    for release in [RELEASE, LATER] {
        let requirements = home.home.requirements_path(release);
        fs::create_dir_all(requirements.parent().unwrap()).unwrap();
        fs::write(requirements, format!("onnx=={release}")).unwrap();
    }
    home
}

/// A home that has the lock of the package.
fn locked() -> TestHome {
    let home = home();
    let source = python(&home, &package(), "exit 0");
    home.fetch(&Request { write_lock: true, ..Request::from_source(RELEASE, source) }).unwrap();
    fs::remove_dir_all(home.home.corpus_path(&name_of_release(RELEASE))).unwrap();
    home
}

/// A program that makes environments with itself as their Python, writes the files as its cases, and
/// then does what is said.
fn python(home: &TestHome, files: &Files, then: &str) -> Source {
    let cases = home.path("cases");
    if cases.exists() {
        fs::remove_dir_all(&cases).unwrap();
    }
    write_folder(&cases, files);
    let script = format!(
        r#"#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-I -m pip install --no-cache-dir --require-hashes "*) ;;
"-I -W ignore - "*) cat > /dev/null; cp -R '{}/.' "$5"; {then} ;;
*) echo "unexpected: $*" >&2; exit 9 ;;
esac
"#,
        cases.display()
    );
    // Made executable by another process, so that no thread here has it open when it is started.
    let (text, program) = (home.path("python.sh"), home.path("python"));
    fs::write(&text, script).unwrap();
    let installed = Command::new("install").args(["-m", "755"]).args([&text, &program]).status();
    assert!(installed.unwrap().success());
    Source::Package(Some(program))
}

fn fetch_from(home: &TestHome, source: Source) -> Result<Fetched, CorpusError> {
    home.fetch(&Request::from_source(RELEASE, source))
}

/// Why the one source failed, the exit code being this, nothing having been installed.
fn refusal(home: &TestHome, source: Source, exit_code: u8) -> CorpusError {
    let error = fetch_from(home, source).unwrap_err();
    assert_eq!(error.exit_code(), exit_code, "{error}");
    assert_eq!(home.in_corpora(), Vec::<String>::new());
    let CorpusError::Failed { mut attempts, .. } = error else { panic!("{error}") };
    attempts.pop().unwrap().1
}

#[test]
fn a_package_gives_a_corpus_and_its_lock_names_the_reference() {
    let home = locked();
    let lock = home.home.lock(&name_of_release(RELEASE)).unwrap();
    let reference = fs::read(home.home.reference_path(&lock.name)).unwrap();
    let computed = lock.computed.unwrap();
    assert_eq!((computed.outputs, computed.reference), (1, Digest::of(&reference)));
    let fetched = fetch_from(&home, python(&home, &package(), "exit 0")).unwrap();
    assert_eq!(
        (fetched.replaced, fetched.verified.cases, fetched.verified.digest),
        (0, 2, lock.digest)
    );
    let read = |(file, content): (&String, &Vec<u8>)| {
        assert_eq!(fs::read(fetched.path.join(file)).unwrap(), *content, "{file}");
    };
    package().iter().for_each(read);
    assert_eq!(home.in_corpora(), [name_of_release(RELEASE)]);
}

/// The package with the last element of its output of floats changed.
fn with_float(change: impl Fn(&mut [u8])) -> Files {
    let mut files = package();
    let content = files.get_mut(FLOATS).unwrap();
    // The elements are the message's last field.
    let start = content.len() - 4;
    change(&mut content[start..]);
    files
}

#[test]
fn an_output_of_other_last_bits_gives_way_to_the_reference() {
    let home = locked();
    let files = with_float(|element| element[0] ^= 1);
    let fetched = fetch_from(&home, python(&home, &files, "exit 0")).unwrap();
    assert_eq!(fetched.replaced, 1);
    assert_eq!(fs::read(fetched.path.join(FLOATS)).unwrap(), package()[FLOATS]);
    let corpus = home.home.corpus(&fetched.name).unwrap();
    assert_eq!(corpus.verify().unwrap(), fetched.verified);
    // What is installed is pinned like any other corpus.
    fs::write(fetched.path.join(FLOATS), &files[FLOATS]).unwrap();
    assert_eq!(corpus.verify().unwrap_err().exit_code(), 4);
}

#[test]
fn an_output_beyond_the_bound_is_refused() {
    let home = locked();
    let files = with_float(|element| element[3] ^= 0x80);
    match refusal(&home, python(&home, &files, "exit 0"), 4) {
        CorpusError::Integrity { discrepancy, .. } => match *discrepancy {
            Discrepancy::Output(file, problem) => {
                assert_eq!(file, FLOATS);
                assert!(problem.contains("more than 16 ULP of the largest away"), "{problem}");
            }
            other => panic!("{other}"),
        },
        other => panic!("{other}"),
    }
}

#[test]
fn an_output_that_does_not_decode_is_refused_as_any_other() {
    let home = locked();
    let mut files = package();
    files.get_mut(FLOATS).unwrap().pop();
    let error = refusal(&home, python(&home, &files, "exit 0"), 4);
    assert!(error.to_string().contains("is the file truncated?"), "{error}");
}

#[test]
fn models_inputs_and_integers_must_be_the_same_to_the_last_bit() {
    let home = locked();
    for file in [
        "node/test_float/model.onnx",
        "node/test_float/test_data_set_0/input_0.pb",
        "node/test_int/test_data_set_0/output_0.pb",
    ] {
        let mut files = package();
        let content = files.get_mut(file).unwrap();
        let last = content.len() - 1;
        content[last] ^= 1;
        let error = refusal(&home, python(&home, &files, "exit 0"), 4);
        let CorpusError::Integrity { discrepancy, .. } = error else { panic!("{file}: {error}") };
        assert!(matches!(*discrepancy, Discrepancy::Case(..)), "{file}: {discrepancy}");
    }
}

#[test]
fn a_corpus_that_shrank_is_refused_and_says_by_how_much() {
    let home = locked();
    let mut files = package();
    files.retain(|file, _| !file.starts_with("node/test_int"));
    let error = refusal(&home, python(&home, &files, "exit 0"), 4);
    assert_eq!(
        error.with_causes(),
        "its content does not match the lock: case `node/test_int` is missing (1 of 2 cases are there)"
    );
}

#[test]
fn a_package_that_fails_half_way_leaves_nothing_and_is_quoted() {
    let home = locked();
    let mut files = package();
    files.retain(|file, _| !file.starts_with("node/test_int"));
    let error = refusal(&home, python(&home, &files, "echo no memory >&2; exit 7"), 5);
    let text = error.to_string();
    assert!(text.contains("materialise.py` failed") && text.ends_with(": no memory"), "{text}");
}

#[test]
fn a_release_whose_packages_nobody_pinned_is_refused_by_the_name_of_the_missing_file() {
    let home = TestHome::new();
    let request = Request { write_lock: true, ..Request::new("1.99.0") };
    let error = home.fetch(&request).unwrap_err();
    assert!(error.to_string().contains("requirements-1.99.0.txt"), "{error}");
}

#[test]
fn a_reference_that_is_not_the_locks_is_an_integrity_error() {
    let home = locked();
    fs::write(home.home.reference_path(&name_of_release(RELEASE)), b"other").unwrap();
    let error = fetch_from(&home, python(&home, &package(), "exit 0")).unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
}

/// The lock of the later release, made of these files; and whether it has a reference of its own.
fn lock_of_later(home: &TestHome, files: &Files) -> (Lock, bool) {
    let request = Request::from_source(LATER, python(home, files, "exit 0"));
    let fetched = home.fetch(&Request { write_lock: true, ..request }).unwrap();
    fs::remove_dir_all(fetched.path).unwrap();
    let name = name_of_release(LATER);
    (home.home.lock(&name).unwrap(), home.home.reference_path(&name).exists())
}

#[test]
fn releases_with_the_same_outputs_have_one_reference() {
    let home = locked();
    let (lock, has_own) = lock_of_later(&home, &package());
    let first = home.home.lock(&name_of_release(RELEASE)).unwrap();
    assert_eq!((lock.computed, has_own), (first.computed, false));
    let source = python(&home, &with_float(|element| element[0] ^= 1), "exit 0");
    let fetched = home.fetch(&Request::from_source(LATER, source)).unwrap();
    assert_eq!((fetched.replaced, fetched.verified.digest), (1, lock.digest));
}

#[test]
fn a_release_with_other_outputs_has_a_reference_of_its_own() {
    let home = locked();
    let (lock, has_own) = lock_of_later(&home, &with_float(|element| element[0] ^= 1));
    let first = home.home.lock(&name_of_release(RELEASE)).unwrap();
    assert!(has_own && lock.computed != first.computed);
}

#[test]
fn the_release_itself_gives_what_its_committed_lock_says() {
    let Some(python) = support::python("onnx 1.23.2 and numpy 2.4.6") else { return };
    let versions = "import numpy, onnx; print(onnx.__version__, numpy.__version__)";
    let found = Command::new(&python).args(["-c", versions]).stderr(Stdio::null()).output();
    let found = found.map(|output| String::from_utf8(output.stdout).unwrap()).unwrap_or_default();
    if found.trim_end() != "1.23.2 2.4.6" {
        eprintln!(
            "skipped: this needs onnx 1.23.2 and numpy 2.4.6, but `{python}` has `{}`; name a \
             Python that has them in ONNX_CONFORMANCE_PYTHON",
            found.trim_end()
        );
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let home = TestHome::new();
    let cases: PathBuf = home.path("cases");
    fs::create_dir(&cases).unwrap();
    let script = root.join("src/corpus/fetch/materialise.py");
    let status = Command::new(&python)
        .args(["-I", "-W", "ignore"])
        .args([&script, &cases])
        .env("OPENBLAS_NUM_THREADS", "1")
        .status();
    assert!(status.unwrap().success());
    let (committed, name) = (Home::at(root.join("testdata")), name_of_release(RELEASE));
    for path in [Home::lock_path, Home::reference_path] {
        fs::copy(path(&committed, &name), path(&home.home, &name)).unwrap();
    }
    let request = Request::from_source(RELEASE, Source::Archive(cases));
    let fetched = fetch(&home.home, &request, &|_| {}).unwrap();
    let lock = Lock::read(&committed.lock_path(&name), &name).unwrap();
    assert_eq!((fetched.verified.cases, fetched.verified.digest), (1884, lock.digest));
}
