//! Asinh: the inverse hyperbolic sine of an element.
//!
//! It is 0 at 0 and irrational at every other number; at the infinities its limits are those.
//! Sources: ONNX's schemas of Asinh-9 and 22; IEEE 754-2019, 9.2.1.

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

/// Asinh in ONNX's default domain.
pub static ASINH: Operator = Operator {
    documents: &[Document { key: "onnx-asinh", catalogue: include_str!("asinh/onnx-asinh.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("asinh/cases.toml")];
        case_table::cases(of, &ASINH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("asinh/coverage.txt"),
    ..Operator::onnx("Asinh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The inverse hyperbolic sine.
#[derive(Clone, Copy, Debug)]
pub struct InverseHyperbolicSine;

impl RealFunction for InverseHyperbolicSine {
    const PROOFS: [&'static str; 3] = [
        "the result of the least number is no less than this",
        "asinh x is transcendental for every rational x but 0 (Lindemann 1882)",
        "the result of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Zero { negative } => Image::Zero { negative: *negative },
            Operand::Infinite { negative } => Image::Infinite { negative: *negative },
            // |x| - |asinh x| is less than |x|^3 / 6.
            Operand::Number(x) if function::is_below(x, -50) => {
                Image::Beside { number: x.clone(), farther: false }
            }
            Operand::Number(_) => Image::Irrational,
        }
    }

    /// Of |x| it is ln(1 + |x| + x^2 / (1 + sqrt(1 + x^2))).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        function::odd(x, |x| {
            let (one, square) = (Interval::integer(1, x.precision()), x.square());
            let root = (&square + &one).sqrt()?;
            let more = x + &square.divided_by(&(root + one))?;
            more.ln_1_plus()
        })
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let root = (&one + &x.square()).sqrt()?;
        Some(one.divided_by(&root)?.primitive(self.enclosure(x.value())?))
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

const FUNCTION: Function<InverseHyperbolicSine> = Function(InverseHyperbolicSine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<InverseHyperbolicSine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
