//! Atan: the arctangent of an element, in radians.
//!
//! It is 0 at 0, of the operand's sign, and irrational at every other number; at the infinities its limits are pi/2 and
//! -pi/2, which no type holds exactly. Sources: ONNX's schemas of Atan-7 and 22; IEEE 754-2019, 9.2.1.

use num_traits::Zero;
use values::float::FloatFormat;

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// Atan in ONNX's default domain.
pub static ATAN: Operator = Operator {
    documents: &[Document { key: "onnx-atan", catalogue: include_str!("atan/onnx-atan.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("atan/cases.toml")];
        case_table::cases(of, &ATAN, &tables, function::cases::OWN)
    }),
    coverage: include_str!("atan/coverage.txt"),
    ..Operator::onnx("Atan", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The arctangent.
#[derive(Clone, Copy, Debug)]
pub struct Arctangent;

impl RealFunction for Arctangent {
    const PROOFS: [&'static str; 3] = [
        "no arctangent is below -pi/2",
        "arctan x is transcendental for every rational x but 0 (Lindemann 1882)",
        "no arctangent is above pi/2",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            // |x| - |arctan x| is less than |x|^3 / 3.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            Operand::Infinite { .. } | Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        Some(x.atan())
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        Some(one.divided_by(&(&one + &x.square()))?.primitive(self.enclosure(x.value())?))
    }

    fn limit(&self, negative: bool, bits: u32) -> Option<Interval> {
        let half_pi = Interval::pi(bits).scaled(-1);
        Some(if negative { -half_pi } else { half_pi })
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

const FUNCTION: Function<Arctangent> = Function(Arctangent);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Arctangent>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
