//! Sigmoid: 1 / (1 + e^-x).
//!
//! It is 1/2 at 0 and irrational at every other number; at the infinities its limits are 0 and 1.
//! Sources: ONNX's schemas of Sigmoid-1, 6 and 13; SONNX's Sigmoid.

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

/// Sigmoid in ONNX's default domain.
pub static SIGMOID: Operator = Operator {
    documents: &[
        Document { key: "sonnx-sigmoid", catalogue: include_str!("sigmoid/sonnx-sigmoid.toml") },
        Document { key: "onnx-sigmoid", catalogue: include_str!("sigmoid/onnx-sigmoid.toml") },
    ],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [
            function::CASES,
            function::CONSUMED,
            function::SONNX_CASES,
            include_str!("sigmoid/cases.toml"),
        ];
        case_table::cases(of, &SIGMOID, &tables, function::cases::OWN)
    }),
    coverage: include_str!("sigmoid/coverage.txt"),
    ..Operator::onnx("Sigmoid", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(13, &[]),
];

/// The logistic function.
#[derive(Clone, Copy, Debug)]
pub struct Logistic;

impl RealFunction for Logistic {
    const PROOFS: [&'static str; 3] = [
        "1 / (1 + e^-x) is positive",
        "1 / (1 + e^-x) is transcendental for every rational x but 0 (Lindemann 1882)",
        "1 / (1 + e^-x) is below 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { .. } => Image::Fraction(Interval::power_of_two(-1, 128)),
            Operand::Infinite { negative: true } => Image::Zero { negative: false },
            Operand::Infinite { negative: false } => Image::one(),
            // It is 1/2 + x/4 but for less than x^2.
            Operand::Number(x) if function::is_below(x, -110) => {
                Image::Beside { number: Interval::power_of_two(-1, 128), farther: x.is_positive() }
            }
            // e^x (1 - e^x) and more, but less than e^x.
            Operand::Number(x) if x.is_negative() && !function::is_below(x, 11) => {
                Image::Outlying { negative: false, is_large: false }
            }
            // 1 - e^-x and more, but less than 1.
            Operand::Number(x) if x.is_positive() && !function::is_below(x, 7) => {
                Image::beside_one(false)
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let one = Interval::integer(1, x.precision());
        if x.is_positive() && x.lower().binade().is_some_and(|binade| binade > 11) {
            let margin = Interval::power_of_two(-2048, x.precision());
            return Some(one.widened(&margin));
        }
        one.divided_by(&(&one + &(-x).exp()?))
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        one.divided_by(&(&one + &(-x).exp()?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        (value + value).is_one().then(Rational::zero)
    }
}

const FUNCTION: Function<Logistic> = Function(Logistic);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Logistic>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
