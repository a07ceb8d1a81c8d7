//! Deep links, both ways: what a page links to is there.

use std::collections::{BTreeMap, BTreeSet};

use onnx_conformance::documents::matrix;
use onnx_conformance::documents::report;
use onnx_conformance::measure::campaign::page;
use regex::Regex;

use super::reports;
use super::synthetic::{Everything, catalogue};
use crate::packed::unpacked;

/// Pages by their paths, as in one folder.
pub(crate) type Pages = BTreeMap<String, String>;

fn captures<'a>(pattern: &str, text: &'a str) -> Vec<&'a str> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).map(|found| found.extract::<1>().1[0]).collect()
}

/// The path that an address on a page leads to, and the fragment.
fn target(page: &str, address: &str) -> (String, String) {
    let (path, fragment) = address.split_once('#').unwrap_or((address, ""));
    let mut parts: Vec<&str> = page.split('/').collect();
    if !path.is_empty() {
        parts.pop();
        for part in path.split('/') {
            if part == ".." {
                assert!(parts.pop().is_some(), "{address} leaves the folder");
            } else {
                parts.push(part);
            }
        }
    }
    (parts.join("/"), fragment.to_owned())
}

/// The links of all pages, as from page, page and fragment. Every one has to lead to an element.
pub(crate) fn followed(pages: &Pages) -> BTreeSet<(&str, String, String)> {
    let pages: BTreeMap<_, _> = pages.iter().map(|(path, text)| (path, unpacked(text))).collect();
    let ids = |text: &str| -> BTreeSet<String> {
        let ids = captures(r#" id="([^"]*)""#, text);
        let own: BTreeSet<_> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(own.len(), ids.len(), "no id twice");
        own
    };
    let ids: BTreeMap<_, _> =
        pages.iter().map(|(path, text)| ((*path).clone(), ids(text))).collect();
    let mut links = BTreeSet::new();
    for (from, text) in &pages {
        for address in captures(r#"href="([^"]*)""#, text) {
            let (path, fragment) = target(from, address);
            let there = ids.get(&path).unwrap_or_else(|| panic!("{from}: {address} leads nowhere"));
            // A fragment with `=` holds filters.
            let is_found =
                fragment.is_empty() || fragment.contains('=') || there.contains(&fragment);
            assert!(is_found, "{from}: nothing is at {address}");
            links.insert((from.as_str(), path, fragment));
        }
    }
    links
}

#[test]
fn every_link_between_the_pages_of_a_folder_leads_to_its_element_both_ways() {
    let everything = Everything::new();
    let matrix = everything.matrix(
        ["reports/1/report.html", "reports/a%20b/report.html"],
        [Some("campaigns/1/campaign.html"), Some("campaigns/2/campaign.html"), None],
    );
    let mut pages =
        Pages::from([("matrix.html".to_owned(), matrix::html::to_text(&matrix).unwrap())]);
    for (name, report) in ["1", "a%20b"].iter().zip(everything.reports()) {
        let text = report::html::to_text(report, Some("../../matrix.html")).unwrap();
        pages.insert(format!("reports/{name}/report.html"), text);
    }
    for (name, campaign) in ["1", "2"].iter().zip(everything.campaigns()) {
        let text = page(campaign, Some("../../matrix.html")).unwrap();
        pages.insert(format!("campaigns/{name}/campaign.html"), text);
    }
    let links = followed(&pages);
    let has = |from: &str, path: &str, fragment: &str| {
        assert!(
            links.contains(&(from, path.to_owned(), fragment.to_owned())),
            "{from} does not link to {path}#{fragment}"
        );
    };
    let (one, two) = ("reports/1/report.html", "reports/a%20b/report.html");
    has("matrix.html", one, "case-onnx-1.22.0/node/test_9");
    has("matrix.html", two, "case-onnx-1.22.0/node/a~20b");
    has("matrix.html", "campaigns/2/campaign.html", "summary");
    has(one, "matrix.html", "P_B");
    has(one, "matrix.html", "requirement-p~20~3cb~3e");
    has(two, "matrix.html", "P_C");
    has("campaigns/1/campaign.html", "matrix.html", "P_A");
}

#[test]
fn hostile_ids_are_linked_and_found() {
    let mut report = reports::hostile();
    // It lists a case that it does not have.
    report.requirements[0].cases.clear();
    let source = matrix::Source { document: &report, page: Some("report.html") };
    let matrix = matrix::document::Matrix::of(&catalogue(), &[source], &[]).unwrap();
    let pages = Pages::from([
        ("matrix.html".to_owned(), matrix::html::to_text(&matrix).unwrap()),
        ("report.html".to_owned(), report::html::to_text(&report, Some("matrix.html")).unwrap()),
    ]);
    assert!(followed(&pages).len() > 2 * reports::HOSTILE.len());
}
