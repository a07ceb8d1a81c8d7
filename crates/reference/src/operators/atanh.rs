//! Atanh: the inverse hyperbolic tangent of an element.
//!
//! It is 0 at 0 and irrational at every other number between -1 and 1; at these it is infinite, and beyond them not defined.
//! Sources: ONNX's schemas of Atanh-9 and 22; IEEE 754-2019, 9.2.1.

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

/// Atanh in ONNX's default domain.
pub static ATANH: Operator = Operator {
    documents: &[Document { key: "onnx-atanh", catalogue: include_str!("atanh/onnx-atanh.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("atanh/cases.toml")];
        case_table::cases(of, &ATANH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("atanh/coverage.txt"),
    ..Operator::onnx("Atanh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The inverse hyperbolic tangent.
#[derive(Clone, Copy, Debug)]
pub struct InverseHyperbolicTangent;

impl RealFunction for InverseHyperbolicTangent {
    const PROOFS: [&'static str; 3] = [
        "the result of the last number above -1 is no less than this",
        "atanh x is transcendental for every rational x but 0 (Lindemann 1882)",
        "the result of the last number below 1 is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Number(x) if function::is(x, 1) => Image::Infinite { negative: false },
            Operand::Number(x) if function::is(x, -1) => Image::Infinite { negative: true },
            // |atanh x| - |x| is less than |x|^3 below 1/2.
            Operand::Number(x) if function::is_below(x, -51) => {
                Image::Beside { number: x.clone(), farther: true }
            }
            Operand::Number(x) if function::is_below(x, 0) => Image::Irrational,
            Operand::Infinite { .. } | Operand::Number(_) => Image::Nan,
        }
    }

    /// Half of ln((1 + x) / (1 - x)).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        function::odd(x, |x| {
            let more =
                x.clone().scaled(1).divided_by(&(Interval::integer(1, x.precision()) - x))?;
            Some(more.ln_1_plus()?.scaled(-1))
        })
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let product = &(&one - x) * &(&one + x);
        Some(one.divided_by(&product)?.primitive(self.enclosure(x.value())?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        let end = function::one(format).cast_signed() - 1;
        Stretch { low: -end, high: end, falls: false }
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::zero)
    }

    fn is_odd(&self) -> bool {
        true
    }
}

const FUNCTION: Function<InverseHyperbolicTangent> = Function(InverseHyperbolicTangent);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<InverseHyperbolicTangent>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
