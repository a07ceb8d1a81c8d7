//! Elements as integers, floating-point numbers as `significand * 2^exponent`, and the way back.

use super::Conforming;
use values::dtype::integer;
use values::float::{Class, FloatFormat, Specials};

/// An integer type: two's complement where it is signed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Int {
    pub(crate) signed: bool,
    /// Width, 64 at most.
    pub(crate) bits: u32,
}

impl Int {
    #[inline]
    pub(crate) fn value(self, pattern: u64) -> i128 {
        integer(u128::from(pattern), self.signed, self.bits)
    }

    /// The bits of a value, where the type has it.
    pub(crate) fn element(self, value: i128) -> Option<u64> {
        self.holds(value).then(|| self.wrap(value))
    }

    /// The least value.
    pub(crate) const fn min(self) -> i128 {
        if self.signed { -1 << (self.bits - 1) } else { 0 }
    }

    /// The largest value.
    pub(crate) const fn max(self) -> i128 {
        (1 << (self.bits - self.signed as u32)) - 1
    }

    pub(crate) const fn holds(self, value: i128) -> bool {
        self.min() <= value && value <= self.max()
    }

    /// The value modulo `2^bits`.
    pub(crate) const fn wrap(self, value: i128) -> u64 {
        value as u64 & (u64::MAX >> (u64::BITS - self.bits))
    }
}

/// A number without its sign: `significand * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Magnitude {
    /// Not zero, but for integers.
    pub(crate) significand: u64,
    pub(crate) exponent: i32,
}

impl Magnitude {
    /// Bits of the significand.
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        u64::BITS - self.significand.leading_zeros()
    }
}

/// What an element's bits say, but for the sign.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Nan,
    Infinite,
    Zero,
    Finite(Magnitude),
}

impl Value {
    #[inline]
    pub(crate) fn of(format: &FloatFormat, bits: u64) -> Self {
        let field = format.significand_bits;
        let fraction = format.magnitude(bits) & ((1 << field) - 1);
        let biased = (format.magnitude(bits) >> field) as i32;
        let finite = |significand, biased: i32| {
            let exponent = smallest_exponent(format) + biased - 1;
            Self::Finite(Magnitude { significand, exponent })
        };
        match format.class(bits) {
            Class::Nan => Self::Nan,
            Class::Infinite => Self::Infinite,
            Class::Zero => Self::Zero,
            Class::Subnormal => finite(fraction, 1),
            Class::Normal => finite(fraction | 1 << field, biased),
        }
    }
}

/// Exponent of the smallest subnormal number, which is a power of two: the spacing of the format
/// there and in the lowest normal binade.
#[inline]
pub(crate) const fn smallest_exponent(format: &FloatFormat) -> i32 {
    1 - format.bias - format.significand_bits as i32
}

/// Bits of the largest finite number.
#[inline]
pub(crate) const fn largest(format: &FloatFormat) -> u64 {
    let ones = (1 << (format.exponent_bits + format.significand_bits)) - 1;
    match format.specials {
        Specials::Ieee => ones - (1 << format.significand_bits),
        Specials::FiniteNan => ones - 1,
        Specials::FiniteNanUnsignedZero | Specials::Finite | Specials::ExponentOnly => ones,
    }
}

/// The largest finite number, which every format has.
pub(crate) fn greatest(format: &FloatFormat) -> Magnitude {
    match Value::of(format, largest(format)) {
        Value::Finite(magnitude) => magnitude,
        Value::Nan | Value::Infinite | Value::Zero => Magnitude { significand: 0, exponent: 0 },
    }
}

/// The pattern `magnitude` with a sign.
#[inline]
pub(crate) const fn signed(format: &FloatFormat, negative: bool, magnitude: u64) -> u64 {
    magnitude | (negative as u64) << (format.exponent_bits + format.significand_bits)
}

/// A zero; the formats with one zero have no other.
#[inline]
pub(crate) const fn zero(format: &FloatFormat, negative: bool) -> Conforming {
    let unsigned = matches!(format.specials, Specials::FiniteNanUnsignedZero);
    Conforming::One(signed(format, negative && !unsigned, 0))
}

/// An infinity; a NaN in the formats without infinities.
#[inline]
pub(crate) const fn infinity(format: &'static FloatFormat, negative: bool) -> Conforming {
    match format.specials {
        Specials::Ieee => Conforming::One(signed(format, negative, largest(format) + 1)),
        _ => Conforming::AnyNan(format),
    }
}
