//! Neg: the element with its sign flipped.
//!
//! Nothing is rounded: the negation of a number is a number of the type, a zero's the other zero, but for
//! the least integer, of which neither document says what becomes of it. The negate of IEEE 754-2019, 5.5.1,
//! flips the sign of a NaN as well; both documents speak of numbers alone, and 6.3 gives a NaN's sign no
//! meaning, so that any NaN conforms, as for every arithmetic operator. Sources: ONNX's schemas of Neg-1, 6
//! and 13; SONNX's Neg.

mod boundaries;
mod hard_inputs;

use values::dtype::DType;
use values::element::Element;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN, Symmetry, bits_of};
use crate::exact::number::{Value, zero};
use crate::exact::{Conforming, Deviation, Number, distance, real};
use crate::families::binary::CONSUMED_INPUTS;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{IEEE_FLOATS, NUMERIC};

/// Neg in ONNX's default domain.
pub static NEG: Operator = Operator {
    documents: &[
        Document { key: "sonnx-neg", catalogue: include_str!("neg/sonnx-neg.toml") },
        Document { key: "onnx-neg", catalogue: include_str!("neg/onnx-neg.toml") },
    ],
    hard_inputs: Some(hard_inputs::parts),
    readings: Some(include_str!("neg/readings.toml")),
    cases: Some(|of| case_table::cases(of, &NEG, &[include_str!("neg/cases.toml")], Own::NONE)),
    coverage: include_str!("neg/coverage.txt"),
    ..Operator::onnx("Neg", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { ports(IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { ports(SIGNED_NUMBERS.split_at(1).1) }.since(6, &[]),
    const { ports(SIGNED_NUMBERS) }.since(13, &[]),
];

/// The floats, bfloat16 first, and the signed integers.
const SIGNED_NUMBERS: &[DType] = NUMERIC.split_at(8).0;

const fn ports(types: &'static [DType]) -> Ports<1> {
    Ports::new(["X"], "Y", types)
}

/// The negation.
#[derive(Clone, Copy, Debug)]
pub struct Negation;

impl Elementwise for Negation {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some([x])) => match Value::of(format, x) {
                Value::Nan => Conforming::AnyNan(format),
                Value::Zero => zero(format, !format.is_negative(x)),
                Value::Finite(_) | Value::Infinite => Conforming::One(format.negated(x)),
            },
            (Some(Number::Int(int)), Some([x])) => int.element(-int.value(x)).map_or(
                Conforming::Unspecified("the type does not hold the negation of this integer"),
                Conforming::One,
            ),
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let [x] = bits_of(dtype, operands)?;
        real::value(dtype, x).map(|x| Real::exactly(-x))
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match self.conforming(dtype, operands) {
            Conforming::One(exact) => distance(dtype, exact, actual),
            _ => Deviation::NoRealResult,
        }
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Some(Symmetry::Odd)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Negation> = Pointwise {
    function: |_, _| Negation,
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: Some(&boundaries::Negations),
};

#[cfg(test)]
mod tests {
    use super::*;
    use values::dtype::Kind;
    use values::float::Class;

    fn conforming(dtype: DType, x: u64) -> Conforming {
        Negation.conforming(dtype, &[Element::Bits(dtype, x.into())])
    }

    #[test]
    fn the_sign_bit_of_every_16_bit_float_flips_and_nan_stays_any_nan() {
        for dtype in [DType::Float16, DType::Bfloat16] {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            for x in 0..1 << 16 {
                let expected = match format.class(x) {
                    Class::Nan => Conforming::AnyNan(format),
                    _ => Conforming::One(x ^ 0x8000),
                };
                assert_eq!(conforming(dtype, x), expected, "{dtype} {x:#x}");
            }
        }
        assert_eq!(conforming(DType::Float64, 0), Conforming::One(1 << 63));
        assert_eq!(conforming(DType::Float64, 1 << 63), Conforming::One(0));
    }

    #[test]
    fn of_integers_the_least_alone_is_open() {
        for (x, bits) in (i8::MIN..=i8::MAX).map(|x| (x, u64::from(x as u8))) {
            match x.checked_neg() {
                Some(y) => {
                    assert_eq!(conforming(DType::Int8, bits), Conforming::One((y as u8).into()));
                }
                None => {
                    assert_eq!((x, conforming(DType::Int8, bits).is_decided()), (-128, false));
                }
            }
        }
        for (dtype, width) in [(DType::Int16, 16), (DType::Int32, 32), (DType::Int64, 64)] {
            let (least, all) = (1_u64 << (width - 1), u64::MAX >> (64 - width));
            assert!(!conforming(dtype, least).is_decided());
            assert_eq!(conforming(dtype, least + 1), Conforming::One(least - 1));
            assert_eq!(conforming(dtype, all), Conforming::One(1));
            assert_eq!(conforming(dtype, 0), Conforming::One(0));
        }
    }

    #[test]
    fn errors_are_distances_from_the_negation() {
        let one = [Element::Bits(DType::Float16, 0x3c00)];
        let ulps = |actual| Negation.deviation(DType::Float16, &one, actual);
        assert_eq!(ulps(0xbc00), distance(DType::Float16, 0xbc00, 0xbc00));
        assert_eq!(ulps(0xbc01), distance(DType::Float16, 0xbc00, 0xbc01));
        let infinite = [Element::Bits(DType::Float16, 0x7c00)];
        let error = Negation.deviation(DType::Float16, &infinite, 0xfc00);
        assert_eq!(error, Deviation::NoRealResult);
    }
}
