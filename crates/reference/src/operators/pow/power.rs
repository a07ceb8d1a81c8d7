//! x^y of a float x and a number y of any type.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};
use values::dtype::DType;
use values::float::FloatFormat;

use crate::exact::Number;
use crate::exact::interval::Interval;
use crate::exact::number::Value;
use crate::exact::real::Rational;
use crate::families::function::Image;

/// A number other than 0: its sign, an odd significand, and the exponent of the power of two that this is a multiple of.
#[derive(Clone, Debug)]
pub(super) struct Odd {
    negative: bool,
    significand: BigUint,
    exponent: i64,
}

/// A number: 0, or another one.
#[derive(Clone, Debug)]
pub(super) struct Power(Option<Odd>);

/// The base of a power.
#[derive(Clone, Debug)]
pub(super) enum Base {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Number(Odd),
}

/// The exponent of a power.
#[derive(Clone, Debug)]
pub(super) enum Exponent {
    Nan,
    Infinite { negative: bool },
    Number(Power),
}

/// Bits of a significand that is computed exactly.
const LONGEST: u64 = 256;

impl Odd {
    fn new(negative: bool, significand: BigUint, exponent: i64) -> Option<Self> {
        let zeros = significand.trailing_zeros()?;
        Some(Self {
            negative,
            significand: significand >> zeros,
            exponent: exponent + zeros as i64,
        })
    }

    fn signed(&self) -> BigInt {
        let magnitude = BigInt::from(self.significand.clone());
        if self.negative { -magnitude } else { magnitude }
    }

    fn interval(&self, precision: u32) -> Interval {
        Interval::new(self.signed(), self.exponent, precision)
    }

    const fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    const fn is_odd_integer(&self) -> bool {
        self.exponent == 0
    }
}

impl Power {
    /// It as a rational number. Exponents are those of elements, so it is not long.
    pub(super) fn rational(&self) -> Rational {
        let Some(odd) = &self.0 else { return Rational::zero() };
        let power = BigInt::one() << odd.exponent.unsigned_abs();
        if odd.exponent < 0 {
            Rational::new(odd.signed(), power)
        } else {
            Rational::from(odd.signed() * power)
        }
    }
}

impl Exponent {
    /// What an element of any type is; `None` where it is no number of a type with exact arithmetic.
    pub(super) fn of(dtype: DType, bits: u64) -> Option<Self> {
        Some(match Number::of(dtype)? {
            Number::Float(format) => match (Value::of(format, bits), format.is_negative(bits)) {
                (Value::Nan, _) => Self::Nan,
                (Value::Infinite, negative) => Self::Infinite { negative },
                (Value::Zero, _) => Self::Number(Power(None)),
                (Value::Finite(number), negative) => Self::Number(Power(Odd::new(
                    negative,
                    number.significand.into(),
                    number.exponent.into(),
                ))),
            },
            Number::Int(int) => {
                let value = int.value(bits);
                Self::Number(Power(Odd::new(value < 0, value.unsigned_abs().into(), 0)))
            }
        })
    }

    /// Whether it is 0.
    pub(super) const fn is_zero(&self) -> bool {
        matches!(self, Self::Number(Power(None)))
    }
}

impl Base {
    /// What an element of a format is.
    pub(super) fn of(format: &FloatFormat, bits: u64) -> Self {
        let negative = format.is_negative(bits);
        match Value::of(format, bits) {
            Value::Nan => Self::Nan,
            Value::Infinite => Self::Infinite { negative },
            Value::Zero => Self::Zero { negative },
            Value::Finite(number) => {
                let odd = Odd::new(negative, number.significand.into(), number.exponent.into());
                odd.map_or(Self::Zero { negative }, Self::Number)
            }
        }
    }

    /// Whether it is a number, 0 among them.
    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Self::Zero { .. } | Self::Number(_))
    }

    /// Whether it is 1.
    pub(super) fn is_one(&self) -> bool {
        matches!(self, Self::Number(odd) if !odd.negative && odd.exponent == 0 && odd.significand.is_one())
    }

    /// Whether it is a number below 0.
    pub(super) const fn is_negative_number(&self) -> bool {
        matches!(self, Self::Number(Odd { negative: true, .. }))
    }

    /// What it is to the power of an exponent, as IEEE 754 has it.
    pub(super) fn power(&self, exponent: &Exponent) -> Image {
        if exponent.is_zero() || self.is_one() {
            return Image::one();
        }
        let large = |negative| Image::Infinite { negative };
        let small = |negative| Image::Zero { negative };
        match (self, exponent) {
            (Self::Nan, _) | (_, Exponent::Nan) => Image::Nan,
            (Self::Zero { .. }, Exponent::Infinite { negative: true })
            | (Self::Infinite { .. }, Exponent::Infinite { negative: false }) => large(false),
            (Self::Zero { .. } | Self::Infinite { .. }, Exponent::Infinite { .. }) => small(false),
            (Self::Number(x), Exponent::Infinite { negative }) => {
                if x.exponent == 0 && x.significand.is_one() {
                    return Image::one();
                }
                let is_above_1 = x.significand.bits() as i64 + x.exponent > 0;
                if is_above_1 == *negative { small(false) } else { large(false) }
            }
            (_, Exponent::Number(Power(None))) => Image::one(),
            (Self::Zero { negative }, Exponent::Number(Power(Some(y)))) => {
                let negative = *negative && y.is_odd_integer();
                if y.negative { large(negative) } else { small(negative) }
            }
            (Self::Infinite { negative }, Exponent::Number(Power(Some(y)))) => {
                let negative = *negative && y.is_odd_integer();
                if y.negative { small(negative) } else { large(negative) }
            }
            (Self::Number(x), Exponent::Number(Power(Some(y)))) => match x.negative {
                true if !y.is_integer() => Image::Nan,
                _ => of_numbers(x, y),
            },
        }
    }

    /// What contains its power, by e^(y ln |x|), for numbers other than 0.
    pub(super) fn enclosed(&self, exponent: &Exponent, bits: u32) -> Option<Interval> {
        let (Self::Number(x), Exponent::Number(Power(y))) = (self, exponent) else { return None };
        let Some(y) = y else { return Some(Interval::integer(1, bits)) };
        // An exponent of up to 2^12 costs as many bits.
        let precision = bits.saturating_add(24);
        let power = logarithm(x, y, precision)?.exp()?.with_precision(bits);
        Some(if x.negative && y.is_odd_integer() { -power } else { power })
    }
}

/// y ln |x|.
fn logarithm(x: &Odd, y: &Odd, precision: u32) -> Option<Interval> {
    let magnitude = x.interval(precision).abs();
    Some(magnitude.ln()? * y.interval(precision))
}

/// x^y for numbers other than 0, the x being no negative one unless y is an integer.
fn of_numbers(x: &Odd, y: &Odd) -> Image {
    let negative = x.negative && y.is_odd_integer();
    if let Some(image) = rational(x, y, negative) {
        return image;
    }
    // Only its size is wanted.
    let Some(logarithm) = logarithm(x, y, 64) else { return Image::Nan };
    let is_large = logarithm.is_positive();
    match logarithm.binade() {
        // e^t - 1 is less than 2|t|.
        Some(binade) if binade < -102 => {
            Image::Beside { number: crate::families::function::unit(negative), farther: is_large }
        }
        // e^2048 is above 2^2300.
        Some(binade) if binade > 11 => Image::Outlying { negative, is_large },
        _ => Image::Irrational,
    }
}

/// The power where it is a rational number with a short significand.
///
/// With |x| = m 2^e and y = n 2^q, m and n being odd, x^y is the n-th power of the 2^-q-th root of |x| for q < 0. That is rational where m and 2^e
/// have such a root, by the uniqueness of factors.
fn rational(x: &Odd, y: &Odd, negative: bool) -> Option<Image> {
    let (mut significand, mut exponent) = (x.significand.clone(), BigInt::from(x.exponent));
    let mut halvings = y.exponent;
    let mut by = y.signed();
    if significand.is_one() {
        // A power of two has the root that its exponent has, and any power.
        let product = exponent * by;
        let zeros = product.trailing_zeros().unwrap_or(u64::MAX);
        if halvings < 0 && zeros < halvings.unsigned_abs() {
            return None;
        }
        let product = match halvings {
            ..0 => product >> halvings.unsigned_abs(),
            _ => product << halvings.unsigned_abs(),
        };
        return Some(match product.to_i64().filter(|product| product.unsigned_abs() < 4096) {
            Some(product) => {
                let one = if negative { -1 } else { 1 };
                Image::Fraction(Interval::new(one, product, 128))
            }
            None => Image::Outlying { negative, is_large: product.is_positive() },
        });
    }
    while halvings < 0 {
        let root = significand.sqrt();
        if exponent.bit(0) || &root * &root != significand {
            return None;
        }
        (significand, exponent, halvings) = (root, exponent >> 1_u32, halvings + 1);
    }
    // Of a longer power the bits are not wanted.
    if halvings > 8
        || significand.bits().saturating_mul(by.magnitude().to_u64()? << halvings) > LONGEST
    {
        return None;
    }
    by <<= halvings as u64;
    let power = significand.pow(by.magnitude().to_u32()?);
    let exponent = (exponent * &by).to_i64()?;
    let signed = BigInt::from(power);
    let signed = if negative { -signed } else { signed };
    if by.is_positive() {
        return Some(Image::Fraction(Interval::new(signed, exponent, 512)));
    }
    let scale = BigInt::one() << exponent.unsigned_abs();
    Some(Image::Rational(match exponent < 0 {
        true => Rational::new(BigInt::one(), signed * scale),
        false => Rational::new(scale, signed),
    }))
}
