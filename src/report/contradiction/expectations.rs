//! What a report cannot say of known failures: other cases than those that its list matches.

use super::{Contradiction, ensure};
use crate::report::document::{Case, Expectation, Report};
use crate::text;

/// What is expected of each case is what the first entry says that matches it, and what is said of an entry
/// is what became of these cases.
pub(super) fn check(report: &Report) -> Result<(), Contradiction> {
    let Report { expectations, expectations_list, corpora, cases, .. } = report;
    ensure(expectations_list.is_some() || expectations.is_empty(), || {
        "there are `expectations`, but `expectations_list` is null: they come from no list"
            .to_owned()
    })?;
    for Expectation { cases, verdict, reason, .. } in expectations {
        let is_of = |name: &str| cases.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        let is_known = corpora.iter().any(|corpus| is_of(&corpus.name));
        ensure(verdict.is_failure() && !reason.trim().is_empty() && is_known, || {
            format!(
                "the entry `{cases}` of `expectations` expects no failure of `corpora`, or has no reason"
            )
        })?;
    }
    let mut matched: Vec<Vec<&Case>> = vec![Vec::new(); expectations.len()];
    for case in cases {
        let place = expectations.iter().position(|known| text::matches(&known.cases, &case.id));
        let known =
            place.and_then(|at| Some((&expectations.get(at)?.verdict, matched.get_mut(at)?)));
        let is_expected = match known {
            None => !case.expected.is_failure(),
            Some((verdict, cases)) => {
                cases.push(case);
                case.expected == *verdict
            }
        };
        ensure(is_expected, || {
            let (id, expected) = (&case.id, case.expected);
            format!("the case `{id}` has `expected` {expected}, which `expectations` do not say")
        })?;
    }
    expectations.iter().zip(matched).try_for_each(|(known, cases)| of_entry(known, &cases))
}

/// What an entry says of the cases that it matches.
fn of_entry(known: &Expectation, cases: &[&Case]) -> Result<(), Contradiction> {
    let Expectation { cases: pattern, matched, failures, unexpected_passes, stale, .. } = known;
    let told = |holds, member: &str| {
        ensure(holds, || {
            format!(
                "the entry `{pattern}` of `expectations` has `{member}` that are not those of its cases"
            )
        })
    };
    told(*matched == cases.len() as u64 && !(*stale && *matched > 0), "matched")?;
    let are = |ids: &[String], is_such: fn(&Case) -> bool| {
        ids.iter().eq(cases.iter().filter(|case| is_such(case)).map(|case| &case.id))
    };
    told(are(failures, Case::is_known_failure), "failures")?;
    told(are(unexpected_passes, Case::is_unexpected_pass), "unexpected_passes")
}
