//! How far one element is from another, in the measures that reports show.

use crate::dtype::{Kind, integer};
use crate::float::FloatFormat;

/// The distance between an element and the expected one. What is not defined is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Difference {
    /// Steps between neighbouring values of the format; units of an integer.
    pub(super) ulp: Option<u64>,
    /// Between finite numbers, rounded once to binary64 (twice for complex numbers).
    pub(super) absolute: Option<f64>,
    /// The absolute difference over the expected magnitude, where that is finite and not 0.
    pub(super) relative: Option<f64>,
    /// Whether a number, or one part of it, is NaN on both sides with other bits.
    pub(super) nan_bits_differ: bool,
}

impl Difference {
    /// Between two elements of a kind, given by their bits.
    pub(super) fn between(kind: Kind, expected: u128, actual: u128) -> Self {
        match kind {
            Kind::Float(format) => {
                Self::of_floats(format, format.parts(expected)[0], format.parts(actual)[0])
            }
            Kind::Complex(format) => {
                Self::of_complex(format, format.parts(expected), format.parts(actual))
            }
            Kind::Int { signed, bits } => {
                Self::of_integers(integer(expected, signed, bits), integer(actual, signed, bits))
            }
            Kind::Bool | Kind::String => Self::default(),
        }
    }

    fn of_floats(format: &FloatFormat, expected: u64, actual: u64) -> Self {
        let values = [expected, actual].map(|bits| format.to_f64(bits));
        let mut difference = Self {
            ulp: format.ulp_distance(expected, actual),
            nan_bits_differ: expected != actual && values.iter().all(|value| value.is_nan()),
            ..Self::default()
        };
        let [expected, actual] = values;
        if expected.is_finite() && actual.is_finite() {
            difference.absolute = Some((actual - expected).abs());
            difference.relative = relative([expected, 0.0], [actual, 0.0]);
        }
        difference
    }

    fn of_complex(format: &FloatFormat, expected: [u64; 2], actual: [u64; 2]) -> Self {
        let parts = [0, 1].map(|part| Self::of_floats(format, expected[part], actual[part]));
        let mut difference = Self {
            ulp: parts[0].ulp.zip(parts[1].ulp).map(|(real, imaginary)| real.max(imaginary)),
            nan_bits_differ: parts.iter().any(|part| part.nan_bits_differ),
            ..Self::default()
        };
        if let (Some(real), Some(imaginary)) = (parts[0].absolute, parts[1].absolute) {
            let values = [expected, actual].map(|parts| parts.map(|part| format.to_f64(part)));
            difference.absolute = Some(libm::hypot(real, imaginary));
            difference.relative = relative(values[0], values[1]);
        }
        difference
    }

    #[expect(clippy::cast_precision_loss, reason = "rounded once to nearest")]
    fn of_integers(expected: i128, actual: i128) -> Self {
        let distance = expected.abs_diff(actual);
        let magnitude = expected.unsigned_abs();
        Self {
            ulp: u64::try_from(distance).ok(),
            absolute: Some(distance as f64),
            relative: (magnitude != 0).then(|| distance as f64 / magnitude as f64),
            nan_bits_differ: false,
        }
    }
}

/// Difference over magnitude of finite complex numbers; `None` where `expected` is 0.
fn relative(expected: [f64; 2], actual: [f64; 2]) -> Option<f64> {
    if expected == [0.0; 2] {
        return None;
    }
    let quotient = |scale: f64| {
        let [expected, actual] = [expected, actual].map(|parts| parts.map(|part| part * scale));
        libm::hypot(actual[0] - expected[0], actual[1] - expected[1])
            / libm::hypot(expected[0], expected[1])
    };
    let exact = quotient(1.0);
    // The difference or a modulus of the largest numbers overflows where the quotient does not.
    Some(if exact.is_finite() { exact } else { quotient(0.25) })
}
