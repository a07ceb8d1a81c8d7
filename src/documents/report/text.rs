//! Known failures and differing elements in words.

use super::document::Worst;
use crate::document::text::decimal_and_bits;
use crate::judge::verdict::Verdict;

/// What a list of known failures expects of a case, as in `known to fail`.
pub(crate) fn expected(verdict: Verdict, flaky: bool) -> String {
    match verdict {
        _ if flaky => format!("flaky, known to {verdict} or pass"),
        Verdict::Unsupported => "known to be unsupported".to_owned(),
        Verdict::Skipped => "to be skipped".to_owned(),
        _ => format!("known to {verdict}"),
    }
}

/// The values of an element that differs, each with its role, its decimal and its bits.
pub(crate) fn values(worst: &Worst) -> Vec<(&'static str, &str, &str)> {
    let inputs = worst.inputs.iter().map(|input| ("input", input));
    let results = [("expected", &worst.expected), ("actual", &worst.actual)];
    let values = inputs.chain(results).map(|(role, value)| {
        let (decimal, bits) = decimal_and_bits(value);
        (role, decimal, bits)
    });
    values.collect()
}
