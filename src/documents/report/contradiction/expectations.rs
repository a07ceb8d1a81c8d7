//! What a report cannot say of known failures: other cases than those that its list matches.

use super::{Contradiction, ensure};
use crate::documents::report::document::{Case, Expectation, Report};

/// What is expected of each case is what the first entry says that matches it, and what is said of an entry
/// is what became of these cases.
pub(super) fn check(report: &Report) -> Result<(), Contradiction> {
    let Report { expectations, expectations_list, corpora, cases, .. } = report;
    ensure(expectations_list.is_some() || expectations.is_empty(), || {
        "there are `expectations`, but `expectations_list` is null: they come from no list"
            .to_owned()
    })?;
    let entries: Vec<_> = expectations.iter().map(Expectation::entry).collect();
    for entry in &entries {
        let is_there = |name: &str| corpora.iter().any(|corpus| corpus.name == name);
        let problem = entry.problem().or_else(|| {
            let is_of_them = entry.corpus().is_none_or(is_there);
            (!is_of_them).then(|| "is of none of `corpora`".to_owned())
        });
        ensure(problem.is_none(), || {
            let problem = problem.as_deref().unwrap_or_default();
            format!("the entry `{}` of `expectations` {problem}", entry.cases)
        })?;
    }
    let mut matched: Vec<Vec<&Case>> = vec![Vec::new(); expectations.len()];
    for case in cases {
        let facts = case.facts();
        let place = entries.iter().position(|entry| entry.matches(&facts));
        let known = place.and_then(|at| Some((entries.get(at)?, matched.get_mut(at)?)));
        let is_expected = match known {
            None => !case.expected.can_be_known() && !case.flaky,
            Some((entry, cases)) => {
                cases.push(case);
                (case.expected, case.flaky) == (entry.verdict, entry.flaky)
            }
        };
        ensure(is_expected, || {
            let (id, expected) = (&case.id, case.expected);
            let flaky = if case.flaky { " and is `flaky`" } else { "" };
            format!(
                "the case `{id}` has `expected` {expected}{flaky}, which `expectations` do not say"
            )
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
