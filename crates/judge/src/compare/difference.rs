//! How far one element is from another, in the measures that reports show.

use values::dtype::{Kind, integer};
use values::float::{FloatFormat, modulus};

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
            difference.absolute = Some(modulus([real, imaginary]));
            difference.relative = relative(values[0], values[1]);
        }
        difference
    }

    /// No integer type is wider than 64 bits, so that distances and magnitudes fit.
    #[expect(clippy::cast_precision_loss, reason = "rounded once to nearest")]
    #[expect(clippy::cast_possible_truncation, reason = "see above")]
    const fn of_integers(expected: i128, actual: i128) -> Self {
        let distance = expected.abs_diff(actual) as u64;
        let magnitude = expected.unsigned_abs() as u64;
        Self {
            ulp: Some(distance),
            absolute: Some(distance as f64),
            relative: if magnitude == 0 { None } else { Some(distance as f64 / magnitude as f64) },
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
        modulus([actual[0] - expected[0], actual[1] - expected[1]]) / modulus(expected)
    };
    let exact = quotient(1.0);
    // The difference or a modulus of the largest numbers overflows where the quotient does not.
    Some(if exact.is_finite() { exact } else { quotient(0.25) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::dtype::DType;

    fn floats(expected: f64, actual: f64) -> Difference {
        let (expected, actual) = (u128::from(expected.to_bits()), u128::from(actual.to_bits()));
        Difference::between(DType::Float64.kind(), expected, actual)
    }

    fn singles(expected: f32, actual: f32) -> Difference {
        let (expected, actual) = (u128::from(expected.to_bits()), u128::from(actual.to_bits()));
        Difference::between(DType::Float32.kind(), expected, actual)
    }

    fn complex(expected: [f64; 2], actual: [f64; 2]) -> Difference {
        let [expected, actual] = [expected, actual]
            .map(|[re, im]| u128::from(re.to_bits()) | u128::from(im.to_bits()) << 64);
        Difference::between(DType::Complex128.kind(), expected, actual)
    }

    #[test]
    fn neighbours_are_one_ulp_apart() {
        let step = f64::from(f32::EPSILON);
        let up = singles(1.0, 1.0 + f32::EPSILON);
        assert_eq!((up.ulp, up.absolute, up.relative), (Some(1), Some(step), Some(step)));
        let down = singles(-4.0, -4.0 - 4.0 * f32::EPSILON);
        assert_eq!(
            (down.ulp, down.absolute, down.relative),
            (Some(1), Some(4.0 * step), Some(step))
        );
    }

    #[test]
    fn zeros_are_no_distance_apart_and_nothing_is_relative_to_them() {
        let zeros = floats(0.0, -0.0);
        assert_eq!((zeros.ulp, zeros.absolute, zeros.relative), (Some(0), Some(0.0), None));
        assert_eq!(floats(-0.0, 5e-324).relative, None);
        assert_eq!(floats(5e-324, 0.0).relative, Some(1.0));
    }

    #[test]
    fn nothing_is_measured_across_nan_infinite_and_finite() {
        for (expected, actual) in [
            (f64::NAN, 1.0),
            (1.0, f64::NAN),
            (f64::INFINITY, f64::MAX),
            (f64::MAX, f64::INFINITY),
            (f64::INFINITY, f64::NEG_INFINITY),
        ] {
            assert_eq!(floats(expected, actual), Difference::default(), "{expected} {actual}");
        }
        let nans = floats(f64::NAN, -f64::NAN);
        let none = Difference { ulp: Some(0), nan_bits_differ: true, ..Difference::default() };
        assert_eq!(nans, none);
        let infinities = floats(f64::INFINITY, f64::INFINITY);
        assert_eq!(infinities, Difference { ulp: Some(0), ..Difference::default() });
    }

    #[test]
    fn the_extremes_overflow_only_where_the_result_does() {
        let extremes = floats(f64::MAX, -f64::MAX);
        assert_eq!(extremes.absolute, Some(f64::INFINITY));
        assert_eq!(extremes.relative, Some(2.0));
        assert_eq!(floats(5e-324, f64::MAX).relative, Some(f64::INFINITY));
        assert_eq!(complex([f64::MAX; 2], [0.0; 2]).relative, Some(1.0));
    }

    #[test]
    fn integers_differ_in_units_without_overflow() {
        let between = |dtype: DType, expected: i128, actual: i128| {
            Difference::between(dtype.kind(), expected as u128, actual as u128)
        };
        let ends = between(DType::Int64, i64::MIN.into(), i64::MAX.into());
        assert_eq!((ends.ulp, ends.absolute), (Some(u64::MAX), Some(2_f64.powi(64))));
        assert_eq!(ends.relative, Some(2.0));
        let beyond_double = between(DType::Uint64, 1 << 53, (1 << 53) + 1);
        assert_eq!((beyond_double.ulp, beyond_double.absolute), (Some(1), Some(1.0)));
        assert_eq!(between(DType::Int4, 0xf, 0x1).ulp, Some(2));
        assert_eq!(between(DType::Uint4, 0xf, 0x1).ulp, Some(14));
        assert_eq!(between(DType::Int8, 0, 3).relative, None);
        assert_eq!(between(DType::Bool, 0, 1), Difference::default());
    }

    #[test]
    fn complex_numbers_differ_by_the_worse_part_and_by_the_modulus() {
        let step = 1.0 + f64::EPSILON;
        assert_eq!(complex([1.0, 1.0], [step, 1.0 + 3.0 * f64::EPSILON]).ulp, Some(3));
        let moved = complex([0.0, 10.0], [3.0, 14.0]);
        assert_eq!((moved.absolute, moved.relative), (Some(5.0), Some(0.5)));
        assert_eq!(complex([f64::NAN, 1.0], [1.0, 1.0]), Difference::default());
        assert_eq!(complex([0.0, 0.0], [1.0, 0.0]).relative, None);
        assert!(complex([f64::NAN, 1.0], [-f64::NAN, 2.0]).nan_bits_differ);
    }
}
