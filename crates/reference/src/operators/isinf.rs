//! IsInf: whether an element is an infinity, of a sign that the attributes ask for.
//!
//! What an attribute other than 0 and 1 asks for, the documents do not say. Sources: ONNX's schemas of IsInf-10 and
//! 20; IEEE 754-2019, 5.7.2 (isInfinite); which of the 8-bit formats have infinities, ONNX's `float8.md`.

use values::dtype::DType::{self, Bool, Float32, Float64};
use values::element::Element;
use values::float::Class;

use super::isnan::{WITH_FLOAT8, class, hard_inputs, ports};
use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation};
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Version,
};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// IsInf in ONNX's default domain.
pub static ISINF: Operator = Operator {
    documents: &[Document { key: "onnx-isinf", catalogue: include_str!("isinf/onnx-isinf.toml") }],
    cases: Some(|of| case_table::cases(of, &ISINF, &[include_str!("isinf/cases.toml")], Own::NONE)),
    hard_inputs: Some(hard_inputs),
    ..Operator::onnx("IsInf", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { ports(&[Float32, Float64]) }.since(10, &ATTRIBUTES),
    const { ports(&WITH_FLOAT8) }.since(20, &ATTRIBUTES),
];

const ATTRIBUTES: [Attribute; 2] = [truth(NEGATIVE), truth(POSITIVE)];
const NEGATIVE: &str = "detect_negative";
const POSITIVE: &str = "detect_positive";

/// An attribute that is 1 where it is left out.
const fn truth(name: &'static str) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(1))
}

/// Whether an element is an infinity: what is asked of the negative and of the positive one.
#[derive(Clone, Copy, Debug)]
pub struct IsInf {
    asked: [i64; 2],
}

impl IsInf {
    fn of(attributes: &Attributes) -> Self {
        let asked = |name| match attributes.get(name) {
            Some(AttributeValue::Int(value)) => *value,
            _ => 1,
        };
        Self { asked: [asked(NEGATIVE), asked(POSITIVE)] }
    }
}

impl Elementwise for IsInf {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let [negative, positive] = self.asked;
        let asked = match class(operands) {
            Some(_) if dtype != Bool => return FOREIGN,
            Some((Class::Infinite, true)) => negative,
            Some((Class::Infinite, false)) => positive,
            Some(_) => 0,
            None => return FOREIGN,
        };
        match asked {
            0 => Conforming::One(0),
            1 => Conforming::One(1),
            _ => Conforming::Unspecified("the attribute for this sign is neither 0 nor 1"),
        }
    }

    fn real(&self, _: DType, _: &[Element], _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: DType, _: &[Element], _: u64) -> Deviation {
        Deviation::NoRealResult
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<IsInf> = Pointwise {
    function: |_, attributes| IsInf::of(attributes),
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: None,
};

#[cfg(test)]
mod tests {
    use values::dtype::Kind;
    use values::random::Random;

    use super::*;

    fn conforming(asked: [i64; 2], dtype: DType, bits: u64) -> Conforming {
        IsInf { asked }.conforming(Bool, &[Element::Bits(dtype, bits.into())])
    }

    /// What is asked of the sign of an infinite value; of any other value nothing is.
    fn expected([negative, positive]: [i64; 2], value: f64) -> Conforming {
        let asked = if value < 0.0 { negative } else { positive };
        Conforming::One(u64::from(value.is_infinite() && asked == 1))
    }

    const BOTH: [[i64; 2]; 4] = [[1, 1], [0, 1], [1, 0], [0, 0]];

    #[test]
    fn every_element_of_8_and_16_bits_is_infinite_where_its_value_is() {
        for dtype in WITH_FLOAT8 {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            for bits in 0..1_u64 << format.width().min(16) {
                for asked in BOTH {
                    let expected = expected(asked, format.to_f64(bits));
                    assert_eq!(conforming(asked, dtype, bits), expected, "{dtype} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn wider_elements_are_infinite_where_the_machine_says_so() {
        let mut random = Random::new(5);
        let near = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::NAN, 0.0];
        let near = near.map(f64::to_bits).into_iter().flat_map(|bits| [bits, bits + 1]);
        for double in near.chain((0..100_000).map(|_| random.bits())) {
            for asked in BOTH {
                let expected = expected(asked, f64::from_bits(double));
                assert_eq!(conforming(asked, Float64, double), expected, "{double:#x}");
            }
        }
        for single in [0x7f7f_ffff_u32, 0x7f80_0000, 0x7f80_0001, 0xff7f_ffff, 0xff80_0000] {
            let expected = expected([1, 1], f32::from_bits(single).into());
            assert_eq!(conforming([1, 1], Float32, single.into()), expected, "{single:#x}");
        }
    }

    #[test]
    fn other_values_of_an_attribute_leave_the_infinity_of_their_sign_open() {
        let asked = [2, 1];
        assert!(!conforming(asked, Float32, 0xff80_0000).is_decided());
        assert_eq!(conforming(asked, Float32, 0x7f80_0000), Conforming::One(1));
        assert_eq!(conforming(asked, Float32, 0x3f80_0000), Conforming::One(0));
        assert!(!conforming([1, 1], DType::Int8, 1).is_decided());
    }
}
