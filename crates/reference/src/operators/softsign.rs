//! Softsign: x / (1 + |x|).
//!
//! It is rational and rounded once. Of an infinity the formula has no value, and its limit is 1 or -1. Sources: ONNX's schemas
//! and function of Softsign-1 and 22.

use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::{One, Signed};
use values::float::FloatFormat;

use super::hardsigmoid::rational;

/// Softsign in ONNX's default domain.
pub static SOFTSIGN: Operator = Operator {
    documents: &[Document {
        key: "onnx-softsign",
        catalogue: include_str!("softsign/onnx-softsign.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("softsign/cases.toml")];
        case_table::cases(of, &SOFTSIGN, &tables, function::cases::OWN)
    }),
    coverage: include_str!("softsign/coverage.txt"),
    ..Operator::onnx("Softsign", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(1, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The softsign function.
#[derive(Clone, Copy, Debug)]
pub struct BoundedRatio;

impl RealFunction for BoundedRatio {
    const PROOFS: [&'static str; 3] = [
        "x / (1 + |x|) is above -1, and of no number of the type below this",
        "no number of the type has exactly this value",
        "x / (1 + |x|) is below 1, and of no number of the type above this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative } => Image::NanOr(function::unit(*negative)),
            Operand::Number(x) => {
                let x = rational(x);
                Image::Rational(&x / (Rational::one() + x.abs()))
            }
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        function::odd(x, |x| x.divided_by(&(x + &Interval::integer(1, x.precision()))))
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        x.divided_by(&if x.value().is_negative() { &one - x } else { &one + x })
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let (by, one) = (body.by(), body.by().integer(1));
        // |x| is exact.
        let divisor = if Body::is_below_zero(x) { by.sub(&one, x) } else { by.add(&one, x) };
        Some(by.quotient(x, &by.divisor(divisor)))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        let rest = Rational::one() - value.abs();
        rest.is_positive().then(|| value / rest)
    }

    fn is_odd(&self) -> bool {
        true
    }

    /// It takes two roundings.
    fn is_exact_point(&self, operand: &Operand) -> bool {
        !matches!(operand, Operand::Number(_))
    }
}

const FUNCTION: Function<BoundedRatio> = Function(BoundedRatio);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<BoundedRatio>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
