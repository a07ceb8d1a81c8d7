//! The check of the specifications: what it must find, with counts taken from arithmetic alone.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::judge::spec::{self, Cause, DefectKind, Finding, Findings};
use serde_json::Value;

static ALL: LazyLock<Findings> = LazyLock::new(|| spec::check_all().unwrap());
static FINDINGS: LazyLock<&[Finding]> = LazyLock::new(|| &ALL.findings);

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
    let unsound = FINDINGS.iter().filter(|finding| finding.cause == Cause::UnsoundBound);
    let unsound: BTreeSet<_> =
        unsound.map(|finding| (&*finding.document, &*finding.requirement)).collect();
    let expected = [
        ("sonnx-div", "P_DIV_INT_ACC_0010"),
        ("sonnx-div-newer", "P_DIV_INT_ACC_0010"),
        ("sonnx-div-newer", "P_DIV_REAL_ACC_0020"),
        ("sonnx-exp", "P_EXP_REAL_ACC_0020"),
        ("sonnx-matmul", "P_MATMUL_FLOAT_ACC_0010"),
        ("sonnx-sqrt", "P_SQRT_REAL_ACC_0020"),
        ("sonnx-sqrt-newer", "P_SQRT_REAL_ACC_0020"),
    ];
    assert_eq!(unsound, BTreeSet::from(expected));
}

/// The number of float16 nearest to one between 1/2 and 32, ties to even, in binary64, which holds it and all products of
/// float16's numbers exactly.
fn to_float16(number: f64) -> f64 {
    let unit = (-1..5).map(|exponent| 2_f64.powi(exponent)).rfind(|power| *power <= number.abs());
    let unit = unit.unwrap() / 1024.0;
    (number / unit).round_ties_even() * unit
}

#[test]
fn the_bound_of_matmul_fails_for_single_products() {
    let finding = the(
        "sonnx-matmul",
        DefectKind::Bound,
        "P_MATMUL_FLOAT_ACC_0010",
        &["(1 + u^2)", "of 64 operands"],
    );
    // With one product the bound is u^2 |A| |B|. The significands are those of the readings.
    let significands = [1024.0, 1025.0, 1026.0, 1535.0, 1537.0, 2047.0, -1025.0, 2642.0];
    let u = 2_f64.powi(-11);
    let fails = |a: f64, b: f64| {
        let product = a / 1024.0 * b / 1024.0;
        (to_float16(product) - product).abs() > u * u * product.abs()
    };
    let all = significands.iter().flat_map(|a| significands.iter().map(|b| (*a, *b)));
    assert_eq!(finding.count, all.filter(|(a, b)| fails(*a, *b)).count() as u64);
    // (1 + 2^-10)^2 is 2^-20 from 1 + 2^-9, and u^2 is 2^-22.
    let example = "A0 = 1.001 (0x3c01), B0 = 1.001 (0x3c01): error 9.53e-7, bound 2.38e-7";
    assert_eq!(finding.example, example);
    let sound = found("sonnx-matmul", DefectKind::Bound, "P_MATMUL_FLOAT_ACC_0010", &["(1 + u)^2"]);
    assert!(sound.iter().all(|finding| finding.cause == Cause::LooseBound), "{sound:#?}");
}

#[test]
fn a_window_of_maxpool_can_miss_the_input_where_it_is_dilated() {
    let sizes = || {
        (1..=4_i64).flat_map(|x| {
            let windows =
                (1..=3).flat_map(|kernel| (1..=3).map(move |dilation| (kernel, dilation)));
            windows.flat_map(move |(kernel, dilation)| {
                let pads = (0..=3).flat_map(|begin| (0..=3).map(move |end| (begin, end)));
                pads.flat_map(move |(begin, end)| {
                    (1..=2).map(move |stride| (x, kernel, dilation, begin, end, stride))
                })
            })
        })
    };
    let judged = sizes().filter_map(|(x, kernel, dilation, begin, end, stride)| {
        let extent = dilation * (kernel - 1) + 1;
        let room = x + begin + end - extent;
        let meets = |start: i64| {
            (0..kernel).map(|tap| start + tap * dilation).any(|at| (begin..begin + x).contains(&at))
        };
        let windows = (0..=room.max(-1)).step_by(usize::try_from(stride).unwrap());
        let is_allowed = extent > begin.max(end);
        (room >= 0).then(|| (is_allowed, windows.into_iter().all(meets), dilation))
    });
    let judged: Vec<_> = judged.collect();
    let missed: Vec<_> = judged.iter().filter(|(allowed, met, _)| *allowed && !met).collect();
    let tag = "P_MAXPOOL_CONSTR_PADS_0020";
    let finding = the("sonnx-maxpool", DefectKind::Contradiction, tag, &["do not have it"]);
    assert_eq!(finding.count, missed.len() as u64);
    assert!(missed.iter().all(|(_, _, dilation)| *dilation >= 2));
    let example = "X = 1, kernel = 2, dilation = 2, begin = 1, end = 1, stride = 1";
    assert_eq!(finding.example, example);
    // A kernel of one element that a stride leads past the padding is excluded all the same.
    let strict = the("sonnx-maxpool", DefectKind::Contradiction, tag, &["all the same"]);
    let excluded = judged.iter().filter(|(allowed, met, _)| !allowed && *met).count();
    assert_eq!(strict.count, excluded as u64);
    let example = "X = 1, kernel = 1, dilation = 1, begin = 0, end = 1, stride = 2";
    assert_eq!(strict.example, example);
}

#[test]
fn examples_of_whole_calls_are_given_to_the_reference() {
    let flawed = |cause: Cause| {
        let findings = FINDINGS.iter().filter(|finding| finding.cause == cause);
        findings.map(|one| (&*one.document, &*one.requirement, one.count)).collect::<Vec<_>>()
    };
    let expected = [
        // A tensor of one dimension has no axis 1.
        ("sonnx-argmax", "P_ARGMAX_REAL_FUNC_0010", 2),
        ("sonnx-argmax", "P_ARGMAX_FLOAT_FUNC_0010", 3),
        // 0 and -1 cannot stand together where `allowzero` is 1.
        ("sonnx-reshape", "P_RESHAPE_FUNC_0010", 1),
    ];
    assert_eq!(flawed(Cause::RefusedExample), expected);
    // One decimal point is printed as a space.
    assert_eq!(flawed(Cause::PrintedTensor), [("sonnx-maxpool", "P_MAXPOOL_REAL_FUNC_0010", 1)]);
}

#[test]
fn the_restrictions_of_slice_allow_the_empty_outputs_that_a_constraint_excludes() {
    let tag = "P_SLICE_REAL_CONSTR_Y_0020";
    let findings = found("sonnx-slice", DefectKind::Contradiction, tag, &["size > 0"]);
    // A start is an end for each of 4 starts and 3 steps of either sign.
    let counts: Vec<_> = findings.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [4 * 3, 4 * 3]);
}

#[test]
fn softmax_of_negative_infinities_is_zero_in_a_row_and_no_number_by_the_formula() {
    let tag = "P_SOFTMAX_FLOAT_FUNC_0020";
    let words = ["gives 0", "its formula gives NaN"];
    let finding = the("sonnx-softmax", DefectKind::Contradiction, tag, &words);
    let example = "X0 = -inf (0xfc00), X1 = -inf (0xfc00)";
    assert_eq!((finding.count, &*finding.example), (1, example));
}

#[test]
fn the_absolute_value_of_the_least_integer_is_left_undecided() {
    let words = ["nothing says", "int8"];
    let finding = the("sonnx-abs", DefectKind::Uncovered, "E_ABS_INT_CONSTR_X_020", &words);
    assert_eq!((finding.count, &*finding.example), (1, "X = -128 (0x80)"));
    let contents = FINDINGS.iter().filter(|finding| finding.cause == Cause::Contents);
    let contents: Vec<_> =
        contents.map(|finding| (&*finding.document, &*finding.example)).collect();
    assert_eq!(contents, [("sonnx-abs", "bfloat16")]);
}

#[test]
fn two_tags_of_less_name_abs() {
    let tags = FINDINGS.iter().filter(|finding| finding.cause == Cause::ForeignTag);
    let tags: Vec<_> = tags.map(|finding| (&*finding.document, &*finding.requirement)).collect();
    let less = ["E_ABS_REAL_LESS_010", "E_ABS_FLOAT_LESS_010"].map(|tag| ("sonnx-less", tag));
    assert_eq!(tags, less);
}

#[test]
fn the_tolerances_for_tests_allow_more_than_every_bound_on_introduced_errors() {
    let key = "sonnx-guidelines-tests";
    for (tag, dtype) in [
        ("P_TESTS_FLOAT_TOLERANCE_0010", "float32"),
        ("P_TESTS_FLOAT_TOLERANCE_0020", "float64"),
        ("P_TESTS_FLOAT_TOLERANCE_0030", "float16"),
    ] {
        let findings = found(key, DefectKind::Bound, tag, &[dtype]);
        let against: BTreeSet<&str> =
            findings.iter().filter_map(|finding| finding.against.split(':').next()).collect();
        let bounds = [
            "P_DIV_FLOAT_ACC_0010",
            "P_MATMUL_FLOAT_ACC_0010",
            "P_RELU_FLOAT_ACC_0010",
            "P_WHERE_FLOAT_ACC_0010",
        ];
        assert_eq!(against, BTreeSet::from(bounds), "{tag}");
    }
    // 10^-5 over 2^-24 is 167.77...
    let words = ["of sonnx-div (", "for 100 of 100 directed", "at least 167 times"];
    the(key, DefectKind::Bound, "P_TESTS_FLOAT_TOLERANCE_0010", &words);
}

#[test]
fn leakyrelu_makes_a_nan_that_its_error_conditions_exclude() {
    let tag = "P_LEAKYRELU_FLOAT_ERR_0010";
    let words = ["gives no NaN", "IEEE 754 give NaN"];
    let finding = the("sonnx-leakyrelu", DefectKind::Contradiction, tag, &words);
    // Minus infinity times either zero.
    assert_eq!(finding.count, ZEROS);
    assert_eq!(finding.example, "X = -inf (0xfc00), alpha = 0 (0x0000)");
    let tag = "P_LEAKYRELU_FLOAT_FUNC_0010";
    let printed = the("sonnx-leakyrelu", DefectKind::Contradiction, tag, &["digits"]);
    assert_eq!((printed.count, &*printed.example), (1, "leakyrelu(-9.5, 0.01) = -0.95"));
    let tag = "P_LEAKYRELU_FLOAT_TYPES_0010";
    let version = the("sonnx-leakyrelu", DefectKind::Contradiction, tag, &["1, 6, 16"]);
    assert_eq!(version.example, "LeakyRelu-14");
}

#[test]
fn the_note_of_exp_bounds_errors_by_the_slope_at_one_end() {
    let finding = the("sonnx-exp", DefectKind::Bound, "P_EXP_REAL_ACC_0020", &["exp(X)"]);
    // For each of 8 values, the three errors above 0: the exponential grows faster beyond it.
    assert_eq!(finding.count, 8 * 3);
}

#[test]
fn zeros_meet_two_rows_of_less_which_agree() {
    let words = ["P_LESS_FLOAT_FUNC_0013", "the same result"];
    let finding = the("sonnx-less", DefectKind::Overlap, "P_LESS_FLOAT_FUNC_0012", &words);
    assert_eq!(finding.count, ZEROS * ZEROS);
}

#[test]
fn clip_max_and_where_give_what_their_references_give() {
    for finding in *FINDINGS {
        if ["sonnx-clip", "sonnx-max", "sonnx-where"].contains(&&*finding.document) {
            assert_eq!(finding.cause, Cause::MissingTypes, "{finding:#?}");
        }
    }
}

#[test]
fn the_integers_of_relu_have_no_nan_to_speak_of() {
    let tag = "P_RELU_INT_ERR_0010";
    the("sonnx-relu", DefectKind::Contradiction, tag, &["of which int8 has none"]);
}

/// The changes of a newer document, as tag and kind.
fn changes(newer: &str) -> Vec<(&'static str, &'static str)> {
    let revision = ALL.revisions.iter().find(|revision| revision.newer == newer).unwrap();
    let change = |change: &'static spec::Change| (&*change.requirement, change.change.name());
    revision.changes.iter().map(change).collect()
}

/// What a newer document makes of the findings, as tag, older count and newer count.
fn effects(newer: &str, cause: Cause) -> Vec<(&'static str, [u64; 2])> {
    let revision = ALL.revisions.iter().find(|revision| revision.newer == newer).unwrap();
    let effects = revision.effects.iter().filter(|effect| effect.cause == cause.says());
    effects.map(|effect| (&*effect.requirement, effect.counts)).collect()
}

#[test]
fn the_newer_div_closes_the_gap_at_zero_and_takes_the_sign_from_the_denominator_alone() {
    let newer = "sonnx-div-newer";
    let expected = [
        ("P_DIV_REAL_ACC_0020", "changed"),
        ("P_DIV_FLOAT_FUNC_0014", "added"),
        ("P_DIV_REAL_ACC_0030", "added"),
    ];
    assert_eq!(changes(newer), expected);
    let gap = ZEROS * (PATTERNS - ZEROS);
    assert_eq!(effects(newer, Cause::NoRow), [("E_DIV_FLOAT_FUNC_0010", [gap, 0])]);
    // Either zero over NaN is no zero, and -0 over anything else has the other sign.
    let wrong = ZEROS * NANS + (PATTERNS - ZEROS - NANS);
    assert_eq!(effects(newer, Cause::NotExact), [("P_DIV_FLOAT_FUNC_0014", [0, wrong])]);
}

#[test]
fn the_newer_sqrt_has_one_row_for_each_operand_and_leaves_the_real_root_of_zero_undefined() {
    let newer = "sonnx-sqrt-newer";
    let expected = [
        ("P_SQRT_REAL_FUNC_0010", "changed"),
        ("P_SQRT_REAL_FUNC_0020", "changed"),
        ("P_SQRT_FLOAT_FUNC_0010", "replaced"),
        ("P_SQRT_FLOAT_FUNC_0050", "changed"),
        ("P_SQRT_FLOAT_FUNC_0060", "replaced"),
        ("P_SQRT_FLOAT_ERR_0020", "dropped"),
        ("P_SQRT_FLOAT_ERR_0030", "dropped"),
        ("P_SQRT_FLOAT_FUNC_0070", "added"),
    ];
    assert_eq!(changes(newer), expected);
    assert_eq!(effects(newer, Cause::NoRow), [("P_SQRT_FLOAT_FUNC_0040", [NANS, 0])]);
    assert_eq!(effects(newer, Cause::Repeated).len(), 3);
    assert_eq!(effects(newer, Cause::LeftOpen), [("P_SQRT_REAL_FUNC_0020", [0, ZEROS])]);
    // The row for -0 still holds for 0, and gives it the wrong sign.
    assert_eq!(effects(newer, Cause::NotExact), []);
}

#[test]
fn no_finding_comes_of_setting_a_revision_against_other_documents() {
    let mut others = FINDINGS.iter().filter(|finding| finding.cause == Cause::OtherDocument);
    assert!(others.all(|finding| !finding.document.ends_with("-newer")));
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
    assert_eq!(text, spec::to_summary(&FINDINGS, &ALL.revisions, 80));
    let written = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(written("f.json"), ALL.to_bytes().unwrap());
    assert_eq!(written("f.sarif"), spec::to_sarif(&FINDINGS).unwrap());
}

#[test]
fn the_json_holds_what_its_contract_says_and_nothing_else() {
    let json: Value = serde_json::from_slice(&ALL.to_bytes().unwrap()).unwrap();
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
    fs::write(&file, ALL.to_bytes().unwrap()).unwrap();
    let read = Findings::read(file.path()).unwrap();
    assert_eq!(read.to_bytes().unwrap(), ALL.to_bytes().unwrap());

    fs::write(&file, "{\"format_version\": 3, \"findings\": [], \"revisions\": []}").unwrap();
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
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        spec::to_text(&FINDINGS, &ALL.revisions, 80)
    );
}

#[test]
fn the_text_keeps_to_the_width() {
    for width in [80, 100] {
        for text in [
            spec::to_text(&FINDINGS, &ALL.revisions, width),
            spec::to_summary(&FINDINGS, &ALL.revisions, width),
        ] {
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
    let rows = spec::to_summary(&FINDINGS, &ALL.revisions, 80).lines().count();
    assert!(rows * 5 < spec::to_text(&FINDINGS, &ALL.revisions, 80).lines().count(), "{rows}");
}

#[test]
fn the_page_in_docs_is_what_the_check_finds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md");
    let page = spec::to_markdown(&FINDINGS, &ALL.revisions);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/findings.md is out of date; run the tests with BLESS=1");
}
