//! Exp: e to the power of an element.
//!
//! The correctly rounded result is what exact arithmetic allows; how far a result may be from it, a
//! profile says. Special values are exact: e^0 is 1, e^inf is inf, e^-inf is +0. Sources: ONNX's schemas
//! of Exp-1, 6 and 13; SONNX's Exp; IEEE 754-2019, 9.2.1.

use values::dtype::DType;
use values::element::Element;
use values::float::Class;

use super::unary;
use crate::applied::Applied;
use crate::broadcast::Broadcast;
use crate::elementwise::{Elementwise, FOREIGN, bits_of};
use crate::exact::{Conforming, Deviation, Number, exponential, real};
use crate::operator::{
    Allowed, Attributes, Call, Invalid, Kind, Operator, Reference, Specification, TensorType,
};
use crate::real::Real;

/// Exp in ONNX's default domain.
pub static EXP: Operator = Operator::onnx("Exp", Kind::Approximated, &unary::FLOAT_VERSIONS, &Exp);

/// The exponential function.
#[derive(Clone, Copy, Debug)]
pub struct Exponential;

impl Elementwise for Exponential {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some([x])) => exponential::conforming(format, x),
            _ => FOREIGN,
        }
    }

    /// `None` also where e^x, or its reciprocal, has more than a million bits.
    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        let [x] = bits_of(dtype, operands)?;
        exponential::enclosure(&real::value(dtype, x)?, bits).map(Real::from)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some([x])) => exponential::error(format, x, actual),
            _ => Deviation::NoRealResult,
        }
    }

    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        match (Number::of(dtype), bits_of(dtype, operands)) {
            (Some(Number::Float(format)), Some([x])) => format.class(x) == Class::Zero,
            _ => false,
        }
    }
}

struct Exp;

impl Reference for Exp {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        unary::infer(call)
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        Applied::outputs(Exponential, call, Broadcast::equal(&call.shapes()), outputs)
    }

    fn elementwise(&self, _: Specification, _: &Attributes) -> Option<Box<dyn Elementwise>> {
        Some(Box::new(Exponential))
    }
}
