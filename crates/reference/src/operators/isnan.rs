//! IsNaN: whether an element is a NaN, of whatever sign and payload.
//!
//! Sources: ONNX's schemas of IsNaN-9, 13 and 20; IEEE 754-2019, 5.7.2 (isNaN); what is a NaN of the 8-bit formats,
//! ONNX's `float8.md`.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16,
    Float32, Float64,
};
use values::element::Element;
use values::float::Class;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::{Conforming, Deviation};
use crate::families::unary;
use crate::inputs::Parts;
use crate::inputs::patterns::single_numbers;
use crate::operator::{Document, Operator, OperatorKind, Port, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// IsNaN in ONNX's default domain.
pub static ISNAN: Operator = Operator {
    documents: &[Document { key: "onnx-isnan", catalogue: include_str!("isnan/onnx-isnan.toml") }],
    cases: Some(|of| case_table::cases(of, &ISNAN, &[include_str!("isnan/cases.toml")], Own::NONE)),
    hard_inputs: Some(hard_inputs),
    ..Operator::onnx("IsNaN", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { ports(IEEE_FLOATS) }.since(9, &[]),
    const { ports(FLOATS) }.since(13, &[]),
    const { ports(&WITH_FLOAT8) }.since(20, &[]),
];

/// The floats with those of 8 bits.
pub(super) const WITH_FLOAT8: [DType; 8] =
    [Bfloat16, Float16, Float32, Float64, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz];

/// The port X of one of these types, and Y of truth values.
pub(super) const fn ports(types: &'static [DType]) -> Ports<1> {
    let mut ports = Ports::new(["X"], "Y", types);
    ports.inputs = [Port::new("X", types, "T1")];
    ports.output = [Port::new("Y", &[Bool], "T2")];
    ports
}

/// Elements of which a class is told wrongly most easily.
pub(super) fn hard_inputs(dtype: DType) -> Option<Parts> {
    unary::format(dtype).map(single_numbers)
}

/// The class of the one operand, and whether its sign is negative; of float types alone.
pub(super) fn class(operands: &[Element]) -> Option<(Class, bool)> {
    let dtype = operands.first()?.dtype();
    let (format, [bits]) = (unary::format(dtype)?, bits_of(dtype, operands)?);
    Some((format.class(bits), format.is_negative(bits)))
}

/// Whether an element is a NaN.
#[derive(Clone, Copy, Debug)]
pub struct IsNan;

impl Elementwise for IsNan {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match class(operands) {
            Some((class, _)) if dtype == Bool => Conforming::One((class == Class::Nan).into()),
            _ => FOREIGN,
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
const REFERENCE: Pointwise<IsNan> = Pointwise {
    function: |_, _| IsNan,
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: None,
};

#[cfg(test)]
mod tests {
    use values::dtype::Kind;
    use values::random::Random;

    use super::*;

    fn is_nan(dtype: DType, bits: u64) -> bool {
        match IsNan.conforming(Bool, &[Element::Bits(dtype, bits.into())]) {
            Conforming::One(truth) => truth == 1,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_element_of_8_and_16_bits_is_nan_where_its_value_is() {
        for dtype in WITH_FLOAT8 {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            for bits in 0..1_u64 << format.width().min(16) {
                assert_eq!(is_nan(dtype, bits), format.to_f64(bits).is_nan(), "{dtype} {bits:#x}");
            }
        }
    }

    #[test]
    fn wider_elements_are_nan_where_the_machine_says_so() {
        let mut random = Random::new(5);
        for at in 0..100_000_u64 {
            // Half of them have the highest exponent.
            let drawn = random.bits();
            let single = drawn as u32 | if at & 1 == 0 { 0x7f80_0000 } else { 0 };
            assert_eq!(is_nan(Float32, single.into()), f32::from_bits(single).is_nan());
            let double = drawn | if at & 1 == 0 { 0x7ff0 << 48 } else { 0 };
            assert_eq!(is_nan(Float64, double), f64::from_bits(double).is_nan());
        }
        for infinity in [f64::INFINITY, f64::NEG_INFINITY].map(f64::to_bits) {
            assert!(!is_nan(Float64, infinity) && is_nan(Float64, infinity + 1));
        }
        for infinity in [0x7f80_0000, 0xff80_0000] {
            assert!(!is_nan(Float32, infinity) && is_nan(Float32, infinity + 1));
        }
    }

    #[test]
    fn what_is_no_float_is_foreign() {
        assert!(!IsNan.conforming(Bool, &[Element::Bits(DType::Int8, 1)]).is_decided());
        assert!(!IsNan.conforming(Bool, &[]).is_decided());
    }
}
