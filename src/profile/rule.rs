//! The rules that a profile may set for one operator and element type, as its file states them.

use std::fmt;

use serde::Deserialize;

use crate::dtype::DType;
use crate::float::FloatFormat;
use crate::oracle::Ulps;

/// When an element conforms.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// When its bits are the expected ones, or both are NaN. The sign of a zero counts.
    ExpectedBits,
    /// When NumPy finds it close to the expected one, within the case's tolerance.
    Close,
    /// As `close`, but bfloat16 is compared in binary32 within a relative tolerance of 2^-6 at least.
    CloseWidened,
    /// When the specification allows it, by exact arithmetic on its operands. Of an approximated
    /// operator that is the correctly rounded result.
    #[serde(alias = "oracle")]
    Exact {
        /// What conforms where no value of an integer type is the quotient.
        unrepresentable: Unrepresentable,
    },
    /// When it is within the a-priori bound of a sum in any order.
    Accumulated,
    /// When it is within a limit of the real result.
    Ulp(UlpRule),
    /// Never decided.
    NotApplicable {
        /// Why.
        reason: String,
    },
}

/// What conforms where no value of an integer type is the quotient: a signed type's minimum divided
/// by -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unrepresentable {
    /// The value wrapped to the type.
    Wrapped,
    /// Any value: the element is undecided.
    Undecided,
}

/// A limit on the error against the real result, with what a profile permits besides.
///
/// An infinity counts as the number that would come after the format's largest, as OpenCL has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UlpRule {
    /// Largest error that conforms.
    pub limit: Limit,
    /// The magnitudes of the last operand (the divisor, the radicand) that the limit holds for;
    /// elements outside are undecided. All of them where absent.
    #[serde(default)]
    pub domain: Domain,
    /// Where subnormal numbers may be replaced by zeros.
    pub flush: Flush,
    /// What the sign of a zero must be.
    pub zero_sign: ZeroSign,
    /// What conforms where there is no real result or it overflows.
    pub specials: Specials,
}

/// Where subnormal numbers may be replaced by zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flush {
    /// Nowhere.
    Never,
    /// In operands and in results, each by itself.
    OperandsAndResults,
}

/// What the sign of a zero must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroSign {
    /// That of the number it stands for.
    Kept,
    /// Any where a subnormal number was flushed.
    FreeWhereFlushed,
    /// Any.
    Free,
}

/// What conforms where there is no real result (NaNs, infinities, a divisor of zero, a negative
/// radicand) or it overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Specials {
    /// What IEEE 754 says.
    Ieee754,
    /// Any value: the element is undecided.
    Undecided,
}

/// A limit in ULP: a decimal that is a multiple of [`Ulps`]'s step, so that it is decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Limit {
    steps: u128,
}

/// The magnitudes between two powers of two, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// The least magnitude; any where absent.
    pub min: Option<Power>,
    /// The greatest magnitude; any where absent.
    pub max: Option<Power>,
}

/// A power of two, written `2^-126`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Power(i32);

impl Limit {
    /// The most digits after the point: more than any multiple of a step has.
    const PLACES: usize = Ulps::FRACTION_BITS as usize;

    /// Whether an error is within the limit.
    pub const fn admits(self, error: Ulps) -> bool {
        error.steps() <= self.steps
    }

    /// Whether an error of `more` whole units above this one is within the limit.
    pub const fn admits_plus(self, error: Ulps, more: u32) -> bool {
        error.steps().saturating_add((more as u128) << Ulps::FRACTION_BITS) <= self.steps
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
        let digits = |part: &str, most| {
            let valid =
                (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            valid.then(|| part.parse::<u128>().ok()).flatten()
        };
        let ((Some(whole), Some(fraction)), places) =
            ((digits(whole, 6), digits(fraction, Self::PLACES)), fraction.len() as u32)
        else {
            return Err(format!("`{text}` is no limit in ULP such as \"2.5\""));
        };
        // Both factors are far below 2^64: 10^20 and 2^20 give less than 2^87.
        let scaled = fraction << Ulps::FRACTION_BITS;
        let unit = 10_u128.pow(places);
        if scaled.is_multiple_of(unit) {
            Ok(Self { steps: (whole << Ulps::FRACTION_BITS) + scaled / unit })
        } else {
            Err(format!("the limit `{text}` is no multiple of 2^-{}", Ulps::FRACTION_BITS))
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = Ulps::ONE.steps();
        let places = Self::PLACES;
        let fraction = (self.steps % one * 10_u128.pow(places as u32)) >> Ulps::FRACTION_BITS;
        let decimal = format!("{}.{fraction:0places$}", self.steps / one);
        f.pad(decimal.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Domain {
    /// Whether the magnitude of a number that is not a NaN is among them.
    pub fn contains(&self, format: &FloatFormat, bits: u64) -> bool {
        let magnitude = format.magnitude(bits);
        self.min.is_none_or(|min| min.bits(format).is_some_and(|min| magnitude >= min))
            && self.max.is_none_or(|max| max.bits(format).is_some_and(|max| magnitude <= max))
    }

    /// Whether both bounds are normal numbers of the type's format.
    pub(super) fn fits(&self, dtype: DType) -> bool {
        let crate::dtype::Kind::Float(format) = dtype.kind() else { return false };
        [self.min, self.max].into_iter().flatten().all(|power| power.bits(format).is_some())
    }
}

impl Power {
    /// Its bits, where it is a normal number of the format.
    fn bits(self, format: &FloatFormat) -> Option<u64> {
        let biased = self.0.checked_add(format.bias)?;
        let largest = (1 << format.exponent_bits) - 2;
        (1..=largest).contains(&biased).then(|| (biased as u64) << format.significand_bits)
    }
}

impl TryFrom<String> for Power {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.strip_prefix("2^")
            .and_then(|exponent| exponent.parse().ok())
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no power of two such as \"2^-126\""))
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2^{}", self.0)
    }
}

/// One line for tables: `ulp <= 2.5, operand in [2^-126, 2^126], ...`.
impl Rule {
    /// Whether it decides by what the reference makes of the operands.
    pub const fn needs_operands(&self) -> bool {
        matches!(self, Self::Exact { .. } | Self::Accumulated | Self::Ulp(_))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExpectedBits => f.write_str("expected bits"),
            Self::Close => f.write_str("close to the expected"),
            Self::CloseWidened => f.write_str("close to the expected, bfloat16 within 2^-6"),
            Self::Accumulated => f.write_str("bound of a sum in any order"),
            Self::Exact { unrepresentable: Unrepresentable::Wrapped } => f.write_str("exact"),
            Self::Exact { unrepresentable: Unrepresentable::Undecided } => {
                f.write_str("exact, overflow undecided")
            }
            Self::Ulp(rule) => rule.fmt(f),
            Self::NotApplicable { reason } => write!(f, "not applicable: {reason}"),
        }
    }
}

impl fmt::Display for UlpRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<= {} ULP", self.limit)?;
        if let Some(min) = self.domain.min {
            write!(f, ", from {min}")?;
        }
        if let Some(max) = self.domain.max {
            write!(f, ", to {max}")?;
        }
        f.write_str(match self.flush {
            Flush::Never => "",
            Flush::OperandsAndResults => ", may flush",
        })?;
        f.write_str(match self.zero_sign {
            ZeroSign::Kept => "",
            ZeroSign::FreeWhereFlushed => ", sign of flushed zeros free",
            ZeroSign::Free => ", sign of zeros free",
        })?;
        f.write_str(match self.specials {
            Specials::Ieee754 => "",
            Specials::Undecided => ", specials undecided",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Result<Limit, String> {
        Limit::try_from(text.to_owned())
    }

    fn power(text: &str) -> Result<Power, String> {
        Power::try_from(text.to_owned())
    }

    #[test]
    fn limits_read_exactly_and_print_as_they_were_written() {
        for text in ["0", "0.5", "1", "2.5", "9.015625", "8192", "3.00000095367431640625"] {
            assert_eq!(limit(text).unwrap().to_string(), text);
        }
        assert!(limit("2.5").unwrap().admits(Ulps::ONE));
        assert!(limit("0.5").unwrap().admits(Ulps::HALF));
        assert!(!limit("0.5").unwrap().admits(Ulps::ONE));
        assert!(limit("1.5").unwrap().admits_plus(Ulps::HALF, 1));
        assert!(!limit("1.5").unwrap().admits_plus(Ulps::ONE, 1));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in ["", ".5", "1.", "-1", "+1", "1e3", "inf", "1.5.2", "99999999", "1_0"] {
            assert!(limit(text).unwrap_err().contains("is no limit"), "{text}");
        }
        assert_eq!(limit("0.1").unwrap_err(), "the limit `0.1` is no multiple of 2^-20");
    }

    #[test]
    fn a_domain_includes_its_bounds_whatever_the_sign() {
        let domain = Domain { min: power("2^-14").ok(), max: power("2^14").ok() };
        let half = &FloatFormat::FLOAT16;
        for (bits, inside) in [
            (0x0400, true),
            (0x8400, true),
            (0x03ff, false),
            (0x0000, false),
            (0x7400, true),
            (0x7401, false),
            (0xfc00, false),
        ] {
            assert_eq!(domain.contains(half, bits), inside, "{bits:#06x}");
        }
        assert!(Domain::default().contains(half, 0));
        assert!(domain.fits(DType::Float16) && domain.fits(DType::Float64));
        let single = Domain { min: power("2^-126").ok(), max: None };
        assert!(!single.fits(DType::Float16) && !single.fits(DType::Int32));
        for (exponent, is_normal) in
            [("2^-15", false), ("2^-14", true), ("2^15", true), ("2^16", false)]
        {
            let bound = Domain { min: None, max: power(exponent).ok() };
            assert_eq!(bound.fits(DType::Float16), is_normal, "{exponent}");
        }
        for text in ["2^", "2^x", "4^2", "-126", "2^99999999999"] {
            assert!(power(text).is_err(), "{text}");
        }
    }
}
