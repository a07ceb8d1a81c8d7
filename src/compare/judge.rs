//! Judging one element after the other by a profile's rule.

use super::limits;
use super::{Element, Operation, Subject};
use crate::dtype::{DType, Kind};
use crate::oracle::{self, Conforming, Ulps};
use crate::profile::{Expected, Profile, Rule, Tolerance, UlpRule, Unrepresentable};

/// What became of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Conforms,
    Violates,
    /// The profile does not decide it.
    Undecided,
}

impl Judgement {
    pub(super) const fn of(conforms: bool) -> Self {
        if conforms { Self::Conforms } else { Self::Violates }
    }
}

/// A judgement, and the error against the real result where it was measured.
pub(super) type Judged = (Judgement, Option<Ulps>);

/// How the elements of one output are judged.
pub(super) enum Judge<'a> {
    /// By the expected bits alone: equal bits conform.
    Expected(Expected),
    /// By the operands; the expected element does not matter.
    Operands(&'a Subject<'a>, Computed<'a>),
    /// Not at all.
    Nothing,
}

/// What the result for known operands is held against.
pub(super) enum Computed<'a> {
    Oracle(Unrepresentable),
    Limit(&'a UlpRule),
}

impl<'a> Judge<'a> {
    /// The judge of an output of this type; `None` for strings under rules that compare, which have
    /// to be equal.
    pub(super) fn new(
        profile: &'a Profile,
        tolerance: Tolerance,
        dtype: DType,
        subject: Option<&'a Subject<'a>>,
    ) -> Option<Self> {
        let decided = subject.and_then(|subject| {
            let decision = profile.decision(subject.operation.operator(), dtype)?;
            Some((subject, decision))
        });
        let rule = decided.map_or_else(|| profile.fallback(), |(_, decision)| decision);
        let computed = |computed| decided.map(|(subject, _)| Self::Operands(subject, computed));
        match &rule.rule {
            Rule::ExpectedBits => Expected::bits(dtype).map(Self::Expected),
            Rule::Close => Expected::close(dtype, tolerance).map(Self::Expected),
            Rule::CloseWidened => Expected::close_widened(dtype, tolerance).map(Self::Expected),
            Rule::Oracle { unrepresentable } => computed(Computed::Oracle(*unrepresentable)),
            Rule::Ulp(rule) => computed(Computed::Limit(rule)),
            Rule::NotApplicable { .. } => Some(Self::Nothing),
        }
    }

    /// Whether elements with the expected bits conform whatever their operands.
    pub(super) const fn trusts_expected(&self) -> bool {
        matches!(self, Self::Expected(_))
    }

    /// Judges the element at a row-major index.
    pub(super) fn judge(&self, dtype: DType, index: usize, expected: u128, actual: u128) -> Judged {
        match self {
            Self::Expected(rule) => (Judgement::of(rule.accepts(expected, actual)), None),
            Self::Operands(subject, computed) => {
                let operands = (subject.operands)(index);
                match Numbers::of(subject.operation, dtype, &operands) {
                    Some(numbers) => computed.judge(numbers, dtype, actual as u64),
                    None => (Judgement::Undecided, None),
                }
            }
            Self::Nothing => (Judgement::Undecided, None),
        }
    }
}

/// An operation with the bits of its operands, all of the output's type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    Div(oracle::Division, u64, u64),
    Sqrt(u64),
}

impl Numbers {
    /// The operation on these operands; `None` where they are not its own, or not of this type.
    pub(crate) fn of(operation: Operation, dtype: DType, operands: &[Element]) -> Option<Self> {
        let bits = |element: &Element| match element {
            Element::Bits(operand, bits) if *operand == dtype => Some(*bits as u64),
            Element::Bits(..) | Element::String(_) => None,
        };
        match (operation, operands) {
            (Operation::Div(division), [a, b]) => Some(Self::Div(division, bits(a)?, bits(b)?)),
            (Operation::Sqrt, [x]) => Some(Self::Sqrt(bits(x)?)),
            (Operation::Div(_) | Operation::Sqrt, _) => None,
        }
    }

    /// What the oracle allows.
    pub(crate) fn conforming(self, dtype: DType) -> Option<Conforming> {
        match self {
            Self::Div(division, a, b) => oracle::div(division, dtype, a, b),
            Self::Sqrt(x) => oracle::sqrt(dtype, x),
        }
    }
}

impl Computed<'_> {
    fn judge(&self, numbers: Numbers, dtype: DType, actual: u64) -> Judged {
        match (self, dtype.kind()) {
            (Self::Oracle(unrepresentable), _) => {
                let judgement = match numbers.conforming(dtype) {
                    None | Some(Conforming::Undecided(_)) => Judgement::Undecided,
                    Some(Conforming::RefusalOr(_))
                        if *unrepresentable == Unrepresentable::Undecided =>
                    {
                        Judgement::Undecided
                    }
                    Some(conforming) => Judgement::of(conforming.accepts(actual)),
                };
                (judgement, None)
            }
            (Self::Limit(rule), Kind::Float(format)) => {
                limits::judge(rule, format, dtype, numbers, actual)
            }
            // A profile's file cannot set a limit for other types.
            (Self::Limit(_), _) => (Judgement::Undecided, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_has_its_own_number_of_operands_all_of_the_outputs_type() {
        const DIV: Operation = Operation::Div(oracle::Division::Div);
        let [half, single] = [DType::Float16, DType::Float32].map(|dtype| Element::Bits(dtype, 1));
        let string = Element::String(bytes::Bytes::from_static(b"1"));
        let of = |operation, operands: &[&Element]| {
            let operands: Vec<_> = operands.iter().copied().cloned().collect();
            Numbers::of(operation, DType::Float16, &operands).is_some()
        };
        assert!(of(DIV, &[&half, &half]) && of(Operation::Sqrt, &[&half]));
        for other in [&single, &string] {
            assert!(!of(DIV, &[&half, other]) && !of(DIV, &[other, &half]));
            assert!(!of(Operation::Sqrt, &[other]));
        }
        assert!(!of(DIV, &[&half]) && !of(Operation::Sqrt, &[&half, &half]));
    }
}
