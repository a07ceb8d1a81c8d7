//! Sinh: the hyperbolic sine of an element.
//!
//! It is 0 at 0 and irrational at every other number; at the infinities its limits are those.
//! Sources: ONNX's schemas of Sinh-9 and 22; IEEE 754-2019, 9.2.1.

use crate::case_table;
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::series::Series;
use crate::families::exact_unary::hard_inputs;
use crate::families::function::{self, Function, Image, Operand, RealFunction, Stretch};
use crate::families::unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;

use crate::signature::{FLOATS, IEEE_FLOATS};
use num_traits::Zero;
use values::float::FloatFormat;

/// Sinh in ONNX's default domain.
pub static SINH: Operator = Operator {
    documents: &[Document { key: "onnx-sinh", catalogue: include_str!("sinh/onnx-sinh.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("sinh/cases.toml")];
        case_table::cases(of, &SINH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("sinh/coverage.txt"),
    ..Operator::onnx("Sinh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The hyperbolic sine.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolicSine;

impl RealFunction for HyperbolicSine {
    const PROOFS: [&'static str; 3] = [
        "sinh x has every sign and size",
        "sinh x is transcendental for every rational x but 0 (Lindemann 1882)",
        "sinh x has every sign and size",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative } => Image::Infinite { negative: *negative },
            // |sinh x| - |x| is less than |x|^3 / 5 below 1.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: true }
            }
            // It is more than e^(|x| - 1).
            Operand::Number(x) if !function::is_below(x, 11) => {
                Image::Outlying { negative: x.is_negative(), is_large: true }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    /// With y = e^x - 1 it is (y + y / (y + 1)) / 2.
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        function::odd(x, |x| {
            let y = x.exp_minus_1()?;
            let quotient = y.divided_by(&(&y + &Interval::integer(1, x.precision())))?;
            Some((y + quotient).scaled(-1))
        })
    }

    fn series(&self, x: &Series) -> Option<Series> {
        Some((&x.exp()? - &(-x).exp()?).scaled(-1))
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

const FUNCTION: Function<HyperbolicSine> = Function(HyperbolicSine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<HyperbolicSine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
