//! HardSigmoid: `alpha` x + `beta`, cut to what lies from 0 to 1.
//!
//! Both attributes are of type float32, and their values are taken exactly. The result in real numbers is rational and
//! rounded once. What the greatest of 0 and the least of 1 and a NaN is, the formula leaves as open as [Max](super::max).
//! Sources: ONNX's schemas of HardSigmoid-1, 6 and 22.

use std::cmp::Ordering;

use num_traits::{One, Signed, Zero};
use values::dtype::DType;
use values::float::FloatFormat;

use crate::case_table;
use crate::exact::Conforming;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::{self, Rational, value};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::recurrent::activation::bent;
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// HardSigmoid in ONNX's default domain.
pub static HARDSIGMOID: Operator = Operator {
    documents: &[Document {
        key: "onnx-hardsigmoid",
        catalogue: include_str!("hardsigmoid/onnx-hardsigmoid.toml"),
    }],
    hard_inputs: Some(|dtype| hard_inputs(&BY_DEFAULT, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, function::CONSUMED, include_str!("hardsigmoid/cases.toml")];
        case_table::cases(of, &HARDSIGMOID, &tables, function::cases::OWN)
    }),
    coverage: include_str!("hardsigmoid/coverage.txt"),
    ..Operator::onnx("HardSigmoid", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The float32s nearest to 0.2, to 0.5, and to a sixth.
const FIFTH: u32 = 0x3e4c_cccd;
const HALF: u32 = 0x3f00_0000;
pub(super) const SIXTH: u32 = 0x3e2a_aaab;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(FIFTH));
const BETA: Attribute =
    Attribute::new("beta", AttributeType::Float).otherwise(Otherwise::Float(HALF));

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS, ALPHA, BETA]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[ALPHA, BETA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[ALPHA, BETA]),
];

const NOT_FINITE: &str = "the document does not say what an attribute that is no number makes";

/// The function with values of its attributes.
#[derive(Clone, Copy, Debug)]
pub struct Piecewise {
    alpha: u32,
    beta: u32,
}

impl Piecewise {
    /// That of HardSwish.
    pub(super) const OF_HARDSWISH: Self = Self { alpha: SIXTH, beta: HALF };

    fn of(attributes: &Attributes) -> Self {
        let float = |name, otherwise| match attributes.get(name) {
            Some(AttributeValue::Float(bits)) => *bits,
            _ => otherwise,
        };
        Self { alpha: float("alpha", FIFTH), beta: float("beta", HALF) }
    }

    /// Slope and offset; `None` where one is no number.
    fn line(self) -> Option<[Rational; 2]> {
        let [alpha, beta] = [self.alpha, self.beta].map(|bits| value(DType::Float32, bits.into()));
        Some([alpha?, beta?])
    }

    /// The line, cut to what lies from 0 to 1, step by step.
    pub(super) fn of_body(self, body: &Body, x: &Computed) -> Computed {
        let by = body.by();
        let [alpha, beta] = [self.alpha, self.beta].map(|bits| body.constant(bits));
        let [zero, one] = [0, 1].map(|number| by.integer(number));
        let line = by.add(&by.mul(&alpha, x), &beta);
        let least = bent(&line, &one, Clone::clone, |_| one.clone());
        bent(&least, &zero, |_| zero.clone(), Clone::clone)
    }
}

/// The rational number that an operand is.
pub(super) fn rational(x: &Interval) -> Rational {
    x.enclosure().lower
}

impl RealFunction for Piecewise {
    const PROOFS: [&'static str; 3] = [
        "no result is less than 0",
        "no number of the type has exactly this value",
        "no result is greater than 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let Some([alpha, beta]) = self.line() else { return Image::Open(NOT_FINITE) };
        let sum = match operand {
            Operand::Zero { .. } => beta,
            Operand::Number(x) => real::sum(&real::product(&alpha, &rational(x)), &beta),
            Operand::Infinite { .. } if alpha.is_zero() => return Image::Nan,
            Operand::Infinite { negative } => {
                return match *negative == alpha.is_negative() {
                    true => Image::one(),
                    false => Image::Zero { negative: false },
                };
            }
        };
        match (sum.cmp(&Rational::zero()), sum.cmp(&Rational::one())) {
            (Ordering::Less, _) => Image::Zero { negative: false },
            (Ordering::Equal, _) => Image::EitherZero,
            (_, Ordering::Less) => Image::Rational(sum),
            _ => Image::one(),
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let attribute =
            |bits: u32| Interval::of_element(&FloatFormat::FLOAT32, bits.into(), x.precision());
        Some(cut(&(&attribute(self.alpha)? * x + attribute(self.beta)?)))
    }

    /// The least of 1 and NaN, and the greatest of that and 0, may be either.
    fn of_nan(&self, format: &'static FloatFormat) -> Conforming {
        let cut = [Conforming::One(function::one(format)), Conforming::One(0)];
        Conforming::one_of(cut)
            .map_or(Conforming::AnyNan(format), |cut| Conforming::nan_or(format, cut))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        Some(self.of_body(body, x))
    }

    /// Far from the stretch in which it is a line.
    fn is_exact_point(&self, operand: &Operand) -> bool {
        let Operand::Number(x) = operand else { return false };
        self.line().is_some_and(|[alpha, beta]| {
            let sum = alpha * rational(x) + beta;
            sum < -Rational::one() || sum > Rational::one() + Rational::one()
        })
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch { falls: self.alpha >> 31 == 1, ..Stretch::whole(format) }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        let [alpha, beta] = self.line().filter(|[alpha, _]| !alpha.is_zero())?;
        let is_value = !value.is_negative() && *value <= Rational::one();
        // Where it is 0 or 1 it is that for all numbers farther on as well: one that every type has.
        let x = (value - beta) / alpha;
        is_value.then(|| {
            if value.is_zero() {
                x.floor()
            } else if value.is_one() {
                x.ceil()
            } else {
                x
            }
        })
    }
}

/// The numbers from 0 to 1 that are nearest to those of an interval.
pub(super) fn cut(interval: &Interval) -> Interval {
    let [zero, one] = [0, 1].map(|number| Interval::integer(number, interval.precision()));
    let ends = [interval.lower(), interval.upper()].map(|end| {
        if end.is_negative() {
            zero.clone()
        } else if end.compare(&one) == Some(Ordering::Greater) {
            one.clone()
        } else {
            end
        }
    });
    ends[0].hull(&ends[1])
}

const BY_DEFAULT: Function<Piecewise> = Function(Piecewise { alpha: FIFTH, beta: HALF });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Piecewise>> = Pointwise {
    function: |_, attributes| Function(Piecewise::of(attributes)),
    broadcast: unary::broadcast,
    boundaries: Some(&BY_DEFAULT),
};
