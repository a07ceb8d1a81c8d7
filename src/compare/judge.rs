//! Judging one element after the other by a profile's rule.

use reference::exact::Conforming;
use values::dtype::{DType, Kind};
use values::element::Element;

use super::ReferenceOutput;
use super::element_call::Known;
use super::judgement::Judgement;
use super::limits;
use crate::profile::{Expected, Profile, Rule, Tolerance, UlpRule, Unrepresentable};

/// How the elements of one output are judged.
pub(super) enum Judge<'a> {
    /// By the expected element.
    Expected(Expected),
    /// By equality with the expected element, which is a string.
    Equal,
    /// By what the reference allows, whatever the expected element is.
    Exact(Unrepresentable),
    /// By a limit on the error against the exact result.
    Limit(&'a UlpRule),
    /// Not at all.
    Nothing,
}

impl<'a> Judge<'a> {
    /// The judge of an output of this type.
    pub(super) fn new(
        profile: &'a Profile,
        tolerance: Tolerance,
        dtype: DType,
        reference: Option<&ReferenceOutput<'_>>,
    ) -> Self {
        let decision = profile.decision(reference.map(|known| known.operator), dtype);
        let expected = |rule: Option<Expected>| rule.map_or(Self::Equal, Self::Expected);
        match &decision.rule {
            Rule::ExpectedBits => expected(Expected::bits(dtype)),
            Rule::Close => expected(Expected::close(dtype, tolerance)),
            Rule::CloseWidened => expected(Expected::close_widened(dtype, tolerance)),
            Rule::Exact { unrepresentable } => Self::Exact(*unrepresentable),
            Rule::Accumulated => Self::Exact(Unrepresentable::Wrapped),
            Rule::Ulp(rule) => Self::Limit(rule),
            Rule::NotApplicable { .. } => Self::Nothing,
        }
    }

    /// Whether elements with the expected bits conform whatever their operands.
    pub(super) const fn trusts_expected(&self) -> bool {
        matches!(self, Self::Expected(_) | Self::Equal)
    }

    /// Judges an element of numbers, given by its bits.
    pub(super) fn judge(
        &self,
        dtype: DType,
        known: Option<&Known<'_>>,
        expected: u128,
        actual: u128,
    ) -> Judgement {
        match (self, known) {
            (Self::Expected(rule), _) => {
                Judgement::of(expected == actual || rule.accepts(expected, actual))
            }
            (Self::Equal, _) => Judgement::of(expected == actual),
            (Self::Exact(unrepresentable), Some(known)) => {
                exactly(&known.conforming, *unrepresentable, &Element::Bits(dtype, actual))
            }
            (Self::Limit(rule), Some(Known { call: Some(call), .. })) => match dtype.kind() {
                Kind::Float(format) => limits::judge(rule, format, call, actual as u64),
                // A profile's file cannot set a limit for other types.
                _ => Judgement::Undecided,
            },
            (Self::Exact(_) | Self::Limit(_) | Self::Nothing, _) => Judgement::Undecided,
        }
    }

    /// Judges an element that is a string.
    pub(super) fn judge_string(
        &self,
        known: Option<&Known<'_>>,
        expected: &Element,
        actual: &Element,
    ) -> Judgement {
        match (self, known) {
            (Self::Nothing, _) => Judgement::Undecided,
            (Self::Exact(unrepresentable), Some(known)) => {
                exactly(&known.conforming, *unrepresentable, actual)
            }
            _ => Judgement::of(expected == actual),
        }
    }
}

fn exactly(
    conforming: &Conforming,
    unrepresentable: Unrepresentable,
    actual: &Element,
) -> Judgement {
    match conforming {
        Conforming::Unspecified(_) => Judgement::Undecided,
        Conforming::RefusalOr(_) if unrepresentable == Unrepresentable::Undecided => {
            Judgement::Undecided
        }
        conforming => Judgement::of(conforming.accepts_element(actual)),
    }
}
