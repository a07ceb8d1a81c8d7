//! The check of the specifications: what it must find, with counts taken from arithmetic alone.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::spec::{self, Cause, DefectKind, Finding, Findings};
use serde_json::Value;

static FINDINGS: LazyLock<Vec<Finding>> = LazyLock::new(|| spec::check().unwrap());

fn document() -> Findings {
    Findings { format_version: spec::FORMAT_VERSION, findings: FINDINGS.clone() }
}

// Patterns of float16: 2 signs, 5 exponent bits, 10 significand bits.
const PATTERNS: u64 = 1 << 16;
const NANS: u64 = 2 * (1024 - 1);
const INFINITIES: u64 = 2;
const ZEROS: u64 = 2;
const NUMBERS: u64 = PATTERNS - NANS - INFINITIES;
/// Positive numbers and infinity.
const POSITIVE: u64 = (PATTERNS - NANS - ZEROS) / 2;

/// Findings with these words in their message.
fn found(
    document: &str,
    kind: DefectKind,
    requirement: &str,
    words: &[&str],
) -> Vec<&'static Finding> {
    FINDINGS
        .iter()
        .filter(|finding| {
            finding.document == document
                && finding.kind == kind
                && finding.requirement == requirement
                && words.iter().all(|word| finding.message.contains(word))
        })
        .collect()
}

/// The one finding with these words in its message.
#[track_caller]
fn the(document: &str, kind: DefectKind, requirement: &str, words: &[&str]) -> &'static Finding {
    match found(document, kind, requirement, words).as_slice() {
        [one] => one,
        many => panic!("{} findings with {words:?} on {requirement}: {many:#?}", many.len()),
    }
}

fn int8_pairs() -> impl Iterator<Item = (i64, i64)> {
    (-128..=127).flat_map(|a| (-128..=127).map(move |b| (a, b)))
}

fn uint8_pairs() -> impl Iterator<Item = (i64, i64)> {
    (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b)))
}

fn count(pairs: impl Iterator<Item = (i64, i64)>, is: impl Fn(i64, i64) -> bool) -> u64 {
    pairs.filter(|&(a, b)| is(a, b)).count() as u64
}

#[test]
fn sonnx_div_has_no_row_for_zero_over_another_number() {
    let finding =
        the("sonnx-div", DefectKind::Uncovered, "E_DIV_FLOAT_FUNC_0010", &["no row applies"]);
    assert_eq!(finding.count, ZEROS * (PATTERNS - ZEROS));
    assert_eq!(finding.example, "A = 0 (0x0000), B = 6e-8 (0x0001)");
    assert!(finding.message.contains("(where A is zero and B is not zero)"), "{}", finding.message);
}

#[test]
fn the_second_row_of_sonnx_div_makes_an_infinity_of_nan_over_zero() {
    let wrong =
        found("sonnx-div", DefectKind::Contradiction, "P_DIV_FLOAT_FUNC_0012", &["give NaN"]);
    assert_eq!(wrong.iter().map(|finding| finding.count).sum::<u64>(), NANS * ZEROS);
    assert_eq!(wrong.len(), 2, "one for either sign");
    assert!(wrong.iter().all(|finding| finding.message.contains("A is")), "{wrong:#?}");
    assert_eq!(wrong[0].example, "A = NaN (0x7c01), B = 0 (0x0000)");
}

#[test]
fn the_error_conditions_of_sonnx_div_name_one_cause_of_nan_of_three() {
    let finding = the("sonnx-div", DefectKind::Uncovered, "P_DIV_FLOAT_ERR_0010", &[]);
    let nan_operand = 2 * NANS * PATTERNS - NANS * NANS;
    assert_eq!(finding.count, nan_operand + INFINITIES * INFINITIES);
}

#[test]
fn the_draft_loses_the_sign_of_the_infinity() {
    let finding = the(
        "sonnx-div-draft",
        DefectKind::Contradiction,
        "P_DIVDRAFT_FUNC_0020",
        &["gives inf", "IEEE 754 give -inf"],
    );
    // Positive numbers over -0, and negative ones over +0.
    assert_eq!(finding.count, 2 * POSITIVE);
    let against_sonnx = found(
        "sonnx-div-draft",
        DefectKind::Contradiction,
        "P_DIVDRAFT_FUNC_0020",
        &["of sonnx-div (P_DIV_FLOAT_FUNC_0012) gives -inf"],
    );
    // The literal second row of sonnx-div gives NaN over zero a sign as well.
    let counts: Vec<_> = against_sonnx.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [2 * POSITIVE, NANS]);
}

#[test]
fn the_draft_makes_an_infinity_of_zero_over_zero() {
    let words = ["IEEE 754 give NaN", "(where A is zero and B is zero)"];
    let tag = "P_DIVDRAFT_FUNC_0020";
    let finding = the("sonnx-div-draft", DefectKind::Contradiction, tag, &words);
    assert_eq!(finding.count, ZEROS * ZEROS);
    assert_eq!(finding.example, "A = 0 (0x0000), B = 0 (0x0000)");
    let words = ["sonnx-div (P_DIV_FLOAT_FUNC_0013) gives NaN"];
    let against_sonnx = the("sonnx-div-draft", DefectKind::Contradiction, tag, &words);
    assert_eq!(against_sonnx.count, ZEROS * ZEROS);
    let nan = "(where A is NaN and B is zero)";
    let finding =
        the("sonnx-div-draft", DefectKind::Contradiction, tag, &["IEEE 754 give NaN", nan]);
    assert_eq!(finding.count, NANS * ZEROS);
}

#[test]
fn the_draft_asks_integer_types_for_an_infinity() {
    for dtype in ["int8", "uint8"] {
        let words = ["an infinity, which is no value of", dtype];
        let words = [words[0], &format!("of {dtype},")];
        let tag = "P_DIVDRAFT_FUNC_0020";
        let finding = the("sonnx-div-draft", DefectKind::Contradiction, tag, &words);
        assert_eq!(finding.count, 256);
        assert_eq!(finding.example, "A = 0 (0x00), B = 0 (0x00)");
    }
}

#[test]
fn the_draft_decides_what_its_own_constraint_excludes() {
    let findings = found(
        "sonnx-div-draft",
        DefectKind::Contradiction,
        "P_DIVDRAFT_FUNC_0020",
        &["P_DIVDRAFT_C2 excludes"],
    );
    let counts: Vec<_> = findings.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [PATTERNS * ZEROS, 256, 256]);
}

#[test]
fn the_formal_text_of_the_draft_leaves_no_result_for_a_zero_denominator() {
    let finding = the("sonnx-div-draft", DefectKind::Uncovered, "P_DIVDRAFT_FORMAL_0040", &[]);
    assert_eq!(finding.count, NUMBERS * ZEROS);
}

#[test]
fn documents_without_ieee_754_do_not_say_what_nan_and_infinities_give() {
    let words = ["says no result", "float16"];
    let finding = the("sonnx-div-draft", DefectKind::Uncovered, "P_DIVDRAFT_FUNC_0010", &words);
    assert_eq!(finding.count, PATTERNS * (PATTERNS - ZEROS) - NUMBERS * (NUMBERS - ZEROS));
    let finding = the("onnx-div", DefectKind::Uncovered, "P_ONNX_DIV14_FUNC_0010", &words);
    assert_eq!(finding.count, PATTERNS * PATTERNS - NUMBERS * (NUMBERS - ZEROS));
    let finding = the("openvino-divide-1", DefectKind::Uncovered, "P_OV_DIVIDE1_FUNC_0010", &words);
    assert_eq!(finding.count, PATTERNS * (PATTERNS - ZEROS) - NUMBERS * (NUMBERS - ZEROS));
}

#[test]
fn quotients_with_a_fraction_are_no_integers_where_no_rounding_is_stated() {
    let signed = count(int8_pairs(), |a, b| b != 0 && a % b != 0);
    let unsigned = count(uint8_pairs(), |a, b| b != 0 && a % b != 0);
    for (document, tag) in [
        ("sonnx-div-draft", "P_DIVDRAFT_FUNC_0010"),
        ("onnx-div", "P_ONNX_DIV14_FUNC_0010"),
        ("openvino-divide-1", "P_OV_DIVIDE1_PYTHONDIV_0020"),
    ] {
        for (dtype, expected) in [("of int8,", signed), ("of uint8,", unsigned)] {
            let finding = the(document, DefectKind::Contradiction, tag, &["a fraction", dtype]);
            assert_eq!(finding.count, expected, "{document} {dtype}");
            assert_eq!(finding.example, "A = 1 (0x01), B = 2 (0x02)");
        }
    }
}

#[test]
fn the_quotient_of_the_minimum_and_minus_one_is_beyond_the_type() {
    for (document, tag) in [
        ("sonnx-div", "E_DIV_INT_FUNC_0010"),
        ("sonnx-div-draft", "P_DIVDRAFT_FUNC_0010"),
        ("onnx-div", "P_ONNX_DIV14_FUNC_0010"),
        ("openvino-divide-1", "P_OV_DIVIDE1_PYTHONDIV_0010"),
        ("openvino-divide-1", "P_OV_DIVIDE1_PYTHONDIV_0020"),
    ] {
        let finding = the(document, DefectKind::Contradiction, tag, &["beyond the largest"]);
        assert_eq!(finding.count, 1);
        assert_eq!(finding.example, "A = -128 (0x80), B = -1 (0xff)");
    }
}

#[test]
fn sonnx_div_both_excludes_zero_denominators_and_leaves_them_to_the_implementation() {
    let words = ["E_DIV_INT_CONSTR_B_0030 excludes"];
    let findings = found("sonnx-div", DefectKind::Contradiction, "P_DIV_INT_ERR_0010", &words);
    assert_eq!(findings.iter().map(|finding| finding.count).collect::<Vec<_>>(), [256, 256]);
}

#[test]
fn divide_1_rounds_down_where_sonnx_div_discards_the_fraction() {
    let words = ["sonnx-div (E_DIV_INT_FUNC_0010) gives another"];
    let tag = "P_OV_DIVIDE1_PYTHONDIV_0010";
    let finding = the("openvino-divide-1", DefectKind::Contradiction, tag, &words);
    let differ = |a: i64, b: i64| b != 0 && a % b != 0 && (a < 0) != (b < 0);
    assert_eq!(finding.count, count(int8_pairs(), differ));
    assert_eq!(finding.example, "A = 1 (0x01), B = -128 (0x80)");
}

#[test]
fn sqrt_has_rows_that_apply_twice_and_a_row_for_nan_that_never_does() {
    let uncovered =
        the("sonnx-sqrt", DefectKind::Uncovered, "P_SQRT_FLOAT_FUNC_0040", &["X is NaN"]);
    assert_eq!(uncovered.count, NANS);
    assert!(uncovered.message.contains("NaN equals nothing"));

    let overlap =
        |first, second| the("sonnx-sqrt", DefectKind::Overlap, first, &[second, "the same result"]);
    assert_eq!(overlap("P_SQRT_FLOAT_FUNC_0010", "P_SQRT_FLOAT_FUNC_0060").count, 1);
    assert_eq!(overlap("P_SQRT_FLOAT_FUNC_0030", "P_SQRT_FLOAT_FUNC_0050").count, 1);
    let negative_zero = overlap("P_SQRT_FLOAT_FUNC_0020", "P_SQRT_FLOAT_FUNC_0050");
    assert_eq!((negative_zero.count, &*negative_zero.example), (1, "X = -0 (0x8000)"));

    // -0.0 = 0.0, so row 2 takes the root of 0 as well.
    let tag = "P_SQRT_FLOAT_FUNC_0020";
    let conflict = the("sonnx-sqrt", DefectKind::Overlap, tag, &["different results"]);
    assert_eq!((conflict.count, &*conflict.example), (1, "X = 0 (0x0000)"));
    let wrong = the("sonnx-sqrt", DefectKind::Contradiction, tag, &["gives -0", "give 0"]);
    assert_eq!((wrong.count, &*wrong.example), (1, "X = 0 (0x0000)"));
}

#[test]
fn sqrt_prints_single_precision_digits_for_real_roots() {
    let finding =
        the("sonnx-sqrt", DefectKind::Contradiction, "P_SQRT_REAL_FUNC_0010", &["digits"]);
    assert_eq!((finding.count, &*finding.example), (4, "sqrt(2) = 1.41421354"));
}

#[test]
fn the_draft_prints_floats_for_quotients_of_integers() {
    let finding = the("sonnx-div-draft", DefectKind::Contradiction, "P_DIVDRAFT_TYPES_0020", &[]);
    assert_eq!((finding.count, &*finding.example), (9, "1 / 11 = 0.09090909"));
}

#[test]
fn the_note_bounds_integer_division_by_too_little() {
    for (dtype, pairs, largest) in [
        ("int8", count(int8_pairs(), |a, b| b != 0 && 2 * (a % b).abs() >= b.abs()), "0.992187"),
        ("uint8", count(uint8_pairs(), |a, b| b != 0 && 2 * (a % b) >= b), "0.996078"),
    ] {
        let words = [format!("of {dtype};"), largest.to_owned()];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let finding = the("sonnx-div", DefectKind::Bound, "P_DIV_INT_ACC_0010", &words);
        assert_eq!(finding.count, pairs);
        assert!(finding.example.starts_with("A = 1 (0x01), B = 2 (0x02): error 0.5"));
    }
}

#[test]
fn the_note_passes_on_errors_that_are_off_by_the_denominator() {
    let finding = the("sonnx-div", DefectKind::Bound, "P_DIV_REAL_ACC_0020", &["B^2"]);
    assert!(finding.message.contains("too small for"), "{}", finding.message);
    let root = the("sonnx-sqrt", DefectKind::Bound, "P_SQRT_REAL_ACC_0020", &["2 sqrt(X)"]);
    // For each of 16 values, the four errors below 0.
    assert_eq!(root.count, 16 * 4);
}

#[test]
fn bounds_that_hold_are_not_reported() {
    assert!(found("sonnx-div", DefectKind::Bound, "P_DIV_FLOAT_ACC_0010", &[]).is_empty());
    assert_eq!(FINDINGS.iter().filter(|finding| finding.kind == DefectKind::Bound).count(), 4);
}

#[test]
fn equal_shapes_exclude_what_onnx_tests_and_divide_1_shows() {
    let tag = "E_DIV_FLOAT_CONSTR_A_0010";
    let bcast = the("sonnx-div", DefectKind::Contradiction, tag, &["test_div_bcast"]);
    assert_eq!((bcast.count, &*bcast.example), (1, "[3, 4, 5] and [5] of test_div_bcast"));
    the("sonnx-div", DefectKind::Contradiction, tag, &["[8, 1, 6, 1] and [7, 1, 5]"]);
    let axis = the("onnx-div", DefectKind::Contradiction, "P_ONNX_DIV14_BCAST_0020", &["axis"]);
    assert_eq!(axis.count, 2);
}

#[test]
fn sonnx_covers_no_bfloat16_though_its_bases_do() {
    let div = the("sonnx-div", DefectKind::Uncovered, "P_DIV_FLOAT_TYPES_0010", &["bfloat16"]);
    let sqrt = the("sonnx-sqrt", DefectKind::Uncovered, "P_SQRT_FLOAT_TYPES_0010", &["bfloat16"]);
    assert_eq!((div.count, sqrt.count), (1, 1));
}

#[test]
fn the_command_writes_the_same_bytes_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    tool.args(["spec-check", "--json", "f.json", "--sarif", "f.sarif"]);
    tool.current_dir(&folder).env("HOME", folder.path());
    let output = tool.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("sonnx-div") && text.lines().all(|line| line.chars().count() <= 80));
    assert_eq!(text, spec::to_summary(&FINDINGS, 80));
    let written = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(written("f.json"), document().to_bytes().unwrap());
    assert_eq!(written("f.sarif"), spec::to_sarif(&FINDINGS).unwrap());
}

#[test]
fn the_json_holds_what_its_contract_says_and_nothing_else() {
    let json: Value = serde_json::from_slice(&document().to_bytes().unwrap()).unwrap();
    assert_eq!(json["format_version"], spec::FORMAT_VERSION);
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), FINDINGS.len());
    let members = ["count", "document", "example", "kind", "message", "requirement"];
    for finding in findings {
        let names: BTreeSet<&str> =
            finding.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(members));
        let kinds = ["uncovered", "contradiction", "overlap", "bound"];
        assert!(kinds.contains(&finding["kind"].as_str().unwrap()));
        assert!(finding["count"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_json_is_read_again_as_a_document() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, document().to_bytes().unwrap()).unwrap();
    let read = Findings::read(file.path()).unwrap();
    assert_eq!(read.to_bytes().unwrap(), document().to_bytes().unwrap());

    fs::write(&file, "{\"format_version\": 2, \"findings\": []}").unwrap();
    let refused = Findings::read(file.path()).unwrap_err().to_string();
    assert!(refused.contains("run `spec-check --json` again"), "{refused}");
}

#[test]
fn the_sarif_log_ties_each_result_to_its_rule_and_tells_results_apart() {
    let log: Value = serde_json::from_slice(&spec::to_sarif(&FINDINGS).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len());
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), FINDINGS.len());
    let mut fingerprints = BTreeSet::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0];
        let uri = place["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(Path::new(uri).extension().is_some_and(|extension| extension == "md"));
        assert!(place["logicalLocations"][0]["name"].is_string());
        let fingerprint = result["partialFingerprints"]["finding/v1"].as_str().unwrap();
        assert!(fingerprints.insert(fingerprint.to_owned()), "{result:#}");
    }
}

#[test]
fn each_finding_is_written_out_on_demand() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let output = tool.args(["spec-check", "--full"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), spec::to_text(&FINDINGS, 80));
}

#[test]
fn the_text_keeps_to_the_width() {
    for width in [80, 100] {
        for text in [spec::to_text(&FINDINGS, width), spec::to_summary(&FINDINGS, width)] {
            assert!(text.lines().all(|line| line.chars().count() <= width));
        }
    }
}

#[test]
fn findings_of_one_cause_stand_together_and_none_is_lost() {
    let groups = spec::groups(&FINDINGS);
    assert_eq!(groups.iter().map(|group| group.findings).sum::<usize>(), FINDINGS.len());
    let counted = groups.iter().flat_map(|group| &group.instances).map(|one| one.count);
    assert_eq!(counted.sum::<u64>(), FINDINGS.iter().map(|finding| finding.count).sum::<u64>());
    let shapes: Vec<_> = groups.iter().filter(|group| group.cause == Cause::EqualShapes).collect();
    let [shapes] = shapes[..] else { panic!("{} groups of shapes", shapes.len()) };
    assert!(shapes.findings > shapes.instances.len() && shapes.instances.len() > 5);
    let rows = spec::to_summary(&FINDINGS, 80).lines().count();
    assert!(rows * 5 < spec::to_text(&FINDINGS, 80).lines().count(), "{rows}");
}

#[test]
fn the_page_in_docs_is_what_the_check_finds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md");
    let page = spec::to_markdown(&FINDINGS);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/findings.md is out of date; run the tests with BLESS=1");
}
