//! The fast checks of conversions from types of 32 bits: floats of 32 bits and integers, to every type that has bytes of
//! its own. `docs/numerics.md` derives them.

use std::marker::PhantomData;

use num_traits::{PrimInt, WrappingSub};
use values::dtype::{DType, Kind};
use values::float::{FloatFormat, Specials};

use crate::exact::number::largest;
use crate::sweep::fast_check::{Checked, Class, Cut, FastCheck};
use crate::sweep::run::{FastChecks, Run};
use crate::sweep::threshold::ErrorThreshold;

/// Those of Cast, where it is given no attributes but `to`, and of CastLike, where it is given none.
pub(in crate::operators) struct Conversions;

impl FastChecks for Conversions {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match dtype {
            DType::Float32 => of::<Float32>(run, columns),
            DType::Int32 => of::<Int32>(run, columns),
            DType::Uint32 => of::<Uint32>(run, columns),
            _ => false,
        }
    }
}

/// Checks the conversions to the type of the results, by a loop of its own for every kind of types and width.
fn of<S: Source>(run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
    let result = run.exact.result;
    match (result.kind(), result.bits()) {
        (Kind::Bool, _) => run.fast::<4, 1, _>(Truth::<S>::new, columns),
        (Kind::Float(FloatFormat { specials: Specials::ExponentOnly, .. }), _) => {
            run.fast::<4, 1, _>(Scale::<S>::new, columns);
        }
        (Kind::Float(format), Some(8)) => run.fast::<4, 1, _>(Float::<S>::to(format), columns),
        (Kind::Float(format), Some(16)) => run.fast::<4, 2, _>(Float::<S>::to(format), columns),
        (Kind::Float(format), Some(32)) => run.fast::<4, 4, _>(Float::<S>::to(format), columns),
        (Kind::Float(_), Some(64)) => run.fast::<4, 8, _>(Float64::<S>::new, columns),
        (Kind::Int { signed, bits: 8 }, _) => {
            run.fast::<4, 1, _>(Integer::<S>::to(8, signed), columns);
        }
        (Kind::Int { signed, bits: 16 }, _) => {
            run.fast::<4, 2, _>(Integer::<S>::to(16, signed), columns);
        }
        (Kind::Int { signed, bits: 32 }, _) => {
            run.fast::<4, 4, _>(Integer::<S>::to(32, signed), columns);
        }
        (Kind::Int { signed, bits: 64 }, _) => {
            run.fast::<4, 8, _>(Integer::<S>::to(64, signed), columns);
        }
        _ => return false,
    }
    true
}

/// What an element of 32 bits stands for.
trait Source: Copy {
    /// Its numbers may have fractions.
    const IS_FLOAT: bool;
    /// So many of the last of 32 bits of a significand, the first of which is 1, are 0; 4 where numbers are small.
    const FREE: u32;

    fn operand(bits: u32) -> Operand;
}

#[derive(Clone, Copy)]
struct Float32;

#[derive(Clone, Copy)]
struct Int32;

#[derive(Clone, Copy)]
struct Uint32;

/// An element before its conversion: a number, unless it is infinite or a NaN.
#[derive(Clone, Copy)]
struct Operand {
    negative: bool,
    /// The first of the 32 bits is 1, or all are 0.
    significand: u32,
    /// The number is the significand times 2^exponent.
    exponent: i32,
    infinite: bool,
    nan: bool,
}

impl Source for Float32 {
    const IS_FLOAT: bool = true;
    const FREE: u32 = 4;

    #[inline(always)]
    fn operand(bits: u32) -> Operand {
        const INFINITY: u32 = 0x7f80_0000;
        let magnitude = bits & (u32::MAX >> 1);
        let field = magnitude >> 23;
        let hidden = if field == 0 { 0 } else { 0x80_0000 };
        let significand = bits & 0x7f_ffff | hidden;
        let number = Int32::operand(significand);
        Operand {
            negative: bits > magnitude,
            exponent: number.exponent + field.max(1).cast_signed() - 150,
            infinite: magnitude == INFINITY,
            nan: magnitude > INFINITY,
            ..number
        }
    }
}

impl Source for Int32 {
    const IS_FLOAT: bool = false;
    const FREE: u32 = 0;

    #[inline(always)]
    fn operand(bits: u32) -> Operand {
        let number = Uint32::operand(bits.cast_signed().unsigned_abs());
        Operand { negative: bits.cast_signed() < 0, ..number }
    }
}

impl Source for Uint32 {
    const IS_FLOAT: bool = false;
    const FREE: u32 = 0;

    #[inline(always)]
    fn operand(bits: u32) -> Operand {
        let shift = bits.leading_zeros() & 31;
        Operand {
            negative: false,
            significand: bits << shift,
            exponent: -shift.cast_signed(),
            infinite: false,
            nan: false,
        }
    }
}

/// The conversion to a float of 32 bits at most.
#[derive(Clone, Copy)]
struct Float<S> {
    /// Bits of the significand below its first one.
    field: u32,
    /// The least number is 2^least.
    least: i32,
    /// Bits of the largest number.
    largest: u32,
    /// What comes of numbers beyond that, and whether it is an infinity, and not that number again.
    beyond: u32,
    has_infinity: bool,
    sign: u32,
    /// A zero has a sign.
    signs_zero: bool,
    /// Bits of NaNs under this mask, from the first to the last of these.
    nan_mask: u32,
    nans: [u32; 2],
    /// Errors from this one on, in 2^-32 units in the last place, are left undecided.
    limit: u32,
    source: PhantomData<S>,
}

impl<S: Source> Float<S> {
    fn to(format: &FloatFormat) -> impl Fn(ErrorThreshold) -> Self + Copy {
        let (sign, largest) = (1 << (format.width() - 1), largest(format) as u32);
        let is_unsigned = format.specials == Specials::FiniteNanUnsignedZero;
        let (nan_mask, nans) = match format.specials {
            Specials::FiniteNanUnsignedZero => (u32::MAX, [sign; 2]),
            Specials::FiniteNan => (sign - 1, [sign - 1; 2]),
            _ => (sign - 1, [largest + 2, sign - 1]),
        };
        let has_infinity = format.width() > 8;
        let (field, bias) = (format.significand_bits, format.bias);
        move |threshold| Self {
            field,
            least: 1 - bias - field.cast_signed(),
            largest,
            beyond: largest + u32::from(has_infinity),
            has_infinity,
            sign,
            signs_zero: !is_unsigned,
            nan_mask,
            nans,
            limit: threshold.least(1),
            source: PhantomData,
        }
    }

    #[inline(always)]
    fn check(self, bits: u32, result: u32) -> Checked {
        let Operand { negative, significand, exponent, infinite, nan } = S::operand(bits);
        // Of fractions that far below the unit in the last place the error is less than an eighth.
        let unit = (exponent + 31 - self.field.cast_signed()).max(self.least);
        let below = unit - exponent - S::FREE.cast_signed();
        let drop = below.min(31);
        let (right, left) = (drop as u32 & 31, -drop as u32 & 31);
        let number = significand >> S::FREE;
        let floor = (((unit - self.least) as u32) << self.field) + (number >> right);
        let floor = if significand == 0 { 0 } else { floor };
        let (nearest, error) = Cut { floor, rest: number << left }.nearest();
        let beyond = infinite | (nearest > self.largest);
        let magnitude = if beyond { self.beyond } else { nearest };
        let zero = magnitude == 0;
        let has_sign = negative & (self.signs_zero | !zero);
        let expected = magnitude | if has_sign { self.sign } else { 0 };
        let [first, last] = self.nans;
        let masked = result & self.nan_mask;
        let conforms = if nan { (masked >= first) & (masked <= last) } else { result == expected };

        let error = if beyond | nan { 0 } else { error };
        let infinity = beyond & self.has_infinity;
        let real = !(nan | infinity);
        // However far that is, it is not nothing.
        let exact = (error >> (below - drop).min(31) as u32).max(error.min(1));
        let class = Class {
            nan,
            huge: nan | infinity,
            tiny: !nan & (magnitude >> self.field == 0),
            zero: !nan & zero,
            out_of_domain: false,
        };
        Checked::rounded(conforms & !(real & (exact >= self.limit)), real, class, error)
    }
}

/// The conversion to float64, which holds every number.
#[derive(Clone, Copy)]
struct Float64<S> {
    threshold: ErrorThreshold,
    source: PhantomData<S>,
}

impl<S: Source> Float64<S> {
    const fn new(threshold: ErrorThreshold) -> Self {
        Self { threshold, source: PhantomData }
    }

    #[inline(always)]
    fn check(self, bits: u32, result: u64) -> Checked {
        const INFINITY: u64 = 0x7ff << 52;
        let Operand { negative, significand, exponent, infinite, nan } = S::operand(bits);
        let zero = significand == 0;
        // The first bit adds one to the exponent.
        let field = u64::from((exponent + 31 + 1022).cast_unsigned());
        let number = (field << 52) + (u64::from(significand) << 21);
        let number = if zero { 0 } else { number };
        let magnitude = if infinite { INFINITY } else { number };
        let expected = magnitude | u64::from(negative) << 63;
        let conforms = if nan { result & (u64::MAX >> 1) > INFINITY } else { result == expected };
        let number = Class::of_integer(zero);
        let class = Class { nan, huge: nan | infinite, ..number };
        Checked::exact(self.threshold, conforms, !(nan | infinite), class)
    }
}

/// The conversion to an integer.
#[derive(Clone, Copy)]
struct Integer<S> {
    bits: u32,
    signed: bool,
    threshold: ErrorThreshold,
    source: PhantomData<S>,
}

impl<S: Source> Integer<S> {
    fn to(bits: u32, signed: bool) -> impl Fn(ErrorThreshold) -> Self + Copy {
        move |threshold| Self { bits, signed, threshold, source: PhantomData }
    }

    /// Checks a result in lanes of so many bits, which are as many as the type has at least: the integer that is left of a number
    /// without its fraction, where the type has it, or an integer modulo 2^n.
    #[inline(always)]
    fn check<T: PrimInt + WrappingSub + From<u32>>(self, bits: u32, result: T) -> Checked {
        let (zero, width) = (T::zero(), T::zero().leading_zeros());
        let unused = (width - self.bits) as usize;
        let Operand { negative, significand, exponent, infinite, nan } = S::operand(bits);
        // The first bit is that of the lane.
        let drop = (width - u32::BITS).cast_signed() - exponent;
        let significand = Into::<T>::into(significand) << (width - u32::BITS) as usize;
        let shifted = significand >> (drop.cast_unsigned() & (width - 1)) as usize;
        let magnitude = if drop.cast_unsigned() < width { shifted } else { zero };

        let most = T::max_value() >> unused;
        let of_signed = most >> 1;
        let of_positive = if self.signed { of_signed } else { most };
        let of_negative = if self.signed { most - of_signed } else { zero };
        let limit = if negative { of_negative } else { of_positive };
        let held = (drop >= 0) & (magnitude <= limit) & !infinite & !nan;
        let held = held | !S::IS_FLOAT;

        let value = if negative { zero.wrapping_sub(&magnitude) } else { magnitude } & most;
        let conforms = !held | (result == value);
        let number = Class::of_integer(held & (value == zero));
        let class = Class { out_of_domain: !held, ..number };
        Checked::exact(self.threshold, conforms, held, class)
    }
}

/// The conversion to a truth value: whether a number is not zero, which is nothing real.
#[derive(Clone, Copy)]
struct Truth<S> {
    threshold: ErrorThreshold,
    source: PhantomData<S>,
}

impl<S: Source> Truth<S> {
    const fn new(threshold: ErrorThreshold) -> Self {
        Self { threshold, source: PhantomData }
    }

    #[inline(always)]
    fn check(self, bits: u32, result: u32) -> Checked {
        let Operand { significand, .. } = S::operand(bits);
        // What is infinite or a NaN has a significand, too.
        let zero = significand == 0;
        let conforms = result == u32::from(!zero);
        Checked::exact(self.threshold, conforms, false, Class::of_integer(zero))
    }
}

/// The conversion to float8e8m0: the power of two that is no less, and not beyond the least, 2^-127, and the greatest.
#[derive(Clone, Copy)]
struct Scale<S> {
    threshold: ErrorThreshold,
    source: PhantomData<S>,
}

impl<S: Source> Scale<S> {
    const fn new(threshold: ErrorThreshold) -> Self {
        Self { threshold, source: PhantomData }
    }

    #[inline(always)]
    fn check(self, bits: u32, result: u32) -> Checked {
        const GREATEST: i32 = 0xfe;
        let Operand { negative, significand, exponent, infinite, nan } = S::operand(bits);
        let power = exponent + 31 + i32::from(significand != 1 << 31);
        let place = (power + 127).clamp(0, GREATEST);
        let place = if significand == 0 { 0 } else { place };
        let place = if infinite { GREATEST } else { place };
        // The bits after that are those of the one NaN.
        let place = if nan { GREATEST + 1 } else { place };
        // Nothing says what becomes of negative numbers.
        let outside = negative & !nan;
        let conforms = outside | (result == place.cast_unsigned());
        let class = Class { nan, huge: nan, out_of_domain: outside, ..Class::NUMBER };
        Checked::exact(self.threshold, conforms, false, class)
    }
}

macro_rules! widths {
    ($($conversion:ident: $($width:literal bytes: $bits:ty => $lane:ty),+;)*) => {$($(
        impl<S: Source> FastCheck<4, $width> for $conversion<S> {
            #[inline(always)]
            fn check(self, x: [u8; 4], _: [u8; 4], result: [u8; $width]) -> Checked {
                let result = <$lane>::from(<$bits>::from_le_bytes(result));
                Self::check(self, u32::from_le_bytes(x), result)
            }
        }
    )+)*};
}

widths! {
    Float: 1 bytes: u8 => u32, 2 bytes: u16 => u32, 4 bytes: u32 => u32;
    Float64: 8 bytes: u64 => u64;
    Integer: 1 bytes: u8 => u32, 2 bytes: u16 => u32, 4 bytes: u32 => u32, 8 bytes: u64 => u64;
    Truth: 1 bytes: u8 => u32;
    Scale: 1 bytes: u8 => u32;
}

#[cfg(test)]
mod tests;
