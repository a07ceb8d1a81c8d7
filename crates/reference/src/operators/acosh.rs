//! Acosh: the inverse hyperbolic cosine of an element.
//!
//! It is 0 at 1, not defined below, and irrational at every number above; at +infinity its limit is that.
//! Sources: ONNX's schemas of Acosh-9 and 22; IEEE 754-2019, 9.2.1.

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
use num_traits::{One, Zero};
use values::float::FloatFormat;

/// Acosh in ONNX's default domain.
pub static ACOSH: Operator = Operator {
    documents: &[Document { key: "onnx-acosh", catalogue: include_str!("acosh/onnx-acosh.toml") }],
    hard_inputs: Some(|dtype| hard_inputs(&FUNCTION, dtype)),
    cases: Some(|of| {
        let tables = [function::CASES, include_str!("acosh/cases.toml")];
        case_table::cases(of, &ACOSH, &tables, function::cases::OWN)
    }),
    coverage: include_str!("acosh/coverage.txt"),
    ..Operator::onnx("Acosh", OperatorKind::Approximated, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["input"], "output", IEEE_FLOATS) }.since(9, &[]),
    const { Ports::new(["input"], "output", FLOATS) }.since(22, &[]),
];

/// The inverse hyperbolic cosine.
#[derive(Clone, Copy, Debug)]
pub struct InverseHyperbolicCosine;

impl RealFunction for InverseHyperbolicCosine {
    const PROOFS: [&'static str; 3] = [
        "no inverse hyperbolic cosine is negative",
        "acosh x is transcendental for every rational x but 1 (Lindemann 1882)",
        "the result of the largest number is no greater than this",
    ];

    fn image(&self, operand: &Operand) -> Image {
        match operand {
            Operand::Infinite { negative: false } => Image::Infinite { negative: false },
            Operand::Number(x) if function::is(x, 1) => Image::Zero { negative: false },
            Operand::Number(x) if x.is_positive() && !function::is_below(x, 0) => Image::Irrational,
            _ => Image::Nan,
        }
    }

    /// With y = x - 1 it is ln(1 + y + sqrt(y (y + 2))).
    fn enclosure(&self, x: &Interval) -> Option<Interval> {
        let less = x - &Interval::integer(1, x.precision());
        let more = &less + &Interval::integer(2, x.precision());
        let root = (&less * &more).sqrt()?;
        (less + root).ln_1_plus()
    }

    fn series(&self, x: &Series) -> Option<Series> {
        let one = x.number(1);
        let root = (&(x - &one) * &(x + &one)).sqrt()?;
        Some(one.divided_by(&root)?.primitive(self.enclosure(x.value())?))
    }

    fn stretch(&self, format: &FloatFormat) -> Stretch {
        Stretch::from(format, function::one(format))
    }

    fn inverse(&self, value: &Rational) -> Option<Rational> {
        value.is_zero().then(Rational::one)
    }
}

const FUNCTION: Function<InverseHyperbolicCosine> = Function(InverseHyperbolicCosine);

/// What is allowed of its results.
const REFERENCE: Pointwise<Function<InverseHyperbolicCosine>> = Pointwise {
    function: |_, _| FUNCTION,
    broadcast: unary::broadcast,
    boundaries: Some(&FUNCTION),
};
