//! The document, the page and the summary.

use onnx_conformance::document::JsonDocument;
use std::collections::BTreeSet;
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use onnx_conformance::document::style::Style;
use onnx_conformance::documents::report::document::{Report, Summary};
use onnx_conformance::documents::scoreboard::document::{Requirement, Scoreboard};
use onnx_conformance::documents::scoreboard::{html, text};
use onnx_conformance::judge::verdict::Verdict;
use regex::Regex;
use serde_json::Value;
use sha2::{Digest, Sha256};
use unicode_width::UnicodeWidthStr;

use super::synthetic::{case, full, hostile, report, scoreboard};
use crate::packed::unpacked;

fn summary(reports: Vec<Report>) -> String {
    let written = [PathBuf::from("out/scoreboard.html"), PathBuf::from("out/scoreboard.json")];
    text::render(&scoreboard(reports), &written, Style { width: 80, color: false })
}

fn page(reports: Vec<Report>) -> String {
    html::to_text(&scoreboard(reports)).unwrap()
}

/// The page without style and script, and with all that is packed.
fn body(reports: Vec<Report>) -> String {
    unpacked(&shown(reports))
}

/// The page without style and script, as it is without the script.
fn shown(reports: Vec<Report>) -> String {
    let page = page(reports);
    page[page.find("<body>").unwrap()..].to_owned()
}

fn captures<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).map(|found| found.extract::<1>().1[0]).collect()
}

#[test]
fn the_summary_reads_as_it_should() {
    insta::assert_snapshot!(summary(full()));
}

#[test]
fn cases_that_were_skipped_are_counted_beside_the_backend() {
    let told = summary(full());
    assert!(!told.contains("skipped"), "{told}");
    let mut reports = full();
    reports[0].cases[0].verdict = Verdict::Skipped;
    reports[0].cases[0].outputs.clear();
    reports[0].summary = Summary::of(&reports[0].cases);
    let told = summary(reports);
    assert!(told.contains(", 1 case skipped\n"), "{told}");
}

#[test]
fn the_summary_fits_eighty_columns_and_is_harmless_whatever_strangers_write() {
    for reports in [full(), hostile()] {
        let summary = summary(reports);
        for line in summary.lines() {
            assert!(line.width() <= 80, "{line}");
        }
        assert!(!summary.contains(|c: char| c.is_control() && c != '\n'));
    }
}

#[test]
fn every_scoreboard_reads_back_and_one_with_a_member_too_many_does_not() {
    for reports in [full(), hostile(), vec![]] {
        let scoreboard = scoreboard(reports);
        let bytes = scoreboard.to_bytes().unwrap();
        assert_eq!(serde_json::from_slice::<Scoreboard>(&bytes).unwrap(), scoreboard);
        let mut surplus: Value = serde_json::from_slice(&bytes).unwrap();
        surplus["surplus"] = 1.into();
        assert!(serde_json::from_value::<Scoreboard>(surplus).is_err());
    }
}

#[test]
fn the_same_reports_give_the_same_bytes() {
    for reports in [full, hostile] {
        assert_eq!(
            scoreboard(reports()).to_bytes().unwrap(),
            scoreboard(reports()).to_bytes().unwrap()
        );
        assert_eq!(page(reports()), page(reports()));
    }
}

#[test]
fn every_row_leads_to_its_case_and_no_id_is_there_twice() {
    for reports in [full(), hostile()] {
        let body = body(reports);
        let all = captures(r#" id="([^"]*)""#, &body);
        let ids: BTreeSet<_> = all.iter().copied().collect();
        assert_eq!(ids.len(), all.len());
        for link in captures(r##"href="#([^"]*)""##, &body) {
            assert!(ids.contains(link) || link.contains('='), "{link}");
        }
    }
    let body = body(full());
    let rows = captures(r##"<th scope="row" data-values="[^"]*"><a href="#([^"]*)">"##, &body);
    assert!(rows.contains(&"case-c/crash"), "{rows:?}");
    assert!(body.contains(r#"<td><span class="verdict crash">crash</span></td>"#));
    assert!(body.contains(r#"<td class="quiet">not asked</td>"#));
}

#[test]
fn an_operator_is_marked_for_what_should_pass_and_does_not_alone() {
    let marks = |other: Verdict| {
        let div = |id: &str, verdict| case(id, "Div", verdict);
        let cases = vec![div("c/1", Verdict::Pass), div("c/2", other)];
        let body = body(vec![report("a", cases)]);
        let (_, operators) = body.split_once(r#"<section id="operators""#).unwrap();
        let cell =
            r##"<td class="n heat ([^"]*)"><a href="#operator=Div&amp;missed=a">1 / 2</a></td>"##;
        captures(cell, operators).join(",")
    };
    assert_eq!(marks(Verdict::OutOfDomain), "all", "nothing decides it");
    assert_eq!(marks(Verdict::Fail), "fail-3");
    assert_eq!(marks(Verdict::Unsupported), "part");
}

#[test]
fn the_map_tells_few_failures_from_many_and_no_kernel_from_some() {
    let mark = |pass: usize, other: Verdict, others: usize| {
        let one = |at: usize, verdict| case(&format!("c/{at}"), "Div", verdict);
        let passed = (0..pass).map(|at| one(at, Verdict::Pass));
        let cases = passed.chain((pass..pass + others).map(|at| one(at, other))).collect();
        captures(r#"<td class="n heat ([^"]*)">"#, &body(vec![report("a", cases)])).join(",")
    };
    assert_eq!(mark(3, Verdict::Pass, 0), "all");
    assert_eq!(mark(0, Verdict::Unsupported, 3), "none");
    assert_eq!(mark(2, Verdict::Unsupported, 1), "part");
    assert_eq!(mark(30, Verdict::Fail, 1), "fail-1");
    assert_eq!(mark(10, Verdict::Crash, 1), "fail-2");
    assert_eq!(mark(2, Verdict::Timeout, 1), "fail-3");
}

#[test]
fn without_a_script_every_case_that_failed_stands_below_its_operator_once() {
    let mut count = 0;
    for reports in [full(), hostile()] {
        let failed = |report: &Report| {
            let failed = report.cases.iter().filter(|case| case.verdict.is_failure());
            failed.map(|case| case.id.clone()).collect::<Vec<_>>()
        };
        let failed: BTreeSet<_> = reports.iter().flat_map(failed).collect();
        let page = shown(reports);
        let (_, groups) = page.split_once(r#"<section id="disagreements""#).unwrap();
        let (groups, _) = groups.split_once("</section>").unwrap();
        let listed = captures(r#"<li><a href="([^"]*)"><bdi>"#, groups);
        let once: BTreeSet<_> = listed.iter().copied().collect();
        assert_eq!(once.len(), listed.len());
        for id in &failed {
            assert!(listed.contains(&format!("#case-{id}").as_str()), "{id}: {listed:?}");
        }
        count += failed.len();
        assert_eq!(page.matches("<article").count(), 0, "the details are packed");
    }
    assert!(count > 0);
}

#[test]
fn requirements_that_no_backend_was_asked_for_are_counted_without_a_table() {
    let section = |statuses: &[Option<&str>]| {
        let mut all = scoreboard(full());
        let own = |status: &Option<&str>| status.map(str::to_owned);
        let backends = statuses.iter().map(own).collect();
        all.requirements = vec![Requirement { id: "P_DIV_R1".to_owned(), backends }];
        let page = html::to_text(&all).unwrap();
        let (_, section) = page.split_once(r#"<section id="requirements""#).unwrap();
        section.split_once("</section>").unwrap().0.to_owned()
    };
    let none = section(&[None, None, None]);
    assert!(!none.contains("<table") && none.contains("1 further requirement"), "{none}");
    let one = section(&[Some("verified"), None, None]);
    assert!(one.contains("<table") && !one.contains("further"), "{one}");
}

#[test]
fn a_case_shows_the_bits_of_every_backend_and_marks_what_is_not_exact() {
    let body = body(full());
    let (_, case) = body.split_once(r#"<article id="case-c/div">"#).unwrap();
    let (case, _) = case.split_once("</article>").unwrap();
    let bits = captures(r"<code>(0x[0-9a-f]*)</code>", case);
    assert_eq!(bits, ["0x3eaaaaab", "0x3eaaaaaa", "0x3eaaaaab", "0x3eaaaaab"]);
    assert_eq!(captures(r#"<span class="wrong"><bdi>([^<]*)"#, case), ["0.3333333"]);
    assert!(case.contains("<bdi>1 (0x3f800000)</bdi><br><bdi>3 (0x40400000)</bdi>"), "{case}");
}

#[test]
fn hostile_strings_make_no_element_and_no_attribute() {
    let values = Regex::new(r#""[^"]*""#).unwrap();
    let names = |body: &str| {
        captures(r"<([^>]*)>", body)
            .into_iter()
            .flat_map(|tag| {
                let bare = values.replace_all(tag, "").into_owned();
                bare.split([' ', '=']).map(str::to_owned).collect::<Vec<_>>()
            })
            .collect::<BTreeSet<_>>()
    };
    let (hostile, tame) = (body(hostile()), body(full()));
    // What only some scoreboards have.
    let known: BTreeSet<_> =
        names(&tame).into_iter().chain(["tabindex".to_owned(), "open".to_owned()]).collect();
    let new: Vec<_> = names(&hostile).into_iter().filter(|name| !known.contains(name)).collect();
    assert_eq!(new, [] as [&str; 0]);
    assert!(!hostile.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
    assert!(hostile.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn nothing_but_the_own_style_and_script_may_apply_and_nothing_is_fetched() {
    let page = page(hostile());
    let policy = captures(r#"Content-Security-Policy" content="([^"]*)""#, &page)[0];
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
        let found = captures(&format!("(?s)<{element}>(.*?)</{element}>"), &page);
        assert_eq!(found.len(), 1, "one {element}");
        let digest = BASE64_STANDARD.encode(Sha256::digest(found[0]));
        assert!(policy.contains(&format!("{directive} &#39;sha256-{digest}&#39;")), "{policy}");
    }
    assert!(!page.contains(" style="), "the policy would not let it apply");
    for fetching in ["url(", "@import", "http:", "https:", "fetch(", "<link"] {
        assert!(!page.contains(fetching), "{fetching}");
    }
}
