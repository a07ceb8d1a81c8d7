//! `matrix.html`, as text.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::matrix::html;
use onnx_conformance::judge::verdict::Verdict;
use regex::Regex;
use sha2::{Digest, Sha256};

use super::reports;
use super::synthetic::{everything, of_report, report};
use crate::packed::unpacked;

/// The page without style and script.
fn body(page: &str) -> &str {
    &page[page.find("<body>").unwrap()..]
}

fn captures<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    Regex::new(pattern)
        .unwrap()
        .captures_iter(text)
        .map(|found| found.extract::<1>().1[0])
        .collect()
}

#[test]
fn the_page_of_a_small_matrix_reads_as_it_should() {
    let tool = reports::report(vec![]).tool;
    let matrix = Matrix { tool, ..everything() };
    insta::assert_snapshot!(body(&unpacked(&html::to_text(&matrix).unwrap())));
}

#[test]
fn without_a_script_every_requirement_is_there_and_every_case_that_did_not_pass() {
    let matrix = everything();
    let page = html::to_text(&matrix).unwrap();
    let without = Regex::new("(?s)<script>.*?</script>").unwrap().replace(&page, "").into_owned();
    for requirement in &matrix.requirements {
        let (id, status) = (&requirement.id, requirement.status);
        let words = status.to_string().replace('_', " ");
        let row = format!("<article id=\"{id}\"><p class=\"verdict {status}\">{words}</p>");
        assert!(without.contains(&row), "{id}");
        let (_, row) = without.split_once(&row).unwrap();
        let (row, _) = row.split_once("</article>").unwrap();
        let others = requirement.cases.iter().filter(|case| case.verdict != Verdict::Pass);
        for case in others {
            let item = format!("<li><span class=\"verdict {0}\">{0}</span>", case.verdict);
            assert!(row.contains(&item), "{id}: {}", case.id);
        }
    }
    assert_eq!(captures(r"<([a-z]+)[^>]* hidden", &without), ["button"], "the theme switch");
    // The form is of no use then, and the style shows it to the script alone.
    assert!(without.contains("#filters { display: none; }"));
}

#[test]
fn a_report_without_a_page_is_not_linked_to() {
    let report = report(&[("onnx-1.22.0/a", Verdict::Pass, &["P_A"])]);
    let page = unpacked(&html::to_text(&of_report(&report)).unwrap());
    let links = captures(r#"href="([^"]*)""#, body(&page));
    assert!(links.iter().all(|link| link.starts_with('#')), "{links:?}");
    assert!(page.contains("<bdi><span>onnx-1.22.0/</span>a</bdi>"));
}

#[test]
fn nothing_but_the_own_style_and_script_may_apply_and_nothing_is_fetched() {
    let page = html::to_text(&everything()).unwrap();
    let policy = captures(r#"Content-Security-Policy" content="([^"]*)""#, &page)[0];
    for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
        let found = captures(&format!("(?s)<{element}>(.*?)</{element}>"), &page);
        assert_eq!(found.len(), 1, "one {element}");
        let digest = BASE64_STANDARD.encode(Sha256::digest(found[0]));
        assert!(policy.contains(&format!("{directive} &#39;sha256-{digest}&#39;")), "{policy}");
    }
    assert!(policy.starts_with("default-src &#39;none&#39;;") && !policy.contains("unsafe"));
    for fetching in ["src=", "url(", "@import", "http:", "https:", "fetch(", "<link"] {
        assert!(!page.contains(fetching), "{fetching}");
    }
}

#[test]
fn hostile_strings_make_no_element_and_no_attribute() {
    let page = unpacked(&html::to_text(&of_report(&reports::hostile())).unwrap());
    let names = |page: &str| -> BTreeSet<String> {
        let values = Regex::new(r#""[^"]*""#).unwrap();
        let bare = |tag: &&str| values.replace_all(tag, "").into_owned();
        captures(r"<([^>]*)>", body(page))
            .iter()
            .map(bare)
            .flat_map(|tag| tag.split([' ', '=']).map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let known = names(&unpacked(&html::to_text(&everything()).unwrap()));
    let new: Vec<_> = names(&page).into_iter().filter(|name| !known.contains(name)).collect();
    assert_eq!(new, [] as [&str; 0]);
    assert!(!body(&page).contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
}
