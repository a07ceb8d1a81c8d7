//! Reciprocal: 1 divided by an element, as IEEE 754 has it for every operand.
//!
//! A reciprocal of a zero is an infinity with the zero's sign, and the other way round. Sources: ONNX's schemas of
//! Reciprocal-1, 6 and 13; IEEE 754-2019, 5.4.1 (division), 6.1 to 6.3, 7.3. SONNX has no document of it.

mod boundaries;
mod cases;
mod fast_check;
mod hard_inputs;

use num_traits::One;
use values::dtype::DType;
use values::element::Element;

use super::div::{Division, div, div_error};
use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN, Symmetry};
use crate::exact::real::{self, Rational};
use crate::exact::{Conforming, Deviation};
use crate::families::classes::one;
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;
use crate::real::Real;

/// Reciprocal in ONNX's default domain.
pub static RECIPROCAL: Operator = Operator {
    fast_checks: Some(&fast_check::FastReciprocals),
    hard_inputs: Some(hard_inputs::parts),
    coverage: include_str!("reciprocal/coverage.txt"),
    documents: &[Document {
        key: "onnx-reciprocal",
        catalogue: include_str!("reciprocal/onnx-reciprocal.toml"),
    }],
    cases: Some(|of| {
        let tables = [unary::CASES, include_str!("reciprocal/cases.toml")];
        case_table::cases(of, &RECIPROCAL, &tables, cases::OWN)
    }),
    ..Operator::onnx("Reciprocal", OperatorKind::Rounded, &unary::FLOAT_VERSIONS, &REFERENCE)
};

/// The reciprocal.
#[derive(Clone, Copy, Debug)]
pub struct Inverse;

impl Elementwise for Inverse {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let operand = unary::operand(dtype, operands);
        operand.and_then(|(format, x)| div(Division::Div, dtype, one(format), x)).unwrap_or(FOREIGN)
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        let (_, x) = unary::operand(dtype, operands)?;
        real::div(&Rational::one(), &real::value(dtype, x)?).map(Real::exactly)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let operand = unary::operand(dtype, operands);
        let error = operand.and_then(|(format, x)| div_error(dtype, one(format), x, actual));
        error.unwrap_or(Deviation::NoRealResult)
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Some(Symmetry::Odd)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Inverse> = Pointwise {
    function: |_, _| Inverse,
    broadcast: unary::broadcast,
    boundaries: Some(&boundaries::Reciprocals),
};

#[cfg(test)]
mod tests {
    use values::dtype::Kind;
    use values::random::Random;

    use super::*;
    use crate::inputs::patterns::specials;
    use crate::operators::tests::nearest;

    fn conforming(dtype: DType, x: u64) -> Conforming {
        Inverse.conforming(dtype, &[Element::Bits(dtype, x.into())])
    }

    /// Whether what conforms is the number of binary64, or NaN.
    fn is(dtype: DType, x: u64, machine: f64) -> bool {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        match conforming(dtype, x) {
            Conforming::One(bits) => format.to_f64(bits).to_bits() == machine.to_bits(),
            Conforming::AnyNan(_) => machine.is_nan(),
            _ => false,
        }
    }

    #[test]
    fn every_16_bit_reciprocal_is_that_of_binary64_rounded_once_more() {
        for dtype in [DType::Float16, DType::Bfloat16] {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            for x in 0..1 << 16 {
                // Of more than twice as many bits no quotient is a midpoint that was none.
                assert!(is(dtype, x, nearest(format, 1.0 / format.to_f64(x))), "{dtype} {x:#x}");
            }
        }
    }

    #[test]
    fn reciprocals_of_float32_and_float64_are_those_of_the_machine() {
        let mut random = Random::new(3);
        for dtype in [DType::Float32, DType::Float64] {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
            let top = format.width() - 1;
            let drawn = (0..150_000).map(|_| random.bits() >> (63 - top));
            // The hardest are next to powers of two; and subnormal ones overflow or not.
            let field = format.significand_bits;
            let near = (0..2000).map(|at| ((format.bias as u64) << field) + at - 1000);
            let tiny = (0..2000).map(|at| (1 << (field - 2)) + at - 1000);
            for x in specials(format).into_iter().chain(drawn).chain(near).chain(tiny) {
                let machine = match dtype {
                    DType::Float32 => (1.0 / f32::from_bits(x as u32)).into(),
                    _ => 1.0 / f64::from_bits(x),
                };
                assert!(is(dtype, x, machine), "{dtype} {x:#x}: {machine:e}");
            }
        }
    }

    #[test]
    fn reciprocals_of_zeros_are_infinities_of_their_sign_and_the_other_way_round() {
        for (x, y) in [(0x0000, 0x7c00), (0x8000, 0xfc00), (0x7c00, 0x0000), (0xfc00, 0x8000)] {
            assert_eq!(conforming(DType::Float16, x), Conforming::One(y), "{x:#x}");
        }
        // 2^-16 has one, and the next smaller number has none.
        assert_eq!(conforming(DType::Float16, 0x0101), Conforming::One(0x7bf8));
        assert_eq!(conforming(DType::Float16, 0x0100), Conforming::One(0x7c00));
        assert_eq!(conforming(DType::Int8, 1), FOREIGN);
    }

    #[test]
    fn errors_are_told_in_units_of_the_exact_reciprocal() {
        let error = |x: u64, actual| match Inverse.deviation(
            DType::Float16,
            &[Element::Bits(DType::Float16, x.into())],
            actual,
        ) {
            Deviation::Ulps(ulps) => ulps.to_string(),
            other => format!("{other:?}"),
        };
        // 1 / 3 is 1365 1/3 units of 2^-12.
        assert_eq!(
            (error(0x4200, 0x3555), error(0x4200, 0x3556)),
            ("0.333334".into(), "0.666667".into())
        );
        assert_eq!(error(0x0000, 0x7c00), "NoRealResult");
    }
}
