//! Which reports can be set side by side.

use onnx_conformance::corpus::Home;
use onnx_conformance::documents::report::document::{ExpectationsList, Report};
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use onnx_conformance::documents::scoreboard::{Joined, combine, html};
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;

use super::synthetic::{case, corpus, report, scoreboard, sources, under};

fn passing(name: &str, id: &str) -> Report {
    report(name, vec![case(id, "Div", Verdict::Pass)])
}

fn refusal(reports: Vec<Report>) -> String {
    Joined::of(&sources(reports)).unwrap_err().to_string()
}

#[test]
fn one_backend_twice_under_one_profile_is_refused_where_a_case_is_in_both() {
    let message = refusal(vec![passing("a", "c/1"), passing("b", "c/1"), passing("a", "c/1")]);
    assert_eq!(
        message,
        "failed to compare `0.json` with `2.json`: both report a 1.0 under the profile `onnx`, \
         and both have the case `c/1`; leave one of them out"
    );
}

#[test]
fn one_backend_twice_on_other_cases_or_under_other_profiles_has_two_columns() {
    let other_case = scoreboard(vec![passing("a", "c/1"), passing("a", "c/2")]);
    assert_eq!(other_case.backends.len(), 2);
    let exact = under("ieee754", passing("a", "c/1"));
    let other_profile = scoreboard(vec![passing("a", "c/1"), exact]);
    let profiles: Vec<_> = other_profile.backends.iter().map(|one| one.profile.as_str()).collect();
    assert_eq!(profiles, ["onnx", "ieee754"]);
}

#[test]
fn each_column_says_which_list_of_known_failures_was_used_and_is_of_one_alone() {
    let list =
        |name: &str| Some(ExpectationsList { name: name.to_owned(), sha256: "0".repeat(64) });
    let with = |id: &str, list: Option<ExpectationsList>| {
        let mut report = passing("a", id);
        report.expectations_list = list;
        report
    };
    let reports = vec![
        with("c/1", list("a.toml")),
        with("c/2", None),
        with("c/3", list("a.toml")),
        with("c/4", None),
    ];
    let sources = combine(sources(reports), &Catalogue::embedded().unwrap()).unwrap();
    let board = Scoreboard::of(&Joined::of(&sources).unwrap(), &Home::find().unwrap()).unwrap().0;
    let lists: Vec<_> = board.backends.iter().map(|one| one.expectations_list.clone()).collect();
    assert_eq!(lists, [list("a.toml"), None]);
    let page = html::to_text(&board).unwrap();
    for told in [
        "a 1.0 onnx a.toml, known failures</dt><dd>a.toml <code",
        "a 1.0 onnx no list, known failures</dt><dd>no list was used",
        &"0".repeat(64),
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
}

#[test]
fn a_corpus_of_another_digest_is_refused() {
    let mut other = passing("b", "c/1");
    other.corpora = vec![corpus("c", "ffff")];
    let message = refusal(vec![passing("a", "c/1"), other]);
    let digests = format!("the corpus `c` has the digests {} and ffff,", "6b86b273".repeat(8));
    assert!(message.contains(&format!("`0.json` with `1.json`: {digests}")), "{message}");
}

#[test]
fn a_report_that_contradicts_itself_is_refused() {
    let twice = || case("c/1", "Div", Verdict::Pass);
    let message = refusal(vec![report("a", vec![twice(), twice()])]);
    assert!(message.contains("`0.json`: `cases` has `c/1` twice"), "{message}");
    let message = refusal(vec![passing("a", "d/1")]);
    assert!(message.contains("the case `d/1` is of none of `corpora`"), "{message}");
    let mut corpora = passing("a", "c/1");
    corpora.corpora = vec![corpus("c", "1"), corpus("c", "1")];
    assert!(refusal(vec![corpora]).contains("`corpora` has `c` twice"));
}

#[test]
fn a_case_that_a_report_does_not_have_was_not_asked_and_is_no_pass() {
    let scoreboard = scoreboard(vec![passing("a", "c/2"), passing("b", "c/10")]);
    let ids: Vec<_> = scoreboard.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["c/2", "c/10"], "in natural order");
    assert_eq!(scoreboard.cases[0].backends[1], None);
    let [div] = &scoreboard.operators[..] else { panic!() };
    assert_eq!(
        div.backends.iter().map(|one| (one.passed, one.asked)).collect::<Vec<_>>(),
        [(1, 1), (1, 1)]
    );
    assert_eq!(scoreboard.disagreements, []);
}

#[test]
fn operators_with_an_oracle_come_first_and_graphs_of_several_last() {
    let operators = ["Softplus", "Zeta", "Div, Sqrt", "Divide", "Sqrt", "Exp", "Div"];
    let cases = operators.iter().map(|name| case(&format!("c/{name}"), name, Verdict::Unsupported));
    let scoreboard = scoreboard(vec![report("a", cases.collect())]);
    let names: Vec<_> = scoreboard.operators.iter().map(|one| one.name.as_deref()).collect();
    let known = ["Div", "Divide", "Exp", "Softplus", "Sqrt", "Zeta"].map(Some);
    assert_eq!(names, [&known[..], &[None]].concat());
    let unsupported = scoreboard.operators[0].backends[0];
    assert_eq!((unsupported.passed, unsupported.asked), (0, 1));
}
