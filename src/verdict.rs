//! Verdicts: what a case came to, derived from outcome and comparison and never stored by hand.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::OutputComparison;

/// What a case came to.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every expected element was compared and conforms.
    Pass,
    /// At least one element, shape or type does not conform.
    Fail,
    /// The backend has no implementation. Never counted as a pass.
    Unsupported,
    /// The specification does not decide the result; the observation is recorded.
    OutOfDomain,
    /// The backend died on the case.
    Crash,
    /// The backend did not answer in time.
    Timeout,
    /// The harness or the adapter's protocol is at fault, or the case itself is unusable.
    Fault,
    /// Not run, for the reason given.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of the summary.
    pub const ALL: [Self; 8] = [
        Self::Pass,
        Self::Fail,
        Self::Unsupported,
        Self::OutOfDomain,
        Self::Crash,
        Self::Timeout,
        Self::Fault,
        Self::Skipped,
    ];

    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unsupported => "unsupported",
            Self::OutOfDomain => "out_of_domain",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Fault => "fault",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the verdict, where it was not expected, fails a run.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Fail | Self::Crash | Self::Timeout | Self::Fault => true,
            Self::Pass | Self::Unsupported | Self::OutOfDomain | Self::Skipped => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Verdict on outputs that were returned: a pass only where each of the `promised` elements (those
/// of all expected outputs, counted apart from the comparison) was compared and none differs.
#[must_use]
pub fn of_comparison(outputs: &[OutputComparison], promised: u64) -> (Verdict, Option<String>) {
    if let Some(output) = outputs.iter().find(|output| !output.conforms()) {
        let reason = match &output.problem {
            Some(problem) => format!("output `{}`: {problem}", output.name),
            None => format!(
                "output `{}`: {} of {} elements differ{}{}",
                output.name,
                output.mismatches,
                output.elements,
                output.max_ulp.map_or_else(String::new, |ulp| format!(", by up to {ulp} ULP")),
                output
                    .text_difference
                    .as_ref()
                    .map_or_else(String::new, |text| format!("\n{text}")),
            ),
        };
        return (Verdict::Fail, Some(reason));
    }
    let compared: u64 = outputs.iter().map(|output| output.elements).sum();
    if outputs.is_empty() || compared != promised {
        let reason = format!("{compared} of {promised} expected elements were compared");
        return (Verdict::Fault, Some(reason));
    }
    (Verdict::Pass, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(elements: u64, mismatches: u64) -> OutputComparison {
        OutputComparison { elements, mismatches, ..OutputComparison::empty("z", "float32", &[]) }
    }

    #[test]
    fn a_pass_needs_every_promised_element() {
        assert_eq!(of_comparison(&[output(3, 0)], 3), (Verdict::Pass, None));
        assert_eq!(of_comparison(&[output(2, 0)], 3).0, Verdict::Fault);
        assert_eq!(of_comparison(&[], 0).0, Verdict::Fault);
    }

    #[test]
    fn an_expected_empty_output_may_compare_nothing() {
        assert_eq!(of_comparison(&[output(0, 0)], 0).0, Verdict::Pass);
    }

    #[test]
    fn one_mismatch_or_problem_fails() {
        assert_eq!(of_comparison(&[output(3, 0), output(3, 1)], 6).0, Verdict::Fail);
        let problem = OutputComparison {
            problem: Some("expected shape [3], got [4]".to_owned()),
            ..output(0, 0)
        };
        let (verdict, message) = of_comparison(&[problem], 0);
        assert_eq!(verdict, Verdict::Fail);
        assert_eq!(message.unwrap(), "output `z`: expected shape [3], got [4]");
    }
}
