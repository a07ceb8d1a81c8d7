//! The floating-point formats: their parameters, classes of values, and ordered-bits arithmetic.
//!
//! Values travel as bits in the low end of a `u64`. Nothing here rounds: [`FloatFormat::to_f64`]
//! is exact because every format fits in binary64, and distances are counted on the bits.
//!
//! Sources: IEEE 754-2019 table 3.5 (binary16, binary32, binary64); the bfloat16 numerics
//! definition (8-bit exponent, 7-bit significand field); OCP 8-bit Floating Point Specification 1.0
//! (E4M3, E5M2); OCP Microscaling Formats 1.0 (E2M1, E2M3, E3M2, E8M0); ONNX `docs/docsgen/technical/float8.md`
//! (the `FNUZ` variants: one NaN at the pattern of negative zero, no infinities).

mod decimal;

pub use decimal::with_bits;

/// What the format does with its highest exponent and with negative zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// IEEE 754: the highest exponent holds infinity and the NaNs.
    Ieee,
    /// `FN`: finite, and NaN only where all bits but the sign are set.
    FiniteNan,
    /// `FNUZ`: finite, unsigned zero, and NaN only at the pattern of negative zero.
    FiniteNanUnsignedZero,
    /// Neither NaN nor infinity.
    Finite,
    /// A bare biased exponent without sign, significand or zero; NaN where all bits are set.
    ExponentOnly,
}

/// Class of a floating-point value (IEEE 754-2019, 5.7.2, signs apart).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the variants are the classes' own names")]
pub enum Class {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

/// Parameters of a binary floating-point format.
///
/// ```
/// use onnx_conformance_values::float::{Class, FloatFormat};
///
/// let format = &FloatFormat::BFLOAT16;
/// assert_eq!(format.to_f64(0x3f80), 1.0);
/// assert_eq!(format.class(0x0001), Class::Subnormal);
/// // From the largest negative number over both zeros to the smallest positive one.
/// assert_eq!(format.ulp_distance(0x8001, 0x0001), Some(2));
/// assert_eq!(format.ulp_distance(0x7f80, 0x7f7f), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Width of the biased exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the trailing significand field in bits (the precision less one).
    pub significand_bits: u32,
    /// Exponent bias.
    pub bias: i32,
    /// Treatment of the special values.
    pub specials: Specials,
}

impl FloatFormat {
    /// IEEE 754 binary16.
    pub const FLOAT16: Self = Self::new(5, 10, 15, Specials::Ieee);
    /// bfloat16: binary32 with 7 significand bits.
    pub const BFLOAT16: Self = Self::new(8, 7, 127, Specials::Ieee);
    /// IEEE 754 binary32.
    pub const FLOAT32: Self = Self::new(8, 23, 127, Specials::Ieee);
    /// IEEE 754 binary64.
    pub const FLOAT64: Self = Self::new(11, 52, 1023, Specials::Ieee);
    /// OCP FP8 E4M3 as ONNX's `FLOAT8E4M3FN`.
    pub const FLOAT8E4M3FN: Self = Self::new(4, 3, 7, Specials::FiniteNan);
    /// ONNX's `FLOAT8E4M3FNUZ` (bias 8).
    pub const FLOAT8E4M3FNUZ: Self = Self::new(4, 3, 8, Specials::FiniteNanUnsignedZero);
    /// OCP FP8 E5M2.
    pub const FLOAT8E5M2: Self = Self::new(5, 2, 15, Specials::Ieee);
    /// ONNX's `FLOAT8E5M2FNUZ` (bias 16).
    pub const FLOAT8E5M2FNUZ: Self = Self::new(5, 2, 16, Specials::FiniteNanUnsignedZero);
    /// OCP MX scale format E8M0.
    pub const FLOAT8E8M0: Self = Self::new(8, 0, 127, Specials::ExponentOnly);
    /// OCP MX FP4 E2M1.
    pub const FLOAT4E2M1: Self = Self::new(2, 1, 1, Specials::Finite);
    /// OCP MX FP6 E2M3.
    pub const FLOAT6E2M3: Self = Self::new(2, 3, 1, Specials::Finite);
    /// OCP MX FP6 E3M2.
    pub const FLOAT6E3M2: Self = Self::new(3, 2, 3, Specials::Finite);

    const fn new(exponent_bits: u32, significand_bits: u32, bias: i32, specials: Specials) -> Self {
        Self { exponent_bits, significand_bits, bias, specials }
    }

    /// Whether the format has a sign bit.
    pub const fn is_signed(&self) -> bool {
        !matches!(self.specials, Specials::ExponentOnly)
    }

    /// Width of a value in bits.
    pub const fn width(&self) -> u32 {
        self.exponent_bits + self.significand_bits + self.is_signed() as u32
    }

    /// Bits of a significand, the leading one included.
    pub const fn precision(&self) -> u32 {
        self.significand_bits + 1
    }

    /// The sign bit of this pattern.
    pub const fn is_negative(&self, bits: u64) -> bool {
        self.is_signed() && bits & self.sign_mask() != 0
    }

    /// The pattern without its sign bit.
    pub const fn magnitude(&self, bits: u64) -> u64 {
        bits & (self.sign_mask() - 1)
    }

    const fn sign_mask(&self) -> u64 {
        1 << (self.exponent_bits + self.significand_bits)
    }

    const fn exponent_mask(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.significand_bits
    }

    const fn significand_mask(&self) -> u64 {
        (1 << self.significand_bits) - 1
    }

    /// The two halves of a complex number's bits: the real part, then the imaginary part. A real
    /// number's bits come first, and 0 after them.
    #[expect(clippy::cast_possible_truncation, reason = "the other half is meant to go")]
    pub const fn parts(&self, bits: u128) -> [u64; 2] {
        let mask = u64::MAX >> (u64::BITS - self.width());
        [bits as u64 & mask, (bits >> self.width()) as u64 & mask]
    }

    /// Class of the value with these bits.
    pub const fn class(&self, bits: u64) -> Class {
        let magnitude = self.magnitude(bits);
        let top = magnitude & self.exponent_mask() == self.exponent_mask();
        let significand = magnitude & self.significand_mask();
        match self.specials {
            Specials::Ieee if top && significand == 0 => return Class::Infinite,
            Specials::Ieee if top => return Class::Nan,
            Specials::FiniteNan if top && significand == self.significand_mask() => {
                return Class::Nan;
            }
            Specials::FiniteNanUnsignedZero if magnitude == 0 && self.is_negative(bits) => {
                return Class::Nan;
            }
            Specials::ExponentOnly => return if top { Class::Nan } else { Class::Normal },
            _ => {}
        }
        if magnitude == 0 {
            Class::Zero
        } else if magnitude & self.exponent_mask() == 0 {
            Class::Subnormal
        } else {
            Class::Normal
        }
    }

    /// The positive number `significand * 2^exponent`, normal or subnormal, where the format holds
    /// it.
    pub fn encode(&self, significand: u64, exponent: i32) -> Option<u64> {
        let field = self.significand_bits as i32;
        let lowest = 1 - self.bias - field;
        // The unit of the number: that of its binade, or the lowest one.
        let length = significand.checked_ilog2()? as i32;
        let unit = exponent.checked_add(length)?.checked_sub(field)?.max(lowest);
        let shift = exponent - unit;
        let significand = if shift >= 0 {
            significand << shift
        } else {
            let dropped = shift.unsigned_abs();
            let exact = dropped <= significand.trailing_zeros();
            exact.then(|| significand >> dropped)?
        };
        let biased = u64::try_from(unit - lowest).ok()?;
        let bits = biased.checked_mul(1 << field)?.checked_add(significand)?;
        let finite = matches!(self.class(bits), Class::Subnormal | Class::Normal);
        (bits < self.sign_mask() && finite).then_some(bits)
    }

    /// The pattern with the other sign.
    pub const fn negated(&self, bits: u64) -> u64 {
        bits ^ self.sign_mask()
    }

    /// The value with these bits in binary64, exactly; a NaN becomes a quiet NaN of the same sign.
    pub fn to_f64(&self, bits: u64) -> f64 {
        let sign = u64::from(self.is_negative(bits)) << 63;
        let magnitude = self.magnitude(bits);
        // The same exponent and significand in the fields of binary64.
        let widened = |magnitude: u64| {
            let rebias = i64::from(1023 - self.bias) << 52;
            f64::from_bits((magnitude << (52 - self.significand_bits)).wrapping_add_signed(rebias))
        };
        let smallest_normal = 1 << self.significand_bits;
        let value = match self.class(bits) {
            Class::Nan => f64::NAN.abs(),
            Class::Infinite => f64::INFINITY,
            Class::Zero => 0.0,
            // What the significand adds to the smallest normal number, which has the same unit.
            Class::Subnormal => widened(smallest_normal | magnitude) - widened(smallest_normal),
            Class::Normal => widened(magnitude),
        };
        f64::from_bits(value.to_bits() | sign)
    }

    /// Rank of a value that is not a NaN on the line of all values of the format, both zeros at 0:
    /// neighbours differ by one. `None` for a NaN.
    #[expect(clippy::cast_possible_wrap, reason = "a magnitude has at most 63 bits")]
    pub const fn ordinal(&self, bits: u64) -> Option<i64> {
        match self.class(bits) {
            Class::Nan => None,
            _ if self.is_negative(bits) => Some(-(self.magnitude(bits) as i64)),
            _ => Some(self.magnitude(bits) as i64),
        }
    }

    /// Distance in ULP, counted in steps between neighbouring values of the format. `None` across
    /// the classes NaN, infinite and finite; 0 for two NaNs and for infinities of one sign.
    pub fn ulp_distance(&self, a: u64, b: u64) -> Option<u64> {
        match (self.class(a), self.class(b)) {
            (Class::Nan, Class::Nan) => Some(0),
            (Class::Nan, _) | (_, Class::Nan) => None,
            (Class::Infinite, Class::Infinite) => (a == b).then_some(0),
            (Class::Infinite, _) | (_, Class::Infinite) => None,
            _ => Some(self.ordinal(a)?.abs_diff(self.ordinal(b)?)),
        }
    }
}

/// Absolute value of a complex number, within one ULP and the same on every machine.
pub fn modulus([real, imaginary]: [f64; 2]) -> f64 {
    if imaginary == 0.0 { real.abs() } else { libm::hypot(real, imaginary) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float16_reads_as_the_half_crate_reads_it() {
        for bits in 0..=u16::MAX {
            let expected = half::f16::from_bits(bits).to_f64();
            let actual = FloatFormat::FLOAT16.to_f64(u64::from(bits));
            if expected.is_nan() {
                assert!(actual.is_nan());
                assert_eq!(FloatFormat::FLOAT16.class(u64::from(bits)), Class::Nan);
            } else {
                assert_eq!(actual.to_bits(), expected.to_bits(), "{bits:#06x}");
            }
        }
    }

    #[test]
    fn float32_and_float64_read_as_the_machine_reads_them() {
        for bits in [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0001, 0x7f7f_ffff, 0xff80_0000_u32] {
            let value = FloatFormat::FLOAT32.to_f64(u64::from(bits));
            assert_eq!(value.to_bits(), f64::from(f32::from_bits(bits)).to_bits());
        }
        for value in [0.0, -0.0, 5e-324, 2.2e-308, f64::MIN_POSITIVE, 0.1, f64::MAX, -1e300] {
            let read = FloatFormat::FLOAT64.to_f64(value.to_bits());
            assert_eq!(read.to_bits(), value.to_bits(), "{value:e}");
        }
    }

    #[test]
    fn every_number_is_encoded_from_its_significand_and_nothing_else_is() {
        let format = &FloatFormat::FLOAT16;
        for bits in 1..0x7c00 {
            let value = format.to_f64(bits);
            let significand = 1 << 52 | (value.to_bits() % (1 << 52));
            let exponent = (value.to_bits() >> 52) as i32 - 1075;
            let zeros = significand.trailing_zeros();
            let odd = (significand >> zeros, exponent + zeros as i32);
            assert_eq!(format.encode(odd.0, odd.1), Some(bits));
            assert_eq!(format.encode(odd.0 << 2, odd.1 - 2), Some(bits));
        }
        for (significand, exponent) in
            [(0, 0), (1, 16), (1, -25), (0x801, 0), (3, -25), (1, 1 << 30)]
        {
            assert_eq!(format.encode(significand, exponent), None, "{significand} 2^{exponent}");
        }
    }

    #[test]
    fn small_formats_reach_the_extremes_their_specifications_state() {
        assert_eq!(FloatFormat::FLOAT8E4M3FN.to_f64(0x7e), 448.0);
        assert_eq!(FloatFormat::FLOAT8E4M3FN.class(0x7f), Class::Nan);
        assert_eq!(FloatFormat::FLOAT8E4M3FNUZ.to_f64(0x7f), 240.0);
        assert_eq!(FloatFormat::FLOAT8E4M3FNUZ.class(0x80), Class::Nan);
        assert_eq!(FloatFormat::FLOAT8E5M2.to_f64(0x7b), 57344.0);
        assert_eq!(FloatFormat::FLOAT8E5M2.class(0x7c), Class::Infinite);
        assert_eq!(FloatFormat::FLOAT8E5M2FNUZ.to_f64(0x7f), 57344.0);
        assert_eq!(FloatFormat::FLOAT4E2M1.to_f64(0x7), 6.0);
        assert_eq!(FloatFormat::FLOAT4E2M1.to_f64(0x1), 0.5);
        assert_eq!(FloatFormat::FLOAT8E8M0.to_f64(0), 2_f64.powi(-127));
        assert_eq!(FloatFormat::FLOAT8E8M0.to_f64(127), 1.0);
        assert_eq!(FloatFormat::FLOAT8E8M0.class(255), Class::Nan);
        assert_eq!(FloatFormat::FLOAT8E8M0.width(), 8);
    }

    #[test]
    fn every_float_of_six_bits_is_the_fraction_that_its_fields_state() {
        // The magnitudes in eighths and in sixteenths, in the order of their bits.
        #[rustfmt::skip]
        let eighths: [u32; 32] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60,
        ];
        #[rustfmt::skip]
        let sixteenths: [u32; 32] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28,
            32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448,
        ];
        for (format, numerators, denominator, smallest_normal) in [
            (&FloatFormat::FLOAT6E2M3, eighths, 8.0, 8),
            (&FloatFormat::FLOAT6E3M2, sixteenths, 16.0, 4),
        ] {
            assert_eq!(format.width(), 6);
            for (bits, numerator) in (0_u64..).zip(numerators) {
                let value = f64::from(numerator) / denominator;
                assert_eq!(format.to_f64(bits).to_bits(), value.to_bits(), "{bits:#x}");
                assert_eq!(format.to_f64(bits | 0x20).to_bits(), (-value).to_bits(), "{bits:#x}");
                assert_eq!(format.negated(bits), bits | 0x20);
                let class = match bits {
                    0 => Class::Zero,
                    _ if bits < smallest_normal => Class::Subnormal,
                    _ => Class::Normal,
                };
                assert_eq!([format.class(bits), format.class(bits | 0x20)], [class; 2]);
                let exponent = -(denominator.log2() as i32);
                let encoded = format.encode(numerator.into(), exponent);
                assert_eq!(encoded, (bits != 0).then_some(bits), "{numerator}");
            }
            let beyond = u64::from(numerators[31]) + 1;
            assert_eq!(format.encode(beyond, 0), None);
            assert_eq!(format.ulp_distance(0x3f, 0x1f), Some(62));
        }
    }

    #[test]
    fn ulp_counts_steps_and_never_crosses_special_classes() {
        let f32s = |a: f32, b: f32| {
            FloatFormat::FLOAT32.ulp_distance(u64::from(a.to_bits()), u64::from(b.to_bits()))
        };
        assert_eq!(f32s(1.0, 1.0 + f32::EPSILON), Some(1));
        assert_eq!(f32s(-0.0, 0.0), Some(0));
        assert_eq!(f32s(f32::from_bits(0x8000_0001), f32::from_bits(1)), Some(2));
        assert_eq!(f32s(f32::MAX, f32::INFINITY), None);
        assert_eq!(f32s(f32::INFINITY, f32::NEG_INFINITY), None);
        assert_eq!(f32s(f32::NAN, 1.0), None);
        assert_eq!(f32s(f32::NAN, -f32::NAN), Some(0));
        let max = f64::MAX.to_bits();
        assert_eq!(FloatFormat::FLOAT64.ulp_distance(max, max | 1 << 63), Some(2 * max),);
    }
}
