//! `report.html`, as text.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use onnx_conformance::documents::report::document::{Expectation, Report, Requirement};
use onnx_conformance::documents::report::html;
use onnx_conformance::judge::verdict::Verdict;
use regex::Regex;
use sha2::{Digest, Sha256};

use super::synthetic;
use crate::packed::unpacked;

fn page(report: &Report) -> String {
    html::to_text(report, None).unwrap()
}

/// The page without style and script, and with all that is packed.
fn body(report: &Report) -> String {
    unpacked(&shown(report))
}

/// The page without style and script, as it is without the script.
fn shown(report: &Report) -> String {
    let page = page(report);
    page[page.find("<body>").unwrap()..].to_owned()
}

fn captures<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    Regex::new(pattern)
        .unwrap()
        .captures_iter(text)
        .map(|found| found.extract::<1>().1[0])
        .collect()
}

#[test]
fn the_page_of_one_failure_reads_as_it_should() {
    let case = synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Fail);
    insta::assert_snapshot!(body(&synthetic::report(vec![case])));
}

#[test]
fn a_case_without_difference_takes_a_line() {
    let case = synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Pass);
    let body = body(&synthetic::report(vec![case]));
    assert!(body.contains("<bdi>z</bdi>: float32 [3, 4, 5], 60 elements, no difference"));
}

#[test]
fn of_what_passed_the_worst_element_alone_is_shown() {
    let mut case = synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Fail);
    assert_eq!(case.outputs[0].worst.len(), 2);
    let second = "[0, 0, 0]";
    assert!(body(&synthetic::report(vec![case.clone()])).contains(second));
    case.verdict = Verdict::Pass;
    let body = body(&synthetic::report(vec![case]));
    assert!(body.contains("Worst element of") && body.contains("[1, 2, 3]"));
    assert!(!body.contains(second));
}

#[test]
fn failures_that_no_list_knows_come_first_and_the_others_are_marked() {
    let mut known = synthetic::case("onnx-1.22.0/node/a_known", "Div", Verdict::Fail);
    known.expected = Verdict::Fail;
    let other = synthetic::case("onnx-1.22.0/node/b_new", "Div", Verdict::Fail);
    let mut report = synthetic::report(vec![known, other]);
    report.expectations_list = Some(synthetic::list("mine.toml"));
    let body = body(&report);
    let rows = captures(r#"<tr id="r\d+"><td.*?data-values="(\w+)""#, &body);
    assert_eq!(rows, ["unexpected", "fail"]);
    assert!(body.contains(r#"</span> (known)</td><th scope="row" data-values="known">"#));
    for name in ["unexpected", "known"] {
        assert!(body.contains(&format!(r#"name="failure" value="{name}">{name} 1</label>"#)));
    }
    report.expectations_list = None;
    assert!(!page(&report).contains(r#"name="failure""#));
}

#[test]
fn what_is_not_decided_says_what_came_back_and_not_that_nothing_differs() {
    let mut case = synthetic::case("sonnx/div/int32/zero_divisor", "Div", Verdict::Pass);
    case.verdict = Verdict::OutOfDomain;
    let output = &mut case.outputs[0];
    (output.elements, output.undecided, output.mismatches) = (0, 60, 0);
    output.nan_sign_or_payload_differs = 0;
    output.worst.clear();
    let body = body(&synthetic::report(vec![case]));
    assert!(body.contains("[3, 4, 5], 60 elements undecided; <bdi>-1.1754944e-38 (0x80800000), 1"));
    assert!(body.contains("</bdi>, ... came back"));
    assert!(!body.contains("no difference"));
}

#[test]
fn known_failures_and_standard_error_are_shown_and_only_web_links_followed() {
    let mut report = synthetic::every_verdict();
    assert!(body(&report).contains("<dt>Known failures</dt><dd>no list was used</dd>"));
    let known = |link: &str| Expectation {
        cases: "onnx-1.22.0/*".to_owned(),
        verdict: Verdict::Crash,
        reason: "<traps>".to_owned(),
        link: Some(link.to_owned()),
        matched: 8,
        failures: vec![],
        unexpected_passes: vec!["onnx-1.22.0/node/test_pass".to_owned()],
        stale: false,
        ..Expectation::default()
    };
    report.expectations = vec![known("https://example.org/1"), known("javascript:alert(1)")];
    report.expectations_list = Some(synthetic::list("<mine>.toml"));
    let text = ("onnx-1.22.0/node/test_crash".to_owned(), "<last> words".to_owned());
    report.provenance.stderr = [text].into();
    let body = body(&report);
    assert!(body.contains(r#"<a href="https://example.org/1">"#));
    assert!(!body.contains(r#"href="javascript"#) && body.contains("javascript:alert(1)"));
    assert!(body.contains("&lt;traps&gt;") && body.contains("&lt;last&gt; words"));
    assert!(body.contains("<dd>&lt;mine&gt;.toml <code title=\"SHA-256 of the list's text\">0000"));
    assert!(body.contains(r##"Passes: <a href="#case-onnx-1.22.0/node/test_pass">"##));
}

#[test]
fn what_is_flaky_and_what_an_entry_asks_of_its_cases_is_shown() {
    let mut report = synthetic::every_verdict();
    let fails = report.cases.iter_mut().find(|case| case.verdict == Verdict::Fail).unwrap();
    (fails.expected, fails.flaky) = (Verdict::Fail, true);
    report.expectations = vec![Expectation {
        cases: "test_*".to_owned(),
        verdict: Verdict::Fail,
        flaky: true,
        op: Some("Div".to_owned()),
        since_opset: Some(7),
        reason: "order of threads".to_owned(),
        ..Expectation::default()
    }];
    report.expectations_list = Some(synthetic::list("mine.toml"));
    let body = body(&report);
    assert!(body.contains("fail</span> (flaky: fail or pass)"), "{body}");
    assert!(body.contains("<td>fail or pass, flaky</td>"));
    assert!(body.contains("<p>Only <bdi>op Div, opset 7 or later</bdi>.</p>"));
}

/// What stands below the heading of the requirements.
fn requirements(body: &str) -> &str {
    let (_, section) = body.split_once(r#"<section id="requirements""#).unwrap();
    section.split_once("</section>").unwrap().0
}

#[test]
fn requirements_that_no_case_names_are_counted_without_a_table() {
    let case = synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Pass);
    let mut report = synthetic::report(vec![case]);
    let (id, status) = ("P_DIV_R1".to_owned(), "uncovered".to_owned());
    report.requirements = vec![Requirement { id, status, reason: None, cases: vec![] }];
    let none = body(&report);
    assert!(!requirements(&none).contains("<table"), "{none}");
    assert!(requirements(&none).contains("1 further requirement no case of this run names."));
    report.requirements[0].cases = vec![report.cases[0].id.clone()];
    let one = body(&report);
    assert!(requirements(&one).contains("<table") && !requirements(&one).contains("further"));
}

#[test]
fn a_name_may_break_behind_its_separators() {
    let case = synthetic::case("sonnx/div_14/int8/infinity_by_sub", "Div", Verdict::Pass);
    let body = body(&synthetic::report(vec![case]));
    let folder = "<bdi><span>sonnx/<wbr>div_<wbr>14/<wbr>int8/<wbr></span>";
    assert!(body.contains(&format!("{folder}infinity_<wbr>by_<wbr>sub</bdi>")), "{body}");
}

#[test]
fn every_case_has_a_row_a_part_and_a_link_that_finds_it() {
    let report = synthetic::large();
    let body = body(&report);
    let parts = captures(r#"<article id="([^"]*)""#, &body);
    assert_eq!(parts.len(), report.cases.len());
    let ids: BTreeSet<_> = captures(r#" id="([^"]*)""#, &body).into_iter().collect();
    assert_eq!(ids.len(), captures(r#" id="([^"]*)""#, &body).len(), "no id twice");
    for link in captures(r##"href="#([^"]*)""##, &body) {
        assert!(ids.contains(link) || link.contains('='), "{link}");
    }
    assert_eq!(captures(r#"<tr id="r(\d+)""#, &body).len(), report.cases.len());
}

#[test]
fn without_a_script_every_case_that_did_not_pass_is_there() {
    let report = synthetic::every_verdict();
    let page = shown(&report);
    let rows = captures(r##"<tr id="r\d+".*?<a href="#([^"]*)">"##, &page);
    let parts = captures(r#"<article id="([^"]*)""#, &page);
    assert_eq!(rows, parts);
    let others = report.cases.iter().filter(|case| case.verdict != Verdict::Pass);
    let others: Vec<_> = others.map(|case| format!("case-{}", case.id)).collect();
    assert!(others.len() > 5);
    assert_eq!(rows, others);
    let passed = report.summary.pass;
    assert!(passed > 0 && page.contains(&format!("the {passed} case")), "{page}");
    assert_eq!(body(&report).matches("<article").count(), report.cases.len());
}

#[test]
fn details_that_have_no_room_on_the_page_are_packed_those_that_failed_last() {
    let long = |verdict: Verdict, at: usize| {
        let mut case = synthetic::case(&format!("c/{verdict}_{at}"), "Div", verdict);
        case.message = Some("x".repeat(100_000));
        case
    };
    let fails = (0..20).map(|at| long(Verdict::Fail, at));
    let unsupported = (0..20).map(|at| long(Verdict::Unsupported, at));
    let report = synthetic::report(unsupported.chain(fails).collect());
    let page = shown(&report);
    let parts = captures(r#"<article id="case-c/([a-z]*)"#, &page);
    assert_eq!(parts, ["fail"; 10]);
    assert!(page.contains("The details of the other 30 cases are in report.json."));
    assert_eq!(captures(r#"<tr id="r(\d+)""#, &page).len(), 40, "each has its row");
    assert_eq!(body(&report).matches("<article").count(), 40);
}

#[test]
fn the_address_of_a_case_is_stable_and_its_own() {
    let ids = ["onnx-1.22.0/node/test_div", "a b", "a~20b", "a<b", "é"];
    let cases = ids.map(|id| synthetic::case(id, "Div", Verdict::Unsupported)).to_vec();
    let body = body(&synthetic::report(cases));
    assert_eq!(
        captures(r#"<article id="([^"]*)""#, &body),
        [
            "case-onnx-1.22.0/node/test_div",
            "case-a~20b",
            "case-a~7e20b",
            "case-a~3cb",
            "case-~c3~a9"
        ]
    );
}

#[test]
fn hostile_strings_make_no_element_and_no_attribute() {
    let (hostile, tame) = (body(&synthetic::hostile()), body(&synthetic::large()));
    let tags = |body| captures(r"<([^>]*)>", body).into_iter();
    let values = Regex::new(r#""[^"]*""#).unwrap();
    let names = |body| {
        tags(body)
            .flat_map(|tag| {
                let bare = values.replace_all(tag, "").into_owned();
                bare.split([' ', '=']).map(str::to_owned).collect::<Vec<_>>()
            })
            .collect::<BTreeSet<_>>()
    };
    // What only some reports have.
    let known: BTreeSet<_> = names(&tame).into_iter().chain(["data-at".to_owned()]).collect();
    let new: Vec<_> = names(&hostile).into_iter().filter(|name| !known.contains(name)).collect();
    assert_eq!(new, [] as [&str; 0]);
    assert!(!hostile.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
    assert!(hostile.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(hostile.contains(r"\u{202e}gnp.exe"), "directions are shown, not followed");
}

#[test]
fn nothing_but_the_own_style_and_script_may_apply() {
    let page = page(&synthetic::hostile());
    let policy = captures(r#"Content-Security-Policy" content="([^"]*)""#, &page)[0];
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
        let found = captures(&format!("(?s)<{element}>(.*?)</{element}>"), &page);
        assert_eq!(found.len(), 1, "one {element}");
        let digest = BASE64_STANDARD.encode(Sha256::digest(found[0]));
        assert!(policy.contains(&format!("{directive} &#39;sha256-{digest}&#39;")), "{policy}");
    }
    assert!(policy.starts_with("default-src &#39;none&#39;;"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn nothing_is_fetched() {
    let page = page(&synthetic::large());
    for fetching in ["src=", "url(", "@import", "http:", "https:", "fetch(", "<link"] {
        assert!(!page.contains(fetching), "{fetching}");
    }
}

#[test]
fn a_page_of_all_corpora_stays_small() {
    assert!(page(&synthetic::large()).len() < 2_500_000);
}
