//! What a profile makes of results that are not the correct ones.

use std::sync::Arc;

use super::Column;
use super::example::Element;
use crate::compare::{self, Subject, compare};
use crate::dtype::DType;
use crate::oracle::{Conforming, Ulps};
use crate::profile::{Operator, Profile, Rule, Tolerance};
use crate::tensor::{Tensor, Value};

/// A profile's judgement of an operator and a type.
#[derive(Clone, Debug)]
pub struct Judge {
    profile: Arc<Profile>,
    manner: Manner,
}

/// How much a profile asks beyond the correct results, which conform under all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Nothing else conforms.
    Exact,
    /// The profile decides nothing.
    Undecided,
    /// The profile's rule decides on what is not correct.
    Rule,
}

/// The profile cannot judge a campaign.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// It has no decision.
    #[error("the profile `{profile}` decides nothing on {operator} of {dtype}")]
    NoDecision {
        /// Name of the profile.
        profile: String,
        /// The operator.
        operator: Operator,
        /// The type.
        dtype: DType,
    },
    /// Its limit excludes correct results.
    #[error(
        "the profile `{0}` sets a limit below 0.5 ULP, which correctly rounded results exceed; a \
         campaign cannot be judged by it"
    )]
    Limit(String),
}

/// Wrong results, gathered to be judged together.
#[derive(Debug)]
pub(super) struct Wrong {
    element: Element,
    operands: Vec<Vec<u64>>,
    expected: Column,
    actual: Column,
}

impl Judge {
    /// The judgement of a profile on an operator and a type.
    ///
    /// # Errors
    ///
    /// When the profile has none, or one that correct results may fail.
    pub fn new(
        profile: Arc<Profile>,
        operator: Operator,
        dtype: DType,
    ) -> Result<Self, JudgeError> {
        let decision = profile.decision(operator, dtype).ok_or_else(|| JudgeError::NoDecision {
            profile: profile.name().to_owned(),
            operator,
            dtype,
        })?;
        let manner = match &decision.rule {
            Rule::ExpectedBits | Rule::Oracle { .. } => Manner::Exact,
            Rule::NotApplicable { .. } => Manner::Undecided,
            Rule::Close | Rule::CloseWidened => Manner::Rule,
            Rule::Ulp(rule) if rule.limit.admits(Ulps::HALF) => Manner::Rule,
            Rule::Ulp(_) => return Err(JudgeError::Limit(profile.name().to_owned())),
        };
        Ok(Self { profile, manner })
    }

    /// Name of the profile.
    #[must_use]
    pub fn profile(&self) -> &str {
        self.profile.name()
    }

    /// Violations before anything was judged: none, or nothing where the profile does not decide.
    #[must_use]
    pub fn no_violations(&self) -> Option<u64> {
        (self.manner != Manner::Undecided).then_some(0)
    }

    /// Number of wrong results that violate the profile.
    pub(super) fn violations(&self, wrong: &Wrong) -> u64 {
        match self.manner {
            Manner::Exact => wrong.operands.len() as u64,
            Manner::Undecided => 0,
            Manner::Rule => wrong.compared(&self.profile),
        }
    }
}

impl Wrong {
    pub(super) fn new(element: Element) -> Self {
        let column = Column::new(element.dtype);
        Self { element, operands: Vec::new(), expected: column.clone(), actual: column }
    }

    pub(super) fn push(&mut self, operands: Vec<u64>, actual: u64, conforming: Conforming) {
        let at = self.operands.len();
        self.operands.push(operands);
        let expected = bits_of(conforming);
        for (column, bits) in [(&mut self.expected, expected), (&mut self.actual, actual)] {
            column.resize(at + 1);
            column.set(at, bits);
        }
    }

    /// Compares the results with what was expected, under a profile.
    fn compared(&self, profile: &Profile) -> u64 {
        let Element { operation, dtype } = self.element;
        let tensor = |column: &Column| {
            Tensor::from_bits(dtype, vec![column.len()], column.bytes().to_vec().into())
        };
        let (Ok(expected), Ok(actual)) = (tensor(&self.expected), tensor(&self.actual)) else {
            // Columns are made of whole elements, so this is never so; nothing is lost if it were.
            return self.operands.len() as u64;
        };
        let operands = |index: usize| {
            let bits = |&bits: &u64| compare::Element::Bits(dtype, bits.into());
            self.operands.get(index).map_or_else(Vec::new, |all| all.iter().map(bits).collect())
        };
        let subject = Subject { operation, operands: &operands };
        let (expected, actual) = (Value::Tensor(expected), Value::Tensor(actual));
        let tolerance = Tolerance::default();
        compare(profile, tolerance, "results", &expected, &actual, Some(&subject))
            .iter()
            .map(|output| output.mismatches)
            .sum()
    }
}

/// Bits of a result that conforms; of NaNs the positive quiet one without payload.
pub(super) fn bits_of(conforming: Conforming) -> u64 {
    match conforming {
        Conforming::One(bits) | Conforming::RefusalOr(bits) => bits,
        Conforming::AnyNan(format) => {
            ((1 << (format.exponent_bits + 1)) - 1) << (format.significand_bits - 1)
        }
        Conforming::Undecided(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Operation;
    use crate::oracle::Division;

    const ONE: u64 = 0x3f80_0000;
    const THREE: u64 = 0x4040_0000;
    const THIRD: u64 = 0x3eaa_aaab;

    /// Violations among results 0, 1, 2, .. 9 steps above a third.
    fn violations(profile: &str) -> (u64, Option<u64>) {
        let dtype = DType::Float32;
        let judge = Judge::new(Profile::named(profile).unwrap(), Operator::Div, dtype).unwrap();
        let mut wrong = Wrong::new(Element { operation: Operation::Div(Division::Div), dtype });
        (0..10).for_each(|steps| {
            wrong.push(vec![ONE, THREE], THIRD + steps, Conforming::One(THIRD));
        });
        (judge.violations(&wrong), judge.no_violations())
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
        let judge =
            Judge::new(Profile::named("sonnx").unwrap(), Operator::Div, DType::Bfloat16).unwrap();
        assert_eq!(judge.no_violations(), None);
    }
}
