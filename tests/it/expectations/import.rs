//! Lists of other projects, taken over.

use onnx_conformance::judge::expect::import::{ImportError, Imported};
use onnx_conformance::judge::expect::{Expectations, Known};
use onnx_conformance::judge::verdict::Verdict::{self, *};
use proptest::prelude::*;

/// In the form of ONNX Runtime's filters.
const FILTERS: &str = r#"
// What is excluded, and where.
{
  /* everywhere */
  "current_failing_tests": [
    "^test_one_cpu", // rounds "down"
    "^test_two", // NOT_IMPLEMENTED : no kernel
    // of the next one
    "^test_two_more",
    "^test_(three|four)_cpu", "^test_five_[a-z]*_six",
  ],
  "current_failing_tests_ELSEWHERE": ["^test_seven"],
  "unsupported_usages": [
    "test_eight \\\"" ,
    "^test_nine_cuda" ], // the end
}
"#;

/// In the form of burn-onnx's expectations.
const STATUSES: &str = r##"
[test_pass]
status = "pass"

[test_wrong]
status = "fail-compare"
reason = "rounds up"
tracking = "#7"
wontfix = true

[test_missing]
status = "skip-codegen"
tracking = "https://example.org/issues/8"

[test_moody]
status = "flaky"
reason = "order of threads"

[test_odd]
status = "unheard-of"
"##;

fn taken(text: &str, lists: &[&str]) -> Result<Imported, ImportError> {
    let lists: Vec<_> = lists.iter().map(|&list| list.to_owned()).collect();
    Imported::of("theirs", text, &lists)
}

fn told(known: &[Known]) -> Vec<(&str, Verdict, bool, &str)> {
    known
        .iter()
        .map(|entry| (entry.cases.as_str(), entry.verdict, entry.flaky, entry.reason.as_str()))
        .collect()
}

#[test]
fn filters_of_onnx_runtime_become_entries_with_their_comments_as_reasons() {
    let imported = taken(FILTERS, &[]).unwrap();
    let list = "in current_failing_tests";
    assert_eq!(
        told(&imported.entries),
        [
            ("test_one", Fail, false, "rounds \"down\" (current_failing_tests)"),
            (
                "test_two*",
                Unsupported,
                false,
                "NOT_IMPLEMENTED : no kernel (current_failing_tests)"
            ),
            ("test_three", Fail, false, list),
            ("test_four", Fail, false, list),
            ("*test_eight \"*", Unsupported, false, "in unsupported_usages"),
        ]
    );
    // `test_two` is found in `test_two_more`, too.
    assert_eq!(imported.covered, 1);
    let left: Vec<_> = imported.left.iter().map(|(what, _)| what.as_str()).collect();
    assert_eq!(
        left,
        [
            "current_failing_tests: ^test_five_[a-z]*_six",
            "current_failing_tests_ELSEWHERE",
            "unsupported_usages: ^test_nine_cuda"
        ]
    );
}

#[test]
fn lists_of_one_platform_are_taken_where_they_are_asked_for() {
    let imported = taken(FILTERS, &["current_failing_tests_ELSEWHERE"]).unwrap();
    let reason = "in current_failing_tests_ELSEWHERE";
    assert_eq!(told(&imported.entries), [("test_seven*", Fail, false, reason)]);
    let error = taken(FILTERS, &["none"]).unwrap_err().to_string();
    assert!(error.contains("no list `none`; its lists are: current_failing_tests, "), "{error}");
}

#[test]
fn expectations_of_burn_become_entries_by_their_status() {
    let imported = taken(STATUSES, &[]).unwrap();
    assert_eq!(
        told(&imported.entries),
        [
            ("test_missing", Unsupported, false, "skip-codegen"),
            ("test_moody", Fail, true, "order of threads"),
            ("test_wrong", Fail, false, "rounds up (#7)"),
        ]
    );
    assert_eq!(imported.entries[0].link.as_deref(), Some("https://example.org/issues/8"));
    assert_eq!(imported.left, [("test_odd".to_owned(), "its status is `unheard-of`".to_owned())]);
}

#[test]
fn what_is_taken_over_is_added_once_and_what_is_not_stands_there_as_a_comment() {
    let imported = taken(FILTERS, &[]).unwrap();
    let mine = "# Mine.\n[[known]]\ncases = 'test_one'\nverdict = 'crash'\nreason = 'traps'\n";
    let list = imported.added_to(mine, "mine.toml", "their\nfile").unwrap();
    assert!(
        list.starts_with(&format!("{mine}\n# From their\\nfile.\n# Not taken over: ")),
        "{list}"
    );
    assert!(list.contains("# Not taken over: unsupported_usages: ^test_nine_cuda: "), "{list}");
    let known = Expectations::parse("mine.toml", &list).unwrap();
    let cases: Vec<_> = known.entries().iter().map(|entry| entry.cases.as_str()).collect();
    assert_eq!(cases, ["test_one", "test_two*", "test_three", "test_four", "*test_eight \"*"]);
    assert_eq!(imported.added_to(&list, "mine.toml", "theirs").unwrap(), list);
}

#[test]
fn a_file_in_no_known_form_is_refused() {
    for (text, words) in [
        ("{\"a\": [1]}", "as filters of ONNX Runtime's tests"),
        ("{\"a\": [\"b\"", "as filters"),
        ("{\"a\": [\"b\"], \"a\": []}", "as filters"),
        ("// only\n{\"a\": \"b\"}", "as filters"),
        ("[test_a]\nreason = 'x'", "as burn-onnx's expectations"),
        ("", "names no test"),
        ("[test_a]\nstatus = 'pass'", "names no test"),
        ("{\"current_failing_tests\": []}", "names no test"),
        ("no toml", "as burn-onnx's expectations"),
        (
            "[[known]]\ncases = 'a'\nverdict = 'fail'\nreason = 'b'",
            "a list of known failures already",
        ),
    ] {
        let error = taken(text, &[]).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let many = vec!["\"^test_[abcdefgh]_cpu\""; 2_000].join(",");
    let error = taken(&format!("{{\"a\": [{many}]}}"), &[]).unwrap_err().to_string();
    assert!(error.contains("more than 10000 entries"), "{error}");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_what_it_takes_is_a_list(
        text in "(//|/\\*|\\*/|[{}\\[\\]:,\"\\\\^$.*+?()|a-c_\n ]|\"\\^test_[abc(|)?.*_]{0,9}(_cpu)?\"){0,40}"
    ) {
        for text in [text.clone(), format!("{{\"a\": [{text}]}}")] {
            if let Ok(imported) = taken(&text, &[]) {
                let list = imported.added_to("", "mine.toml", "theirs").unwrap();
                let known = Expectations::parse("mine.toml", &list).unwrap();
                prop_assert_eq!(known.entries().len(), imported.entries.len());
            }
        }
    }
}
