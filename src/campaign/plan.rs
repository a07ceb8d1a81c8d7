//! Plans: what a campaign promises before it begins.

use std::fmt;
use std::ops::Range;

use super::shard::Shard;
use super::strategy::{Strategy, StrategyError};
use crate::check::Check;
use crate::dtype::DType;
use reference::inputs::Space;
use reference::operator::Operator;

/// What a campaign promises: an operator on a part of a strategy's inputs.
pub struct Plan {
    strategy: Strategy,
    space: Box<dyn Space>,
    range: Range<u64>,
    shard: Option<Shard>,
    check: Check,
}

/// The campaign that was asked for cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The strategy does not go with operator and type.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The range lies outside the strategy's inputs, or is empty.
    #[error("the range {}..{} is empty or ends after the last of {len} inputs", range.start, range.end)]
    Range {
        /// The range asked for.
        range: Range<u64>,
        /// Number of inputs.
        len: u64,
    },
    /// There are fewer inputs than shards.
    #[error("{shard} is more shards than the {len} inputs there are")]
    EmptyShard {
        /// The shard asked for.
        shard: Shard,
        /// Number of inputs.
        len: u64,
    },
}

impl Plan {
    /// The plan to take the inputs of a strategy: those in a range where one is given, and of these
    /// the part of a shard where one is given.
    ///
    /// # Errors
    ///
    /// When the strategy does not go with operator and type, or nothing would be executed.
    pub fn new(
        operator: &'static Operator,
        dtype: DType,
        strategy: Strategy,
        range: Option<Range<u64>>,
        shard: Option<Shard>,
    ) -> Result<Self, PlanError> {
        let space = strategy.space(operator, dtype)?;
        let check = Check::new(operator, dtype).ok_or(StrategyError::Type { operator, dtype })?;
        let range = range.unwrap_or(0..space.len());
        if range.is_empty() || range.end > space.len() {
            return Err(PlanError::Range { range, len: space.len() });
        }
        let len = range.end - range.start;
        match shard {
            Some(shard) if shard.count() > len => Err(PlanError::EmptyShard { shard, len }),
            _ => Ok(Self { strategy, space, range, shard, check }),
        }
    }

    /// The operator.
    #[must_use]
    pub const fn operator(&self) -> &'static Operator {
        self.check.operator()
    }

    /// Number of operands.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.operator().arity()
    }

    /// The element type.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        self.check.dtype()
    }

    /// The strategy.
    #[must_use]
    pub const fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// All inputs of the strategy.
    #[must_use]
    pub fn space(&self) -> &dyn Space {
        &*self.space
    }

    /// The part of the inputs that was asked for, over all shards.
    #[must_use]
    pub const fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// Which shard this is, where there are several.
    #[must_use]
    pub const fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The part of the inputs that this plan is to execute.
    #[must_use]
    pub fn part(&self) -> Range<u64> {
        self.shard.map_or_else(|| self.range.clone(), |shard| shard.of(&self.range))
    }

    /// Number of inputs that this plan promises to execute.
    #[must_use]
    pub fn promised(&self) -> u64 {
        let part = self.part();
        part.end - part.start
    }

    /// The check of its results.
    #[must_use]
    pub const fn check(&self) -> &Check {
        &self.check
    }

    /// Of how many inputs one is sampled for the heat map, by its index: about a million in all, or
    /// every one. The number is odd and near no power of two, so that the sample runs through all
    /// low bits, and differently from row to row.
    #[must_use]
    pub fn stride(&self) -> u64 {
        ((self.space.len() >> 20) - (self.space.len() >> 25)) | 1
    }

    /// A name for files: `div-float16-exhaustive`, `div-float16-exhaustive-03-of-16`.
    #[must_use]
    pub fn file_name(&self) -> String {
        let name = format!("{}-{}-{}", self.operator(), self.dtype(), self.strategy).to_lowercase();
        self.shard.map_or_else(
            || name.clone(),
            |shard| {
                let width = shard.count().to_string().len();
                format!("{name}-{:0width$}-of-{}", shard.index(), shard.count())
            },
        )
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.operator(), self.dtype(), self.strategy)?;
        self.shard.map_or(Ok(()), |shard| write!(f, ", shard {shard}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::operators::div::DIV;

    fn plan(range: Option<Range<u64>>, shard: Option<&str>) -> Result<Plan, PlanError> {
        let shard = shard.map(|text| text.parse().unwrap());
        Plan::new(&DIV, DType::Int8, Strategy::Exhaustive, range, shard)
    }

    #[test]
    fn a_plan_promises_its_part_of_the_range() {
        assert_eq!(plan(None, None).unwrap().promised(), 1 << 16);
        let shard = plan(Some(100..200), Some("3/16")).unwrap();
        assert_eq!(shard.part(), 112..118);
        assert_eq!(shard.file_name(), "div-int8-exhaustive-03-of-16");
        assert_eq!(shard.to_string(), "Div int8 exhaustive, shard 3/16");
    }

    #[test]
    fn a_plan_that_would_execute_nothing_is_refused() {
        for range in [5..5, 0..65537, 65536..65537] {
            assert!(matches!(plan(Some(range), None), Err(PlanError::Range { .. })));
        }
        assert!(matches!(plan(Some(0..2), Some("1/3")), Err(PlanError::EmptyShard { .. })));
    }
}
