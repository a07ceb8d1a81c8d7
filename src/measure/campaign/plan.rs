//! Plans: what a campaign promises before it begins, and the strategies that say which inputs of an
//! operator it takes.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use super::attributes;
use super::solved;
use crate::check::{Check, Unchecked};
use crate::corpus::shard::Shard;
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use reference::inputs::{Grid, SEED, Space, Triples};
use reference::operator::{Attributes, Operator};

/// What a campaign promises: an operator on a part of a strategy's inputs.
pub struct Plan {
    /// How its inputs are chosen.
    pub strategy: Strategy,
    /// All inputs of the strategy.
    pub space: Box<dyn Space>,
    /// The part of the inputs that was asked for, over all shards.
    pub(super) range: Range<u64>,
    pub(super) shard: Option<Shard>,
    /// The check of the results, by operator and type.
    pub check: Check,
}

/// Which inputs a campaign takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Every operand, or every pair of operands.
    Exhaustive,
    /// Of two operands, every pair of significands at one exponent and sign for each operand.
    Significands {
        /// Exponents of dividend and divisor: of normal numbers, so that 0 stands for [1, 2).
        exponents: (i32, i32),
        /// Signs of dividend and divisor.
        signs: Signs,
    },
    /// Those next to a rounding boundary or a threshold, ties, special values and boundaries, in
    /// parts.
    Hard,
    /// Random ones, as many of every stratum: a size and a pattern of each operand.
    Stratified {
        /// Inputs of a stratum.
        count: NonZeroU64,
        /// What they are drawn from.
        seed: u64,
    },
}

/// The name of [`Strategy::Stratified`].
pub(super) const STRATIFIED: &str = "stratified";

/// Which of the operands are negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// The dividend.
    pub dividend: bool,
    /// The divisor.
    pub divisor: bool,
}

/// The campaign that was asked for cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The operator does not compute element by element, or not on the type or with the attributes.
    #[error(transparent)]
    Unchecked(#[from] Unchecked),
    /// No inputs of the operator and the type are known to be hardest.
    #[error(
        "no hard inputs are known for {0} of {1}; use the strategy {other}",
        other = if *.1 == DType::Bool { "exhaustive" } else { STRATIFIED }
    )]
    NoHardInputs(&'static Operator, DType),
    /// The domain is too large to be swept whole: the bits of all operands together, and what else
    /// there is.
    #[error("{0} of {1} has 2^{2} inputs, too many for the strategy exhaustive{3}")]
    TooLarge(&'static Operator, DType, u32, &'static str),
    /// There is no end of strings.
    #[error("{0} has no end of inputs of strings; use the strategy hard or {STRATIFIED}")]
    Endless(&'static Operator),
    /// The strata have more inputs than can be numbered.
    #[error("{0} inputs of every stratum are more than can be numbered; take fewer")]
    Count(NonZeroU64),
    /// The type has no strata.
    #[error("{0} has no strata to draw from; use the strategy exhaustive")]
    NoStrata(DType),
    /// There are no such pairs of significands.
    #[error(
        "the strategy significands is for two operands of float16, bfloat16 or float32, not for {0} of \
         {1}"
    )]
    NoSignificands(&'static Operator, DType),
    /// The exponent is not that of a normal number, all of which are in the range.
    #[error(
        "{0} has no normal number of exponent {1}; its exponents run from {min} to {max}",
        min = .2.start(), max = .2.end()
    )]
    Exponent(DType, i32, RangeInclusive<i32>),
    /// The range lies outside the strategy's inputs, which are so many, or is empty.
    #[error("the range {start}..{end} is empty or ends after the last of {1} inputs", start = .0.start, end = .0.end)]
    Range(Range<u64>, u64),
    /// There are fewer inputs than shards.
    #[error("{0} has more shards than the {1} inputs")]
    EmptyShard(Shard, u64),
}

/// The text names no signs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not ++, +-, -+ or --: the signs of dividend and divisor")]
pub struct BadSigns(String);

impl Plan {
    /// The plan of an operator on a type, without attributes.
    pub fn new(
        operator: &'static Operator,
        dtype: DType,
        strategy: Strategy,
        range: Option<Range<u64>>,
        shard: Option<Shard>,
    ) -> Result<Self, PlanError> {
        Self::of(Check::of(operator, dtype, Attributes::new())?, strategy, range, shard)
    }

    /// The plan to take the inputs of a strategy: those in a range where one is given, and of these
    /// the part of a shard where one is given.
    pub fn of(
        check: Check,
        strategy: Strategy,
        range: Option<Range<u64>>,
        shard: Option<Shard>,
    ) -> Result<Self, PlanError> {
        let space = strategy.space(&check)?;
        let range = range.unwrap_or(0..space.len());
        if range.is_empty() || range.end > space.len() {
            return Err(PlanError::Range(range, space.len()));
        }
        let len = range.end - range.start;
        match shard {
            Some(shard) if shard.count > len => Err(PlanError::EmptyShard(shard, len)),
            _ => Ok(Self { strategy, space, range, shard, check }),
        }
    }

    /// The part of the inputs that this plan is to execute.
    pub(crate) fn part(&self) -> Range<u64> {
        self.shard.map_or_else(|| self.range.clone(), |shard| shard.of(&self.range))
    }

    /// Which part of the range it is, where it is not all of it.
    pub(crate) const fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Number of inputs that this plan promises to execute.
    pub fn promised(&self) -> u64 {
        let part = self.part();
        part.end - part.start
    }

    /// Of how many inputs one is sampled for the heat map, by its index: about a million in all, or
    /// every one. The number is odd and near no power of two, so that the sample runs through all
    /// low bits, and differently from row to row.
    pub(super) fn stride(&self) -> u64 {
        ((self.space.len() >> 20) - (self.space.len() >> 25)) | 1
    }

    /// A name for files: `div-float16-exhaustive`, `div-float16-exhaustive-03-of-16`,
    /// `cast-float32-to-float16-exhaustive`.
    pub fn file_name(&self) -> String {
        let (operator, dtype) = (self.check.operator(), self.check.dtype());
        let attributes = attributes::written(self.check.attributes()).into_iter();
        let attributes: String =
            attributes.map(|(name, value)| format!("-{name}-{value}")).collect();
        let like = self.check.like_type().map_or_else(String::new, |like| format!("-like-{like}"));
        let name = format!("{operator}-{dtype}{like}{attributes}-{}", self.strategy).to_lowercase();
        let Some(Shard { index, count }) = self.shard else { return name };
        let width = count.to_string().len();
        format!("{name}-{index:0width$}-of-{count}")
    }
}

impl Strategy {
    /// Inputs of a stratum where nothing else is asked for.
    pub const COUNT: NonZeroU64 = NonZeroU64::new(10_000).unwrap();
    /// The seed where no other is asked for.
    pub const SEED: u64 = SEED;

    /// The name used in commands and documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Significands { .. } => "significands",
            Self::Hard => "hard",
            Self::Stratified { .. } => STRATIFIED,
        }
    }

    /// What sets this one apart from others of its name, by the names of the command's options.
    pub(crate) fn parameters(self) -> BTreeMap<String, String> {
        let parameters = match self {
            Self::Exhaustive | Self::Hard => Vec::new(),
            Self::Significands { exponents: (a, b), signs } => {
                vec![("exponents", format!("{a},{b}")), ("signs", signs.to_string())]
            }
            Self::Stratified { count, seed } => {
                vec![("count", count.to_string()), ("seed", seed.to_string())]
            }
        };
        parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The strategy of a name with these parameters; none where no campaign writes them.
    pub(crate) fn read_back(name: &str, parameters: &BTreeMap<String, String>) -> Option<Self> {
        let parameter = |name: &str| parameters.get(name);
        let strategy = match name {
            "exhaustive" => Self::Exhaustive,
            "hard" => Self::Hard,
            "significands" => {
                let (a, b) = parameter("exponents")?.split_once(',')?;
                let exponents = (a.parse().ok()?, b.parse().ok()?);
                Self::Significands { exponents, signs: parameter("signs")?.parse().ok()? }
            }
            STRATIFIED => {
                let (count, seed) = (parameter("count")?, parameter("seed")?);
                Self::Stratified { count: count.parse().ok()?, seed: seed.parse().ok()? }
            }
            _ => return None,
        };
        (strategy.parameters() == *parameters).then_some(strategy)
    }

    /// The inputs for what a check is of.
    pub(super) fn space(self, check: &Check) -> Result<Box<dyn Space>, PlanError> {
        let (operator, dtype) = (check.operator(), check.dtype());
        Ok(match self {
            Self::Exhaustive => exhaustive(check)?,
            Self::Significands { exponents: (a, b), signs } => {
                let format = match (check.operands().len(), dtype.kind()) {
                    (2, Kind::Float(format)) if format.width() <= 32 => format,
                    _ => return Err(PlanError::NoSignificands(operator, dtype)),
                };
                let a = first_of_binade(dtype, format, a, signs.dividend)?;
                let b = first_of_binade(dtype, format, b, signs.divisor)?;
                Box::new(Grid::new(format.significand_bits, (a, b)))
            }
            Self::Hard => solved::hard(check).ok_or(PlanError::NoHardInputs(operator, dtype))?,
            // All inputs of these are less than one stratum, if there are no others with them.
            Self::Stratified { .. }
                if check.scalars().is_empty()
                    && (dtype == DType::Bool || dtype.bits().is_some_and(|bits| bits < 8)) =>
            {
                return Err(PlanError::NoStrata(dtype));
            }
            Self::Stratified { count, seed } => {
                check.stratified(count.get(), seed).ok_or(PlanError::Count(count))?
            }
        })
    }
}

fn exhaustive(check: &Check) -> Result<Box<dyn Space>, PlanError> {
    let (operator, dtype) = (check.operator(), check.dtype());
    if check.operands().contains(&DType::String) {
        return Err(PlanError::Endless(operator));
    }
    // Of the patterns of a byte two are truth values.
    let width_of = |dtype: DType| {
        if dtype == DType::Bool { 1 } else { dtype.bits().unwrap_or_default() }
    };
    let width = width_of(dtype);
    let too_large = |bits, remedy| PlanError::TooLarge(operator, dtype, bits, remedy);
    if let &[a, b, c] = check.operands() {
        let widths = [a, b, c].map(width_of);
        let bits = widths.iter().sum();
        let is_small = bits <= u32::BITS;
        return is_small.then(|| Triples::new(widths)).map_or_else(
            || Err(too_large(bits, "")),
            |space| Ok(Box::new(space) as Box<dyn Space>),
        );
    }
    match check.operands().len() {
        2 if width <= 16 => Ok(Box::new(Grid::new(width, (0, 0)))),
        2 if dtype == DType::Float32 => {
            Err(too_large(2 * width, "; significands sweeps a part of them"))
        }
        2 => Err(too_large(2 * width, "")),
        1 if width <= 32 => Ok(Box::new(Grid::line(width))),
        _ => Err(too_large(width, "")),
    }
}

/// The bits of `2^exponent` with a sign.
fn first_of_binade(
    dtype: DType,
    format: &FloatFormat,
    exponent: i32,
    negative: bool,
) -> Result<u64, PlanError> {
    let normal = 1 - format.bias..=format.bias;
    if !normal.contains(&exponent) {
        return Err(PlanError::Exponent(dtype, exponent, normal));
    }
    let biased = (exponent + format.bias).unsigned_abs();
    let sign = u64::from(negative) << (format.width() - 1);
    Ok(sign | u64::from(biased) << format.significand_bits)
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |negative| if negative { '-' } else { '+' };
        write!(f, "{}{}", sign(self.dividend), sign(self.divisor))
    }
}

impl FromStr for Signs {
    type Err = BadSigns;

    fn from_str(text: &str) -> Result<Self, BadSigns> {
        let all = [(false, false), (false, true), (true, false), (true, true)];
        let mut all = all.map(|(dividend, divisor)| Self { dividend, divisor }).into_iter();
        let named = all.find(|signs| signs.to_string() == text);
        named.ok_or_else(|| BadSigns(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::campaign::Column;
    use reference::operators::div::DIV;
    use reference::operators::sqrt::SQRT;

    fn plan(range: Option<Range<u64>>, shard: Option<&str>) -> Result<Plan, PlanError> {
        let shard = shard.map(|text| text.parse().unwrap());
        Plan::new(&DIV, DType::Int8, Strategy::Exhaustive, range, shard)
    }

    fn check(operator: &'static Operator, dtype: DType) -> Check {
        Check::of(operator, dtype, Attributes::new()).unwrap()
    }

    #[test]
    fn a_plan_promises_its_part_of_the_range() {
        assert_eq!(plan(None, None).unwrap().promised(), 1 << 16);
        let shard = plan(Some(100..200), Some("3/16")).unwrap();
        assert_eq!(shard.part(), 112..118);
        assert_eq!(shard.file_name(), "div-int8-exhaustive-03-of-16");
    }

    #[test]
    fn a_plan_that_would_execute_nothing_is_refused() {
        for range in [5..5, 0..65537, 65536..65537] {
            assert!(matches!(plan(Some(range), None), Err(PlanError::Range(..))));
        }
        assert!(matches!(plan(Some(0..2), Some("1/3")), Err(PlanError::EmptyShard(..))));
    }

    const AT_ONE: Strategy = Strategy::Significands {
        exponents: (0, 0),
        signs: Signs { dividend: false, divisor: false },
    };

    #[test]
    fn every_strategy_states_its_size() {
        let size = |strategy: Strategy, operator, dtype| {
            strategy.space(&check(operator, dtype)).map(|space| space.len())
        };
        use DType::{Bfloat16, Float16, Float32, Int8, Int16, Uint8, Uint16};
        for dtype in [Int8, Uint8] {
            assert_eq!(size(Strategy::Exhaustive, &DIV, dtype), Ok(1 << 16));
        }
        for dtype in [Int16, Uint16, Float16, Bfloat16] {
            assert_eq!(size(Strategy::Exhaustive, &DIV, dtype), Ok(1 << 32));
        }
        for (dtype, bits) in [(Float16, 16), (Bfloat16, 16), (Float32, 32)] {
            assert_eq!(size(Strategy::Exhaustive, &SQRT, dtype), Ok(1 << bits));
        }
        for (dtype, bits) in [(Bfloat16, 14), (Float16, 20), (Float32, 46)] {
            assert_eq!(size(AT_ONE, &DIV, dtype), Ok(1 << bits));
        }
    }

    #[test]
    fn a_strategy_that_does_not_go_with_operator_and_type_says_why() {
        let message = |strategy: Strategy, operator, dtype| {
            Plan::new(operator, dtype, strategy, None, None).map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(
            message(Strategy::Exhaustive, &SQRT, DType::Int8),
            "Sqrt has no type int8; its types are: bfloat16, float16, float32, float64"
        );
        assert_eq!(
            message(Strategy::Exhaustive, &DIV, DType::Float32),
            "Div of float32 has 2^64 inputs, too many for the strategy exhaustive; \
             significands sweeps a part of them"
        );
        assert!(message(AT_ONE, &SQRT, DType::Float32).contains("not for Sqrt of float32"));
        let beyond = Strategy::Significands { exponents: (0, 128), signs: Signs::default() };
        assert_eq!(
            message(beyond, &DIV, DType::Float32),
            "float32 has no normal number of exponent 128; its exponents run from -126 to 127"
        );
    }

    #[test]
    fn significands_begin_at_powers_of_two_with_the_signs_asked_for() {
        let strategy = Strategy::Significands { exponents: (1, -1), signs: "+-".parse().unwrap() };
        let space = strategy.space(&check(&DIV, DType::Float32)).unwrap();
        let mut operands = vec![Column::new(DType::Float32); 2];
        operands.iter_mut().for_each(|column| column.resize(2));
        space.fill(1 << 23, &mut operands);
        assert_eq!(operands[0].values::<f32>(), [2.0, 2.0_f32.next_up()]);
        assert_eq!(operands[1].values::<f32>(), [-(0.5_f32.next_up()); 2]);
    }
}
