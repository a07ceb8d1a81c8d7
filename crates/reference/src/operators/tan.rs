//! Tan: the tangent of an element, in radians.
//!
//! It is 0 at 0, of the operand's sign, and irrational at every other number: no number is a pole. An infinity has none.
//! Sources: ONNX's schemas of Tan-7 and 22; IEEE 754-2019, 9.2.1.

use num_traits::Zero;
use values::float::FloatFormat;

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, Periodic, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// Tan in ONNX's default domain.
pub static TAN: Operator = Operator {
    documents: &[Document { key: "onnx-tan", catalogue: include_str!("tan/onnx-tan.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("tan/cases.toml")];
        case_table::cases(of, &TAN, &tables, function::cases::OWN)
    }),
    coverage: include_str!("tan/coverage.txt"),
    ..Operator::onnx("Tan", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The tangent.
#[derive(Clone, Copy, Debug)]
pub struct Tangent;

impl RealFunction for Tangent {
    const PROOFS: [&'static str; 3] = [
        "between -pi/2 and pi/2 no tangent is less than this",
        "tan x is transcendental for every rational x but 0 (Lindemann 1882)",
        "between -pi/2 and pi/2 no tangent is greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { .. } => Image::Nan,
            // |tan x| - |x| is less than |x|^3.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: true }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        x.tan()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let [sine, cosine] = x.sin_cos();
        sine.divided_by(&cosine)
    }

    fn periodic(&self) -> Option<Periodic> {
        Some(Periodic::Tangent)
    }

    /// Between -pi/2 and pi/2.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let end = function::half_pi(format).cast_signed();
        Stretch { low: -end, high: end, falls: false }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

const FUNCTION: Function<Tangent> = Function(Tangent);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Tangent>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
