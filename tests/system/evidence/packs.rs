//! Reports, campaigns and packs for the tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use onnx_conformance::corpus::Digest;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::evidence::{self, Inputs, Redactor, Verification};
use onnx_conformance::documents::matrix;
use onnx_conformance::documents::report::document::Report;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::TempDir;
use walkdir::WalkDir;

/// The program, run in the checkout.
pub(crate) fn tool(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// Exit code, standard output and standard error.
#[track_caller]
pub(crate) fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// A report and two campaigns that the program itself wrote.
pub(crate) struct Written {
    pub(crate) folder: TempDir,
}

impl Written {
    pub(crate) fn anew() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let out = |name: &str| folder.path().join(name).display().to_string();
        let runs: [&[&str]; 3] = [
            &["run", "--suite", "sonnx", "--filter", "sqrt/float16/", "--out", &out("run")],
            &["campaign", "--op", "Div", "--type", "int8", "--out", &out("div")],
            &[
                "campaign",
                "--op",
                "Sqrt",
                "--type",
                "float64",
                "--strategy",
                "stratified",
                "--count",
                "5",
                "--out",
                &out("sqrt"),
            ],
        ];
        for args in runs {
            let (code, _, complaint) = told(&tool(args));
            assert_eq!(code, 0, "{args:?}: {complaint}");
        }
        Self { folder }
    }

    /// The ones that tests share and leave as they are.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Written> = OnceLock::new();
        SHARED.get_or_init(Self::anew)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub(crate) fn report(&self) -> String {
        self.path("run/report.json")
    }

    pub(crate) fn pack(&self, out: &Path) -> Output {
        let (report, div, sqrt) =
            (self.report(), self.path("div"), self.path("sqrt/campaign.json"));
        let out = out.display().to_string();
        tool(&["evidence", "--report", &report, "--campaign", &div, &sqrt, "--out", &out])
    }
}

/// The same report, judged by another profile.
pub(crate) fn under(profile: &str, mut report: Report) -> Report {
    let suites = report.suites.iter_mut().map(|suite| &mut suite.profile);
    let cases = report.cases.iter_mut().map(|case| &mut case.profile);
    for name in suites.chain(cases).chain([&mut report.profile]) {
        profile.clone_into(name);
    }
    report
}

/// Writes a report into a folder of its own.
pub(crate) fn write(report: &Report) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, report.to_bytes().unwrap()).unwrap();
    (folder, path)
}

/// A pack that this very process makes of reports.
pub(crate) fn packed(reports: &[&Report]) -> TempDir {
    let written: Vec<_> = reports.iter().map(|report| write(report)).collect();
    let reports = written.iter().map(|(_, path)| path.clone()).collect();
    pack_of(&Inputs { reports, ..Inputs::default() })
}

pub(crate) fn pack_of(inputs: &Inputs) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let redactor = Redactor::of_this_machine().unwrap();
    let gathered = evidence::gather(inputs, &redactor).unwrap();
    evidence::pack(&gathered, folder.path(), &redactor).unwrap();
    folder
}

/// The files of a folder by their paths in it.
pub(crate) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(dir).into_iter().map(Result::unwrap);
    entries
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
            (path, fs::read(entry.path()).unwrap())
        })
        .collect()
}

pub(crate) fn read(dir: &Path, path: &str) -> Value {
    serde_json::from_slice(&fs::read(dir.join(path)).unwrap()).unwrap()
}

/// Writes a document as the tool would, where it still is one.
pub(crate) fn put(dir: &Path, path: &str, document: &Value) {
    let name = path.rsplit('/').next().unwrap();
    let bytes = match (path.split('/').next().unwrap(), name) {
        (_, "report.json") => ordered::<Report>(document),
        (_, "matrix.json") => ordered::<matrix::document::Matrix>(document),
        ("subjects", _) => ordered::<evidence::document::Subject>(document),
        ("tool", "tool.json") => ordered::<evidence::document::Tool>(document),
        (_, "manifest.json") => ordered::<evidence::document::Manifest>(document),
        (_, "platform.json") => ordered::<evidence::document::Platforms>(document),
        (_, "limitations.json") => ordered::<evidence::document::Limitations>(document),
        (_, "seeds.json") => ordered::<evidence::document::Seeds>(document),
        (_, "provenance.json") => ordered::<evidence::document::Provenance>(document),
        (_, "statement.json") => ordered::<Statement>(document),
        (_, "statement.dsse.json") => ordered::<Envelope>(document),
        _ => None,
    };
    let mut bytes = bytes.unwrap_or_else(|| serde_json::to_vec_pretty(document).unwrap());
    bytes.push(b'\n');
    fs::write(dir.join(path), bytes).unwrap();
}

/// A document with its members in their order, which a [`Value`] does not keep.
fn ordered<T: Serialize + DeserializeOwned>(document: &Value) -> Option<Vec<u8>> {
    let document: T = serde_json::from_value(document.clone()).ok()?;
    Some(serde_json::to_vec_pretty(&document).unwrap())
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    #[serde(rename = "_type")]
    statement_type: String,
    subject: Vec<Descriptor>,
    predicate_type: String,
    predicate: Predicate,
}

#[derive(Serialize, Deserialize)]
struct Descriptor {
    name: String,
    digest: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Predicate {
    result: String,
    configuration: Vec<Descriptor>,
    passed_tests: Vec<String>,
    warned_tests: Vec<String>,
    failed_tests: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload_type: String,
    payload: String,
    signatures: Value,
}

/// A copy of a pack.
pub(crate) fn copy(dir: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for (path, bytes) in files(dir) {
        let path = copy.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    copy
}

/// Makes manifest, provenance, statement and envelope fit the files again, as a forger would.
pub(crate) fn reseal(dir: &Path) {
    const OWN: [&str; 4] =
        ["manifest.json", "provenance.json", "statement.json", "statement.dsse.json"];
    let mut manifest = read(dir, "manifest.json");
    let mut listed = Vec::new();
    for (path, bytes) in files(dir).into_iter().filter(|(path, _)| !OWN.contains(&path.as_str())) {
        let digest = Digest::of(&bytes).to_string();
        listed.push(json!({"path": path, "size": bytes.len(), "sha256": digest}));
    }
    manifest["files"] = listed.clone().into();
    put(dir, "manifest.json", &manifest);
    let digest = Digest::of(&fs::read(dir.join("manifest.json")).unwrap()).to_string();

    let mut provenance = read(dir, "provenance.json");
    provenance["manifest"] = digest.clone().into();
    seal(&mut provenance);
    put(dir, "provenance.json", &provenance);

    let mut statement = read(dir, "statement.json");
    for one in statement["predicate"]["configuration"].as_array_mut().unwrap() {
        let file = listed.iter().find(|file| file["path"] == one["name"]);
        one["digest"]["sha256"] = file.map_or(json!(digest), |file| file["sha256"].clone());
    }
    put_statement(dir, &statement);
}

/// Gives a provenance the digest of its contents.
pub(crate) fn seal(provenance: &mut Value) {
    let mut contents = provenance.clone();
    contents.as_object_mut().unwrap().remove("digest");
    contents.sort_all_objects();
    provenance["digest"] = Digest::of(&serde_json::to_vec(&contents).unwrap()).to_string().into();
}

/// Writes a statement and its envelope.
pub(crate) fn put_statement(dir: &Path, statement: &Value) {
    use base64::Engine;
    put(dir, "statement.json", statement);
    let payload = fs::read(dir.join("statement.json")).unwrap();
    let mut envelope = read(dir, "statement.dsse.json");
    envelope["payload"] = base64::prelude::BASE64_STANDARD.encode(payload).into();
    put(dir, "statement.dsse.json", &envelope);
}

#[track_caller]
pub(crate) fn verified(dir: &Path) -> Verification {
    evidence::verify(dir).unwrap()
}

/// What is off in a pack, a line each.
#[track_caller]
pub(crate) fn problems(dir: &Path) -> Vec<String> {
    let problems = verified(dir).problems;
    problems.into_iter().map(|problem| format!("{}: {}", problem.file, problem.what)).collect()
}
