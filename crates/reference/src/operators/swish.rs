//! Swish: x / (1 + e^(-alpha x)).
//!
//! `alpha` is an attribute of type float32, whose value is taken exactly, and 1 by default. The result is 0 at 0, of the operand's sign,
//! half of x where `alpha` is 0, and irrational elsewhere. Where x and alpha x are infinite and alpha x is negative, the formula has no
//! value and its limit is 0; where `alpha` is 0 and x infinite, or the other way round, it multiplies them: nothing decides what comes
//! of that. Source: ONNX's schema and function of Swish-24.

use super::elu::float;
use crate::case_table;
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
use num_traits::Zero;
use values::float::{Class, FloatFormat};

/// Swish in ONNX's default domain.
pub static SWISH: Operator = Operator {
    documents: &[Document { key: "onnx-swish", catalogue: include_str!("swish/onnx-swish.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("swish/cases.toml")];
        case_table::cases(of, &SWISH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("swish/coverage.txt"),
    ..Operator::onnx("Swish", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The bits of 1 in float32.
pub(crate) const ONE: u32 = 0x3f80_0000;

const VERSIONS: [Version; 1] = [const { Ports::new(["X"], "Y", FLOATS) }
    .since(24, &[Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE))])];

/// The function with a value of `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct SigmoidWeighted {
    alpha: u32,
}

impl SigmoidWeighted {
    /// alpha, where it is a number.
    fn factor(self) -> Option<Interval> {
        Interval::of_element(&FloatFormat::FLOAT32, self.alpha.into(), 128)
    }

    /// What comes of an operand if alpha is infinite: x or 0, as the one's sign is that of the other or not.
    fn of_infinite(self, operand: &Operand) -> Image {
        let alpha = FloatFormat::FLOAT32.is_negative(self.alpha.into());
        match operand {
            Operand::Zero { .. } => Image::Open(NO_PRODUCT),
            Operand::Infinite { negative } if *negative == alpha => {
                Image::Infinite { negative: *negative }
            }
            Operand::Infinite { .. } => Image::NanOrZero,
            Operand::Number(x) if x.is_negative() == alpha => Image::Fraction(x.clone()),
            Operand::Number(x) => Image::Zero { negative: x.is_negative() },
        }
    }
}

/// Why nothing is known of some products of infinities.
pub(crate) const NO_PRODUCT: &str = "alpha x is infinity times 0";

impl RealFunction for SigmoidWeighted {
    const PROOFS: [&'static str; 3] = [
        "from its minimum on no value is less than this",
        "x / (1 + e^-x) is transcendental for every rational x but 0 (Lindemann 1882)",
        "the result of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let is_zero = match FloatFormat::FLOAT32.class(self.alpha.into()) {
            Class::Nan => return Image::Nan,
            Class::Infinite => return self.of_infinite(operand),
            Class::Zero => true,
            Class::Subnormal | Class::Normal => false,
        };
        let Some(alpha) = self.factor() else { return Image::Nan };
        let x = match operand {
            Operand::Zero { negative } => return Image::Zero { negative: *negative },
            Operand::Infinite { .. } if is_zero => return Image::Open(NO_PRODUCT),
            Operand::Infinite { negative } if *negative == alpha.is_negative() => {
                return Image::Infinite { negative: *negative };
            }
            Operand::Infinite { .. } => return Image::NanOrZero,
            Operand::Number(x) => x,
        };
        if is_zero {
            return Image::Fraction(x.clone().scaled(-1));
        }
        let product = x * &alpha;
        match product.is_negative() {
            // x / 2 (1 + t) with a t of the product's sign, whose magnitude is less than its.
            negative if function::is_below(&product, -101) => {
                Image::Beside { number: x.clone().scaled(-1), farther: !negative }
            }
            // It is x less x / (1 + e^(alpha x)).
            false if !function::is_below(&product, 7) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            // Its magnitude is less than that of x e^(alpha x), here 2^1024 e^-4096 at most.
            true if !function::is_below(&product, 12) => {
                Image::Outlying { negative: x.is_negative(), is_large: false }
            }
            _ => Image::Irrational,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let one = Interval::integer(1, x.precision());
        let product = x * &self.factor()?.with_precision(x.precision());
        Some(x * &one.divided_by(&(&one + &(-product).exp()?))?)
    }

    /// As [`Self::enclosure`] has it.
    fn series(&self, x: &Series) -> Option<Series> {
        let alpha = self.factor()?.with_precision(x.value().precision());
        let one = x.number(1);
        Some(x * &one.divided_by(&(&one + &(-&x.times(&alpha)).exp()?))?)
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let by = body.by();
        Some(by.mul(x, &body.sigmoid(&by.mul(&body.constant(self.alpha), x))))
    }

    /// From its minimum on, which lies between -1.279 and -1.278, it rises.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::rising_from(format, MINIMUM)
    }

    /// Up to -2, below the only minimum, at -1.2785.
    fn other_stretch(&self, format: &FloatFormat) -> Option<Stretch> {
        let two = function::one(format) + (1 << format.significand_bits);
        Some(Stretch::falling_to(format, two))
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }
}

/// The magnitude of the number at which it is least, in steps of 2^-52, rounded down.
const MINIMUM: u64 = 0x14_7497_3c84_120b;

const FUNCTION: Function<SigmoidWeighted> = Function(SigmoidWeighted { alpha: ONE });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<SigmoidWeighted>> = Pointwise {
    function: |_, attributes| Function(SigmoidWeighted { alpha: float(attributes, "alpha", ONE) }),
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};

#[cfg(test)]
mod tests;
