//! Mish: x tanh(ln(1 + e^x)).
//!
//! It is 0 at 0, of the operand's sign, and irrational at every other number. At -infinity the formula has no value, as its
//! factors are -infinity and 0, and its limit is 0: that one is left open.
//! Sources: ONNX's schemas of Mish-18 and 22.

use super::softplus;
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
use num_traits::Zero;
use values::float::FloatFormat;

/// Mish in ONNX's default domain.
pub static MISH: Operator = Operator {
    documents: &[Document { key: "onnx-mish", catalogue: include_str!("mish/onnx-mish.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("mish/cases.toml")];
        case_table::cases(of, &MISH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("mish/coverage.txt"),
    ..Operator::onnx("Mish", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(18, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

/// The Mish function.
#[derive(Clone, Copy, Debug)]
pub struct SelfGated;

const NO_VALUE: &str = "the formula is -infinity times 0, whose limit is 0";

impl RealFunction for SelfGated {
    const PROOFS: [&'static str; 3] = [
        "from its minimum on no value is less than this",
        "x tanh(ln(1 + e^x)) is transcendental for every rational x but 0 (Lindemann 1882)",
        "the result of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative: true } => Image::Open(NO_VALUE),
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            // Its magnitude is less than |x| e^x.
            Operand::Number(x) if x.is_negative() && !function::is_below(x, 11) => {
                Image::Outlying { negative: true, is_large: false }
            }
            // It is x less 2 x / ((1 + e^x)^2 + 1).
            Operand::Number(x) if x.is_positive() && !function::is_below(x, 6) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    /// With u = e^x it is x u (u + 2) / (u (u + 2) + 2); with u = e^-x also x (1 + 2u) / (1 + 2u (1 + u)).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let (one, two) = (Interval::integer(1, x.precision()), Interval::integer(2, x.precision()));
        let u = if x.is_positive() { (-x).exp()? } else { x.exp()? };
        let (dividend, divisor) = if x.is_positive() {
            let doubled = u.clone().scaled(1);
            (&one + &doubled, &one + &(doubled * (&one + &u)))
        } else {
            let dividend = &u * &(&u + &two);
            let divisor = &dividend + &two;
            (dividend, divisor)
        };
        Some(x * &dividend.divided_by(&divisor)?)
    }

    /// As [`Self::enclosure`] has it.
    fn series(&self, x: &Series) -> Option<Series> {
        let is_positive = x.value().is_positive();
        let u = if is_positive { -x } else { x.clone() }.exp()?;
        let (one, two) = (x.number(1), x.number(2));
        let (dividend, divisor) = if is_positive {
            let dividend = &one + &u.clone().scaled(1);
            let divisor = &dividend + &u.square().scaled(1);
            (dividend, divisor)
        } else {
            let dividend = &u * &(&u + &two);
            let divisor = &dividend + &two;
            (dividend, divisor)
        };
        Some(x * &dividend.divided_by(&divisor)?)
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        Some(body.by().mul(x, &body.tanh(&softplus::of_body(body, x))))
    }

    /// From its minimum on, which lies between -1.193 and -1.192, it rises.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::rising_from(format, MINIMUM)
    }

    /// Up to -2, below the only minimum, at -1.1924.
    fn other_stretch(&self, format: &FloatFormat) -> Option<Stretch> {
        let two = function::one(format) + (1 << format.significand_bits);
        Some(Stretch::falling_to(format, two))
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }
}

/// The magnitude of the number at which it is least, in steps of 2^-52, rounded down.
const MINIMUM: u64 = 0x13_1432_c0d1_2d84;

const FUNCTION: Function<SelfGated> = Function(SelfGated);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<SelfGated>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
