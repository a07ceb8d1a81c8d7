//! `onnx-conformance site`: pages with the history of many reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::gate::{ChangeKind, Comparison, Weight};
use onnx_conformance::documents::report::baseline::Baseline;
use onnx_conformance::documents::report::document::{
    Case, Expectation, ExpectationsList, FORMAT_VERSION, Report, Shard,
};
use onnx_conformance::documents::site::document::{Backend, Operator, Site};
use onnx_conformance::documents::site::{Made, SiteError, make};
use onnx_conformance::judge::verdict::Verdict;
use regex::Regex;
use serde_json::{Value, json};
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::scoreboard::synthetic::{HOSTILE, case, report, returned};

/// A report of a backend that was started on a day of a month.
fn of_day(name: &str, day: u32, cases: Vec<Case>) -> Report {
    let mut report = report(name, cases);
    report.provenance.clock = format!("2026-11-{day:02}T08:00:00Z");
    report.corpora[0].cases = 2_000;
    report
}

fn passing(id: &str, operator: &str) -> Case {
    returned(id, operator, Verdict::Pass, &["1 (0x3f800000)"], vec![])
}

/// The reports in files of a folder, in their order.
struct Reports {
    folder: TempDir,
    paths: Vec<PathBuf>,
}

fn written(reports: &[Report]) -> Reports {
    let folder = tempfile::tempdir().unwrap();
    let write = |(at, report): (usize, &Report)| {
        let path = folder.path().join(format!("{at}.json"));
        fs::write(&path, report.to_bytes().unwrap()).unwrap();
        path
    };
    let paths = reports.iter().enumerate().map(write).collect();
    Reports { folder, paths }
}

fn made(reports: &[Report]) -> Made {
    make(&written(reports).paths).unwrap()
}

fn backend(made: &Made, name: &str) -> Backend {
    let standing = made.site.backends.iter().find(|one| one.name == name).unwrap();
    let path = standing.page.replace(".html", ".json");
    Backend::from_bytes(Path::new(&path), &made.files[&path]).unwrap()
}

fn operator(made: &Made, name: &str) -> Operator {
    let row = made.site.operators.iter().find(|one| one.name == name).unwrap();
    let path = row.page.replace(".html", ".json");
    Operator::from_bytes(Path::new(&path), &made.files[&path]).unwrap()
}

fn page<'a>(made: &'a Made, path: &str) -> &'a str {
    str::from_utf8(&made.files[path]).unwrap()
}

/// Two backends, one of which got worse in one operator.
fn history() -> Vec<Report> {
    let div = |verdict| match verdict {
        Verdict::Pass => passing("c/div", "Div"),
        verdict => case("c/div", "Div", verdict),
    };
    let sqrt = |verdict| case("c/sqrt", "Sqrt", verdict);
    vec![
        of_day("runtime", 3, vec![div(Verdict::Crash), sqrt(Verdict::OutOfDomain)]),
        of_day("runtime", 1, vec![div(Verdict::Timeout), sqrt(Verdict::Unsupported)]),
        of_day("runtime", 2, vec![div(Verdict::Pass), sqrt(Verdict::OutOfDomain)]),
        of_day("other", 2, vec![div(Verdict::Pass)]),
    ]
}

fn tool(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .arg("site")
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Every file below a folder, with its content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let named = files.map(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        (path, fs::read(entry.path()).unwrap())
    });
    named.collect()
}

#[test]
fn the_same_reports_in_any_order_give_the_same_bytes() {
    let reports = written(&history());
    let first = make(&reports.paths).unwrap().files;
    let mut paths = reports.paths.clone();
    for _ in 0..paths.len() {
        paths.rotate_left(1);
        assert!(make(&paths).unwrap().files == first);
    }
    paths.reverse();
    // One that is named twice, or lies in two files, is one report.
    fs::copy(&paths[0], reports.folder.path().join("copy.json")).unwrap();
    paths.extend([paths[0].clone(), reports.folder.path().join("copy.json")]);
    assert!(make(&paths).unwrap().files == first);
}

#[test]
fn each_report_is_compared_with_the_one_before_it_as_the_gate_does() {
    let reports = history();
    let made = made(&reports);
    let runtime = backend(&made, "runtime");
    let [series] = &runtime.series[..] else { panic!("{:?}", runtime.series) };
    let days: Vec<&str> = series.reports.iter().map(|one| &one.clock[8..10]).collect();
    assert_eq!(days, ["01", "02", "03"]);
    let findings: Vec<_> =
        series.reports.iter().map(|one| one.since.as_ref().map(|since| since.findings)).collect();
    // The first compared nothing: it has no pass and no element.
    assert_eq!(findings, [None, None, Some(1)]);

    let [worse, _, better, _] = &reports[..] else { panic!() };
    let baseline = Baseline::of(better);
    let comparison = Comparison::of(&baseline, worse).unwrap();
    assert_eq!(comparison.count(Weight::Finding), 1);
    let since = series.reports[2].since.as_ref().unwrap();
    let [regression] = &since.regressions[..] else { panic!("{since:?}") };
    assert_eq!((regression.kind, regression.what.as_str()), (ChangeKind::NewFailure, "c/div"));
    assert_eq!(regression.operator.as_deref(), Some("Div"));
    assert_eq!(since.sha256, series.reports[1].sha256);
    assert!(regression.difference.contains(&"+ it is a crash".to_owned()), "{regression:?}");

    // It is told on every page that it concerns, and on no other.
    assert_eq!(operator(&made, "Div").backends[1].regressions, since.regressions);
    assert_eq!(operator(&made, "Sqrt").backends[0].regressions, []);
    let is_told = |path: &str| page(&made, path).contains("+ it is a crash");
    assert!(is_told("index.html") && is_told("operators/Div.html"));
    assert!(is_told("backends/runtime/index.html"));
    assert!(!is_told("backends/other/index.html") && !is_told("operators/Sqrt.html"));
}

#[test]
fn reports_of_one_time_are_ordered_by_digest() {
    let mut other = of_day("runtime", 1, vec![passing("c/div", "Div")]);
    other.backend.version = "2.0".to_owned();
    // The same time in another zone.
    other.provenance.clock = "2026-11-01T10:00:00+02:00".to_owned();
    let made = made(&[of_day("runtime", 1, vec![passing("c/div", "Div")]), other]);
    let series = &backend(&made, "runtime").series[0].reports;
    assert!(series[0].sha256 < series[1].sha256);
    assert!(series.iter().all(|one| one.clock == "2026-11-01T08:00:00Z"));
}

#[test]
fn reports_on_other_suites_variants_and_seeds_are_not_compared() {
    let base = || of_day("runtime", 1, vec![passing("c/div", "Div")]);
    let mut suite = base();
    suite.suites[0].name = "sonnx".to_owned();
    suite.cases[0].suite = "sonnx".to_owned();
    let mut variant = base();
    variant.corpora[0].name = "c+constant-inputs".to_owned();
    variant.cases[0].id = "c+constant-inputs/div".to_owned();
    let mut challenge = base();
    challenge.challenge = Some("7".to_owned());
    let mut all = vec![base(), suite, variant, challenge];
    for (report, day) in all.iter_mut().zip(1..) {
        report.provenance.clock = format!("2026-11-0{day}T08:00:00Z");
    }
    let made = made(&all);
    let series = backend(&made, "runtime").series;
    assert_eq!(series.len(), 4);
    assert!(series.iter().all(|one| one.reports.len() == 1 && one.reports[0].since.is_none()));
    let words: BTreeSet<String> = series.iter().map(|one| one.asked.words()).collect();
    let told = ["onnx", "onnx, challenge 7", "onnx, constant-inputs", "sonnx"];
    assert_eq!(words, told.map(str::to_owned).into());
}

#[test]
fn the_newest_result_of_each_case_counts() {
    let mut other = of_day("runtime", 9, vec![case("c/sqrt", "Sqrt", Verdict::Fault)]);
    other.challenge = Some("7".to_owned());
    let mut reports = history();
    reports.push(other);
    let made = made(&reports);
    let standing = made.site.backends.iter().find(|one| one.name == "runtime").unwrap();
    let summary = &standing.summary;
    assert_eq!((summary.cases, summary.crash, summary.fault), (2, 1, 1));
    assert_eq!(standing.unexpected, 2);
    let sqrt = made.site.operators.iter().find(|one| one.name == "Sqrt").unwrap();
    let asked: Vec<_> = sqrt.backends.iter().map(|one| (one.passed, one.asked)).collect();
    assert_eq!(asked, [(0, 0), (0, 1)]);
}

#[test]
fn a_badge_is_what_the_service_asks_for() {
    let badge =
        |made: &Made, path: &str| -> Value { serde_json::from_slice(&made.files[path]).unwrap() };
    let all = made(&history());
    let expected = |message: &str, color: &str| json!({"schemaVersion": 1, "label": "ONNX conformance", "message": message, "color": color});
    assert_eq!(badge(&all, "badge.json"), expected("2 backends, 1 regression", "red"));
    let of_runtime = badge(&all, "backends/runtime/badge.json");
    assert_eq!(of_runtime, expected("0 of 1 pass", "red"), "what nothing decides is not asked for");
    assert_eq!(badge(&all, "backends/other/badge.json"), expected("1 of 1 pass", "brightgreen"));
    let color = |verdict: Verdict, expected: Verdict| {
        let mut other = case("c/sqrt", "Sqrt", verdict);
        other.expected = expected;
        let report = of_day("runtime", 1, vec![passing("c/div", "Div"), other]);
        badge(&made(&[report]), "backends/runtime/badge.json")["color"].clone()
    };
    assert_eq!(color(Verdict::OutOfDomain, Verdict::Pass), "brightgreen");
    assert_eq!(color(Verdict::Unsupported, Verdict::Pass), "yellow", "no success");
    assert_eq!(color(Verdict::Crash, Verdict::Pass), "red");
    let one = made(&[of_day("runtime", 1, vec![passing("c/div", "Div")])]);
    assert_eq!(badge(&one, "badge.json"), expected("1 backend", "blue"));
}

/// A report whose list of known failures has an entry with this link.
fn with_known(link: &str) -> Report {
    let mut failing = case("c/div", "Div", Verdict::Crash);
    failing.expected = Verdict::Crash;
    let mut report = of_day("runtime", 1, vec![failing, passing("c/sqrt", "Sqrt")]);
    report.expectations_list =
        Some(ExpectationsList { name: "known.toml".to_owned(), sha256: "0".repeat(64) });
    report.expectations = vec![Expectation {
        cases: "c/div".to_owned(),
        verdict: Verdict::Crash,
        flaky: false,
        op: None,
        type_name: None,
        since_opset: None,
        until_opset: None,
        reason: "it divides by hand".to_owned(),
        link: Some(link.to_owned()),
        matched: 1,
        failures: vec!["c/div".to_owned()],
        unexpected_passes: vec![],
        stale: false,
    }];
    report
}

#[test]
fn known_failures_are_told_with_their_links_where_they_belong() {
    let link = "https://example.invalid/issues/7";
    let all = made(&[with_known(link)]);
    for path in ["backends/runtime/index.html", "operators/Div.html"] {
        let page = page(&all, path);
        assert!(page.contains("it divides by hand"), "{path}");
        assert!(page.contains(&format!(r#"<a href="{link}">"#)), "{path}");
    }
    assert!(!page(&all, "operators/Sqrt.html").contains("it divides by hand"));
    let known = &operator(&all, "Div").backends[0].known;
    assert_eq!((known.len(), known[0].link.as_deref()), (1, Some(link)));
    assert!(backend(&all, "runtime").unexpected == 0);
    let script = made(&[with_known("javascript:alert(1)")]);
    let page = page(&script, "operators/Div.html");
    assert!(page.contains("javascript:alert(1)") && !page.contains(r#"href="javascript"#));
}

#[test]
fn every_document_reads_back_and_every_file_is_listed() {
    let made = made(&history());
    let site = Site::from_bytes(Path::new("index.json"), &made.files["index.json"]).unwrap();
    assert_eq!(site, made.site);
    let listed: BTreeSet<&str> = site.files.iter().map(String::as_str).collect();
    let names = made.files.keys().map(String::as_str).filter(|name| *name != "index.json");
    assert!(listed.iter().copied().eq(names));
    for standing in &site.backends {
        backend(&made, &standing.name);
    }
    for row in &site.operators {
        operator(&made, &row.name);
    }
    // A document that says what cannot be is refused.
    let mut other: Value = serde_json::from_slice(&made.files["index.json"]).unwrap();
    other["reports"] = json!(5);
    let bytes = serde_json::to_vec(&other).unwrap();
    assert!(Site::from_bytes(Path::new("index.json"), &bytes).is_err());
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_place_in_it() {
    let made = made(&[history(), vec![with_known("https://example.invalid/7")]].concat());
    let link = Regex::new(r#"href="([^"]*)""#).unwrap();
    let mut followed = 0;
    for (path, bytes) in made.files.iter().filter(|(path, _)| path.ends_with(".html")) {
        for found in link.captures_iter(str::from_utf8(bytes).unwrap()) {
            let (file, place) = found[1].split_once('#').unwrap_or((&found[1], ""));
            if file.starts_with("https:") {
                continue;
            }
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in file.split('/') {
                match part {
                    ".." => drop(parts.pop().unwrap()),
                    part => parts.push(part),
                }
            }
            let target = if file.is_empty() { path.clone() } else { parts.join("/") };
            let text = str::from_utf8(&made.files[&target]).unwrap();
            assert!(
                place.is_empty() || text.contains(&format!(" id=\"{place}\"")),
                "{target}#{place}"
            );
            followed += 1;
        }
    }
    assert!(followed > 30, "{followed}");
}

#[test]
fn hostile_strings_make_no_element_no_attribute_and_no_path() {
    let cases = HOSTILE.iter().enumerate().map(|(at, text)| {
        let mut case = case(&format!("c/{at}"), text, Verdict::Crash);
        case.suite = (*text).to_owned();
        case.message = Some(format!("{text}\n{text}"));
        case
    });
    let mut hostile = of_day("runtime", 2, cases.collect());
    hostile.backend.version = HOSTILE[0].to_owned();
    let suite = hostile.suites[0].clone();
    let named = |text: &&str| {
        let name = (*text).to_owned();
        onnx_conformance::documents::report::document::Suite { name, ..suite.clone() }
    };
    hostile.suites = HOSTILE.iter().map(named).collect();
    let mut before = hostile.clone();
    before.provenance.clock = "2026-11-01T08:00:00Z".to_owned();
    before.cases[0] = returned("c/0", HOSTILE[0], Verdict::Pass, &["1 (0x3f800000)"], vec![]);
    before.cases[0].suite = HOSTILE[0].to_owned();
    before.summary = onnx_conformance::documents::report::document::Summary::of(&before.cases);
    let all = made(&[hostile, before]);
    let tame = made(&[history(), vec![with_known("https://example.invalid/7")]].concat());

    let values = Regex::new(r#""[^"]*""#).unwrap();
    let tags = Regex::new(r"<([^>]*)>").unwrap();
    let names = |made: &Made| -> BTreeSet<String> {
        let pages = made.files.iter().filter(|(path, _)| path.ends_with(".html"));
        let bodies =
            pages.map(|(_, bytes)| str::from_utf8(bytes).unwrap().split_once("<body>").unwrap().1);
        let all = bodies.flat_map(|body| {
            tags.captures_iter(body).map(|tag| tag[1].to_owned()).collect::<Vec<_>>()
        });
        let bare = all.map(|tag| values.replace_all(&tag, "").into_owned());
        bare.flat_map(|tag| tag.split([' ', '=']).map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let new: Vec<String> = names(&all).difference(&names(&tame)).cloned().collect();
    assert_eq!(new, [] as [&str; 0]);
    let plain =
        Regex::new(r"^([A-Za-z0-9][A-Za-z0-9._~-]*/)*~?[A-Za-z0-9][A-Za-z0-9._~-]*$").unwrap();
    assert!(all.files.keys().all(|path| plain.is_match(path)), "{:?}", all.files.keys());
    for (path, bytes) in &all.files {
        let text = str::from_utf8(bytes).unwrap();
        assert!(!text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')), "{path}");
    }
    assert!(page(&all, "index.html").contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn a_site_is_written_told_of_and_replaced_as_a_whole() {
    let reports = written(&history());
    let folder = reports.folder.path();
    let output = tool(folder, &["0.json", "1.json", "2.json", "3.json", "--out", "deep/site"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4 reports of 2 backends, 2 operators"), "{text}");
    assert!(text.contains("  onnx: 3 reports, 1 regression\n"), "{text}");
    assert!(text.contains("deep/site/index.html, 13 files"), "{text}");
    let site = folder.join("deep/site");
    assert!(files(&site) == make(&reports.paths).unwrap().files);
    assert_eq!(fs::read_dir(folder.join("deep")).unwrap().count(), 1, "nothing else is left");

    // An earlier site goes with all its pages.
    let output = tool(folder, &["3.json", "--out", "deep/site"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(files(&site) == make(&reports.paths[3..]).unwrap().files);
    assert!(!site.join("backends/runtime").exists());
}

#[test]
fn a_folder_with_anything_else_stays_as_it_is() {
    let reports = written(&history()[3..]);
    let folder = reports.folder.path();
    let refused = |out: &str, words: &str| {
        let before = files(folder);
        let output = tool(folder, &["0.json", "--out", out]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(out) && error.contains(words), "{error}");
        assert!(error.contains("name a folder that does not exist or is empty"), "{error}");
        assert!(files(folder) == before);
    };
    fs::create_dir(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/thesis.txt"), "years of work").unwrap();
    refused("mine", "it contains something other than a site");
    fs::write(folder.join("file"), "").unwrap();
    refused("file", "something other than a folder has that name");
    symlink("mine", folder.join("link")).unwrap();
    refused("link", "something other than a folder has that name");

    assert!(tool(folder, &["0.json", "--out", "site"]).status.success());
    for path in ["site/CNAME", "site/operators/mine.html", "site/backends/other/notes"] {
        fs::write(folder.join(path), "mine").unwrap();
        refused("site", &format!("it holds `{}`", &path["site/".len()..]));
        fs::remove_file(folder.join(path)).unwrap();
    }
    fs::create_dir(folder.join("site/empty")).unwrap();
    refused("site", "it holds `empty`");
    fs::remove_dir(folder.join("site/empty")).unwrap();
    fs::remove_file(folder.join("site/badge.json")).unwrap();
    symlink("../mine/thesis.txt", folder.join("site/badge.json")).unwrap();
    refused("site", "it holds `badge.json`");
    fs::remove_file(folder.join("site/badge.json")).unwrap();
    assert!(tool(folder, &["0.json", "--out", "site"]).status.success(), "a file may be missing");
}

#[test]
fn a_report_that_cannot_be_used_is_refused_by_name_and_nothing_is_written() {
    let mut undated = history()[0].clone();
    undated.provenance.clock = "yesterday".to_owned();
    let mut from_pack = history()[0].clone();
    from_pack.provenance.clock.clear();
    let mut shard = history()[0].clone();
    let ids: String = shard.cases.iter().map(|case| format!("{}\n", case.id)).collect();
    shard.shard = Some(Shard {
        index: 1,
        count: 2,
        selected: 4,
        selection: onnx_conformance::corpus::Digest::of(ids.as_bytes()).to_string(),
    });
    let reports = written(&[history()[3].clone(), undated, from_pack, shard]);
    let folder = reports.folder.path();
    let good = fs::read_to_string(folder.join("0.json")).unwrap();
    let version =
        good.replace(&format!("\"format_version\": {FORMAT_VERSION}"), "\"format_version\": 6");
    fs::write(folder.join("damaged.json"), &good[..good.len() / 2]).unwrap();
    fs::write(folder.join("old.json"), version).unwrap();
    fs::write(folder.join("edited.json"), good.replacen("\"pass\": 1", "\"pass\": 2", 1)).unwrap();
    for (name, code, words) in [
        ("1.json", 2, "`yesterday`, which is not in RFC 3339"),
        ("2.json", 2, "use the report that the run wrote, not the one in an evidence pack"),
        ("3.json", 2, "of the shard 1/2 alone; merge all shards first"),
        ("damaged.json", 2, "damaged or was not written by this tool"),
        ("old.json", 2, "it has format version 6"),
        ("edited.json", 4, "contradicts itself"),
        ("missing.json", 2, "is this the path of a `report.json`?"),
    ] {
        let output = tool(folder, &["0.json", name, "--out", "site"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{name}: {error}");
        assert!(error.contains(name) && error.contains(words), "{error}");
        assert!(!folder.join("site").exists());
    }
}

#[test]
fn a_site_has_bounds() {
    let reports = written(&history()[3..]);
    let many = vec![reports.paths[0].clone(); 1_001];
    let refused = |paths: &[PathBuf]| make(paths).map(|_| ()).unwrap_err();
    assert!(matches!(refused(&many), SiteError::Reports(1_001)));
    assert!(make(&many[..1_000]).is_ok(), "read a thousand times, and still one report");

    let named = |at: u32| case(&format!("c/{at}"), &format!("Op{at}"), Verdict::Unsupported);
    let operators = written(&[of_day("runtime", 1, (0..1_001).map(named).collect())]);
    assert!(
        matches!(refused(&operators.paths), SiteError::Operators(path) if path == operators.paths[0])
    );

    let backends: Vec<Report> =
        (0..101).map(|at| of_day(&format!("b{at}"), 1, vec![passing("c/div", "Div")])).collect();
    assert!(matches!(refused(&written(&backends).paths), SiteError::Backends(101)));

    // However much changed, a page lists so much of it and counts the rest.
    let all = |verdict| (0..300).map(move |at| case(&format!("c/{at}"), "Div", verdict));
    let then: Vec<Case> = all(Verdict::Pass).collect();
    let made =
        made(&[of_day("runtime", 1, then), of_day("runtime", 2, all(Verdict::Crash).collect())]);
    let series = &backend(&made, "runtime").series[0];
    let since = series.reports[1].since.as_ref().unwrap();
    assert_eq!((since.findings, since.regressions.len()), (300, 50));
    assert!(page(&made, "index.html").contains("and 250 more."));
}
