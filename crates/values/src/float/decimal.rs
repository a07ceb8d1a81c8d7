//! Floating-point values as text: the shortest decimal that reads back, and the bits beside it.

use super::{Class, FloatFormat};

/// A binary64 value as decimal and bits, such as `0.1 (0x3fb999999999999a)`.
pub fn with_bits(value: f64) -> String {
    FloatFormat::FLOAT64.with_bits(value.to_bits())
}

impl FloatFormat {
    /// The value as decimal and bits, such as `0.1 (0x3dcccccd)`; the hexadecimal digits cover the
    /// format's width.
    pub fn with_bits(&self, bits: u64) -> String {
        let decimal = self.decimal(bits);
        format!("{decimal} ({bits:#0width$x})", width = self.hex_width())
    }

    /// The value in the fewest decimal digits that read back as these bits, rounded from its exact
    /// value; `NaN`, `inf`, `-inf` and `-0` by name. The exponent is written from `1e16` up and
    /// below `1e-5`. Whole numbers below that in formats of at most 16 bits are exact, for that
    /// takes no more room: `65504`, not `65500`.
    pub fn decimal(&self, bits: u64) -> String {
        let value = self.to_f64(bits);
        let text = match self.class(bits) {
            Class::Nan => return "NaN".to_owned(),
            Class::Infinite | Class::Zero => format!("{value:?}"),
            // The standard library formats the shortest decimals of its own two formats.
            Class::Subnormal | Class::Normal if *self == Self::FLOAT64 => format!("{value:?}"),
            Class::Subnormal | Class::Normal if *self == Self::FLOAT32 => {
                #[expect(clippy::cast_possible_truncation, reason = "a binary32 value, so exact")]
                let single = value as f32;
                format!("{single:?}")
            }
            Class::Subnormal | Class::Normal => format!("{:?}", self.shortest(bits, value)),
        };
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    }

    /// Width of `0x` and the digits of a value.
    pub const fn hex_width(&self) -> usize {
        2 + self.width().div_ceil(4) as usize
    }

    /// The binary64 value nearest to the shortest decimal of a finite value of a format with at
    /// most 16 bits. Its own shortest decimal is the same, for it has far fewer than 15 digits.
    fn shortest(&self, bits: u64, value: f64) -> f64 {
        let neighbour = |magnitude: Option<u64>| {
            let bits = magnitude? | (bits ^ self.magnitude(bits));
            let finite = !matches!(self.class(bits), Class::Nan | Class::Infinite);
            finite.then(|| self.to_f64(bits).abs())
        };
        let size = value.abs();
        if value.fract() == 0.0 && size < 1e16 {
            return value;
        }
        let magnitude = self.magnitude(bits);
        let below = neighbour(magnitude.checked_sub(1));
        let above = neighbour((magnitude < self.sign_mask() - 1).then_some(magnitude + 1));
        // Half the way to each neighbour is exact in binary64. At either end of the format the
        // missing neighbour is taken to be as far as the other. A decimal that lies on the middle
        // itself is not taken: parsing could have moved it there.
        let down = below.map(|below| (size - below) / 2.0);
        let up = above.map(|above| (above - size) / 2.0);
        let lower = size - down.or(up).unwrap_or(0.0);
        let upper = size + up.or(down).unwrap_or(0.0);
        (0..17)
            .filter_map(|decimals| format!("{value:.decimals$e}").parse().ok())
            .find(|candidate: &f64| lower < candidate.abs() && candidate.abs() < upper)
            .unwrap_or(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::{DType, Kind};

    fn formats() -> impl Iterator<Item = &'static FloatFormat> {
        DType::ALL.into_iter().filter_map(|dtype| match dtype.kind() {
            Kind::Float(format) => Some(format),
            Kind::Int { .. } | Kind::Bool | Kind::Complex(_) | Kind::String => None,
        })
    }

    #[test]
    fn decimals_are_short_and_followed_by_the_bits() {
        let single = |value: f32| FloatFormat::FLOAT32.with_bits(u64::from(value.to_bits()));
        assert_eq!(single(0.1), "0.1 (0x3dcccccd)");
        assert_eq!(single(f32::NAN), "NaN (0x7fc00000)");
        assert_eq!(single(f32::NEG_INFINITY), "-inf (0xff800000)");
        assert_eq!(single(-0.0), "-0 (0x80000000)");
        assert_eq!(single(f32::MAX), "3.4028235e38 (0x7f7fffff)");
        assert_eq!(single(16_777_216.0), "16777216 (0x4b800000)");
        assert_eq!(with_bits(2_f64.powi(-23)), "1.1920928955078125e-7 (0x3e80000000000000)");
        assert_eq!(FloatFormat::FLOAT16.with_bits(0x2e66), "0.1 (0x2e66)");
        assert_eq!(FloatFormat::FLOAT16.with_bits(0x7bff), "65504 (0x7bff)");
        assert_eq!(FloatFormat::FLOAT16.with_bits(0x8001), "-6e-8 (0x8001)");
        assert_eq!(FloatFormat::BFLOAT16.with_bits(0x4049), "3.14 (0x4049)");
        assert_eq!(FloatFormat::FLOAT8E4M3FN.with_bits(0x7e), "448 (0x7e)");
        assert_eq!(FloatFormat::FLOAT8E4M3FNUZ.with_bits(0x80), "NaN (0x80)");
        assert_eq!(FloatFormat::FLOAT4E2M1.with_bits(0xf), "-6 (0xf)");
        assert_eq!(FloatFormat::FLOAT8E8M0.with_bits(0), "6e-39 (0x00)");
        assert_eq!(FloatFormat::FLOAT6E2M3.with_bits(0x3f), "-7.5 (0x3f)");
        assert_eq!(FloatFormat::FLOAT6E3M2.with_bits(0x01), "0.06 (0x01)");
    }

    #[test]
    fn every_decimal_of_every_small_format_reads_back_and_no_shorter_one_does() {
        for format in formats().filter(|format| format.width() <= 16) {
            let mut values: Vec<(f64, u64)> = (0..1 << format.width())
                .map(|bits| (format.to_f64(bits), bits))
                .filter(|(value, _)| value.is_finite())
                .collect();
            values.sort_by(|a, b| a.0.total_cmp(&b.0));
            for window in values.windows(3) {
                let [(below, _), (value, bits), (above, _)] = *window else { panic!() };
                let reads_back = |text: &str| {
                    let read: f64 = text.parse().unwrap();
                    let error = (read - value).abs();
                    let nearer = |other: f64| error < (read - other).abs() || other == value;
                    nearer(below)
                        && nearer(above)
                        && read.is_sign_negative() == format.is_negative(bits)
                };
                let decimal = format.decimal(bits);
                assert!(reads_back(&decimal), "{format:?} {bits:#x}: {decimal}");
                let digits = decimal.split('e').next().unwrap().replace(['-', '.'], "");
                let digits = digits.trim_matches('0').len();
                if digits > 1 && value.fract() != 0.0 {
                    let shorter = format!("{value:.*e}", digits - 2);
                    assert!(!reads_back(&shorter), "{format:?} {bits:#x}: {decimal}, {shorter}");
                }
            }
        }
    }

    #[test]
    fn decimals_of_the_wide_formats_parse_to_the_same_bits() {
        for seed in 0..20_000_u64 {
            let bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
            let double = f64::from_bits(bits);
            let single = f32::from_bits(bits as u32);
            if double.is_finite() {
                let read: f64 = FloatFormat::FLOAT64.decimal(bits).parse().unwrap();
                assert_eq!(read.to_bits(), bits);
            }
            if single.is_finite() {
                let bits = u64::from(single.to_bits());
                let read: f32 = FloatFormat::FLOAT32.decimal(bits).parse().unwrap();
                assert_eq!(u64::from(read.to_bits()), bits);
            }
        }
    }
}
