//! The commands `campaign`, `merge` and `regress`: exit codes, messages and files.

use onnx_conformance::document::{JsonDocument, Sealed};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Runs the tool in a folder.
pub(crate) fn tool(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("NO_COLOR", "1").args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Runs an int8 Div campaign with more arguments.
fn int8(folder: &Path, more: &[&str]) -> Output {
    tool(folder, &[&["campaign", "--op", "Div", "--type", "int8"], more].concat())
}

fn document(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("campaign.json")).unwrap()).unwrap()
}

/// The bytes of a document without its provenance.
pub(crate) fn contents(folder: &Path) -> String {
    let mut document = document(folder);
    document.as_object_mut().unwrap().remove("provenance").unwrap();
    document.to_string()
}

/// A folder with the campaigns of all shards of int8 Div, `1` to `N`.
fn shards(count: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for index in 1..=count {
        let (shard, out) = (format!("{index}/{count}"), index.to_string());
        let output = int8(folder.path(), &["--shard", &shard, "--out", &out]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    folder
}

fn merge(folder: &Path, parts: &[&str]) -> Output {
    tool(folder, &[&["merge"], parts, &["--out", "merged"]].concat())
}

#[test]
fn every_pair_of_int8_and_uint8_and_every_16_bit_root_is_promised_executed_and_right() {
    for (operator, dtype) in
        [("Div", "int8"), ("Div", "uint8"), ("Sqrt", "float16"), ("Sqrt", "bfloat16")]
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["campaign", "--op", operator, "--type", dtype, "--out", "."];
        let output = tool(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(String::from_utf8(output.stdout).unwrap().lines().all(|line| line.len() <= 80));
        let document = document(folder.path());
        assert_eq!(document["promised"], 65536);
        assert_eq!(document["executed"], 65536);
        assert_eq!(document["mismatches"], 0);
        let page = fs::read_to_string(folder.path().join("campaign.html")).unwrap();
        assert!(page.contains("<b>65,536</b>") && page.contains("Heat map"));
        assert!(!folder.path().join("campaign.partial.json").exists());
    }
}

#[test]
fn conversions_comparisons_strings_and_operators_with_attributes_are_swept_whole() {
    for (arguments, inputs, result_type, at_most) in [
        ("--op Cast --type int8 --attribute to=float8e5m2", 256, "float8e5m2", Some("0.5")),
        ("--op Cast --type bool --attribute to=bfloat16", 2, "bfloat16", Some("0")),
        ("--op Cast --type float8e4m3fn --attribute to=bool", 256, "bool", None),
        ("--op Cast --type int4 --attribute to=float32", 16, "float32", Some("0")),
        ("--op Cast --type int8 --attribute to=uint2", 256, "uint2", Some("0")),
        ("--op CastLike --type float8e5m2 --like int4", 256, "int4", Some("0")),
        (
            "--op CastLike --type float16 --like float8e8m0 --attribute round_mode=down",
            65_536,
            "float8e8m0",
            None,
        ),
        ("--op Less --type uint8", 65_536, "bool", None),
        ("--op Xor --type bool", 4, "bool", None),
        ("--op IsInf --type float8e5m2 --attribute detect_negative=0", 256, "bool", None),
        ("--op Where --type bool", 8, "bool", None),
        ("--op Where --type uint8", 1 << 17, "uint8", Some("0")),
        ("--op Cast --type int8 --attribute to=string", 256, "string", None),
        ("--op Cast --type string --attribute to=int8 --strategy hard", 512, "int8", Some("0")),
        (
            "--op Cast --type string --attribute to=float8e4m3fn --strategy hard",
            1272,
            "float8e4m3fn",
            Some("0.5"),
        ),
        (
            "--op Cast --type string --attribute to=uint4 --strategy stratified --count 20",
            20,
            "uint4",
            Some("0"),
        ),
        ("--op CastLike --type string --like string --strategy hard", 26, "string", None),
        ("--op Equal --type string --strategy hard", 26 * 26, "bool", None),
        ("--op Where --type string --strategy hard", 2 * 26 * 26, "string", None),
        ("--op Where --type string --strategy stratified --count 20", 300, "string", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["campaign", "--out", "."].into_iter().chain(arguments.split(' '));
        let output = tool(folder.path(), &arguments.clone().collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let document = document(folder.path());
        let counts = ["inputs", "promised", "executed", "mismatches"];
        assert_eq!(
            counts.map(|count| document[count].as_u64()),
            [inputs, inputs, inputs, 0].map(Some)
        );
        assert_eq!(document["result_type"], result_type);
        let error = document["max_error_ulp"].as_str().and_then(|text| text.split(' ').next());
        assert_eq!(error, at_most, "{arguments:?}");
        let is_covering = !document["requirements"].as_array().unwrap().is_empty();
        assert!(!is_covering || !arguments.clone().any(|it| it == "--attribute"));
        let page = fs::read_to_string(folder.path().join("campaign.html")).unwrap();
        assert!(page.contains(result_type), "{arguments:?}");
        for rest in page.split("href=\"#").skip(1) {
            let target = rest.split('"').next().unwrap();
            assert!(page.contains(&format!("id=\"{target}\"")), "{target}: {arguments:?}");
        }
        let operands = arguments.skip_while(|it| *it != "--type").nth(1).unwrap();
        let lengths = operands.trim_start_matches('u').starts_with("int");
        assert_eq!(page.contains("by lengths of the operands in bits"), lengths, "{operands}");
    }
}

#[test]
fn a_campaign_of_which_the_specification_decides_nothing_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    // Quotients by 0: the 256 of a divisor come first.
    let by_zero = ["campaign", "--op", "Div", "--type", "int8", "--range", "0..256", "--out", "."];
    let output = tool(folder.path(), &by_zero);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let found = document(folder.path());
    assert_eq!(found["classes"]["out_of_domain"], 256);
    // One more is decided; and a part of a larger whole may well have none.
    let one_more = ["campaign", "--op", "Div", "--type", "int8", "--range", "0..257", "--out", "b"];
    assert_eq!(tool(folder.path(), &one_more).status.code(), Some(0));
    let part = ["--shard", "1/256", "--out", "c"];
    let part = [&["campaign", "--op", "Div", "--type", "int8"][..], &part].concat();
    assert_eq!(tool(folder.path(), &part).status.code(), Some(0));
}

#[test]
fn attributes_that_are_wrong_or_missing_are_named_with_the_remedy() {
    for (arguments, says) in [
        ("--op Cast --type int8", "needs the attribute `to`; give attributes as --attribute"),
        ("--op Cast --type string --attribute to=bool", "Cast of strings to bool is undefined"),
        ("--op Cast --type string --attribute to=int8", "of strings; use the strategy hard or"),
        ("--op Cast --type complex64 --attribute to=int8", "Cast has no type complex64"),
        ("--op CastLike --type int8", "which has to be named; name its type as --like TYPE"),
        ("--op Cast --type int8 --attribute to=int4 --like int4", "Cast has no operand whose type"),
        ("--op Cast --type int8 --attribute to=int9", "`int9` is no value of the attribute `to`"),
        ("--op Neg --type int8 --attribute to=int8", "Neg has no attribute `to`; it has: none"),
        ("--op Cast --type int8 --attribute to", "not a name and a value such as to=int8"),
        ("--op Mod --type float16 --attribute fmod=2", "takes 0 or 1 for `fmod`"),
        ("--op Not --type bool --strategy stratified", "bool has no strata to draw from"),
        (
            "--op QuantizeLinear --type float32 --attribute output_dtype=int32",
            "has no `output_dtype`",
        ),
        ("--op QuantizeLinear --type float64", "its types are: float32, int32, float16, bfloat16"),
        ("--op Cast --type int4 --attribute to=int8 --strategy stratified", "int4 has no strata"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["campaign", "--out", "."].into_iter().chain(arguments.split(' '));
        let output = tool(folder.path(), &arguments.collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{says}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{says}");
    }
}

#[test]
fn the_page_of_an_operator_of_one_operand_has_one_row_of_errors() {
    for (operator, rows) in [("Exp", 0), ("Sqrt", 0), ("Mul", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let range = ["--range", "0..100", "--out", "."];
        let campaign = ["campaign", "--op", operator, "--type", "float16"];
        assert_eq!(tool(folder.path(), &[&campaign[..], &range].concat()).status.code(), Some(0));
        let page = fs::read_to_string(folder.path().join("campaign.html")).unwrap();
        assert_eq!(page.matches("Worst error by exponent<").count(), 1 - rows, "{operator}");
        assert_eq!(page.matches("the second one upwards").count(), rows, "{operator}");
    }
}

#[test]
fn the_figures_of_int8_division_are_those_that_can_be_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    int8(folder.path(), &["--out", "."]);
    let document = document(folder.path());
    let (mut zero, mut exact) = (0, 0);
    for (a, b) in (-128..128_i32).flat_map(|a| (-128..128_i32).map(move |b| (a, b))) {
        if b != 0 && (a, b) != (-128, -1) {
            zero += i32::from(a / b == 0);
            exact += i32::from(a % b == 0);
        }
    }
    let classes = &document["classes"];
    assert_eq!(classes["out_of_domain"], 257, "256 zero divisors, and the minimum by -1");
    assert_eq!(classes["zero"], zero);
    assert_eq!(classes["normal"], 65536 - 257 - zero);
    assert_eq!(document["histogram"][0], json!({"ulp": "0", "results": exact}));
    // -127 / 128 is not there, so 127 / -128 and its like are the farthest from 0.
    assert_eq!(document["max_error_ulp"], "0.992188 (=1040384/2^20)");
    // Every result is sampled; the worst of ±1 by ±2 and ±3 is a half.
    let cells = document["heat_map"]["cells"].as_array().unwrap();
    let sampled = cells.iter().map(|cell| cell["sampled"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sampled, 65536);
    let cell = cells.iter().find(|cell| cell["a"] == 1 && cell["b"] == 2).unwrap();
    assert_eq!((&cell["sampled"], &cell["mismatches"]), (&json!(8), &json!(0)));
    assert_eq!(cell["worst_error_ulp"], "0.5 (=524288/2^20)");
    let ids = document["requirements"].as_array().unwrap();
    assert!(ids.contains(&json!("E_DIV_INT_FUNC_0010")));
}

#[test]
fn a_campaign_is_the_same_bytes_but_for_provenance_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    int8(folder.path(), &["--out", "one", "--jobs", "1"]);
    int8(folder.path(), &["--out", "many", "--jobs", "5"]);
    assert_eq!(contents(&folder.path().join("one")), contents(&folder.path().join("many")));
}

#[test]
fn sixteen_shards_merged_are_one_campaign_byte_for_byte() {
    let folder = shards(16);
    int8(folder.path(), &["--out", "whole"]);
    let mut parts: Vec<String> = (1..=16).map(|part| format!("{part}/campaign.json")).collect();
    parts.rotate_left(5);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let output = merge(folder.path(), &parts);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(contents(&folder.path().join("merged")), contents(&folder.path().join("whole")));
    assert!(folder.path().join("merged/campaign.html").is_file());
}

#[test]
fn ranges_that_follow_each_other_merge_into_the_campaign_on_their_union() {
    let folder = tempfile::tempdir().unwrap();
    for (range, out) in [("5..700", "a"), ("700..701", "b"), ("701..2^15", "c"), ("5..2^15", "all")]
    {
        assert_eq!(int8(folder.path(), &["--range", range, "--out", out]).status.code(), Some(0));
    }
    assert_eq!(merge(folder.path(), &["c", "a", "b"]).status.code(), Some(0));
    assert_eq!(contents(&folder.path().join("merged")), contents(&folder.path().join("all")));
}

#[test]
fn gaps_overlaps_and_mixtures_are_not_merged() {
    let folder = shards(3);
    let refused = |parts: &[&str], why: &str| {
        let output = merge(folder.path(), parts);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        assert!(!folder.path().join("merged").exists(), "nothing is written");
    };
    refused(&["1", "3"], "no campaign given executed the inputs 21,845 to 43,689");
    refused(&["2", "3"], "no campaign given executed the inputs 0 to 21,844");
    refused(&["1", "2"], "no campaign given executed the inputs 43,690 to 65,535");
    refused(&["1", "2", "2", "3"], "`2` and `2` overlap");
    refused(&["1", "2", "missing"], "failed to read the campaign `missing`");

    int8(folder.path(), &["--shard", "1/4", "--out", "quarter"]);
    refused(&["quarter", "2", "3"], "the way of division differs");
    int8(folder.path(), &["--shard", "1/3", "--profile", "ieee754", "--out", "profile"]);
    refused(&["profile", "2", "3"], "the profile differs: `ieee754` and `sonnx`");
    let uint8 = ["campaign", "--op", "Div", "--type", "uint8", "--shard", "1/3", "--out", "uint8"];
    tool(folder.path(), &uint8);
    refused(&["uint8", "2", "3"], "the type differs: `uint8` and `int8`");
}

/// Changes a document and gives it the digest of what it then holds, as a forger would.
fn forge(folder: &Path, change: impl Fn(&mut Value)) {
    let file = folder.join("campaign.json");
    let mut document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut document);
    let document: onnx_conformance::measure::campaign::Campaign =
        serde_json::from_value(document).unwrap();
    fs::write(&file, document.sealed().unwrap().to_bytes().unwrap()).unwrap();
}

#[test]
fn shards_of_another_backend_or_version_are_not_merged() {
    for (change, why) in [
        ((|document| document["backend"]["version"] = json!("9")) as fn(&mut Value), "the backend"),
        (|document| document["tool"]["commit"] = json!("other"), "the tool"),
    ] {
        let folder = shards(2);
        forge(&folder.path().join("1"), change);
        let output = merge(folder.path(), &["1", "2"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn truncated_and_edited_shards_exit_4_and_nothing_is_overwritten() {
    let folder = shards(2);
    assert_eq!(merge(folder.path(), &["1", "2"]).status.code(), Some(0));
    let merged = fs::read(folder.path().join("merged/campaign.json")).unwrap();
    let file = folder.path().join("1/campaign.json");
    let whole = fs::read_to_string(&file).unwrap();
    let edited = [
        whole[..whole.len() / 2].to_owned(),
        String::new(),
        whole.replacen("\"mismatches\": 0", "\"mismatches\": 1", 1),
        whole.replacen("\"promised\"", "\"promises\"", 1),
        whole.replacen("\"format_version\": 2,", "\"format_version\": 2, \"surplus\": 1,", 1),
    ];
    for damaged in edited {
        assert_ne!(damaged, whole);
        fs::write(&file, damaged).unwrap();
        let output = merge(folder.path(), &["1", "2"]);
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        assert_eq!(fs::read(folder.path().join("merged/campaign.json")).unwrap(), merged);
    }
    fs::write(&file, whole.replacen("\"format_version\": 2", "\"format_version\": 3", 1)).unwrap();
    assert_eq!(merge(folder.path(), &["1", "2"]).status.code(), Some(2));
}

#[test]
fn a_forged_shard_that_contradicts_itself_exits_4() {
    let changes: [fn(&mut Value); 10] = [
        |document| document["executed"] = json!(1),
        |document| document["promised"] = json!(1),
        |document| document["ranges"] = json!([{"first": 0, "end": 99}]),
        |document| document["classes"]["zero"] = json!(u64::MAX),
        |document| document["histogram"][1]["ulp"] = json!("(0, 1]"),
        |document| document["max_error_ulp"] = json!("0.1"),
        |document| document["type"] = json!("int9"),
        |document| document["type"] = json!("complex128"),
        |document| document["shard"]["index"] = json!(3),
        |document| document["heat_map"]["group"] = json!(1_u64 << 40),
    ];
    for change in changes {
        let folder = shards(2);
        forge(&folder.path().join("1"), change);
        let output = merge(folder.path(), &["1", "2"]);
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    }
}

#[test]
fn wrong_arguments_exit_2_and_write_nothing() {
    for (arguments, why) in [
        (&["--op", "Div", "--type", "int8", "--shard", "0/4"][..], "I runs from 1 to N"),
        (&["--op", "Div", "--type", "int8", "--shard", "5/4"], "I runs from 1 to N"),
        (&["--op", "Div", "--type", "int8", "--shard", "x"], "`x` is not a shard"),
        (&["--op", "Div", "--type", "int8", "--shard", "auto"], "no scheduler"),
        (&["--op", "Sqrt", "--type", "int8"], "Sqrt has no type int8"),
        (&["--op", "Div", "--type", "string"], "Div has no type string"),
        (&["--op", "Div", "--type", "floaty"], "there is no such element type"),
        (&["--op", "Cbrt", "--type", "int8"], "unknown operator `Cbrt`"),
        (&["--op", "Div", "--type", "float64"], "2^128 inputs"),
        (&["--op", "Div", "--type", "int8", "--strategy", "lucky"], "unknown strategy `lucky`"),
        (&["--op", "Div", "--type", "int8", "--range", "9..9"], "is empty"),
        (&["--op", "Div", "--type", "int8", "--range", "0..2^17"], "of 65536 inputs"),
        (&["--op", "Div", "--type", "int8", "--exponents", "0,0"], "are for the strategy"),
        (&["--op", "Div", "--type", "int8", "--backend", "none"], "unknown backend `none`"),
        (&["--op", "Div", "--type", "int8", "--profile", "none"], "unknown profile `none`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = tool(folder.path(), &[&["campaign", "--out", "out"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
        assert!(!folder.path().join("out").exists(), "{arguments:?}");
    }
}

#[test]
fn a_checkpoint_of_another_campaign_exits_2_and_a_damaged_one_4() {
    let folder = tempfile::tempdir().unwrap();
    int8(folder.path(), &["--shard", "1/2", "--out", "out"]);
    let out = folder.path().join("out");
    let (document, checkpoint) = (out.join("campaign.json"), out.join("campaign.partial.json"));
    fs::rename(&document, &checkpoint).unwrap();
    let kept = fs::read(&checkpoint).unwrap();

    let other = int8(folder.path(), &["--shard", "2/2", "--out", "out"]);
    assert_eq!(other.status.code(), Some(2), "{}", stderr(&other));
    assert!(stderr(&other).contains("the shard differs: `2/2` and `1/2`"), "{}", stderr(&other));
    assert_eq!(fs::read(&checkpoint).unwrap(), kept);

    fs::write(&checkpoint, &kept[..kept.len() - 2]).unwrap();
    let damaged = int8(folder.path(), &["--shard", "1/2", "--out", "out"]);
    assert_eq!(damaged.status.code(), Some(4), "{}", stderr(&damaged));
    assert!(!document.exists(), "nothing is written");

    fs::write(&checkpoint, &kept).unwrap();
    assert_eq!(int8(folder.path(), &["--shard", "1/2", "--out", "out"]).status.code(), Some(0));
    assert!(document.is_file() && !checkpoint.exists());
}

#[test]
fn the_shard_of_a_scheduler_is_taken_from_its_variables() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let output = command
        .args(["campaign", "--op", "Div", "--type", "int8", "--shard", "auto"])
        .env("SLURM_ARRAY_TASK_ID", "6")
        .env("SLURM_ARRAY_TASK_MIN", "0")
        .env("SLURM_ARRAY_TASK_COUNT", "8")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let document = document(&folder.path().join("reports/campaigns/div-int8-exhaustive-7-of-8"));
    assert_eq!(document["shard"], json!({"index": 7, "count": 8}));
    assert_eq!(document["ranges"], json!([{"first": 49152, "end": 57344}]));
}

#[test]
fn a_campaign_without_counterexamples_makes_no_regression_case() {
    let folder = tempfile::tempdir().unwrap();
    int8(folder.path(), &["--out", "out"]);
    let output = tool(folder.path(), &["regress", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no counterexample"), "{}", stderr(&output));
    assert!(!folder.path().join("testdata").exists());
}
