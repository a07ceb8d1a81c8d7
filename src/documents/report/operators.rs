//! The operators of a report: their cases by verdict, and the largest errors.

use std::collections::BTreeMap;

use super::document::{Case, Output, Report, Summary};
use crate::oracle::{Share, Ulps};

/// The cases whose graph has this operator alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operator<'a> {
    pub(crate) name: &'a str,
    /// Its cases by verdict.
    pub(crate) summary: Summary,
    /// Largest error against the exact result; none where the reference knows none.
    pub(crate) max_error: Option<Ulps>,
    /// That of the elements that the cases expect.
    pub(crate) expected_max_error: Option<Ulps>,
    /// Largest share of a bound; none where no bound decides, or not everything that failed.
    pub(crate) share_of_bound: Option<Share>,
    /// Largest distance from an expected element in ULP.
    pub(crate) max_ulp: Option<u64>,
}

impl Operator<'_> {
    /// Cases that failed in one way or another.
    pub(crate) const fn failed(&self) -> u64 {
        let Summary { fail, crash, timeout, fault, .. } = self.summary;
        fail + crash + timeout + fault
    }

    /// Cases that neither passed nor failed.
    pub(crate) const fn others(&self) -> u64 {
        self.summary.cases - self.summary.pass - self.failed()
    }
}

/// The operators of a report in the order of their names, but those of which no case has a result.
pub(crate) fn of(report: &Report) -> Vec<Operator<'_>> {
    let mut cases: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in &report.cases {
        cases.entry(&case.operator).or_default().push(case);
    }
    let is_one = |name: &str| !name.is_empty() && !name.contains(", ");
    let operators = cases.into_iter().filter(|(name, _)| is_one(name)).map(|(name, cases)| {
        let outputs = || cases.iter().flat_map(|case| &case.outputs);
        let largest = |errors: &mut dyn Iterator<Item = &String>| {
            errors.filter_map(|error| Ulps::parse(error)).max()
        };
        Operator {
            name,
            summary: Summary::of(cases.iter().copied()),
            max_error: largest(&mut outputs().filter_map(|one| one.max_error_ulp.as_ref())),
            expected_max_error: largest(
                &mut outputs().filter_map(|one| one.expected_max_error_ulp.as_ref()),
            ),
            share_of_bound: Output::largest_share(outputs()),
            max_ulp: outputs().filter_map(|output| output.max_ulp).max(),
        }
    });
    operators.filter(|one| one.summary.pass + one.failed() > 0).collect()
}
