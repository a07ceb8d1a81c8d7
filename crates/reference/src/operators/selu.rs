//! Selu: gamma times the element, or where that is not positive gamma (alpha e^x - alpha).
//!
//! `alpha` and `gamma` are attributes of type float32, whose values are taken exactly; version 1 has other defaults than those after
//! it. At 0 the formula is a difference of equal numbers, and either zero conforms. Of negative numbers the result is
//! irrational, as long as both are numbers other than 0; where one is no number, the formula has no value for them.
//! Sources: ONNX's schemas of Selu-1, 6 and 22.

use super::elu::float;
use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::{Rational, value};
use crate::exact::series::Series;
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, Attributes, Document, Operator, OperatorKind, Otherwise, Ports,
    Version,
};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::Signed;
use values::dtype::DType;
use values::float::{Class, FloatFormat};

/// Selu in ONNX's default domain.
pub static SELU: Operator = Operator {
    documents: &[Document { key: "onnx-selu", catalogue: include_str!("selu/onnx-selu.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, function::CONSUMED, include_str!("selu/cases.toml")];
        case_table::cases(of, &SELU, &tables, function::cases::OWN)
    }),
    coverage: include_str!("selu/coverage.txt"),
    ..Operator::onnx("Selu", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The float32 nearest to 1.6732, and that which is 1.67326319217681884765625.
const ALPHAS: [u32; 2] = [0x3fd6_2b6b, 0x3fd6_2d7d];

/// The float32 nearest to 1.0507, and that which is 1.05070102214813232421875.
const GAMMAS: [u32; 2] = [0x3f86_7d56, 0x3f86_7d5f];

const fn of_float(name: &'static str, otherwise: u32) -> Attribute {
    Attribute::new(name, AttributeType::Float).otherwise(Otherwise::Float(otherwise))
}

const OLD_ALPHA: Attribute = of_float("alpha", ALPHAS[0]);
const OLD_GAMMA: Attribute = of_float("gamma", GAMMAS[0]);
const ALPHA: Attribute = of_float("alpha", ALPHAS[1]);
const GAMMA: Attribute = of_float("gamma", GAMMAS[1]);

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }
        .since(1, &[CONSUMED_INPUTS, OLD_ALPHA, OLD_GAMMA]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[ALPHA, GAMMA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[ALPHA, GAMMA]),
];

/// The scaled exponential linear unit with values of `alpha` and `gamma`.
#[derive(Clone, Copy, Debug)]
pub struct ScaledLinearUnit {
    alpha: u32,
    gamma: u32,
}

const NO_VALUE: &str = "an attribute is no number, and the formula has no value";

impl ScaledLinearUnit {
    fn of(attributes: &Attributes) -> Self {
        Self {
            alpha: float(attributes, "alpha", ALPHAS[1]),
            gamma: float(attributes, "gamma", GAMMAS[1]),
        }
    }

    /// gamma and alpha, where they are numbers.
    fn factors(self, precision: u32) -> Option<[Interval; 2]> {
        let of = |bits: u32| Interval::of_element(&FloatFormat::FLOAT32, bits.into(), precision);
        Some([of(self.gamma)?, of(self.alpha)?])
    }
}

impl RealFunction for ScaledLinearUnit {
    const PROOFS: [&'static str; 3] = [
        "no result is less than -gamma alpha",
        "gamma times no operand is this number, and e^x - 1 is transcendental for every rational x but 0 (Lindemann 1882)",
        "no result is greater than gamma times the largest number",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let format = &FloatFormat::FLOAT32;
        let (gamma, alpha) = (u64::from(self.gamma), u64::from(self.alpha));
        if let Operand::Number(_) | Operand::Infinite { negative: false } = operand {
            let positive = match operand {
                Operand::Number(x) if x.is_positive() => Some(Some(x)),
                Operand::Infinite { negative: false } => Some(None),
                _ => None,
            };
            if let Some(x) = positive {
                let negative = format.is_negative(gamma);
                return match (format.class(gamma), x, Interval::of_element(format, gamma, 128)) {
                    (Class::Zero, Some(_), _) => Image::Zero { negative },
                    (Class::Nan, ..) | (Class::Zero, None, _) => Image::Nan,
                    (Class::Infinite, ..) | (_, None, _) => Image::Infinite { negative },
                    (_, Some(x), Some(gamma)) => Image::Fraction(&gamma * x),
                    (_, Some(_), None) => Image::Nan,
                };
            }
        }
        if [gamma, alpha].map(|bits| format.class(bits)).contains(&Class::Nan) {
            return Image::Nan;
        }
        let Some([gamma, alpha]) = self.factors(128) else { return Image::Open(NO_VALUE) };
        let factor = &gamma * &alpha;
        match operand {
            _ if factor.binade().is_none() => Image::EitherZero,
            Operand::Zero { .. } => Image::EitherZero,
            Operand::Infinite { .. } => function::of_negative(&factor, None),
            Operand::Number(x) => function::of_negative(&factor, Some(x)),
        }
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let [gamma, alpha] = self.factors(x.precision())?;
        let factor = &gamma * &alpha;
        function::by_sign(x, |x| Some(&gamma * x), |x| Some(&factor * &x.exp_minus_1()?))
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let [gamma, alpha] = self.factors(x.value().precision())?;
        if x.value().is_positive() {
            return Some(x.times(&gamma));
        }
        Some((&x.exp()? - &x.number(1)).times(&(&gamma * &alpha)))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let by = body.by();
        let [alpha, gamma] = [self.alpha, self.gamma].map(|bits| body.constant(bits));
        let factor = match Body::is_below_zero(x) {
            true => by.sub(&by.mul(&alpha, &body.exp(x)), &alpha),
            false => x.clone(),
        };
        Some(by.mul(&gamma, &factor))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, number: &Rational) -> Option<Rational> {
        let gamma = value(DType::Float32, self.gamma.into())?;
        (!number.is_negative()).then(|| number / gamma)
    }

    /// gamma times a number is rounded as other products are.
    fn is_exact_point(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Zero { .. })
    }
}

const FUNCTION: Function<ScaledLinearUnit> =
    Function(ScaledLinearUnit { alpha: ALPHAS[1], gamma: GAMMAS[1] });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<ScaledLinearUnit>> = Pointwise {
    function: |_, attributes| Function(ScaledLinearUnit::of(attributes)),
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
