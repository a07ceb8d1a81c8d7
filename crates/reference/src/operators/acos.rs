//! Acos: the arccosine of an element, in radians.
//!
//! It is +0 at 1 and irrational at every other number from -1 to 1; beyond there is none.
//! Sources: ONNX's schemas of Acos-7 and 22; IEEE 754-2019, 9.2.1.

use num_traits::{One, Zero};
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

/// Acos in ONNX's default domain.
pub static ACOS: Operator = Operator {
    documents: &[Document { key: "onnx-acos", catalogue: include_str!("acos/onnx-acos.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("acos/cases.toml")];
        case_table::cases(of, &ACOS, &tables, function::cases::OWN)
    }),
    coverage: include_str!("acos/coverage.txt"),
    ..Operator::onnx("Acos", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The arccosine.
#[derive(Clone, Copy, Debug)]
pub struct Arccosine;

impl RealFunction for Arccosine {
    const PROOFS: [&'static str; 3] = [
        "no arccosine is less than 0",
        "arccos x is transcendental for every rational x but 1 (Lindemann 1882)",
        "no arccosine is greater than that of -1, pi",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { .. } => Image::Irrational,
            Operand::Number(x) if function::is(x, 1) => Image::Zero { negative: false },
            Operand::Number(x) if function::is_within_one(x) => Image::Irrational,
            Operand::Infinite { .. } | Operand::Number(_) => Image::Nan,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        x.acos()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let root = (&(&one - x) * &(&one + x)).sqrt()?;
        Some((-&one).divided_by(&root)?.primitive(self.enclosure(x.value())?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let end = function::one(format).cast_signed();
        Stretch { low: -end, high: end, falls: true }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::one)
    }
}

const FUNCTION: Function<Arccosine> = Function(Arccosine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Arccosine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
