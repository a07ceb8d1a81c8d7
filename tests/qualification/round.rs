//! Rounding to the float formats, in integers: the same on every machine, unlike the conversions of a
//! processor that goes through another format on its way.

use onnx_conformance::float::FloatFormat;

/// Which of the two neighbours is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The nearest, of ties the even one.
    TiesToEven,
    /// The nearest, of ties the one away from zero.
    TiesAway,
    /// The one towards zero.
    TowardsZero,
    /// The one away from zero.
    AwayFromZero,
}

/// Rounds a binary64 number to a format. Every NaN becomes the quiet one without payload.
pub(crate) fn round(format: &FloatFormat, value: f64, mode: Mode) -> u64 {
    let field = format.significand_bits;
    let infinity = ((1_u64 << format.exponent_bits) - 1) << field;
    if value.is_nan() {
        return infinity | 1 << (field - 1);
    }
    let sign = u64::from(value.is_sign_negative()) << (format.width() - 1);
    if value.is_infinite() {
        return sign | infinity;
    }
    let bits = value.abs().to_bits();
    if bits == 0 {
        return sign;
    }
    // value = significand * 2^exponent
    let (significand, exponent) = match bits >> 52 {
        0 => (bits, -1074),
        biased => (bits & ((1 << 52) - 1) | 1 << 52, biased as i32 - 1075),
    };
    let leading = exponent + significand.ilog2() as i32;
    let least = 1 - format.bias - field as i32;
    let unit = (leading - field as i32).max(least);
    let kept = match unit - exponent {
        shift @ ..=0 => significand << -shift,
        // All of a significand of 53 bits is below half of such a unit.
        shift => rounded(significand, shift.min(60) as u32, mode),
    };
    // A significand without its leading bit is that of a subnormal number, and one that was rounded up
    // to a power of two carries into the exponent.
    let magnitude = ((unit - least) as u64) << field;
    match magnitude + kept {
        overflow if overflow >= infinity => match mode {
            Mode::TowardsZero => sign | (infinity - 1),
            _ => sign | infinity,
        },
        finite => sign | finite,
    }
}

fn rounded(significand: u64, shift: u32, mode: Mode) -> u64 {
    let (kept, rest) = (significand >> shift, significand & ((1 << shift) - 1));
    let half = 1 << (shift - 1);
    let up = match mode {
        Mode::TiesToEven => rest > half || rest == half && kept & 1 == 1,
        Mode::TiesAway => rest >= half,
        Mode::TowardsZero => false,
        Mode::AwayFromZero => rest > 0,
    };
    kept + u64::from(up)
}

/// The number with a significand of `bits` bits that is nearest, as if exponents had no bounds.
pub(crate) fn to_precision(bits: u32, value: f64) -> f64 {
    let wide = FloatFormat { significand_bits: bits - 1, ..FloatFormat::FLOAT64 };
    let narrow = round(&wide, value, Mode::TiesToEven);
    f64::from_bits(narrow << (FloatFormat::FLOAT64.significand_bits - wide.significand_bits))
}
