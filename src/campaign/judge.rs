//! What a profile makes of results that are not the correct ones.

use std::sync::Arc;

use super::Column;
use crate::check::Check;
use crate::compare::{ReferenceOutput, compare};
use crate::dtype::DType;
use crate::oracle::{Conforming, Deviation, Ulps};
use crate::profile::{Profile, Rule, Tolerance};
use crate::tensor::{Tensor, Value};
use reference::elementwise::Elementwise;
use reference::operator::{Allowed, Operator};
use reference::real::Real;
use values::element::Element;

/// A profile's judgement of an operator and a type.
#[derive(Clone, Debug)]
pub struct Judge {
    profile: Arc<Profile>,
    strictness: Strictness,
}

/// How much a profile asks beyond the correct results, which conform under all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
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
    check: Check,
    operands: Vec<Vec<u64>>,
    expected: Column,
    actual: Column,
}

impl Judge {
    /// The judgement of a profile on an operator and a type.
    ///
    /// # Errors
    ///
    /// When it has a limit that correct results may fail.
    pub fn new(
        profile: Arc<Profile>,
        operator: &Operator,
        dtype: DType,
    ) -> Result<Self, JudgeError> {
        let decision = profile.decision(Some(operator), dtype);
        let strictness = match &decision.rule {
            Rule::ExpectedBits | Rule::Exact { .. } | Rule::Accumulated => Strictness::Exact,
            Rule::NotApplicable { .. } => Strictness::Undecided,
            Rule::Close | Rule::CloseWidened => Strictness::Rule,
            Rule::Ulp(rule) if rule.limit.admits(Ulps::HALF) => Strictness::Rule,
            Rule::Ulp(_) => return Err(JudgeError::Limit(profile.name().to_owned())),
        };
        Ok(Self { profile, strictness })
    }

    /// Name of the profile.
    #[must_use]
    pub fn profile(&self) -> &str {
        self.profile.name()
    }

    /// Violations before anything was judged: none, or nothing where the profile does not decide.
    #[must_use]
    pub fn no_violations(&self) -> Option<u64> {
        (self.strictness != Strictness::Undecided).then_some(0)
    }

    /// Number of wrong results that violate the profile.
    pub(super) fn violations(&self, wrong: &Wrong) -> u64 {
        match self.strictness {
            Strictness::Exact => wrong.operands.len() as u64,
            Strictness::Undecided => 0,
            Strictness::Rule => wrong.compared(&self.profile),
        }
    }
}

impl Wrong {
    pub(super) fn new(check: &Check) -> Self {
        let column = Column::new(check.dtype());
        Self {
            check: check.clone(),
            operands: Vec::new(),
            expected: column.clone(),
            actual: column,
        }
    }

    pub(super) fn push(&mut self, operands: Vec<u64>, actual: u64, conforming: &Conforming) {
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
        let dtype = self.check.dtype();
        let tensor = |column: &Column| {
            Tensor::from_bits(dtype, vec![column.len()], column.bytes().to_vec().into())
        };
        let (Ok(expected), Ok(actual)) = (tensor(&self.expected), tensor(&self.actual)) else {
            // Columns are made of whole elements, so this is never so; nothing is lost if it were.
            return self.operands.len() as u64;
        };
        let reference = ReferenceOutput { operator: self.check.operator(), allowed: self };
        let (expected, actual) = (Value::Tensor(expected), Value::Tensor(actual));
        let tolerance = Tolerance::default();
        compare(profile, tolerance, "results", &expected, &actual, Some(&reference))
            .iter()
            .map(|output| output.mismatches)
            .sum()
    }
}

/// The wrong results as an output whose reference is known.
impl Allowed for Wrong {
    fn at(&self, index: usize) -> Conforming {
        self.check.function().conforming(self.check.dtype(), &self.operands(index))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.check.function().real(self.check.dtype(), &self.operands(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.check.function().deviation(self.check.dtype(), &self.operands(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let bits = |&bits: &u64| Element::Bits(self.check.dtype(), bits.into());
        self.operands.get(index).map_or_else(Vec::new, |all| all.iter().map(bits).collect())
    }

    fn function(&self) -> Option<&dyn Elementwise> {
        Some(self.check.function())
    }
}

/// Bits of a result that conforms; 0 where nothing is specified.
pub(super) fn bits_of(conforming: &Conforming) -> u64 {
    conforming.example().map_or(0, |bits| bits as u64)
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
        let mut wrong = Wrong::new(&Check::new(&DIV, dtype).unwrap());
        (0..10).for_each(|steps| {
            wrong.push(vec![ONE, THREE], THIRD + steps, &Conforming::One(THIRD));
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
        let judge = Judge::new(Profile::named("sonnx").unwrap(), &DIV, DType::Bfloat16).unwrap();
        assert_eq!(judge.no_violations(), None);
    }
}
