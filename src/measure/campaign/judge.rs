//! What a profile makes of results that are not the correct ones.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::example::{Example, by_scalars, operands, tensor};
use crate::check::Check;
use crate::dtype::DType;
use crate::judge::compare::{ReferenceOutput, compare};
use crate::judge::profile::{Profile, Strictness, Tolerance};
use crate::oracle::Ulps;
use crate::tensor::Value;
use reference::operator::{Call, Operator, Specification};
use values::element::Element;

/// A profile's judgement of an operator and a type.
#[derive(Clone, Debug)]
pub struct Judge {
    pub(super) profile: Arc<Profile>,
    strictness: Strictness,
}

/// The profile cannot judge a campaign: its limit excludes correct results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the profile `{0}` sets a limit below 0.5 ULP, which correctly rounded results exceed; a \
     campaign cannot be judged by it"
)]
pub struct JudgeError(String);

impl Judge {
    /// The judgement of a profile on an operator and the type of its results.
    pub fn new(
        profile: Arc<Profile>,
        operator: &Operator,
        dtype: DType,
    ) -> Result<Self, JudgeError> {
        let strictness = profile.strictness(Some(operator), dtype);
        match strictness {
            Strictness::Limit(Reverse(limit)) | Strictness::Flushed(Reverse(limit))
                if !limit.admits(Ulps::HALF) =>
            {
                Err(JudgeError(profile.name().to_owned()))
            }
            _ => Ok(Self { profile, strictness }),
        }
    }

    /// Violations before anything was judged: none, or nothing where the profile does not decide.
    pub(super) fn no_violations(&self) -> Option<u64> {
        (self.strictness != Strictness::Undecided).then_some(0)
    }

    /// Number of wrong results that violate the profile.
    pub(crate) fn violations(&self, check: &Check, wrong: &[Example]) -> u64 {
        let all = wrong.len() as u64;
        match self.strictness {
            // Correct results conform under every profile, and here no others do.
            Strictness::Exact | Strictness::Accumulated => all,
            Strictness::Undecided => 0,
            // Elements of the operator's own types make a call, so this is never none; nothing is lost
            // if it were.
            _ => {
                let groups = by_scalars(check, wrong).into_iter();
                let of = |group: Cow<'_, [Example]>| {
                    mismatches(&self.profile, check, &group).unwrap_or(group.len() as u64)
                };
                groups.map(of).sum()
            }
        }
    }

    /// How many violations there may be where these are some of so many wrong results; none where the
    /// profile does not decide.
    pub(super) fn possible(
        &self,
        check: &Check,
        some: &[Example],
        wrong: u64,
    ) -> Option<RangeInclusive<u64>> {
        match self.strictness {
            Strictness::Undecided => None,
            Strictness::Exact | Strictness::Accumulated => Some(wrong..=wrong),
            _ => {
                let violations = self.violations(check, some);
                Some(violations..=wrong.saturating_sub(some.len() as u64 - violations))
            }
        }
    }
}

/// How many of these results a profile's rule does not let pass, by what the reference allows.
fn mismatches(profile: &Profile, check: &Check, wrong: &[Example]) -> Option<u64> {
    let operator = check.operator();
    let inputs = operands(check, wrong).ok()?.into_iter().map(Some).collect();
    let (version, attributes) = (operator.newest(), check.attributes().clone());
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, inputs).ok()?;
    let allowed = operator.reference.allowed(&call, &types);
    let reference = ReferenceOutput { operator, allowed: &**allowed.first()?, is_expected: true };
    let expected = tensor(check.result(), wrong, |one| expected(check, &one.operands)).ok()?;
    let actual = tensor(check.result(), wrong, |one| one.actual.clone()).ok()?;
    let (expected, actual) = (Value::Tensor(expected), Value::Tensor(actual));
    let tolerance = Tolerance::default();
    let compared = compare(profile, tolerance, "results", &expected, &actual, Some(&reference));
    Some(compared.iter().map(|output| output.mismatches).sum())
}

/// A result of these operands that conforms; 0, or the empty string, where nothing is specified.
pub(super) fn expected(check: &Check, operands: &[Element]) -> Element {
    check.function().conforming(check.result(), operands).example_element(check.result())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::operators::div::DIV;

    const ONE: u64 = 0x3f80_0000;
    const THREE: u64 = 0x4040_0000;
    const THIRD: u64 = 0x3eaa_aaab;

    /// Violations among results 0, 1, 2, .. 9 steps above a third.
    fn violations(profile: &str) -> (u64, Option<u64>) {
        let dtype = DType::Float32;
        let judge = Judge::new(Profile::named(profile).unwrap(), &DIV, dtype).unwrap();
        let check = Check::new(&DIV, dtype).unwrap();
        let element = |bits: u64| Element::Bits(dtype, bits.into());
        let operands = vec![element(ONE), element(THREE)];
        let wrong = |index| {
            let actual = element(THIRD + index);
            let (_, error) = check.judged_elements(&operands, &actual);
            Example { index, operands: operands.clone(), actual, error }
        };
        let wrong: Vec<_> = (0..10).map(wrong).collect();
        (judge.violations(&check, &wrong), judge.no_violations())
    }

    #[test]
    fn a_profile_with_a_limit_forgives_what_is_within_it() {
        // A third is 1/3 ULP above the real quotient: 2.5 ULP admit two steps more.
        assert_eq!(violations("opencl-full"), (7, Some(0)));
        assert_eq!(violations("onnx"), (0, Some(0)));
        assert_eq!(violations("sonnx"), (10, Some(0)));
    }

    #[test]
    fn a_profile_that_does_not_decide_counts_no_violations() {
        let judge = Judge::new(Profile::named("sonnx").unwrap(), &DIV, DType::Bfloat16).unwrap();
        assert_eq!(judge.no_violations(), None);
    }
}
