//! What NumPy finds close, in the precision in which NumPy computes it.
//!
//! `numpy.testing.assert_allclose(actual, desired)` of NumPy 2 converts `desired` to
//! `result_type(desired, 1.0)` and then wants, for every element,
//!
//! ```text
//! |actual - desired| <= atol + rtol * |desired|
//! ```
//!
//! where every operation, and each tolerance itself, is rounded to that type. NaN wants NaN, and an
//! infinity the same infinity; an element of a complex number is NaN or infinite where either part
//! is. Zeros are equal whatever their sign.
//!
//! ONNX's runner of 1.23 makes one exception: it converts both sides of bfloat16 to binary32 first,
//! and takes a relative tolerance of at least 2^-6; the widened [`Closeness`] does the same.
//!
//! What `result_type` gives was measured for each element type with NumPy 2.4.6 and ml_dtypes
//! 0.6.0, which represents the types that NumPy itself lacks; `testdata/numpy/` holds the proof.
//!
//! Two differences are known. The modulus of a complex number whose parts both differ from zero is
//! computed otherwise on other machines by NumPy, so that its last bit may decide another way. And
//! where the tolerance itself overflows to infinity, NumPy lets an infinite float8e5m2 or bfloat16
//! pass for a finite one, as for no other type; here it never passes. (Under 1.23's exception it does
//! not pass there either.)

use std::cmp::Ordering;

use half::f16;
use num_traits::{AsPrimitive, Float};

use super::Tolerance;
use values::dtype::{DType, Kind, integer};
use values::float::modulus;

/// Least relative tolerance of bfloat16 in ONNX 1.23's runner: 2^-6.
const BFLOAT16_RTOL: f64 = 1.0 / 64.0;

/// NumPy's closeness for elements of one type.
#[derive(Clone, Copy, Debug)]
pub struct Closeness {
    kind: Kind,
    limit: Limit,
}

/// The tolerance in the precision of the comparison.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Half(Within<f16>),
    Single(Within<f32>),
    Double(Within<f64>),
}

#[derive(Clone, Copy, Debug)]
struct Within<T> {
    rtol: T,
    atol: T,
}

impl Closeness {
    /// The closeness of a type; `None` for strings, which are not numbers. Where it is `widened`, bfloat16
    /// is as ONNX 1.23's runner has it (`assert_similar_outputs` in `onnx/backend/test/runner`): in
    /// binary32, with a relative tolerance of two units at least.
    pub fn new(dtype: DType, Tolerance { rtol, atol }: Tolerance, widened: bool) -> Option<Self> {
        let kind = dtype.kind();
        let single = |rtol: f64| Limit::Single(Within { rtol: rtol.as_(), atol: atol.as_() });
        let limit = match (dtype, kind) {
            (DType::String, _) => return None,
            (DType::Float16, _) | (_, Kind::Int { bits: ..=4, .. }) => {
                Limit::Half(Within { rtol: to_f16(rtol), atol: to_f16(atol) })
            }
            (DType::Float32 | DType::Complex64 | DType::Float8E5M2, _) => single(rtol),
            (DType::Bfloat16, _) if widened => single(rtol.max(BFLOAT16_RTOL)),
            _ => Limit::Double(Within { rtol, atol }),
        };
        Some(Self { kind, limit })
    }

    /// Whether the element with the bits `actual` is close to the expected one.
    pub fn accepts(&self, expected: u128, actual: u128) -> bool {
        let expected = complex(self.kind, expected);
        let actual = complex(self.kind, actual);
        match self.limit {
            Limit::Half(within) => within.accepts(expected, actual),
            Limit::Single(within) => within.accepts(expected, actual),
            Limit::Double(within) => within.accepts(expected, actual),
        }
    }
}

impl<T: Float + AsPrimitive<f64>> Within<T>
where
    f64: AsPrimitive<T>,
{
    /// The values are those of the type's own format, so their conversion to `T` is exact, except
    /// that of 64-bit integers, which has been made.
    fn accepts(self, expected: [f64; 2], actual: [f64; 2]) -> bool {
        let nan = [expected, actual].map(|parts| parts.iter().any(|part| part.is_nan()));
        if nan != [false; 2] {
            return nan == [true; 2];
        }
        // Equality also holds where the tolerance below overflows to NaN: infinity times zero.
        if expected == actual {
            return true;
        }
        if expected.iter().chain(&actual).any(|part| part.is_infinite()) {
            return false;
        }
        let [expected, actual] = [expected, actual].map(|parts| parts.map(AsPrimitive::<T>::as_));
        let size = |parts: [T; 2]| -> T { modulus(parts.map(T::as_)).as_() };
        let difference = [actual[0] - expected[0], actual[1] - expected[1]];
        size(difference) <= self.atol + self.rtol * size(expected)
    }
}

/// The value of an element as NumPy's 64-bit types hold it, the imaginary part of a real one 0.
fn complex(kind: Kind, bits: u128) -> [f64; 2] {
    match kind {
        Kind::Float(format) => [format.to_f64(format.parts(bits)[0]), 0.0],
        Kind::Complex(format) => format.parts(bits).map(|part| format.to_f64(part)),
        #[expect(clippy::cast_precision_loss, reason = "NumPy rounds 64-bit integers alike")]
        Kind::Int { signed, bits: width } => [integer(bits, signed, width) as f64, 0.0],
        Kind::Bool => [f64::from(u8::from(bits != 0)), 0.0],
        Kind::String => [f64::NAN, 0.0],
    }
}

/// The binary16 value nearest to a non-negative number, ties to even.
///
/// Rounding to binary32 first and to binary16 next would round twice, which is wrong near a tie.
/// Rounding to odd first keeps what the second step needs to know.
fn to_f16(value: f64) -> f16 {
    let nearest: f32 = value.as_();
    let is_even = nearest.to_bits().is_multiple_of(2);
    f16::from_f32(match f64::from(nearest).total_cmp(&value) {
        Ordering::Less if is_even => nearest.next_up(),
        Ordering::Greater if is_even => nearest.next_down(),
        Ordering::Less | Ordering::Equal | Ordering::Greater => nearest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_rounded_to_binary16_once() {
        // The middles between 1 and its successor, and between that and the next.
        let middles = [1.0 + 2_f64.powi(-11), 1.0 + 3.0 * 2_f64.powi(-11)];
        // The first is less than binary32 can tell.
        let [little, step] = [2_f64.powi(-40), 2_f64.powi(-23)];
        for (from_the_middle, bits) in [
            (0.0, [0x3c00, 0x3c02]),
            (little, [0x3c01, 0x3c02]),
            (-little, [0x3c00, 0x3c01]),
            (step - little, [0x3c01, 0x3c02]),
            (little - step, [0x3c00, 0x3c01]),
        ] {
            let rounded = middles.map(|middle| to_f16(middle + from_the_middle).to_bits());
            assert_eq!(rounded, bits, "{from_the_middle:e}");
        }
        assert_eq!(to_f16(1e-3).to_bits(), 0x1419);
        assert_eq!(to_f16(1e-7).to_bits(), 2);
        assert_eq!(to_f16(0.0).to_bits(), 0);
        assert_eq!(to_f16(1e-300).to_bits(), 0);
        assert_eq!(to_f16(1e300), f16::INFINITY);
        assert_eq!(to_f16(f64::MAX), f16::INFINITY);
    }
}
