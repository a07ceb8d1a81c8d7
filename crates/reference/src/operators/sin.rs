//! Sin: the sine of an element, in radians.
//!
//! It is 0 at 0, of the operand's sign, and irrational at every other number; an infinity has none.
//! Sources: ONNX's schemas of Sin-7 and 22; IEEE 754-2019, 9.2.1.

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

/// Sin in ONNX's default domain.
pub static SIN: Operator = Operator {
    documents: &[Document { key: "onnx-sin", catalogue: include_str!("sin/onnx-sin.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("sin/cases.toml")];
        case_table::cases(of, &SIN, &tables, function::cases::OWN)
    }),
    coverage: include_str!("sin/coverage.txt"),
    ..Operator::onnx("Sin", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The sine.
#[derive(Clone, Copy, Debug)]
pub struct Sine;

impl RealFunction for Sine {
    const PROOFS: [&'static str; 3] = [
        "no sine is below -1",
        "sin x is transcendental for every rational x but 0 (Lindemann 1882)",
        "no sine is above 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { .. } => Image::Nan,
            // |x| - |sin x| is less than |x|^3 / 6.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        Some(x.sin())
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let [sine, _] = x.sin_cos();
        Some(sine)
    }

    fn periodic(&self) -> Option<Periodic> {
        Some(Periodic::Sine)
    }

    /// From -pi/2 to pi/2.
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

const FUNCTION: Function<Sine> = Function(Sine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Sine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
