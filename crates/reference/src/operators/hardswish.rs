//! HardSwish: x times x / 6 + 1/2, cut to what lies from 0 to 1.
//!
//! The result in real numbers is rational and rounded once: 0 up to -3, x from 3 on. At -infinity the formula has no value, as its factors are -infinity and 0, and its limit is
//! 0: either conforms. The sign of a zero is where x is -3 or less: of the formula -0, of a function in two pieces +0.
//! Sources: ONNX's schemas of HardSwish-14 and 22.

use num_bigint::BigInt;
use num_traits::Signed;
use values::float::FloatFormat;

use super::hardsigmoid::{Piecewise, cut, rational};
use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::{self, Rational};
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// HardSwish in ONNX's default domain.
pub static HARDSWISH: Operator = Operator {
    documents: &[Document {
        key: "onnx-hardswish",
        catalogue: include_str!("hardswish/onnx-hardswish.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("hardswish/cases.toml")];
        case_table::cases(of, &HARDSWISH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("hardswish/coverage.txt"),
    ..Operator::onnx("HardSwish", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(14, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

/// The function of real numbers.
#[derive(Clone, Copy, Debug)]
pub struct HardSwish;

fn integer(number: i64) -> Rational {
    Rational::from(BigInt::from(number))
}

impl RealFunction for HardSwish {
    const PROOFS: [&'static str; 3] = [
        "no result is less than that of -3/2",
        "no number of the type has exactly this value",
        "no result is greater than the largest number",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let x = match operand {
            Operand::Zero { negative } => return Image::Zero { negative: *negative },
            Operand::Infinite { negative: true } => return Image::NanOrZero,
            Operand::Infinite { negative: false } => return Image::Infinite { negative: false },
            Operand::Number(x) => x,
        };
        let number = rational(x);
        if number >= integer(3) {
            Image::Fraction(x.clone())
        } else if number <= integer(-3) {
            Image::EitherZero
        } else {
            let sixth = Rational::new(BigInt::from(1), BigInt::from(6));
            let sum = real::sum(&number, &integer(3));
            Image::Rational(real::product(&real::product(&number, &sum), &sixth))
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let [three, six] = [3, 6].map(|number| Interval::integer(number, x.precision()));
        Some(x * &cut(&(x + &three).divided_by(&six)?))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        Some(body.by().mul(x, &Piecewise::OF_HARDSWISH.of_body(body, x)))
    }

    /// At zeros, and where the factor is 0 or 1 however it is rounded.
    fn is_exact_point(&self, operand: &Operand) -> bool {
        let is_far = |x| rational(x).abs() >= integer(4);
        !matches!(operand, Operand::Number(x) if !is_far(x))
    }

    /// From its minimum at -3/2 on.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let low = function::one(format) + (1 << (format.significand_bits - 1));
        Stretch { low: -low.cast_signed(), ..Stretch::whole(format) }
    }

    /// Of x (x + 3) = 6 v the root above -3/2.
    fn inverse(&self, value: &Rational) -> Option<Rational> {
        if *value >= integer(3) {
            return Some(value.clone());
        }
        let discriminant = integer(9) + integer(24) * value;
        if discriminant.is_negative() {
            return None;
        }
        let root = real::sqrt(&discriminant, 64)?;
        (root.lower == root.upper).then(|| (root.lower - integer(3)) / integer(2))
    }
}

const FUNCTION: Function<HardSwish> = Function(HardSwish);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<HardSwish>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
