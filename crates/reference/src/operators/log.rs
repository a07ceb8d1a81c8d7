//! Log: the natural logarithm of an element.
//!
//! ln 0 is -infinity for both zeros, ln 1 is exactly 0, and a negative number has no logarithm. The logarithm of every other
//! number is irrational. Sources: ONNX's schemas of Log-1, 6 and 13; SONNX's Log; IEEE 754-2019, 9.2.1.

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::{One, Zero};
use values::float::FloatFormat;

/// Log in ONNX's default domain.
pub static LOG: Operator = Operator {
    documents: &[
        Document { key: "sonnx-log", catalogue: include_str!("log/sonnx-log.toml") },
        Document { key: "onnx-log", catalogue: include_str!("log/onnx-log.toml") },
    ],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [
            function::CASES,
            function::CONSUMED,
            function::SONNX_CASES,
            include_str!("log/cases.toml"),
        ];
        case_table::cases(of, &LOG, &tables, function::cases::OWN)
    }),
    coverage: include_str!("log/coverage.txt"),
    ..Operator::onnx("Log", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(6, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(13, &[]),
];

/// The natural logarithm.
#[derive(Clone, Copy, Debug)]
pub struct Logarithm;

impl RealFunction for Logarithm {
    const PROOFS: [&'static str; 3] = [
        "the logarithm of the smallest number is no less than this",
        "the logarithm of every rational number but 1 is transcendental (Lindemann 1882)",
        "the logarithm of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { .. } => Image::Infinite { negative: true },
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            Operand::Number(x) if x.is_positive() => match function::is(x, 1) {
                true => Image::Zero { negative: false },
                false => Image::Irrational,
            },
            Operand::Infinite { .. } | Operand::Number(_) => Image::Nan,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        x.ln()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        x.ln()
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::from(format, 1)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::one)
    }
}

const FUNCTION: Function<Logarithm> = Function(Logarithm);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Logarithm>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
