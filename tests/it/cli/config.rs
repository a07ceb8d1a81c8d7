//! `conformance.toml`: defaults of `run`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{in_folder, report, stderr, stdout, three_cases};

/// The three cases with a file of this text beside them.
fn configured(text: &str) -> TempDir {
    let folder = three_cases();
    fs::write(folder.path().join("conformance.toml"), text).unwrap();
    folder
}

fn ids(report: &Value) -> Vec<&str> {
    report["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect()
}

#[test]
fn a_run_takes_what_it_is_not_given_from_the_file_and_says_so() {
    let folder = configured(
        "corpus = 'cases'\nout = 'out'\nprofile = 'ieee754'\njobs = 1\ntimeout = 2.5\n\
         filter = ['pass', 'unsup']\nstrict = true\n",
    );
    let output = in_folder(folder.path(), &["run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let names = "corpus, filter, jobs, out, profile, strict, timeout";
    assert_eq!(stderr(&output), format!("options from conformance.toml: {names}\n"));
    let report = report(folder.path());
    assert_eq!(ids(&report), ["cases/pass", "cases/unsupported"]);
    assert_eq!(report["profile"], "ieee754");
}

#[test]
fn an_option_that_is_given_wins_over_the_file_and_over_what_it_excludes() {
    let folder = configured(
        "corpus = 'nowhere'\nout = 'nowhere'\nfilter = 'pass'\nadapter = 'no-such-program'\n\
         expectations = 'no-such-file'\nmaxfail = 3\nsandbox = 'off'\n",
    );
    let run =
        ["run", "--corpus=cases", "--out", "out", "--filter", "fail", "--backend", "builtin", "-x"];
    let output = in_folder(folder.path(), &run);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("options from conformance.toml: sandbox\n"));
    let report = report(folder.path());
    // The filter of the file is not one more.
    assert_eq!(ids(&report), ["cases/fail"]);
    assert_eq!(report["backend"]["name"], "builtin");
    assert!(!folder.path().join("nowhere").exists());
}

#[test]
fn it_is_looked_for_up_to_the_root_of_the_repository_and_its_paths_are_its_own() {
    let folder = configured("corpus = 'cases'\nout = 'out'\nfilter = 'pass'\n");
    let root = folder.path();
    let below = root.join("src/deep");
    fs::create_dir_all(&below).unwrap();
    let output = in_folder(&below, &["run"]);
    assert!(!stderr(&output).contains("conformance.toml"), "outside a repository none is above");
    fs::create_dir(root.join(".git")).unwrap();
    let output = in_folder(&below, &["run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).starts_with("options from ../../conformance.toml: corpus, filter, out")
    );
    assert_eq!(ids(&report(root)), ["cases/pass"]);
    assert!(!below.join("out").exists());
    // One that is nearer counts alone, and beyond the root is none.
    fs::write(below.join("conformance.toml"), "corpus = '../../cases'\nout = 'out'\n").unwrap();
    assert_eq!(in_folder(&below, &["run"]).status.code(), Some(1));
    assert_eq!(ids(&report(&below)).len(), 3);
    fs::remove_file(below.join("conformance.toml")).unwrap();
    fs::create_dir(below.join(".git")).unwrap();
    let output = in_folder(&below, &["run"]);
    assert!(!stderr(&output).contains("conformance.toml"), "{}", stderr(&output));
}

#[test]
fn what_is_no_option_or_no_value_of_one_is_named_with_its_line() {
    for (text, line, said) in [
        ("corpus = 'cases'\nprofil = 'x'\n", 2, "unknown key `profil`; did you mean `profile`?"),
        (
            "quaternion = 1\n",
            1,
            "unknown key `quaternion`; the keys are the options of `run`: adapter, ",
        ),
        ("no-config = true\n", 1, "unknown key `no-config`"),
        ("color = 'never'\n", 1, "unknown key `color`"),
        ("\n\njobs = 0\n", 3, "invalid value '0' for '--jobs <N>'"),
        ("jobs = [1, 2]\n", 1, "`jobs` takes a text or a number"),
        ("type = ['int8', 'f16']\n", 1, "no such element type: float16?"),
        ("strict = 'yes'\n", 1, "`strict` is true or false"),
        ("out = true\n", 1, "`out` takes a text or a number"),
        ("[suite]\nname = 'onnx'\n", 1, "`suite` takes a text or a number, or a list of them"),
        ("corpus = 'cases\n", 1, "invalid"),
        ("corpus = 'a'\ncorpus = 'b'\n", 2, "duplicate key"),
    ] {
        let folder = configured(text);
        let output = in_folder(folder.path(), &["run", "--out", "out"]);
        assert_eq!(output.status.code(), Some(2), "{text}: {}", stderr(&output));
        let told = stderr(&output);
        assert!(told.starts_with(&format!("error: conformance.toml:{line}: ")), "{text}: {told}");
        assert!(told.contains(said), "{text}: {told}");
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn options_of_the_file_that_exclude_each_other_are_told_with_its_name() {
    let folder = configured("corpus = 'cases'\nadapter = 'x'\nbackend = 'builtin'\n");
    let output = in_folder(folder.path(), &["run"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("cannot be used with"), "{told}");
    assert!(told.contains("options from conformance.toml: adapter, backend, corpus"), "{told}");
}

#[test]
fn it_can_be_left_out_and_other_commands_do_not_read_it() {
    let folder = configured("no such text");
    let folder = folder.path();
    let run: &[&str] = &["run", "--corpus", "cases", "--out", "out", "--filter", "pass"];
    assert_eq!(in_folder(folder, run).status.code(), Some(2));
    let output = in_folder(folder, &[run, &["--no-config"]].concat());
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let output = in_folder(folder, &["list", "--corpus", "cases"]);
    assert_eq!(stdout(&output).lines().count(), 3);
    assert_eq!(in_folder(folder, &["run", "--help"]).status.code(), Some(0));
    fs::remove_file(folder.join("conformance.toml")).unwrap();
    fs::create_dir(Path::new(folder).join("conformance.toml")).unwrap();
    assert_eq!(in_folder(folder, run).status.code(), Some(0), "a folder of the name is no file");
}

/// Only root can give files away; elsewhere nothing is tested here.
#[cfg(unix)]
#[test]
fn what_another_user_owns_above_is_refused_until_it_is_named_as_trusted() {
    use std::os::unix::fs::chown;
    let folder = configured("corpus = 'cases'\nout = 'out'\nfilter = 'pass'\n");
    let root = folder.path().canonicalize().unwrap();
    let below = root.join("work");
    for made in [&below, &root.join("testdata/locks"), &root.join("adapters"), &root.join(".git")] {
        fs::create_dir_all(made).unwrap();
    }
    fs::write(root.join("adapters/backends.toml"), "").unwrap();
    let own =
        chown(&root, None, None).and_then(|()| chown(root.join("adapters"), Some(4242), None));
    if own.is_err() {
        return;
    }
    chown(root.join("adapters"), Some(0), None).unwrap();
    let run = |more: &[&str], trusted: Option<&Path>| {
        let mut command = super::tool();
        command.args(["run"]).args(more).current_dir(&below);
        trusted.map(|folder| command.env("ONNX_CONFORMANCE_TRUST", folder));
        command.output().unwrap()
    };
    let given = ["--no-config", "--corpus", "../cases", "--out", "../out", "--filter", "pass"];
    for (file, more) in [
        ("conformance.toml", &[][..]),
        (".", &[]),
        (".", &given),
        ("testdata", &given),
        ("testdata/locks", &given),
        ("adapters/backends.toml", &given),
    ] {
        assert_eq!(run(more, None).status.code(), Some(0), "{file}");
        chown(root.join(file), Some(4242), None).unwrap();
        let output = run(more, None);
        let problem = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{file}: {problem}");
        assert!(problem.contains("belongs to another user (id 4242)"), "{problem}");
        assert!(problem.contains(&format!("ONNX_CONFORMANCE_TRUST to `{}`", root.display())));
        assert_eq!(run(more, Some(&root)).status.code(), Some(0), "{file}");
        assert_eq!(run(more, Some(Path::new("*"))).status.code(), Some(0), "{file}");
        assert_eq!(run(more, Some(&below)).status.code(), Some(2), "{file}");
        chown(root.join(file), Some(0), None).unwrap();
    }
    // What lies above the repository is none of its.
    let inner = root.join("work/other");
    fs::create_dir_all(inner.join(".git")).unwrap();
    chown(root.join("testdata"), Some(4242), None).unwrap();
    let mut command = super::tool();
    command.args(["list", "--own", "--suite", "sonnx", "--filter", "/div/float32/exact"]);
    assert_eq!(command.current_dir(&inner).output().unwrap().status.code(), Some(0));
}
