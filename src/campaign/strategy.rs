//! Strategies: which inputs of an operator a campaign takes.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use reference::inputs::{Grid, Line, SEED, Space, Stratified};
use reference::operator::Operator;

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

/// A strategy does not go with an operator and a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The operator lacks the type.
    #[error("{operator} has no type {dtype}; its types are: {types}", types = names(.operator.types()))]
    Type {
        /// The operator.
        operator: &'static Operator,
        /// The type.
        dtype: DType,
    },
    /// No inputs of the operator and the type are known to be hardest.
    #[error("no hard inputs are known for {operator} of {dtype}; use the strategy stratified")]
    NoHardInputs {
        /// The operator.
        operator: &'static Operator,
        /// The type.
        dtype: DType,
    },
    /// The domain is too large to be swept whole.
    #[error(
        "{operator} of {dtype} has 2^{bits} inputs, too many for the strategy exhaustive{remedy}"
    )]
    TooLarge {
        /// The operator.
        operator: &'static Operator,
        /// The type.
        dtype: DType,
        /// Bits of all operands together.
        bits: u32,
        /// What else there is.
        remedy: &'static str,
    },
    /// The strata have more inputs than can be numbered.
    #[error("{0} inputs of every stratum are more than can be numbered; take fewer")]
    Count(NonZeroU64),
    /// There are no such pairs of significands.
    #[error(
        "the strategy significands is for two operands of float16, bfloat16 or float32, not for {operator} of \
         {dtype}"
    )]
    NoSignificands {
        /// The operator.
        operator: &'static Operator,
        /// The type.
        dtype: DType,
    },
    /// The exponent is not that of a normal number.
    #[error(
        "{dtype} has no normal number of exponent {exponent}; its exponents run from {min} to {max}"
    )]
    Exponent {
        /// The type.
        dtype: DType,
        /// The exponent asked for.
        exponent: i32,
        /// That of the smallest normal numbers.
        min: i32,
        /// That of the largest numbers.
        max: i32,
    },
}

/// The text names no signs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not ++, +-, -+ or --: the signs of dividend and divisor")]
pub struct BadSigns(String);

impl Strategy {
    /// Inputs of a stratum where nothing else is asked for.
    pub const COUNT: NonZeroU64 = NonZeroU64::new(10_000).unwrap();
    /// The seed where no other is asked for.
    pub const SEED: u64 = SEED;

    /// The name used in commands and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Significands { .. } => "significands",
            Self::Hard => "hard",
            Self::Stratified { .. } => STRATIFIED,
        }
    }

    /// What sets this one apart from others of its name, by the names of the command's options.
    #[must_use]
    pub fn parameters(self) -> BTreeMap<String, String> {
        match self {
            Self::Exhaustive | Self::Hard => BTreeMap::new(),
            Self::Significands { exponents: (a, b), signs } => BTreeMap::from([
                ("exponents".to_owned(), format!("{a},{b}")),
                ("signs".to_owned(), signs.to_string()),
            ]),
            Self::Stratified { count, seed } => BTreeMap::from([
                ("count".to_owned(), count.to_string()),
                ("seed".to_owned(), seed.to_string()),
            ]),
        }
    }

    /// The inputs for an operator and a type.
    ///
    /// # Errors
    ///
    /// When the strategy does not go with them.
    pub fn space(
        self,
        operator: &'static Operator,
        dtype: DType,
    ) -> Result<Box<dyn Space>, StrategyError> {
        if !operator.types().contains(&dtype) {
            return Err(StrategyError::Type { operator, dtype });
        }
        Ok(match self {
            Self::Exhaustive => exhaustive(operator, dtype)?,
            Self::Significands { exponents: (a, b), signs } => {
                let format = match (operator.arity(), dtype.kind()) {
                    (2, Kind::Float(format)) if format.width() <= 32 => format,
                    _ => return Err(StrategyError::NoSignificands { operator, dtype }),
                };
                let a = first_of_binade(dtype, format, a, signs.dividend)?;
                let b = first_of_binade(dtype, format, b, signs.divisor)?;
                Box::new(Grid::new(format.significand_bits, (a, b)))
            }
            Self::Hard => Box::new(
                operator.hard(dtype).ok_or(StrategyError::NoHardInputs { operator, dtype })?,
            ),
            Self::Stratified { count, seed } => {
                let space = Stratified::new(dtype, operator.arity(), count.get(), seed);
                Box::new(space.ok_or(StrategyError::Count(count))?)
            }
        })
    }
}

fn exhaustive(operator: &'static Operator, dtype: DType) -> Result<Box<dyn Space>, StrategyError> {
    let width = dtype.bits().unwrap_or_default();
    let too_large = |bits, remedy| StrategyError::TooLarge { operator, dtype, bits, remedy };
    match operator.arity() {
        2 if width <= 16 => Ok(Box::new(Grid::new(width, (0, 0)))),
        2 => Err(too_large(
            2 * width,
            if dtype == DType::Float32 { "; significands sweeps a part of them" } else { "" },
        )),
        1 if width <= 32 => Ok(Box::new(Line::new(width))),
        _ => Err(too_large(width, "")),
    }
}

/// The bits of `2^exponent` with a sign.
fn first_of_binade(
    dtype: DType,
    format: &FloatFormat,
    exponent: i32,
    negative: bool,
) -> Result<u64, StrategyError> {
    let (min, max) = (1 - format.bias, format.bias);
    if !(min..=max).contains(&exponent) {
        return Err(StrategyError::Exponent { dtype, exponent, min, max });
    }
    let biased = (exponent + format.bias).unsigned_abs();
    let sign = u64::from(negative) << (format.width() - 1);
    Ok(sign | u64::from(biased) << format.significand_bits)
}

fn names(types: &[DType]) -> String {
    types.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ")
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
        let signs = match text {
            "++" => (false, false),
            "+-" => (false, true),
            "-+" => (true, false),
            "--" => (true, true),
            _ => return Err(BadSigns(text.to_owned())),
        };
        Ok(Self { dividend: signs.0, divisor: signs.1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Column;
    use reference::operators::div::DIV;
    use reference::operators::sqrt::SQRT;

    const AT_ONE: Strategy = Strategy::Significands {
        exponents: (0, 0),
        signs: Signs { dividend: false, divisor: false },
    };

    #[test]
    fn every_strategy_states_its_size() {
        let size = |strategy: Strategy, operator, dtype| {
            strategy.space(operator, dtype).map(|space| space.len())
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
            strategy.space(operator, dtype).map(|_| ()).unwrap_err().to_string()
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
        let space = strategy.space(&DIV, DType::Float32).unwrap();
        let mut operands = vec![Column::new(DType::Float32); 2];
        operands.iter_mut().for_each(|column| column.resize(2));
        space.fill(1 << 23, &mut operands);
        assert_eq!(operands[0].values::<f32>(), [2.0, 2.0_f32.next_up()]);
        assert_eq!(operands[1].values::<f32>(), [-(0.5_f32.next_up()); 2]);
    }
}
