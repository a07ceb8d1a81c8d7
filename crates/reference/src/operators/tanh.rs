//! Tanh: the hyperbolic tangent of an element.
//!
//! It is 0 at 0 and irrational at every other number; at the infinities its limits are 1 and -1. SONNX's formula gives +0 for
//! -0, IEEE 754's tanh the operand, so that for SONNX either zero conforms there.
//! Sources: ONNX's schemas of Tanh-1, 6 and 13; SONNX's Tanh; IEEE 754-2019, 9.2.1.

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Specification, Version};
use crate::pointwise::Pointwise;
use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::Zero;
use values::float::FloatFormat;

/// Tanh in ONNX's default domain.
pub static TANH: Operator = Operator {
    documents: &[
        Document { key: "sonnx-tanh", catalogue: include_str!("tanh/sonnx-tanh.toml") },
        Document { key: "onnx-tanh", catalogue: include_str!("tanh/onnx-tanh.toml") },
    ],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [
            function::CASES,
            function::CONSUMED,
            function::SONNX_CASES,
            include_str!("tanh/cases.toml"),
        ];
        case_table::cases(of, &TANH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("tanh/coverage.txt"),
    ..Operator::onnx("Tanh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(6, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(13, &[]),
];

/// The hyperbolic tangent.
#[derive(Clone, Copy, Debug, Default)]
pub struct HyperbolicTangent {
    is_sonnx: bool,
}

impl HyperbolicTangent {
    /// IEEE 754's.
    pub(crate) const IEEE: Self = Self { is_sonnx: false };
}

impl RealFunction for HyperbolicTangent {
    const PROOFS: [&'static str; 3] = [
        "tanh x is above -1",
        "tanh x is transcendental for every rational x but 0 (Lindemann 1882)",
        "tanh x is below 1",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative: true } if self.is_sonnx => Image::EitherZero,
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative } => Image::Fraction(function::unit(*negative)),
            // |x| - |tanh x| is less than |x|^3 / 3.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            // 1 - |tanh x| is less than 2 e^(-2|x|).
            Operand::Number(x) if !function::is_below(x, 6) => {
                Image::Beside { number: function::unit(x.is_negative()), farther: false }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    /// (e^2x - 1) / (e^2x + 1).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        function::odd(x, |x| {
            if x.lower().binade().is_some_and(|binade| binade > 11) {
                let margin = Interval::power_of_two(-2048, x.precision());
                return Some(Interval::integer(1, x.precision()).widened(&margin));
            }
            let less = x.clone().scaled(1).exp_minus_1()?;
            less.divided_by(&(&less + &Interval::integer(2, x.precision())))
        })
    }

    /// 1 - 2u / (1 + u) for u = e^-2x, or for negative x the opposite by its opposite.
    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let is_positive = x.value().is_positive();
        let power = if is_positive { -x } else { x.clone() }.scaled(1).exp()?;
        let less = power.clone().scaled(1).divided_by(&(&one + &power))?;
        Some(if is_positive { &one - &less } else { &less - &one })
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::whole(format)
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

const FUNCTION: Function<HyperbolicTangent> = Function(HyperbolicTangent::IEEE);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<HyperbolicTangent>> = Pointwise {
    function: |specification, _| {
        Function(HyperbolicTangent { is_sonnx: specification == Specification::Sonnx })
    },
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
