//! The document: as committed, and as a page and a table show it.

use libtest_mimic::{Failed, Trial};
use onnx_conformance::document::{Flaw, JsonDocument, ReadError};
use onnx_conformance::documents::qualification::{self, Qualification};
use serde_json::{Value, json};

use crate::matrix::Kit;

type Test = fn() -> Result<(), Failed>;

/// A trial for each thing that holds of the committed document.
pub(crate) fn trials() -> Vec<Trial> {
    let trials: [(&str, Test); 5] = [
        ("what was written is read back", is_read_back),
        ("a document that contradicts itself is refused", contradictions_are_refused),
        ("a document of another version is refused by its version", other_versions_are_refused),
        ("the page shows every defect and lets nothing run", page_is_whole),
        ("the table is of 80 columns and names what survives", table_is_narrow),
    ];
    trials.map(|(name, test)| Trial::test(name, test)).into()
}

/// Whether the committed document is what the kit finds now.
pub(crate) fn is_committed(kit: &Kit, _: usize) -> Result<(), Failed> {
    match kit.document().to_bytes()? == qualification::bytes() {
        true => Ok(()),
        false => {
            let path = qualification::PATH;
            Err(format!("{path} is not what is found; run `cargo xtask mutants`").into())
        }
    }
}

fn value() -> Value {
    serde_json::from_slice(qualification::bytes()).unwrap()
}

fn read(value: &Value) -> Result<Qualification, ReadError> {
    parse(value.to_string().as_bytes())
}

fn parse(bytes: &[u8]) -> Result<Qualification, ReadError> {
    Qualification::from_bytes(qualification::PATH.as_ref(), bytes)
}

/// Whether a document was refused for such a flaw.
fn flaw(read: Result<Qualification, ReadError>, is_such: impl Fn(&Flaw) -> bool) -> bool {
    read.is_err_and(|error| is_such(&error.flaw))
}

fn is_read_back() -> Result<(), Failed> {
    let document = qualification::embedded()?;
    let bytes = document.to_bytes()?;
    assert_eq!(bytes, qualification::bytes());
    assert_eq!(parse(&bytes)?, document);
    assert!(document.defects.len() >= 45, "{} defects", document.defects.len());
    assert!(document.classes.iter().all(|class| class.tally.defects >= 5));
    assert_eq!(document.survivors().count(), 0);
    Ok(())
}

fn contradictions_are_refused() -> Result<(), Failed> {
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 9] = [
        ("summary", |all| all["summary"]["killed_by_official"] = json!(999)),
        ("classes", |all| all["classes"][0]["tally"]["killed"] = json!(0)),
        ("columns", |all| all["columns"][0]["killed"] = json!(0)),
        ("a cell's counts", |all| all["defects"][0]["cells"][0]["failed"] = json!(0)),
        ("a cell's status", |all| all["defects"][0]["cells"][0]["status"] = json!("survived")),
        ("more than there are", |all| all["defects"][0]["cells"][0]["cases"] = json!(1)),
        ("a promise", |all| all["defects"][0]["promised"] = json!([])),
        ("one cell less", |all| drop(all["defects"][0]["cells"].as_array_mut().unwrap().pop())),
        ("nothing right", |all| all["clean"] = json!([])),
    ];
    for (what, edit) in edits {
        let mut edited = value();
        edit(&mut edited);
        let refused = flaw(read(&edited), |flaw| matches!(flaw, Flaw::Contradiction(_)));
        assert!(refused, "{what}: {:?}", read(&edited).err());
    }
    Ok(())
}

fn other_versions_are_refused() -> Result<(), Failed> {
    let newer = json!({ "format_version": 2, "something": "new" });
    assert!(flaw(read(&newer), |flaw| matches!(flaw, Flaw::Version { found: 2, .. })));
    for text in ["", "{}", "[]", r#"{"format_version": 1}"#] {
        let read = parse(text.as_bytes());
        assert!(flaw(read, |flaw| matches!(flaw, Flaw::Malformed(_))), "{text}");
    }
    Ok(())
}

fn page_is_whole() -> Result<(), Failed> {
    let mut document = qualification::embedded()?;
    let page = qualification::html(&document)?;
    assert_eq!(page, qualification::html(&document)?);
    for defect in &document.defects {
        for id in [format!("id=\"row-{}\"", defect.id), format!("id=\"defect-{}\"", defect.id)] {
            assert_eq!(page.matches(&id).count(), 1, "{id}");
        }
    }
    // The switch of the theme is the only script, and the policy names it by its digest.
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("script-src").count(), 1);
    assert!(page.contains("default-src &#39;none&#39;"));
    assert!(page.contains("script-src &#39;sha256-") && !page.contains("unsafe-inline"));
    document.defects[0].says = "<script>alert(1)</script>\u{202e}".to_owned();
    let page = qualification::html(&document)?;
    assert!(!page.contains("<script>alert") && !page.contains('\u{202e}'));
    Ok(())
}

fn table_is_narrow() -> Result<(), Failed> {
    let mut document = qualification::embedded()?;
    let text = qualification::to_text(&document);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(text.lines().count(), 10, "{text}");
    for cell in &mut document.defects[0].cells {
        cell.status = qualification::document::Status::Survived;
    }
    let survivor = format!("SURVIVES {}", document.defects[0].id);
    assert!(qualification::to_text(&document).contains(&survivor));
    Ok(())
}
