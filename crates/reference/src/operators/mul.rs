//! Mul: the product of two elements.
//!
//! Floats are multiplied as IEEE 754 has it, integers modulo 2^n. Sources: ONNX's schemas of Mul-1, 6, 7,
//! 13 and 14; SONNX's Mul; IEEE 754-2019, 5.4.1 (multiplication), 6.1 to 6.3.

pub(crate) mod boundaries;
mod cases;
pub(super) mod fast_check;
pub(crate) mod hard_inputs;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::number::{Int, Value, infinity, zero};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation, Number, distance, real};
use crate::families::binary;
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// Mul in ONNX's default domain.
pub static MUL: Operator = Operator {
    documents: &[
        Document { key: "sonnx-mul", catalogue: include_str!("mul/sonnx-mul.toml") },
        Document { key: "onnx-mul", catalogue: include_str!("mul/onnx-mul.toml") },
    ],
    readings: Some(include_str!("mul/readings.toml")),
    fast_checks: Some(&fast_check::FastProducts),
    hard_inputs: Some(hard_inputs::parts),
    cases: Some(|of| {
        let tables = [binary::CASES, include_str!("mul/cases.toml")];
        case_table::cases(of, &MUL, &tables, cases::OWN)
    }),
    coverage: include_str!("mul/coverage.txt"),
    ..Operator::onnx("Mul", OperatorKind::Rounded, &binary::VERSIONS, &REFERENCE)
};

/// The product.
#[derive(Clone, Copy, Debug)]
pub struct Multiplication;

impl Elementwise for Multiplication {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some(operands)) => product(format, operands),
            (Some(Number::Int(int)), Some(operands)) => Conforming::One(wrapped(int, operands)),
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let [a, b] = bits_of(dtype, operands)?;
        match Number::of(dtype)? {
            Number::Float(_) => {
                Some(Real::exactly(real::value(dtype, a)? * real::value(dtype, b)?))
            }
            Number::Int(int) => Real::of_element(dtype, wrapped(int, [a, b])),
        }
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some(operands)) => error(format, operands, actual),
            (Some(Number::Int(int)), Some(operands)) => {
                distance(dtype, wrapped(int, operands), actual)
            }
            _ => Deviation::NoRealResult,
        }
    }
}

/// The product of integers modulo 2^n; no product of 64 bits overflows otherwise than modulo 2^128.
fn wrapped(int: Int, [a, b]: [u64; 2]) -> u64 {
    int.wrap(int.value(a).wrapping_mul(int.value(b)))
}

fn product(format: &'static FloatFormat, [a, b]: [u64; 2]) -> Conforming {
    let negative = format.is_negative(a) != format.is_negative(b);
    match (Value::of(format, a), Value::of(format, b)) {
        (Value::Nan, _)
        | (_, Value::Nan)
        | (Value::Infinite, Value::Zero)
        | (Value::Zero, Value::Infinite) => Conforming::AnyNan(format),
        (Value::Infinite, _) | (_, Value::Infinite) => infinity(format, negative),
        (Value::Zero, _) | (_, Value::Zero) => zero(format, negative),
        (Value::Finite(a), Value::Finite(b)) => Exact::product(a, b).nearest(format, negative),
    }
}

fn error(format: &'static FloatFormat, [a, b]: [u64; 2], actual: u64) -> Deviation {
    let negative = format.is_negative(a) != format.is_negative(b);
    match (Value::of(format, a), Value::of(format, b)) {
        (Value::Finite(a), Value::Finite(b)) => {
            Exact::product(a, b).deviation(format, negative, actual)
        }
        (Value::Zero, Value::Finite(_) | Value::Zero) | (Value::Finite(_), Value::Zero) => {
            Exact::ZERO.deviation(format, negative, actual)
        }
        _ => Deviation::NoRealResult,
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Multiplication> = Pointwise {
    function: |_, _| Multiplication,
    broadcast: binary::broadcast,
    boundaries: Some(&boundaries::Products),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn conforming(dtype: DType, operands: [u64; 2]) -> Conforming {
        let elements = operands.map(|bits| Element::Bits(dtype, bits.into()));
        Multiplication.conforming(dtype, &elements)
    }

    #[test]
    fn eight_bit_products_are_those_of_the_machine_for_every_pair() {
        for (a, b) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
            let pair = [a.into(), b.into()];
            assert_eq!(conforming(DType::Uint8, pair), Conforming::One(a.wrapping_mul(b).into()));
            let signed = (a as i8).wrapping_mul(b as i8) as u8;
            assert_eq!(conforming(DType::Int8, pair), Conforming::One(signed.into()));
        }
        let long = [u64::MAX, u64::MAX];
        assert_eq!(conforming(DType::Uint64, long), Conforming::One(1));
        assert_eq!(conforming(DType::Int64, long), Conforming::One(1));
    }

    #[test]
    fn float32_products_are_those_of_the_machine() {
        let mut random = values::random::Random::new(1);
        for _ in 0..200_000 {
            let pair = [random.bits() as u32, random.bits() as u32];
            let machine = f32::from_bits(pair[0]) * f32::from_bits(pair[1]);
            let conforming = conforming(DType::Float32, pair.map(u64::from));
            assert!(conforming.accepts(machine.to_bits().into()), "{pair:x?}: {conforming:?}");
        }
    }

    #[test]
    fn infinity_times_zero_is_nan_and_signs_are_those_of_both() {
        let nan = Conforming::AnyNan(&FloatFormat::FLOAT16);
        assert_eq!(conforming(DType::Float16, [0x7c00, 0x8000]), nan);
        assert_eq!(conforming(DType::Float16, [0x7c00, 0xbc00]), Conforming::One(0xfc00));
        assert_eq!(conforming(DType::Float16, [0x0000, 0xbc00]), Conforming::One(0x8000));
        // 65504 * 2 overflows; the smallest subnormal by a half is a tie, to even.
        assert_eq!(conforming(DType::Float16, [0x7bff, 0x4000]), Conforming::One(0x7c00));
        assert_eq!(conforming(DType::Float16, [0x0001, 0x3800]), Conforming::One(0x0000));
        assert_eq!(conforming(DType::Float16, [0x0003, 0x3800]), Conforming::One(0x0002));
    }

    #[test]
    fn errors_are_told_in_units_of_the_exact_product() {
        let pair = [0x3c01_u64, 0x3c01].map(|bits| Element::Bits(DType::Float16, bits.into()));
        // (1 + 2^-10)^2 is 1 + 2^-9 + 2^-20.
        let error = |actual| match Multiplication.deviation(DType::Float16, &pair, actual) {
            Deviation::Ulps(ulps) => ulps.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!((error(0x3c02), error(0x3c03)), ("0.000977".into(), "0.999024".into()));
    }
}
