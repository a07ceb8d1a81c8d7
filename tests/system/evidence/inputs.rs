//! Inputs that are not what they should be.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::packs::{Written, told, tool, write};
use super::synthetic::{case, every_verdict, report};
use onnx_conformance::judge::verdict::Verdict;

/// An edit of a document.
type Edit = Box<dyn Fn(&mut Value)>;

/// What the command says of inputs; nothing is written.
#[track_caller]
fn refused(args: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pack");
    let all = [&["evidence"], args, &["--out", out.to_str().unwrap()]].concat();
    let (code, _, complaint) = told(&tool(&all));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{complaint}");
    (code, complaint)
}

/// What it says of a document after an edit of its text.
#[track_caller]
fn edited(path: &Path, option: &str, edit: impl Fn(&str) -> String) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(path.file_name().unwrap());
    let text = fs::read_to_string(path).unwrap();
    let changed = edit(&text);
    assert_ne!(text, changed);
    fs::write(&copy, changed).unwrap();
    refused(&[option, copy.to_str().unwrap()])
}

fn with(edit: impl Fn(&mut Value)) -> impl Fn(&str) -> String {
    move |text| {
        let mut document = serde_json::from_str(text).unwrap();
        edit(&mut document);
        document.to_string()
    }
}

#[test]
fn an_edited_report_is_refused_by_file_and_field() {
    let report = Written::shared().report();
    let report = Path::new(&report);
    let requirement = |document: &mut Value, member: &str, value: Value| {
        let all = document["requirements"].as_array_mut().unwrap();
        let one = all.iter_mut().find(|one| one["status"] == "verified").unwrap();
        one[member] = value;
    };
    let push = |document: &mut Value, id: &str| {
        document["cases"][0]["requirements"].as_array_mut().unwrap().push(json!(id));
    };
    let edits: [(&str, Edit, i32); 7] = [
        ("summary.pass", Box::new(|d| d["summary"]["pass"] = json!(1)), 4),
        ("mismatches", Box::new(|d| d["cases"][0]["outputs"][0]["mismatches"] = json!(1)), 4),
        (
            ".status` is \"untestable\"",
            Box::new(move |d| requirement(d, "status", json!("untestable"))),
            4,
        ),
        (".cases[0]` is nothing", Box::new(move |d| requirement(d, "cases", json!([]))), 4),
        ("`requirements[", Box::new(move |d| push(d, "P_NONE")), 4),
        ("verdict", Box::new(|d| d["cases"][0]["verdict"] = json!("passed")), 2),
        ("surplus", Box::new(|d| d["surplus"] = json!(1)), 2),
    ];
    for (field, edit, expected) in edits {
        let (code, complaint) = edited(report, "--report", with(edit));
        assert_eq!(code, expected, "{field}: {complaint}");
        assert!(complaint.contains("report.json"), "{complaint}");
        let lost = field.replace("verdict", "passed");
        assert!(complaint.contains(&lost), "{field}: {complaint}");
    }
}

#[test]
fn an_edited_campaign_is_refused() {
    let campaign = Written::shared().path("div/campaign.json");
    let (code, complaint) =
        edited(Path::new(&campaign), "--campaign", with(|d| d["mismatches"] = json!(1)));
    assert_eq!(code, 4);
    assert!(complaint.contains("campaign.json") && complaint.contains("digest"), "{complaint}");
}

#[test]
fn truncated_newer_and_foreign_files_are_refused() {
    let (report, campaign) =
        (Written::shared().report(), Written::shared().path("div/campaign.json"));
    for (path, option) in [(&report, "--report"), (&campaign, "--campaign")] {
        let path = Path::new(path);
        let name = path.file_name().unwrap().to_str().unwrap();
        let (code, complaint) = edited(path, option, |text| text[..text.len() / 2].to_owned());
        assert!([2, 4].contains(&code) && complaint.contains(name), "{complaint}");
        let (code, complaint) = edited(path, option, with(|d| d["format_version"] = json!(99)));
        assert!(code == 2 && complaint.contains("format version 99"), "{complaint}");
        let (code, complaint) = edited(path, option, |_| "{}".to_owned());
        assert!([2, 4].contains(&code) && complaint.contains("format_version"), "{complaint}");
    }
    assert_eq!(refused(&["--report", &campaign]).0, 2);
    assert!([2, 4].contains(&refused(&["--campaign", &report]).0));
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/baseline/sonnx.json");
    let (code, complaint) = refused(&["--report", baseline.to_str().unwrap()]);
    assert!(code == 2 && complaint.contains("`baseline`"), "{complaint}");
    assert_eq!(refused(&["--report", "no/such/report.json"]).0, 2);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let report = Written::shared().report();
    let (code, complaint) = refused(&["--report", &report, &report]);
    assert!(code == 2 && complaint.contains("once"), "{complaint}");
    let mut other = every_verdict();
    other.backend.version = "9.9".to_owned();
    let (_folder, path) = write(&other);
    let (code, complaint) = refused(&["--report", &report, "--report", path.to_str().unwrap()]);
    assert!(code == 2 && complaint.contains("`backend.version`"), "{complaint}");
    assert_eq!(refused(&[]).0, 2);
    let (code, complaint) = refused(&["--report", &report, "--subject", "/dev/null"]);
    assert!(code == 2 && complaint.contains("not a regular file"), "{complaint}");
    let (code, complaint) = refused(&["--report", &report, "--subject", "no/such/file"]);
    assert!(code == 2 && complaint.contains("no/such/file"), "{complaint}");
}

#[test]
fn without_anything_compared_there_is_no_evidence() {
    let nothing = report(vec![case("onnx-1.22.0/node/test_a", "Abs", Verdict::Unsupported)]);
    let (_folder, path) = write(&nothing);
    let (code, complaint) = refused(&["--report", path.to_str().unwrap()]);
    assert!(code == 3 && complaint.contains("nothing was compared"), "{complaint}");
}
