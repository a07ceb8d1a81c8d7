//! Exp: e to the power of an element.
//!
//! The correctly rounded result is what exact arithmetic allows; how far a result may be from it, a
//! profile says. Special values are exact: e^0 is 1, e^inf is inf, e^-inf is +0. Sources: ONNX's schemas
//! of Exp-1, 6 and 13; SONNX's Exp; IEEE 754-2019, 9.2.1.

mod boundaries;
mod cases;
mod hard_inputs;

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};

use crate::case_table;
use crate::elementwise::{Elementwise, FOREIGN, Smooth, Stretch, bits_of};
use crate::exact::interval::Interval;
use crate::exact::series::Series;
use crate::exact::{Conforming, Deviation, exponential, real};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// Exp in ONNX's default domain.
pub static EXP: Operator = Operator {
    documents: &[
        Document { key: "sonnx-exp", catalogue: include_str!("exp/sonnx-exp.toml") },
        Document { key: "onnx-exp", catalogue: include_str!("exp/onnx-exp.toml") },
    ],
    hard_inputs: Some(hard_inputs::parts),
    cases: Some(|of| {
        let tables = [unary::CASES, include_str!("exp/cases.toml")];
        case_table::cases(of, &EXP, &tables, cases::OWN)
    }),
    coverage: include_str!("exp/coverage.txt"),
    readings: Some(include_str!("exp/readings.toml")),
    ..Operator::onnx("Exp", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { ports(IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { ports(IEEE_FLOATS) }.since(6, &[]),
    const { ports(FLOATS) }.since(13, &[]),
];

const fn ports(types: &'static [DType]) -> Ports<1> {
    Ports::new(["input"], "output", types)
}

/// The exponential function.
#[derive(Clone, Copy, Debug)]
pub struct Exponential;

impl Smooth for Exponential {
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        x.exp()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        x.exp()
    }

    fn stretches(&self, format: &FloatFormat) -> Vec<Stretch> {
        vec![Stretch::whole(format)]
    }
}

impl Elementwise for Exponential {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        let conforming = |(format, x)| exponential::conforming(format, x);
        unary::operand(dtype, operands).map_or(FOREIGN, conforming)
    }

    /// `None` also where e^x, or its reciprocal, has more than a million bits.
    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        let [x] = bits_of(dtype, operands)?;
        exponential::enclosure(&real::value(dtype, x)?, bits).map(Real::from)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let error = |(format, x)| exponential::error(format, x, actual);
        unary::operand(dtype, operands).map_or(Deviation::NoRealResult, error)
    }

    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        let is_zero = |(format, x): (&FloatFormat, u64)| format.class(x) == Class::Zero;
        unary::operand(dtype, operands).is_some_and(is_zero)
    }

    fn smooth(&self) -> Option<&dyn Smooth> {
        Some(self)
    }
}

/// What is allowed of its results.
const REFERENCE: Pointwise<Exponential> = Pointwise {
    function: |_, _| Exponential,
    broadcast: unary::broadcast,
    boundaries: Some(&boundaries::Powers),
};
