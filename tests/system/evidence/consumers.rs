//! Tools that are not this project's read what a pack holds, and sign it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::json;

use super::packs::{Written, copy, put, put_statement, read, told};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A Python with the packages of `testdata/consumers/requirements.txt`; none where it is not set up.
fn python() -> Option<String> {
    let python = std::env::var("ONNX_CONFORMANCE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = "import cyclonedx, in_toto_attestation, securesystemslib, cryptography";
    let found = Command::new(&python).args(["-c", import]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    // Whoever names a Python wants it asked.
    assert!(
        std::env::var_os("ONNX_CONFORMANCE_PYTHON").is_none(),
        "{python} has not what testdata/consumers/requirements.txt lists"
    );
    eprintln!(
        "SKIPPED: {python} has not what testdata/consumers/requirements.txt lists; name one that has in \
         ONNX_CONFORMANCE_PYTHON"
    );
    None
}

fn run(python: &str, script: &Path, args: &[&Path]) -> Output {
    Command::new(python).arg(script).args(args).output().unwrap()
}

fn pack() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, complaint) = told(&Written::shared().pack(folder.path()));
    assert_eq!(code, 0, "{complaint}");
    folder
}

#[test]
fn statement_and_dependencies_are_read_by_other_tools() {
    let Some(python) = python() else { return };
    let script = Path::new(ROOT).join("testdata/consumers/check.py");
    let pack = pack();
    let check = |dir: &Path| told(&run(&python, &script, &[dir]));
    let (code, text, complaint) = check(pack.path());
    assert_eq!((code, text.trim()), (0, "ok"), "{complaint}");

    // They would tell if there were something to tell.
    let broken = copy(pack.path());
    let mut bom = read(broken.path(), "tool/sbom.cdx.json");
    bom["components"][0].as_object_mut().unwrap().remove("name");
    put(broken.path(), "tool/sbom.cdx.json", &bom);
    assert_ne!(check(broken.path()).0, 0);
    let broken = copy(pack.path());
    let mut statement = read(broken.path(), "statement.json");
    statement["_type"] = json!("https://in-toto.io/Statement/v0");
    put_statement(broken.path(), &statement);
    assert_ne!(check(broken.path()).0, 0);
}

/// The scripts of the document, by their names in its first lines.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(Path::new(ROOT).join("docs/evidence.md")).unwrap();
    let blocks = text.split("```python\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    blocks
        .map(|script| {
            let name = script.lines().next().unwrap().trim_start_matches("# ");
            let path = folder.join(name);
            fs::write(&path, script).unwrap();
            path
        })
        .collect()
}

#[test]
fn a_pack_is_signed_and_received_as_the_document_shows() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let scripts = scripts(folder.path());
    let [keys, sign, receive] = scripts.as_slice() else { panic!("{scripts:?}") };
    let pack = pack();
    let path = |name: &str| folder.path().join(name);
    let (private, public, signed) = (path("key.pem"), path("key.pub"), path("signed.json"));
    let ok = |script: &Path, args: &[&Path]| {
        let (code, text, complaint) = told(&run(&python, script, args));
        assert_eq!(code, 0, "{}: {complaint}", script.display());
        text
    };
    ok(keys, &[&private, &public]);
    ok(sign, &[pack.path(), &private, &signed]);
    let text = ok(receive, &[pack.path(), &public, &signed]);
    assert!(text.contains("signed by the key"), "{text}");

    // Another key, another statement and another signature are refused.
    let refused = |dir: &Path, public: &Path, signed: &Path| {
        let (code, _, complaint) = told(&run(&python, receive, &[dir, public, signed]));
        assert_ne!(code, 0);
        complaint
    };
    let (other, other_public) = (path("other.pem"), path("other.pub"));
    ok(keys, &[&other, &other_public]);
    refused(pack.path(), &other_public, &signed);
    let edited = copy(pack.path());
    let mut statement = read(edited.path(), "statement.json");
    statement["predicate"]["result"] = json!("OTHER");
    put_statement(edited.path(), &statement);
    let complaint = refused(edited.path(), &public, &signed);
    assert!(complaint.contains("another statement"), "{complaint}");
    let mut envelope = read(folder.path(), "signed.json");
    envelope["payload"] = read(edited.path(), "statement.dsse.json")["payload"].clone();
    put(folder.path(), "forged.json", &envelope);
    refused(edited.path(), &public, &path("forged.json"));
    // The signature lies beside the pack, which is as it was.
    assert!(super::packs::verified(pack.path()).is_whole());
}
