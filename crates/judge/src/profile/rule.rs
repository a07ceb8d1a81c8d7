//! The rules that a profile may set for one operator and element type, as its file states them.

use std::fmt;

use serde::Deserialize;

use num_traits::{Pow, ToPrimitive};
use values::dtype::DType;

use reference::exact::Ulps;
use reference::exact::real::Rational;
use values::float::FloatFormat;

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
        /// The reason.
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
    /// How much larger it is for each unit of the magnitude of the last operand.
    #[serde(default)]
    pub growth: Option<Limit>,
    /// What conforms besides, however large its error in ULP is.
    #[serde(default)]
    pub absolute: Option<Absolute>,
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
    /// Whether what ONNX's function body of the operator makes conforms besides.
    #[serde(default)]
    pub body: Body,
}

/// What a result is that the function body that ONNX gives an operator may make, each of its steps rounded in the
/// elements' type or in a wider one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Judged as any other result.
    #[default]
    Judged,
    /// It conforms, however large its error against the function is.
    Accepted,
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
    /// The sign of the number that it represents.
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
    /// As IEEE 754 specifies.
    Ieee754,
    /// Any value: the element is undecided.
    Undecided,
}

/// A limit in ULP: a decimal that is a multiple of [`Ulps`]'s step, so that it is decided exactly. After a
/// `<` the error has to be less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Limit {
    steps: u128,
    /// Whether it conforms itself.
    inclusive: bool,
}

/// A limit on the distance from the real result, whatever the unit in the last place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absolute {
    /// Largest distance that conforms.
    pub error: Size,
    /// The magnitudes of the last operand that it holds for: all of them where absent.
    #[serde(default)]
    pub domain: Domain,
    /// What is farther off in the domain.
    #[serde(default)]
    pub beyond: Beyond,
}

/// What a result is that is farther from the real one than an absolute limit, and than the limit in ULP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// Wrong.
    #[default]
    Violates,
    /// Undecided, as the document permits a larger error that rules do not express.
    Undecided,
}

/// A distance: a power of two, written `2^-11`, or a decimal number, written `6.81e-5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Size {
    /// A power of two.
    Power(Power),
    /// `digits * 10^exponent`.
    Decimal {
        /// The digits.
        digits: u32,
        /// The exponent.
        exponent: i8,
    },
}

/// The magnitudes between two powers of two, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// The least magnitude; any where absent.
    pub min: Option<Power>,
    /// The greatest magnitude; any where absent.
    pub max: Option<Bound>,
}

/// The end of a domain: a power of two, or the number that is written `pi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum Bound {
    /// A power of two.
    Power(Power),
    /// Pi: the last magnitude is that of the largest number below.
    Pi,
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
        self.admits_plus(error, 0)
    }

    /// Whether an error of `more` whole units above this one is within the limit.
    pub const fn admits_plus(self, error: Ulps, more: u32) -> bool {
        let steps = error.steps().saturating_add((more as u128) << Ulps::FRACTION_BITS);
        // An error that is not exact is less than it says.
        steps < self.steps || steps == self.steps && (self.inclusive || !error.is_exact())
    }

    /// The limit in float64, rounded up.
    pub fn as_f64(self) -> f64 {
        (self.steps as f64 / Ulps::ONE.steps() as f64).next_up()
    }

    /// This limit and `factor` times another one, rounded down to a step; as large as any error where it is
    /// that large.
    pub fn plus(self, other: Self, factor: &Rational) -> Self {
        let product = factor * Rational::from_integer(other.steps.into());
        let more = product.floor().to_integer().to_u128().unwrap_or(u128::MAX);
        Self { steps: self.steps.saturating_add(more), ..self }
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = text.strip_prefix('<');
        let inclusive = number.is_none();
        let number = number.unwrap_or(&text);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |part: &str, most| {
            let valid =
                (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            valid.then(|| part.parse::<u128>().ok()).flatten()
        };
        let ((Some(whole), Some(fraction)), places) =
            ((digits(whole, 6), digits(fraction, Self::PLACES)), fraction.len() as u32)
        else {
            return Err(format!("`{text}` is not a limit in ULP such as \"2.5\""));
        };
        // Both factors are far below 2^64: 10^20 and 2^20 give less than 2^87.
        let scaled = fraction << Ulps::FRACTION_BITS;
        let unit = 10_u128.pow(places);
        if scaled.is_multiple_of(unit) {
            Ok(Self { steps: (whole << Ulps::FRACTION_BITS) + scaled / unit, inclusive })
        } else {
            Err(format!("the limit `{text}` is not a multiple of 2^-{}", Ulps::FRACTION_BITS))
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = Ulps::ONE.steps();
        let places = Self::PLACES;
        let fraction = (self.steps % one * 10_u128.pow(places as u32)) >> Ulps::FRACTION_BITS;
        let below = if self.inclusive { "" } else { "<" };
        let decimal = format!("{below}{}.{fraction:0places$}", self.steps / one);
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
        let values::dtype::Kind::Float(format) = dtype.kind() else { return false };
        self.min.is_none_or(|min| min.bits(format).is_some())
            && self.max.is_none_or(|max| max.bits(format).is_some())
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

impl Bound {
    /// The bits of the largest number of the format that is no greater, where that is a normal one.
    fn bits(self, format: &FloatFormat) -> Option<u64> {
        /// Pi in steps of 2^-62, rounded down.
        const PI: u64 = 0xc90f_daa2_2168_c234;
        match self {
            Self::Power(power) => power.bits(format),
            Self::Pi => {
                let binade = Power(1).bits(format)?;
                let field = PI >> (u64::BITS - format.precision());
                Some(binade | field & ((1 << format.significand_bits) - 1))
            }
        }
    }
}

impl TryFrom<String> for Bound {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == "pi" {
            return Ok(Self::Pi);
        }
        Power::try_from(text).map(Self::Power).map_err(|error| format!("{error} or \"pi\""))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(power) => power.fmt(f),
            Self::Pi => f.write_str("pi"),
        }
    }
}

impl Size {
    /// The distance.
    pub fn number(self) -> Rational {
        let (digits, base, exponent) = match self {
            Self::Power(Power(exponent)) => (1, 2, exponent),
            Self::Decimal { digits, exponent } => (digits, 10, exponent.into()),
        };
        Rational::from_integer(digits.into()) * Rational::from_integer(base.into()).pow(exponent)
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with("2^") {
            let power = Power::try_from(text)?;
            let is_ordinary = power.0.unsigned_abs() <= 1100;
            return if is_ordinary {
                Ok(Self::Power(power))
            } else {
                Err(format!("`{power}` is beyond the distances that numbers have"))
            };
        }
        let decimal = || {
            let (number, exponent) = text.split_once('e')?;
            let (whole, fraction) = number.split_once('.')?;
            let exponent = exponent.parse::<i8>().ok()?;
            let all = format!("{whole}{fraction}");
            let is_plain = !whole.is_empty() && all.bytes().all(|digit| digit.is_ascii_digit());
            let digits = all.parse().ok().filter(|_| is_plain)?;
            let exponent = exponent.checked_sub(i8::try_from(fraction.len()).ok()?)?;
            Some(Self::Decimal { digits, exponent })
        };
        decimal()
            .ok_or_else(|| format!("`{text}` is not a distance such as \"2^-11\" or \"6.81e-5\""))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(power) => power.fmt(f),
            Self::Decimal { digits, exponent } => write!(f, "{digits}e{exponent}"),
        }
    }
}

impl TryFrom<String> for Power {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.strip_prefix("2^")
            .and_then(|exponent| exponent.parse().ok())
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not a power of two such as \"2^-126\""))
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

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(min) = self.min {
            write!(f, ", from {min}")?;
        }
        if let Some(max) = self.max {
            write!(f, ", to {max}")?;
        }
        Ok(())
    }
}

impl fmt::Display for UlpRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.limit.inclusive { "<= " } else { "" };
        write!(f, "{relation}{} ULP", self.limit)?;
        if let Some(growth) = self.growth {
            write!(f, " and {growth} |x|")?;
        }
        if let Some(Absolute { error, domain, beyond }) = self.absolute {
            write!(f, ", or {error} off{domain}")?;
            f.write_str(match beyond {
                Beyond::Violates => "",
                Beyond::Undecided => ", else undecided",
            })?;
        }
        self.domain.fmt(f)?;
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
        })?;
        f.write_str(match self.body {
            Body::Judged => "",
            Body::Accepted => ", or as ONNX's body gives",
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
        for text in ["0", "0.5", "1", "<1", "2.5", "9.015625", "8192", "3.00000095367431640625"] {
            assert_eq!(limit(text).unwrap().to_string(), text);
        }
        assert!(limit("2.5").unwrap().admits(Ulps::ONE));
        assert!(limit("0.5").unwrap().admits(Ulps::HALF));
        assert!(!limit("0.5").unwrap().admits(Ulps::ONE));
        assert!(limit("1.5").unwrap().admits_plus(Ulps::HALF, 1));
        assert!(!limit("1.5").unwrap().admits_plus(Ulps::ONE, 1));
    }

    #[test]
    fn a_limit_after_a_sign_is_not_admitted_itself_but_all_that_is_less() {
        let below = limit("<1").unwrap();
        assert!(!below.admits(Ulps::ONE) && below.admits(Ulps::HALF));
        assert!(below.admits(Ulps::new(Ulps::ONE.steps(), false)), "less than a step below 1");
        assert!(below < limit("1").unwrap() && below > limit("0.5").unwrap());
        assert!(!limit("<1").unwrap().admits_plus(Ulps::ZERO, 1));
    }

    #[test]
    fn a_limit_grows_by_a_multiple_of_another_one() {
        let [three, two] = ["3", "2"].map(|text| limit(text).unwrap());
        let half = Rational::new(1.into(), 2.into());
        assert_eq!(three.plus(two, &half), limit("4").unwrap());
        let huge = Rational::from_integer(10.into()).pow(60);
        assert!(three.plus(two, &huge).admits(Ulps::MAX));
    }

    #[test]
    fn distances_are_powers_of_two_or_decimals() {
        let size = |text: &str| Size::try_from(text.to_owned());
        assert_eq!(size("2^-3").unwrap().number(), Rational::new(1.into(), 8.into()));
        assert_eq!(size("6.81e-5").unwrap().number(), Rational::new(681.into(), 10_000_000.into()));
        assert_eq!(size("6.81e-5").unwrap().to_string(), "681e-7");
        for text in [
            "", "1", "e-5", "1e-5", ".5e1", "1.5", "1.5e999", "-1.5e1", "2^-9999", "2^x",
            "1.5e-128",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_domain_may_end_at_pi() {
        let domain = Domain { min: None, max: Bound::try_from("pi".to_owned()).ok() };
        for (format, last) in [
            (&FloatFormat::FLOAT16, 0x4248),
            (&FloatFormat::BFLOAT16, 0x4049),
            (&FloatFormat::FLOAT32, 0x4049_0fda),
            (&FloatFormat::FLOAT64, std::f64::consts::PI.to_bits()),
        ] {
            assert!(domain.contains(format, last) && domain.contains(format, format.negated(last)));
            assert!(!domain.contains(format, last + 1));
        }
        assert!(domain.fits(DType::Float16) && !domain.fits(DType::Int8));
        let error = Bound::try_from("tau".to_owned()).unwrap_err();
        assert!(error.contains("or \"pi\""), "{error}");
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in ["", ".5", "1.", "-1", "+1", "1e3", "inf", "1.5.2", "99999999", "1_0"] {
            assert!(limit(text).unwrap_err().contains("is not a limit"), "{text}");
        }
        assert_eq!(limit("0.1").unwrap_err(), "the limit `0.1` is not a multiple of 2^-20");
    }

    #[test]
    fn a_domain_includes_its_bounds_whatever_the_sign() {
        let bound = |text| power(text).ok().map(Bound::Power);
        let domain = Domain { min: power("2^-14").ok(), max: bound("2^14") };
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
            let bound = Domain { min: None, max: bound(exponent) };
            assert_eq!(bound.fits(DType::Float16), is_normal, "{exponent}");
        }
        for text in ["2^", "2^x", "4^2", "-126", "2^99999999999"] {
            assert!(power(text).is_err(), "{text}");
        }
    }
}
