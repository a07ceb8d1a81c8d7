//! What the test of a case shows, by its result and by what was known.

use std::env;

use libtest_mimic::{Completion, Failed};

use crate::foundation::printable::{on_one_line, printed};
use crate::foundation::text::words;
use crate::judge::expect::{Expectations, Known};
use crate::judge::verdict::Verdict;
use crate::run::CaseResult;

/// Whether this is a test of `cargo nextest`, which shows one that is ignored while it runs as one that passes.
pub(super) fn is_in_nextest() -> bool {
    env::var_os("NEXTEST").is_some()
}

/// Whether a list says by the id of a case alone that there is nothing to run.
pub(super) fn is_ignored(list: &Expectations, id: &str) -> bool {
    let entry = list.possible(id).first().and_then(|&at| list.entries().get(at));
    entry.is_some_and(|entry| {
        entry.asks_for_ids_alone()
            && matches!(entry.verdict, Verdict::Unsupported | Verdict::Skipped)
    })
}

/// How the test of a case ends. Where it cannot be told that it was ignored, what is unsupported unknown to the list
/// fails.
pub(super) fn of(
    result: &CaseResult,
    known: Option<&Known>,
    is_untold: bool,
) -> Result<Completion, Failed> {
    let message = result.message.as_deref().unwrap_or_default();
    let reason = known.map_or("", |known| &known.reason);
    let verdict = words(result.verdict);
    let ignored = |why: String| Ok(Completion::ignored_with(on_one_line(&why)));
    match result.verdict {
        Verdict::Pass if result.is_unexpected_pass() => failed(&format!(
            "it passes, but is expected to have the verdict `{}`: {reason}\n\
             remove the entry `{}`, or narrow it to the cases that have it",
            words(result.expected),
            known.map_or_else(String::new, Known::described)
        )),
        Verdict::Pass => Ok(Completion::Completed),
        Verdict::Unsupported if is_untold && result.expected != Verdict::Unsupported => {
            failed(&format!(
                "unsupported: {message}\n\
                 say so in the list of expectations:\n\
                 [[known]]\ncases = \"{}\"\nverdict = \"unsupported\"\nreason = \"...\"",
                result.id
            ))
        }
        Verdict::Unsupported | Verdict::OutOfDomain | Verdict::Skipped => {
            ignored(format!("{verdict}: {message}"))
        }
        _ if result.is_unexpected_failure() => failed(&result.to_string()),
        _ => ignored(format!("{verdict}, as is known: {reason}")),
    }
}

fn failed(why: &str) -> Result<Completion, Failed> {
    Err(printed(why, false).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Crash, Fail, Fault, OutOfDomain, Pass, Skipped, Timeout, Unsupported};

    fn result(verdict: Verdict, expected: Verdict) -> CaseResult {
        let message = Some("its words".to_owned());
        CaseResult { id: "a/b".to_owned(), verdict, expected, message, ..CaseResult::default() }
    }

    fn shown(verdict: Verdict, expected: Verdict, is_untold: bool) -> String {
        let known = Known { cases: "a/*".to_owned(), reason: "why".to_owned(), ..Known::default() };
        let known = Some(&known).filter(|_| expected != Pass);
        match of(&result(verdict, expected), known, is_untold) {
            Ok(Completion::Completed) => "passes".to_owned(),
            Ok(Completion::Ignored { reason }) => format!("ignored, {}", reason.unwrap()),
            Err(failed) => format!("fails, {}", failed.message().unwrap()),
        }
    }

    #[test]
    fn only_what_conforms_passes() {
        for verdict in Verdict::ALL {
            assert_eq!(shown(verdict, Pass, false) == "passes", verdict == Pass, "{verdict}");
        }
    }

    #[test]
    fn what_was_not_known_fails_with_its_reason() {
        for verdict in [Fail, Crash, Timeout, Fault] {
            let told = shown(verdict, Pass, false);
            assert!(told.starts_with("fails, ") && told.contains("its words"), "{told}");
            // Another failure than the one that is known is none.
            let other = if verdict == Fail { Crash } else { Fail };
            assert!(shown(verdict, other, false).starts_with("fails, "), "{verdict}");
            let told = shown(verdict, verdict, false);
            assert_eq!(told, format!("ignored, {verdict}, as is known: why"));
        }
    }

    #[test]
    fn a_list_that_is_out_of_date_fails_unless_it_is_of_what_comes_and_goes() {
        assert!(shown(Pass, Fail, false).contains("remove the entry `a/*`"));
        let flaky = CaseResult { flaky: true, ..result(Pass, Crash) };
        assert!(matches!(of(&flaky, None, false), Ok(Completion::Completed)));
    }

    #[test]
    fn what_is_unsupported_is_ignored_and_where_that_is_not_shown_it_has_to_be_known() {
        for (expected, is_untold) in [(Pass, false), (Unsupported, false), (Unsupported, true)] {
            let told = shown(Unsupported, expected, is_untold);
            assert_eq!(told, "ignored, unsupported: its words");
        }
        let told = shown(Unsupported, Pass, true);
        assert!(told.starts_with("fails, unsupported: its words\n"), "{told}");
        let (_, entry) = told.split_once("[[known]]").unwrap();
        assert!(Expectations::parse("x.toml", &format!("[[known]]{entry}")).is_ok(), "{told}");
        assert_eq!(shown(OutOfDomain, Pass, true), "ignored, out of domain: its words");
        assert_eq!(shown(Skipped, Skipped, true), "ignored, skipped: its words");
    }

    #[test]
    fn what_an_id_alone_tells_to_be_unsupported_or_skipped_is_ignored_before_it_is_run() {
        let list = |text: &str| Expectations::parse("x.toml", text).unwrap();
        let entry = |verdict: &str, more: &str| {
            format!("[[known]]\ncases = 'a/*'\nverdict = '{verdict}'\nreason = 'x'\n{more}\n")
        };
        for (verdict, ignored) in [("unsupported", true), ("skipped", true), ("fail", false)] {
            assert_eq!(is_ignored(&list(&entry(verdict, "")), "a/b"), ignored, "{verdict}");
        }
        assert!(!is_ignored(&list(&entry("unsupported", "op = 'Div'")), "a/b"));
        assert!(!is_ignored(&list(&entry("unsupported", "")), "b/b"));
        // The first entry that may decide is another one.
        let text = entry("fail", "op = 'Div'") + &entry("unsupported", "");
        assert!(!is_ignored(&list(&text), "a/b"));
    }
}
