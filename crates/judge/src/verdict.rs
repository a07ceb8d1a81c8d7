//! Verdicts: the result of a case, derived from outcome and comparison and never stored by hand.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::compare::{Element, OutputComparison, Whole};
use crate::text::{self, grouped};
use reference::exact::dot::Accumulated;
use reference::exact::{Conforming, Share};

mod aspect;

pub use aspect::{Aspect, AspectResult, Aspects};

/// The result of a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    #[default]
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

    /// Whether the verdict, where it was not expected, fails a run.
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Fail | Self::Crash | Self::Timeout | Self::Fault)
    }

    /// Whether a list of known failures may name it: anything but a result that is as it should be.
    pub const fn can_be_known(self) -> bool {
        self.is_failure() || matches!(self, Self::Unsupported | Self::Skipped)
    }

    /// Whether a case may have it at one time and pass at another by the fault of its backend alone.
    pub const fn comes_and_goes(self) -> bool {
        matches!(self, Self::Fail | Self::Crash | Self::Timeout)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why a case of an own suite is at fault: the first expected element that the reference does not
/// allow.
pub fn of_expected(outputs: &[OutputComparison]) -> Option<String> {
    let fault = |output: &OutputComparison| {
        let fault = output.expected_fault.as_ref()?;
        Some(format!(
            "the case expects {} as element {:?} of output `{}`, which the reference does not allow; it \
             allows {}",
            fault.expected,
            fault.index,
            output.name,
            allowed(&fault.expected, &fault.conforming)
        ))
    };
    outputs.iter().find_map(fault)
}

/// What the reference allows in place of an element, in words.
pub fn allowed(element: &Element, conforming: &Conforming) -> String {
    let shown = |bits: u64| match element {
        Element::Bits(dtype, _) => Element::Bits(*dtype, bits.into()).to_string(),
        Element::String(_) => format!("{bits:#x}"),
    };
    match conforming {
        Conforming::One(bits) => shown(*bits),
        Conforming::Same(moved) => moved.to_string(),
        Conforming::AnyNan(_) => "any NaN".to_owned(),
        Conforming::Within { accumulated, .. } => within(accumulated, shown),
        Conforming::RefusalOr(bits) => format!("a refusal, or {}", shown(*bits)),
        Conforming::OneOf(all) => {
            all.iter().map(|one| allowed(element, one)).collect::<Vec<_>>().join(", or ")
        }
        Conforming::Unspecified(reason) => format!("anything: {reason}"),
    }
}

/// What a sum may give, in words.
fn within(accumulated: &Accumulated, shown: impl Fn(u64) -> String) -> String {
    let numbers = accumulated.bits().map(|[lower, upper]| {
        if lower == upper { shown(lower) } else { format!("{} to {}", shown(lower), shown(upper)) }
    });
    let infinities = ["inf", "-inf"].into_iter().zip(accumulated.infinities);
    let infinities = infinities.filter(|(_, conforms)| *conforms).map(|(name, _)| name.to_owned());
    let nan = accumulated.nan.then(|| "NaN".to_owned());
    numbers.into_iter().chain(infinities).chain(nan).collect::<Vec<_>>().join(", or ")
}

/// Verdict on outputs that were returned: a pass only where each of the `promised` elements (those
/// of all expected outputs, counted apart from the comparison) was compared and none of those that
/// the profile decides differs. Where it decides none of them, the outputs are out of its domain.
pub fn of_comparison(outputs: &[OutputComparison], promised: u64) -> (Verdict, Option<String>) {
    let decided: u64 = outputs.iter().map(|output| output.elements).sum();
    let undecided: u64 = outputs.iter().map(|output| output.undecided).sum();
    if let Some(output) = outputs.iter().find(|output| !output.conforms()) {
        let reason = match &output.problem {
            Some(problem) => format!("output `{}`: {problem}", output.name),
            None if output.mismatches == 0 => of_whole(output),
            None => {
                let (name, mismatches) = (&output.name, grouped(output.mismatches));
                let elements = grouped(output.elements);
                let mut reason =
                    format!("output `{name}`: {mismatches} of {elements} elements differ");
                let unit = text::unit(&output.type_name);
                let share = output.share_of_bound;
                let share = share.map(|share| format!("{} the bound", share.amount()));
                // 0 where all that differs are NaNs, infinities or zeros' signs.
                let ulp = output.max_ulp.filter(|&ulp| ulp > 0);
                let ulp = ulp.map(|ulp| format!("{}{unit}", grouped(ulp)));
                let largest: Vec<_> = share.into_iter().chain(ulp).collect();
                if !largest.is_empty() {
                    reason += &format!(", by up to {}", largest.join(", "));
                }
                if let Some(error) = output.max_error {
                    reason += &format!(", {error}{unit} from the exact result");
                }
                reason += &of_undecided(undecided);
                if let Some(text) = &output.text_difference {
                    reason += &format!("\n{text}");
                }
                reason
            }
        };
        return (Verdict::Fail, Some(reason));
    }
    let compared = decided + undecided;
    if outputs.is_empty() || compared != promised {
        let reason = format!("{compared} of {promised} expected elements were compared");
        return (Verdict::Fault, Some(reason));
    }
    match (decided, undecided) {
        (_, 0) => (Verdict::Pass, None),
        (0, _) => {
            let reason = format!("the profile decides none of the {undecided} elements");
            (Verdict::OutOfDomain, Some(reason))
        }
        _ => {
            (Verdict::Pass, Some(format!("{decided} elements conform{}", of_undecided(undecided))))
        }
    }
}

/// That the elements conform one by one, and not together.
fn of_whole(output: &OutputComparison) -> String {
    let Some(Whole { elements, bias, spread }) = output.whole else { return String::new() };
    let exceeded = [("lean to one side by", bias), ("scatter by", spread)];
    let exceeded = exceeded.iter().filter(|(_, share)| *share > Share::ALL);
    let exceeded: Vec<_> = exceeded
        .map(|(how, share)| format!("{how} {} what rounding can give", share.amount()))
        .collect();
    format!(
        "output `{}`: each element conforms, but the errors of {} elements together {}",
        output.name,
        grouped(elements),
        exceeded.join(" and ")
    )
}

/// Whether a message is one of a pass in which so many elements conform and are undecided: of a single
/// data set, or of the first of several.
pub fn is_of_pass(message: &str, decided: u64, undecided: u64) -> bool {
    let set_and_rest = message.split_once(": ");
    let (is_whole, rest) = set_and_rest.map_or((true, message), |(_, rest)| (false, rest));
    let counts = rest.strip_suffix(" are undecided").and_then(|rest| {
        let (conform, undecided) = rest.split_once(" elements conform; ")?;
        Some((conform.parse::<u64>().ok()?, undecided.parse::<u64>().ok()?))
    });
    counts.is_some_and(|(conform, open)| {
        let is_part = conform <= decided && (1..=undecided).contains(&open);
        is_part && (!is_whole || (conform, open) == (decided, undecided))
    })
}

fn of_undecided(undecided: u64) -> String {
    if undecided == 0 { String::new() } else { format!("; {undecided} are undecided") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::exact::Ulps;

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

    fn partly(elements: u64, mismatches: u64, undecided: u64) -> OutputComparison {
        OutputComparison { undecided, ..output(elements, mismatches) }
    }

    #[test]
    fn outputs_that_the_profile_does_not_decide_are_out_of_its_domain() {
        let (verdict, message) = of_comparison(&[partly(0, 0, 3), output(0, 0)], 3);
        assert_eq!(verdict, Verdict::OutOfDomain);
        assert_eq!(message.unwrap(), "the profile decides none of the 3 elements");
        assert_eq!(of_comparison(&[partly(0, 0, 2)], 3).0, Verdict::Fault);
    }

    #[test]
    fn a_mixture_is_judged_by_the_decided_elements_and_tells_of_the_others() {
        let (verdict, message) = of_comparison(&[partly(2, 0, 3)], 5);
        assert_eq!(verdict, Verdict::Pass);
        assert_eq!(message.unwrap(), "2 elements conform; 3 are undecided");
        let measured = OutputComparison { max_error: Some(Ulps::ONE), ..partly(2, 1, 3) };
        let (verdict, message) = of_comparison(&[measured], 5);
        assert_eq!(verdict, Verdict::Fail);
        assert_eq!(
            message.unwrap(),
            "output `z`: 1 of 2 elements differ, 1 ULP from the exact result; 3 are undecided"
        );
    }

    #[test]
    fn elements_that_conform_one_by_one_and_not_together_fail() {
        let whole = |bias, spread| {
            let [bias, spread] = [bias, spread].map(|tenths| Share::of_parts(tenths, 10));
            let whole = Some(Whole { elements: 9, bias, spread });
            let output = OutputComparison { whole, ..output(9, 0) };
            let aspects = Aspects::of_outputs(std::slice::from_ref(&output));
            (of_comparison(&[output], 9), aspects.value, aspects.accuracy)
        };
        let passed = AspectResult::Passed;
        assert_eq!(whole(10, 10), ((Verdict::Pass, None), passed, passed));
        let failed = |words: &str| {
            let message =
                "output `z`: each element conforms, but the errors of 9 elements together ";
            let verdict = (Verdict::Fail, Some(format!("{message}{words} what rounding can give")));
            (verdict, AspectResult::Failed, AspectResult::Failed)
        };
        assert_eq!(whole(25, 10), failed("lean to one side by 2.5 times"));
        assert_eq!(whole(10, 11), failed("scatter by 1.1 times"));
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
