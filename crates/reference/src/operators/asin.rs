//! Asin: the arcsine of an element, in radians.
//!
//! It is 0 at 0, of the operand's sign, and irrational at every other number from -1 to 1; beyond there is none.
//! Sources: ONNX's schemas of Asin-7 and 22; IEEE 754-2019, 9.2.1.

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

/// Asin in ONNX's default domain.
pub static ASIN: Operator = Operator {
    documents: &[Document { key: "onnx-asin", catalogue: include_str!("asin/onnx-asin.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("asin/cases.toml")];
        case_table::cases(of, &ASIN, &tables, function::cases::OWN)
    }),
    coverage: include_str!("asin/coverage.txt"),
    ..Operator::onnx("Asin", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(7, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The arcsine.
#[derive(Clone, Copy, Debug)]
pub struct Arcsine;

impl RealFunction for Arcsine {
    const PROOFS: [&'static str; 3] = [
        "no arcsine is less than that of -1",
        "arcsin x is transcendental for every rational x but 0 (Lindemann 1882)",
        "no arcsine is greater than that of 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            // |arcsin x| - |x| is less than |x|^3.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: true }
            }
            Operand::Number(x) if function::is_within_one(x) => Image::Irrational,
            Operand::Infinite { .. } | Operand::Number(_) => Image::Nan,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        x.asin()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let root = (&(&one - x) * &(&one + x)).sqrt()?;
        Some(one.divided_by(&root)?.primitive(self.enclosure(x.value())?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let end = function::one(format).cast_signed();
        Stretch { low: -end, high: end, falls: false }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

const FUNCTION: Function<Arcsine> = Function(Arcsine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Arcsine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
