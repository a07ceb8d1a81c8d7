//! Texts that are numbers, as far as the documents say which ones are.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use values::dtype::Kind;
use values::element::Element;
use values::float::{FloatFormat, Specials};

use super::{Conversion, Extended, is_of_eight_bits, nearest};
use crate::exact::Conforming;
use crate::exact::number::{Int, Value, infinity};
use crate::exact::real::{Rational, power_of_two};

/// The most characters of a number, and the greatest exponent, that are judged: ties of float64 have up to 1080 characters.
const LONGEST: usize = 1200;
const GREATEST: i32 = 2000;

/// The number that a text is: digits with a fraction or without, an exponent, a minus sign; or a word that is
/// reserved for what is no number.
pub(super) fn number(text: &[u8]) -> Option<Extended> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= LONGEST)?;
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("NaN") {
        return Some(Extended::Nan);
    }
    if is("INF") || is("+INF") {
        return Some(Extended::Infinite(false));
    }
    // Only of the others is it said that their case does not matter.
    if text == "-INF" {
        return Some(Extended::Infinite(true));
    }
    let (negative, size) = text.strip_prefix('-').map_or((false, text), |size| (true, size));
    let (mantissa, exponent) = match size.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (size, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if exponent.abs() > GREATEST || !are_digits(whole) || !fraction.is_none_or(are_digits) {
        return None;
    }
    let fraction = fraction.unwrap_or_default();
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let places = exponent - i32::try_from(fraction.len()).ok()?;
    let power = Rational::from(BigInt::from(10).pow(places.unsigned_abs()));
    let size = Rational::from(digits) * if places < 0 { power.recip() } else { power };
    Some(Extended::Finite(if negative { -size } else { size }, negative))
}

impl Conversion {
    /// Which results conform for a text.
    pub(super) fn of_text(&self, element: &Element, text: &[u8]) -> Conforming {
        const OPEN: Conforming =
            Conforming::Unspecified("what becomes of this text is undefined or not said");
        match self.to.kind() {
            Kind::String => Conforming::Same(element.clone()),
            Kind::Float(format) if matches!(format.specials, Specials::Finite) => OPEN,
            Kind::Float(format) if matches!(format.specials, Specials::ExponentOnly) => OPEN,
            Kind::Float(format) => match number(text) {
                Some(Extended::Nan) => Conforming::AnyNan(format),
                Some(Extended::Infinite(negative)) if !is_of_eight_bits(self.to) => {
                    infinity(format, negative)
                }
                Some(Extended::Finite(zero, true)) if zero.is_zero() => match format.specials {
                    Specials::FiniteNanUnsignedZero => Conforming::One(0),
                    _ => Conforming::either_zero(format),
                },
                Some(Extended::Finite(number, negative)) => read(format, &number, negative, OPEN),
                Some(Extended::Infinite(_)) | None => OPEN,
            },
            // A fraction or an exponent is undefined.
            Kind::Int { signed, bits } => {
                let is_plain = text.iter().all(|it| it.is_ascii_digit() || *it == b'-');
                let Some(Extended::Finite(number, _)) = number(text).filter(|_| is_plain) else {
                    return OPEN;
                };
                let value = number.to_integer().to_i128();
                let element = value.and_then(|value| Int { signed, bits }.element(value));
                element.map_or(OPEN, Conforming::One)
            }
            Kind::Bool | Kind::Complex(_) => OPEN,
        }
    }
}

/// The nearest number of a format, or that to which it is rounded by way of a wider format, which a text may be
/// read to before.
fn read(
    format: &'static FloatFormat,
    number: &Rational,
    negative: bool,
    open: Conforming,
) -> Conforming {
    let wider = [&FloatFormat::FLOAT32, &FloatFormat::FLOAT64];
    let ways = wider.into_iter().filter(|wider| wider.precision() > format.precision());
    let through = ways.map(|wider| {
        let magnitude = match Value::of(wider, nearest(wider, number, negative)?) {
            Value::Zero => Rational::zero(),
            Value::Finite(magnitude) => {
                let significand = Rational::from(BigInt::from(magnitude.significand));
                significand * power_of_two(magnitude.exponent)
            }
            Value::Nan | Value::Infinite => return None,
        };
        nearest(format, &if number.is_negative() { -magnitude } else { magnitude }, negative)
    });
    let all: Option<Vec<u64>> =
        std::iter::once(nearest(format, number, negative)).chain(through).collect();
    let read = all.and_then(|all| Conforming::one_of(all.into_iter().map(Conforming::One)));
    read.unwrap_or(open)
}
