//! Gelu: x Phi(x), with the normal distribution function Phi or its approximation by the hyperbolic tangent.
//!
//! Both formulas are taken in real numbers, 0.044715 as that decimal. A zero is its own result, of infinity it is
//! infinity. At -infinity the formulas have no value, as their factors are -infinity and 0, and their limit is
//! 0: either conforms. Whether they are rational at any other number is not known. Sources: ONNX's schema of Gelu-20.

use num_traits::Zero;
use values::float::FloatFormat;

use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::signature::FLOATS;

/// Gelu in ONNX's default domain.
pub static GELU: Operator = Operator {
    documents: &[Document { key: "onnx-gelu", catalogue: include_str!("gelu/onnx-gelu.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("gelu/cases.toml")];
        case_table::cases(of, &GELU, &tables, function::cases::OWN)
    }),
    coverage: include_str!("gelu/coverage.txt"),
    ..Operator::onnx("Gelu", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const APPROXIMATE: Attribute =
    Attribute::new("approximate", AttributeType::Text(&["none", "tanh"]))
        .otherwise(Otherwise::Text("none"));

const VERSIONS: [Version; 1] = [const { Ports::new(["X"], "Y", FLOATS) }.since(20, &[APPROXIMATE])];

/// The function, by one formula or the other.
#[derive(Clone, Copy, Debug)]
pub struct Gelu {
    is_approximated: bool,
}

impl Gelu {
    fn of(attributes: &Attributes) -> Self {
        let approximate = attributes.get("approximate");
        let is_approximated =
            matches!(approximate, Some(AttributeValue::Text(text)) if text == "tanh");
        Self { is_approximated }
    }
}

/// The float32s nearest to 2 / pi and to 0.044715.
const TWO_OVER_PI: u32 = 0x3f22_f983;
const FACTOR: u32 = 0x3d37_2713;

/// The binades of magnitudes from which results are next to the operand, and next to 0.
const FAR: [i64; 2] = [4, 6];

impl RealFunction for Gelu {
    const PROOFS: [&'static str; 3] = [
        "from -3/4 on no value is less than this",
        "of two numbers next to each other the lesser one's value lies below this and the other's above",
        "the result of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative: true } => Image::NanOrZero,
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            // x / 2 (1 + t) with a t of the operand's sign, which is less than |x|.
            Operand::Number(x) if function::is_below(x, -101) => {
                Image::Beside { number: x.clone().scaled(-1), farther: x.is_positive() }
            }
            // 1 - Phi(x) is less than e^(-x^2 / 2), here e^-128, and its counterpart by the tangent less than e^-300.
            Operand::Number(x) if x.is_positive() && !function::is_below(x, FAR[0]) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            // Here they are less than e^-2048 and e^-18000.
            Operand::Number(x) if !function::is_below(x, FAR[1]) => {
                Image::Outlying { negative: true, is_large: false }
            }
            Operand::Number(_) => Image::Computed,
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        // Below 64 squares and cubes have some 20 bits before the point, which powers of e lose.
        let precision = x.precision().saturating_add(64);
        let x = x.clone().with_precision(precision);
        let value = if self.is_approximated { by_tangent(&x) } else { by_error_function(&x) };
        value.map(|value| value.with_precision(precision - 64))
    }

    /// x / 2 (1 + erf(x / sqrt 2)); the other formula has none.
    fn series(&self, x: &Series) -> Option<Series> {
        if self.is_approximated {
            return None;
        }
        let precision = x.value().precision();
        let root = Interval::integer(2, precision).sqrt()?;
        let unit = Interval::integer(1, precision);
        let quotient = x.value().divided_by(&root)?;
        let factor =
            if x.value().is_negative() { (-&quotient).erfc()? } else { &unit + &quotient.erf() };
        // The slope of erf(x / sqrt 2) is sqrt(2 / pi) e^(-x^2 / 2).
        let scale = root.divided_by(&Interval::pi(precision).sqrt()?)?;
        let slope = (-&x.square().scaled(-1)).exp()?.times(&scale);
        Some((x * &slope.primitive(factor)).scaled(-1))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let by = body.by();
        let factor = if self.is_approximated {
            let [root, factor] = [TWO_OVER_PI, FACTOR].map(|bits| body.constant(bits));
            let sum = by.add(x, &by.mul(&factor, &body.cube(x)));
            body.tanh(&by.mul(&by.sqrt(&root), &sum))
        } else {
            body.erf(&by.div(x, &by.sqrt(&by.integer(2))))
        };
        let half = by.mul(x, &by.div(&by.integer(1), &by.integer(2)));
        Some(by.mul(&half, &by.add(&by.integer(1), &factor)))
    }

    /// From -3/4 on, a little above the minima at -0.7518 and -0.7525, it rises.
    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let three_quarters = function::one(format) - (1 << (format.significand_bits - 1));
        Stretch { low: -three_quarters.cast_signed(), ..Stretch::whole(format) }
    }

    /// Up to -1: the slope of the exact formula is negative below -0.7518, the minimum of it there being the only one.
    fn other_stretch(&self, format: &FloatFormat) -> Option<Stretch> {
        (!self.is_approximated).then(|| Stretch::falling_to(format, function::one(format)))
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }
}

/// x / 2 (1 + erf(x / sqrt 2)), which for negative x is x / 2 erfc(|x| / sqrt 2).
fn by_error_function(x: &Interval) -> Option<Interval> {
    let one = Interval::integer(1, x.precision());
    let quotient = x.divided_by(&one.clone().scaled(1).sqrt()?)?;
    let factor = if x.is_negative() { (-quotient).erfc()? } else { &one + &quotient.erf() };
    Some(x.clone().scaled(-1) * factor)
}

/// x / (1 + e^(-2u)) for u = sqrt(2 / pi) (x + 0.044715 x^3): the same as x / 2 (1 + tanh u).
fn by_tangent(x: &Interval) -> Option<Interval> {
    let integer = |number| Interval::integer(number, x.precision());
    let factor = integer(44_715).divided_by(&integer(1_000_000))?;
    let sum = x + &(&factor * &(&x.square() * x));
    let root = integer(2).divided_by(&Interval::pi(x.precision()))?.sqrt()?;
    let power = (-(root * sum)).scaled(1).exp()?;
    x.divided_by(&(&integer(1) + &power))
}

const FUNCTION: Function<Gelu> = Function(Gelu { is_approximated: false });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<Gelu>> = Pointwise {
    function: |_, attributes| Function(Gelu::of(attributes)),
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};

#[cfg(test)]
mod tests;
