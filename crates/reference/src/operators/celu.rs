//! Celu: the element, or where it is negative alpha (e^(x / alpha) - 1).
//!
//! `alpha` is an attribute of type float32, whose value is taken exactly, and 1 by default. The text's formula is
//! max(0, x) + min(0, alpha (e^(x / alpha) - 1)), the function of version 28 alpha Elu(x / alpha): for a negative `alpha` they are
//! different functions, and for 0, an infinity or NaN neither is one, so that nothing is decided there. The formula makes +0 of -0,
//! the function -0. Whether the formula's maximum and minimum give a NaN for a NaN is as open as in [HardSigmoid](super::hardsigmoid).
//! Sources: ONNX's schemas of Celu-12 and 28, and the function of version 28.

use super::elu::float;
use crate::case_table;
use crate::exact::Conforming;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, Document, Operator, OperatorKind, Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::signature::FLOATS;
use num_traits::Signed;
use values::dtype::DType::Float32;
use values::float::FloatFormat;

/// Celu in ONNX's default domain.
pub static CELU: Operator = Operator {
    documents: &[Document { key: "onnx-celu", catalogue: include_str!("celu/onnx-celu.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("celu/cases.toml")];
        case_table::cases(of, &CELU, &tables, function::cases::OWN)
    }),
    coverage: include_str!("celu/coverage.txt"),
    ..Operator::onnx("Celu", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The bits of 1 in float32.
const ONE: u32 = 0x3f80_0000;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE));

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", &[Float32]) }.since(12, &[ALPHA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(28, &[ALPHA]),
];

/// The continuously differentiable exponential linear unit with a value of `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct ScaledUnit {
    alpha: u32,
}

const NO_FUNCTION: &str =
    "formula and function differ, or have no value, where `alpha` is not positive and finite";

impl ScaledUnit {
    /// alpha, where it is a positive number.
    fn factor(self) -> Option<Interval> {
        let alpha = Interval::of_element(&FloatFormat::FLOAT32, self.alpha.into(), 128)?;
        alpha.is_positive().then_some(alpha)
    }
}

impl RealFunction for ScaledUnit {
    const PROOFS: [&'static str; 3] = [
        "no result is less than -1",
        "no operand is this number, and e^x - 1 is transcendental for every rational x but 0 (Lindemann 1882)",
        "no result is greater than the largest number",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let Some(alpha) = self.factor() else { return Image::Open(NO_FUNCTION) };
        match operand {
            Operand::Zero { negative: true } => Image::EitherZero,
            Operand::Zero { negative: false } => Image::Zero { negative: false },
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            Operand::Infinite { negative: true } => Image::Fraction(-alpha),
            Operand::Number(x) if x.is_positive() => Image::Fraction(x.clone()),
            Operand::Number(x) => {
                // The binade of x / alpha is this, or one less.
                let binade = x.binade().zip(alpha.binade()).map_or(0, |(x, alpha)| x - alpha);
                match binade {
                    // |alpha (e^(x / alpha) - 1)| is less than |x|, by less than x^2 / (2 alpha).
                    ..-101 => Image::Beside { number: x.clone(), farther: false },
                    // alpha less alpha e^(x / alpha).
                    8.. => Image::Beside { number: -alpha, farther: false },
                    _ => Image::Irrational,
                }
            }
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let alpha = self.factor()?.with_precision(x.precision());
        let below = |x: &Interval| Some(&alpha * &x.divided_by(&alpha)?.exp_minus_1()?);
        function::by_sign(x, |x| Some(x.clone()), below)
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let alpha = self.factor()?.with_precision(x.value().precision());
        if x.value().is_positive() {
            return Some(x.clone());
        }
        let inverse = Interval::integer(1, alpha.precision()).divided_by(&alpha)?;
        Some((&x.times(&inverse).exp()? - &x.number(1)).times(&alpha))
    }

    /// What is not negative comes of a quotient and a product that undo each other.
    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let (by, alpha) = (body.by(), body.constant(self.alpha));
        let quotient = by.quotient(x, &by.divisor(alpha.clone()));
        Some(match Body::is_below_zero(x) {
            true => by.mul(&alpha, &by.sub(&body.exp(&quotient), &by.integer(1))),
            false => by.mul(&alpha, &quotient),
        })
    }

    fn of_nan(&self, format: &'static FloatFormat) -> Conforming {
        Conforming::nan_or(format, Conforming::either_zero(format))
    }

    fn is_exact_point(&self, operand: &Operand) -> bool {
        !matches!(operand, Operand::Number(_))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        (!value.is_negative()).then(|| value.clone())
    }
}

const FUNCTION: Function<ScaledUnit> = Function(ScaledUnit { alpha: ONE });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<ScaledUnit>> = Pointwise {
    function: |_, attributes| Function(ScaledUnit { alpha: float(attributes, "alpha", ONE) }),
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
