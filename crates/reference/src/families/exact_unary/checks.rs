//! The functions against arithmetic that they do not use: every element of 8 and 16 bits, and directed and drawn
//! ones of more.

use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::FloatFormat;
use values::random::Random;

use crate::elementwise::Elementwise;
use crate::exact::Conforming;
use crate::exact::number::Int;
use crate::inputs::patterns::{corners, specials, with_every_exponent};
use crate::inputs::{Tuple, tuples};

/// What a test expects of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected<T> {
    /// This number; of zeros this one.
    Number(T),
    EitherZero,
    AnyNan,
    /// NaN, or +0.
    NanOrZero,
    Open,
}

/// Elements that are drawn of a type of 32 or 64 bits.
const DRAWN: u64 = 100_000;

fn drawn(width: u32) -> impl Iterator<Item = u64> {
    (0..DRAWN).map(move |index| Random::at(0x6578_6163, index).bits() >> (64 - width))
}

/// Special values, boundary significands of every exponent (of float64 every seventh), and drawn ones.
fn floats(dtype: DType, format: &FloatFormat) -> Vec<u64> {
    if format.width() == 16 {
        return (0..1 << 16).collect();
    }
    let step = if format.width() == 64 { 7 } else { 1 };
    let exponents = tuples(&*with_every_exponent(*format), dtype);
    let exponents = exponents.into_iter().step_by(step).map(|[x, _]: Tuple| x);
    specials(format).into_iter().chain(exponents).chain(drawn(format.width())).collect()
}

/// Checks what a function gives for floats, by one of binary64 numbers.
pub(crate) fn check_floats(function: &dyn Elementwise, expected: fn(f64) -> Expected<f64>) {
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        for x in floats(dtype, format) {
            let conforming = function.conforming(dtype, &[Element::Bits(dtype, x.into())]);
            let (number, bits) = (format.to_f64(x), f64::to_bits);
            let agree = match (&conforming, expected(number)) {
                (Conforming::One(y), Expected::Number(z)) => bits(format.to_f64(*y)) == bits(z),
                (Conforming::AnyNan(of), Expected::AnyNan) => *of == format,
                (open, Expected::EitherZero) => *open == Conforming::either_zero(format),
                (any, Expected::NanOrZero) => {
                    *any == Conforming::OneOf(vec![Conforming::AnyNan(format), Conforming::One(0)])
                }
                (Conforming::Unspecified(_), Expected::Open) => true,
                _ => false,
            };
            assert!(agree, "{dtype} {x:#x} ({number}): {conforming:?}");
        }
    }
}

/// Checks what a function gives for integers.
pub(crate) fn check_ints(
    function: &dyn Elementwise,
    types: &[DType],
    expected: fn(i128, Int) -> Expected<i128>,
) {
    for &dtype in types {
        let Kind::Int { signed, bits } = dtype.kind() else { panic!("{dtype}") };
        let int = Int { signed, bits };
        let all: Vec<u64> = match bits {
            8 | 16 => (0..1 << bits).collect(),
            _ => corners(int).into_iter().map(|x| int.wrap(x)).chain(drawn(bits)).collect(),
        };
        for x in all {
            let conforming = function.conforming(dtype, &[Element::Bits(dtype, x.into())]);
            let agree = match (&conforming, expected(int.value(x), int)) {
                (Conforming::One(y), Expected::Number(z)) => int.value(*y) == z,
                (Conforming::Unspecified(_), Expected::Open) => true,
                _ => false,
            };
            assert!(agree, "{dtype} {}: {conforming:?}", int.value(x));
        }
    }
}
