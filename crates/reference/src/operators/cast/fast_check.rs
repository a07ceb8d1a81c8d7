//! The fast checks of conversions from types of 32 bits: floats of 32 bits and integers, to every type that has bytes of
//! its own. `docs/numerics.md` derives them.

use values::dtype::{DType, Kind};
use values::float::{FloatFormat, Specials};

use crate::exact::number::largest;
use crate::sweep::fast_check::{Checked, Class, EIGHTHS, FastCheck};
use crate::sweep::run::{FastChecks, Run};
use crate::sweep::threshold::ErrorThreshold;

/// Those of Cast, where it is given no attributes but `to`, and of CastLike, where it is given none.
pub(in crate::operators) struct Conversions;

impl FastChecks for Conversions {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        let (Some(from), Some(to)) = (Source::of(dtype), Target::of(run.exact.result)) else {
            return false;
        };
        let check = move |threshold| Conversion { from, to, threshold };
        match run.exact.result.bits() {
            Some(8) => run.fast::<4, 1, _>(check, columns),
            Some(16) => run.fast::<4, 2, _>(check, columns),
            Some(32) => run.fast::<4, 4, _>(check, columns),
            Some(64) => run.fast::<4, 8, _>(check, columns),
            _ => return false,
        }
        true
    }
}

/// What an element of 32 bits stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Float32,
    Signed,
    Unsigned,
}

/// What it becomes.
#[derive(Clone, Copy)]
enum Target {
    /// A float.
    Float(Format),
    /// A power of two from 2^-127 on, by how many there are below.
    Scale,
    /// An integer of so many bits.
    Int { bits: u32, signed: bool },
    /// A truth value.
    Truth,
}

/// A float format.
#[derive(Clone, Copy)]
struct Format {
    /// Bits of the significand below its first one.
    field: u32,
    /// The least number is 2^least.
    least: i32,
    /// Bits of the largest number.
    largest: u64,
    /// What is beyond the largest number is that, and not the infinity after it.
    saturates: bool,
    sign: u64,
    /// A zero has a sign.
    signs_zero: bool,
    /// Bits of NaNs under this mask, from the first to the last of these.
    nan_mask: u64,
    nans: [u64; 2],
}

/// A number, as a significand whose first of 32 bits is 1, or 0, times `2^exponent`.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    significand: u64,
    exponent: i32,
}

/// An element before its conversion.
#[derive(Clone, Copy)]
struct Operand {
    number: Number,
    infinite: bool,
    nan: bool,
}

/// What conforms, and how far it is from the number.
#[derive(Clone, Copy)]
struct Expected {
    bits: u64,
    class: Class,
    /// Any result does.
    any: bool,
    /// There is a real result.
    real: bool,
    /// The error in units of `2^-drop` ULP.
    rest: u64,
    drop: u32,
}

const NUMBER: Class =
    Class { nan: false, huge: false, tiny: false, zero: false, out_of_domain: false };
const ZERO: Class = Class { tiny: true, zero: true, ..NUMBER };
const INFINITE: Class = Class { huge: true, ..NUMBER };
const NAN: Class = Class { nan: true, ..INFINITE };
const OUTSIDE: Class = Class { out_of_domain: true, ..NUMBER };

impl Expected {
    const fn exactly(bits: u64, class: Class, real: bool) -> Self {
        Self { bits, class, any: false, real, rest: 0, drop: 0 }
    }

    /// Where nothing is specified.
    const ANYTHING: Self = Self { any: true, ..Self::exactly(0, OUTSIDE, false) };
}

impl Source {
    const fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::Float32 => Some(Self::Float32),
            DType::Int32 => Some(Self::Signed),
            DType::Uint32 => Some(Self::Unsigned),
            _ => None,
        }
    }

    #[inline(always)]
    fn operand(self, bits: u32) -> Operand {
        let negative = self != Self::Unsigned && bits >> 31 == 1;
        let (magnitude, exponent, [infinite, nan]) = match self {
            Self::Unsigned => (bits, 0, [false; 2]),
            Self::Signed => ((bits.cast_signed()).unsigned_abs(), 0, [false; 2]),
            Self::Float32 => {
                let (field, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
                let hidden = if field == 0 { 0 } else { 0x80_0000 };
                let exponent = field.max(1).cast_signed() - 150;
                (
                    fraction | hidden,
                    exponent,
                    [fraction == 0, fraction != 0].map(|it| it && field == 0xff),
                )
            }
        };
        let shift = magnitude.leading_zeros() & 31;
        let significand = u64::from(magnitude << shift);
        let exponent = exponent - shift.cast_signed();
        Operand { number: Number { negative, significand, exponent }, infinite, nan }
    }
}

impl Target {
    fn of(dtype: DType) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(FloatFormat { specials: Specials::ExponentOnly, .. }) => Some(Self::Scale),
            Kind::Float(format) if dtype.bits() >= Some(8) => Some(Self::Float(Format::of(format))),
            Kind::Int { signed, bits } if bits >= 8 => Some(Self::Int { bits, signed }),
            Kind::Bool => Some(Self::Truth),
            _ => None,
        }
    }
}

impl Format {
    fn of(format: &FloatFormat) -> Self {
        let (sign, largest) = (1 << (format.width() - 1), largest(format));
        let is_unsigned = format.specials == Specials::FiniteNanUnsignedZero;
        let (nan_mask, nans) = match format.specials {
            Specials::FiniteNanUnsignedZero => (u64::MAX, [sign; 2]),
            Specials::FiniteNan => (sign - 1, [sign - 1; 2]),
            _ => (sign - 1, [largest + 2, sign - 1]),
        };
        Self {
            field: format.significand_bits,
            least: 1 - format.bias - format.significand_bits.cast_signed(),
            largest,
            saturates: format.width() == 8,
            sign,
            signs_zero: !is_unsigned,
            nan_mask,
            nans,
        }
    }
}

/// The check of a conversion.
#[derive(Clone, Copy)]
struct Conversion {
    from: Source,
    to: Target,
    threshold: ErrorThreshold,
}

impl Conversion {
    #[inline(always)]
    fn check(self, operand: u32, result: u64) -> Checked {
        let expected = self.expected(operand);
        let is_nan = expected.class.nan;
        let conforms = match self.to {
            Target::Float(Format { nan_mask, nans: [first, last], .. }) if is_nan => {
                (first..=last).contains(&(result & nan_mask))
            }
            _ => expected.any | (result == expected.bits),
        };
        let (rest, unit) = (expected.rest, 1_u64 << expected.drop);
        let passed = expected.real && self.threshold.may_exceed(rest, unit);
        let above = |eighths: usize| expected.real & (8 * rest > eighths as u64 * unit);
        let mut all = [false; EIGHTHS];
        for (eighths, is_above) in all.iter_mut().enumerate() {
            *is_above = above(eighths);
        }
        Checked {
            decided: conforms & !passed,
            class: expected.class,
            real: expected.real,
            above: all,
            half: expected.real & (2 * rest == unit),
        }
    }

    #[inline(always)]
    fn expected(self, operand: u32) -> Expected {
        let given = self.from.operand(operand);
        match self.to {
            Target::Truth => {
                let is_zero = given.number.significand == 0 && !given.nan && !given.infinite;
                Expected::exactly((!is_zero).into(), if is_zero { ZERO } else { NUMBER }, false)
            }
            Target::Int { bits, signed } => match self.from {
                Source::Float32 => truncated(given, bits, signed),
                _ => wrapped(given.number, bits),
            },
            Target::Scale => scale(given),
            Target::Float(format) => {
                let sign = if given.number.negative { format.sign } else { 0 };
                let rounded = rounded(given.number, format.field, format.least);
                let is_beyond = given.infinite || rounded.bits > format.largest;
                match format.saturates {
                    _ if given.nan => Expected::exactly(0, NAN, false),
                    true if is_beyond => Expected::exactly(sign | format.largest, NUMBER, true),
                    false if is_beyond => {
                        Expected::exactly(sign | (format.largest + 1), INFINITE, false)
                    }
                    _ if rounded.bits == 0 && !format.signs_zero => rounded,
                    _ => Expected { bits: sign | rounded.bits, ..rounded },
                }
            }
        }
    }
}

/// The number nearest to another's magnitude, ties to even, in a format without a largest number.
#[inline(always)]
fn rounded(number: Number, field: u32, least: i32) -> Expected {
    let Number { significand, exponent, .. } = number;
    if significand == 0 {
        return Expected::exactly(0, ZERO, true);
    }
    // The unit in the last place is 2^unit.
    let unit = (exponent + 31 - field.cast_signed()).max(least);
    let drop = unit - exponent;
    let above = ((unit - least).unsigned_abs() as u64) << field;
    if drop <= 0 {
        let bits = above + (significand << drop.unsigned_abs());
        return Expected::exactly(bits, class_of(bits, field), true);
    }
    // Where more bits are dropped than this, which are more than there are, the error is rounded up.
    const FAR: u32 = 48;
    let far = drop.unsigned_abs().saturating_sub(FAR).min(FAR);
    let drop = drop.unsigned_abs().min(FAR);
    let significand = ((significand - 1) >> far) + 1;
    let (kept, rest) = (significand >> drop, significand & ((1 << drop) - 1));
    let half = 1 << (drop - 1);
    let up = rest > half || rest == half && kept & 1 == 1;
    let bits = above + kept + u64::from(up);
    let rest = if up { (1 << drop) - rest } else { rest };
    Expected { rest, drop, ..Expected::exactly(bits, class_of(bits, field), true) }
}

/// The class of a finite number of a format.
#[inline(always)]
const fn class_of(bits: u64, field: u32) -> Class {
    Class { tiny: bits >> field == 0, zero: bits == 0, ..NUMBER }
}

/// The integer that is left of a number without its fraction, where the type has it.
#[inline(always)]
fn truncated(given: Operand, bits: u32, signed: bool) -> Expected {
    let Number { negative, significand, exponent } = given.number;
    // No type holds 2^96 and more.
    let magnitude: u128 = match exponent {
        -31..0 => u128::from(significand >> exponent.unsigned_abs()),
        0..=64 => u128::from(significand) << exponent,
        65.. => u128::MAX,
        _ => 0,
    };
    let limit = 1_u128 << (bits - u32::from(signed));
    let held = match (negative, signed) {
        (false, _) => magnitude < limit,
        (true, true) => magnitude <= limit,
        (true, false) => magnitude == 0,
    };
    if !held || given.infinite || given.nan {
        return Expected::ANYTHING;
    }
    integer(negative, magnitude as u64, bits)
}

/// An integer modulo 2^bits.
#[inline(always)]
fn wrapped(number: Number, bits: u32) -> Expected {
    integer(number.negative, number.significand >> number.exponent.unsigned_abs(), bits)
}

#[inline(always)]
fn integer(negative: bool, magnitude: u64, bits: u32) -> Expected {
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    let bits = value & (u64::MAX >> (u64::BITS - bits));
    Expected::exactly(bits, if bits == 0 { ZERO } else { NUMBER }, true)
}

/// The power of two that is no less, and not beyond the least and the greatest.
#[inline(always)]
fn scale(given: Operand) -> Expected {
    let Number { negative, significand, exponent } = given.number;
    if given.nan {
        // Its bits are those of the one NaN, and not told apart from others here.
        return Expected::exactly(0xff, NAN, false);
    }
    if negative {
        return Expected::ANYTHING;
    }
    let power = exponent + 31 + i32::from(significand != 1 << 31);
    let place = if significand == 0 { 0 } else { (power + 127).clamp(0, 0xfe) };
    let place = if given.infinite { 0xfe } else { place };
    Expected::exactly(place.unsigned_abs().into(), NUMBER, false)
}

macro_rules! widths {
    ($($width:literal, $bits:ty;)*) => {$(
        impl FastCheck<4, $width> for Conversion {
            #[inline(always)]
            fn check(self, x: [u8; 4], _: [u8; 4], result: [u8; $width]) -> Checked {
                Self::check(self, u32::from_le_bytes(x), <$bits>::from_le_bytes(result).into())
            }
        }
    )*};
}

widths! {
    1, u8;
    2, u16;
    4, u32;
    8, u64;
}

#[cfg(test)]
mod tests;
