//! The documents of an evidence pack that its check reads before anything else is known to be as it was.

use std::fs;

use onnx_conformance::documents::evidence;
use tempfile::tempdir;

use crate::{Came, Found, alone, filled, measure, sizes};

/// A manifest of nothing, as the tool would write it.
const EMPTY: &str =
    "{\n  \"format_version\": 2,\n  \"kind\": \"evidence-manifest\",\n  \"files\": []\n}\n";

const FILES: &str = "{\"format_version\":2,\"kind\":\"evidence-manifest\",\"files\":[";

/// Files as the tool writes them, out of order.
const INDENTED: &str =
    "{\n  \"format_version\": 2,\n  \"kind\": \"evidence-manifest\",\n  \"files\": [\n";

const SHA: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn no_document_of_a_pack_takes_more() {
    let _alone = alone();
    let named = format!("{{\"path\":\"@\",\"size\":0,\"sha256\":\"{SHA}\"}},");
    let indented = format!(
        "    {{\n      \"path\": \"..\",\n      \"size\": 0,\n      \"sha256\": \"{SHA}\"\n    }},\n"
    );
    let last = format!("{}\n  ]\n}}\n", indented.trim_end_matches(",\n"));
    let provenance = "{\"format_version\":2,\"kind\":\"evidence-provenance\",\"documents\":[";
    let manifests = [
        (FILES, &*named, "]}"),
        (FILES, "{},", "]}"),
        (FILES, "\"\",", "]}"),
        (FILES, "0,", "]}"),
        (INDENTED, &*indented, &*last),
        ("{\"", "\\u0000", "\":0}"),
        ("{\"kind\":\"", "x", "\",\"format_version\":2}"),
        ("{", "\"@\":0,", "}"),
        ("[", "[],", "]"),
        ("", "[", ""),
    ];
    let provenances = [
        (provenance, "{\"path\":\"\",\"size\":0},", "]}"),
        ("{\"", "\\n", "\":0}"),
        ("{\"packed\":{\"durations\":{", "\"@\":\"\",", "}}}"),
        ("{\"packed\":{\"seeds\":{", "\"@\":0,", "}}}"),
        ("[", "0,", "]"),
    ];
    let shapes = manifests.map(|shape| ("manifest.json", shape)).into_iter();
    let shapes = shapes.chain(provenances.map(|shape| ("provenance.json", shape)));
    let mut found = Found { is_json: true, ..Found::default() };
    for (file, (start, unit, end)) in shapes {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join("manifest.json"), EMPTY).unwrap();
        for size in sizes() {
            let name = format!("{start}{unit}{end} as {file}");
            measure(&mut found, &name, filled(start, unit, end, size), |bytes| {
                fs::write(dir.path().join(file), &bytes).unwrap();
                drop(bytes);
                Came::of(match evidence::verify(dir.path()) {
                    Ok(found) => Err(found.problems.into_iter().next().unwrap().what),
                    Err(error) => Err::<(), _>(error.to_string()),
                })
            });
        }
    }
    assert!(found.within > 20 && found.refused > 10, "{} {}", found.within, found.refused);
    // What a JSON text may take is reckoned for reports, whose parts take more than a manifest's.
    found.assert_close("documents of packs", 25);
}
