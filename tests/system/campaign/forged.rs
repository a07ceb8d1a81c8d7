//! Documents that were edited and given the digest of what they then hold: each is refused, by its member,
//! wherever campaigns are read.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use onnx_conformance::document::{JsonDocument, Sealed};
use onnx_conformance::measure::campaign::{CHECKPOINT, Campaign, DOCUMENT};
use rayon::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::command::tool;
use super::subjects::{SQRT, every_977th_is_wrong};
use crate::evidence::packs;

/// True campaigns.
static TRUE: LazyLock<True> = LazyLock::new(|| True {
    wrong_roots: SQRT.part(every_977th_is_wrong(), None, None),
    few_wrong_roots: SQRT.part(every_977th_is_wrong(), Some(0..9000), None),
    quotients: campaign("--op Div --type int8"),
    half: campaign("--op Div --type int8 --shard 1/2"),
    many: campaign("--op Sqrt --type float32 --range 2^30..1073812000 --profile opencl-full"),
    drawn: campaign("--op Sqrt --type float64 --strategy stratified --count 20"),
    significands: campaign("--op Div --type float32 --strategy significands --range 0..500"),
    hard: campaign("--op Sqrt --type float16 --strategy hard --range 0..3000"),
    converted: campaign("--op Cast --type float8e5m2 --attribute to=int16"),
    compared: campaign("--op Less --type int8"),
});

struct True {
    /// Sqrt of every float16, of which 33 are wrong.
    wrong_roots: Campaign,
    /// A part with so few wrong ones that all are listed.
    few_wrong_roots: Campaign,
    quotients: Campaign,
    half: Campaign,
    /// More inputs than are counted anew.
    many: Campaign,
    drawn: Campaign,
    significands: Campaign,
    hard: Campaign,
    converted: Campaign,
    compared: Campaign,
}

/// The document of a campaign on the built-in kernels, by command.
fn campaign(arguments: &str) -> Campaign {
    let folder = tempfile::tempdir().unwrap();
    let arguments: Vec<&str> =
        ["campaign", "--out", "."].into_iter().chain(arguments.split(' ')).collect();
    let output = tool(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    Campaign::read(folder.path()).unwrap()
}

/// An edit of one of them, and the member that tells of it.
type Edit = (&'static str, fn(&True) -> &Campaign, fn(&mut Value));

fn set(document: &mut Value, path: &str, value: impl Into<Value>) {
    *document.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value.into();
}

/// Moves so many from one count to another.
fn moved(document: &mut Value, from: &str, to: &str, count: u64) {
    for (path, change) in [(from, count.wrapping_neg()), (to, count)] {
        let number = document.pointer(path).unwrap().as_u64().unwrap();
        set(document, path, number.wrapping_add(change));
    }
}

/// The place of the bin of a label.
fn bin(document: &Value, ulp: &str) -> String {
    let bins = document["histogram"].as_array().unwrap();
    format!("/histogram/{}/results", bins.iter().position(|bin| bin["ulp"] == ulp).unwrap())
}

/// The places of the cells, in order, that a function takes.
fn cells(document: &Value, takes: fn(&Value) -> bool) -> Vec<String> {
    let cells = document["heat_map"]["cells"].as_array().unwrap().iter().enumerate();
    let taken = cells.filter(|(_, cell)| takes(cell));
    taken.map(|(at, _)| format!("/heat_map/cells/{at}")).collect()
}

const EDITS: &[Edit] = &[
    // What the plan says.
    ("operator", |t| &t.wrong_roots, |d| set(d, "/operator", "Cbrt")),
    ("type", |t| &t.wrong_roots, |d| set(d, "/type", "int8")),
    ("counterexamples", |t| &t.wrong_roots, |d| set(d, "/operator", "Div")),
    ("operator", |t| &t.wrong_roots, |d| set(d, "/operator", "MatMul")),
    ("attributes", |t| &t.wrong_roots, |d| set(d, "/attributes", json!({"to": "int8"}))),
    ("attributes", |t| &t.converted, |d| set(d, "/attributes", json!({}))),
    ("attributes", |t| &t.converted, |d| set(d, "/attributes/to", "5")),
    ("attributes", |t| &t.converted, |d| set(d, "/attributes/to", "int99")),
    ("result_type", |t| &t.converted, |d| set(d, "/attributes/to", "int32")),
    ("result_type", |t| &t.converted, |d| set(d, "/result_type", "int8")),
    ("histogram", |t| &t.compared, |d| set(d, "/histogram/0/results", 1)),
    ("classes", |t| &t.compared, |d| moved(d, "/classes/normal", "/classes/nan", 1)),
    ("classes", |t| &t.compared, |d| moved(d, "/classes/normal", "/classes/zero", 1)),
    ("strategy", |t| &t.wrong_roots, |d| set(d, "/type", "float64")),
    ("strategy", |t| &t.wrong_roots, |d| set(d, "/strategy", "lucky")),
    ("strategy", |t| &t.wrong_roots, |d| set(d, "/parameters", json!({"seed": "1"}))),
    ("range", |t| &t.wrong_roots, |d| set(d, "/strategy", "hard")),
    ("inputs", |t| &t.wrong_roots, |d| set(d, "/inputs", 65_537)),
    ("inputs", |t| &t.hard, |d| set(d, "/inputs", 3000)),
    ("inputs", |t| &t.drawn, |d| set(d, "/parameters/count", "21")),
    ("strategy", |t| &t.drawn, |d| set(d, "/parameters/count", "020")),
    ("strategy", |t| &t.drawn, |d| set(d, "/parameters/count", "0")),
    ("parameters", |t| &t.drawn, |d| set(d, "/parameters/count", u64::MAX.to_string())),
    ("strategy", |t| &t.drawn, |d| set(d, "/parameters/seed", "lucky")),
    ("strategy", |t| &t.drawn, |d| set(d, "/parameters", json!({"count": "20"}))),
    ("provenance.seeds", |t| &t.drawn, |d| set(d, "/parameters/seed", "7")),
    (
        "histogram",
        |t| &t.drawn,
        |d| {
            set(d, "/parameters/seed", "7");
            set(d, "/provenance/seeds/seed", 7);
        },
    ),
    ("provenance.seeds", |t| &t.drawn, |d| set(d, "/provenance/seeds", json!({}))),
    ("provenance.seeds", |t| &t.quotients, |d| set(d, "/provenance/seeds", json!({"seed": 1}))),
    ("provenance.host", |t| &t.quotients, |d| set(d, "/provenance/host/executable", "mine")),
    ("parameters", |t| &t.significands, |d| set(d, "/parameters/exponents", "0,200")),
    ("strategy", |t| &t.significands, |d| set(d, "/parameters/exponents", "0")),
    ("strategy", |t| &t.significands, |d| set(d, "/parameters/signs", "+")),
    ("strategy", |t| &t.significands, |d| set(d, "/operator", "Sqrt")),
    ("parts", |t| &t.hard, |d| moved(d, "/parts/0/size", "/parts/1/size", 1)),
    ("parts", |t| &t.hard, |d| set(d, "/parts/0/name", "all values")),
    ("parts", |t| &t.hard, |d| d["parts"].as_array_mut().unwrap().swap(0, 1)),
    ("parts", |t| &t.quotients, |d| set(d, "/parts", json!([{"name": "x", "size": 65_536}]))),
    ("promised", |t| &t.quotients, |d| set(d, "/promised", 65_535)),
    ("range", |t| &t.quotients, |d| set(d, "/range/end", 65_537)),
    ("range", |t| &t.quotients, |d| set(d, "/range/first", u64::MAX)),
    ("shard", |t| &t.half, |d| set(d, "/shard/index", 0)),
    ("shard", |t| &t.half, |d| set(d, "/shard/count", u64::MAX)),
    ("ranges", |t| &t.half, |d| set(d, "/shard/index", 2)),
    ("promised", |t| &t.half, |d| set(d, "/shard", Value::Null)),
    ("profile", |t| &t.quotients, |d| set(d, "/profile", "lenient")),
    ("profile", |t| &t.quotients, |d| set(d, "/profile", "mine@0123")),
    // What was executed.
    ("ranges", |t| &t.half, |d| set(d, "/ranges/0", json!({"first": 1, "end": 32_769}))),
    (
        "ranges",
        |t| &t.half,
        |d| {
            set(d, "/ranges", json!([{"first": 9, "end": 32_768}, {"first": 0, "end": 9}]));
        },
    ),
    (
        "ranges",
        |t| &t.half,
        |d| {
            set(d, "/ranges", json!([{"first": 0, "end": 32_768}, {"first": 5, "end": 9}]));
        },
    ),
    ("executed", |t| &t.half, |d| set(d, "/executed", 32_767)),
    ("failure", |t| &t.half, |d| set(d, "/failure", "the adapter crashed")),
    (
        "requirements",
        |t| &t.wrong_roots,
        |d| {
            d["requirements"].as_array_mut().unwrap().push("E_DIV_FLOAT_FUNC_0010".into());
        },
    ),
    ("requirements", |t| &t.quotients, |d| set(d, "/requirements", json!([]))),
    // What was found.
    ("classes", |t| &t.quotients, |d| moved(d, "/classes/normal", "/classes/zero", 1)),
    ("classes", |t| &t.quotients, |d| moved(d, "/classes/zero", "/classes/nan", 1)),
    ("classes", |t| &t.wrong_roots, |d| moved(d, "/classes/nan", "/classes/infinite", 9)),
    ("classes", |t| &t.wrong_roots, |d| moved(d, "/classes/nan", "/classes/zero", u64::MAX)),
    ("histogram", |t| &t.many, |d| moved(d, "/classes/normal", "/classes/nan", 1)),
    (
        "histogram",
        |t| &t.quotients,
        |d| moved(d, "/histogram/0/results", "/histogram/1/results", 1),
    ),
    ("histogram", |t| &t.quotients, |d| set(d, "/histogram/0/results", 0)),
    ("histogram", |t| &t.quotients, |d| set(d, "/histogram/0/ulp", "none")),
    (
        "histogram",
        |t| &t.many,
        |d| {
            let (from, to) = (bin(d, "(1/8, 1/4]"), bin(d, "(8, 16]"));
            moved(d, &from, &to, 1);
        },
    ),
    (
        "histogram",
        |t| &t.wrong_roots,
        |d| {
            let (from, to) = (bin(d, "(1/2, 5/8]"), bin(d, "(1/8, 1/4]"));
            let all = d.pointer(&from).unwrap().as_u64().unwrap();
            moved(d, &from, &to, all);
        },
    ),
    ("max_error_ulp", |t| &t.many, |d| set(d, "/max_error_ulp", "0.25 (=262144/2^20)")),
    ("max_error_ulp", |t| &t.many, |d| set(d, "/max_error_ulp", "no real result")),
    ("max_error_ulp", |t| &t.wrong_roots, |d| set(d, "/max_error_ulp", "about a half")),
    ("max_error_ulp", |t| &t.wrong_roots, |d| set(d, "/max_error_ulp", Value::Null)),
    // The first of the heat map is the one that made a page's arithmetic overflow.
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/group", 65_535)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/mismatches", 0)),
    ("mismatches", |t| &t.wrong_roots, |d| set(d, "/mismatches", u64::MAX)),
    ("violations", |t| &t.wrong_roots, |d| set(d, "/violations", 0)),
    ("violations", |t| &t.wrong_roots, |d| set(d, "/violations", Value::Null)),
    ("violations", |t| &t.wrong_roots, |d| set(d, "/violations", 66)),
    ("violations", |t| &t.many, |d| set(d, "/violations", 1)),
    (
        "confidence",
        |t| &t.quotients,
        |d| {
            let all = json!({"level": "0.95", "upper_bound": "1e-9", "statement": "certain"});
            set(d, "/confidence", all);
        },
    ),
    ("confidence", |t| &t.drawn, |d| set(d, "/confidence/upper_bound", "1.000e-9")),
    ("confidence", |t| &t.drawn, |d| set(d, "/confidence", Value::Null)),
    // Counterexamples.
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            d["counterexamples"]["first"].as_array_mut().unwrap().remove(3);
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            set(d, "/counterexamples", json!({"first": [], "worst": []}));
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            d["counterexamples"]["worst"].as_array_mut().unwrap().swap(0, 15);
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            d["counterexamples"]["first"].as_array_mut().unwrap().swap(0, 1);
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            let first = d["counterexamples"]["first"].clone();
            set(d, "/counterexamples/worst", first);
        },
    ),
    ("counterexamples", |t| &t.wrong_roots, |d| set(d, "/counterexamples/first/0/index", 6)),
    (
        "counterexamples",
        |t| &t.few_wrong_roots,
        |d| {
            set(d, "/counterexamples/first/0/index", 65_000);
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            set(d, "/counterexamples/first/0/inputs/0", "1 (0x3c00)");
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            set(d, "/counterexamples/first/0/inputs", json!([]));
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            let actual = d["counterexamples"]["first"][0]["actual"].clone();
            set(d, "/counterexamples/first/0/expected", actual);
        },
    ),
    // It conforms in truth.
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            let examples = d["counterexamples"]["first"].as_array_mut().unwrap();
            let (expected, error) = (examples[0]["expected"].clone(), true_error(&examples[0]));
            examples[0]["actual"] = expected;
            examples[0]["error_ulp"] = error.into();
        },
    ),
    (
        "counterexamples",
        |t| &t.wrong_roots,
        |d| {
            set(d, "/counterexamples/first/0/error_ulp", "0.5 (=524288/2^20)");
        },
    ),
    // The heat map.
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/group", 32_768)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/group", 1_u64 << 63)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/group", u64::MAX)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/group", 0)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/stride", 0)),
    ("heat_map", |t| &t.wrong_roots, |d| set(d, "/heat_map/stride", u64::MAX)),
    ("heat_map", |t| &t.wrong_roots, |d| last_cell(d, 32)),
    ("heat_map", |t| &t.wrong_roots, |d| last_cell(d, 65_535)),
    ("heat_map", |t| &t.wrong_roots, |d| last_cell(d, 1 << 63)),
    ("heat_map", |t| &t.wrong_roots, |d| last_cell(d, u64::MAX)),
    (
        "heat_map",
        |t| &t.quotients,
        |d| {
            let at = cells(d, |_| true).pop().unwrap();
            set(d, &format!("{at}/b"), u64::MAX);
        },
    ),
    (
        "heat_map",
        |t| &t.quotients,
        |d| {
            moved(d, "/heat_map/cells/0/sampled", "/heat_map/cells/1/sampled", 1);
        },
    ),
    ("heat_map", |t| &t.quotients, |d| d["heat_map"]["cells"].as_array_mut().unwrap().swap(0, 1)),
    ("heat_map", |t| &t.quotients, |d| set(d, "/heat_map/cells", json!([]))),
    ("heat_map", |t| &t.many, |d| moved_by(d, "/heat_map/cells/0/sampled", 1)),
    ("heat_map", |t| &t.many, |d| set(d, "/heat_map/cells/0/worst_error_ulp", "9 (=9437184/2^20)")),
    ("heat_map", |t| &t.many, |d| set(d, "/heat_map/cells/0/worst_error_ulp", "no real result")),
    (
        "heat_map",
        |t| &t.wrong_roots,
        |d| {
            let all = cells(d, |cell| cell["mismatches"].as_u64() > Some(0));
            set(d, &format!("{}/worst_error_ulp", all[0]), Value::Null);
        },
    ),
    (
        "heat_map",
        |t| &t.wrong_roots,
        |d| {
            let wrong = cells(d, |cell| cell["mismatches"].as_u64() > Some(0));
            let right = cells(d, |cell| cell["mismatches"].as_u64() == Some(0));
            let [from, to] = [&wrong[0], &right[0]].map(|cell| format!("{cell}/mismatches"));
            moved(d, &from, &to, 1);
        },
    ),
];

fn moved_by(document: &mut Value, path: &str, count: u64) {
    let number = document.pointer(path).unwrap().as_u64().unwrap();
    set(document, path, number + count);
}

/// Gives the last cell of a heat map of one operand another size.
fn last_cell(document: &mut Value, size: u64) {
    let at = cells(document, |_| true).pop().unwrap();
    set(document, &format!("{at}/a"), size);
    set(document, &format!("{at}/b"), size);
}

/// The error that the correct result of a counterexample has.
fn true_error(example: &Value) -> String {
    use onnx_conformance::dtype::DType;
    use onnx_conformance::oracle::{Deviation, sqrt_error};
    let bits = |member: &Value| {
        let digits = member.as_str().unwrap().rsplit_once("(0x").unwrap().1.trim_end_matches(')');
        u64::from_str_radix(digits, 16).unwrap()
    };
    let (operand, expected) = (bits(&example["inputs"][0]), bits(&example["expected"]));
    match sqrt_error(DType::Float16, operand, expected).unwrap() {
        Deviation::Ulps(ulps) => ulps.with_fraction(),
        other => panic!("{other:?}"),
    }
}

/// The bytes of a document after an edit, with the digest of what it then holds.
fn forged(document: &Campaign, edit: fn(&mut Value)) -> Vec<u8> {
    let mut value = serde_json::to_value(document).unwrap();
    edit(&mut value);
    let edited: Campaign = serde_json::from_value(value).unwrap();
    assert_ne!(edited, *document, "the edit changes something");
    edited.sealed().unwrap().to_bytes().unwrap()
}

/// Whether a message names a member, or one within it.
fn names(message: &str, member: &str) -> bool {
    ["`", ".", "["].iter().any(|end| message.contains(&format!("`{member}{end}")))
}

/// A folder with these bytes as the document of a campaign.
fn folder(bytes: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(DOCUMENT), bytes).unwrap();
    folder
}

#[test]
fn true_campaigns_are_read() {
    let t = &*TRUE;
    assert_eq!((t.wrong_roots.mismatches, t.few_wrong_roots.mismatches), (33, 10));
    let of_parts = [&t.half, &t.many, &t.drawn, &t.significands, &t.hard];
    let whole = [&t.wrong_roots, &t.few_wrong_roots, &t.quotients, &t.converted, &t.compared];
    for document in [of_parts, whole].concat() {
        let bytes = document.to_bytes().unwrap();
        assert_eq!(Campaign::from_bytes(Path::new("true"), &bytes).unwrap(), *document);
    }
}

#[test]
fn every_edit_is_told_by_its_member() {
    let told = |(at, (member, of, edit)): (usize, &Edit)| {
        let bytes = forged(of(&TRUE), *edit);
        let cause = match Campaign::from_bytes(Path::new("forged"), &bytes) {
            Ok(_) => "nothing".to_owned(),
            Err(error) if !error.is_of_integrity() => error.to_string(),
            Err(error) => std::error::Error::source(&error).unwrap().to_string(),
        };
        (!names(&cause, member)).then(|| format!("edit {at} of `{member}`: {cause}"))
    };
    let wrong: Vec<String> = EDITS.par_iter().enumerate().filter_map(told).collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_edit_is_refused_by_every_command_that_reads_campaigns() {
    let pack = tempfile::tempdir().unwrap();
    fs::remove_dir(pack.path()).unwrap();
    let given = folder(&TRUE.quotients.to_bytes().unwrap());
    let make = ["evidence", "--campaign", ".", "--out", pack.path().to_str().unwrap()];
    assert_eq!(tool(given.path(), &make).status.code(), Some(0));
    let inside = "campaigns/div-int8-exhaustive-under-sonnx/campaign.json";
    assert!(pack.path().join(inside).is_file());
    let report = packs::Written::shared().report();
    // One of each member: all of them are read by the same function.
    let mut members = BTreeSet::new();
    let edits: Vec<_> = EDITS.iter().filter(|(member, ..)| members.insert(*member)).collect();
    assert!(edits.len() > 20);
    edits.par_iter().enumerate().for_each(|(at, (member, of, edit))| {
        let given = folder(&forged(of(&TRUE), *edit));
        for command in [
            &["merge", ".", "--out", "out"][..],
            &["matrix", "--report", &report, "--campaign", ".", "--out", "out"],
            &["evidence", "--campaign", ".", "--out", "out"],
            &["regress", ".", "--out", "out"],
        ] {
            let output = tool(given.path(), command);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(4), "edit {at}, {member}, {command:?}: {told}");
            assert!(names(&told, member), "edit {at}, {command:?}: {told}");
            assert!(!given.path().join("out").exists(), "nothing is written");
        }
        let forged = packs::copy(pack.path());
        fs::copy(given.path().join(DOCUMENT), forged.path().join(inside)).unwrap();
        packs::reseal(forged.path());
        let output = tool(forged.path(), &["verify", "."]);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(4), "edit {at}, {member}, verify: {told}");
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(&format!("{inside}: failed to read")), "edit {at}: {told}");
        assert!(names(&told, member), "edit {at}: {told}");
    });
}

#[test]
fn a_checkpoint_that_was_edited_is_not_resumed() {
    type Change = (&'static str, fn(&mut Value));
    let edits: [Change; 3] = [
        ("classes", |d| moved(d, "/classes/zero", "/classes/normal", 1)),
        ("heat_map", |d| set(d, "/heat_map/cells/0/a", u64::MAX)),
        ("violations", |d| set(d, "/violations", 3)),
    ];
    for (member, edit) in edits {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(CHECKPOINT), forged(&TRUE.quotients, edit)).unwrap();
        let resume = ["campaign", "--op", "Div", "--type", "int8", "--out", "."];
        let output = tool(folder.path(), &resume);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{told}");
        assert!(names(&told, member), "{told}");
        assert!(!folder.path().join(DOCUMENT).exists());
    }
}

#[test]
fn what_is_no_number_of_its_range_and_no_digest_is_no_document() {
    let values: [(&str, Value); 8] = [
        ("/digest", json!("none")),
        ("/digest", json!("A".repeat(64))),
        ("/executed", json!(-1)),
        ("/executed", json!(1.5)),
        ("/promised", json!(1e300)),
        ("/heat_map/group", json!("8")),
        ("/heat_map/cells/0/a", serde_json::from_str("18446744073709551616").unwrap()),
        ("/ranges/0/first", Value::Null),
    ];
    for (path, value) in values {
        let mut document = serde_json::to_value(&TRUE.quotients).unwrap();
        set(&mut document, path, value);
        let folder = folder(document.to_string().as_bytes());
        let output = tool(folder.path(), &["merge", ".", "--out", "out"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{path}: {told}");
    }
}

#[test]
fn reading_takes_no_longer_than_executing_few_inputs() {
    for document in [&TRUE.wrong_roots, &TRUE.quotients, &TRUE.many, &TRUE.drawn, &TRUE.hard] {
        let bytes = document.to_bytes().unwrap();
        let started = std::time::Instant::now();
        Campaign::from_bytes(Path::new("true"), &bytes).unwrap();
        // Milliseconds in a release build.
        assert!(started.elapsed() < std::time::Duration::from_secs(30));
    }
}
