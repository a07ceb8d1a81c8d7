//! The places of a pack: which paths its files may have, and which it always has, whichever version of
//! the program made it.

use std::collections::BTreeMap;

use super::super::contents::{FRONT, TOOL_PATH};
use super::super::document::File;
use super::super::statement::MANIFEST;
use super::Verification;

/// What every pack holds beside its documents, its subject and what is derived from these.
const ALWAYS: [&str; 6] =
    [FRONT, "limitations.json", "matrix.html", "matrix.json", "tool/sbom.cdx.json", TOOL_PATH];

/// Sets the paths of a manifest against those that a pack has.
pub(super) fn check(listed: &BTreeMap<&str, &File>, found: &mut Verification) {
    for path in listed.keys().filter(|path| !is_of_a_pack(path, listed)) {
        found.problem(*path, "it does not belong to this pack, although the manifest lists it");
    }
    for path in ALWAYS.iter().filter(|path| !listed.contains_key(*path)) {
        let what = format!("it does not list `{path}`, which belongs to the pack");
        found.problem(MANIFEST, what);
    }
}

fn is_of_a_pack(path: &str, listed: &BTreeMap<&str, &File>) -> bool {
    // Pages lie beside their documents.
    let beside = |document: String| listed.contains_key(document.as_str());
    match *path.split('/').collect::<Vec<_>>() {
        ["platform.json" | "seeds.json"]
        | ["qualification", "qualification.json" | "qualification.html"] => true,
        ["requirements" | "profiles" | "locks", name] => name.ends_with(".toml"),
        ["subjects", name] => name.ends_with(".json"),
        ["reports", name, "report.json" | "report.html" | "junit.xml"] => {
            beside(format!("reports/{name}/report.json"))
        }
        ["campaigns", name, "campaign.json" | "campaign.html"] => {
            beside(format!("campaigns/{name}/campaign.json"))
        }
        ["models", name, "inspect.json" | "inspect.html"] => {
            beside(format!("models/{name}/inspect.json"))
        }
        _ => ALWAYS.contains(&path),
    }
}
