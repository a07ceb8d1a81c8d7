//! Elu: the element, or where it is negative alpha (e^x - 1).
//!
//! `alpha` is an attribute of type float32, whose value is taken exactly, and 1 by default. What is not negative comes out as it is,
//! -0 too. Elsewhere the result is irrational, as long as `alpha` is a number other than 0.
//! Sources: ONNX's schemas of Elu-1, 6 and 22.

use crate::case_table;
use crate::exact::composed::Computed;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Body, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Document, Operator, OperatorKind,
    Otherwise, Ports, Version,
};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::Signed;
use values::float::{Class, FloatFormat};

/// Elu in ONNX's default domain.
pub static ELU: Operator = Operator {
    documents: &[Document { key: "onnx-elu", catalogue: include_str!("elu/onnx-elu.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, function::CONSUMED, include_str!("elu/cases.toml")];
        case_table::cases(of, &ELU, &tables, function::cases::OWN)
    }),
    coverage: include_str!("elu/coverage.txt"),
    ..Operator::onnx("Elu", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

/// The bits of 1 in float32.
const ONE: u32 = 0x3f80_0000;

const ALPHA: Attribute =
    Attribute::new("alpha", AttributeType::Float).otherwise(Otherwise::Float(ONE));

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS, ALPHA]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[ALPHA]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[ALPHA]),
];

/// The float32 that an attribute is, or another one.
pub(super) fn float(attributes: &Attributes, name: &str, otherwise: u32) -> u32 {
    match attributes.get(name) {
        Some(AttributeValue::Float(bits)) => *bits,
        _ => otherwise,
    }
}

/// The exponential linear unit with a value of `alpha`.
#[derive(Clone, Copy, Debug)]
pub struct LinearUnit {
    alpha: u32,
}

impl LinearUnit {
    /// `alpha` with its sign.
    fn alpha(self) -> (u64, bool) {
        let bits = u64::from(self.alpha);
        (bits, FloatFormat::FLOAT32.is_negative(bits))
    }

    /// alpha, where it is a number.
    fn factor(self) -> Option<Interval> {
        Interval::of_element(&FloatFormat::FLOAT32, self.alpha.into(), 128)
    }
}

impl RealFunction for LinearUnit {
    const PROOFS: [&'static str; 3] = [
        "no result is less than -1",
        "no operand is this number, and e^x - 1 is transcendental for every rational x but 0 (Lindemann 1882)",
        "no result is greater than the largest number",
    ];

    fn image(&self, operand: &Operand) -> Image {
        let x = match operand {
            Operand::Zero { negative } => return Image::Zero { negative: *negative },
            Operand::Infinite { negative: false } => return Image::Infinite { negative: false },
            Operand::Number(x) if x.is_positive() => return Image::Fraction(x.clone()),
            Operand::Infinite { negative: true } => None,
            Operand::Number(x) => Some(x),
        };
        let (alpha, negative) = self.alpha();
        match FloatFormat::FLOAT32.class(alpha) {
            Class::Nan => return Image::Nan,
            Class::Infinite => return Image::Infinite { negative: !negative },
            Class::Zero => return Image::Zero { negative: !negative },
            Class::Subnormal | Class::Normal => {}
        }
        let Some(alpha) = self.factor() else { return Image::Nan };
        function::of_negative(&alpha, x)
    }

    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let alpha = self.factor()?.with_precision(x.precision());
        function::by_sign(x, |x| Some(x.clone()), |x| Some(&alpha * &x.exp_minus_1()?))
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let alpha = self.factor()?.with_precision(x.value().precision());
        if x.value().is_positive() {
            return Some(x.clone());
        }
        Some((&x.exp()? - &x.number(1)).times(&alpha))
    }

    fn by_body(&self, body: &Body, x: &Computed) -> Option<Computed> {
        let by = body.by();
        Some(match Body::is_below_zero(x) {
            true => by.mul(&body.constant(self.alpha), &by.sub(&body.exp(x), &by.integer(1))),
            false => x.clone(),
        })
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        (!value.is_negative()).then(|| value.clone())
    }
}

const FUNCTION: Function<LinearUnit> = Function(LinearUnit { alpha: ONE });

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<LinearUnit>> = Pointwise {
    function: |_, attributes| Function(LinearUnit { alpha: float(attributes, "alpha", ONE) }),
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
